"""Bots against each other: every block of games is one seed, played at every table in every rotation of the seats."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from functools import cache, cached_property
from itertools import combinations
from typing import Any, NamedTuple, TypeVar

from parlour import bots as known
from parlour.bots import View, processes
from parlour.core.errors import BadSetup, ParlourError
from parlour.core.fair import seed_of
from parlour.core.game import Game
from parlour.core.match import Match

SCHEME = "parlour-arena-1"
MOST = 100_000  # decisions after which a game is cut short, and nobody has won
PATIENCE = 1.0  # seconds that a game which is not wanted any more may go on
AHEAD = 2  # games asked for beside those being played, for each process

Block = tuple["Played", ...]
Progress = Callable[[int, int], object]
R = TypeVar("R")


class Played(NamedTuple):
    """One game: its block and number in it, and by seat the bot, utility, score, decisions and seconds of thought."""

    block: int
    number: int
    seats: tuple[str, ...]
    returns: tuple[float, ...]
    scores: tuple[int, ...]
    decisions: tuple[int, ...]
    seconds: tuple[float, ...]


class Job(NamedTuple):
    """A game to be played, in plain values that another process can be sent."""

    game: tuple[str, str]  # name and package
    edition: str
    options: tuple[tuple[str, str], ...]
    seed: str
    block: int
    number: int
    seats: tuple[str, ...]


@dataclass(frozen=True)
class Contest:
    """Who plays what: with its seed it sets every game. `options` only where they are not the default.

    Errors when made: BadSetup (too few bots, one named twice, a number of players that does not fit), UnknownName.
    """

    game: Game
    bots: tuple[str, ...]
    players: int
    edition: str
    options: Mapping[str, str] = field(default_factory=dict)
    seed: int = 1

    def __post_init__(self) -> None:
        for name in self.bots:
            known.find(self.game, name)
        if len(set(self.bots)) < max(2, len(self.bots)):
            raise BadSetup("An arena needs two bots or more, each named once.")
        self.game.start(self.players, self.game.edition(self.edition), self.game.options(self.options))

    @cached_property
    def tables(self) -> tuple[tuple[str, ...], ...]:
        """Who sits together: each bot as often as the others, and no bot twice where there are enough of them."""
        each, left = divmod(self.players, len(self.bots))
        return tuple(tuple(sorted((*self.bots * each, *more))) for more in combinations(self.bots, left))

    def block(self, number: int) -> tuple[tuple[str, ...], ...]:
        """The games of a block, each as its bots by seat: at each table every rotation of one order of the bots.

        The order is drawn anew for each block. So each bot has each seat equally often, and over the blocks each
        neighbour. Rotations that come out alike (two bots that alternate) would be the same game again and are played
        once.
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
        """The games of a block, to be played; all of them have the same stream of chance."""
        seed = seed_of(f"{SCHEME}/{self.seed}/{number}")
        name = (self.game.name, self.game.package)
        options = tuple(sorted(self.options.items()))
        return [Job(name, self.edition, options, seed, number, i, seats) for i, seats in enumerate(self.block(number))]

    def settings(self) -> dict[str, Any]:
        """All that the games follow from, for JSON."""
        return {
            "arena": SCHEME,
            "game": self.game.name,
            "rules": self.game.rules.VERSION,
            "edition": self.edition,
            "parts": self.game.edition(self.edition).parts,
            "options": self.game.options(self.options),
            "players": self.players,
            "bots": list(self.bots),
            "plans": {name: asdict(known.plan(self.game, name)) for name in self.bots if name in known.LEVELS},
            "seed": self.seed,
        }


# Playing -----------------------------------------------------------------------------------------
def play(job: Job) -> Played:
    """Play one game, the bots on the compiled engine and each shown what its seat may know."""
    from parlour.bots import worker  # a worker process loads NumPy and Numba, whoever only counts does not

    game = _game(*job.game)
    engine = worker.warm(game)
    bots = [_bot(game, name, seat) for seat, name in enumerate(job.seats)]
    match = Match(game, len(job.seats), edition=job.edition, options=dict(job.options), seed=job.seed)
    decisions, seconds = [0] * len(bots), [0.0] * len(bots)
    while not match.over and len(match.steps) < MOST:
        seat = match.current_player
        view = View.of(match, seat)
        view = replace(view, origin=view.origin ^ job.number)  # the same place of this seed's other games is another
        begun = time.perf_counter()
        action = bots[seat].choose(view, engine)
        seconds[seat] += time.perf_counter() - begun
        decisions[seat] += 1
        match.advance(action)
        match.draw()
    spent = tuple(round(one, 4) for one in seconds)
    shares = tuple(match.returns) if match.over else (0.0,) * len(bots)
    return Played(job.block, job.number, job.seats, shares, tuple(match.scores), tuple(decisions), spent)


def _warm(name: str, package: str) -> None:
    from parlour.bots import worker

    worker.warm(_game(name, package))


@cache
def _game(name: str, package: str) -> Game:
    return Game(name, package)


@cache
def _bot(game: Game, name: str, seat: int) -> known.Bot:
    """A bot that stays at its seat, so that what it keeps from one decision to the next is never another seat's."""
    del seat
    return known.find(game, name)


class Crew:
    """Processes that play games, one core each; with one process the games are played in this one. Use with `with`."""

    def __init__(self, count: int | None = None) -> None:
        self.count = count or os.cpu_count() or 1
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            processes.end(self._pool)

    def warm(self, game: Game) -> None:
        """Compile what bots need for `game`, once for all processes; the others read it from the cache."""
        if self.count == 1:
            _warm(game.name, game.package)
        else:
            self._result(self._submit(_warm, game.name, game.package))

    def play(self, jobs: Iterable[Job], seconds: float | None = None) -> Generator[Played, None, None]:
        """The games as they are finished, at most for `seconds`; those still under way when it ends are dropped.

        ParlourError when a process has died.
        """
        end = None if seconds is None else time.monotonic() + seconds
        if self.count == 1:
            for one in jobs:
                if end is not None and time.monotonic() >= end:
                    return
                yield play(one)
            return
        waiting: set[Future[Played]] = set()
        left = iter(jobs)
        try:
            while True:
                while len(waiting) < AHEAD * self.count and (job := next(left, None)) is not None:
                    waiting.add(self._submit(play, job))
                if not waiting:
                    return
                rest = None if end is None else max(0.0, end - time.monotonic())
                ready, waiting = wait(waiting, rest, FIRST_COMPLETED)
                if not ready:
                    return
                for future in ready:
                    yield self._result(future)
        finally:
            running = [future for future in waiting if not future.cancel()]
            if self._pool is not None and wait(running, PATIENCE).not_done:  # long games would hold up the next ones
                processes.end(self._pool)
                self._pool = None

    def _submit(self, work: Callable[..., R], *given: Any) -> Future[R]:
        if self._pool is None:
            self._pool = processes.start(self.count)
        with processes.undisturbed():
            return self._pool.submit(work, *given)

    def _result(self, future: Future[R]) -> R:
        try:
            return future.result()
        except BrokenProcessPool:
            raise ParlourError("A process that played games has died (no memory?); games in a file are kept.") from None


@dataclass
class Run:
    """What there is of a contest: whole blocks in order, and why no more were played.

    `ended` is "games" (as many as wanted), "rule" (the stopping rule), "time" or "interrupted".
    """

    contest: Contest
    blocks: list[Block]
    ended: str
    seconds: float  # of this run

    @property
    def games(self) -> int:
        """How many games the blocks have."""
        return sum(map(len, self.blocks))


def run(
    contest: Contest, games: int, crew: Crew, *, before: Iterable[Played] = (),
    keep: Callable[[Played], object] | None = None,
    enough: Callable[[Block], bool] | None = None, seconds: float | None = None, progress: Progress | None = None,
) -> Run:  # fmt: skip
    """Play at least `games` games in whole blocks, or fewer when `enough` says so of a block, or time is up.

    Blocks count in order, so what comes of a contest does not depend on how many processes play or which is first;
    blocks that are not whole do not count. `before`: games already played; `keep` is given each new one at once. Ctrl-C
    ends the run, no error is raised.
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
        """Take up the blocks that are whole now; whether that is all."""
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
            crew.warm(contest.game)  # not on the clock
            begun = time.monotonic()
            with closing(crew.play(left(), seconds)) as played:
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
    return Run(contest, blocks, ended, time.monotonic() - begun)
