"""Watches of changes in the law, and the events that they were matched by, with their deliveries."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create both tables, and the index by which deliveries that are due are found."""
    op.create_table(
        "watches",
        sa.Column("watch_id", sa.Text(), nullable=False),
        sa.Column("account_id", WHOLE, nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=True),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("secret_before", sa.Text(), nullable=True),
        sa.Column("secret_before_until", WHOLE, nullable=True),
        sa.Column("feed_hash", sa.Text(), nullable=False),
        sa.Column("seen", sa.Text(), nullable=False),
        sa.Column("created_at", WHOLE, nullable=False),
        sa.Column("refused_at", WHOLE, nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.account_id"], name=op.f("fk_watches_account_id")),
        sa.PrimaryKeyConstraint("watch_id", name=op.f("pk_watches")),
        sa.UniqueConstraint("feed_hash", name=op.f("uq_watches_feed_hash")),
        sqlite_strict=True,
    )
    op.create_index(op.f("ix_watches_account_id"), "watches", ["account_id"], unique=False)
    op.create_table(
        "watch_events",
        sa.Column("event_id", sa.Text(), nullable=False),
        sa.Column("watch_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("at", WHOLE, nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("attempts", WHOLE, nullable=False),
        sa.Column("next_at", WHOLE, nullable=True),
        sa.Column("delivered_at", WHOLE, nullable=True),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["watch_id"], ["watches.watch_id"], name=op.f("fk_watch_events_watch_id")),
        sa.PrimaryKeyConstraint("event_id", name=op.f("pk_watch_events")),
        sqlite_strict=True,
    )
    op.create_index(op.f("ix_watch_events_watch_id_at"), "watch_events", ["watch_id", "at"], unique=False)
    op.create_index(op.f("ix_watch_events_next_at"), "watch_events", ["next_at"], unique=False)


def downgrade() -> None:
    """Refuse: what accounts watch would be lost."""
    raise NotImplementedError("revisions only go forward; restore a backup instead")
