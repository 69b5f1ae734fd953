"""The tables of pictures, moments and achievements."""

from __future__ import annotations

from sqlalchemy import Column, Float, ForeignKey, Index, Integer, String, Table

from parlour.house.database.schema import metadata

pictures = Table(  # that guests have chosen; all others have the one that follows from their id
    "pictures",
    metadata,
    Column("guest_id", String(32), primary_key=True),
    Column("picture", String(48), nullable=False),
    Column("chosen", Float, nullable=False),
    Index("pictures_by_chosen", "chosen"),
)

moments = Table(  # positions of finished games that their players have pinned
    "moments",
    metadata,
    Column("guest_id", String(32), primary_key=True),
    Column("table_id", String(16), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("place", Integer, primary_key=True),  # how many entries the journal had then
    Column("pinned", Float, nullable=False),
)

achievements = Table(  # worked out from the steps of finished games
    "achievements",
    metadata,
    Column("table_id", String(16), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("key", String(32), primary_key=True),
    Column("place", Integer, nullable=False),  # how many entries the journal had then
)

judged = Table(  # the games for which they have been worked out
    "judged",
    metadata,
    Column("table_id", String(16), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("mark", String(8), nullable=False),  # of the game's list of achievements then
)
