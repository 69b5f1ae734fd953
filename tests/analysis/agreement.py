"""Hint and analysis are asked about the same decisions of whole games, and must give one answer
(`scripts/nightly --agreement N`: about N decisions of each ruleset).

In each game one seat plays at random, one looks a step ahead and the others search a little, so that what is judged is
good and bad play. There is no clock: both search as far as hints do, or a given number of simulations.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from parlour import bots
from parlour.analysis.evaluation import Decision, Judgement, judge
from parlour.analysis.shapes import Shape, shapes
from parlour.bots import Advice, Adviser, View
from parlour.bots.advice import EXACT
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.engine import compile

FAR = 0.05  # of the chance to win: hint and analysis contradict each other


@dataclass
class Keeping:
    """An adviser whose last answer can be looked at."""

    adviser: Adviser
    last: Advice = field(default_factory=lambda: Advice(0, ()))

    def advise(self, view: View, engine: Any = None, beside: int = -1) -> Advice:
        """See `Adviser`."""
        self.last = self.adviser.advise(view, engine, beside)
        return self.last


@dataclass(frozen=True)
class Pair:
    """What hint and analysis say of one decision."""

    decision: Decision
    hint: Advice
    judged: Judgement
    looked: Advice

    @property
    def gap(self) -> float:
        """How far the chance with the best decision is from what the hint says, upwards if the analysis says more."""
        return self.judged.before - (self.hint.chance or 0.0)

    @property
    def same(self) -> bool:
        """Whether both call the same decision best."""
        return self.looked.best.action == self.hint.best.action

    @property
    def beyond(self) -> bool:
        """Whether the decision played is better than all that the hint compared, by more than the noise."""
        return not self.looked.alike(self.looked.best, self.looked.of(self.hint.best.action))

    def faults(self) -> Iterator[str]:
        """Yield the faults of the pair, in words."""
        judged, looked = self.judged, self.looked
        compared = looked.choices[: looked.compared]
        if max(choice.chance or 0.0 for choice in compared) > judged.before:
            yield "a decision that was compared is above the best"
        if judged.after > judged.before or (judged.other_chance or 0.0) > judged.before:
            yield "the one made, or the other, is above the best"
        if not self.same and looked.best.action != self.decision.action:
            yield "hint and analysis name different decisions, and neither was played"
        if self.gap < -EXACT or (self.same and self.gap > EXACT):
            yield "the hint names another chance"
        made, other = looked.of(self.decision.action), looked.of(judged.other_action)
        if judged.alike and not looked.alike(made, other):
            yield "as good, but beyond the noise"
        if judged.mark and looked.alike(looked.best, made):
            yield "marked within the noise"


def every_ruleset(games: Sequence[Game], *, most: bool = False) -> list[Shape]:
    """Each ruleset of these games once, with the fewest or the most players."""
    found = [shape for game in games for shape in shapes(game, players=game.facts.players[most])]
    return list({(shape.game.name, shape.ruleset): shape for shape in reversed(found)}.values())[::-1]


def pairs(
    shape: Shape, seed: int, adviser: Adviser, engine: Any = None, *, players: Sequence[str], every: int = 1
) -> Iterator[Pair]:
    """Play a whole game between these bots; ask about one in `every` decisions with a choice."""
    keeping, game = Keeping(adviser), shape.game
    known = [bots.find(game, name) for name in players]
    match = Match(game, shape.players, edition=shape.edition, options=shape.options, seed=seed)
    met = 0
    while not match.over:
        seat, legal = match.current_player, match.legal_action_ids()
        view = View.of(match, seat)
        action = known[(seat + seed) % len(known)].choose(view, engine)
        if len(legal) > 1:
            met += 1
            if met % every == 0:
                made = Decision(match.version, view, action, len(legal))
                hint = adviser.advise(view, engine)
                yield Pair(made, hint, judge(game, made, keeping, engine), keeping.last)
        match.play(action)


def main(names: Sequence[str], decisions: int, seed: int, known: Sequence[Game], simulations: int = 0) -> int:
    """Ask about this number of decisions of each ruleset of the games named, or of all; return the number of faults.

    Hint and analysis search `simulations` a decision, or a hint's own number if this is 0.

    Rulesets take turns, a game each, and each game prints a line, so that a run that is cut off says how far it came.
    """
    chosen = [game for game in known if not names or game.name in names]
    totals = {str(shape): Total(shape) for shape in every_ruleset(chosen)}
    while open_ := [total for total in totals.values() if total.decisions < decisions]:
        for total in open_:
            total.play(seed, simulations)
            print(total, flush=True)
    return sum(total.faults for total in totals.values())


@dataclass
class Total:
    """What was found in the games of one ruleset so far."""

    shape: Shape
    games: int = 0
    decisions: int = 0
    same: int = 0
    beyond: int = 0
    far: int = 0
    worst: float = 0.0
    faults: int = 0
    seconds: float = 0.0

    def play(self, seed: int, simulations: int) -> None:
        """Ask about one more game; the numbers of players take turns."""
        fewest, most = self.shape.game.facts.players
        shape = replace(self.shape, players=fewest + self.games % (most - fewest + 1))
        game, began = shape.game, time.monotonic()
        adviser = bots.adviser(game, simulations=simulations or bots.plan(game, bots.ADVICE).simulations)
        players = ("easy", *bots.simulated(game))
        for pair in pairs(shape, seed + self.games, adviser, compile(game), players=players):
            self.decisions += 1
            self.same += pair.same
            self.beyond += pair.beyond
            self.far += abs(pair.gap) > FAR
            self.worst = max(self.worst, abs(pair.gap))
            for fault in pair.faults():
                self.faults += 1
                print(f"BROKEN {shape} seed {seed + self.games}, step {pair.decision.step + 1}: {fault}", flush=True)
        self.games += 1
        self.seconds += time.monotonic() - began

    def __str__(self) -> str:
        name = f"{self.shape.game.name} {self.shape.ruleset}".strip()
        return (
            f"{name:<32} {self.games:>4} games {self.decisions:>6,} decisions; the same one best {self.same:>6,}, "
            f"the one played better beyond the noise {self.beyond:>4}, more than {FAR:.0%} apart {self.far:>4}, "
            f"at worst {self.worst:.1%}; faults {self.faults}; {self.seconds:.0f} s"
        )
