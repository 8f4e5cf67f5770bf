"""Purchases by their payments, and reports of refunds and disputes, which may come before the purchase."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Rebuild the table of purchases with its rows, and create the table of reversals."""
    # A primary key cannot be moved on SQLite, and its name cannot be taken twice on PostgreSQL.
    op.execute("CREATE TABLE purchases_before AS SELECT * FROM purchases")
    op.drop_table("purchases")
    op.create_table(
        "purchases",
        sa.Column("payment_id", sa.Text(), nullable=False),
        sa.Column("event_id", sa.Text(), nullable=False),
        sa.Column("account_id", WHOLE, nullable=False),
        sa.Column("pack", sa.Text(), nullable=False),
        sa.Column("price_cents", WHOLE, nullable=False),
        sa.Column("credits", WHOLE, nullable=False),
        sa.Column("at", WHOLE, nullable=False),
        sa.Column("reversed", WHOLE, nullable=False),
        sa.Column("reversed_at", WHOLE, nullable=True),
        sa.Column("taken_back", WHOLE, nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.account_id"], name=op.f("fk_purchases_account_id")
        ),
        sa.PrimaryKeyConstraint("payment_id", name=op.f("pk_purchases")),
        sa.UniqueConstraint("event_id", name=op.f("uq_purchases_event_id")),
        sqlite_strict=True,
    )
    op.create_index(op.f("ix_purchases_account_id"), "purchases", ["account_id"], unique=False)
    # Until now the event stood for the payment, packs had one price, and a refund reversed the whole.
    op.execute(
        "INSERT INTO purchases SELECT event_id, event_id, account_id, pack, "
        "CASE pack WHEN 'starter' THEN 500 WHEN 'pro' THEN 2000 ELSE 5000 END, credits, at, "
        "CASE WHEN refunded_at IS NULL THEN 0 ELSE credits END, refunded_at, taken_back "
        "FROM purchases_before"
    )
    op.drop_table("purchases_before")
    op.create_table(
        "reversals",
        sa.Column("payment_id", sa.Text(), nullable=False),
        sa.Column("reversal_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("amount_cents", WHOLE, nullable=False),
        sa.Column("at", WHOLE, nullable=False),
        sa.Column("event_id", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("payment_id", "reversal_id", name=op.f("pk_reversals")),
        sqlite_strict=True,
    )


def downgrade() -> None:
    """Refuse: the reports of refunds and disputes since would be lost."""
    raise NotImplementedError("revisions only go forward; restore a backup instead")
