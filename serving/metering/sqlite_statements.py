"""SQL statements of the hot path and of posting on SQLite.

Lists of the hot path are passed as JSON, which SQLite unpacks. What is posted has a parameter for each value,
and `{rows}` stands for the rows: many in one statement, so that the thread that posts seldom takes the
interpreter from the one that settles.
"""

FOLLOW = "SELECT batch_no, changes FROM batches WHERE batch_no > ? ORDER BY batch_no"

NEWEST = "SELECT coalesce(max(batch_no), 0) FROM batches"

POSTED = "SELECT coalesce(max(credits), 0), coalesce(max(marks), 0) FROM postings"

APPEND = "INSERT INTO batches (batch_no, size, changes, entries) VALUES (?, ?, ?, ?)"

NUMBERS = "SELECT key_id FROM keys WHERE key_hash IN (SELECT value FROM json_each(?))"

ACCOUNTS = """
SELECT account_id, tier, allotment_limit, allotment, allotment_month, wallet, entry_no
FROM accounts WHERE account_id IN (SELECT value FROM json_each(?))
"""

KEYS = """
SELECT key_id, account_id, key_hash, expires_at, revoked_at, last_used_at, passed
FROM keys WHERE key_id IN (SELECT value FROM json_each(?))
"""

KEYS_OF_ACCOUNTS = """
SELECT key_id, account_id, key_hash, expires_at, revoked_at, last_used_at, passed
FROM keys WHERE account_id IN (SELECT value FROM json_each(?))
"""

MARKS = "SELECT at, ordinal FROM marks WHERE key_id = ? AND at > ? ORDER BY at LIMIT ?"

CHARGES = """
SELECT l.account_id, l.entry_no, l.at, l.kind, l.allotment, l.wallet, l.balance_after, l.endpoint,
       l.request_id, l.key_id, l.refers_to,
       EXISTS (SELECT 1 FROM ledger r WHERE r.account_id = l.account_id AND r.refers_to = l.entry_no)
FROM json_each(?) j
CROSS JOIN ledger l ON l.account_id = json_extract(j.value, '$[0]')
    AND l.entry_no = json_extract(j.value, '$[1]') AND l.kind = 'charge'
"""

HAS_BATCHES = "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'batches')"

WAITING = """
SELECT EXISTS (
    SELECT 1 FROM batches WHERE size > 0 AND batch_no > (SELECT coalesce(max(credits), 0) FROM postings))
"""

TO_POST = "SELECT batch_no, changes, entries FROM batches WHERE batch_no > ? ORDER BY batch_no"

COUNT = """
WITH counted (key_id, at, passed) AS (VALUES {rows})
UPDATE keys SET last_used_at = counted.at, passed = counted.passed
FROM counted WHERE keys.key_id = counted.key_id
"""

MOVE = """
WITH moved (account_id, allotment, month, wallet, entry_no, posted) AS (VALUES {rows})
UPDATE accounts SET allotment = moved.allotment, allotment_month = moved.month, wallet = moved.wallet,
    entry_no = moved.entry_no, posted = moved.posted
FROM moved WHERE accounts.account_id = moved.account_id
"""

ENTER = """
INSERT INTO ledger (account_id, entry_no, at, kind, allotment, wallet, balance_after, endpoint, request_id,
    key_id, refers_to, snapshot)
VALUES {rows} ON CONFLICT (account_id, entry_no) DO NOTHING
"""

CREDITS_POSTED = """
INSERT INTO postings (posting_id, credits, marks) VALUES (1, ?, 0)
ON CONFLICT DO UPDATE SET credits = excluded.credits
"""

MARKS_TO_POST = """
SELECT batch_no, changes FROM batches WHERE batch_no > ? AND batch_no <= ? AND size > 0 ORDER BY batch_no
"""

MARK = "INSERT OR IGNORE INTO marks (key_id, at, ordinal) VALUES {rows}"

TRIM = "DELETE FROM marks WHERE key_id = ? AND at <= ?"

MARKS_POSTED = "UPDATE postings SET marks = ? WHERE marks < ?"

DROP = """
DELETE FROM batches WHERE batch_no IN (
    SELECT batch_no FROM batches WHERE batch_no <= ? AND batch_no < (SELECT max(batch_no) FROM batches)
    ORDER BY batch_no LIMIT ?)
"""
