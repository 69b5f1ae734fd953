"""What decisions are worth, by a closer look than a hint takes: what errors of bots and puzzles are measured by.

Where the game's solver is exact, it says. Where a network judges hints, games are played on from the decisions, by the
network at every seat, with what the deciding player cannot know dealt anew in each: a rollout, as backgammon has them
(G. Tesauro and G. Galperin, "On-line Policy Improvement using Monte-Carlo Search", 1996). Else a long search says.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from parlour import bots
from parlour.analysis.estimates import Floats
from parlour.bots import Advice, SearchBot, View, nets, solved
from parlour.bots.advice import Choice
from parlour.bots.learned import LearnedBot
from parlour.bots.search import to_compare
from parlour.core.game import Game
from parlour.core.rng import RNG_SIZE
from parlour.engine import learned, work
from parlour.engine.interpreted import Engine

A_GAME = 10  # simulations of a search that one game played on from each decision is worth
LONGEST = 5_000  # decisions of a game that is played on


class Valuer:
    """Values the best decisions of a view, and some others, equally closely. A search has `simulations` before it
    compares them. Or a network plays games on from each decision, one for ten of these simulations."""

    def __init__(self, game: Game, engine: Engine, players: int, simulations: int) -> None:
        self.game, self.engine = game, engine
        self.exact = solved.exact(game, players)
        deep = replace(bots.plan(game, bots.ADVICE), simulations=simulations, seconds=None)
        self._search = SearchBot(game, bots.ADVICE, deep, afresh=True)
        self._judge = bots.judging(game, self._search)
        self._games = max(1, simulations // A_GAME)

    def judged(self, view: View) -> bool:
        """Return whether hints ask a network."""
        return not self.exact and self._judge is not None and nets.of_view(self.game, view) is not None

    def glance(self, view: View) -> Advice:
        """Return what a network says at once, or else `value`."""
        return self._judge.advise(view, self.engine) if self._judge and self.judged(view) else self.value(view)

    def value(self, view: View, beside: tuple[int, ...] = ()) -> Advice:
        """Return the value of the decisions `beside`, of the best ones, and of some drawn from the others; chances are
        as they were found. Of games that are played on, the network's choice is first, or luck would be taken for
        worth."""
        if self.exact:
            return solved.SolvedBot(self.game, solved.names(self.game)[0]).advise(view, self.engine)
        if self._judge and self.judged(view):
            return self._played_on(self._judge, view, beside)
        return self._search.value(view, self.engine, beside)

    def _played_on(self, judge: LearnedBot, view: View, beside: tuple[int, ...]) -> Advice:
        found = judge.advise(view, self.engine)
        chosen, drawn = to_compare(found, view, *beside)
        shares = [play_on(self.game, self.engine, view, action, self._games).mean(0) for action in chosen]
        choices = (
            Choice(action, float(one[view.seat]), self._games) for action, one in zip(chosen, shares, strict=True)
        )
        rest = (one for one in found.choices if one.action not in chosen)
        made, of_all = self._games * len(chosen), tuple(map(float, shares[0]))
        return Advice(view.seat, (*choices, *rest), made, of_all, compared=len(chosen), drawn=drawn)


def play_on(game: Game, engine: Engine, view: View, action: int, games: int) -> Floats:
    """Return each seat's share of the win, (games, seats), in games that the network plays on from a decision of a
    view. They have the same deals for each decision. The game must have a network for the view."""
    state, weights, seats = view.state(game), nets.of_view(game, view), view.players
    net, shares = engine.net(weights), np.zeros((games, seats))
    engine.learned.play_on(
        engine.states(state, 1), engine.states(state, 1), action, np.full(seats, learned.LEARNED),
        engine.integers(RNG_SIZE), work.Games(view.seed, 0, games, LONGEST), engine.buffers(state), shares,
        (net, net, engine.reals(seats)),
    )  # fmt: skip
    return shares
