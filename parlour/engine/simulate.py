"""Play many games between bots, on all cores; a game's chance depends only on seed and number."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields
from typing import Any, NamedTuple, TypedDict, TypeVar

import numpy as np

from parlour.core import interrupts
from parlour.core.game import Game
from parlour.core.rng import RNG_SIZE
from parlour.core.struct import layout
from parlour.engine import probing
from parlour.engine import survey as columns_of
from parlour.engine.compiled import CompiledEngine, compile
from parlour.engine.frames import Columns, Framed
from parlour.engine.guarded import blamed
from parlour.engine.work import Games, Luck, Probe, Results

CHUNK = 64  # games between two checks whether to stop
MOST = 100_000  # decisions after which a game is cut short (options may allow endless games)

Progress = Callable[[int, int], object]


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, after `games` whole games: the same ones that `games=` this number would play.

    `result` is what the interrupted function would have returned for them (None if it returns
    nothing).
    """

    def __init__(self, games: int, result: Any = None) -> None:
        super().__init__()
        self.games = games
        self.result = result


class SeatSummary(TypedDict):
    """A seat in plain numbers: its share of the wins with the standard error, its score with the spread."""

    seat: int
    bot: str
    wins: float
    wins_error: float
    score: float
    score_spread: float


class Summary(TypedDict):
    """A simulation in plain numbers: means of a game; `turns` is None if the game does not count them."""

    game: str
    edition: str
    games: int
    seed: int
    seats: list[SeatSummary]
    decisions: float
    turns: float | None
    unfinished: int


@dataclass(frozen=True, eq=False)
class Simulation(Framed):
    """The result of `games` games; row g of each array is game g. Two are equal if all fields are.

    scores: (games, players) int64, the game's own scores. returns: (games, players) float64, 1
    shared by the winners. lengths: (games,) int64, decisions. turns: (games,) int64, or None if the
    game does not count turns. finished: (games,) bool, False if a game was cut short after MOST
    decisions (its returns are all 0). faults: what bots of your own did wrong, as (game, seat,
    sentence); the other seats share 1 in that game, with the scores that it had then.
    """

    game: str
    edition: str
    options: dict[str, str]
    bots: tuple[str, ...]
    seed: int
    scores: Any
    returns: Any
    lengths: Any
    turns: Any
    finished: Any
    faults: tuple[tuple[int, int, str], ...] = ()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Simulation):
            return NotImplemented
        return all(np.array_equal(getattr(self, f.name), getattr(other, f.name)) for f in fields(self))

    __hash__ = None  # type: ignore[assignment]

    @property
    def games(self) -> int:
        """The number of games played."""
        return len(self.lengths)

    def columns(self) -> Columns:
        """Return a row for each game: its number in these games, then the arrays; `faults` as a sentence or None."""
        faults = {game: why for game, _, why in self.faults}
        return {
            "number": np.arange(self.games), "decisions": self.lengths, "finished": self.finished,
            **({} if self.turns is None else {"turns": self.turns}), "scores": self.scores, "returns": self.returns,
            "fault": [faults.get(number) for number in range(self.games)],
        }  # fmt: skip

    def summary(self) -> Summary:
        """Return plain numbers: about each seat its bot, share of wins and mean score.

        The share comes with its standard error, the score with its spread.
        """
        games = max(1, self.games)
        seats: list[SeatSummary] = []
        for seat, bot in enumerate(self.bots):
            wins, points = self.returns[:, seat], self.scores[:, seat]
            some = self.games > 0
            seats.append({
                "seat": seat + 1,
                "bot": bot,
                "wins": float(wins.mean()) if some else 0.0,
                "wins_error": float(wins.std() / games**0.5) if some else 0.0,
                "score": float(points.mean()) if some else 0.0,
                "score_spread": float(points.std()) if some else 0.0,
            })  # fmt: skip
        return {
            "game": self.game,
            "edition": self.edition,
            "games": self.games,
            "seed": self.seed,
            "seats": seats,
            "decisions": float(self.lengths.mean()) if self.games else 0.0,
            "turns": float(self.turns.mean()) if self.games and self.turns is not None else None,
            "unfinished": int((~self.finished).sum()),
        }


def simulate(
    game: Game, state: Any, policies: Sequence[int], games: int | range, seed: int,
    progress: Progress | None = None, threads: int | None = None, solver_workspace: Callable[[Any], Any] | None = None,
) -> tuple[Any, ...]:  # fmt: skip
    """Play `games` games (or those of a range of numbers) from the plain state `state`; a row for each, in order.

    Returns scores, returns, lengths, turns, finished as in `Simulation`. `policies`: the drivers'
    number of each seat's bot. `progress(done, games)` is called from this thread. Ctrl-C stops
    within a chunk of games (Interrupted). If some bot is the solver's, `solver_workspace(engine)`
    makes one thread's workspace (`parlour.bots.solved`).
    """
    engine = compile(game)
    numbers = _numbered(games)
    begin, games = numbers.start, len(numbers)
    players = len(policies)
    scores = np.zeros((games, players), np.int64)
    returns = np.zeros((games, players), np.float64)
    lengths = np.zeros(games, np.int64)
    finished = np.zeros(games, np.bool_)
    has_turns = any(f.name == "turns" and not f.shape for f in layout(game.rules.State))
    turns = np.zeros(games, np.int64) if has_turns else None

    def chunk(own: Workspace, first: int, size: int) -> int:
        rows = slice(first, first + size)
        loop = engine.drivers if solver_workspace is None else engine.solved
        results = Results(scores[rows], returns[rows], lengths[rows])
        at = begin + first
        with _blamed(game, seed, at, size):
            loop.play_games(
                own.template, own.states, own.bots, own.rng, Games(seed, at, size, MOST), own.buffers, results,
                *own.solver,
            )  # fmt: skip
        finished[rows] = lengths[rows] < MOST
        if turns is not None:
            turns[rows] = own.states["turns"][:size]
        return size

    try:
        in_chunks(lambda: Workspace(engine, state, policies, solver_workspace), chunk, games, progress, threads)
    except Interrupted as stop:
        n = stop.games
        stop.result = scores[:n], returns[:n], lengths[:n], None if turns is None else turns[:n], finished[:n]
        raise
    return scores, returns, lengths, turns, finished


def survey(
    game: Game, state: Any, policies: Sequence[int], games: int | range, seed: int,
    progress: Progress | None = None, threads: int | None = None,
) -> tuple[Any, Any, Any]:  # fmt: skip
    """Play as `simulate` does; return scores, returns, and a row for each game.

    The columns of a row are those of `parlour.engine.survey`.
    """
    try:
        return _survey(game, state, policies, _numbered(games), seed, progress, threads, closely=False)[:3]
    except Interrupted as stop:
        stop.result = stop.result[:3]
        raise


class Measured(NamedTuple):
    """What `measure` has seen. Row g of the first four is game g; their columns, and those of `uses` (actions, then
    kinds of events), are named in `parlour.engine.survey`.

    scores: (games, players) int64. returns: (games, players) float64. rows: (games, columns) int64. close: (games,
    CLOSE) float64. uses: (actions and events, USES) int64, summed over the games.
    """

    scores: Any
    returns: Any
    rows: Any
    close: Any
    uses: Any


def measure(
    game: Game, state: Any, policies: Sequence[int], games: range, seed: int,
    progress: Progress | None = None, threads: int | None = None,
) -> Measured:  # fmt: skip
    """Play the games of `simulate` with these numbers (in steps of 1) and look closely.

    Raises Interrupted, with what was measured in the games before.
    """
    return _survey(game, state, policies, games, seed, progress, threads, closely=True)


def _survey(
    game: Game, state: Any, policies: Sequence[int], numbers: range, seed: int, progress: Progress | None,
    threads: int | None, *, closely: bool,
) -> Measured:  # fmt: skip
    engine = compile(game)
    begin, games = numbers.start, len(numbers)
    players, kinds = len(policies), len(getattr(game.events, "EVENTS", ()))
    columns = columns_of.EVENTS + kinds + len(getattr(game.events, "COUNTS", ()))
    scores = np.zeros((games, players), np.int64)
    returns = np.zeros((games, players), np.float64)
    rows = np.zeros((games, columns), np.int64)
    close = np.zeros((games if closely else 0, columns_of.CLOSE), np.float64)
    uses = np.zeros((game.rules.N_ACTIONS + kinds, columns_of.USES), np.int64)
    used: dict[int, Any] = {}  # by the chunk's first game: an interrupted run counts the chunks before its first gap

    def chunk(own: Workspace, first: int, size: int) -> int:
        part = slice(first, first + size)
        results = Results(scores[part], returns[part], rows[part])
        looking = own.close._replace(rows=close[part], uses=np.zeros_like(uses))
        with _blamed(game, seed, begin + first, size):
            engine.survey.watch_games(
                own.template, own.states, own.bots, own.rng, Games(seed, begin + first, size, MOST), own.buffers,
                results, looking,
            )  # fmt: skip
        if closely:
            used[first] = looking.uses
        return size

    def workspace() -> Workspace:
        made = Workspace(engine, state, policies)
        made.close = engine.close(players, int(closely), kinds)
        return made

    try:
        in_chunks(workspace, chunk, games, progress, threads)
    except Interrupted as stop:
        n = stop.games
        uses = sum((used[first] for first in used if first < n), uses)
        stop.result = Measured(scores[:n], returns[:n], rows[:n], close[:n], uses)
        raise
    return Measured(scores, returns, rows, close, sum(used.values(), uses))


def probe(
    game: Game, state: Any, policies: Sequence[int], numbers: range, seed: int, rollouts: int,
    progress: Progress | None = None, threads: int | None = None,
) -> Any:  # fmt: skip
    """Play the games of `measure`, and value a decision of each by this many rollouts of each legal action.

    Returns (games, COLUMNS) float64, with the columns of `parlour.engine.probing`. Raises Interrupted, with those of
    the games before.
    """
    engine = compile(game)
    begin, games = numbers.start, len(numbers)
    rows = np.zeros((games, probing.COLUMNS), np.float64)

    def chunk(own: Workspace, first: int, size: int) -> int:
        with _blamed(game, seed, begin + first, size):
            engine.probing.probe_games(
                own.template, own.states, own.bots, engine.integers(2, RNG_SIZE),
                Games(seed, begin + first, size, MOST), own.buffers,
                Probe(rollouts, engine.reals(game.rules.MAX_LEGAL, 2), engine.reals(len(policies)),
                      rows[first : first + size]),
            )  # fmt: skip
        return size

    try:
        in_chunks(lambda: Workspace(engine, state, policies), chunk, games, progress, threads)
    except Interrupted as stop:
        stop.result = rows[: stop.games]
        raise
    return rows


def lucky(
    game: Game, state: Any, policies: Sequence[int], numbers: range, seed: int, budget: int,
    progress: Progress | None = None, threads: int | None = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Play the games of `simulate` with these numbers, and work out the luck of each seat.

    Returns returns and luck, (games, players) float64 both. `budget`: how many ends of an event are looked at, at most
    (`parlour.engine.luck`). Raises Interrupted, with those of the games before.
    """
    engine = compile(game)
    begin, games, players = numbers.start, len(numbers), len(policies)
    returns = np.zeros((games, players), np.float64)
    rows = np.zeros((games, players), np.float64)

    def chunk(own: tuple[Workspace, Luck], first: int, size: int) -> int:
        work, room = own
        part = slice(first, first + size)
        results = Results(np.zeros((size, players), np.int64), returns[part], np.zeros(size, np.int64))
        with _blamed(game, seed, begin + first, size):
            engine.luck.lucky_games(
                work.template, work.states, work.bots, engine.integers(2, RNG_SIZE),
                Games(seed, begin + first, size, MOST), work.buffers, results, room._replace(rows=rows[part]),
            )  # fmt: skip
        return size

    def workspace() -> tuple[Workspace, Luck]:
        return Workspace(engine, state, policies), engine.luck_of(state, players, 1, budget)

    try:
        in_chunks(workspace, chunk, games, progress, threads)
    except Interrupted as stop:
        stop.result = returns[: stop.games], rows[: stop.games]
        raise
    return returns, rows


def _numbered(games: int | range) -> range:
    """Return the numbers of the games."""
    return games if isinstance(games, range) else range(games)


def _blamed(game: Game, seed: int, first: int, size: int) -> AbstractContextManager[None]:
    """Blame errors in compiled rules on the game.

    Compiled code does not say where they happened, but `parlour check` finds it.
    """
    where = f"{game.place('rules.py')}, compiled, in one of the games {first} to {first + size - 1} of seed {seed}"
    return blamed(game, where, ArithmeticError, LookupError, ValueError)


R = TypeVar("R")


def in_chunks(
    make_workspace: Callable[[], R], chunk: Callable[[R, int, int], int], games: int,
    progress: Progress | None = None, threads: int | None = None,
) -> None:  # fmt: skip
    """Call `chunk(workspace, first, size)`, which plays those games, until all are played.

    Each thread has a workspace of its own. Ctrl-C lets the running chunks finish, and is raised as
    Interrupted.
    """
    local = threading.local()
    whole: set[int] = set()  # finished chunks, by their first game

    def work(first: int, size: int) -> int:
        if not hasattr(local, "workspace"):
            local.workspace = make_workspace()
        played = chunk(local.workspace, first, size)
        whole.add(first)
        return played

    work(0, 0)  # compile here, once, before threads need it
    whole.clear()
    done = 0
    threads = threads or os.cpu_count() or 1
    pool = ThreadPoolExecutor(threads, thread_name_prefix="simulate")
    waiting: set[Future[int]] = set()
    starts = iter(range(0, games, CHUNK))
    try:
        if progress is not None:
            progress(0, games)
        while True:
            with interrupts.undisturbed():
                for first in starts:
                    waiting.add(pool.submit(work, first, min(CHUNK, games - first)))
                    if len(waiting) > 2 * threads:
                        break
            if not waiting:
                break
            ready = interrupts.wait(waiting)
            waiting -= ready
            done += sum(future.result() for future in ready)
            if progress is not None:
                progress(done, games)
    except KeyboardInterrupt:
        pool.shutdown(wait=True, cancel_futures=True)
        played = next(first for first in range(0, games + CHUNK, CHUNK) if first not in whole)
        raise Interrupted(min(played, games)) from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


class Workspace:
    """The buffers of one thread."""

    def __init__(
        self, engine: CompiledEngine, state: Any, policies: Sequence[int],
        solver_workspace: Callable[[Any], Any] | None = None,
    ) -> None:  # fmt: skip
        self.template = engine.states(state, 1)
        self.states = engine.states(state, CHUNK)
        self.bots = np.array(policies, np.int64)
        self.rng = engine.integers(RNG_SIZE)
        self.buffers = engine.buffers(state)
        self.solver = () if solver_workspace is None else (solver_workspace(engine),)
        self.close: Any = None  # of a survey
