"""Games that continue from a position of another: how many steps they were given, and from which replay."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("given", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("tables", sa.Column("origin", sa.String(64), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("tables", "origin")
    op.drop_column("tables", "given")
