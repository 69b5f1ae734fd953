"""People at a table, for tests: each with a cookie jar of their own."""

from __future__ import annotations

import asyncio
import contextlib
import random
import sqlite3
from collections.abc import Iterator
from typing import Any

import httpx

from parlour.core.record import Record
from parlour.house.accounts.guests import Guest
from parlour.house.house import House
from parlour.house.table.live.table import Table
from parlour.house.table.play.seating import SeatWish, TableBody, create

ME, OPEN, LINK = ({"kind": kind} for kind in ("me", "open", "link"))
BOT = {"kind": "bot", "bot": "greedy"}  # quick, so that tests are


class Person(httpx.AsyncClient):
    """A guest who speaks JSON."""

    async def do(self, path: str, **body: Any) -> Any:
        """POST /api/PATH, which must work."""
        answer = await self.post(f"/api/{path}", json=body)
        assert answer.is_success, answer.text
        return answer.json()

    async def refused(self, path: str, status: int, code: str, **body: Any) -> Any:
        """POST /api/PATH, which must be refused so."""
        answer = await self.post(f"/api/{path}", json=body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, code), answer.text
        return answer.json()["error"]

    async def make(self, *seats: dict[str, str], **body: Any) -> str:
        """Make a table; its id."""
        return str((await self.do("tables", **{"game": "fortune", "seats": list(seats), **body}))["id"])

    async def see(self, table: str) -> Any:
        """The table as this person sees it."""
        answer = await self.get(f"/api/tables/{table}")
        assert answer.is_success, answer.text
        return answer.json()

    async def record(self, table: str) -> Record:
        answer = await self.get(f"/t/{table}/record")
        assert answer.is_success, answer.text
        return Record.parse(answer.text)


async def guest_of(person: Person) -> Guest:
    """Who the house takes them for."""
    return Guest(**(await person.get("/api/me")).json())


async def open_tables(house: House, person: Person, number: int, *seats: dict[str, str], **body: Any) -> list[str]:
    """So many tables of this person, at once: as if they had taken all the time that the house asks for."""
    guest = await guest_of(person)
    wishes = [SeatWish(**seat) for seat in seats]
    return [await create(house, guest, TableBody("fortune", seats=wishes, **body)) for _ in range(number)]


async def bots_alone(person: Person, *bots: dict[str, str], **body: Any) -> str:
    """A game in which only bots play: this person has left it, and looks on whenever they ask something."""
    table = await person.make(ME, *bots or (BOT,), **body)
    await person.do(f"tables/{table}/leave")
    return table


async def two_at_table(ann: Person, bob: Person, **body: Any) -> str:
    """A game of two, started; Ann is the host and has seat 0."""
    table = await ann.make(ME, OPEN, **body)
    await bob.do(f"tables/{table}/sit")
    await ann.do(f"tables/{table}/start")
    return table


async def turn(table: str, *people: Person) -> tuple[Person, Any]:
    """Whose turn it is, and what they see."""
    for person in people:
        seen = await person.see(table)
        if seen["legal"]:
            return person, seen
    raise AssertionError("it is nobody's turn")


async def time_is_over(live: Table) -> None:
    """If a secret question is open, its time is over, and the game goes on."""
    if (question := live.question) is not None:
        question.due = 0.0
        question.news.set()
        while live.question is question:  # noqa: ASYNC110
            await asyncio.sleep(0.005)


async def play_on(table: str, moves: int, *people: Person, seed: int = 1, first: bool = False) -> int:
    """Make up to so many random moves, or each time the `first` that is legal; the version at the end."""
    choice = random.Random(seed)
    seen = await people[0].see(table)
    for _ in range(moves):
        if seen["table"]["status"] == "over":
            break
        person = people[0]
        if not seen["legal"]:
            person, seen = await turn(table, *people[1:], people[0])
        move = seen["legal"][0] if first else choice.choice(seen["legal"])
        await person.do(f"tables/{table}/moves", move=move, version=seen["table"]["version"])
        seen = await people[0].see(table)
    return int(seen["table"]["version"])


@contextlib.contextmanager
def written_by_another(house: House) -> Iterator[None]:
    """Another program writes into the house's SQLite file, and takes long."""
    with contextlib.closing(sqlite3.connect(house.store.url.database or "", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")
