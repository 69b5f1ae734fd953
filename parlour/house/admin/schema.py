"""The tables of bans, the notice to everyone, and moderators with their log."""

from __future__ import annotations

from sqlalchemy import Column, Float, Index, Integer, String, Table, Text

from parlour.house.database.schema import metadata

bans = Table(  # of a guest, or of a network
    "bans",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("guest_id", String(32), nullable=False),
    Column("network", String(64), nullable=False),
    Column("until", Float, nullable=True),  # null for good
    Column("words", Text, nullable=False),  # the message to the banned person
    Column("created", Float, nullable=False),
    Column("lifted", Float, nullable=True),
    Index("bans_by_guest", "guest_id"),
)

announcements = Table(  # to everyone; the last that has not ended is shown
    "announcements",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("text", Text, nullable=False),
    Column("created", Float, nullable=False),
    Column("ended", Float, nullable=True),
)

keepers = Table(  # unused keys of the house, and moderators' sessions
    "keepers",
    metadata,
    Column("id", String(64), primary_key=True),  # SHA-256 of the key, or of what the cookie holds
    Column("kind", String(8), nullable=False),  # key, session
    Column("until", Float, nullable=False),
)

acts = Table(  # the moderators' log: triggers prevent changes
    "acts",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("at", Float, nullable=False),
    Column("keeper", String(16), nullable=False),  # the beginning of their session's id
    Column("kind", String(16), nullable=False),
    Column("about", String(64), nullable=False),  # a guest, a table, a report, a ban, a network: its id
    Column("words", Text, nullable=False),
)
