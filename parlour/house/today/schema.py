"""The tables of today's games."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Float, Index, Integer, String, Table, false

from parlour.house.database.schema import metadata


def _of_day() -> tuple[Column[str], Column[str], Column[str]]:
    return (
        Column("game", String(64), primary_key=True),
        Column("ruleset", String(64), primary_key=True),
        Column("day", String(10), primary_key=True),  # in UTC, as 2026-11-28
    )


days = Table(
    "today_days",
    metadata,
    *_of_day(),
    Column("rules", Integer, nullable=False),  # version of the rules
    Column("seed", String(64), nullable=False),  # secret until the day is over
    Column("commitment", String(64), nullable=False),  # to it and the setup, as of every table of the day
    Column("made", Float, nullable=False),  # since when the commitment is published
    Index("today_days_by_day", "day"),
)

results = Table(  # of the one game of a person that counts; it outlives the table
    "today_results",
    metadata,
    *_of_day(),
    Column("guest_id", String(32), primary_key=True),
    Column("table_id", String(16), nullable=False),
    Column("began", Float, nullable=False),
    Column("done", Float, nullable=True),  # when the game was over
    Column("ranked", Boolean, nullable=False, server_default=false()),  # played by the person, to the end, in time
    Column("share", Float, nullable=True),  # of the win
    Column("score", BigInteger, nullable=True),
    Column("margin", BigInteger, nullable=True),  # to the best of the others
    Column("marks", String(16), nullable=False, server_default=""),  # how it went: ahead, level or behind
    Index("today_results_by_table", "table_id"),
    Index("today_results_by_guest", "guest_id", "day"),
    Index("today_results_by_day", "day"),
)
