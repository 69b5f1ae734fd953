"""The interface between a game's own solution and the command line.

A game declares the options of its commands and answers with plain values. It prints nothing and
reads no arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, cast

from parlour.core.edition import EditionLike
from parlour.core.errors import BadSetup
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.struct import GameState

Progress = Callable[[int, int], object]  # called with the work done so far and the total


class Engine(Protocol):
    """What a solution needs of an engine, plain or compiled: `parlour.engine.interpreted.Engine` has it.

    States and buffers are lists in a plain engine; in a compiled one they are packed, and arrays.
    """

    @property
    def compiled(self) -> bool: ...
    @property
    def solver(self) -> Any:
        """The functions that the game's `solver.py` names as ENTRIES, bound to this engine."""
        ...

    def states(self, template: GameState, n: int) -> Any:
        """Return `n` independent copies of the plain state `template`, in an indexable."""
        ...

    def integers(self, *shape: int) -> Any:
        """Return a buffer of zeros, of one or two dimensions."""
        ...

    def reals(self, *shape: int, fill: float = 0.0) -> Any:
        """Return a buffer of floats, of one or two dimensions."""
        ...


@dataclass(frozen=True, slots=True)
class Parameter:
    """An option that a game adds to a command: `--name` there, `given[name]` in the question.

    On the command line, - replaces _. `kind`: bool (a switch, False by default), int, str or
    pathlib.Path. `least`: the smallest int accepted. `choices`: the texts accepted. `default`: the
    value if the option is not given.
    """

    name: str
    help: str
    kind: type = str
    default: bool | int | str | Path | None = None
    least: int | None = None
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Command:
    """What a game adds to a command: one or two sentences (Markdown), options and example lines."""

    help: str = ""
    parameters: tuple[Parameter, ...] = ()
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A question to a game's solution.

    `edition` and `options` are unchecked input: `Game.edition`, `Game.options` and `Match` check
    them. `given`: parameter name -> value, for each parameter that the game declared. `plain()` and
    `compiled()` make the engines: the first at once, the
    second in seconds, or half a minute the first time. Long work calls `progress(done, total)` now
    and then.
    """

    game: Game
    edition: EditionLike | None
    options: Mapping[str, str]
    given: Mapping[str, Any]
    plain: Callable[[], Engine]
    compiled: Callable[[], Engine]
    progress: Progress


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of texts under their headings; the first column is aligned left, the others right."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a question, in two forms.

    `data`: plain values, for programs (JSON). `shown`: the same for people, from top to bottom:
    tables, lines of text, and names with their values.
    """

    data: object
    shown: tuple[Table | str | Mapping[str, str], ...] = field(default=())


class Solution(Protocol):
    """`study/solution.py`, beside `solver.py`: its tables, and the commands that use it.

    Plain, not compiled. It receives an engine and imports none. Functions that need NumPy import it
    locally, so that people who only play do not load it. Everything but `workspace` is optional:
    `SOLVE` belongs to `solve`, `ADVISE` to `advise`, `POSITION` to `position`.
    `parlour.core.solving` has their types.
    """

    SOLVE: Command  # what `parlour solve GAME` takes besides --edition, --option, --json
    ADVISE: Command  # what `parlour advise` takes for this game, with a described position or a record
    POSITION: Command  # what describes a position to `parlour advise GAME`; without it, only records work

    def workspace(self, game: Game, engine: Engine, state: GameState) -> object:
        """Make the workspace of `solver` for games set up like `state`.

        There is one for each table, engine and thread. It consists of tuples of the engine's
        buffers (`integers`, `reals`), so they are arrays when compiled and lists when plain.
        """
        ...

    def solve(self, question: Question) -> Answer:
        """Answer `parlour solve GAME`.

        The command prints a ParlourError on one line; the message of `Interrupted` says what was
        kept.
        """
        ...

    def position(self, question: Question) -> Match:
        """Return the position that the options describe, at a decision.

        Raises UnknownName and BadSetup.
        """
        ...

    def advise(self, match: Match, question: Question) -> Answer:
        """Return the value of each decision of the player to move.

        Raises BadSetup if no player is to decide.
        """
        ...


def solution(game: Game) -> Solution:
    """Return `study/solution.py` (or `solution.py`) of a game.

    Raises BadSetup if it has no solver.
    """
    if game.solver is None:
        raise BadSetup(f"{game.text.TITLE} has no solver.")
    return cast(Solution, game.module("solution"))


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during long work; the message says in a sentence or two what became of it."""
