"""The table of the queue of "Play now"."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Float, Integer, String, Table, false

from parlour.house.database.schema import metadata

askers = Table(
    "askers",
    metadata,
    Column("guest_id", String(32), primary_key=True),  # one guest asks for one thing, on however many devices
    Column("name", String(64), nullable=False),
    Column("game", String(64), nullable=False),
    Column("ruleset", String(64), nullable=False),
    Column("players", Integer, nullable=False),
    Column("since", Float, nullable=False),
    Column("seen", Float, nullable=False),  # with a page open
    Column("table_id", String(16), nullable=False, default=""),  # when they were paired
    Column("rated", Boolean, nullable=False, server_default=false()),
    Column("tempo", String(8), nullable=False, server_default=""),  # one of `table.live.tempo.LIVE`, "" for none
)
