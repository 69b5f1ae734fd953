"""The tables of clubs and their members."""

from __future__ import annotations

from sqlalchemy import Column, Float, ForeignKey, Index, String, Table, Text

from parlour.house.database.schema import metadata


def _of_club() -> Column[str]:
    return Column("club_id", String(16), ForeignKey("clubs.id", ondelete="CASCADE"), primary_key=True)


clubs = Table(
    "clubs",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("token", String(32), nullable=False, unique=True),  # of the link that lets people in
    Column("name", String(64), nullable=False),
    Column("likeness", String(512), nullable=False, unique=True),
    Column("about", Text, nullable=False),
    Column("picture", String(48), nullable=False),
    Column("entry", String(4), nullable=False),  # open, ask, link: how people get in
    Column("created", Float, nullable=False),
    Index("clubs_by_created", "created"),
)

members = Table(
    "club_members",
    metadata,
    _of_club(),
    Column("guest_id", String(32), primary_key=True),  # of an account
    Column("role", String(9), nullable=False),  # owner (one of each club), organiser, member
    Column("since", Float, nullable=False),
    Index("club_members_by_guest", "guest_id"),
)

requests = Table(  # of people who ask to join
    "club_requests",
    metadata,
    _of_club(),
    Column("guest_id", String(32), primary_key=True),
    Column("asked", Float, nullable=False),
    Index("club_requests_by_guest", "guest_id"),
)
