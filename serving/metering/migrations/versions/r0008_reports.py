"""Errors of provisions that readers report."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "reports",
        sa.Column("report_id", WHOLE, autoincrement=True, nullable=False),
        sa.Column("node_id", sa.Text(), nullable=False),
        sa.Column("citation", sa.Text(), nullable=False),
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=True),
        sa.Column("created_at", WHOLE, nullable=False),
        sa.Column("closed_at", WHOLE, nullable=True),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("report_id", name=op.f("pk_reports")),
        sqlite_strict=True,
    )


def downgrade() -> None:
    """Refuse: what readers reported would be lost."""
    raise NotImplementedError("revisions only go forward; restore a backup instead")
