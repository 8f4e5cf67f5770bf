"""Addresses of accounts whose holders have shown that they read the mail, and the links by which they do."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the column and the table, and the index by which expired links are found."""
    op.add_column("accounts", sa.Column("verified_at", WHOLE, nullable=True))
    op.create_table(
        "verification_links",
        sa.Column("account_id", WHOLE, autoincrement=False, nullable=False),
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("expires_at", WHOLE, nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.account_id"], name=op.f("fk_verification_links_account_id")
        ),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_verification_links")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_verification_links_token_hash")),
        sqlite_strict=True,
    )
    op.create_index(
        op.f("ix_verification_links_expires_at"), "verification_links", ["expires_at"], unique=False
    )


def downgrade() -> None:
    """Refuse: addresses that were confirmed would have to be confirmed again."""
    raise NotImplementedError("revisions only go forward; restore a backup instead")
