"""What people show of themselves: pictures, pinned moments, achievements."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "pictures",
        sa.Column("guest_id", sa.String(length=32), primary_key=True),
        sa.Column("picture", sa.String(length=48), nullable=False),
        sa.Column("chosen", sa.Float(), nullable=False),
    )
    op.create_index("pictures_by_chosen", "pictures", ["chosen"])
    table = ["table_id"], ["tables.id"]
    op.create_table(
        "moments",
        sa.Column("guest_id", sa.String(length=32), primary_key=True),
        sa.Column("table_id", sa.String(length=16), primary_key=True),
        sa.Column("place", sa.Integer(), primary_key=True),
        sa.Column("pinned", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(*table, ondelete="CASCADE"),
    )
    op.create_table(
        "achievements",
        sa.Column("table_id", sa.String(length=16), primary_key=True),
        sa.Column("seat", sa.Integer(), primary_key=True),
        sa.Column("key", sa.String(length=32), primary_key=True),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(*table, ondelete="CASCADE"),
    )
    op.create_table(
        "judged",
        sa.Column("table_id", sa.String(length=16), primary_key=True),
        sa.Column("mark", sa.String(length=8), nullable=False),
        sa.ForeignKeyConstraint(*table, ondelete="CASCADE"),
    )


def downgrade() -> None:
    for name in ("judged", "achievements", "moments", "pictures"):
        op.drop_table(name)
