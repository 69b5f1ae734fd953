"""What a trial of editions is asked, and what it says: plain data, which loads no library of numbers (`trying`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from parlour.core.game import Game

VERSION = 1  # raise it when the same editions would be measured differently

Found = tuple[float, float, float]  # a value, and the ends of its 95 % interval


class Asked(NamedTuple):
    """What is measured: the game, its options, how many play, and the parts of each edition by its label, in order."""

    game: Game
    options: Mapping[str, str]
    players: int
    editions: Mapping[str, Mapping[str, object]]
    engine: str = ""  # "plain": nothing is compiled


class Piece(NamedTuple):
    """How many games of each edition were played, what was seen in those of each (`Sample.to_bytes`), and the seconds
    of a processor that they took."""

    games: int
    seen: list[bytes]
    seconds: float


class Line(msgspec.Struct, frozen=True):
    """A measure: its title, its value in each edition, and how much more it is in the last edition than in the one
    before it. Each is given in words and as numbers, None where the games say nothing. With one edition nothing is
    compared. `differs`: that it differs is not an accident of these games."""

    name: str
    title: str
    unit: str
    words: tuple[str, ...]
    values: tuple[Found | None, ...]
    change: str = ""
    changed: Found | None = None
    differs: bool = False


class Trial(msgspec.Struct, frozen=True):
    """Editions beside each other: their labels, how many games of each were played, by which bot, and the measures."""

    labels: tuple[str, ...]
    games: int
    bot: str
    lines: tuple[Line, ...]
