"""The games of an arena, played: by processes of this machine, or by the machines of a cluster."""

from __future__ import annotations

import atexit
import importlib
import os
import time
from collections.abc import Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from functools import cache
from operator import attrgetter
from typing import NamedTuple, TypeAlias

import msgspec

from parlour import bots as known
from parlour.analysis.blocks import Notice, Plan, collect
from parlour.analysis.blocks import run as run_blocks
from parlour.analysis.places import Here, Where
from parlour.analysis.plans import Given
from parlour.bots import View, outside
from parlour.bots.own import SECONDS, Bot, BotFault
from parlour.core.edition import Edition, EditionLike
from parlour.core.game import Game
from parlour.core.match import Match

MOST = 100_000  # decisions after which a game is cut short, without a winner

Own: TypeAlias = Bot | type[Bot]  # a bot of your own that is not a text


class Played(NamedTuple):
    """One game: its block, its number in the block, and by seat the bot, utility, score, decisions and thinking time in
    seconds. `fault`: what a bot of your own did wrong, whereupon the others share the win; "" if all went well.
    `luck` by seat, empty if it is not known (`parlour.analysis.luck`)."""

    block: int
    number: int
    seats: tuple[str, ...]
    returns: tuple[float, ...]
    scores: tuple[int, ...]
    decisions: tuple[int, ...]
    seconds: tuple[float, ...]
    fault: str = ""
    luck: tuple[float, ...] = ()


class Job(NamedTuple):
    """A game to play, in plain values that can go to another process."""

    game: tuple[str, str]  # name and package
    edition: EditionLike  # a name, or the whole edition if it is not the game's own
    options: tuple[tuple[str, str], ...]
    seed: str
    block: int
    number: int
    seats: tuple[str, ...]
    clock: float = SECONDS
    given: tuple[tuple[str, Own], ...] = ()  # as in `Contest`


def play(job: Job) -> Played:
    """Play one game, with the bots on the compiled engine. Each bot sees what its seat may know."""
    return match_of(job)[1]


def match_of(job: Job) -> tuple[Match, Played]:
    """Play one game, and return it with what counts of it."""
    from parlour.analysis import luck  # only worker processes load NumPy and Numba
    from parlour.bots import worker

    game = _game(*job.game)
    given = dict(job.given)
    engine = None if all(name in given or outside.is_own(name) for name in job.seats) else worker.warm(game)
    bots = [
        outside.chooser(game, given[name]) if name in given else _bot(game, name, seat)
        for seat, name in enumerate(job.seats)
    ]
    match = Match(game, len(job.seats), edition=job.edition, options=dict(job.options), seed=job.seed)
    decisions, seconds = [0] * len(bots), [0.0] * len(bots)
    shares, fault, begun = (0.0,) * len(bots), "", set[int]()
    while not match.over and len(match.steps) < MOST:
        seat = match.current_player
        view = View.of(match, seat)
        view = replace(view, origin=view.origin ^ job.number)  # another in each of the seed's games
        bot = bots[seat]
        try:
            if isinstance(bot, outside.OwnBot) and seat not in begun:
                bot.seconds = job.clock
                bot.begin()
                begun.add(seat)
            clock = time.perf_counter()
            action = bot.choose(view, engine)
        except BotFault as error:
            shares, fault = outside.forfeit(len(bots), seat), str(error)
            break
        seconds[seat] += time.perf_counter() - clock
        decisions[seat] += 1
        match.advance(action)
        match.draw()
    for name, bot in zip(job.seats, bots, strict=True):
        if isinstance(given.get(name), type) and isinstance(bot, outside.OwnBot):
            bot.close()  # an object plays on, and `run` closes it
    spent = tuple(round(one, 4) for one in seconds)
    shares = tuple(match.returns) if match.over else shares
    had = luck.of_match(match, job.seats, engine, job.number) if engine is not None and luck.valued(game) else ()
    scores = tuple(match.scores)
    return match, Played(job.block, job.number, job.seats, shares, scores, tuple(decisions), spent, fault, had)


def warm(common: Given, _block: Given) -> bytes:
    """Compile what bots need for a game, as a block of its own."""
    from parlour.analysis import luck
    from parlour.bots import worker

    game = _game(*msgspec.convert(common["game"], tuple[str, str]))
    engine = worker.warm(game)
    if luck.valued(game):
        match = Match(game, seed=1)
        luck.of_match(match, ("random",) * len(match.names), engine)
    return b""


def played(common: Given, block: Given) -> bytes:
    """Play the games of a block that have one seed. Return them as lines of JSON."""
    given = msgspec.convert(dict(common) | dict(block), Together)
    return b"\n".join(msgspec.json.encode(play(job)) for job in given.jobs)


def untimed(result: bytes) -> bytes:
    """Return the games of a result without the times that bots took."""
    return b"\n".join(msgspec.json.encode(game._replace(seconds=())) for game in read(result))


def read(result: bytes) -> list[Played]:
    """Return the games of a result."""
    return [msgspec.json.decode(line, type=Played) for line in result.splitlines()]


class Together(msgspec.Struct):
    """What `played` is given: games of one block of a contest, as in `Job`; bots of your own by their modules."""

    game: tuple[str, str]
    edition: str | tuple[str, dict[str, object]]  # as in `Job`, the whole as its name and its parts
    options: tuple[tuple[str, str], ...]
    clock: float
    given: tuple[tuple[str, str], ...]
    seed: str
    block: int
    games: tuple[tuple[int, tuple[str, ...]], ...]

    @property
    def jobs(self) -> list[Job]:
        """The games, to be played."""
        edition = self.edition if isinstance(self.edition, str) else Edition.of(*self.edition)
        bots = tuple((name, imported(place)) for name, place in self.given)
        return [
            Job(self.game, edition, self.options, self.seed, self.block, number, seats, self.clock, bots)
            for number, seats in self.games
        ]


@cache
def _game(name: str, package: str) -> Game:
    return Game(name, package)


@cache
def _bot(game: Game, name: str, seat: int) -> known.Chooser:
    """Return a bot that stays at its seat, so that what it keeps between decisions never comes from another seat."""
    del seat
    bot = outside.chooser(game, name)
    if isinstance(bot, outside.OwnBot):
        atexit.register(bot.close)  # a process of a crew is killed instead, and its programs end with it
    return bot


def play_here(jobs: Iterable[Job], seconds: float | None = None) -> Generator[Played, None, None]:
    """Play games in this process, one after the other; begin none after this many seconds."""
    end = None if seconds is None else time.monotonic() + seconds
    for one in jobs:
        if end is not None and time.monotonic() >= end:
            return
        yield play(one)


class Crew:
    """What plays the games of contests: processes of this machine (one core each; with a count of one, this process),
    or the machines of `where`, which must be entered. Use with `with`.

    On other machines games of one seed are played together. `audit` and `notice` as in `parlour.analysis.blocks.run`.
    """

    def __init__(
        self, count: int | None = None, where: Where | None = None, audit: float = 0.0, notice: Notice | None = None
    ) -> None:
        self.where = where or Here(count)
        self.count = count or os.cpu_count() or 1
        self.audit, self.notice = audit, notice
        self._afar = where is not None

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        if not self._afar:
            self.where.__exit__()

    def warm(self, game: Game) -> None:
        """Compile what bots need for `game`, once for all processes; the others read it from the cache. Other machines
        do so with their first game."""
        if not self._afar:
            collect(Plan(f"{__name__}:warm", {"game": [game.name, game.package]}, [{}]), self.where)

    def play(self, jobs: Iterable[Job], seconds: float | None = None) -> Generator[Played, None, None]:
        """Yield games as they finish, for at most `seconds`; drop unfinished ones at the end. A game may come twice:
        then an audit has found that the first one was not played as it should.

        Raises what `parlour.analysis.blocks.run` raises.
        """
        if self.count == 1 and not self._afar:
            yield from play_here(jobs, seconds)
            return
        plan = planned(list(jobs), together=self._afar)
        with closing(run_blocks(plan, self.where, audit=self.audit, seconds=seconds, notice=self.notice)) as results:
            for _, data in results:
                yield from read(data)


def planned(jobs: Sequence[Job], *, together: bool) -> Plan:
    """Return a plan that plays these games of a contest; those with one seed in one block, or each in its own."""
    first = jobs[0] if jobs else None
    common = {} if first is None else {
        "game": list(first.game), "edition": _written(first.edition), "options": [list(one) for one in first.options],
        "clock": first.clock, "given": [[name, place_of(bot)] for name, bot in first.given],
    }  # fmt: skip
    grouped: dict[tuple[int, int], list[Job]] = {}
    for at, job in enumerate(jobs):
        grouped.setdefault((job.block, 0 if together else at), []).append(job)
    blocks = [
        {"seed": some[0].seed, "block": some[0].block, "games": [[job.number, list(job.seats)] for job in some]}
        for some in grouped.values()
    ]
    games = (first.game[0],) if first else ()
    return Plan(f"{__name__}:played", common, blocks, games, f"{__name__}:untimed")


def _written(edition: EditionLike) -> object:
    return [edition.name, edition.parts] if isinstance(edition, Edition) else edition


def place_of(bot: Own) -> str:
    """Return where another process finds a class of bots: "module:Class"."""
    assert isinstance(bot, type)
    return f"{bot.__module__}:{bot.__qualname__}"


def imported(place: str) -> type[Bot]:
    """Return the class of bots that is there."""
    module, _, name = place.partition(":")
    found: type[Bot] = attrgetter(name)(importlib.import_module(module))
    return found
