"""Arrays as PostgreSQL reads them: every text comes back as it was."""

import psycopg
import pytest

from serving.metering.postgres_arrays import array

TEXTS = [
    "node",
    "",
    "NULL",
    "null",
    'a "quoted" word',
    "back\\slash\\",
    "{a,b}",
    " spaces ",
    "line\nfeed\ttab\rreturn",
    "§ 9 é 法",
    "'; DROP TABLE ledger; --",
    '"},{"',
    None,
]


@pytest.mark.parametrize(
    ("kind", "items"),
    [
        ("text", TEXTS),
        ("text", ["\\", '"', '\\"', ","]),
        ("text", [None]),
        ("bigint", [0, -1, 2**62, None, -(2**63)]),
        ("bigint", []),
        ("text", []),
    ],
)
def test_what_is_sent_comes_back(postgres, kind, items):
    with psycopg.connect(postgres) as connection:
        row = connection.execute(f"SELECT %s::{kind}[]", [array(items)]).fetchone()
    assert row == (items,)


def test_a_text_that_postgres_cannot_hold_is_refused(postgres):
    with psycopg.connect(postgres) as connection, pytest.raises(psycopg.DataError):
        connection.execute("SELECT %s::text[]", [array(["a\x00b"])])
