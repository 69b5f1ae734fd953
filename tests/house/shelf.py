"""Tables that are written into a database before its house opens: games at any position, with the players' cookies."""

from __future__ import annotations

import base64
import time
from dataclasses import dataclass

import sqlalchemy as sa

from parlour.core.match import Match
from parlour.games import find
from parlour.house.accounts import rows as account_rows
from parlour.house.accounts.guests import COOKIE, Guests
from parlour.house.accounts.names import likeness
from parlour.house.accounts.rows import SessionRow
from parlour.house.database import schema
from parlour.house.database.keys import PUSHES
from parlour.house.database.store import Store
from parlour.house.news.peers import Peers
from parlour.house.ratings import schema as ratings
from parlour.house.ratings.matchmaking import schema as matchmaking
from parlour.house.table.storage.rows import SeatRow, StepRow, TableRow


@dataclass(frozen=True)
class Shelved:
    """A table, and the cookies of its players, by seat."""

    id: str
    cookies: tuple[dict[str, str], ...]


class Shelf:
    """A database that no server has open, into which games are written."""

    def __init__(self, database: str, *, secret: str = "") -> None:
        """Create it. `secret`: 32 bytes in hexadecimal for the keys, so that two houses can share them."""
        self.store = Store(database)
        self._secret = secret

    async def __aenter__(self) -> Shelf:
        await self.store.open()
        if self._secret:
            async with self.store.write() as connection:
                await connection.execute(sa.update(schema.settings).values(value=self._secret))
                pushes = base64.urlsafe_b64encode(bytes.fromhex(self._secret)).rstrip(b"=").decode()
                await connection.execute(sa.insert(schema.settings).values(key=PUSHES, value=pushes))
        self.guests = Guests(self.store, await self.store.keys(), Peers(None, shared=False))
        return self

    def cookie(self, guest: str) -> dict[str, str]:
        """Return the cookie of a guest."""
        return {COOKIE: self.guests.sign(guest)}

    async def claim(self, guest: str, name: str, since: float) -> dict[str, str]:
        """Give a guest an account, signed in since then; return their cookie."""
        session = SessionRow(f"{guest}-session", guest, "a browser", since, since)

        def work(connection: sa.Connection) -> None:
            account_rows.claim(connection, guest, name, likeness(name), "")
            account_rows.begin_session(connection, session)

        await self.store.do(work)
        return {COOKIE: self.guests.sign(guest, session.id)}

    async def __aexit__(self, *_: object) -> None:
        await self.store.close()

    async def furnish_lobby(self, guest: str, name: str, since: float) -> None:
        """Fill the lobby: a table at which a rated account waits with a rated bot, and two guests who ask to play now,
        without end."""
        game, table = find("fortune"), "f" * 16
        row = TableRow(
            id=table, game=game.name, rules=game.rules.VERSION, edition=game.edition().name,
            parts=game.edition().parts, options=game.options({}), public=True, pace=0.0, status="waiting", host=guest,
            seed="1", commitment="2" * 64, names=[], words=[], rematch="", created=since, touched=since, hints=False,
        )  # fmt: skip
        seats = [
            SeatRow(table, 0, "guest", guest_id=guest, name=name), SeatRow(table, 1, "open"),
            SeatRow(table, 2, "bot", bot="greedy", name="Greedy bot"),
        ]  # fmt: skip
        await self.store.create(row, seats)

        def work(connection: sa.Connection) -> None:
            for player, mu in ((guest, 28.4), ("bot:greedy", 19.2)):
                values = {"game": game.name, "ruleset": "", "player": player, "mu": mu, "sigma": 5.0}
                connection.execute(sa.insert(ratings.ratings).values(**values, games=3, sure=False))
            for number in range(2):
                what = {"game": "family-trade", "ruleset": "battle-royale", "players": 3, "rated": True}
                who = {"guest_id": f"asks-{number}", "name": "Asker", "since": since, "seen": since + 1e9}
                connection.execute(sa.insert(matchmaking.askers).values(**who, **what, table_id="", tempo="usual"))

        await self.store.do(work)

    async def put(self, name: str, match: Match, *, touched: float | None = None, commitment: str = "") -> Shelved:
        """Write a table with this game in its present position, and people on every seat; by default it was `touched`
        now, and has its own commitment."""
        now = time.time() if touched is None else touched
        people = [f"{name}-{seat}" for seat in range(len(match.names))]
        row = TableRow(
            id=name, game=match.game.name, rules=match.game.rules.VERSION, edition=match.edition.name,
            parts=match.edition.parts, options=match.options, public=True, pace=0.0,
            status="over" if match.over else "playing", host=people[0], seed=str(match.seed),
            commitment=commitment or match.commitment, names=list(match.names), words=list(match.words), rematch="",
            created=now, touched=now, hints=True,
        )  # fmt: skip
        seats = [
            SeatRow(name, seat, "guest", guest_id=people[seat], name=said) for seat, said in enumerate(match.names)
        ]
        await self.store.create(row, seats, [StepRow(i, *step) for i, step in enumerate(match.steps)])
        return Shelved(name, tuple(map(self.cookie, people)))
