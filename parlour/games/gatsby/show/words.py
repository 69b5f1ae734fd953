"""The words for the things of Gatsby: places, people, tiles, bonuses."""

from __future__ import annotations

from typing import Any

from parlour.core.scene import Reason
from parlour.games.gatsby.rules import hidden, holdings, places
from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import state as s

SUITS = ("stage", "press", "bank", "turf", "jazz")  # GA-2: V to Z
SUIT_TITLES = ("Stage", "Press", "Bank", "Turf", "Jazz")
PEOPLE = (
    "Lola Marchetti", "Rex Holloway", "Dot Finch", "Ida Crane", "Max Pruitt", "Sid Quill", "Cornelius Vane",
    "Agnes Alder", "Hugo Pell", "Colonel Rudd", "Kit Farrow", "Nan Doyle", "Bix Delmar", "Ruby Shaw", "Slim Tully",
)  # fmt: skip
ACTIONS = ("A", "B", "C", "D", "Special")
ACTION_TEXTS = (
    "Cabaret, then Cabaret next to it", "Cabaret, then Finance", "Finance, then Racetrack", "Racetrack, two rows"
)  # fmt: skip
TILE_TEXTS = (
    "two Cabaret tokens", "three Cabaret tokens in a chain", "Cabaret, then swap tokens", "Cabaret, any empty space",
    "Cabaret, Finance, Racetrack", "Finance twice", "exchange two characters, Finance, swap tokens",
    "two tokens on one row", "three tokens on three rows", "swap tokens, then Racetrack", "Racetrack, any empty space",
)  # fmt: skip
BONUS_TITLES = ("", "Peek", "Finance", "Force", "Place", "Swap", "Special")
BONUS_TEXTS = (
    "", "look at two characters, then exchange them or not", "one Finance step",
    "choose the opponent's next action", "one more token, Cabaret or Racetrack",
    "exchange one of your tokens with one of the opponent's", "draw three Special tiles, keep one",
)  # fmt: skip
AT = ("no", "north-east path", "north-west path")
NOW = Reason("That is not what is to be decided now.", "GA-26")


def person(char: int) -> str:
    """ "Lola Marchetti"."""
    return PEOPLE[char]


def worth(state: Any, char: int) -> str:
    """ "Lola Marchetti (Stage, 3)"."""
    return f"{PEOPLE[char]} ({SUIT_TITLES[char // p.OF_SUIT]}, {state.prestige[char]})"


def code(char: int) -> str:
    """ "stage-1": as in the notation."""
    return f"{SUITS[char // p.OF_SUIT]}-{char % p.OF_SUIT + 1}"


def slot_code(state: Any, slot: int) -> str:
    """ "ne", "nw", "stars", "floor3", "track5": a character's place in the notation."""
    if slot < p.FINANCE:
        return ("ne", "nw", "stars")[slot]
    if slot < p.TRACK:
        return f"floor{state.char_level[slot - p.FINANCE]}"
    return f"track{slot - p.TRACK + 1}"


def slot_name(state: Any, slot: int) -> str:
    """ "the north-east path", "floor 3", "row 5"."""
    if slot < p.FINANCE:
        return ("the north-east path", "the north-west path", "the stars")[slot]
    if slot < p.TRACK:
        return f"floor {state.char_level[slot - p.FINANCE]}"
    return f"row {slot - p.TRACK + 1}"


def space_name(space: int) -> str:
    """ "b3" in the Cabaret (column, row), "row 2 space 1" on the Racetrack."""
    if space < p.RACE:
        return f"{'abcdef'[space % p.GRID]}{space // p.GRID + 1}"
    return f"row {places.row_of(space) + 1} space {(space - p.RACE) % p.LANE + 1}"


def space_code(space: int) -> str:
    """ "b3", or "2.1" for the first space of row 2."""
    return space_name(space).removeprefix("row ").replace(" space ", ".")


def kind(state: Any) -> int:
    """What the game waits for."""
    return int(state.due_kind[state.due - 1])


def argument(state: Any) -> int:
    """The argument of what the game waits for."""
    return int(state.due_arg[state.due - 1])


def seen_by(state: Any, viewer: int) -> list[int]:
    """GA-24: for each character the places where it may lie as this viewer knows."""
    seen = [0] * p.N_CHARACTERS
    hidden.recall(state, viewer, seen)
    return seen


def why_not_space(state: Any, space: int) -> Reason:
    """Why nothing can be placed there (or that token not be chosen) now."""
    what, arg = kind(state), argument(state)
    taken = (state.tokens[0] | state.tokens[1]) >> space & 1
    if what == s.OWN:
        return Reason("Choose one of your own tokens.", "GA-14")
    if what == s.OTHER:
        return Reason("Choose one of your opponent's tokens.", "GA-14")
    cabaret = space < p.RACE
    if what in (s.CABARET, s.NEXT, s.ANYWHERE, s.START) and not cabaret:
        return Reason("This token goes to the Cabaret.", "GA-8" if what == s.START else "GA-9")
    if what in (s.RACETRACK, s.ROW, s.GAP) and cabaret:
        return Reason("This token goes to the Racetrack.", "GA-9")
    if taken:
        return Reason("There is a token already.", "GA-10" if cabaret else "GA-12")
    if cabaret:
        if not p.cabaret(state.size) >> space & 1:
            return Reason("The Cabaret has no such space.", "GA-3")
        if what == s.NEXT:
            return Reason(f"The token goes next to {space_name(arg - 1)}.", "GA-9")
        return Reason("A token goes next to another one, of either player.", "GA-10")
    row = places.row_of(space)
    if not places.row_bits(state, row) >> space & 1:
        return Reason("The row has no such space.", "GA-4")
    if not places.is_open(state, row):
        return Reason("This row is finished.", "GA-12")
    if what == s.RACETRACK and state.used_rows >> row & 1:
        return Reason("The tokens of this action go to different rows.", "GA-9")
    return Reason("A token goes to the leftmost empty space of its row.", "GA-12")


def why_not_action(state: Any, action: int) -> Reason:
    """Why action 0 to 3 (A to D), or 4 (the Special), cannot be chosen."""
    if action == state.last and action < 4:
        return Reason("The action token lies there; it must move.", "GA-9")
    if action == 4 and holdings.tile_of(state, state.player) < 0:
        return Reason("There is no Special tile to use.", "GA-9")
    return Reason("No part of this action is possible now.", "GA-9")
