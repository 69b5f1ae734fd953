"""Tables put on the shelf of a house before it opens: games at any position, played by people whose cookies we have."""

from __future__ import annotations

import time
from dataclasses import dataclass

from parlour.core.match import Match
from parlour.table.guests import COOKIE, Guests
from parlour.table.rows import SeatRow, StepRow, TableRow
from parlour.table.store import Store


@dataclass(frozen=True)
class Shelved:
    """A table, and the cookies of those who play at it, by seat."""

    id: str
    cookies: tuple[dict[str, str], ...]


class Shelf:
    """Puts games into a database that no server has open."""

    def __init__(self, database: str) -> None:
        self.store = Store(database)

    async def __aenter__(self) -> Shelf:
        await self.store.open()
        self.guests = Guests(self.store, await self.store.secret(), shared=False)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.store.close()

    async def put(self, name: str, match: Match, *, bots: tuple[int, ...] = (), public: bool = True) -> Shelved:
        """A table with this game as it stands: a person on every seat but those of `bots`."""
        people = [f"{name}-{seat}" for seat in range(len(match.names))]
        row = TableRow(
            id=name, game=match.game.name, rules=match.game.rules.VERSION, edition=match.edition.name,
            parts=match.edition.parts, options=match.options, public=public, pace=0.0,
            status="over" if match.over else "playing", host=people[0], seed=str(match.seed),
            commitment=match.commitment, names=list(match.names), words=list(match.words), rematch="",
            created=time.time(), touched=time.time(), hints=True,
        )  # fmt: skip
        seats = [
            SeatRow(name, seat, "bot", name=said, bot="greedy") if seat in bots
            else SeatRow(name, seat, "guest", guest_id=people[seat], name=said)
            for seat, said in enumerate(match.names)
        ]  # fmt: skip
        await self.store.create(row, seats, [StepRow(i, *step) for i, step in enumerate(match.steps)])
        return Shelved(name, tuple({COOKIE: self.guests.sign(guest)} for guest in people))
