"""The table of API tokens."""

from __future__ import annotations

from sqlalchemy import Column, Float, ForeignKey, Index, String, Table

from parlour.house.database.schema import metadata

tokens = Table(
    "tokens",
    metadata,
    Column("id", String(64), primary_key=True),  # SHA-256 of the token, which is stored nowhere
    Column("guest_id", String(32), ForeignKey("guests.id", ondelete="CASCADE"), nullable=False),
    Column("name", String(64), nullable=False),
    Column("scopes", String(32), nullable=False),  # what it allows: words with spaces between them
    Column("created", Float, nullable=False),
    Column("used", Float, nullable=True),  # to the minute
    Index("tokens_by_guest", "guest_id"),
)
