"""Signing in: attempts that count against limits, links that reset a password, indexes of what expires."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the two tables, and the indexes by which expired rows are found."""
    op.create_table(
        "attempts",
        sa.Column("attempt_id", sa.Text(), nullable=False),
        sa.Column("limit_name", sa.Text(), nullable=False),
        sa.Column("subject_hash", sa.Text(), nullable=False),
        sa.Column("expires_at", WHOLE, nullable=False),
        sa.PrimaryKeyConstraint("attempt_id", name=op.f("pk_attempts")),
        sqlite_strict=True,
    )
    op.create_index(
        op.f("ix_attempts_limit_name_subject_hash_expires_at"),
        "attempts",
        ["limit_name", "subject_hash", "expires_at"],
        unique=False,
    )
    op.create_index(op.f("ix_attempts_expires_at"), "attempts", ["expires_at"], unique=False)
    op.create_table(
        "password_resets",
        sa.Column("account_id", WHOLE, autoincrement=False, nullable=False),
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("expires_at", WHOLE, nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.account_id"], name=op.f("fk_password_resets_account_id")
        ),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_password_resets")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_password_resets_token_hash")),
        sqlite_strict=True,
    )
    op.create_index(op.f("ix_password_resets_expires_at"), "password_resets", ["expires_at"], unique=False)
    op.create_index(op.f("ix_sessions_expires_at"), "sessions", ["expires_at"], unique=False)


def downgrade() -> None:
    """Refuse: the record of who signed in would be lost."""
    raise NotImplementedError("revisions only go forward; restore a backup instead")
