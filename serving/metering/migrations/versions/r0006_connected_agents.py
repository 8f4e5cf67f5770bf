"""Agents that people connect to their accounts: their registrations, authorization codes and tokens."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the three tables, and the indexes by which expired rows are found."""
    op.create_table(
        "oauth_clients",
        sa.Column("client_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("redirect_uris", sa.Text(), nullable=False),
        sa.Column("created_at", WHOLE, nullable=False),
        sa.Column("connected_at", WHOLE, nullable=True),
        sa.Column("expires_at", WHOLE, nullable=False),
        sa.PrimaryKeyConstraint("client_id", name=op.f("pk_oauth_clients")),
        sqlite_strict=True,
    )
    op.create_index(op.f("ix_oauth_clients_expires_at"), "oauth_clients", ["expires_at"], unique=False)
    op.create_table(
        "connections",
        sa.Column("key_id", WHOLE, autoincrement=False, nullable=False),
        sa.Column("client_id", sa.Text(), nullable=False),
        sa.Column("redirect_uri", sa.Text(), nullable=False),
        sa.Column("resource", sa.Text(), nullable=False),
        sa.Column("scopes", sa.Text(), nullable=False),
        sa.Column("family_hash", sa.Text(), nullable=False),
        sa.Column("refresh_hash", sa.Text(), nullable=False),
        sa.Column("expires_at", WHOLE, nullable=False),
        sa.ForeignKeyConstraint(["key_id"], ["keys.key_id"], name=op.f("fk_connections_key_id")),
        sa.PrimaryKeyConstraint("key_id", name=op.f("pk_connections")),
        sa.UniqueConstraint("family_hash", name=op.f("uq_connections_family_hash")),
        sqlite_strict=True,
    )
    op.create_index(op.f("ix_connections_client_id"), "connections", ["client_id"], unique=False)
    op.create_table(
        "authorization_codes",
        sa.Column("code_hash", sa.Text(), nullable=False),
        sa.Column("account_id", WHOLE, nullable=False),
        sa.Column("client_id", sa.Text(), nullable=False),
        sa.Column("redirect_uri", sa.Text(), nullable=False),
        sa.Column("resource", sa.Text(), nullable=False),
        sa.Column("scopes", sa.Text(), nullable=False),
        sa.Column("challenge", sa.Text(), nullable=False),
        sa.Column("key_id", WHOLE, nullable=True),
        sa.Column("expires_at", WHOLE, nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.account_id"], name=op.f("fk_authorization_codes_account_id")
        ),
        sa.ForeignKeyConstraint(["key_id"], ["keys.key_id"], name=op.f("fk_authorization_codes_key_id")),
        sa.PrimaryKeyConstraint("code_hash", name=op.f("pk_authorization_codes")),
        sqlite_strict=True,
    )
    op.create_index(
        op.f("ix_authorization_codes_account_id"), "authorization_codes", ["account_id"], unique=False
    )
    op.create_index(
        op.f("ix_authorization_codes_expires_at"), "authorization_codes", ["expires_at"], unique=False
    )


def downgrade() -> None:
    """Refuse: agents that people connected would be cut off."""
    raise NotImplementedError("revisions only go forward; restore a backup instead")
