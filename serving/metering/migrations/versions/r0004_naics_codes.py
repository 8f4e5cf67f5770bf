"""The NAICS code of what an order forms, where it is known."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the column."""
    op.add_column("orders", sa.Column("naics", sa.Text(), nullable=True))


def downgrade() -> None:
    """Refuse: the codes that customers gave for their business would be lost."""
    raise NotImplementedError("revisions only go forward; restore a backup instead")
