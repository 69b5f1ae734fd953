"""How far an accuracy may be off; not known of the games that were analysed before."""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("accuracies", sa.Column("within", sa.Float(), nullable=True))


def downgrade() -> None:
    op.drop_column("accuracies", "within")
