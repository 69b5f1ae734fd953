"""Pass-and-play: which seat's eyes the device has."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("in_hand", sa.Integer(), nullable=False, server_default="-1"))


def downgrade() -> None:
    op.drop_column("tables", "in_hand")
