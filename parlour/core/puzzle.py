"""Puzzles: positions of games in which one decision is best beyond doubt, and the files that keep them.

A file has the puzzles of one ruleset: `puzzles/RULESET.xz` in a game's folder, or `puzzles/puzzles.xz`. It is JSON,
compressed: a `Collection`. `parlour puzzles mine` writes it (`parlour.analysis.mining`).

A puzzle begins as a record does, so its position follows from the record alone. The record has what other players
hold. A solver sees only the scene of the seat that decides, and the answer once they have tried.
"""

from __future__ import annotations

import hashlib
import lzma
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

import msgspec

from parlour.core.errors import BrokenRecord
from parlour.core.record import Record

if TYPE_CHECKING:
    from parlour.core.game import Game

FORM = 1  # of the files
UNSEEDED = "0" * 64  # the commitment of a record whose dice and cards follow from no seed
NAMELESS = "puzzles"  # the name of the file in a game without rulesets
MIDDLE = 1500.0  # the mean rating of the puzzles of a file
_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME}]


class Value(msgspec.Struct, frozen=True, array_like=True):
    """A decision as text, the chance to win with it, from 0 to 1, and the standard error of that; 0 if it is exact."""

    move: str
    chance: float
    error: float = 0.0


class Puzzle(msgspec.Struct, frozen=True, omit_defaults=True):
    """A position, and what is known of its decisions.

    `steps` lead to it: lines of a record. `seat` decides (from 0). `values`: the best decision, then the others that
    were compared with it, the highest chance first. `choices`: how many decisions are legal. `found`: by bot, how many
    of how many answers were the best decision. `rating` follows from these, on a scale like that of chess. `themes`
    are words of `parlour.analysis.themes` or of the game's own. `seed` and `number` say which game it is from.
    """

    key: str
    seat: int
    steps: tuple[str, ...]
    values: tuple[Value, ...]
    choices: int
    found: Mapping[str, tuple[int, int]]
    rating: float = MIDDLE
    themes: tuple[str, ...] = ()
    seed: int = 1
    number: int = 0

    @property
    def best(self) -> str:
        """The best decision, as text."""
        return self.values[0].move

    @property
    def margin(self) -> float:
        """How much chance the second best decision costs."""
        return self.values[0].chance - self.values[1].chance

    @property
    def doubt(self) -> float:
        """The standard error of the margin; 0 if it is exact."""
        return float((self.values[0].error ** 2 + self.values[1].error ** 2) ** 0.5)


class Collection(msgspec.Struct, frozen=True):
    """The puzzles of a ruleset, the easiest first, and how they were made: `command`, and with how many `simulations`
    the last search checked each decision (0: exactly). `least`: the chance that every other choice costs."""

    game: str
    rules: int
    edition: str
    parts: Mapping[str, object]
    options: Mapping[str, str]
    players: int
    command: str
    simulations: int
    least: float
    puzzles: tuple[Puzzle, ...]
    form: int = FORM

    def record(self, puzzle: Puzzle) -> Record:
        """Return the record that leads to a puzzle, without a seed. Raises BrokenRecord."""
        names = tuple(f"Player {seat + 1}" for seat in range(self.players))
        head = Record(self.game, self.rules, self.edition, self.parts, self.options, names, UNSEEDED)
        return Record.parse("\n".join((head.to_text(), *puzzle.steps)))

    def of(self, key: str) -> Puzzle:
        """Return a puzzle by its key. Raises KeyError."""
        for one in self.puzzles:
            if one.key == key:
                return one
        raise KeyError(key)

    def of_turn(self, number: int) -> Puzzle:
        """Return the puzzle whose turn it is, in an order that is the same everywhere: each has its turn before any
        comes again."""
        order = sorted(self.puzzles, key=lambda one: hashlib.sha256(f"{self.game}/{one.key}".encode()).digest())
        return order[number % len(order)]


def puzzles_of(game: Game, ruleset: str = "") -> Collection | None:
    """Return the puzzles of a game's ruleset (its first by default), None if it has none. Raises BrokenRecord."""
    return load(game.package, ruleset or game.rulesets[0] or NAMELESS)


@cache
def load(package: str, name: str) -> Collection | None:
    """Return the puzzles in the file `puzzles/NAME.xz` of a game's package; None without the file. Raises
    BrokenRecord."""
    file = resources.files(package).joinpath("puzzles", f"{name}.xz")
    return read(file.read_bytes()) if file.is_file() else None


def key_of(game: str, options: Mapping[str, str], steps: Sequence[str]) -> str:
    """Return the key of a puzzle: ten hexadecimal digits that follow from its position."""
    said = msgspec.json.encode([game, sorted(options.items()), steps])
    return hashlib.sha256(said).hexdigest()[:10]


def write(found: Collection) -> bytes:
    """Return the contents of a file; `read` reverses it."""
    return lzma.compress(msgspec.json.encode(found), lzma.FORMAT_XZ, filters=_FILTERS)


def read(data: bytes) -> Collection:
    """Return the puzzles of a file. Raises BrokenRecord if it has none."""
    try:
        found = msgspec.json.decode(lzma.decompress(data), type=Collection)
    except (lzma.LZMAError, msgspec.DecodeError, msgspec.ValidationError) as error:
        raise BrokenRecord(f"This is not a file of puzzles: {error}") from error
    if found.form != FORM or not found.puzzles:
        raise BrokenRecord(f"This file of puzzles has the form {found.form}, or no puzzle; this Parlour reads {FORM}.")
    return found
