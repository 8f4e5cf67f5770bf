"""Browsers that signed in before, and links that let one sign in."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the two tables, and the indexes by which expired rows are found."""
    op.create_table(
        "devices",
        sa.Column("device_hash", sa.Text(), nullable=False),
        sa.Column("account_id", WHOLE, nullable=False),
        sa.Column("created_at", WHOLE, nullable=False),
        sa.Column("expires_at", WHOLE, nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.account_id"], name=op.f("fk_devices_account_id")),
        sa.PrimaryKeyConstraint("device_hash", name=op.f("pk_devices")),
        sqlite_strict=True,
    )
    op.create_index(op.f("ix_devices_account_id"), "devices", ["account_id"], unique=False)
    op.create_index(op.f("ix_devices_expires_at"), "devices", ["expires_at"], unique=False)
    op.create_table(
        "unlock_links",
        sa.Column("account_id", WHOLE, autoincrement=False, nullable=False),
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("expires_at", WHOLE, nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.account_id"], name=op.f("fk_unlock_links_account_id")
        ),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_unlock_links")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_unlock_links_token_hash")),
        sqlite_strict=True,
    )
    op.create_index(op.f("ix_unlock_links_expires_at"), "unlock_links", ["expires_at"], unique=False)


def downgrade() -> None:
    """Refuse: browsers that signed in before would be strangers again."""
    raise NotImplementedError("revisions only go forward; restore a backup instead")
