"""Statistics of many games of one shape: how long they are, who wins, how they end, what happens in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from parlour import bots as known
from parlour.analysis import uses as used
from parlour.analysis.intervals import interval
from parlour.analysis.retracing import retrace
from parlour.analysis.shapes import Shape
from parlour.analysis.uses import Use
from parlour.bots import outside
from parlour.bots.outside import Named
from parlour.bots.own import SECONDS
from parlour.bots.stepwise import Played, Table
from parlour.core.errors import BadSetup, whole
from parlour.engine import interpret, simulate, survey
from parlour.engine.frames import Columns, Framed
from parlour.engine.simulate import Progress

Numbers = NDArray[np.int64]
Shares = NDArray[np.float64]  # of the wins: a row for each game, a column for each seat


class Spread(NamedTuple):
    """The spread of numbers: their mean, and the values that 0, 5, 25, 50, 75, 95 and 100 % of them do not exceed."""

    mean: float
    least: int
    low: int
    quarter: int
    median: int
    three_quarters: int
    high: int
    most: int


class Share(NamedTuple):
    """A share of the wins, and its 95 % confidence interval."""

    share: float
    low: float
    high: float


class Event(NamedTuple):
    """The share of games with an event, and how often it happened in a game, on average and at most."""

    games: float
    mean: float
    most: int


@dataclass(frozen=True)
class Statistics(Framed):
    """Statistics of `games` games; `tables` shows them, `as_dict` is for programs.

    `seats` are the wins by seat; `order` by place in turn order, that of the starting seat first (empty where the bots
    differ: they would be mixed). `shared` is the share of games that had several winners. `longest` is the number of
    the game with most steps, `shortest` of the finished one with fewest, `closest` of the finished one whose two best
    scores differ least; `parlour.analysis.recording` plays them again. `unfinished` games were cut short after
    `parlour.engine.simulate.MOST` decisions, or lost by the fault of a bot, whose reasons `faults` has; they count in
    lengths and events, not in wins, scores and endings. `uses` are those of each decision and event, if they were asked
    for. Of games that were read from files, `seed` is None if they are records, and what the file does not hold is
    missing: `steps` is None, and there are no endings, events and counts.
    """

    shape: Shape
    bots: tuple[str, ...]
    seed: int | None
    games: int
    unfinished: int
    bound: int
    longest: int
    shortest: int
    closest: int
    decisions: Spread
    steps: Spread | None
    seats: tuple[Share, ...]
    order: tuple[Share, ...]
    shared: float
    scores: Spread
    winners: Spread
    endings: dict[str, float]
    events: dict[str, Event]
    counts: dict[str, Spread]
    faults: tuple[str, ...] = ()
    uses: tuple[Use, ...] = ()

    @property
    def who(self) -> str:
        """The bots in words: one name where all are alike."""
        return ", ".join(self.bots if len(set(self.bots)) > 1 else self.bots[:1])

    def columns(self) -> Columns:
        """Return a row for each number: the field that has it, its name there ("" where the field has one value), what
        it is of that ("mean", "low"), and the number."""
        rows: list[tuple[str, str, str, float]] = []
        for field in self.__dataclass_fields__:
            value = getattr(self, field)
            named = {"": value} if isinstance(value, int | float | Spread) else value
            if isinstance(named, tuple):
                named = {str(place): one for place, one in enumerate(value, 1) if isinstance(one, Share)}
            for name, one in named.items() if isinstance(named, dict) else ():
                parts = one._asdict() if isinstance(one, Spread | Share | Event) else {"": one}
                rows += [(field, name, part, float(number)) for part, number in parts.items()]
        columns = zip(*rows, strict=True)
        names = ("field", "name", "statistic", "value")
        return {name: list(column) for name, column in zip(names, columns, strict=True)}

    def as_dict(self) -> dict[str, object]:
        """Plain values, for JSON."""

        def plain(value: object) -> object:
            if hasattr(value, "_asdict"):
                return {name: plain(item) for name, item in value._asdict().items()}
            if isinstance(value, dict):
                return {name: plain(item) for name, item in value.items()}
            return [plain(item) for item in value] if isinstance(value, tuple) else value

        shape = self.shape
        where = {
            "game": shape.game.name,
            "ruleset": shape.ruleset,
            "edition": shape.box.name,
            "players": shape.players,
            "options": dict(shape.options),
        }
        where |= {"changed": shape.box.differing} if shape.box.base else {}
        left_out = {"shape"} if self.uses else {"shape", "uses"}
        return where | {name: plain(getattr(self, name)) for name in self.__dataclass_fields__ if name not in left_out}


def gather(
    shape: Shape, bots: Named | Sequence[Named] = "random", games: int = 10_000, seed: int = 1,
    progress: Progress | None = None, threads: int | None = None, clock: float = SECONDS, closely: bool = False,
) -> Statistics:  # fmt: skip
    """Play `games` games and count. `bots` names one for all seats, or one for each; `closely`: count uses, too.

    They are played compiled and on all cores if compiled loops know each bot, otherwise step by step on one, where a
    bot of your own has `clock` seconds for a decision and loses the game if it fails. The same seed gives the same
    numbers. Raises UnknownName (bot) and BadSetup; on Ctrl-C, `parlour.engine.simulate.Interrupted` with the
    Statistics of the games so far, or None before the first.
    """
    chosen = outside.seated(bots, shape.players)
    names = tuple(map(outside.label, chosen))
    if whole(games, "The number of games") < 1:
        raise BadSetup("Statistics need at least one game.")
    try:
        found = watch(shape, chosen, range(games), seed, progress, threads, clock, closely)
    except simulate.Interrupted as stop:
        stop.result = count(shape, names, seed, stop.result) if stop.games else None
        raise
    return count(shape, names, seed, found)


class Watched(NamedTuple):
    """How games went, a row for each: the scores and utilities by seat, and the columns of `parlour.engine.survey`;
    and the reasons of those that a bot has lost by a fault. `uses` is None, or those of each part of the games: (parts,
    actions and events, USES) int64."""

    scores: Numbers
    returns: Shares
    rows: Numbers
    faults: tuple[str, ...] = ()
    uses: Numbers | None = None


def watch(
    shape: Shape, chosen: Sequence[Named], games: range, seed: int, progress: Progress | None = None,
    threads: int | None = None, clock: float = SECONDS, closely: bool = False,
) -> Watched:  # fmt: skip
    """Play the games of these numbers, with a bot for each seat, and note how each went; `closely`: also the uses.
    Raises as `gather` does; on Ctrl-C, `Interrupted` with the games so far."""
    if not set(chosen) <= {*known.simulated(shape.game)}:
        return _step_by_step(shape, chosen, games, seed, progress, clock, closely)
    policies = [known.driver(shape.game, outside.label(name)) for name in chosen]
    if closely:
        return _closely(shape, policies, games, seed, progress, threads)
    try:
        arrays = simulate.survey(shape.game, shape.start(), policies, games, seed, progress, threads)
    except simulate.Interrupted as stop:
        stop.result = Watched(*stop.result)
        raise
    return Watched(*arrays)


def _closely(
    shape: Shape, policies: Sequence[int], games: range, seed: int, progress: Progress | None, threads: int | None
) -> Watched:
    """Play part after part, so that the uses of each are known."""
    found: list[simulate.Measured] = []

    def tell(done: int, _games: int) -> None:
        if progress is not None:
            progress(sum(len(one.rows) for one in found) + done, len(games))

    def together() -> Watched:
        scores, returns, rows, _, uses = zip(*found, strict=True)
        return Watched(np.concatenate(scores), np.concatenate(returns), np.concatenate(rows), (), np.stack(uses))

    try:
        for part in used.parts(len(games)):
            numbers = games[part.start : part.stop]
            found.append(simulate.measure(shape.game, shape.start(), policies, numbers, seed, tell, threads))
    except simulate.Interrupted as stop:
        found += [stop.result] if stop.games else []
        raise simulate.Interrupted(sum(len(one.rows) for one in found), together() if found else None) from None
    return together()


def _step_by_step(
    shape: Shape, chosen: Sequence[Named], games: range, seed: int, progress: Progress | None, clock: float,
    closely: bool,
) -> Watched:  # fmt: skip
    """Return what `parlour.engine.simulate.survey` does, of games with any bots."""
    edition, options = shape.box, shape.game.options(shape.options)
    scores: list[list[int]] = []
    returns: list[Sequence[float]] = []
    rows: list[list[int]] = []
    faults: list[str] = []
    parts = [number for number, part in enumerate(used.parts(len(games))) for _ in part]  # by the game's place
    uses: dict[int, Numbers] = {}

    def note(game: Played) -> None:
        traced = retrace(game.match)
        if closely:
            part = parts[len(rows)]
            uses[part] = uses.get(part, 0) + np.array(traced.uses, np.int64)
        scores.append(game.match.scores)
        returns.append(game.returns)
        rows.append(traced.row)
        if game.fault is not None:
            faults.append(game.fault[1])

    def arrays() -> Watched:
        return Watched(
            np.array(scores, np.int64), np.array(returns, np.float64), np.array(rows, np.int64), tuple(faults),
            np.stack(list(uses.values())) if uses else None,
        )  # fmt: skip

    try:
        Table(shape.game, edition, options, chosen, seed, clock).play_all(games, note, progress)
    except KeyboardInterrupt:
        raise simulate.Interrupted(len(rows), arrays()) from None
    return arrays()


def count(
    shape: Shape, bots: tuple[str, ...], seed: int | None, watched: Watched, numbers: Numbers | None = None
) -> Statistics:
    """Return the statistics of games that were watched. `numbers`: of the games, if they are not 0, 1, 2 ... If STEPS
    is UNKNOWN, only their decisions, utilities and scores are known."""
    scores, returns, rows, faults, uses = watched
    named = np.arange(len(rows)) if numbers is None else numbers
    noted = bool((rows[:, survey.STEPS] != survey.UNKNOWN).all())
    lengths = rows[:, survey.STEPS if noted else survey.DECISIONS]
    events, counts, endings = (
        getattr(shape.game.events, name, ()) if noted else () for name in ("EVENTS", "COUNTS", "ENDINGS")
    )
    over = rows[:, survey.ENDING] != survey.UNKNOWN
    wins = returns[over]
    happened = rows[:, survey.EVENTS : survey.EVENTS + len(events)]
    counted = rows[over, survey.EVENTS + len(events) :]
    starter = rows[over, survey.STARTER]
    turns = interpret(shape.game).survey.watched.direction(shape.start()) * np.arange(shape.players)
    places = (starter[:, None] + turns) % shape.players
    in_order = np.take_along_axis(wins, places, 1) if noted and len(set(bots)) == 1 else wins[:, :0]
    ended = rows[over, survey.ENDING]
    n = max(1, len(ended))
    return Statistics(
        shape,
        bots,
        seed,
        games=len(rows),
        unfinished=int((~over).sum()),
        bound=shape.game.rules.bound(shape.start()),
        longest=int(named[lengths.argmax()]),
        shortest=int(named[least(lengths, over)]),
        closest=int(named[least(margins(scores), over)]),
        decisions=spread(rows[:, survey.DECISIONS]),
        steps=spread(rows[:, survey.STEPS]) if noted else None,
        seats=_shares(wins),
        order=_shares(in_order),
        shared=float((wins.max(axis=1, initial=0) < 1).sum() / n),
        scores=spread(scores[over].ravel()),
        winners=spread(scores[over][wins > 0]),
        endings={name: float((ended == i).sum() / n) for i, name in enumerate(endings)},
        events={
            name: Event(float((happened[:, i] > 0).mean()), float(happened[:, i].mean()), int(happened[:, i].max()))
            for i, name in enumerate(events)
        },
        counts={name: spread(counted[:, i]) for i, name in enumerate(counts)},
        faults=faults,
        uses=() if uses is None else used.count(shape, uses),
    )


def margins(scores: Numbers) -> Numbers:
    """Return for each game by how much its best score is above the second; `scores` has a row for each."""
    best = np.sort(scores, axis=1)
    return np.asarray(best[:, -1] - best[:, -2], np.int64)


def least(numbers: Numbers, of: NDArray[np.bool_]) -> int:
    """Return the place of the least number, the first of equals, among those `of` which it is asked; 0 of none."""
    places = np.flatnonzero(of)
    return int(places[numbers[places].argmin()]) if len(places) else 0


def _shares(wins: Shares) -> tuple[Share, ...]:
    """Return the mean of each column with its interval."""
    n = len(wins)
    return tuple(Share(float(s), *interval(float(s), n)) for s in wins.mean(axis=0)) if n else ()


def spread(numbers: Numbers) -> Spread:
    """Return the spread of `numbers`; every value but the mean is one of them. Return zeros for an empty array."""
    if not len(numbers):
        return Spread(0.0, 0, 0, 0, 0, 0, 0, 0)
    marks = np.quantile(numbers, (0, 0.05, 0.25, 0.5, 0.75, 0.95, 1), method="inverted_cdf")
    return Spread(float(numbers.mean()), *(int(mark) for mark in marks))
