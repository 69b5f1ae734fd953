"""The table of analyses."""

from __future__ import annotations

from sqlalchemy import JSON, Column, ForeignKey, Integer, String, Table

from parlour.house.database.schema import metadata

analyses = Table(
    "analyses",
    metadata,
    Column("table_id", String(16), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("rules", Integer, primary_key=True),  # version of the rules
    Column("way", String(32), primary_key=True),  # how it was made: version of the judging, and level
    Column("judgements", JSON, nullable=False),
    Column("luck", JSON, nullable=True),  # by seat (`parlour.analysis.luck`); null if that is not known
)
