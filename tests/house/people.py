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
from parlour.house.table.live.deciding import as_asked, deciding
from parlour.house.table.live.table import Table
from parlour.house.table.play.seating import SeatWish, TableBody, create
from tests.house.serving import TRUSTING_NOBODY

ME, OPEN, LINK = ({"kind": kind} for kind in ("me", "open", "link"))
BOT = {"kind": "bot", "bot": "greedy"}  # quick, so that tests are


class Person(httpx.AsyncClient):
    """A guest who speaks JSON."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**{"verify": TRUSTING_NOBODY, **given})

    async def do(self, path: str, **body: Any) -> Any:
        """Send POST /api/PATH, which must succeed; return the answer."""
        answer = await self.post(f"/api/{path}", json=body)
        assert answer.is_success, answer.text
        return answer.json()

    async def refused(self, path: str, status: int, code: str, **body: Any) -> Any:
        """Send POST /api/PATH, which must be refused with this status and code; return the error."""
        answer = await self.post(f"/api/{path}", json=body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, code), answer.text
        return answer.json()["error"]

    async def make(self, *seats: dict[str, str], **body: Any) -> str:
        """Create a table; return its id."""
        return str((await self.do("tables", **{"game": "fortune", "seats": list(seats), **body}))["id"])

    async def see(self, table: str) -> Any:
        """Return the table as this person sees it."""
        answer = await self.get(f"/api/tables/{table}")
        assert answer.is_success, answer.text
        return answer.json()

    async def record(self, table: str) -> Record:
        answer = await self.get(f"/t/{table}/record")
        assert answer.is_success, answer.text
        return Record.parse(answer.text)


async def guest_of(person: Person) -> Guest:
    """Return the guest that a person is for the house."""
    return Guest(**(await person.get("/api/me")).json())


async def open_tables(house: House, person: Person, number: int, *seats: dict[str, str], **body: Any) -> list[str]:
    """Create this number of tables at once, regardless of rate limits; return their ids."""
    guest = await guest_of(person)
    wishes = [SeatWish(**seat) for seat in seats]
    return [await create(house, guest, TableBody("fortune", seats=wishes, **body)) for _ in range(number)]


async def bots_alone(person: Person, *bots: dict[str, str], **body: Any) -> str:
    """Start a game in which only bots play: this person has left it, and watches whenever they send a request."""
    table = await person.make(ME, *bots or (BOT,), **body)
    await person.do(f"tables/{table}/leave")
    return table


async def two_at_table(ann: Person, bob: Person, **body: Any) -> str:
    """Start a game of two; Ann is the host and has seat 0. Return its id."""
    table = await ann.make(ME, OPEN, **body)
    await bob.do(f"tables/{table}/sit")
    await ann.do(f"tables/{table}/start")
    return table


async def turn(table: str, *people: Person) -> tuple[Person, Any]:
    """Return the player whose turn it is, and what they see."""
    for person in people:
        seen = await person.see(table)
        if seen["legal"]:
            return person, seen
    raise AssertionError("no one can move")


async def time_is_over(live: Table) -> None:
    """End the time of a secret question, if one is open, and continue the game."""
    if (question := live.questions.open) is not None:
        question.due = 0.0
        question.news.set()
        while live.questions.open is question:  # noqa: ASYNC110
            await asyncio.sleep(0.005)


async def play_on(table: str, moves: int, *people: Person, seed: int = 1, first: bool = False) -> int:
    """Make up to this number of random moves, or each time the `first` legal one; return the version at the end."""
    choice = random.Random(seed)
    guests = {(await guest_of(person)).id: person for person in people}
    for _ in range(moves):
        if (found := await _decision(table, guests)) is None:
            break
        person, legal, version = found
        await person.do(f"tables/{table}/moves", move=legal[0] if first else choice.choice(legal), version=version)
    return int((await people[0].see(table))["table"]["version"])


async def _decision(table: str, guests: dict[str, Person]) -> tuple[Person, list[str], int] | None:
    """Return the player whose turn it is, their legal moves and the version; None when the game is over. Where the
    house is in this process, look at its table: what a page shows takes longer than a move."""
    people = list(guests.values())
    transport = people[0]._transport
    house = transport.app.state.house if isinstance(transport, httpx.ASGITransport) else None  # type: ignore[attr-defined]
    if house is None or house.shared:
        if (await people[0].see(table))["table"]["status"] == "over":
            return None
        person, seen = await turn(table, *people)
        return person, seen["legal"], seen["table"]["version"]
    live: Table = await house.table(table)
    if live.over:
        return None
    for seat in deciding(live):
        if person_there := guests.get(live.seats[seat].guest_id):
            return person_there, as_asked(live, seat).legal_actions(), live.known.version(seat)
    raise AssertionError("no one can move")


@contextlib.contextmanager
def written_by_another(house: House) -> Iterator[None]:
    """Let another program write into the house's SQLite file meanwhile, slowly."""
    with contextlib.closing(sqlite3.connect(house.store.url.database or "", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")
