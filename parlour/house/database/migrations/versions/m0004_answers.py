"""Answers to secret questions, stored until their time is over; and whether a spectator has looked at a table."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("watched", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "answers",
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.Column("idx", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("action", sa.BigInteger(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("move_id", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table_id", "idx", "seat"),
    )


def downgrade() -> None:
    op.drop_table("answers")
    op.drop_column("tables", "watched")
