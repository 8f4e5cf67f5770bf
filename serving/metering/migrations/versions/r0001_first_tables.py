"""The first tables: accounts, keys, windows, purchases, sessions, orders, and a ledger that only grows."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

_APPEND_ONLY = {
    "sqlite": [
        f"CREATE TRIGGER ledger_no_{verb.lower()} BEFORE {verb} ON ledger "
        "BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END"
        for verb in ("UPDATE", "DELETE")
    ],
    "postgresql": [
        (
            "CREATE FUNCTION ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'the ledger is append-only'; END $$"
        ),
        (
            "CREATE TRIGGER ledger_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger "
            "FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only()"
        ),
    ],
}


def upgrade() -> None:
    """Create the tables and close the ledger to changes."""
    op.create_table(
        "accounts",
        sa.Column("account_id", WHOLE, autoincrement=True, nullable=False),
        sa.Column("email", sa.Text(), nullable=True),
        sa.Column("password_hash", sa.Text(), nullable=True),
        sa.Column("tier", sa.Text(), nullable=False),
        sa.Column("allotment_limit", WHOLE, nullable=False),
        sa.Column("allotment", WHOLE, nullable=False),
        sa.Column("allotment_month", WHOLE, nullable=False),
        sa.Column("wallet", WHOLE, nullable=False),
        sa.Column("entry_no", WHOLE, nullable=False),
        sa.Column("created_at", WHOLE, nullable=False),
        sa.CheckConstraint("allotment >= 0 AND wallet >= 0", name=op.f("ck_accounts_nothing_owed")),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_accounts")),
        sa.UniqueConstraint("email", name=op.f("uq_accounts_email")),
        sqlite_strict=True,
    )
    op.create_table(
        "keys",
        sa.Column("key_id", WHOLE, autoincrement=True, nullable=False),
        sa.Column("account_id", WHOLE, nullable=False),
        sa.Column("key_hash", sa.Text(), nullable=False),
        sa.Column("prefix", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("scopes", sa.Text(), nullable=False),
        sa.Column("created_at", WHOLE, nullable=False),
        sa.Column("expires_at", WHOLE, nullable=True),
        sa.Column("revoked_at", WHOLE, nullable=True),
        sa.Column("last_used_at", WHOLE, server_default="0", nullable=False),
        sa.Column("passed", WHOLE, server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.account_id"], name=op.f("fk_keys_account_id")),
        sa.PrimaryKeyConstraint("key_id", name=op.f("pk_keys")),
        sa.UniqueConstraint("key_hash", name=op.f("uq_keys_key_hash")),
        sqlite_strict=True,
    )
    op.create_index(op.f("ix_keys_account_id"), "keys", ["account_id"], unique=False)
    op.create_table(
        "ledger",
        sa.Column("account_id", WHOLE, autoincrement=False, nullable=False),
        sa.Column("entry_no", WHOLE, autoincrement=False, nullable=False),
        sa.Column("at", WHOLE, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("allotment", WHOLE, nullable=False),
        sa.Column("wallet", WHOLE, nullable=False),
        sa.Column("balance_after", WHOLE, nullable=False),
        sa.Column("endpoint", sa.Text(), nullable=True),
        sa.Column("request_id", sa.Text(), nullable=True),
        sa.Column("key_id", WHOLE, nullable=True),
        sa.Column("refers_to", WHOLE, nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.account_id"], name=op.f("fk_ledger_account_id")),
        sa.PrimaryKeyConstraint("account_id", "entry_no", name=op.f("pk_ledger")),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_index(
        "uq_ledger_refers_to",
        "ledger",
        ["account_id", "refers_to"],
        unique=True,
        sqlite_where=sa.text("refers_to IS NOT NULL"),
        postgresql_where=sa.text("refers_to IS NOT NULL"),
    )
    op.create_table(
        "orders",
        sa.Column("order_id", sa.Text(), nullable=False),
        sa.Column("account_id", WHOLE, nullable=False),
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("entity_name", sa.Text(), nullable=False),
        sa.Column("entity_type", sa.Text(), nullable=False),
        sa.Column("filing_jurisdiction", sa.Text(), nullable=False),
        sa.Column("updated_at", WHOLE, nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.account_id"], name=op.f("fk_orders_account_id")),
        sa.PrimaryKeyConstraint("order_id", name=op.f("pk_orders")),
        sqlite_strict=True,
    )
    op.create_index(op.f("ix_orders_account_id"), "orders", ["account_id"], unique=False)
    op.create_table(
        "purchases",
        sa.Column("event_id", sa.Text(), nullable=False),
        sa.Column("account_id", WHOLE, nullable=False),
        sa.Column("pack", sa.Text(), nullable=False),
        sa.Column("credits", WHOLE, nullable=False),
        sa.Column("at", WHOLE, nullable=False),
        sa.Column("refunded_at", WHOLE, nullable=True),
        sa.Column("taken_back", WHOLE, server_default="0", nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.account_id"], name=op.f("fk_purchases_account_id")
        ),
        sa.PrimaryKeyConstraint("event_id", name=op.f("pk_purchases")),
        sqlite_strict=True,
    )
    op.create_index(op.f("ix_purchases_account_id"), "purchases", ["account_id"], unique=False)
    op.create_table(
        "sessions",
        sa.Column("session_hash", sa.Text(), nullable=False),
        sa.Column("account_id", WHOLE, nullable=False),
        sa.Column("created_at", WHOLE, nullable=False),
        sa.Column("expires_at", WHOLE, nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.account_id"], name=op.f("fk_sessions_account_id")),
        sa.PrimaryKeyConstraint("session_hash", name=op.f("pk_sessions")),
        sqlite_strict=True,
    )
    op.create_index(op.f("ix_sessions_account_id"), "sessions", ["account_id"], unique=False)
    op.create_table(
        "order_stages",
        sa.Column("order_id", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("at", WHOLE, nullable=False),
        sa.ForeignKeyConstraint(["order_id"], ["orders.order_id"], name=op.f("fk_order_stages_order_id")),
        sa.PrimaryKeyConstraint("order_id", "state", name=op.f("pk_order_stages")),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_table(
        "windows",
        sa.Column("key_id", WHOLE, autoincrement=False, nullable=False),
        sa.Column("at", WHOLE, autoincrement=False, nullable=False),
        sa.Column("ordinal", WHOLE, nullable=False),
        sa.ForeignKeyConstraint(["key_id"], ["keys.key_id"], name=op.f("fk_windows_key_id")),
        sa.PrimaryKeyConstraint("key_id", "at", name=op.f("pk_windows")),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    for statement in _APPEND_ONLY[op.get_bind().dialect.name]:
        op.execute(statement)


def downgrade() -> None:
    """Refuse: there is nothing before the first tables."""
    raise NotImplementedError("the first revision is the oldest; restore a backup instead")
