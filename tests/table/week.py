"""A week of games by post in some minutes: people who come when they like, or no more; days off; a house that is
restarted. Time is the test's own and jumps from one event to the next; all else is the house's.

What each clock should say is worked out here from what was seen, without `live.tempo`: since when somebody had the
decision, less the days off, less the time in which there was no house. What people are told is looked at by
`tests.table.week_told`.
"""

from __future__ import annotations

import asyncio
import random
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from math import inf
from pathlib import Path
from unittest import mock

import httpx

from parlour.table.house.house import House
from parlour.table.live.table import Table
from parlour.table.settings import Settings
from parlour.table.staff.clocks import BEAT, beat
from parlour.table.storage import timekeeping
from parlour.table.web.app import create_app
from tests.table.people import ME, OPEN, Person, guest_of
from tests.table.receiving import service
from tests.table.week_told import GRACE, Line, Told, Waits

HOUR, DAY = 3600.0, 86400.0
MONDAY = datetime(2026, 3, 23, tzinfo=UTC).timestamp()
GIVEN_BACK = 3.0  # seconds of each decision, as the table says
EACH = (6 * HOUR, 12 * HOUR, DAY)  # for a decision
TELLS = (GRACE + 1, 2 * GRACE + 2, 300.0, 1200.0, 3600.0)  # seconds after something happened
DOWN = (1.0, 30.0, 600.0, 4 * HOUR)  # seconds without a house


class Now:
    """The time."""

    def __init__(self) -> None:
        self.at = MONDAY

    def __call__(self) -> float:
        return self.at


@dataclass
class Figures:
    """What was seen."""

    tables: int = 0
    over: int = 0
    moves: int = 0
    up: int = 0  # times that somebody was out of time
    back: int = 0  # times that they sat down again
    restarts: int = 0
    told: int = 0  # notices that arrived
    warned: int = 0  # of them, that time was short
    refused: int = 0  # that a service did not take at first
    worst: float = 0.0  # seconds by which any clock was wrong
    days: float = 0.0

    def line(self) -> str:
        """In one line."""
        return (
            f"{self.tables:,} games by post, {self.over:,} of them over after {self.days:.1f} days: {self.moves:,} "
            f"moves, {self.up:,} times out of time, {self.back:,} times back, {self.restarts} restarts; no clock was "
            f"wrong by more than {self.worst:.2f} s; {self.told:,} notices told ({self.warned:,} that time "
            f"was short), each once and none missing, {self.refused:,} of them refused at first"
        )


@dataclass
class Turn:
    """Who has the decision at a table, and since when; how long there was no house meanwhile."""

    seat: int
    made: int  # steps before it
    since: float
    down: float = 0.0
    short: float = 0.0  # when little of its time will be left


@dataclass
class Game:
    """A table as its people know it."""

    id: str
    each: float
    off: tuple[int, ...]
    people: list[int]
    turn: Turn | None = None
    over: bool = False

    @property
    def little(self) -> float:
        """Seconds of each decision with which time is short."""
        return max(self.each / 10, HOUR)

    def left(self, turn: Turn, at: float) -> float:
        """What the clock says then, with what is given back."""
        ran = _ran(self.off, turn.since, at) if self.off else at - turn.since
        return self.each + GIVEN_BACK - ran + turn.down


@dataclass
class Week:
    """One run. `number` people and `tables`, for at most so many days."""

    folder: Path
    number: int
    tables: int
    days: float
    choice: random.Random
    now: Now = field(default_factory=Now)
    figures: Figures = field(default_factory=Figures)

    async def run(self) -> Figures:
        """All of it."""
        with mock.patch("time.time", self.now):
            async with AsyncExitStack() as self.stack:
                self.told = Told(await self.stack.enter_async_context(service()), random.Random(self.choice.random()))
                await self._open()
                await self._begin()
                end = MONDAY + self.days * DAY
                while self.now.at < end and not all(game.over for game in self.games):
                    when, who = min((when, who) for who, when in enumerate(self.visits))
                    await self._until(min(when, self.restart))
                    if self.restart <= when:
                        await self._restart()
                    else:
                        await self._visit(who)
                    await self.told.tell(self.house, self.now.at)
                await self.house.close()
        self.figures.told, self.figures.refused = self.told.notices, self.told.refused
        self.figures.warned = self.told.warned
        self.figures.tables = len(self.games)
        self.figures.over = sum(game.over for game in self.games)
        self.figures.days = (self.now.at - MONDAY) / DAY
        return self.figures

    # The house -----------------------------------------------------------------------------------
    async def _open(self) -> None:
        address = f"sqlite:///{self.folder}/parlour.db"
        app = create_app(Settings(
            database=address, pace=0, limits=False, tables=10 * self.tables, grace=GRACE, outside="any",
            base_url="http://house.test",
        ))  # fmt: skip
        self.app, self.house = app, app.state.house
        self.house.staff = self.house.staff._replace(keep_time=_nothing, tell=_nothing)  # beats are ours
        await self.house.open()
        self.told.since = self.now.at
        await beat(self.house, 0.0)
        self.transport = httpx.ASGITransport(app=app)
        self.restart = self.now.at + self.choice.expovariate(1 / (20 * HOUR))

    async def _restart(self) -> None:
        await beat(self.house, self.now.at - BEAT)
        await self.house.close()
        down = self.choice.choice(DOWN) * self.choice.uniform(0.5, 1.5)
        self.now.at += down
        for game in self.games:
            if game.turn is not None:
                game.turn.down += down if not game.off else _ran(game.off, self.now.at - down, self.now.at)
                game.turn.short = _short(game, game.turn)
        self.visits = [max(when, self.now.at + self.choice.uniform(0, 60)) for when in self.visits]
        await self._open()
        for person in self.people:
            person._transport = self.transport
        self.figures.restarts += 1
        for game in self.games:
            await self._look(game)

    async def _until(self, when: float) -> None:
        """Let time pass, with all clocks that run out in it, and all that is to be told, again if it was not taken."""
        tells = [self.now.at + gap for gap in TELLS]
        while True:
            due = await self.house.store._ask(timekeeping.next_due) or inf
            tell = tells[0] if tells and self.told.waits(self.now.at) else inf
            shorts = (game.turn.short + GRACE + 1 for game in self.games if game.turn and not game.over)
            short = min((at for at in shorts if at > self.now.at), default=inf)
            if min(due, tell, short) > when:
                break
            if short < min(due, tell):
                self.now.at = short
                tells = [self.now.at + gap for gap in TELLS]
            elif due <= tell:
                self.now.at = max(self.now.at, due) + self.choice.uniform(0, BEAT)
                await self._beat()
                tells = [self.now.at + gap for gap in TELLS]
            else:
                self.now.at = max(self.now.at, tells.pop(0))
            await self.told.tell(self.house, self.now.at)
        self.now.at = max(self.now.at, when)

    async def _beat(self) -> None:
        """Clocks run out."""
        away = {game.id: set((await self.house.table(game.id)).ledger.away) for game in self.games if not game.over}
        await beat(self.house, self.now.at - BEAT)
        await self._bots()
        for game in self.games:
            if not game.over:
                await self._check(game, away[game.id])

    async def _check(self, game: Game, before: set[int]) -> None:
        """If somebody ran out of time just now, it was neither too early nor too late."""
        table = await self.house.table(game.id)
        for seat in set(table.ledger.away) - before:
            turn = game.turn
            assert turn is not None
            assert turn.seat == seat, "somebody was out of time whose turn it was not"
            ran = (_ran(game.off, turn.since, self.now.at) if game.off else self.now.at - turn.since) - turn.down
            wrong = ran - game.each - GIVEN_BACK
            self.figures.worst = max(self.figures.worst, abs(wrong))
            self.figures.up += 1
        await self._look(game)

    async def _bots(self) -> None:
        """Bots have moved wherever it is their turn."""
        while tasks := [
            t.bot_task for t in self.house.tables.values() if t.bot_task is not None and not t.bot_task.done()
        ]:
            await asyncio.gather(*tasks)

    async def _moved(self, game: Game) -> None:
        """Somebody has: bots answer before any time passes, so that what is seen next began now."""
        await self._bots()
        await self._look(game)

    async def _look(self, game: Game) -> None:
        """See whose turn it is."""
        table: Table = await self.house.table(game.id)
        game.over = table.over
        seat = next(iter(table.deciding()), None)
        if game.over or seat is None or table.seats[seat].kind == "bot":
            game.turn = None
        else:
            made = len(table.history.standing())
            if game.turn is None or (game.turn.seat, game.turn.made) != (seat, made):
                game.turn = Turn(seat, made, self.now.at)
                game.turn.short = _short(game, game.turn)
        if (turn := game.turn) is None:
            return self.told.turn(game.id, None)
        who, other = game.people[turn.seat], game.people[1 - turn.seat]
        self.told.turn(
            game.id, Waits(who, game.id, other, turn.made, self.now.at, partial(game.left, turn), game.little)
        )

    # The people ----------------------------------------------------------------------------------
    async def _begin(self) -> None:
        self.people = []
        for i in range(self.number):
            person = Person(transport=self.transport, base_url="http://house.test")
            await self.stack.enter_async_context(person)
            await person.do("me", name=f"Person {i}")
            self.people.append(person)
            await self.told.listen(person, i)
        self.ids = [(await guest_of(person)).id for person in self.people]
        # Most come several times a day, some hardly ever, and some go away for good.
        self.every = [self.choice.choice((2, 4, 4, 8, 8, 20)) * HOUR for _ in self.people]
        self.gone = [
            MONDAY + (self.choice.uniform(0, 3) if self.choice.random() < 0.15 else 99) * DAY for _ in self.people
        ]
        self.visits = [self.now.at + self.choice.expovariate(1 / every) for every in self.every]
        self.games: list[Game] = []
        for _ in range(self.tables):
            a, b = self.choice.sample(range(self.number), 2)
            each, off = self.choice.choice(EACH), self.choice.choice(((), (), (5, 6), (2,)))
            made = await self.people[a].make(
                ME, OPEN, tempo={"delay": each, "off": off}, options={"target": "5000"}, pace=0
            )
            await self.people[b].do(f"tables/{made}/sit")
            await self.people[a].do(f"tables/{made}/start")
            self.games.append(Game(made, each, off, [a, b]))
            await self._look(self.games[-1])

    async def _visit(self, who: int) -> None:
        """Somebody comes by, sits down again where a bot plays for them, and moves wherever it is their turn."""
        self.visits[who] += self.choice.expovariate(1 / self.every[who])
        if self.now.at > self.gone[who]:
            self.visits[who] = MONDAY + 99 * DAY
        person = self.people[who]
        for game in self.games:
            if who not in game.people or game.over:
                continue
            table = await self.house.table(game.id)
            seat = game.people.index(who)
            if table.seats[seat].kind == "bot":
                await person.do(f"tables/{game.id}/sit")
                self.figures.back += 1
                await self._moved(game)
            for _ in range(40):
                await self._until(self.now.at + self.choice.uniform(0, 5))  # clocks of other tables run meanwhile
                if game.over or table.seats[seat].kind == "bot" or seat not in table.deciding():
                    break
                seen = await person.see(game.id)
                thought = {"thought": self.choice.uniform(0, 5)} if self.choice.random() < 0.5 else {}
                legal = seen["legal"]
                move = "stop" if "stop" in legal and self.choice.random() < 0.9 else self.choice.choice(legal)
                await person.do(f"tables/{game.id}/moves", move=move, version=seen["table"]["version"], **thought)
                self.figures.moves += 1
                await self._moved(game)
            if not game.over and self.choice.random() < 0.1:
                await person.do(f"tables/{game.id}/chat", text="I think of you.")
                self.told.lines.append(Line(who, game.id, game.people[1 - seat], self.now.at))


async def _nothing(_: House) -> None:
    """No beat of the house's own."""


def _short(game: Game, turn: Turn) -> float:
    """When little of a decision's time will be left."""
    at, runs = turn.since, turn.down + game.each + GIVEN_BACK - game.little
    while True:
        end = (at // HOUR + 1) * HOUR
        if datetime.fromtimestamp(at, UTC).weekday() not in game.off:
            if at + runs <= end:
                return at + runs
            runs -= end - at
        at = end


def _ran(off: tuple[int, ...], since: float, until: float) -> float:
    """Seconds between two moments that lie on no day off (all in UTC), hour by hour."""
    total, at = 0.0, since
    while at < until:
        end = min(until, (at // HOUR + 1) * HOUR)
        total += 0 if datetime.fromtimestamp(at, UTC).weekday() in off else end - at
        at = end
    return total


async def live(folder: Path, people: int, tables: int, days: float, seed: int) -> Figures:
    """A week in an empty folder; so many days at most."""
    return await Week(folder, people, tables, days, random.Random(seed)).run()
