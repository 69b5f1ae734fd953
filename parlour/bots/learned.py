"""Bots and advice by a game's network, which judges what each decision leads to and looks no further."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Protocol

from parlour.bots.advice import Advice, Choice
from parlour.bots.nets import of_view
from parlour.bots.search import COMPARED, FOLLOWING, Reals
from parlour.bots.view import View, decision
from parlour.core.game import Game
from parlour.core.struct import GameState
from parlour.engine import interpret
from parlour.engine.interpreted import Engine
from parlour.engine.weights import Weights
from parlour.engine.work import Buffers, Net

# The standard error of the difference that a network sees between two decisions. A policy may have its own, which
# `parlour regret` measures beside the errors of bots.
NET_ERROR = 0.03
DESKS = 8  # editions, options and numbers of players whose buffers a bot remembers


class Searching(Protocol):
    """Plays and advises where no network can judge."""

    def choose(self, view: View, engine: Engine | None = None) -> int: ...
    def advise(self, view: View, engine: Engine | None = None, beside: int = -1) -> Advice: ...


@dataclass(frozen=True)
class LearnedBot:
    """Makes the decision after which the network sees the best chance to win, the first of equals.

    The same view gives the same action, with either engine. Where the game brings no network along, or the edition is
    not the game's own, `otherwise` decides, and advises.
    """

    game: Game
    name: str
    otherwise: Searching
    _desks: dict[tuple[bool, tuple[int, ...]], tuple[Net, Reals, Buffers]] = field(
        default_factory=dict, repr=False, compare=False
    )

    def choose(self, view: View, engine: Engine | None = None) -> int:
        """See `parlour.bots.Chooser`."""
        engine = engine or interpret(self.game)
        weights = of_view(self.game, view)
        if weights is None:
            return self.otherwise.choose(view, engine)
        actions, shares, _ = self._weighed(decision(self.game, view), view, engine, weights)
        return actions[shares.index(max(shares))]

    def advise(self, view: View, engine: Engine | None = None, beside: int = -1) -> Advice:
        """See `parlour.bots.Adviser`. All decisions are compared; NET_ERROR says how far off they may be."""
        engine = engine or interpret(self.game)
        weights = of_view(self.game, view)
        if weights is None:
            return self.otherwise.advise(view, engine, beside)
        actions, shares, seats = self._weighed(decision(self.game, view), view, engine, weights)
        order = sorted(range(len(actions)), key=lambda place: -shares[place])
        noise = getattr(self.game.policy, "NET_ERROR", NET_ERROR) ** 2 / 2
        choices = [Choice(actions[place], shares[place], noise=noise) for place in order]
        best = [replace(one, line=self._line(one.action, view, engine, weights)) for one in choices[:COMPARED]]
        rest = choices[COMPARED:]
        return Advice(view.seat, (*best, *rest), shares=tuple(seats), compared=len(choices), judged=True)

    def _line(self, action: int, view: View, engine: Engine, weights: Weights) -> tuple[int, ...]:
        """Return what the seat would decide next, as long as it is its turn and nothing is left to chance."""
        state = view.state(self.game)
        self.game.rules.apply(state, action)
        found: list[int] = []
        while len(found) < FOLLOWING and self.game.rules.current_player(state) == view.seat:
            actions, shares, _ = self._weighed(state, view, engine, weights)
            found.append(actions[shares.index(max(shares))])
            self.game.rules.apply(state, found[-1])
        return tuple(found)

    def _weighed(
        self, state: GameState, view: View, engine: Engine, weights: Weights
    ) -> tuple[list[int], list[float], list[float]]:
        """Return all legal actions of the view's seat in a state, the share that the network sees after each, and every
        seat's after the best."""
        key = (engine.compiled, view.table)
        if key not in self._desks:
            if len(self._desks) >= DESKS:
                self._desks.clear()
            self._desks[key] = engine.net(weights), engine.reals(view.players), engine.buffers(state)
        net, reward, buffers = self._desks[key]
        shares, seats = engine.reals(self.game.rules.MAX_LEGAL), engine.reals(view.players)
        n = engine.learned.weigh(engine.states(state, 1), shares, seats, net, reward, buffers)
        return list(map(int, buffers.out[:n])), list(map(float, shares[:n])), list(map(float, seats))
