"""A tournament in a house that is killed again and again: no result is lost or doubled, and no round is paired twice.

    python -m tests.house.tournaments.killing [--players N] [--rounds N] [--kills N]

Everyone plays Kuhn poker through the API of a real server process. What it acknowledged is compared with the database
at the end, and each stored result with the record of its game.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import secrets
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import sqlalchemy as sa

from benchmarks.scratch import scratch
from parlour.core.game import Game as Kind
from parlour.core.replay import replay
from parlour.games import find
from parlour.house.accounts import schema as accounts
from parlour.house.accounts.guests import COOKIE, Guests
from parlour.house.accounts.names import likeness
from parlour.house.database.store import Store
from parlour.house.news.peers import Peers
from parlour.house.ratings import schema as ratings
from parlour.house.table.live.journal import kept_record
from parlour.house.table.storage import schema as storage
from parlour.house.tournaments import boards, rows
from parlour.house.tournaments.boards import Game
from parlour.house.tournaments.rows import Entry, Tournament
from tests.found import added
from tests.house.serving import Nursery

TOGETHER = 12  # games that are played at the same time
PAUSE = 0.2  # seconds between two tries while the house is down
PATIENT = {"WAIT": 36_000.0, "BREAK": 0.0}  # the players take turns, and none of them is to lose by that
FAILED = (httpx.HTTPError, OSError)


@dataclass
class Figures:
    """The result of a tournament."""

    players: int = 0
    rounds: int = 0
    kills: int = 0
    early: int = 0  # of them, before a move was made since the start
    games: int = 0  # with a result
    moves: int = 0  # acknowledged
    again: int = 0  # requests that were sent more than once
    lost: int = 0  # results or acknowledged moves that the house does not have
    doubled: int = 0  # games, tables, moves or ratings that are there twice
    wrong: int = 0  # results that are not those of the game's record
    seconds: float = 0.0

    def line(self) -> str:
        """Return the line for the documentation."""
        return (
            f"{self.players:,} players, {self.rounds} rounds, {self.games:,} games, {self.kills} x kill -9 "
            f"({self.early} before a move since the start): {self.moves:,} moves acknowledged ({self.again} of the "
            f"requests asked again), {self.lost} lost, {self.doubled} doubled, {self.wrong} wrong, in "
            f"{self.seconds:.0f} s"
        )


class Cast:
    """People with accounts in a database, who send requests with their cookies until these are answered."""

    def __init__(self, cookies: Sequence[str], figures: Figures) -> None:
        self.cookies, self.figures, self.url = cookies, figures, ""
        limits = httpx.Limits(max_connections=TOGETHER, max_keepalive_connections=TOGETHER)
        self.client = httpx.AsyncClient(timeout=30, limits=limits, verify=False)

    async def ask(self, who: int, method: str, path: str, **body: Any) -> Any:
        """Send a request for a person, again and again until it is answered; return the answer."""
        tries = 0
        while True:
            try:
                headers = {"Cookie": f"{COOKIE}={self.cookies[who]}"}
                url = f"{self.url}/api/{path}"
                answer = await self.client.request(
                    method, url, headers=headers, json=body if method == "POST" else None
                )
                if answer.status_code != 503:
                    assert answer.is_success, f"{path}: {answer.text}"
                    self.figures.again += tries > 0
                    return answer.json()
            except FAILED:
                pass
            tries += 1
            await asyncio.sleep(PAUSE)


async def people(store: Store, number: int) -> tuple[list[str], list[str]]:
    """Store this number of accounts, each signed in; return their ids and cookies."""
    guests = Guests(store, await store.keys(), Peers(None, shared=False))
    ids = [secrets.token_hex(12) for _ in range(number)]
    sessions = [secrets.token_hex(12) for _ in range(number)]
    names, now = [f"Player {i + 1}" for i in range(number)], time.time()

    def work(connection: sa.Connection) -> None:
        def put(table: sa.Table, values: list[dict[str, object]]) -> None:
            connection.execute(sa.insert(table), values)

        both = list(zip(ids, names, sessions, strict=True))
        put(accounts.guests, [{"id": one, "name": name, "created": now} for one, name, _ in both])
        put(
            accounts.people,
            [{"id": one, "likeness": likeness(name), "password": "", "created": now} for one, name, _ in both],
        )
        put(
            accounts.sessions,
            [{"id": session, "guest_id": one, "browser": "", "created": now, "seen": now} for one, _, session in both],
        )

    await store.do(work)
    return ids, [guests.sign(one, session) for one, session in zip(ids, sessions, strict=True)]


class Driver:
    """Plays all games of a tournament that are in progress."""

    def __init__(self, cast: Cast, tournament: str, entrants: dict[int, int], seed: int) -> None:
        self.cast, self.tournament, self.entrants = cast, tournament, entrants
        self.choice = random.Random(seed)
        self.begun: set[str] = set()
        self.acknowledged: dict[str, list[tuple[str, str]]] = {}  # by table: the id of each move, and its text

    async def play(self) -> None:
        """Play until the tournament is over."""
        while True:
            found = await self.cast.ask(0, "GET", f"tournaments/{self.tournament}")
            if found["state"] == "over":
                return
            assert found["state"] == "running", found
            number = found["round"]
            games = []
            if number:
                games = (await self.cast.ask(0, "GET", f"tournaments/{self.tournament}/games?number={number}"))["games"]
            ready = [one for one in games if one["state"] == "playing" and one["table"] not in self.begun]
            self.begun.update(one["table"] for one in ready)
            if not ready:
                await asyncio.sleep(0.5)
                continue
            waiting = asyncio.Semaphore(TOGETHER)
            await asyncio.gather(*(self._game(one, waiting) for one in ready))

    async def _game(self, game: Any, waiting: asyncio.Semaphore) -> None:
        """Play a game: two moves, or three after a pass and a bet."""
        async with waiting:
            table, made = game["table"], list[str]()
            seats = [self.entrants[one["entrant"]] for one in game["seats"]]
            while len(made) < 2 or made == ["pass", "bet"]:
                move, version = self.choice.choice(("pass", "bet")), 2 + len(made)
                name = f"{table}-{version}"
                await self.cast.ask(
                    seats[len(made) % 2], "POST", f"tables/{table}/moves", move=move, version=version, id=name
                )
                made.append(move)
                self.acknowledged.setdefault(table, []).append((name, move))
                self.cast.figures.moves += 1


async def joined(address: str, cast: Cast, tournament: str, ids: Sequence[str]) -> dict[int, int]:
    """Let everyone join; return who has which number. Where the server lets others write, the database is asked at
    once: to send a thousand requests takes longer than the games."""
    if address.startswith("sqlite"):
        path = f"tournaments/{tournament}/join"
        return {(await cast.ask(who, "POST", path))["entrant"]: who for who in range(len(ids))}
    store = Store(address, "visit")
    await store.open()

    def join(connection: sa.Connection) -> dict[int, int]:
        return {rows.join(connection, tournament, one, time.time()).number: who for who, one in enumerate(ids)}

    try:
        return await store.do(join)
    finally:
        await store.close()


async def hold(
    nursery: Nursery, address: str, said: Path, *, players: int, rounds: int, kills: int,
    between: tuple[float, float], seed: int = 2_026,
) -> Figures:  # fmt: skip
    """Hold a Swiss tournament of rated games in a house that is killed this number of times, each some seconds
    `between` the last start and the kill; two of three wait for a move. `said`: the file for what it logs. Raises
    AssertionError if the tournament ends before the last kill."""
    figures, choice = Figures(players=players, rounds=rounds), random.Random(seed)
    start = partial(nursery.start, database=address, fixtures=["kuhn"], deadlines=PATIENT, said=str(said))
    start().kill()  # which makes the tables
    store = Store(address, "visit")
    await store.open()
    ids, cookies = await people(store, players)
    await store.close()
    server, cast, began = start(), Cast(cookies, figures), time.monotonic()
    cast.url = server.url
    body = {"name": "The Long Kuhn", "system": "swiss", "game": "kuhn", "rounds": rounds, "rated": True}
    tournament = str((await cast.ask(0, "POST", "tournaments", **body, tempo={"bank": 86_400.0}))["id"])
    entrants = await joined(address, cast, tournament, ids)
    await cast.ask(0, "POST", f"tournaments/{tournament}/start")
    driver = Driver(cast, tournament, entrants, seed)
    playing = asyncio.create_task(driver.play())
    for number in range(kills):
        moved = figures.moves
        await asyncio.wait([playing], timeout=choice.uniform(*between))
        while number % 3 and figures.moves == moved and not playing.done():  # on a slow machine a pairing takes longer
            await asyncio.wait([playing], timeout=PAUSE)
        assert not playing.done(), (figures.line(), playing.exception())
        await asyncio.to_thread(server.kill)
        figures.kills += 1
        figures.early += figures.moves == moved
        server = await asyncio.to_thread(start)
        cast.url = server.url
    await playing
    figures.seconds = time.monotonic() - began
    await asyncio.to_thread(server.kill)
    await cast.client.aclose()
    await compare(address, tournament, driver, figures)
    return figures


# The comparison ------------------------------------------------------------------------------------
async def compare(address: str, tournament: str, driver: Driver, figures: Figures) -> None:
    """Compare what was acknowledged with what the database has, and each result with its record."""
    store = Store(address, "visit")
    await store.open()
    try:

        def look(connection: sa.Connection) -> tuple[Tournament, list[Entry], list[Game], list[str], list[str]]:
            t, r = storage.tables.c, ratings.rated.c
            tables = list(connection.scalars(sa.select(t.id).where(t.tournament == tournament)))
            rated = list(connection.scalars(sa.select(r.table_id).where(r.number > 0, r.seat == 0)))
            games = boards.games(connection, tournament)
            return rows.one(connection, tournament), rows.entries(connection, tournament), games, tables, rated

        row, entries, games, tables, rated = await store.look(look)
        assert (row.state, row.round) == ("over", figures.rounds)
        figures.games = sum(game.how == "played" for game in games)
        for number in range(1, figures.rounds + 1):
            seats = Counter(place.entrant for game in games if game.round == number for place in game.places)
            figures.doubled += sum(times - 1 for times in seats.values())
            figures.lost += len(entries) - len(seats)
        opened = Counter(game.table_id for game in games if game.table_id)
        figures.doubled += sum(times - 1 for times in opened.values())
        figures.doubled += len(set(tables) - set(opened)) + len(rated) - len(set(rated))
        figures.lost += sum(game.state != "over" or game.how not in ("played", "bye") for game in games)
        figures.lost += len(set(opened) - set(rated))
        for game in games:
            if game.table_id:
                await _check(store, game, driver, figures)
    finally:
        await store.close()


async def _check(store: Store, game: Game, driver: Driver, figures: Figures) -> None:
    """Compare a game's result with its record, and its record with the moves that were acknowledged."""
    assert game.table_id is not None
    kept = await store.load(game.table_id)
    match = replay(kept_record(kept), find)
    figures.wrong += [place.share for place in game.places] != list(match.returns)
    figures.wrong += [place.score for place in game.places] != list(match.scores)
    stored = Counter((step.move_id, step.text) for step in kept.steps if step.move_id)
    figures.doubled += sum(times - 1 for times in stored.values())
    figures.lost += len(set(driver.acknowledged.get(game.table_id, ())) - set(stored))


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.house.tournaments.killing", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--players", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--kills", type=int, default=30)
    options = parser.parse_args()
    nursery = Nursery()
    try:
        with (
            added(Kind("kuhn", "tests.fixtures.kuhn")),
            tempfile.TemporaryDirectory() as folder,
            scratch(os.environ["PARLOUR_TEST_POSTGRESQL"]) as address,
        ):
            many = {"players": options.players, "rounds": options.rounds, "kills": options.kills}
            print(asyncio.run(hold(nursery, address, Path(folder) / "said", **many, between=(2.0, 10.0))).line())
    finally:
        nursery.close()


if __name__ == "__main__":
    main()
