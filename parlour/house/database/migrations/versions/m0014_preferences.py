"""What guests prefer."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "preferences",
        sa.Column("guest_id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(16), primary_key=True),
        sa.Column("value", sa.String(16), nullable=False),
        sa.Column("chosen", sa.Float(), nullable=False),
    )
    op.create_index("preferences_by_chosen", "preferences", ["chosen"])


def downgrade() -> None:
    op.drop_table("preferences")
