"""Who asks to play now may ask for a tempo."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("askers", sa.Column("tempo", sa.String(8), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("askers", "tempo")
