"""A table of Family Trade with the cards that a test wants: its steps are written into the database."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from parlour.core.match import Match
from parlour.house.house import House
from parlour.house.table.live import table as live_table
from parlour.house.table.live.deciding import deciding
from tests.games.family_trade.table import ROYALE, Table
from tests.house.people import ME, OPEN, Person

COLUMNS = "table_id, idx, actor, action, text, move_id"  # of a step
ROYALE_SEATS = {"game": "family-trade", "options": {"ruleset": ROYALE}}


def royale(*hands: str, draw: str = "gold") -> Match:
    """Return a Battle Royale with these hands (two cards each): seat 0 has drawn, and must discard."""
    return Table(*hands, players=len(hands), ruleset=ROYALE).draw(draw).match


def forge(database: Path, table: str, match: Match) -> None:
    """Give the table the steps of `match`. No server may have it in memory."""
    rows = [(table, i, *step, "") for i, step in enumerate(match.steps)]
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("DELETE FROM steps WHERE table_id = ?", (table,))
        connection.execute("DELETE FROM answers WHERE table_id = ?", (table,))
        connection.executemany(
            "INSERT INTO steps (table_id, idx, actor, action, text, move_id) VALUES (?, ?, ?, ?, ?, ?)", rows
        )


async def forge_here(house: House, table: str, match: Match) -> live_table.Table:
    """Do the same at a house in this process."""
    if (old := house.tables.get(table)) is not None:
        old.work.end()  # otherwise a bot that thinks about the old game would move in this one,
        await asyncio.gather(*old.work.tasks(), return_exceptions=True)  # even while its move is being stored
        house.tables.pop(table, None)
    forge(Path(house.store.url.database or ""), table, match)
    made = await house.table(table)
    if old is not None:
        made.audience.asked = old.audience.asked  # spectators stay
    return made


def kept(database: Path, query: str, *values: object) -> list[tuple[object, ...]]:
    """Query a database, even while a server uses it."""
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute(query, values).fetchall()


async def begun(ann: Person, *others: Person) -> str:
    """Start a Battle Royale of Ann and others in which even the first discard may be claimed; return its id."""
    made = await ann.do("tables", **ROYALE_SEATS, seats=[ME, *[OPEN] * len(others)])
    for person in others:
        await person.do(f"tables/{made['id']}/sit")
    await ann.do(f"tables/{made['id']}/start")
    return str(made["id"])


async def discard(live: live_table.Table, *people: Person) -> None:
    """Discard a card as the player whose turn it is."""
    (seat,) = deciding(live)
    seen = await people[seat].see(live.id)
    body = {"move": seen["legal"][0], "version": seen["table"]["version"]}
    await people[seat].do(f"tables/{live.id}/moves", **body)
