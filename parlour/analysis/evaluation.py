"""How good each decision of a game was: the chance to win with it, compared with the chance with the best one.

The evaluation uses only what the seat could know when it decided (`View`). The chance that a decision costs determines
its mark, with the thresholds of lichess (lila, `Advice.scala`). Estimates are not exact: a loss within the noise of the
estimate is never marked.

A seat's accuracy lies between random play and the best. It is a skill score, (A - A_random) / (A_best - A_random), as
forecasts are verified (Murphy 1988, Monthly Weather Review 116, 2417), over the whole game:

    1 - (chance lost in all decisions) / (chance that a uniformly random choice loses in them on average)

and 0 if that is below. Sums, not a mean of shares: where nothing can be lost, a decision adds nothing to either, and
one at which the game is at stake weighs more than one at which hardly anything is. Random play loses the
divisor on average, whatever the game, so that it scores about 0. A game is few decisions, so an accuracy comes with an
interval: 95 % from nine decisions may say little. Where half of it is more than VAGUE, the accuracy is not shown.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from math import sqrt
from random import Random
from threading import local
from typing import Literal, Protocol

from parlour import bots
from parlour.analysis.intervals import student, variance_of_ratio
from parlour.bots import Adviser, View, levels
from parlour.bots.advice import SURE
from parlour.core.contract import CHANCE
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.struct import GameState, copy
from parlour.engine.interpreted import Engine

VERSION = 12  # raise it when the same record would be judged differently

Mark = Literal["", "inaccuracy", "mistake", "blunder"]
MARKS: tuple[tuple[Mark, float], ...] = (("blunder", 0.15), ("mistake", 0.10), ("inaccuracy", 0.05))  # chance lost
EVERY = 0.1  # seconds between two reports of progress
STAKE = 0.01  # the chance that random play loses over a game, below which there is no accuracy
FEW = 100  # simulations below which the chance of another decision is not reported
TOO_FEW = "too few decisions"
VAGUE = 0.5  # half an interval that is as wide as the whole scale, from random play to the best
# Decisions of a game that are judged; more would make the analysis longer.
MOST = levels.ANALYSIS_SIMULATIONS // levels.LEAST_SIMULATIONS


class Progress(Protocol):
    """Receives how many decisions have been judged, and how many there are."""

    def __call__(self, done: int, total: int) -> None: ...


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision of a record: step number `step` (from 0), by the seat of `view`, which had `choices` legal ones."""

    step: int
    view: View
    action: int
    choices: int


@dataclass(frozen=True, slots=True)
class Judgement:
    """The judgement on one decision.

    `before` is the chance to win with the best decision, `after` with the one made (`move`), `error` the standard error
    of their difference. `other` is the best of the decisions not made (number `other_action`), with its chance; None
    if the search hardly visited it. `alike`: whether it cannot be distinguished from the one made.
    `chances` are those of all players before the decision, as the deciding one could see it; they sum to 1.
    `simulations` is 0 if the values are exact, or `judged` by a network. `line` is what most likely follows the other
    decision, as texts of moves, until chance comes. `uniform` is the mean chance over all legal decisions, that of a
    random player: of the best, the one made, and one of the others that represents all of them.
    """

    step: int
    seat: int
    move: str
    before: float
    after: float
    error: float
    other: str
    other_action: int
    other_chance: float | None
    alike: bool
    chances: tuple[float, ...]
    simulations: int
    uniform: float
    line: tuple[str, ...] = ()
    judged: bool = False

    @property
    def exact(self) -> bool:
        """Whether the values are not estimates."""
        return not (self.simulations or self.judged)

    @property
    def loss(self) -> float:
        """The chance that the decision cost; never negative."""
        return max(0.0, self.before - self.after)

    @property
    def within(self) -> float:
        """How far the loss may be off: half its 95 % interval, 0 if it is exact."""
        return SURE * self.error

    @property
    def mark(self) -> Mark:
        """The name of the loss, "" if it is small or within the noise."""
        if self.loss <= self.within:
            return ""
        return next((mark for mark, least in MARKS if self.loss >= least), "")

    @property
    def stake(self) -> float:
        """The chance that a random choice would have cost on average; below 0 only by the noise of estimates."""
        return self.before - self.uniform

    def as_dict(self) -> dict[str, object]:
        """For programs."""
        more = {"chances": list(self.chances), "line": list(self.line), "loss": self.loss, "mark": self.mark}
        return asdict(self) | more


@dataclass(frozen=True, slots=True)
class Summary:
    """A seat's decisions together. `loss` is the mean, None if it had nothing to decide; `accuracy` is from 0 (as good
    as random play) to 1 (as the best), None if nothing was at stake. `within`: how far the accuracy may be off for a
    player who decides like this, half its 95 % interval; None for fewer than two decisions."""

    seat: int
    decisions: int
    loss: float | None
    accuracy: float | None
    marks: dict[str, int]
    within: float | None = None

    @property
    def clear(self) -> bool:
        """Whether the accuracy says anything: its interval is no wider than the scale."""
        return self.within is not None and self.within <= VAGUE

    @property
    def in_words(self) -> str:
        """The accuracy and how far it may be off, or why it is missing: on pages, in the terminal and in files."""
        if not self.decisions:
            return "nothing to decide"
        if self.accuracy is None:
            return "nothing at stake"
        if self.within is None or not self.clear:
            return TOO_FEW
        return f"{percent(self.accuracy)}\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}{100 * self.within:.0f}"


def decisions(match: Match, seat: int | None = None) -> list[Decision]:
    """Return the decisions of a match (of one `seat`) in which there was a choice, in order; not those that were given
    to it, which others made. Of more than MOST, that number is drawn, the same ones each time."""
    again = _start(match)
    choices: dict[int, int] = {}  # of each step
    for number, (actor, action, _) in enumerate(match.steps):
        if number >= match.given and actor != CHANCE and seat in (None, actor):
            choices[number] = len(again.legal_action_ids())
        again.advance(action)
    steps = [number for number, legal in choices.items() if legal > 1]
    drawn = set(Random(len(steps)).sample(steps, MOST) if len(steps) > MOST else steps)
    again = _start(match)
    found = []
    for number, (actor, action, _) in enumerate(match.steps):
        if number in drawn:  # a view takes time in proportion to the steps before it
            found.append(Decision(number, View.of(again, actor), action, choices[number]))
        again.advance(action)
    return found


def bounded(decisions: int) -> str:
    """Return what to add to an analysis of this many decisions: a sentence where MOST may have left some out."""
    return f" At most {MOST:,} decisions of a game are judged." if decisions >= MOST else ""


def judge(game: Game, decision: Decision, adviser: Adviser, engine: Engine | None = None) -> Judgement:
    """Return the judgement of `adviser` on one decision. It does not depend on earlier questions."""
    view = decision.view
    advice = adviser.advise(view, engine, decision.action)
    made, best = advice.of(decision.action), advice.best
    other = next(choice for choice in advice.choices if choice.action != made.action)
    before, after = best.chance or 0.0, made.chance or 0.0
    known = other.visits >= FEW or not advice.simulations
    error = 0.0 if best is made or advice.exact else sqrt(best.variance + made.variance)
    state, say = view.state(game), game.text.format_action
    return Judgement(
        step=decision.step, seat=view.seat, move=say(state, made.action), before=before, after=after, error=error,
        other=say(state, other.action), other_action=other.action, other_chance=other.chance if known else None,
        alike=known and advice.alike(other, made),
        chances=_all(view, before, advice.shares), simulations=advice.simulations,
        uniform=uniform(advice), line=texts(game, state, (other.action, *other.line))[1:], judged=advice.judged,
    )  # fmt: skip


def texts(game: Game, state: GameState, actions: Sequence[int]) -> tuple[str, ...]:
    """Return the texts of moves that follow each other from `state`."""
    at, found = copy(state), []
    for action in actions:
        found.append(game.text.format_action(at, action))
        game.rules.apply(at, action)
    return tuple(found)


def evaluate(
    match: Match,
    *,
    level: str = bots.ADVICE,
    simulations: int | None = None,
    seconds: float | None = None,
    seat: int | None = None,
    engine: Engine | None = None,
    threads: int = 1,
    progress: Progress | None = None,
) -> list[Judgement]:
    """Judge every decision of a match (or of one `seat`) with the search of a `level`, or with that many `simulations`,
    or for at most `seconds` per decision; in plain Python unless an `engine` is given.

    Each of `threads` takes the next decision. With a compiled engine, or with `simulations`, and without `seconds` the
    same match gives the same judgements everywhere. Raises UnknownName.
    """
    every = decisions(match)
    adviser = adviser_of(match.game, len(every), level, simulations, seconds)
    mine = [one for one in every if seat in (None, one.view.seat)]
    return each(match.game, mine, adviser, engine, threads, progress)


def adviser_of(
    game: Game, decisions: int, level: str = bots.ADVICE, simulations: int | None = None, seconds: float | None = None
) -> Callable[[], Adviser]:
    """Return what makes the advisers that judge a game with this number of decisions. Unless `simulations` or
    `seconds` are given, all decisions share what an analysis searches (`levels.simulations_each`)."""
    if level == bots.ADVICE and simulations is None and seconds is None:
        return partial(bots.adviser, game, shared=decisions)
    return partial(bots.adviser, game, level, simulations=simulations, seconds=seconds)


def each(
    game: Game,
    found: Sequence[Decision],
    adviser: Callable[[], Adviser],
    engine: Engine | None = None,
    threads: int = 1,
    progress: Progress | None = None,
) -> list[Judgement]:
    """Judge decisions as `evaluate` does; `adviser` makes what judges them, once in each thread. Raises what it
    raises."""
    own = local()

    def mine() -> Adviser:
        if not hasattr(own, "adviser"):
            own.adviser = adviser()
        made: Adviser = own.adviser
        return made

    adviser()  # refuses an unknown level before threads start
    if progress:
        progress(0, len(found))
    judged: list[Judgement] = []
    with ThreadPoolExecutor(threads) as pool:
        for one in pool.map(lambda decision: judge(game, decision, mine(), engine), found):
            judged.append(one)
            if progress:
                progress(len(judged), len(found))
    return judged


def summaries(judgements: Iterable[Judgement], players: int) -> list[Summary]:
    """Return a summary of each seat's decisions."""
    by_seat: list[list[Judgement]] = [[] for _ in range(players)]
    for one in judgements:
        by_seat[one.seat].append(one)
    return [
        Summary(
            seat, len(own), _mean(own, lambda one: one.loss), _accuracy(own),
            {mark: sum(one.mark == mark for one in own) for mark, _ in MARKS}, _within(own),
        )
        for seat, own in enumerate(by_seat)
    ]  # fmt: skip


def timed(
    found: Sequence[Decision], game: Game, adviser: Adviser, engine: Engine | None, seconds: float
) -> list[Judgement]:
    """Judge the first of `found`, and more while there is time."""
    end = time.monotonic() + seconds
    judged: list[Judgement] = []
    while len(judged) < len(found) and (not judged or time.monotonic() < end):
        judged.append(judge(game, found[len(judged)], adviser, engine))
    return judged


def _start(match: Match) -> Match:
    """Return the match before its first step."""
    again = Match(match.game, edition=match.edition, options=match.options, names=match.names, seed=0, auto=False)
    again.seed = match.seed
    return again


def percent(share: float) -> str:
    """Format a share: 0.5 -> 50 %, with a space that no line breaks at."""
    return f"{share:.0%}".replace("%", "\N{NO-BREAK SPACE}%")


def gained(luck: float) -> str:
    """Format luck in points: 0.24 -> +24 points."""
    return f"{round(100 * luck):+} points".replace("-", "\N{MINUS SIGN}")


def _accuracy(own: Sequence[Judgement]) -> float | None:
    """Between random play and the best: see above."""
    stake = sum(one.stake for one in own)
    return None if stake < STAKE else max(0.0, 1 - sum(one.loss for one in own) / stake)


def _within(own: Sequence[Judgement]) -> float | None:
    """Return half the 95 % interval of an accuracy: a game is a few decisions of all that the player might have had to
    make."""
    stakes = [one.stake for one in own]
    if len(own) < 2 or sum(stakes) < STAKE:
        return None
    return student(len(own) - 1) * sqrt(variance_of_ratio([one.loss for one in own], stakes))


def uniform(advice: bots.Advice) -> float:
    """Return the mean chance over all legal decisions.

    A decision that the search hardly visited seems worse than it is, because the best replies after it were not
    searched for. So if values are estimates, one decision represents all others: it is drawn at random, and compared
    with the best and the one made. That is not exact, but neither too high nor too low on average.
    """
    compared, others = advice.choices[: advice.compared], len(advice.choices) - advice.compared
    worst = min((one.chance for one in compared if one.chance is not None), default=0.0)
    stands = [advice.of(advice.drawn)] * others if others and advice.drawn >= 0 else []
    chances = [worst if one.chance is None else one.chance for one in (*compared, *stands)]
    return sum(chances) / len(chances)


def _all(view: View, chance: float, shares: Sequence[float]) -> tuple[float, ...]:
    """Return the chances of all players: the rest goes to the others as it did in the search."""
    others = [shares[seat] if shares and seat != view.seat else 0.0 for seat in range(view.players)]
    whole = sum(others)
    if not whole:
        others, whole = [float(seat != view.seat) for seat in range(view.players)], view.players - 1.0
    return tuple(
        chance if seat == view.seat else (1 - chance) * share / (whole or 1) for seat, share in enumerate(others)
    )


def _mean(judgements: Sequence[Judgement], of: Callable[[Judgement], float]) -> float | None:
    return sum(map(of, judgements)) / len(judgements) if judgements else None
