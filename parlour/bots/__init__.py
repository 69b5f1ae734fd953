"""Bots: each chooses from a `View`, which holds what one seat may know and nothing more.

Nothing here loads NumPy or Numba until a caller wants a compiled engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol

from parlour.bots import levels, solved
from parlour.bots.advice import Advice, Choice
from parlour.bots.chances import Corrected
from parlour.bots.learned import LearnedBot
from parlour.bots.levels import (
    ADVICE,
    BOTS,
    DEFAULT,
    LEARNED,
    LEVELS,
    Follows,
    declared,
    plan,
    standing,
    terms,
    twins,
)
from parlour.bots.search import Plan, Searcher
from parlour.bots.view import View, decision
from parlour.core.errors import BadSetup, UnknownName, positive, text, texts, whole
from parlour.core.game import Game
from parlour.core.rng import RNG_SIZE, seed_rng
from parlour.core.struct import GameState
from parlour.engine import interpret
from parlour.engine.interpreted import Engine
from parlour.engine.work import Buffers

__all__ = [
    "ADVICE", "BOTS", "LEVELS", "Advice", "Adviser", "Choice", "Chooser", "Plan", "PolicyBot", "SearchBot", "View",
    "adviser", "briefest", "choices", "declared", "default", "driver", "find", "names", "plan", "seated", "simulated",
    "standing", "terms",
]  # fmt: skip

NEEDS_POLICY = ("greedy",)
FEWEST = 10  # simulations
TABLES = 8  # editions, options and numbers of players whose buffers a bot remembers


class Chooser(Protocol):
    """A bot for one game.

    It caches its work, so repeated questions are faster; do not share it between threads.
    """

    @property
    def game(self) -> Game: ...
    @property
    def name(self) -> str: ...
    def choose(self, view: View, engine: Engine | None = None) -> int:
        """Return a legal action for the seat of `view`; `engine` (plain by default) plays the game.

        Raises BadSetup if the view is of another game or it is not the seat's turn.
        """
        ...


class Adviser(Protocol):
    """Says what is best in a position, to hints and analyses alike. Do not share it between threads."""

    def advise(self, view: View, engine: Engine | None = None, beside: int = -1) -> Advice:
        """Return every legal decision with the chance to win, the highest first. Raises what `Chooser.choose` raises.

        An adviser that estimates compares a few, and the legal decision `beside` with them; the others come after
        these. Without a limit of time the same view gives the same answer, whatever was asked before.
        """
        ...


def names(game: Game) -> tuple[str, ...]:
    """Return the bots that can play `game`, the best first: a bot is better than a level that follows it with noise.

    `learned` is one where a level follows it.
    """
    found = [*solved.names(game)]
    for name, one in declared(game).items():
        found += [one.bot, name] if isinstance(one, Follows) and (one.noise or one.bot == LEARNED) else [name]
    return tuple(dict.fromkeys((*found, *simulated(game))))


def choices(game: Game) -> tuple[str, ...]:
    """Return the bots that a person chooses from, the best first: `names`, but a bot that a level plays exactly has
    the level's name only."""
    same = twins(game)
    return tuple(dict.fromkeys(same.get(name, name) for name in names(game)))


def simulated(game: Game) -> tuple[str, ...]:
    """Return the bots that play in compiled loops, thousands of games per second; best first."""
    return tuple(name for name in BOTS if game.policy is not None or name not in NEEDS_POLICY)


def driver(game: Game, name: str, *, solver: bool = False) -> int:
    """Return the number of a bot in compiled loops.

    `parlour.engine.drivers` knows the simulated bots; `solver` adds the solver's bots, which
    `parlour.engine.solved` knows. Raises UnknownName, which lists them.
    """
    exact = solved.names(game) if solver else ()
    if name in exact:
        return solved.driver(game, name)
    if name not in simulated(game):
        why = "is not compiled" if name in names(game) else "does not exist"
        raise UnknownName(f"The bot {name!r} of {game.name} {why}.", allowed=(*exact, *simulated(game)))
    return BOTS[name]


def seated(named: str | Sequence[str] | None, players: int) -> tuple[str, ...]:
    """Return one bot for each seat: those `named`, in order, or a single one for all seats.

    A random bot is the default. Raises BadSetup if the number of bots is neither one nor the number
    of seats.
    """
    named = "random" if named is None else named
    given = texts((named,) if isinstance(named, str) else named, "Bots")
    if len(given) == 1:
        return tuple(given) * players
    if len(given) != players:
        raise BadSetup(f"{len(given)} bots were named for {players} seats; name one for each seat, or one for all.")
    return tuple(given)


def default(game: Game) -> str:
    """Return the bot for a person who has chosen none."""
    return standing(game, DEFAULT)


def find(game: Game, name: str, *, repeatable: bool = False) -> Chooser:
    """Return the bot called `name`. Raises UnknownName, which lists the bots of this game.

    A `repeatable` one gives the same action for the same view, on any machine, whatever it was asked before.
    """
    if text(name, "A bot's name", UnknownName) not in names(game):
        raise UnknownName(f"{game.name} has no bot {name!r}.", allowed=names(game))
    level = declared(game).get(name, Follows(name))
    if isinstance(level, Follows):
        if level.bot in solved.names(game):
            return solved.SolvedBot(game, name, level.bot, level.noise)
        if level.bot == LEARNED:
            return LearnedBot(game, name, _searching(game, twins(game)[LEARNED], repeatable))
        return PolicyBot(game, name, level.bot, level.noise)
    return _searching(game, name, repeatable)


def _searching(game: Game, level: str, repeatable: bool) -> SearchBot:
    usual = plan(game, level)
    return SearchBot(game, level, replace(usual, seconds=None) if repeatable else usual, repeatable)


def adviser(
    game: Game,
    level: str = ADVICE,
    *,
    simulations: int | None = None,
    seconds: float | None = None,
    shared: int | None = None,
    corrected: bool = True,
) -> Adviser:
    """Return the adviser for hints and analyses.

    It is a search (as good as the expert's unless a level is given), or the game's solver where that is exact. Where
    the best level plays by a network, that network advises, unless a number of simulations is given. Compiled, a search
    has no limit of time unless `seconds` says one: it gives the same answer on every machine. `shared`: the decisions
    of a game that share the simulations of its analysis. `corrected`: whether its chances are (`parlour.bots.chances`);
    never if a level is given, as it was not compared with results. Raises UnknownName.
    """
    if text(level, "A level", UnknownName) not in (ADVICE, *LEVELS):
        raise UnknownName(f"There is no level {level!r}.", allowed=(ADVICE, *LEVELS))
    if simulations is not None and whole(simulations, "The number of simulations") < 1:
        raise BadSetup(f"At least one simulation is needed, not {simulations}.")
    if seconds is not None:
        positive(seconds, "Seconds")
    usual = plan(game, level)
    patient = seconds is None
    limit = usual.seconds if patient and simulations is None else seconds
    each = usual.simulations if shared is None else levels.simulations_each(game, shared)
    chosen = replace(usual, simulations=simulations or each, seconds=limit)
    search = SearchBot(game, level, chosen, patient=patient)
    known = solved.names(game)
    judge = judging(game, search) if level == ADVICE and simulations is None else None
    found: Adviser = solved.Informed(solved.SolvedBot(game, known[0]), search) if known else judge or search
    return Corrected(game, found) if corrected and level == ADVICE else found


def judging(game: Game, search: SearchBot) -> LearnedBot | None:
    """Return what judges decisions by the game's networks, and by `search` where it has none; None for a game that has
    no level which plays so."""
    return LearnedBot(game, LEARNED, search) if LEARNED in twins(game) else None


def briefest(game: Game) -> SearchBot:
    """Return a bot that searches hardly at all: asking it once compiles what levels, hints and analyses search with."""
    return SearchBot(game, ADVICE, replace(plan(game, ADVICE), simulations=FEWEST))


@dataclass(frozen=True)
class PolicyBot:
    """Plays without search; the same view gives the same action, with either engine.

    `random` chooses evenly among the legal actions. `greedy` chooses the action after which the
    game's own `policy.value`, averaged exactly over the chance event that follows, is highest; the
    first of equals. A level that follows one of them has a `name` of its own, and may misjudge that value by `noise`,
    as `parlour.bots.levels.Follows` says.
    """

    game: Game
    name: str
    follows: str = ""
    noise: float = 0.0
    _buffers: dict[tuple[bool, tuple[int, ...]], Buffers] = field(default_factory=dict, repr=False, compare=False)

    def choose(self, view: View, engine: Engine | None = None) -> int:
        """See `Chooser`."""
        engine = engine or interpret(self.game)
        state = decision(self.game, view)
        states, buffers = engine.states(state, 1), self._room(engine, view, state)
        if self.noise:
            worths = engine.reals(self.game.rules.MAX_LEGAL)
            n = engine.drivers.weigh(states, worths, buffers)
            return int(buffers.out[levels.misjudged([float(one) for one in worths[:n]], self.noise, view.seed)])
        rng = engine.integers(RNG_SIZE)
        seed_rng(rng, view.seed, view.seat)
        return int(engine.drivers.choose_first(BOTS[self.follows or self.name], states, rng, buffers))

    def _room(self, engine: Engine, view: View, state: GameState) -> Buffers:
        """Return the buffers and earlier results for these options; a memo suits only one set."""
        key = (engine.compiled, view.table)
        if key not in self._buffers:
            if len(self._buffers) >= TABLES:
                self._buffers.clear()
            self._buffers[key] = engine.buffers(state)
        return self._buffers[key]


@dataclass(frozen=True)
class SearchBot:
    """Searches by `plan` and makes the most visited decision; `afresh`: of each view alone. A `patient` one advises
    without a limit of time, unless the rules are plain."""

    game: Game
    name: str
    plan: Plan
    afresh: bool = False
    patient: bool = False

    def choose(self, view: View, engine: Engine | None = None) -> int:
        """See `Chooser`.

        If the plan has no `seconds`, the same views in the same order give the same action.
        """
        return self.search(view, engine).best.action

    def search(self, view: View, engine: Engine | None = None) -> Advice:
        """Return every legal decision, the most visited first. It builds on earlier questions of the same turn."""
        decision(self.game, view)
        return self._searcher.explore(view, engine or interpret(self.game))

    def advise(self, view: View, engine: Engine | None = None, beside: int = -1) -> Advice:
        """See `Adviser`."""
        return self.value(view, engine, (beside,))

    def value(self, view: View, engine: Engine | None, beside: Sequence[int]) -> Advice:
        """Advise as `Adviser` does, and compare several decisions with the best ones."""
        decision(self.game, view)
        engine = engine or interpret(self.game)
        searcher = self._unhurried if self.patient and engine.compiled else self._searcher
        return searcher.examine(view, engine, *beside)

    @cached_property
    def _searcher(self) -> Searcher:
        return Searcher(self.game, self.plan, self.afresh)

    @cached_property
    def _unhurried(self) -> Searcher:
        return Searcher(self.game, replace(self.plan, seconds=None), self.afresh)
