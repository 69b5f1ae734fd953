"""People's answers to puzzles, and ratings of people and puzzles."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "puzzle_tries",
        sa.Column("guest_id", sa.String(32), primary_key=True),
        sa.Column("game", sa.String(64), primary_key=True),
        sa.Column("ruleset", sa.String(64), primary_key=True),
        sa.Column("key", sa.String(16), primary_key=True),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("right", sa.Boolean(), nullable=False),
        sa.Column("day", sa.String(10), nullable=False, server_default=""),
    )
    op.create_index("puzzle_tries_by_day", "puzzle_tries", ["guest_id", "day"])
    op.create_table(
        "puzzle_solvers",
        sa.Column("guest_id", sa.String(32), primary_key=True),
        sa.Column("game", sa.String(64), primary_key=True),
        sa.Column("ruleset", sa.String(64), primary_key=True),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.Column("tried", sa.Integer(), nullable=False),
        sa.Column("solved", sa.Integer(), nullable=False),
        sa.Column("streak", sa.Integer(), nullable=False),
        sa.Column("longest", sa.Integer(), nullable=False),
    )
    op.create_table(
        "puzzle_ratings",
        sa.Column("game", sa.String(64), primary_key=True),
        sa.Column("ruleset", sa.String(64), primary_key=True),
        sa.Column("key", sa.String(16), primary_key=True),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.Column("tried", sa.Integer(), nullable=False),
        sa.Column("solved", sa.Integer(), nullable=False),
    )


def downgrade() -> None:
    for name in ("puzzle_ratings", "puzzle_solvers", "puzzle_tries"):
        op.drop_table(name)
