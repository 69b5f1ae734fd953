"""Rated games: the player who counts in each seat, the results, and every player's rating."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("rated", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "ratings",
        sa.Column("game", sa.String(64), primary_key=True),
        sa.Column("ruleset", sa.String(64), primary_key=True),
        sa.Column("player", sa.String(64), primary_key=True),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("sure", sa.Boolean(), nullable=False),
    )
    op.create_index("ratings_by_strength", "ratings", ["game", "ruleset", "sure", "mu"])
    op.create_index("ratings_by_player", "ratings", ["player"])
    op.create_table(
        "rated",
        sa.Column("table_id", sa.String(16), primary_key=True),
        sa.Column("seat", sa.Integer(), primary_key=True),
        sa.Column("player", sa.String(64), nullable=False),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("ruleset", sa.String(64), nullable=False),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("away", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("mu", sa.Float(), nullable=True),
        sa.Column("sigma", sa.Float(), nullable=True),
        sa.Column("at", sa.Float(), nullable=True),
    )
    op.create_index("rated_by_player", "rated", ["player", "game", "ruleset", "number"])
    op.create_index("rated_by_number", "rated", ["game", "ruleset", "number"])
    op.create_index("rated_pending", "rated", ["number", "table_id"])
    op.add_column("askers", sa.Column("rated", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    op.drop_column("askers", "rated")
    op.drop_table("rated")
    op.drop_table("ratings")
    op.drop_column("tables", "rated")
