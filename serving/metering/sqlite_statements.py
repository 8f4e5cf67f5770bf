"""SQL statements of the hot path and of posting on SQLite. Lists are passed as JSON, which SQLite unpacks."""

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

WAITING = """
SELECT EXISTS (SELECT 1 FROM batches WHERE batch_no > (SELECT coalesce(max(credits), 0) FROM postings) AND size > 0)
"""

TO_POST = "SELECT batch_no, changes, entries FROM batches WHERE batch_no > ? ORDER BY batch_no"

COUNT = "UPDATE keys SET last_used_at = ?, passed = ? WHERE key_id = ?"

MOVE = """
UPDATE accounts SET allotment = ?, allotment_month = ?, wallet = ?, entry_no = ?, posted = ? WHERE account_id = ?
"""

ENTER = """
INSERT INTO ledger (account_id, entry_no, at, kind, allotment, wallet, balance_after, endpoint, request_id,
    key_id, refers_to, snapshot)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""

CREDITS_POSTED = """
INSERT INTO postings (posting_id, credits, marks) VALUES (1, ?, 0) ON CONFLICT DO UPDATE SET credits = excluded.credits
"""

MARKS_TO_POST = """
SELECT batch_no, changes FROM batches WHERE batch_no > ? AND batch_no <= ? AND size > 0 ORDER BY batch_no
"""

MARK = "INSERT OR IGNORE INTO marks (key_id, at, ordinal) VALUES (?, ?, ?)"

TRIM = "DELETE FROM marks WHERE key_id = ? AND at <= ?"

MARKS_POSTED = "UPDATE postings SET marks = ? WHERE marks < ?"

DROP = """
DELETE FROM batches WHERE batch_no IN (
    SELECT batch_no FROM batches WHERE batch_no <= ? AND batch_no < (SELECT max(batch_no) FROM batches)
    ORDER BY batch_no LIMIT ?)
"""
