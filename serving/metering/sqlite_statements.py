"""The statements of the hot path on SQLite. Lists come as one JSON parameter and are unpacked by SQLite."""

KEYS = """
SELECT a.account_id, a.tier, a.allotment_limit, a.allotment, a.allotment_month, a.wallet, a.entry_no,
       k.key_hash, k.key_id, max(:now, k.last_used_at), k.expires_at, k.revoked_at, k.passed,
       k.passed - m.ordinal, m.at, k.passed - d.ordinal, d.at,
       (SELECT min(w.at) FROM windows w WHERE w.key_id = k.key_id)
FROM json_each(:hashes) j
CROSS JOIN keys k ON k.key_hash = j.value
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

COUNT = """
UPDATE keys SET passed = json_extract(j.value, '$[2]'), last_used_at = json_extract(j.value, '$[1]')
FROM json_each(?) j WHERE key_id = json_extract(j.value, '$[0]')
"""

MARK = """
INSERT OR IGNORE INTO windows (key_id, at, ordinal)
SELECT json_extract(j.value, '$[0]'), json_extract(j.value, '$[1]'), json_extract(j.value, '$[3]')
FROM json_each(?) j
"""

TRIM = "DELETE FROM windows WHERE key_id = ? AND at <= ?"

MOVE = """
UPDATE accounts SET allotment = json_extract(j.value, '$[1]'),
    allotment_month = json_extract(j.value, '$[2]'), wallet = json_extract(j.value, '$[3]'),
    entry_no = json_extract(j.value, '$[4]')
FROM json_each(?) j WHERE account_id = json_extract(j.value, '$[0]')
"""

APPEND = """
INSERT INTO ledger (account_id, entry_no, at, kind, allotment, wallet, balance_after, endpoint, request_id,
    key_id, refers_to)
SELECT json_extract(j.value, '$[0]'), json_extract(j.value, '$[1]'), json_extract(j.value, '$[2]'),
    json_extract(j.value, '$[3]'), json_extract(j.value, '$[4]'), json_extract(j.value, '$[5]'),
    json_extract(j.value, '$[6]'), json_extract(j.value, '$[7]'), json_extract(j.value, '$[8]'),
    json_extract(j.value, '$[9]'), json_extract(j.value, '$[10]')
FROM json_each(?) j
"""
