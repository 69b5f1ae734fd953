"""The tables of puzzles. Without a ruleset, `ruleset` is ""."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Float, Index, Integer, String, Table

from parlour.house.database.schema import metadata


def _of() -> tuple[Column[str], Column[str]]:
    return Column("game", String(64), primary_key=True), Column("ruleset", String(64), primary_key=True)


tries = Table(  # a person's first answer to a puzzle, the one that counts
    "puzzle_tries",
    metadata,
    Column("guest_id", String(32), primary_key=True),
    *_of(),
    Column("key", String(16), primary_key=True),
    Column("at", Float, nullable=False),
    Column("right", Boolean, nullable=False),
    Column("day", String(10), nullable=False, server_default=""),  # in UTC, if it was the puzzle of that day
    Index("puzzle_tries_by_day", "guest_id", "day"),
)

solvers = Table(  # how strong a person is at the puzzles of a ruleset
    "puzzle_solvers",
    metadata,
    Column("guest_id", String(32), primary_key=True),
    *_of(),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("tried", Integer, nullable=False),
    Column("solved", Integer, nullable=False),
    Column("streak", Integer, nullable=False),  # solved in a row, now
    Column("longest", Integer, nullable=False),  # and at most
)

ratings = Table(  # how hard a puzzle is, once people have tried it
    "puzzle_ratings",
    metadata,
    *_of(),
    Column("key", String(16), primary_key=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("tried", Integer, nullable=False),
    Column("solved", Integer, nullable=False),
)
