"""Clubs, their seasons, and private calendars."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "clubs",
        sa.Column("id", sa.String(length=16), primary_key=True),
        sa.Column("token", sa.String(length=32), nullable=False, unique=True),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("likeness", sa.String(length=512), nullable=False, unique=True),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("picture", sa.String(length=48), nullable=False),
        sa.Column("entry", sa.String(length=4), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
    )
    op.create_index("clubs_by_created", "clubs", ["created"])
    club = (["club_id"], ["clubs.id"])
    op.create_table(
        "club_members",
        sa.Column("club_id", sa.String(length=16), primary_key=True),
        sa.Column("guest_id", sa.String(length=32), primary_key=True),
        sa.Column("role", sa.String(length=9), nullable=False),
        sa.Column("since", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(*club, ondelete="CASCADE"),
    )
    op.create_table(
        "club_requests",
        sa.Column("club_id", sa.String(length=16), primary_key=True),
        sa.Column("guest_id", sa.String(length=32), primary_key=True),
        sa.Column("asked", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(*club, ondelete="CASCADE"),
    )
    _seasons()
    op.create_table(
        "calendars",
        sa.Column("guest_id", sa.String(length=32), primary_key=True),
        sa.Column("token", sa.String(length=32), nullable=False, unique=True),
        sa.Column("created", sa.Float(), nullable=False),
    )
    for name in ("club_members", "club_requests", "club_entrants"):
        op.create_index(f"{name}_by_guest", name, ["guest_id"])


def _seasons() -> None:
    club, season = (["club_id"], ["clubs.id"]), (["season_id"], ["club_seasons.id"])
    op.create_table(
        "club_seasons",
        sa.Column("id", sa.String(length=16), primary_key=True),
        sa.Column("club_id", sa.String(length=16), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=9), nullable=False),
        sa.Column("play", sa.JSON(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("movers", sa.Integer(), nullable=False),
        sa.Column("starts", sa.Float(), nullable=True),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("changed", sa.Float(), nullable=False),
        sa.Column("changes", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(*club, ondelete="CASCADE"),
    )
    op.create_index("club_seasons_by_club", "club_seasons", ["club_id", "number"], unique=True)
    op.create_index("club_seasons_by_status", "club_seasons", ["status", "starts"])
    op.create_table(
        "club_entrants",
        sa.Column("season_id", sa.String(length=16), primary_key=True),
        sa.Column("guest_id", sa.String(length=32), primary_key=True),
        sa.Column("entered", sa.Float(), nullable=False),
        sa.Column("division", sa.Integer(), nullable=True),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.Column("withdrawn", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(*season, ondelete="CASCADE"),
    )
    op.create_table(
        "club_divisions",
        sa.Column("season_id", sa.String(length=16), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("tournament_id", sa.String(length=16), nullable=False),
        sa.ForeignKeyConstraint(*season, ondelete="CASCADE"),
    )
    op.create_index("club_divisions_by_tournament", "club_divisions", ["tournament_id"])


def downgrade() -> None:
    for name in (
        "calendars", "club_divisions", "club_entrants", "club_seasons", "club_requests", "club_members", "clubs",
    ):  # fmt: skip
        op.drop_table(name)
