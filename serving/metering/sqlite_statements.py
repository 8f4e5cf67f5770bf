"""SQL statements of the hot path on SQLite. Lists are passed as one JSON parameter, which SQLite unpacks."""

NUMBERS = """
SELECT k.key_hash, k.key_id, k.account_id FROM json_each(?) j CROSS JOIN keys k ON k.key_hash = j.value
"""

KEYS = """
SELECT a.account_id, a.tier, a.allotment_limit, a.allotment, a.allotment_month, a.wallet, a.entry_no,
       k.key_hash, k.key_id, max(:now, k.last_used_at), k.expires_at, k.revoked_at, k.passed,
       k.passed - m.ordinal, m.at, k.passed - d.ordinal, d.at,
       (SELECT min(w.at) FROM windows w WHERE w.key_id = k.key_id)
FROM json_each(:keys) j
CROSS JOIN keys k ON k.key_id = j.value
CROSS JOIN accounts a ON a.account_id = k.account_id
LEFT JOIN windows m ON m.key_id = k.key_id AND m.at = (
    SELECT min(w.at) FROM windows w
    WHERE w.key_id = k.key_id AND w.at > max(:now, k.last_used_at) - :minute)
LEFT JOIN windows d ON d.key_id = k.key_id AND d.at = (
    SELECT min(w.at) FROM windows w
    WHERE w.key_id = k.key_id AND w.at > max(:now, k.last_used_at) - :day)
"""

CHARGES = """
SELECT a.account_id, a.tier, a.allotment_limit, a.allotment, a.allotment_month, a.wallet, a.entry_no,
       l.account_id, l.entry_no, l.at, l.kind, l.allotment, l.wallet, l.balance_after, l.endpoint,
       l.request_id, l.key_id, l.refers_to,
       EXISTS (SELECT 1 FROM ledger r WHERE r.account_id = l.account_id AND r.refers_to = l.entry_no)
FROM json_each(:receipts) j
CROSS JOIN ledger l ON l.account_id = json_extract(j.value, '$[0]')
    AND l.entry_no = json_extract(j.value, '$[1]') AND l.kind = 'charge'
CROSS JOIN accounts a ON a.account_id = l.account_id
"""

COUNT = "UPDATE keys SET last_used_at = ?, passed = ? WHERE key_id = ?"

MARK = "INSERT OR IGNORE INTO windows (at, ordinal, key_id) VALUES (?, ?, ?)"

TRIM = "DELETE FROM windows WHERE key_id = ? AND at <= ?"

MOVE = "UPDATE accounts SET allotment = ?, allotment_month = ?, wallet = ?, entry_no = ? WHERE account_id = ?"

APPEND = """
INSERT INTO ledger (account_id, entry_no, at, kind, allotment, wallet, balance_after, endpoint, request_id,
    key_id, refers_to, snapshot)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
