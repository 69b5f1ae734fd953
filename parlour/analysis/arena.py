"""Bots against each other. Every block of games is one seed, played at every table in every rotation of the seats."""

from __future__ import annotations

import atexit
import os
import pickle
import random
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, field, replace
from functools import cache, cached_property
from itertools import combinations
from typing import NamedTuple, ParamSpec, TypeVar

from parlour import bots as known
from parlour.bots import View, outside, processes
from parlour.bots.outside import Named
from parlour.bots.own import SECONDS, Bot, BotFault
from parlour.core import interrupts
from parlour.core.edition import Edition, EditionLike
from parlour.core.errors import BadSetup, ParlourError, positive
from parlour.core.fair import seed_of
from parlour.core.game import Game
from parlour.core.match import Match

SCHEME = "parlour-arena-1"
MOST = 100_000  # decisions after which a game is cut short, without a winner
PATIENCE = 1.0  # seconds for which a game that is no longer needed may continue
AHEAD = 2  # games per process to submit, so that the next is ready

Block = tuple["Played", ...]
Progress = Callable[[int, int], object]
Given = Bot | type[Bot]  # a bot of your own that is no text
P = ParamSpec("P")
R = TypeVar("R")


class Played(NamedTuple):
    """One game: its block, its number in the block, and by seat the bot, utility, score, decisions and thinking time in
    seconds. `fault`: what a bot of your own did wrong, whereupon the others share the win; "" if all went well."""

    block: int
    number: int
    seats: tuple[str, ...]
    returns: tuple[float, ...]
    scores: tuple[int, ...]
    decisions: tuple[int, ...]
    seconds: tuple[float, ...]
    fault: str = ""


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
    given: tuple[tuple[str, Given], ...] = ()  # as in `Contest`


@dataclass(frozen=True)
class Contest:
    """The bots and the setup of an arena. With its seed it determines every game. `options` holds only those that are
    not the default. `clock`: the seconds that bots of your own have for each decision. `given` has, by their names,
    those bots that are classes or objects; `between` finds them. `edition` may be given as `Game.edition` reads it; one
    of your own is kept as it was then.

    Raises when made: BadSetup (too few bots, one named twice, a number of players that does not fit), UnknownName.
    """

    game: Game
    bots: tuple[str, ...]
    players: int
    edition: EditionLike
    options: Mapping[str, str] = field(default_factory=dict)
    seed: int = 1
    clock: float = SECONDS
    given: Mapping[str, Given] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        positive(self.clock, "Seconds")
        for name in self.bots:
            outside.chooser(self.game, self.given.get(name, name))
        if len(set(self.bots)) < max(2, len(self.bots)):
            raise BadSetup("An arena needs two bots or more, each with a name of its own.")
        if taken := [name for name in self.given if name in known.names(self.game)]:
            raise BadSetup(f"{taken[0]!r} is the name of a known bot. Give yours another `name`.")
        object.__setattr__(self, "edition", self.game.settled(self.edition))
        self.game.start(self.players, self.box, self.game.options(self.options))

    @property
    def box(self) -> Edition:
        """The edition."""
        return self.game.edition(self.edition)

    @classmethod
    def between(
        cls,
        game: Game,
        bots: Sequence[Named],
        players: int,
        edition: EditionLike,
        options: Mapping[str, str] | None = None,
        seed: int = 1,
        clock: float = SECONDS,
    ) -> Contest:
        """Return a contest between bots of any kind: names, classes or objects. Raises what it raises when made."""
        chosen = outside.seated(bots, len(bots))
        given = {outside.label(one): one for one in chosen if not isinstance(one, str)}
        return cls(game, tuple(map(outside.label, chosen)), players, edition, options or {}, seed, clock, given)

    def is_own(self, name: str) -> bool:
        """Return whether one of its bots is of your own."""
        return name in self.given or outside.is_own(name)

    @cached_property
    def sendable(self) -> bool:
        """Return whether other processes can play its games. They can't with an object, of which there is one, nor with
        a class that they can't import."""
        kinds = [one for one in self.given.values() if isinstance(one, type) and one.__module__ != "__main__"]
        try:
            pickle.dumps(kinds)
        except (pickle.PicklingError, AttributeError):
            return False
        return len(kinds) == len(self.given)

    @cached_property
    def tables(self) -> tuple[tuple[str, ...], ...]:
        """The bots at each table: each bot as often as the others, none twice at a table if there are enough."""
        each, left = divmod(self.players, len(self.bots))
        return tuple(tuple(sorted((*self.bots * each, *more))) for more in combinations(self.bots, left))

    def block(self, number: int) -> tuple[tuple[str, ...], ...]:
        """Return the games of a block, each as its bots by seat: at each table every rotation of one order of the bots.

        Each block draws a new order. So each bot has each seat equally often, and over the blocks each neighbour.
        Rotations that are equal (two bots that alternate) would be the same game again and are played once.
        """
        if number in self._blocks:
            return self._blocks[number]
        games: list[tuple[str, ...]] = []
        for place, table in enumerate(self.tables):
            order = list(table)
            random.Random(f"{SCHEME}/{self.seed}/{number}/{place}").shuffle(order)
            turned = [tuple(order[shift:] + order[:shift]) for shift in range(self.players)]
            games += dict.fromkeys(turned)
        self._blocks[number] = tuple(games)
        return self._blocks[number]

    @cached_property
    def _blocks(self) -> dict[int, tuple[tuple[str, ...], ...]]:
        return {}

    def jobs(self, number: int) -> list[Job]:
        """Return the games of a block, to be played; all have the same stream of chance."""
        seed = seed_of(f"{SCHEME}/{self.seed}/{number}")
        name = (self.game.name, self.game.package)
        options = tuple(sorted(self.options.items()))
        games = enumerate(self.block(number))
        given = tuple(self.given.items())
        return [Job(name, self.edition, options, seed, number, i, seats, self.clock, given) for i, seats in games]

    def settings(self) -> dict[str, object]:
        """Return everything that determines the games, for JSON."""
        return {
            "arena": SCHEME,
            "game": self.game.name,
            "rules": self.game.rules.VERSION,
            "edition": self.box.name,
            "parts": self.box.parts,
            "options": self.game.options(self.options),
            "players": self.players,
            "bots": list(self.bots),
            "plans": {name: asdict(known.plan(self.game, name)) for name in self.bots if name in known.LEVELS},
            "seed": self.seed,
        } | ({"clock": self.clock} if any(map(self.is_own, self.bots)) else {})


# Playing -----------------------------------------------------------------------------------------
def play(job: Job) -> Played:
    """Play one game, with the bots on the compiled engine. Each bot sees what its seat may know."""
    from parlour.bots import worker  # only worker processes load NumPy and Numba

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
    return Played(job.block, job.number, job.seats, shares, tuple(match.scores), tuple(decisions), spent, fault)


def _warm(name: str, package: str) -> None:
    from parlour.bots import worker

    worker.warm(_game(name, package))


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
    """Processes that play games, one core each. With a count of one, this process plays. Use with `with`."""

    def __init__(self, count: int | None = None) -> None:
        self.count = count or os.cpu_count() or 1
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            with interrupts.undisturbed():
                processes.end(self._pool)

    def warm(self, game: Game) -> None:
        """Compile what bots need for `game`, once for all processes; the others read it from the cache."""
        if self.count == 1:
            _warm(game.name, game.package)
        else:
            warmed = self._submit(_warm, game.name, game.package)
            interrupts.wait([warmed])
            self._result(warmed)

    def play(self, jobs: Iterable[Job], seconds: float | None = None) -> Generator[Played, None, None]:
        """Yield games as they finish, for at most `seconds`; drop unfinished ones at the end.

        Raises ParlourError if a process dies.
        """
        if self.count == 1:
            yield from play_here(jobs, seconds)
            return
        end = None if seconds is None else time.monotonic() + seconds
        waiting: set[Future[Played]] = set()
        left = iter(jobs)
        try:
            while True:
                while len(waiting) < AHEAD * self.count and (job := next(left, None)) is not None:
                    waiting.add(self._submit(play, job))
                if not waiting:
                    return
                rest = None if end is None else max(0.0, end - time.monotonic())
                ready = interrupts.wait(waiting, rest)
                if not ready:
                    return
                waiting -= ready
                for future in ready:
                    yield self._result(future)
        finally:
            with interrupts.undisturbed():
                running = [future for future in waiting if not future.cancel()]
                if self._pool is not None and wait(running, PATIENCE).not_done:  # long games would delay the next ones
                    processes.end(self._pool)
                    self._pool = None

    def _submit(self, work: Callable[P, R], *given: P.args, **named: P.kwargs) -> Future[R]:
        with interrupts.undisturbed():
            self._pool = self._pool or processes.start(self.count)
        with interrupts.undisturbed():  # of its own, as the first process that `start` makes lets Ctrl-C through again
            return self._pool.submit(work, *given, **named)

    def _result(self, future: Future[R]) -> R:
        try:
            return future.result()
        except BrokenProcessPool:
            raise ParlourError(
                "A process that was playing games died (out of memory?); games in a file are kept."
            ) from None


@dataclass
class Run:
    """The games of a contest: whole blocks in order, and why it ended.

    `ended` is "games" (all of them), "rule" (the stopping rule), "time" or "interrupted".
    """

    contest: Contest
    blocks: list[Block]
    ended: str
    seconds: float  # of this run

    @property
    def games(self) -> int:
        """The number of games in the blocks."""
        return sum(map(len, self.blocks))


def run(
    contest: Contest, games: int, crew: Crew, *, before: Iterable[Played] = (),
    keep: Callable[[Played], object] | None = None,
    enough: Callable[[Block], bool] | None = None, seconds: float | None = None, progress: Progress | None = None,
) -> Run:  # fmt: skip
    """Play at least `games` games in whole blocks, or fewer if `enough` returns True for a block, or time runs out.

    Blocks count in order and only when whole, so the result does not depend on the number of processes or their speed.
    `before` holds games already played; `keep` receives each new one at once. Ctrl-C ends the run without an error.
    """
    begun = time.monotonic()
    wanted = total = 0
    while total < games:
        total += len(contest.block(wanted))
        wanted += 1
    known_games = {(one.block, one.number): one for one in before if one.block < wanted}
    blocks: list[Block] = []
    ended = ""

    def count() -> bool:
        """Add the blocks that are whole now. Return whether the run is complete."""
        nonlocal ended
        while len(blocks) < wanted:
            number = len(blocks)
            found = [known_games.get((number, i)) for i in range(len(contest.block(number)))]
            whole = tuple(one for one in found if one is not None)
            if len(whole) < len(found):
                return False
            blocks.append(whole)
            if enough is not None and enough(whole):
                ended = "rule"
                return True
        ended = "games"
        return True

    def left() -> Iterator[Job]:
        for number in range(len(blocks), wanted):
            yield from (job for job in contest.jobs(number) if (job.block, job.number) not in known_games)

    try:
        if not count():
            if not all(map(contest.is_own, contest.bots)):
                crew.warm(contest.game)  # not on the clock
            begun = time.monotonic()
            games_of = crew.play if contest.sendable else play_here
            with closing(games_of(left(), seconds)) as played:
                for one in played:
                    known_games[one.block, one.number] = one
                    if keep is not None:
                        keep(one)
                    if progress is not None:
                        progress(len(known_games), total)
                    if count():
                        break
            ended = ended or "time"
    except KeyboardInterrupt:
        ended = "interrupted"
    finally:
        for bot in contest.given.values():
            if isinstance(bot, Bot):
                with suppress(Exception):  # it has played its last game
                    bot.close()
    return Run(contest, blocks, ended, time.monotonic() - begun)
