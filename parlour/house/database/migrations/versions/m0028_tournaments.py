"""Tournaments: their entrants, games and results, and the tables at which they are played."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None

WHOSE = ["tournament_id"], ["tournaments.id"]


def upgrade() -> None:
    _tournaments()
    _entrants()
    _games()
    op.add_column("tables", sa.Column("tournament", sa.String(16), nullable=False, server_default=""))


def _tournaments() -> None:
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("organiser", sa.String(32), nullable=False),
        sa.Column("club_id", sa.String(16), nullable=True),
        sa.Column("token", sa.String(32), nullable=False, server_default=""),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("edition", sa.String(64), nullable=False),
        sa.Column("parts", sa.JSON(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("given", sa.JSON(), nullable=False),
        sa.Column("origin", sa.String(64), nullable=False, server_default=""),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("tempo", sa.JSON(), nullable=False),
        sa.Column("system", sa.String(16), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("length", sa.Float(), nullable=False, server_default="0"),
        sa.Column("through", sa.Integer(), nullable=False, server_default="1"),
        sa.Column("third", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("rated", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("bots", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("bot", sa.String(64), nullable=False, server_default=""),
        sa.Column("most", sa.Integer(), nullable=False),
        sa.Column("seed", sa.String(32), nullable=False),
        sa.Column("state", sa.String(12), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("starts_at", sa.Float(), nullable=True),
        sa.Column("began", sa.Float(), nullable=True),
        sa.Column("ended", sa.Float(), nullable=True),
        sa.Column("round", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("due", sa.Float(), nullable=True),
        sa.Column("leased", sa.Float(), nullable=False, server_default="0"),
        sa.Column("changes", sa.Integer(), nullable=False, server_default="0"),
    )
    op.create_index("tournaments_by_state", "tournaments", ["state", "starts_at"])
    op.create_index("tournaments_by_due", "tournaments", ["due"])
    op.create_index("tournaments_by_organiser", "tournaments", ["organiser", "state"])
    op.create_index("tournaments_by_club", "tournaments", ["club_id", "created"])


def _entrants() -> None:
    op.create_table(
        "tournament_entrants",
        sa.Column("tournament_id", sa.String(16), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("guest_id", sa.String(32), nullable=False),
        sa.Column("strength", sa.Float(), nullable=False),
        sa.Column("joined", sa.Integer(), nullable=False),
        sa.Column("left", sa.Integer(), nullable=True),
        sa.Column("away", sa.JSON(), nullable=False),
        sa.Column("removed", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(*WHOSE, ondelete="CASCADE"),
        sa.UniqueConstraint("tournament_id", "guest_id", name="tournament_entrants_once"),
    )
    op.create_index("tournament_entrants_by_guest", "tournament_entrants", ["guest_id"])


def _games() -> None:
    op.create_table(
        "tournament_games",
        sa.Column("tournament_id", sa.String(16), primary_key=True),
        sa.Column("round", sa.Integer(), primary_key=True),
        sa.Column("board", sa.Integer(), primary_key=True),
        sa.Column("table_id", sa.String(16), nullable=True),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("label", sa.String(8), nullable=False, server_default=""),
        sa.Column("how", sa.String(8), nullable=False, server_default=""),
        sa.Column("began", sa.Float(), nullable=True),
        sa.Column("done", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(*WHOSE, ondelete="CASCADE"),
    )
    op.create_index("tournament_games_by_table", "tournament_games", ["table_id"], unique=True)
    op.create_index("tournament_games_by_state", "tournament_games", ["tournament_id", "state"])
    key = ["tournament_id", "round", "board"]
    op.create_table(
        "tournament_places",
        *(sa.Column(name, sa.String(16) if name == key[0] else sa.Integer(), primary_key=True) for name in key),
        sa.Column("seat", sa.Integer(), primary_key=True),
        sa.Column("entrant", sa.Integer(), nullable=True),
        sa.Column("came", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("missed", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("share", sa.Float(), nullable=True),
        sa.Column("score", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(key, [f"tournament_games.{name}" for name in key], ondelete="CASCADE"),
    )
    op.create_index("tournament_places_by_entrant", "tournament_places", ["tournament_id", "entrant"])


def downgrade() -> None:
    op.drop_column("tables", "tournament")
    for name in ("tournament_places", "tournament_games", "tournament_entrants", "tournaments"):
        op.drop_table(name)
