"""Bots that play by a game's own `study/solver.py`, exactly as far as it goes.

See `parlour.core.contract.Solver`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from parlour.bots.advice import Advice, Choice
from parlour.bots.levels import misjudged
from parlour.bots.view import View, decision
from parlour.core.game import Game
from parlour.core.solving import solution
from parlour.core.struct import GameState
from parlour.engine import solved
from parlour.engine.interpreted import Engine

WORKSPACES = 4  # tables (editions, options) remembered by one bot


def names(game: Game) -> tuple[str, ...]:
    """Return the solver's bots, the best first; none if the game has no solver."""
    return tuple(game.solver.BOTS) if game.solver else ()


def exact(game: Game, players: int) -> bool:
    """Return whether the game's solver knows what each decision is worth with this many players."""
    return game.solver is not None and players in game.solver.EXACT


def about(game: Game, name: str) -> str:
    """Return a one-line description of a bot."""
    return game.solver.BOTS[name] if game.solver else ""


def driver(game: Game, name: str) -> int:
    """Return the bot's number in `parlour.engine.solved`."""
    return solved.SOLVER + names(game).index(name)


def workspaces(game: Game, state: GameState) -> Callable[[Engine], object]:
    """Return a function from an engine to one thread's workspace, for games from `state`."""
    return lambda engine: solution(game).workspace(game, engine, state)


@dataclass(frozen=True)
class SolvedBot:
    """Chooses the decision that the solver values most, the first of equals.

    A level that follows a solver's bot has a `name` of its own; it misjudges each decision by `noise`, as
    `parlour.bots.levels.Follows` says. The same view gives the same action, with either engine.
    """

    game: Game
    name: str
    follows: str = ""
    noise: float = 0.0
    _workspaces: dict[tuple[bool, tuple[int, ...]], object] = field(default_factory=dict, repr=False, compare=False)

    def choose(self, view: View, engine: Engine | None = None) -> int:
        """See `Chooser`."""
        if not self.noise:
            return self.advise(view, engine).best.action
        from parlour.engine import interpret

        actions, worths = self.values(view, engine or interpret(self.game))
        return actions[misjudged(worths, self.noise, view.seed)]

    @property
    def bot(self) -> str:
        """The solver's bot whose values these are."""
        return self.follows or self.name

    def advise(self, view: View, engine: Engine | None = None, beside: int = -1) -> Advice:  # noqa: ARG002 - all are compared
        """Return every legal decision, the best first.

        The chance to win is included if that is what the solver values.
        """
        from parlour.engine import interpret

        actions, worths = self.values(view, engine or interpret(self.game))
        order = sorted(range(len(actions)), key=lambda i: -worths[i])
        chances = self.game.solver is not None and self.bot in self.game.solver.CHANCES
        choices = tuple(Choice(actions[i], min(max(worths[i], 0.0), 1.0) if chances else None) for i in order)
        return Advice(view.seat, choices, compared=len(choices))

    def values(self, view: View, engine: Engine) -> tuple[list[int], list[float]]:
        """Return the legal decisions and their values according to the solver."""
        state = decision(self.game, view)
        key = (engine.compiled, view.table)
        if key not in self._workspaces:
            if len(self._workspaces) >= WORKSPACES:
                self._workspaces.clear()
            self._workspaces[key] = solution(self.game).workspace(self.game, engine, state)
        most = self.game.rules.MAX_LEGAL
        out, found = engine.integers(most), engine.reals(most)
        which = names(self.game).index(self.bot)
        n = engine.solver.values(which, engine.states(state, 2), out, self._workspaces[key], found)
        return [int(action) for action in out[:n]], [float(worth) for worth in found[:n]]


class Searching(Protocol):
    """The same as `parlour.bots.Adviser`, which imports this module."""

    def advise(self, view: View, engine: Engine | None = None, beside: int = -1) -> Advice: ...


@dataclass(frozen=True)
class Informed:
    """An `Adviser` that uses the solver where it is exact (`Solver.EXACT`), or else the search."""

    exact: SolvedBot
    search: Searching

    def advise(self, view: View, engine: Engine | None = None, beside: int = -1) -> Advice:
        """See `Adviser`."""
        known = exact(self.exact.game, view.players)
        return (self.exact if known else self.search).advise(view, engine, beside)
