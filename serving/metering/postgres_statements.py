"""SQL statements on PostgreSQL. Lists are passed as arrays, one for each column.

Keys are found by their numbers: comparing hashes in the order of a language takes the server three times as
long.
"""

LOCK = """
SELECT pg_advisory_xact_lock(1819437411), (SELECT 1 FROM postings WHERE posting_id = 0 FOR UPDATE)
"""
"""The lock of the records: who settles, posts or changes credits holds it to the end of the transaction.

The row, which there is not, has a database that may only be read refuse at once."""

TRY_ALONE = "SELECT pg_try_advisory_lock(1819437412)"

FOLLOW = """
SELECT coalesce(%(now)s::bigint, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint),
       (SELECT coalesce(max(batch_no), 0) FROM batches), b.batch_no, b.changes
FROM (SELECT 1) one LEFT JOIN batches b ON b.batch_no > %(seen)s
ORDER BY b.batch_no
"""

NEWEST = "SELECT coalesce(max(batch_no), 0) FROM batches"

POSTED = "SELECT coalesce(max(credits), 0), coalesce(max(marks), 0) FROM postings"

APPEND = "INSERT INTO batches (batch_no, size, changes, entries) VALUES (%s, %s, %s, %s)"

NUMBERS = "SELECT key_id FROM keys WHERE key_hash = ANY(%s::text[])"

ACCOUNTS = """
SELECT account_id, tier, allotment_limit, allotment, allotment_month, wallet, entry_no
FROM accounts WHERE account_id = ANY(%s::bigint[])
"""

KEYS = """
SELECT key_id, account_id, key_hash, expires_at, revoked_at, last_used_at, passed
FROM keys WHERE key_id = ANY(%s::bigint[])
"""

KEYS_OF_ACCOUNTS = """
SELECT key_id, account_id, key_hash, expires_at, revoked_at, last_used_at, passed
FROM keys WHERE account_id = ANY(%s::bigint[])
"""

MARKS = """
SELECT j.key_id, m.at, m.ordinal
FROM unnest(%s::bigint[], %s::bigint[]) AS j (key_id, after)
CROSS JOIN LATERAL (
    SELECT at, ordinal FROM marks WHERE key_id = j.key_id AND at > j.after ORDER BY at LIMIT %s) m
ORDER BY j.key_id, m.at
"""

CHARGES = """
SELECT l.account_id, l.entry_no, l.at, l.kind, l.allotment, l.wallet, l.balance_after, l.endpoint,
       l.request_id, l.key_id, l.refers_to,
       EXISTS (SELECT 1 FROM ledger r WHERE r.account_id = l.account_id AND r.refers_to = l.entry_no)
FROM unnest(%s::bigint[], %s::bigint[]) AS j (account_id, entry_no)
JOIN ledger l ON l.account_id = j.account_id AND l.entry_no = j.entry_no AND l.kind = 'charge'
"""

HAS_BATCHES = "SELECT to_regclass('batches') IS NOT NULL"

WAITING = """
SELECT EXISTS (
    SELECT 1 FROM batches WHERE size > 0 AND batch_no > (SELECT coalesce(max(credits), 0) FROM postings))
"""

TO_POST = "SELECT batch_no, changes, entries FROM batches WHERE batch_no > %s ORDER BY batch_no"

COUNT = """
UPDATE keys SET last_used_at = j.at, passed = j.passed
FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[]) AS j (key_id, at, passed)
WHERE keys.key_id = j.key_id
"""

MOVE = """
UPDATE accounts SET allotment = j.allotment, allotment_month = j.month, wallet = j.wallet,
    entry_no = j.entry_no, posted = j.posted
FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[])
    AS j (account_id, allotment, month, wallet, entry_no, posted)
WHERE accounts.account_id = j.account_id
"""

ENTER = """
INSERT INTO ledger (account_id, entry_no, at, kind, allotment, wallet, balance_after, endpoint, request_id,
    key_id, refers_to, snapshot)
SELECT * FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[], %s::text[], %s::bigint[], %s::bigint[],
    %s::bigint[], %s::text[], %s::text[], %s::bigint[], %s::bigint[], %s::text[])
ON CONFLICT (account_id, entry_no) DO NOTHING
"""

CREDITS_POSTED = """
INSERT INTO postings (posting_id, credits, marks) VALUES (1, %s, 0)
ON CONFLICT (posting_id) DO UPDATE SET credits = excluded.credits
"""

MARKS_TO_POST = """
SELECT batch_no, changes FROM batches WHERE batch_no > %s AND batch_no <= %s AND size > 0 ORDER BY batch_no
"""

MARK = """
INSERT INTO marks (key_id, at, ordinal) SELECT * FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[])
ON CONFLICT DO NOTHING
"""

TRIM = """
DELETE FROM marks USING unnest(%s::bigint[], %s::bigint[]) AS j (key_id, at)
WHERE marks.key_id = j.key_id AND marks.at <= j.at
"""

MARKS_POSTED = "UPDATE postings SET marks = %s WHERE marks < %s"

DROP = """
DELETE FROM batches WHERE batch_no IN (
    SELECT batch_no FROM batches WHERE batch_no <= %s AND batch_no < (SELECT max(batch_no) FROM batches)
    ORDER BY batch_no LIMIT %s)
"""
