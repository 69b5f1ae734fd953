"""AF-1, AF-2: an edition's board and decks, read and checked. A record may come from anywhere."""

from __future__ import annotations

from typing import Any

from parlour.games.aces_and_faces.rules import cards as c

MOST_DECKS, MOST_JOKERS = 4, 12


def read_board(names: Any) -> list[int]:
    """AF-2: what each square is, from the edition's words; ValueError when it is no such loop."""
    if not isinstance(names, list) or not c.FEWEST_SQUARES <= len(names) <= c.MOST_SQUARES:
        raise ValueError(f"the board is a list of {c.FEWEST_SQUARES} to {c.MOST_SQUARES} squares")
    words = [*c.CARDS, *(f"suit {suit}" for suit in c.SUITS), "higher-lower", "duel"]
    if unknown := [name for name in names if name not in words]:
        raise ValueError(f"{unknown[0]!r} is no square")
    if any(names.count(word) != 1 for word in words[: c.HIGHER_LOWER]):
        raise ValueError("the board has each of the 16 cards once, and a corner for each suit")
    if len(names) % 4 or any(not names[side].startswith("suit ") for side in range(0, len(names), len(names) // 4)):
        raise ValueError("the board is a square, with the suits at its corners")
    return [words.index(name) for name in names]


def read_deck(decks: Any, jokers: Any) -> list[int]:
    """AF-1: the pile, by kind: all the decks, but for one of each court card and ace, and the jokers."""
    if type(decks) is not int or not 1 < decks <= MOST_DECKS:
        raise ValueError(f"there are 2 to {MOST_DECKS} decks")
    if type(jokers) is not int or not 0 <= jokers <= MOST_JOKERS:
        raise ValueError(f"there are 0 to {MOST_JOKERS} jokers")
    return [decks - (1 if c.card_of(kind) >= 0 else 0) for kind in range(c.JOKER)] + [jokers]
