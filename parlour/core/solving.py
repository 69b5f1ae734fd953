"""What passes between a game's own solution and whoever asks it: the command line.

A game declares the options of its commands and answers with plain values; it prints nothing and reads no arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

from parlour.core.errors import BadSetup
from parlour.core.game import Game
from parlour.core.match import Match

Progress = Callable[[int, int], object]  # told how much has been done so far, of how much


@dataclass(frozen=True, slots=True)
class Parameter:
    """An option that a game adds to a command: `--name` there (a _ is written -), `given[name]` in the question.

    `kind`: bool (a switch, False unless it is there), int, str or pathlib.Path. `least`: the smallest int that is
    accepted. `choices`: the texts that are. What is not given is `default`.
    """

    name: str
    help: str
    kind: type = str
    default: Any = None
    least: int | None = None
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Command:
    """What a game adds to a command: a sentence or two (Markdown), options, and lines that show it at work."""

    help: str = ""
    parameters: tuple[Parameter, ...] = ()
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """What somebody asks of a game's solution.

    `edition` and `options` are as they were given, not yet checked: `Game.edition`, `Game.options` and `Match` do that.
    `given`: parameter name -> value, for each that the game declared. `plain()` and `compiled()` make the engines
    (`parlour.engine.interpreted.Engine`): the one at once, the other in seconds, half a minute the first time.
    `progress(done, total)`: to be told now and then what takes long.
    """

    game: Game
    edition: str | None
    options: Mapping[str, str]
    given: Mapping[str, Any]
    plain: Callable[[], Any]
    compiled: Callable[[], Any]
    progress: Progress


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of texts under their headings; the first column to the left, the others to the right."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """`data`: plain values, for programs (JSON). `shown`: the same for people, from top to bottom: tables, lines of
    text, and names with their values."""

    data: Any
    shown: tuple[Table | str | Mapping[str, str], ...] = field(default=())


class Solution(Protocol):
    """`study/solution.py`, beside `solver.py`: its tables, and what the commands ask of it. Plain Python, not compiled.

    It is handed an engine, and imports none; NumPy is imported inside the functions that need it, so that those who
    only play do not load it. Besides `workspace` all is optional: `SOLVE` goes with `solve`, `ADVISE` with `advise`,
    `POSITION` with `position`; `parlour.core.solving` has the words they are written in.
    """

    SOLVE: Command  # what `parlour solve GAME` has besides --edition, --option, --json
    ADVISE: Command  # what `parlour advise` has of this game, whether a position is described or in a record
    POSITION: Command  # what `parlour advise GAME` has to describe a position; without it records alone are asked about

    def workspace(self, game: Game, engine: Any, state: Any) -> Any:
        """What `solver` works in, for games set up as `state` was: made once for each table, engine and thread.

        Tuples of the engine's buffers (`integers`, `reals`), so that it is arrays when compiled, lists when not.
        """
        ...

    def solve(self, question: Question) -> Answer:
        """The answer to `parlour solve GAME`. ParlourError is told on one line; `Interrupted` says what is kept."""
        ...

    def position(self, question: Question) -> Match:
        """The position that the options describe, at a decision. UnknownName, BadSetup for what cannot be."""
        ...

    def advise(self, match: Match, question: Question) -> Answer:
        """What each decision of the player to move is worth. BadSetup where nobody decides."""
        ...


def solution(game: Game) -> Solution:
    """`study/solution.py` (or `solution.py`) of a game that has a solver. BadSetup elsewhere."""
    if game.solver is None:
        raise BadSetup(f"{game.text.TITLE} has no solver.")
    return cast(Solution, game.module("solution"))


class Interrupted(KeyboardInterrupt):
    """Ctrl-C in a long piece of work; the message says what became of it, in a sentence or two."""
