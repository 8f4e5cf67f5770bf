"""The requests that cost nothing, and the snapshots that the others read, for account holders."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the table, the index by which an account's requests are found, and the ledger's new column."""
    op.add_column("ledger", sa.Column("snapshot", sa.Text(), nullable=True))
    op.create_table(
        "requests",
        sa.Column("request_no", WHOLE, autoincrement=True, nullable=False),
        sa.Column("at", WHOLE, nullable=False),
        sa.Column("account_id", WHOLE, nullable=False),
        sa.Column("key_id", WHOLE, nullable=False),
        sa.Column("endpoint", sa.Text(), nullable=False),
        sa.Column("status", WHOLE, nullable=False),
        sa.Column("snapshot", sa.Text(), nullable=True),
        sa.Column("request_id", sa.Text(), nullable=False),
        sa.Column("times", WHOLE, nullable=False),
        sa.PrimaryKeyConstraint("request_no", name=op.f("pk_requests")),
        sqlite_strict=True,
    )
    op.create_index(
        op.f("ix_requests_account_id_request_no"), "requests", ["account_id", "request_no"], unique=False
    )


def downgrade() -> None:
    """Refuse: the requests that account holders look up would be lost."""
    raise NotImplementedError("revisions only go forward; restore a backup instead")
