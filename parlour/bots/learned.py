"""Bots that let a game's network judge what each decision leads to, and look no further."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from parlour.bots.nets import of_view
from parlour.bots.search import Reals
from parlour.bots.view import View, decision
from parlour.core.game import Game
from parlour.engine import interpret
from parlour.engine.interpreted import Engine
from parlour.engine.work import Buffers, Net

DESKS = 8  # editions, options and numbers of players whose buffers a bot remembers


class Plays(Protocol):
    """Plays where no network can judge."""

    def choose(self, view: View, engine: Engine | None = None) -> int: ...


@dataclass(frozen=True)
class LearnedBot:
    """Makes the decision after which the network sees the best chance to win, the first of equals.

    The same view gives the same action, with either engine. Where the game brings no network along, or the edition is
    not the game's own, `otherwise` decides.
    """

    game: Game
    name: str
    otherwise: Plays
    _desks: dict[tuple[bool, tuple[int, ...]], tuple[Net, Reals, Buffers]] = field(
        default_factory=dict, repr=False, compare=False
    )

    def choose(self, view: View, engine: Engine | None = None) -> int:
        """See `parlour.bots.Chooser`."""
        engine = engine or interpret(self.game)
        state = decision(self.game, view)
        weights = of_view(self.game, view)
        if weights is None:
            return self.otherwise.choose(view, engine)
        key = (engine.compiled, view.table)
        if key not in self._desks:
            if len(self._desks) >= DESKS:
                self._desks.clear()
            self._desks[key] = engine.net(weights), engine.reals(view.players), engine.buffers(state)
        return int(engine.learned.choose_first(engine.states(state, 1), *self._desks[key]))
