"""How much luck each seat had in an analysed game; not known of the games that were analysed before."""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("accuracies", sa.Column("luck", sa.Float(), nullable=True))
    op.add_column("analyses", sa.Column("luck", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("analyses", "luck")
    op.drop_column("accuracies", "luck")
