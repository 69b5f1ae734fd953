"""A week of games by post in a few minutes: people who come when they like, or stop coming; days off; pages whose
network fails; a house that is stopped, or killed, when idle or in the middle of a move or a notification. The time is
the test's own and jumps from one event to the next; all else is a real server (`tests.house.week_house`).

The test computes what each clock should show from what an observer sees, without `table.live.tempo`: the time since the
turn began, without days off, and without the time in which the house was down. `tests.house.week_notices` checks the
notifications, `tests.house.week_pages` the open pages.
"""

from __future__ import annotations

import asyncio
import random
import signal
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

import httpx

from parlour.games import find
from parlour.house.table.jobs.clocks import BEAT
from tests.house.people import ME, OPEN, Person, guest_of
from tests.house.receiving import service
from tests.house.week_house import Clock, Host
from tests.house.week_notices import GRACE, Line, Notices, Waits
from tests.house.week_pages import Pages
from tests.house.wires import Wires

HOUR, DAY = 3600.0, 86400.0
MONDAY = datetime(2026, 3, 23, tzinfo=UTC).timestamp()
EACH = (6 * HOUR, 12 * HOUR, DAY)  # for a decision
TELLS = (GRACE + 1, 2 * GRACE + 2, 300.0, 1200.0, 3600.0)  # seconds after something happened
DOWN = (1.0, 30.0, 600.0, 4 * HOUR)  # seconds without a house
PAGES = 8  # with many people: pages that they open in the time in which each visits once
SOONEST = 4 * HOUR  # less than the shortest time for a decision, and less than the time until it gets short
ENOUGH = 5 * DAY  # after which the players of the longest game agree to end it


class Kind(NamedTuple):
    """A kind of table: a game, its options, and whether its people agree to end it after some time."""

    game: str
    options: Mapping[str, str]
    ends: bool = False


FORTUNE = Kind("fortune", {"target": "5000"})
SECRET = Kind("family-trade", {"ruleset": "battle-royale"}, ends=True)  # secret questions; very long
GATSBY, FACES = Kind("gatsby", {}), Kind("aces-and-faces", {})
HIDDEN = (GATSBY, FACES, SECRET, *3 * (GATSBY, FACES))  # hands that others may not see


@dataclass
class Figures:
    """The results."""

    tables: int = 0
    hidden: int = 0  # of them, with hidden hands
    over: int = 0
    agreed: int = 0  # of them, ended by their people
    moves: int = 0
    up: int = 0  # times that a player was out of time
    back: int = 0  # times that they sat down again
    restarts: int = 0
    kills: int = 0  # of them, kill -9
    moving: int = 0  # of those, in the middle of a move
    telling: int = 0  # or of a notification
    pages: int = 0
    cut: int = 0  # pages whose network was cut off
    resumed: int = 0  # and that reconnected, after that or after a restart
    tried: int = 0  # of them, those whose stream ended at once and was opened once more
    asked: int = 0  # times that time passed while a secret question might be open
    notified: int = 0  # notifications that arrived
    again: int = 0  # of them, repetitions because the house was killed before it noted the first
    warned: int = 0  # of them, that time was short
    refused: int = 0  # that a service refused at first
    worst: float = 0.0  # seconds by which any clock was wrong
    days: float = 0.0

    def line(self) -> str:
        """Return them in one line."""
        return (
            f"{self.tables:,} games by post, {self.hidden:,} of them with hidden hands, {self.over:,} over after "
            f"{self.days:.1f} days ({self.agreed:,} by agreement): {self.moves:,} moves, {self.up:,} times out of "
            f"time, {self.back:,} times back; {self.restarts} restarts, {self.kills} of them by kill -9 ({self.moving} "
            f"in the middle of a move, {self.telling} of a notification); {self.pages:,} pages opened, {self.cut:,} "
            f"cut off, {self.resumed:,} times one reconnected and showed the same as a new one ({self.tried} of them "
            f"at a second try); no clock was wrong by more than {self.worst:.2f} s; {self.notified:,} notifications "
            f"sent ({self.warned:,} that time was short), each once but {self.again} that a killed house had not "
            f"noted, and none missing, {self.refused:,} refused at first, none to people who saw it on a page, and "
            f"none revealed a secret ({self.asked:,} times while a secret question might be open)"
        )


@dataclass
class Turn:
    """The player whose turn it is at a table, and since when; how long the house was down meanwhile."""

    seat: int
    made: int  # steps before it that a spectator sees
    since: float
    down: float = 0.0
    short: float = 0.0  # when its time will be short


@dataclass
class Game:
    """A table as its people know it."""

    id: str
    kind: Kind
    each: float
    off: tuple[int, ...]
    people: list[int]
    turn: Turn | None = None
    over: bool = False
    out: set[int] = field(default_factory=set)  # seats in which a bot plays on
    marks: int = 0  # times that a player left or came back: each is a version, but no step
    seen: list[tuple[int, Any]] = field(default_factory=list)  # the version and viewer, if a player looked

    @property
    def little(self) -> float:
        """Return how many seconds of a decision count as short."""
        return max(self.each / 10, HOUR)

    def left(self, turn: Turn, at: float) -> float:
        """Return what the clock shows then. By post no delay is given back."""
        return self.each - self.ran(turn.since, at) + turn.down

    def ran(self, since: float, until: float) -> float:
        """Return for how many seconds a clock runs between two moments."""
        return _ran(self.off, since, until) if self.off else until - since


@dataclass
class Week:
    """One run: `number` people and `tables`, for at most `days`; the house restarts `every` so often (in seconds); of
    ten tables `hidden` play with hidden hands."""

    folder: Path
    number: int
    tables: int
    days: float
    every: float
    hidden: int
    choice: random.Random
    figures: Figures = field(default_factory=Figures)
    asking: str = ""  # the table at which a secret question may stay open
    there: int = -1  # the person who is at their tables now
    quiet: float = 0.0  # before this no clock runs out and no time gets short

    @property
    def now(self) -> float:
        return self.clock()

    @now.setter
    def now(self, at: float) -> None:
        self.clock.set(at)

    async def run(self) -> Figures:
        """Run the whole week."""
        self.clock = Clock(self.folder / "clock", MONDAY)
        self.host = Host(self.folder, self.clock, 10 * self.tables, GRACE)
        self.wires = Wires(self.host.port)
        try:
            async with AsyncExitStack() as self.stack:
                self.notices = Notices(
                    await self.stack.enter_async_context(service()), random.Random(self.choice.random())
                )
                self.pages = Pages(self.host, self.choice, self.stack)
                await self.pages.lay()
                await self._open()
                await self._begin()
                end = MONDAY + self.days * DAY
                while self.now < end and not all(game.over for game in self.games):
                    when, who = min((when, who) for who, when in enumerate(self.visits))
                    await self._until(min(when, self.restart))
                    if self.restart <= when:
                        await self._restart()
                    else:
                        await self._visit(who)
                        await self._network()
                    await self._tell()
                await self.pages.end()
                await self.host.end(signal.SIGTERM)
        finally:
            self.wires.end()
            self.host.close()
        return self._seen()

    def _seen(self) -> Figures:
        f, notices, pages = self.figures, self.notices, self.pages
        f.notified, f.refused, f.warned, f.again = notices.notices, notices.refused, notices.warned, notices.sent_again
        f.pages, f.cut, f.resumed, f.tried = pages.opened, pages.cut, pages.resumed, pages.tried
        f.tables = len(self.games)
        f.hidden = sum(game.kind in HIDDEN for game in self.games)
        f.over = sum(game.over for game in self.games)
        f.days = (self.now - MONDAY) / DAY
        return f

    # The house -----------------------------------------------------------------------------------
    async def _open(self) -> None:
        self.wires.end()
        await self.host.start()
        self.notices.since = self.now
        await self.host.ask("beat", 0.0, "")
        self.restart = self.now + self.choice.expovariate(1 / self.every)

    async def _restart(self) -> None:
        """Stop or kill the house, when idle or not, and start it again after a while."""
        await self.host.ask("beat", self.now - BEAT, "")
        how = self.choice.choice(("stop", "quiet", "move", "notice"))
        if how == "notice":  # it dies as it sends the next one
            self.notices.strike = self.host.strike
            self.restart = inf
            return
        move: tuple[Game, dict[str, Any]] | None = None
        if how != "stop":
            self.now += self.choice.uniform(0, BEAT)  # since the last beat
        if how == "move" and (move := await self._any_move()) is not None:
            game, body = move
            who = self.people[game.people[body.pop("seat")]]
            sending = asyncio.create_task(self._send(who, game, body))
            await asyncio.sleep(self.choice.expovariate(1 / 0.004))  # about as long as a move takes
            self.figures.moving += not sending.done()
            await self.host.end(signal.SIGKILL)
            await sending
        else:
            await self.host.end(signal.SIGTERM if how == "stop" else signal.SIGKILL)
        self.figures.kills += how != "stop"
        gone = await self._come_back(move and move[0])
        if move is not None:
            await self._look(game, since=gone)
            answer = await self._send(who, game, body)  # repeated: it was made, or is made now
            assert answer is not None
            assert answer.is_success, answer.text
            self.figures.moves += 1
            await self._moved([game])

    async def _come_back(self, moved: Game | None = None) -> float:
        """Start the house again after a while; return when it stopped. `moved`: a game with a possible move
        meanwhile."""
        gone = self.now
        self.now, self.quiet = gone + self.choice.choice(DOWN) * self.choice.uniform(0.5, 1.5), 0.0
        for game in self.games:
            if game.turn is not None:
                game.turn.down += game.ran(gone, self.now)
                game.turn.short = _at_left(game, game.turn, game.little)
        self.visits = [max(when, self.now + self.choice.uniform(0, 60)) for when in self.visits]
        await self._open()
        self.figures.restarts += 1
        await self.pages.house_is_back()
        await self._know_looks()
        for game in self.choice.sample(self.games, min(20, len(self.games))):
            if not game.over and game.turn is not None and game is not moved:
                await self._look(game)
        return gone

    async def _any_move(self) -> tuple[Game, dict[str, Any]] | None:
        """Return a move that a player could make."""
        waiting = [game for game in self.games if game.turn is not None and not game.over]
        if not waiting:
            return None
        game = self.choice.choice(waiting)
        assert game.turn is not None
        seen = await self.people[game.people[game.turn.seat]].see(game.id)
        move, version, once = self._move(seen["legal"]), seen["table"]["version"], f"move {self.figures.kills}"
        return game, {"seat": game.turn.seat, "move": move, "version": version, "id": once}

    async def _send(self, person: Person, game: Game, body: dict[str, Any]) -> httpx.Response | None:
        """Return the house's answer, None if it died first."""
        try:
            return await person.post(f"/api/tables/{game.id}/moves", json=body)
        except httpx.HTTPError:
            return None

    async def _network(self) -> None:
        """Cut and restore networks, and with them pages."""
        if self.choice.random() < 0.1:
            await self.pages.cut_off(self.now)
        await self.pages.come_back(self.now)
        await self._know_looks()

    async def _know_looks(self) -> None:
        if (looks := self.pages.looks()) != self.notices.looks:
            await self.pages.known(self.ids)
            self.notices.looks = looks

    async def _tell(self) -> None:
        if self.notices.strike is not None:
            await self._beat()
        if not await self.notices.tell(self.host, self.now):
            await self.host.end(signal.SIGKILL)  # it is dead
            self.figures.kills += 1
            self.figures.telling += 1
            await self._come_back()

    async def _until(self, when: float) -> None:
        """Let time pass, with all clocks that run out and all notifications that are due, repeated if refused."""
        tells = [self.now + gap for gap in TELLS]
        while True:
            tell = tells[0] if tells and self.notices.waits(self.now) else inf
            if when < min(self.quiet, tell):
                break
            due = await self.host.ask("due") or inf
            shorts = (game.turn.short + GRACE + 1 for game in self.games if game.turn and not game.over)
            short = min((at for at in shorts if at > self.now), default=inf)
            self.quiet = min(due, short, self.now + SOONEST)  # a clock that starts later is up later than that
            if min(due, tell, short) > when:
                break
            if short < min(due, tell):
                self.now = short
                tells = [self.now + gap for gap in TELLS]
            elif due <= tell:
                self.now = max(self.now, due) + self.choice.uniform(0, BEAT)
                await self._beat()
                tells = [self.now + gap for gap in TELLS]
            else:
                self.now = max(self.now, tells.pop(0))
            await self._tell()
        self.now = max(self.now, when)

    async def _beat(self) -> None:
        """Let clocks run out."""
        games = {game.id: game for game in self.games}
        for table, seat in await self.host.ask("beat", self.now - BEAT, self.asking):
            game, turn = games[table], games[table].turn
            assert turn is not None
            assert turn.seat == seat, "a player was out of time when it was not their turn"
            self.figures.worst = max(self.figures.worst, abs(game.left(turn, self.now)))
            self.figures.up += 1
            game.out.add(seat)
            game.marks += 1
            self.notices.no_longer(table, "vote")  # the vote was for those who were there
            self.notices.lines.append(self._news(game, game.people[seat], "seat"))
            await self._look(game)
        self.quiet = 0.0

    def _news(self, game: Game, to: int, kind: str) -> Line:
        """Return news of a table for one of its people."""
        by = game.people[1 - game.people.index(to)]
        return Line(by, game.id, to, self.now, kind, must=kind != "over" or to != self.there)

    def _alike(self, table: str) -> bool:
        """Return whether the two players of a table play the same game at another one."""
        mine = next(game for game in self.games if game.id == table)
        same = [one for one in self.games if one.kind.game == mine.kind.game and {*one.people} == {*mine.people}]
        return any(one is not mine and not one.over for one in same)

    async def _moved(self, games: list[Game], who: int | None = None) -> None:
        """Continue after moves in these games: bots answer before any time passes, so the next turn begins now. While a
        secret question might be open, time sometimes passes, and notifications in it may not reveal the question. `who`
        is still there: in games without hidden hands they are the viewer, and see every move."""
        asking = next((one for one in games if one.kind.ends and self.choice.random() < 0.15), None)
        self.asking = asking.id if asking else ""
        await self.host.ask("settle", [game.id for game in games], self.asking)
        await asyncio.gather(*(self._look(one, who=None if one.kind in HIDDEN else who) for one in games))
        if asking is not None:
            self.figures.asked += not asking.over and asking.turn is None
            await self._tell()
            await self._until(self.now + GRACE + 1)
            await self._tell()
            self.asking = ""
            await self.host.ask("settle", [asking.id], "")
            await self._look(asking)

    async def _look(self, game: Game, since: float | None = None, who: int | None = None) -> None:
        """Read whose turn it is, as a spectator or as `who`. `since`: when a new turn began, if not now."""
        all_of_it = await self.wires.see(self.onlooker if who is None else self.people[who], game.id)
        game.seen[:], seen = [] if who is None else [(who, all_of_it)], all_of_it["table"]
        if seen["status"] != "playing" and not game.over:
            self.notices.no_longer(game.id, "started", "vote", "seat")
            self.notices.lines += [self._news(game, who, "over") for who in game.people]
        game.over = seen["status"] != "playing"
        clock = next((clock for clock in seen["clocks"] if clock["until"]), None)
        if game.over or clock is None:
            game.turn = None
        else:
            seat, made = clock["seat"], seen["version"] - game.marks
            if game.turn is None or (game.turn.seat, game.turn.made) != (seat, made):
                game.turn = Turn(seat, made, self.now if since is None else since)
                game.turn.down = 0.0 if since is None else game.ran(since, self.now)
                game.turn.short = _at_left(game, game.turn, game.little)
            wrong = game.left(game.turn, self.now) - game.ran(self.now, clock["until"])
            self.figures.worst = max(self.figures.worst, abs(wrong))
        if (turn := game.turn) is None:
            return self.notices.turn(game.id, None)
        who, other = game.people[turn.seat], game.people[1 - turn.seat]
        title = self.notices.titles[game.id]
        self.notices.turn(
            game.id,
            Waits(
                who,
                game.id,
                title,
                other,
                turn.made,
                self.now,
                partial(game.left, turn),
                game.little,
                partial(_at_left, game, turn, 0.0),
            ),
        )

    # The people ----------------------------------------------------------------------------------
    async def _person(self, name: str) -> Person:
        person = await self.stack.enter_async_context(Person(base_url=self.host.url, timeout=120))
        await person.do("me", name=name)
        return person

    async def _begin(self) -> None:
        self.onlooker = await self._person("Onlooker")
        self.people = []
        for i in range(self.number):
            self.people.append(await self._person(f"Person {i}"))
            await self.notices.listen(self.people[i], i)
        self.ids = [(await guest_of(person)).id for person in self.people]
        # Most come several times a day, some hardly ever, and some leave for good.
        self.often = [self.choice.choice((2, 4, 4, 8, 8, 20)) * HOUR for _ in self.people]
        self.gone = [
            MONDAY + (self.choice.uniform(0, 3) if self.choice.random() < 0.15 else 99) * DAY for _ in self.people
        ]
        self.visits = [self.now + self.choice.expovariate(1 / often) for often in self.often]
        self.games: list[Game] = []
        self.notices.alike = self._alike
        for i in range(self.tables):
            kind = HIDDEN[i % len(HIDDEN)] if i % 10 < self.hidden else FORTUNE
            a, b = self.choice.sample(range(self.number), 2)
            each, off = self.choice.choice(EACH), self.choice.choice(((), (), (5, 6), (2,)))
            tempo = {"delay": each, "off": off}
            made = await self.people[a].make(ME, OPEN, game=kind.game, tempo=tempo, options=kind.options, pace=0)
            await self.people[b].do(f"tables/{made}/sit")  # the last seat: the game begins
            self.notices.titles[made] = find(kind.game).text.TITLE
            self.games.append(Game(made, kind, each, off, [a, b]))
            self.notices.lines.append(self._news(self.games[-1], a, "started"))
            await self.host.ask("settle", [made])
            await self._look(self.games[-1])

    async def _visit(self, who: int) -> None:
        """Let a person visit: they take their seats back from bots, and move wherever it is their turn, at all these
        tables at once. They may leave pages open."""
        self.visits[who] += self.choice.expovariate(1 / self.often[who])
        if self.now > self.gone[who]:
            self.visits[who] = MONDAY + 999 * DAY
        person, self.there = self.people[who], who
        await self.pages.close(who, 0.7)
        mine = [game for game in self.games if who in game.people and not game.over]
        if not mine:
            self.visits[who] = MONDAY + 999 * DAY
        if mine and self.choice.random() < min(0.2, PAGES / self.number):
            await self.pages.open(who, person, self.choice.choice(mine).id)
        await self._know_looks()
        for game in mine:
            await self._greet(game, who, person)
        for _ in range(40):
            await self._until(self.now + self.choice.uniform(0, 5))  # clocks of other tables run meanwhile
            turns = [one for one in mine if not one.over and one.turn and one.people[one.turn.seat] == who]
            if not (turns := [one for one in turns if one.turn and one.turn.seat not in one.out]):
                break
            await asyncio.gather(*(self._decide(one, who) for one in turns))
            self.figures.moves += len(turns)
            await self._moved(turns, who)
        for game in mine:
            if not game.over and self.choice.random() < 0.1:
                await person.do(f"tables/{game.id}/chat", text="I think of you.")
                self.notices.lines.append(Line(who, game.id, game.people[1 - game.people.index(who)], self.now))

    async def _greet(self, game: Game, who: int, person: Person) -> None:
        """Let a visitor of a table take the seat back from the bot, and vote to end the game if it is old."""
        seat = game.people.index(who)
        if not game.over and seat in game.out:
            await person.do(f"tables/{game.id}/sit")
            game.out.discard(seat)
            game.marks += 1
            self.notices.no_longer(game.id, "vote")
            self.notices.no_longer(game.id, "seat", to=who)
            self.figures.back += 1
            await self._moved([game])
        old = not game.over and game.kind.ends and self.now > MONDAY + ENOUGH
        if old and seat not in (await person.see(game.id))["table"]["ending"]:
            await person.do(f"tables/{game.id}/end")
            await self._look(game)
            self.figures.agreed += game.over
            if not game.over:
                self.notices.lines.append(self._news(game, game.people[1 - seat], "vote"))

    async def _decide(self, game: Game, who: int) -> None:
        """Let a person move if it is their turn."""
        person = self.people[who]
        seen = game.seen[0][1] if game.seen and game.seen[0][0] == who else await self.wires.see(person, game.id)
        thought = {"thought": self.choice.uniform(0, 5)} if self.choice.random() < 0.5 else {}
        move = self._move(seen["legal"])
        version = seen["table"]["version"]
        await self.wires.do(person, f"tables/{game.id}/moves", move=move, version=version, **thought)

    def _move(self, legal: list[str]) -> str:
        return "stop" if "stop" in legal and self.choice.random() < 0.9 else self.choice.choice(legal)


def _at_left(game: Game, turn: Turn, left: float) -> float:
    """Return when this much of a decision's time will be left."""
    at, runs = turn.since, turn.down + game.each - left
    while True:
        end = (at // HOUR + 1) * HOUR
        if datetime.fromtimestamp(at, UTC).weekday() not in game.off:
            if at + runs <= end:
                return at + runs
            runs -= end - at
        at = end


def _ran(off: tuple[int, ...], since: float, until: float) -> float:
    """Count the seconds between two moments that are not on days off (all in UTC), hour by hour."""
    total, at = 0.0, since
    while at < until:
        end = min(until, (at // HOUR + 1) * HOUR)
        total += 0 if datetime.fromtimestamp(at, UTC).weekday() in off else end - at
        at = end
    return total


async def live(
    folder: Path, people: int, tables: int, days: float, seed: int, *, every: float = 20 * HOUR, hidden: int = 4
) -> Figures:
    """Run a week in an empty folder, for at most this number of days."""
    return await Week(folder, people, tables, days, every, hidden, random.Random(seed)).run()
