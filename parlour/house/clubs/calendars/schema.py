"""The table of private calendars."""

from __future__ import annotations

from sqlalchemy import Column, Float, String, Table

from parlour.house.database.schema import metadata

calendars = Table(  # the private addresses of people's own calendars
    "calendars",
    metadata,
    Column("guest_id", String(32), primary_key=True),  # of an account
    Column("token", String(32), nullable=False, unique=True),
    Column("created", Float, nullable=False),
)
