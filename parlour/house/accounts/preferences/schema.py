"""The table of guests' settings."""

from __future__ import annotations

from sqlalchemy import Column, Float, Index, String, Table

from parlour.house.database.schema import metadata

preferences = Table(  # what a guest has chosen that is not usual (`choices.py`), whether they have a name or not
    "preferences",
    metadata,
    Column("guest_id", String(32), primary_key=True),
    Column("name", String(16), primary_key=True),
    Column("value", String(16), nullable=False),
    Column("chosen", Float, nullable=False),
    Index("preferences_by_chosen", "chosen"),
)
