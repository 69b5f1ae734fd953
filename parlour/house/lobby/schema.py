"""The table of hidden games."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, String, Table

from parlour.house.database.schema import metadata

put_away = Table(
    "put_away",
    metadata,
    Column("guest_id", String(32), primary_key=True),
    Column("table_id", String(16), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Index("put_away_by_table", "table_id"),
)
