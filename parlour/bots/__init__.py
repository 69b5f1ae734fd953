"""Bots: each is something that chooses from a `View`, which is what one seat may know and nothing more.

Nothing here loads NumPy or Numba until a compiled engine is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from parlour.bots.view import View
from parlour.core.errors import BadSetup, UnknownName
from parlour.core.game import Game
from parlour.core.rng import RNG_SIZE, seed_rng
from parlour.engine import drivers, interpret

__all__ = ["BOTS", "Bot", "View", "find", "names"]

BOTS = {"greedy": drivers.GREEDY, "random": drivers.RANDOM}  # the best first; the number is what drivers know it by
NEEDS_POLICY = ("greedy",)


def names(game: Game) -> tuple[str, ...]:
    """The bots that can play `game`, the best first."""
    return tuple(name for name in BOTS if game.policy is not None or name not in NEEDS_POLICY)


def find(game: Game, name: str) -> Bot:
    """The bot called `name`. UnknownName lists those that play this game."""
    if name not in names(game):
        raise UnknownName(f"{game.name} has no bot {name!r}.", allowed=names(game))
    return Bot(game, name)


@dataclass(frozen=True)
class Bot:
    """A bot for one game. It keeps what it has worked out, so asking it again is faster; not to be shared by threads.

    `random` chooses evenly among the legal actions. `greedy` chooses the action after which the game's own
    `policy.value`, averaged exactly over the chance event that follows, is highest; of equals the first.
    """

    game: Game
    name: str
    _buffers: dict[tuple[bool, tuple[int, ...]], Any] = field(default_factory=dict, repr=False, compare=False)

    def choose(self, view: View, engine: Any = None) -> int:
        """A legal action for the seat that `view` is of. The same view gives the same action, with either engine.

        `engine` is what plays: plain unless given. BadSetup when the view is of another game or it is not his turn.
        """
        if view.game != self.game.name:
            raise BadSetup(f"This bot plays {self.game.name}, not {view.game}.")
        engine = engine or interpret(self.game)
        state = view.state(self.game)
        if self.game.rules.current_player(state) != view.seat:
            raise BadSetup(f"Seat {view.seat + 1} has no decision to make.")
        rng = engine.integers(RNG_SIZE)
        seed_rng(rng, view.seed, view.seat)
        out, outcomes, weights, scratch, memo = self._room(engine, view, state)
        states = engine.states(state, 1)
        bot = BOTS[self.name]
        return int(engine.drivers.choose_first(bot, states, rng, out, outcomes, weights, scratch, memo))

    def _room(self, engine: Any, view: View, state: Any) -> Any:
        """Buffers, and what has been worked out under the same options (a memo is good for one set of them)."""
        key = (engine.compiled, view.table)
        if key not in self._buffers:
            if len(self._buffers) > 8:
                self._buffers.clear()
            self._buffers[key] = engine.buffers(state)
        return self._buffers[key]
