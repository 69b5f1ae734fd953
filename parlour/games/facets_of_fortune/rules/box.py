"""Facets of Fortune: reading the components of an edition. Part of the rules, see rules.py."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from parlour.games.facets_of_fortune.rules import board as b


def numbers(parts: Mapping[str, Any], name: str, length: int, low: int, high: int) -> list[int]:
    """A component of so many whole numbers in a range; ValueError when it is not."""
    value = parts[name]
    whole = isinstance(value, list) and len(value) == length and all(type(n) is int for n in value)
    if not whole or not all(low <= n <= high for n in value):
        raise ValueError(f"{name} must be {length} whole numbers from {low} to {high}")
    return list(value)


def deck(number_of: Any) -> list[int]:
    """FF-5: the cards of each kind, the same for each colour; ValueError when they would not do."""
    kinds = ("gem-1", "gem-2", "gem-3", "wild-1", "wild-2", "wild-3", "free", "exchange", "switch", "heist")
    if not isinstance(number_of, dict) or not set(number_of) <= set(kinds):
        raise ValueError(f"the deck must give numbers of these cards: {', '.join(kinds)}")
    counts = [number_of.get(kind, 0) for kind in kinds]
    if any(type(n) is not int or not 0 <= n <= 100 for n in counts):
        raise ValueError("the number of cards of a kind must be 0 to 100")
    found = [*counts[:3] * b.N_COLOURS, *counts[3:6], *[counts[6]] * b.N_COLOURS, *counts[7:]]
    if sum(found) < b.SEATS * b.HAND + b.MOST_CARDS:
        raise ValueError(f"the deck needs {b.SEATS * b.HAND + b.MOST_CARDS} cards at least")
    return found
