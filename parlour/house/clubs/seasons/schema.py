"""The tables of clubs' seasons."""

from __future__ import annotations

from sqlalchemy import JSON, Column, Float, ForeignKey, Index, Integer, String, Table

from parlour.house.database.schema import metadata


def _of_season() -> Column[str]:
    return Column("season_id", String(16), ForeignKey("club_seasons.id", ondelete="CASCADE"), primary_key=True)


seasons = Table(
    "club_seasons",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("club_id", String(16), ForeignKey("clubs.id", ondelete="CASCADE"), nullable=False),
    Column("number", Integer, nullable=False),  # of the club's seasons, from 1
    Column("status", String(9), nullable=False),  # planned, running, over, cancelled
    Column("play", JSON, nullable=False),  # what is played, as a tournament has it
    Column("size", Integer, nullable=False),  # players of a division
    Column("movers", Integer, nullable=False),  # who rise and fall
    Column("starts", Float, nullable=True),  # when it starts without the organiser
    Column("created", Float, nullable=False),
    Column("changed", Float, nullable=False),  # with the number of changes, for calendars
    Column("changes", Integer, nullable=False),
    Index("club_seasons_by_club", "club_id", "number", unique=True),
    Index("club_seasons_by_status", "status", "starts"),
)

entrants = Table(
    "club_entrants",
    metadata,
    _of_season(),
    Column("guest_id", String(32), primary_key=True),
    Column("entered", Float, nullable=False),
    Column("division", Integer, nullable=True),  # from 1, since the season started
    Column("place", Integer, nullable=True),  # in the division: at the start as it was drawn, at the end as it was won
    Column("withdrawn", Float, nullable=True),  # when they left a season that had started
    Index("club_entrants_by_guest", "guest_id"),
)

divisions = Table(
    "club_divisions",
    metadata,
    _of_season(),
    Column("number", Integer, primary_key=True),  # from 1, the highest
    Column("tournament_id", String(16), nullable=False),
    Index("club_divisions_by_tournament", "tournament_id"),
)
