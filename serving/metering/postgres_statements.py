"""SQL statements of the hot path on PostgreSQL. Lists are passed as arrays, one for each column.

What a batch writes is one statement, since each is a message of its own to the server. Keys are found by
their numbers: comparing hashes in the order of a language takes the server three times as long.
"""

NUMBERS = "SELECT key_hash, key_id, account_id FROM keys WHERE key_hash = ANY(%s::text[])"

LOCK = """
SELECT account_id FROM accounts WHERE account_id = ANY(%(accounts)s::bigint[])
ORDER BY account_id FOR UPDATE
"""

KEYS = """
WITH t AS MATERIALIZED (
    SELECT coalesce(%(now)s::bigint, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint) AS now)
SELECT a.account_id, a.tier, a.allotment_limit, a.allotment, a.allotment_month, a.wallet, a.entry_no,
       k.key_hash, k.key_id, greatest(t.now, k.last_used_at), k.expires_at, k.revoked_at, k.passed,
       k.passed - m.ordinal, m.at, k.passed - d.ordinal, d.at,
       (SELECT min(w.at) FROM windows w WHERE w.key_id = k.key_id), t.now
FROM t CROSS JOIN keys k JOIN accounts a ON a.account_id = k.account_id
LEFT JOIN LATERAL (
    SELECT w.at, w.ordinal FROM windows w
    WHERE w.key_id = k.key_id AND w.at > greatest(t.now, k.last_used_at) - %(minute)s
    ORDER BY w.at LIMIT 1) m ON true
LEFT JOIN LATERAL (
    SELECT w.at, w.ordinal FROM windows w
    WHERE w.key_id = k.key_id AND w.at > greatest(t.now, k.last_used_at) - %(day)s
    ORDER BY w.at LIMIT 1) d ON true
WHERE k.key_id = ANY(%(keys)s::bigint[])
"""

CHARGES = """
WITH t AS MATERIALIZED (
    SELECT coalesce(%(now)s::bigint, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint) AS now)
SELECT a.account_id, a.tier, a.allotment_limit, a.allotment, a.allotment_month, a.wallet, a.entry_no,
       l.account_id, l.entry_no, l.at, l.kind, l.allotment, l.wallet, l.balance_after, l.endpoint,
       l.request_id, l.key_id, l.refers_to,
       EXISTS (SELECT 1 FROM ledger r WHERE r.account_id = l.account_id AND r.refers_to = l.entry_no), t.now
FROM unnest(%(owners)s::bigint[], %(entries)s::bigint[]) AS j (account_id, entry_no)
JOIN ledger l ON l.account_id = j.account_id AND l.entry_no = j.entry_no AND l.kind = 'charge'
JOIN accounts a ON a.account_id = l.account_id
CROSS JOIN t
"""

SAVE = """
WITH counted AS (
    UPDATE keys SET passed = j.passed + j.new, last_used_at = j.at
    FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[]) AS j (key_id, at, passed, new)
    WHERE keys.key_id = j.key_id
    RETURNING keys.key_id, j.at, j.passed
), marked AS (
    INSERT INTO windows (key_id, at, ordinal) SELECT * FROM counted ON CONFLICT DO NOTHING
), moved AS (
    UPDATE accounts SET allotment = j.allotment, allotment_month = j.month, wallet = j.wallet,
        entry_no = j.entry_no
    FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[])
        AS j (account_id, allotment, month, wallet, entry_no)
    WHERE accounts.account_id = j.account_id
)
INSERT INTO ledger (account_id, entry_no, at, kind, allotment, wallet, balance_after, endpoint, request_id,
    key_id, refers_to, snapshot)
SELECT * FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[], %s::text[], %s::bigint[], %s::bigint[],
    %s::bigint[], %s::text[], %s::text[], %s::bigint[], %s::bigint[], %s::text[])
"""

TRIM = "DELETE FROM windows WHERE key_id = %s AND at <= %s"
