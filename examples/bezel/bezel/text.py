"""Bezel in words: "take ruby", "lay c3", "draw amber"."""

from typing import Any

from parlour.core.errors import InvalidMove
from parlour.core.scene import Reason

TITLE = "Bezel"
TAGLINE = "Two jewellers, one brooch: yours are the rows, or the columns."
MINUTES = (5, 10)
STONES = ("ruby", "amber", "emerald", "sapphire", "amethyst")
PLACES = tuple(f"{column}{row}" for row in "12345" for column in "abcde")
MOVES = (*(f"take {stone}" for stone in STONES), *(f"lay {place}" for place in PLACES))


def format_action(state: Any, action: int) -> str:
    return MOVES[action]


def parse_action(state: Any, text: str) -> int:
    if text.lower() in MOVES:
        return MOVES.index(text.lower())
    raise InvalidMove(f'{text!r} is not a move of Bezel: say "take ruby", then "lay c3".')


def format_outcome(state: Any, outcome: int) -> str:
    return f"draw {STONES[outcome]}"


def parse_outcome(state: Any, text: str) -> int:
    word, _, stone = text.lower().partition(" ")
    if word == "draw" and stone in STONES:
        return STONES.index(stone)
    raise InvalidMove(f"{text!r} is not an outcome that can come here.")


def why_not(state: Any, action: int) -> Reason:
    if action < len(STONES):
        said = "You have taken a tile: lay it." if state.taken else f"There is no {STONES[action]} in your hand."
    elif state.square[action - len(STONES)]:
        said = "That square has a tile already."
    elif not state.taken:
        said = "First take a tile from your hand."
    else:
        said = "A tile is laid where its side touches another."
    return Reason(said, "BE-3")
