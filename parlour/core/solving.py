"""What passes between a game's own solution (see `parlour.core.game.Solution`) and whoever asks it: the command line.

A game declares the options of its commands and answers with plain values; it prints nothing and reads no arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from parlour.core.game import Game

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


class Interrupted(KeyboardInterrupt):
    """Ctrl-C in a long piece of work; the message says what became of it, in a sentence or two."""
