"""What the decisions of bots cost: positions from games, in which each bot is asked, and all their choices are valued.

Games are between bots of mixed levels, as those that puzzles are mined from. Of each, a few decisions with a choice are
drawn. Every bot is asked in every one, with no clock. Their choices, the best ones that are known and some drawn from
the others are then valued equally closely (`valuing`), with draws of their own, and their chances corrected as those of
hints are (`parlour.bots.chances`). What a bot's choice loses against the best of these is its error (regret), as in
backgammon. Where a network's games value them, its own choice is taken for the best.

From the same positions follows what accuracy is said of a bot: one minus its errors divided by those of random choices
(`parlour.analysis.evaluation`). A player who decides half at random has the mean of both. Intervals are by game, as
positions of one game are alike.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import msgspec

from parlour import bots
from parlour.analysis import estimates, mining
from parlour.analysis.evaluation import Decision, decisions, uniform
from parlour.analysis.plans import Given, Plan
from parlour.analysis.valuing import Valuer
from parlour.bots import Advice, View
from parlour.bots.advice import Choice
from parlour.bots.chances import shown
from parlour.core.errors import BadSetup, UnknownName
from parlour.core.game import Game
from parlour.engine.interpreted import Engine

HERE = __name__
A_GAME = 6  # positions drawn from one game at most
SIMULATIONS = 10_000  # of the long search, before it compares choices


class Asked(msgspec.Struct, frozen=True):
    """A position, and what each bot's choice loses there, by its name. `stake`: what a random choice loses on average;
    `agreed`: whether all bots but the random one chose the same; `off`: see `Judge.off`."""

    stake: float
    agreed: bool
    lost: dict[str, float]
    off: float | None = None


@dataclass(frozen=True, slots=True)
class Share:
    """A ratio over games, with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Row:
    """A bot in all positions: its mean error a decision, in how many of them it lost nothing, and its accuracy."""

    bot: str
    error: Share
    best: int
    accuracy: Share


def plan(way: mining.Way, named: Sequence[str], positions: int) -> Plan:
    """Return the plan that asks the bots `named` in this many positions, a block for each game. Raises UnknownName,
    BadSetup."""
    game = Game(*way.game)
    for name in named:
        if name not in bots.names(game):
            raise UnknownName(f"{game.name} has no bot {name!r}.", allowed=bots.names(game))
    if len(named) < 1 or positions < 1:
        raise BadSetup("At least one bot and one position are needed.")
    blocks = [
        {"number": number, "positions": min(A_GAME, positions - number * A_GAME)}
        for number in range(-(-positions // A_GAME))
    ]
    common = {"way": msgspec.to_builtins(way), "bots": list(named)}
    return Plan(f"{HERE}:block", common, blocks, (way.game[0],))


def block(common: Given, given: Given) -> bytes:
    """Play one game and ask the bots in some of its positions. Return what they lost, as JSON."""
    from parlour.bots import worker

    way, named = msgspec.convert(common["way"], mining.Way), msgspec.convert(common["bots"], list[str])
    game, number = Game(*way.game), int(str(given["number"]))
    engine = worker.warm(game)
    found = decisions(mining.mixed(way, game, engine, number))
    luck = Random(f"{mining.SCHEME}/regret/{way.seed}/{number}")
    drawn = sorted(luck.sample(range(len(found)), min(int(str(given["positions"])), len(found))))
    judge = Judge(game, engine, way)
    return msgspec.json.encode([asked(game, engine, found[place], named, judge) for place in drawn])


class Judge:
    """Values some decisions of a view equally closely."""

    def __init__(self, game: Game, engine: Engine, way: mining.Way) -> None:
        self.game = game
        self._valuer = Valuer(game, engine, way.players, way.simulations)

    def values(self, view: View, chosen: Sequence[int]) -> Advice:
        """Return the value of these decisions, of the best ones, and of some drawn from the others."""
        anew = view if self._valuer.exact else mining.again(self.game, view, "regret")
        return shown(self.game, view, self._valuer.value(anew, tuple(chosen)))

    def off(self, view: View, valued: Advice) -> float | None:
        """Return the mean square by which a network misjudges how far the decisions that were valued are from the
        first, less what luck adds to it; None where hints ask no network."""
        hint = shown(self.game, view, self._valuer.glance(view)) if self._valuer.judged(view) else None
        first, *others = valued.choices[: valued.compared]
        if hint is None or not others:
            return None
        misjudged = [_apart(hint, first, one) - _apart(valued, first, one) for one in others]
        luck = math.fsum(first.variance + one.variance for one in others)
        return (math.fsum(one**2 for one in misjudged) - luck) / len(others)


def asked(game: Game, engine: Engine, one: Decision, named: Sequence[str], judge: Judge) -> Asked:
    """Ask bots in a position, and value what they choose."""
    chosen = {name: bots.find(game, name, repeatable=True).choose(one.view, engine) for name in named}
    thinking = {action for name, action in chosen.items() if name != mining.RANDOM}
    advice = judge.values(one.view, sorted(set(chosen.values())))
    best = advice.chance or 0.0
    lost = {name: best - (advice.of(action).chance or 0.0) for name, action in chosen.items()}
    return Asked(best - uniform(advice), len(thinking) == 1, lost, judge.off(one.view, advice))


def _apart(said: Advice, one: Choice, other: Choice) -> float:
    return (said.of(one.action).chance or 0.0) - (said.of(other.action).chance or 0.0)


def network(games: Sequence[Sequence[Asked]]) -> float | None:
    """Return the standard error of a difference of two decisions that a network sees; None where hints ask none."""
    found = [one.off for game in games for one in game if one.off is not None]
    return max(0.0, math.fsum(found) / len(found)) ** 0.5 if found else None


def rows(named: Sequence[str], games: Sequence[Sequence[Asked]]) -> list[Row]:
    """Return what each bot loses, from the positions of all games."""
    count = [float(len(game)) for game in games]
    stake = [math.fsum(one.stake for one in game) for game in games]
    found = []
    for name in named:
        lost = [math.fsum(one.lost[name] for one in game) for game in games]
        best = sum(one.lost[name] <= 0.0 for game in games for one in game)
        share = ratio(lost, stake)
        accuracy = Share(1 - share.value, 1 - share.high, 1 - share.low)
        found.append(Row(name, ratio(lost, count), best, accuracy))
    return found


def ratio(parts: Sequence[float], wholes: Sequence[float]) -> Share:
    """Return sum(parts) / sum(wholes) with a 95 % interval: games vary, not decisions. Not a number without wholes."""
    found = estimates.ratio(parts, wholes)
    return Share(math.nan, math.nan, math.nan) if found is None else Share(found.value, *found.interval)
