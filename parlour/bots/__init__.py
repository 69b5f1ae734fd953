"""Bots: each is something that chooses from a `View`, which is what one seat may know and nothing more.

Nothing here loads NumPy or Numba until a compiled engine is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Protocol

from parlour.bots import solved
from parlour.bots.advice import Advice, Choice
from parlour.bots.levels import ADVICE, LEVELS, plan
from parlour.bots.search import Plan, Searcher
from parlour.bots.view import View, decision
from parlour.core.errors import BadSetup, UnknownName
from parlour.core.game import Game
from parlour.core.rng import RNG_SIZE, seed_rng
from parlour.engine import drivers, interpret

__all__ = [
    "ADVICE", "BOTS", "LEVELS", "Advice", "Adviser", "Bot", "Choice", "Plan", "PolicyBot", "SearchBot", "View",
    "adviser", "default", "driver", "find", "names", "plan", "seated", "simulated",
]  # fmt: skip

BOTS = {"greedy": drivers.GREEDY, "random": drivers.RANDOM}  # by the number that drivers know it by
NEEDS_POLICY = ("greedy",)
DEFAULT = "medium"


class Bot(Protocol):
    """A bot for one game. It keeps what it has worked out, so asking again is faster; not to be shared by threads."""

    @property
    def game(self) -> Game: ...
    @property
    def name(self) -> str: ...
    def choose(self, view: View, engine: Any = None) -> int:
        """A legal action for the seat that `view` is of; `engine` is what plays: plain unless given.

        BadSetup when the view is of another game or it is not the seat's turn.
        """
        ...


class Adviser(Protocol):
    """Says what every decision of a position is worth. Not to be shared by threads."""

    def advise(self, view: View, engine: Any = None, beside: int = -1, top: int = 1) -> Advice:
        """Every legal decision with the chance to win; errors as in `Bot.choose`. Where that is estimated, the legal
        decision `beside` and the `top` ones are looked at as closely as the best."""
        ...

    def forget(self) -> None:
        """Let the next answer not depend on what was asked before."""
        ...


def names(game: Game) -> tuple[str, ...]:
    """The bots that can play `game`, the best first."""
    return (*solved.names(game), *LEVELS, *simulated(game))


def simulated(game: Game) -> tuple[str, ...]:
    """Those of them that play inside compiled loops, thousands of games a second; the best first."""
    return tuple(name for name in BOTS if game.policy is not None or name not in NEEDS_POLICY)


def driver(game: Game, name: str, *, solver: bool = False) -> int:
    """The number by which compiled loops know a bot: `parlour.engine.drivers` a simulated one, and with `solver`
    `parlour.engine.solved` the solver's too. UnknownName lists them."""
    exact = solved.names(game) if solver else ()
    if name in exact:
        return solved.driver(game, name)
    if name not in simulated(game):
        why = "does not play in this; `parlour bots` says where it does" if name in names(game) else "does not exist"
        raise UnknownName(f"The bot {name!r} of {game.name} {why}.", allowed=(*exact, *simulated(game)))
    return BOTS[name]


def seated(named: str | Sequence[str] | None, players: int) -> tuple[str, ...]:
    """One bot for each seat: those `named`, in order, or for all seats the one that is named alone (random where none
    is). BadSetup when there are as many neither as seats nor as one."""
    given = (named,) if isinstance(named, str) else named or ("random",)
    if not isinstance(given, Sequence):
        raise BadSetup(f"Bots are named by one text, or by a list of them, not by {named!r}.")
    if len(given) == 1:
        return tuple(given) * players
    if len(given) != players:
        raise BadSetup(f"{len(given)} bots were named for {players} seats; name one for each seat, or one for all.")
    return tuple(given)


def default(game: Game) -> str:
    """The bot that a person meets who chose none."""
    return DEFAULT if DEFAULT in names(game) else names(game)[0]


def find(game: Game, name: str) -> Bot:
    """The bot called `name`. UnknownName lists those that play this game."""
    if name not in names(game):
        raise UnknownName(f"{game.name} has no bot {name!r}.", allowed=names(game))
    if name in solved.names(game):
        return solved.SolvedBot(game, name)
    return SearchBot(game, name, plan(game, name)) if name in LEVELS else PolicyBot(game, name)


def adviser(
    game: Game, level: str = ADVICE, *, simulations: int | None = None, seconds: float | None = None
) -> Adviser:
    """Who is asked what a position is worth, for hints and analyses: a search (as good as the best bot's unless a level
    is given), or the game's solver where it is exact. UnknownName."""
    if level not in (ADVICE, *LEVELS):
        raise UnknownName(f"There is no level {level!r}.", allowed=(ADVICE, *LEVELS))
    usual = plan(game, level)
    limit = seconds if seconds is not None or simulations is not None else usual.seconds
    search = SearchBot(game, level, replace(usual, simulations=simulations or usual.simulations, seconds=limit))
    known = solved.names(game)
    return solved.Informed(solved.SolvedBot(game, known[0]), search) if known else search


@dataclass(frozen=True)
class PolicyBot:
    """`random` chooses evenly among the legal actions. `greedy` chooses the action after which the game's own
    `policy.value`, averaged exactly over the chance event that follows, is highest; of equals the first.

    The same view gives the same action, with either engine.
    """

    game: Game
    name: str
    _buffers: dict[tuple[bool, tuple[int, ...]], Any] = field(default_factory=dict, repr=False, compare=False)

    def choose(self, view: View, engine: Any = None) -> int:
        """See `Bot`."""
        engine = engine or interpret(self.game)
        state = decision(self.game, view)
        rng = engine.integers(RNG_SIZE)
        seed_rng(rng, view.seed, view.seat)
        states, buffers = engine.states(state, 1), self._room(engine, view, state)
        return int(engine.drivers.choose_first(BOTS[self.name], states, rng, buffers))

    def _room(self, engine: Any, view: View, state: Any) -> Any:
        """Buffers, and what has been worked out under the same options (a memo is good for one set of them)."""
        key = (engine.compiled, view.table)
        if key not in self._buffers:
            if len(self._buffers) > 8:
                self._buffers.clear()
            self._buffers[key] = engine.buffers(state)
        return self._buffers[key]


@dataclass(frozen=True)
class SearchBot:
    """Searches by `plan` and makes the decision that it looked at most often."""

    game: Game
    name: str
    plan: Plan

    def choose(self, view: View, engine: Any = None) -> int:
        """See `Bot`. With a plan without `seconds` the same views in the same order give the same action."""
        return self.advise(view, engine).best.action

    def advise(self, view: View, engine: Any = None, beside: int = -1, top: int = 1) -> Advice:
        """Every legal decision with the chance to win; errors as in `choose`. `beside` and `top`: see `Adviser`."""
        decision(self.game, view)
        return self._searcher.advise(view, engine or interpret(self.game), beside, top)

    def forget(self) -> None:
        """See `Adviser`."""
        self._searcher.forget()

    @cached_property
    def _searcher(self) -> Searcher:
        return Searcher(self.game, self.plan)
