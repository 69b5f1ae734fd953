"""The table of invitations."""

from __future__ import annotations

from sqlalchemy import Column, Float, ForeignKey, Index, Integer, String, Table

from parlour.house.database.schema import metadata

invitations = Table(
    "invitations",
    metadata,
    Column("table_id", String(16), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("guest_id", String(32), nullable=False),
    Column("token", String(32), nullable=False),  # of the seat's link then: with another it is kept for another
    Column("created", Float, nullable=False),
    Index("invitations_by_guest", "guest_id"),
)
