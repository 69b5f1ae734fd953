"""Facets of Fortune: what is in the box. Clauses FF-n are in rulebook.md.

Colours, faces of the dice and kinds of card are numbers; money is in dollars, a price is a rung of the ladder.
"""

from __future__ import annotations

SEATS = 4
NOBODY = -1  # no seat; of colours, kinds and faces: none

# FF-1: markets and their ladder, as many gems of a colour as rungs
N_COLOURS, GEMS, RUNGS = 4, 10, 10
TOP = RUNGS - 1
COLOURS = ("ruby", "sapphire", "diamond", "emerald")
# FF-2: the gem die shows a colour, or
WILD, ALL = 4, 5
# FF-3: faces of the up/down die
N_STEPS = 6
FARTHEST = 3  # that a marker may be moved, in any edition
# FF-4: the most faces that a heist die may have
MOST_FACES = 20
# FF-5: kinds of card; n-gem cards of colour c are 3c + n - 1
N_KINDS = 22
WILD_1, FREE, EXCHANGE, SWITCH, HEIST = 12, 15, 19, 20, 21
KINDS = (
    *(f"{colour}-{n}" for colour in COLOURS for n in (1, 2, 3)),
    "wild-1", "wild-2", "wild-3", *(f"free-{colour}" for colour in COLOURS), "exchange", "switch", "heist",
)  # fmt: skip
MOST_ALIKE = 100  # cards of one kind, in any edition
HAND, MOST_CARDS = 3, 6  # FF-15, FF-17: cards that are kept, and those held with extra ones

START_CASH = (25_000, 25_000, 35_000, 35_000)  # FF-7: by place in turn order
EXTRA_PRICE = 100_000  # FF-15
STOP_PRICE = 1_000_000  # FF-23
BONUS = 100_000  # FF-25


def colour_of(kind: int) -> int:
    """Return the colour printed on a card; NOBODY for a card without a colour."""
    if kind < WILD_1:
        return kind // 3
    return kind - FREE if FREE <= kind < EXCHANGE else NOBODY


def number_of(kind: int) -> int:
    """FF-18: return the number on a numbered card, 0 on others."""
    return kind % 3 + 1 if kind < FREE else 0
