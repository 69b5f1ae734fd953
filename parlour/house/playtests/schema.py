"""The tables of playtests. What the journal of a game says anyway is not stored again: when a decision was made, and
what was taken back."""

from __future__ import annotations

from sqlalchemy import JSON, Boolean, Column, Float, ForeignKey, Index, Integer, String, Table, Text, true

from parlour.house.database.schema import metadata


def _of_playtest(*, key: bool = False) -> Column[str]:
    foreign = ForeignKey("playtests.id", ondelete="CASCADE")
    return Column("playtest_id", String(16), foreign, primary_key=key, nullable=False)


playtests = Table(
    "playtests",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("token", String(32), nullable=False, unique=True),  # of the invite link
    Column("guest_id", String(32), nullable=False),  # its designer
    Column("name", String(64), nullable=False),
    Column("game", String(64), nullable=False),
    Column("options", JSON, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("created", Float, nullable=False),
    Column("open", Boolean, nullable=False, server_default=true()),  # the link opens further tables
    Column("players", Integer, nullable=False, server_default="0"),  # numbers given so far; none is given twice
    Index("playtests_by_guest", "guest_id"),
    Index("playtests_by_created", "created"),
)

editions = Table(  # one, or two that are compared
    "playtest_editions",
    metadata,
    _of_playtest(key=True),
    Column("arm", String(1), primary_key=True),  # A or B
    Column("edition", String(64), nullable=False),  # the game's own, from which its values differ
    Column("changes", Text, nullable=False),  # as the designer wrote them
    Column("parts", JSON, nullable=False),  # all values, so that its tables stay alike
)

players = Table(  # who agreed that we take notes; of others there is no row
    "playtest_players",
    metadata,
    _of_playtest(key=True),
    Column("guest_id", String(32), primary_key=True),
    Column("number", Integer, nullable=False),  # in place of the name
    Column("agreed", Float, nullable=False),
    Index("playtest_players_by_guest", "guest_id"),
)

notes = Table(
    "playtest_notes",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    _of_playtest(),
    Column("table_id", String(16), ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    Column("number", Integer, nullable=False),  # of the player
    Column("kind", String(8), nullable=False),  # refused, opened
    Column("clause", String(16), nullable=False),
    Column("at", Float, nullable=False),
    Index("playtest_notes_by_playtest", "playtest_id", "number"),
    Index("playtest_notes_by_table", "table_id", "number"),
)

answers = Table(  # to the questions after a game
    "playtest_answers",
    metadata,
    Column("table_id", String(16), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),  # of the player
    _of_playtest(),
    Column("fun", Integer, nullable=False),
    Column("clear", Integer, nullable=False),
    Column("length", Integer, nullable=False),
    Column("again", Integer, nullable=False),
    Column("words", Text, nullable=False),
    Column("at", Float, nullable=False),
    Index("playtest_answers_by_playtest", "playtest_id", "number"),
)

bots = Table(  # what bots did in its editions
    "playtest_bots",
    metadata,
    _of_playtest(key=True),
    Column("rules", Integer, nullable=False),  # version of the rules
    Column("way", String(32), nullable=False),  # how it was measured
    Column("found", JSON, nullable=False),
)
