"""What a model is: a game's rules written a second time, from its clauses alone, to hold the product against.

A model imports nothing of `parlour`, nor what reads `parlour` here (a test sees to it): it knows moves and outcomes
only as the words that a record has, probabilities as fractions, and a state as named facts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from random import Random
from typing import Any, Protocol

CHANCE = -1
OVER = -4


class Model(Protocol):
    """The class `Model` of tests/models/NAME.py: a game under way."""

    RARE: tuple[str, ...] | Mapping[str, tuple[str, ...]]
    """Keys of `seen` that 10,000 positions must reach: the branches of the rules that random play hardly ever finds;
    by ruleset where a game has several."""
    seen: Counter[str]
    """How often each branch that is worth counting was taken: "FO-13 Island", "AF-8 new pile"."""

    def __init__(self, players: int, parts: Mapping[str, Any], options: Mapping[str, str]) -> None:
        """The game before its first chance event; `parts` as the edition's file gives them, all options by name."""

    def turn(self) -> int:
        """Return the seat, from 0, that decides; CHANCE or OVER."""
        ...

    def moves(self) -> set[str]:
        """Every legal decision of the seat whose turn it is, in the words of a record."""
        ...

    def chances(self) -> Mapping[str, Fraction]:
        """Every outcome that chance can give now, in the words of a record, with its probability; they sum to 1.

        A mapping that is handed out again for equal chances must never be changed: it is looked at once.
        """
        ...

    def apply(self, text: str) -> None:
        """Make this move, or let chance give this outcome."""

    def facts(self) -> dict[str, object]:
        """The whole state, what is hidden too, as named things that can be compared. "phase" is what is to happen."""
        ...

    def scores(self) -> list[int]:
        """Return the game's own points by seat, at the end."""
        ...

    def returns(self) -> list[Fraction]:
        """1 shared by the winners, 0 to the rest, at the end."""
        ...


class Luring(Protocol):
    """What a model may also have if rare rules are reached only by long ways that no simple walk takes."""

    POSITIONS: int
    """How many positions the suite's walk has, if 10,000 are not enough."""

    LONG: int
    """Positions after which a game of a walk is left."""
    WAYS: tuple[tuple[str, int, dict[str, str]], ...]
    """Additional games that are played to their end: a plan, the number of players, options."""
    plan: str
    """What `lure` is after; "" until it has chosen."""

    def lure(self, choices: list[str], rng: Random) -> str | None:
        """Of these moves or outcomes, all possible now, the one that leads to rare things; None: any may be taken."""
        ...
