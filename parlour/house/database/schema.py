"""What the tables of all subjects have in common, and the settings of a house.

Each subject declares its tables in a `schema.py` of its own; `all_tables.py` has all of them.
"""

from __future__ import annotations

from sqlalchemy import Column, MetaData, String, Table, Text

metadata = MetaData()

settings = Table(
    "settings", metadata, Column("key", String(40), primary_key=True), Column("value", Text, nullable=False)
)
