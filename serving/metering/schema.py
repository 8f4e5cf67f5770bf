"""The tables of the store, for SQLite and PostgreSQL. Instants are microseconds since 1970 UTC.

Ledger, marks and stages are clustered by their keys on SQLite, so that an account's newest entries and a
key's oldest instants are one seek away. What calls changed waits in `batches` and is posted to accounts,
keys, ledger and marks up to the records that `postings` names; `accounts.posted` changes with each posting,
whereby a trigger tells it from a change by anybody else, which it notes in `batches`. Tables are STRICT
there: a wrong type is refused, as on PostgreSQL.
"""

from typing import Any

import sqlalchemy as sa

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

Whole = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
"""Integer type of 64 bits on both engines; SQLite needs this name to make a primary key the row's own
number."""


def _account() -> sa.Column[Any]:
    return sa.Column("account_id", Whole, sa.ForeignKey("accounts.account_id"), nullable=False)


accounts = sa.Table(
    "accounts",
    metadata,
    sa.Column("account_id", Whole, primary_key=True, autoincrement=True),
    sa.Column("email", sa.Text, unique=True),
    sa.Column("password_hash", sa.Text),
    sa.Column("tier", sa.Text, nullable=False),
    sa.Column("allotment_limit", Whole, nullable=False),
    sa.Column("allotment", Whole, nullable=False),
    sa.Column("allotment_month", Whole, nullable=False),
    sa.Column("wallet", Whole, nullable=False),
    sa.Column("entry_no", Whole, nullable=False),
    sa.Column("created_at", Whole, nullable=False),
    sa.Column("verified_at", Whole),
    sa.Column("posted", Whole, nullable=False, server_default="0"),
    sa.CheckConstraint("allotment >= 0 AND wallet >= 0", name="nothing_owed"),
    sqlite_strict=True,
)

keys = sa.Table(
    "keys",
    metadata,
    sa.Column("key_id", Whole, primary_key=True, autoincrement=True),
    _account(),
    sa.Column("key_hash", sa.Text, nullable=False, unique=True),
    sa.Column("prefix", sa.Text, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("scopes", sa.Text, nullable=False),
    sa.Column("created_at", Whole, nullable=False),
    sa.Column("expires_at", Whole),
    sa.Column("revoked_at", Whole),
    sa.Column("last_used_at", Whole, nullable=False, server_default="0"),
    sa.Column("passed", Whole, nullable=False, server_default="0"),
    sa.Index(None, "account_id"),
    sqlite_strict=True,
)

marks = sa.Table(
    "marks",
    metadata,
    # No foreign key: it would be looked up for every mark, and no key is ever deleted.
    sa.Column("key_id", Whole, primary_key=True, autoincrement=False),
    sa.Column("at", Whole, primary_key=True, autoincrement=False),
    sa.Column("ordinal", Whole, nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

batches = sa.Table(
    "batches",
    metadata,
    sa.Column("batch_no", Whole, primary_key=True, autoincrement=False),
    sa.Column("size", Whole, nullable=False),
    sa.Column("changes", sa.Text, nullable=False),
    # The last, since who follows others reads all but this.
    sa.Column("entries", sa.Text, nullable=False),
    sqlite_strict=True,
)

postings = sa.Table(
    "postings",
    metadata,
    sa.Column("posting_id", Whole, primary_key=True, autoincrement=False),
    sa.Column("credits", Whole, nullable=False),
    sa.Column("marks", Whole, nullable=False),
    sqlite_strict=True,
)

ledger = sa.Table(
    "ledger",
    metadata,
    sa.Column(
        "account_id", Whole, sa.ForeignKey("accounts.account_id"), primary_key=True, autoincrement=False
    ),
    sa.Column("entry_no", Whole, primary_key=True, autoincrement=False),
    sa.Column("at", Whole, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("allotment", Whole, nullable=False),
    sa.Column("wallet", Whole, nullable=False),
    sa.Column("balance_after", Whole, nullable=False),
    sa.Column("endpoint", sa.Text),
    sa.Column("request_id", sa.Text),
    sa.Column("key_id", Whole),
    sa.Column("refers_to", Whole),
    sa.Column("snapshot", sa.Text),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
sa.Index(
    "uq_ledger_refers_to",
    ledger.c.account_id,
    ledger.c.refers_to,
    unique=True,
    sqlite_where=ledger.c.refers_to.is_not(None),
    postgresql_where=ledger.c.refers_to.is_not(None),
)

requests = sa.Table(
    "requests",
    metadata,
    sa.Column("request_no", Whole, primary_key=True, autoincrement=True),
    sa.Column("at", Whole, nullable=False),
    # No foreign keys: each would be looked up for every request.
    sa.Column("account_id", Whole, nullable=False),
    sa.Column("key_id", Whole, nullable=False),
    sa.Column("endpoint", sa.Text, nullable=False),
    sa.Column("status", Whole, nullable=False),
    sa.Column("snapshot", sa.Text),
    sa.Column("request_id", sa.Text, nullable=False),
    sa.Column("times", Whole, nullable=False),
    sa.Index(None, "account_id", "request_no"),
    sqlite_strict=True,
)

purchases = sa.Table(
    "purchases",
    metadata,
    sa.Column("payment_id", sa.Text, primary_key=True),
    sa.Column("event_id", sa.Text, nullable=False, unique=True),
    _account(),
    sa.Column("pack", sa.Text, nullable=False),
    sa.Column("price_cents", Whole, nullable=False),
    sa.Column("credits", Whole, nullable=False),
    sa.Column("at", Whole, nullable=False),
    sa.Column("reversed", Whole, nullable=False),
    sa.Column("reversed_at", Whole),
    sa.Column("taken_back", Whole, nullable=False),
    sa.Index(None, "account_id"),
    sqlite_strict=True,
)

reversals = sa.Table(
    "reversals",
    metadata,
    sa.Column("payment_id", sa.Text, primary_key=True),
    sa.Column("reversal_id", sa.Text, primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("amount_cents", Whole, nullable=False),
    sa.Column("at", Whole, nullable=False),
    sa.Column("event_id", sa.Text, nullable=False),
    sqlite_strict=True,
)

sessions = sa.Table(
    "sessions",
    metadata,
    sa.Column("session_hash", sa.Text, primary_key=True),
    _account(),
    sa.Column("created_at", Whole, nullable=False),
    sa.Column("expires_at", Whole, nullable=False),
    sa.Index(None, "account_id"),
    sa.Index(None, "expires_at"),
    sqlite_strict=True,
)

attempts = sa.Table(
    "attempts",
    metadata,
    sa.Column("attempt_id", sa.Text, primary_key=True),
    sa.Column("limit_name", sa.Text, nullable=False),
    sa.Column("subject_hash", sa.Text, nullable=False),
    sa.Column("expires_at", Whole, nullable=False),
    sa.Index(None, "limit_name", "subject_hash", "expires_at"),
    sa.Index(None, "expires_at"),
    sqlite_strict=True,
)


def _mailed_links(name: str) -> sa.Table:
    """Return a table of links that are mailed to holders of accounts, at most one for each."""
    return sa.Table(
        name,
        metadata,
        sa.Column(
            "account_id", Whole, sa.ForeignKey("accounts.account_id"), primary_key=True, autoincrement=False
        ),
        sa.Column("token_hash", sa.Text, nullable=False, unique=True),
        sa.Column("expires_at", Whole, nullable=False),
        sa.Index(None, "expires_at"),
        sqlite_strict=True,
    )


password_resets = _mailed_links("password_resets")
unlock_links = _mailed_links("unlock_links")
verification_links = _mailed_links("verification_links")

devices = sa.Table(
    "devices",
    metadata,
    sa.Column("device_hash", sa.Text, primary_key=True),
    _account(),
    sa.Column("created_at", Whole, nullable=False),
    sa.Column("expires_at", Whole, nullable=False),
    sa.Index(None, "account_id"),
    sa.Index(None, "expires_at"),
    sqlite_strict=True,
)

orders = sa.Table(
    "orders",
    metadata,
    sa.Column("order_id", sa.Text, primary_key=True),
    _account(),
    sa.Column("token_hash", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("entity_name", sa.Text, nullable=False),
    sa.Column("entity_type", sa.Text, nullable=False),
    sa.Column("filing_jurisdiction", sa.Text, nullable=False),
    sa.Column("updated_at", Whole, nullable=False),
    sa.Column("naics", sa.Text),
    sa.Index(None, "account_id"),
    sqlite_strict=True,
)

order_stages = sa.Table(
    "order_stages",
    metadata,
    sa.Column("order_id", sa.Text, sa.ForeignKey("orders.order_id"), primary_key=True),
    sa.Column("state", sa.Text, primary_key=True),
    sa.Column("at", Whole, nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

oauth_clients = sa.Table(
    "oauth_clients",
    metadata,
    sa.Column("client_id", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("redirect_uris", sa.Text, nullable=False),
    sa.Column("created_at", Whole, nullable=False),
    sa.Column("connected_at", Whole),
    sa.Column("expires_at", Whole, nullable=False),
    sa.Index(None, "expires_at"),
    sqlite_strict=True,
)

connections = sa.Table(
    "connections",
    metadata,
    sa.Column("key_id", Whole, sa.ForeignKey("keys.key_id"), primary_key=True, autoincrement=False),
    sa.Column("client_id", sa.Text, nullable=False),
    sa.Column("redirect_uri", sa.Text, nullable=False),
    sa.Column("resource", sa.Text, nullable=False),
    sa.Column("scopes", sa.Text, nullable=False),
    sa.Column("family_hash", sa.Text, nullable=False, unique=True),
    sa.Column("refresh_hash", sa.Text, nullable=False),
    sa.Column("expires_at", Whole, nullable=False),
    sa.Index(None, "client_id"),
    sqlite_strict=True,
)

authorization_codes = sa.Table(
    "authorization_codes",
    metadata,
    sa.Column("code_hash", sa.Text, primary_key=True),
    _account(),
    sa.Column("client_id", sa.Text, nullable=False),
    sa.Column("redirect_uri", sa.Text, nullable=False),
    sa.Column("resource", sa.Text, nullable=False),
    sa.Column("scopes", sa.Text, nullable=False),
    sa.Column("challenge", sa.Text, nullable=False),
    sa.Column("key_id", Whole, sa.ForeignKey("keys.key_id")),
    sa.Column("expires_at", Whole, nullable=False),
    sa.Index(None, "account_id"),
    sa.Index(None, "expires_at"),
    sqlite_strict=True,
)

reports = sa.Table(
    "reports",
    metadata,
    sa.Column("report_id", Whole, primary_key=True, autoincrement=True),
    sa.Column("node_id", sa.Text, nullable=False),
    sa.Column("citation", sa.Text, nullable=False),
    sa.Column("snapshot", sa.Text, nullable=False),
    sa.Column("words", sa.Text, nullable=False),
    sa.Column("email", sa.Text),
    sa.Column("created_at", Whole, nullable=False),
    sa.Column("closed_at", Whole),
    sa.Column("outcome", sa.Text),
    sqlite_strict=True,
)

watches = sa.Table(
    "watches",
    metadata,
    sa.Column("watch_id", sa.Text, primary_key=True),
    _account(),
    sa.Column("subject", sa.Text, nullable=False),
    sa.Column("url", sa.Text),
    sa.Column("secret", sa.Text, nullable=False),
    sa.Column("secret_before", sa.Text),
    sa.Column("secret_before_until", Whole),
    sa.Column("feed_hash", sa.Text, nullable=False, unique=True),
    sa.Column("seen", sa.Text, nullable=False),
    sa.Column("created_at", Whole, nullable=False),
    sa.Column("refused_at", Whole),
    sa.Index(None, "account_id"),
    sqlite_strict=True,
)

watch_events = sa.Table(
    "watch_events",
    metadata,
    sa.Column("event_id", sa.Text, primary_key=True),
    sa.Column("watch_id", sa.Text, sa.ForeignKey("watches.watch_id"), nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("at", Whole, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("attempts", Whole, nullable=False),
    sa.Column("next_at", Whole),
    sa.Column("delivered_at", Whole),
    sa.Column("outcome", sa.Text),
    sa.Index(None, "watch_id", "at"),
    sa.Index(None, "next_at"),
    sqlite_strict=True,
)
