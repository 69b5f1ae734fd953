"""The words for the things of Gatsby: locations, characters, tiles, bonuses."""

from __future__ import annotations

from functools import cache

from parlour.games.gatsby.rules import hidden, places
from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import state as s

SUITS = ("stage", "press", "bank", "turf", "jazz")  # GA-2: V to Z
SUIT_TITLES = ("Stage", "Press", "Bank", "Turf", "Jazz")
CHARACTERS = (
    "Lola Marchetti", "Rex Holloway", "Dot Finch", "Ida Crane", "Max Pruitt", "Sid Quill", "Cornelius Vane",
    "Agnes Alder", "Hugo Pell", "Colonel Rudd", "Kit Farrow", "Nan Doyle", "Bix Delmar", "Ruby Shaw", "Slim Tully",
)  # fmt: skip
ACTIONS = ("A", "B", "C", "D", "Special")
ACTION_TEXTS = (
    "Cabaret, then Cabaret next to it", "Cabaret, then Finance", "Finance, then Racetrack", "Racetrack, two rows"
)  # fmt: skip
ACTION_NAMES = ("Cabaret twice", "Cabaret, Finance", "Finance, Racetrack", "Racetrack twice")  # on the board
TILES = (  # what people call the Special Action tiles S1 to S11 of the notation
    "Cabaret Pair", "Cabaret Trio", "Cabaret and Swap", "Cabaret Anywhere", "All Three Places", "Finance Twice",
    "Double Swap", "Racetrack Pair", "Racetrack Trio", "Swap and Racetrack", "Racetrack Anywhere",
)  # fmt: skip
TILE_TEXTS = (
    "two Cabaret tokens", "three Cabaret tokens in a line", "Cabaret, then swap tokens", "Cabaret, any empty space",
    "Cabaret, Finance, Racetrack", "Finance twice", "swap two characters, Finance, swap tokens",
    "two tokens on one row", "three tokens on three rows", "swap tokens, then Racetrack", "Racetrack, any empty space",
)  # fmt: skip
TILE_DEEDS = (  # the same as sentences, which fit in a line of a wide screen
    "Place two tokens in the Cabaret, each beside any token.",
    "Place three tokens in the Cabaret, each beside the last.",
    "Place a token in the Cabaret, then swap a token of each player.",
    "Place a token on any empty space of the Cabaret.",
    "Place a token in the Cabaret, climb, place one on the Racetrack.",
    "Climb twice in the Finance Center.",
    "Swap two characters, climb, then swap a token of each player.",
    "Place two tokens on one row of the Racetrack.",
    "Place tokens on three rows of the Racetrack.",
    "Swap a token of each player, then place one on the Racetrack.",
    "Place a token on any empty space of the Racetrack.",
)
BONUS_TITLES = ("", "Peek", "Finance", "Force", "Place", "Swap", "Special")
BONUS_TEXTS = (
    "", "look at two characters, then swap them or not", "one level up in the Finance Center",
    "choose the opponent's next action", "one more token, Cabaret or Racetrack",
    "swap one of your tokens with one of the opponent's", "draw three Special Action tiles, keep one",
)  # fmt: skip


def character(char: int) -> str:
    """ "Lola Marchetti"."""
    return CHARACTERS[char]


def worth(state: s.State, char: int) -> str:
    """ "Lola Marchetti (Stage, 3)"."""
    return worthy(char, state.prestige[char])


def worthy(char: int, prestige: int) -> str:
    """Return the same, with the prestige given."""
    return f"{CHARACTERS[char]} ({SUIT_TITLES[char // p.OF_SUIT]}, {prestige})"


def code(char: int) -> str:
    """ "stage-1": as in the notation."""
    return f"{SUITS[char // p.OF_SUIT]}-{char % p.OF_SUIT + 1}"


def slot_code(state: s.State, slot: int) -> str:
    """ "ne", "nw", "stars", "level3", "track5": a character's place in the notation."""
    if slot < p.FINANCE:
        return ("ne", "nw", "stars")[slot]
    if slot < p.TRACK:
        return f"level{state.char_level[slot - p.FINANCE]}"
    return f"track{slot - p.TRACK + 1}"


def slot_name(state: s.State, slot: int) -> str:
    """ "the north-east path", "level 3", "row 5"."""
    if slot < p.FINANCE:
        return ("the north-east path", "the north-west path", "the stars")[slot]
    if slot < p.TRACK:
        return f"level {state.char_level[slot - p.FINANCE]}"
    return f"row {slot - p.TRACK + 1}"


@cache
def space_name(space: int) -> str:
    """ "b3" in the Cabaret (column, row), "row 2 space 1" on the Racetrack."""
    if space < p.RACE:
        return f"{'abcdef'[space % p.GRID]}{space // p.GRID + 1}"
    return f"row {places.row_of(space) + 1} space {(space - p.RACE) % p.LANE + 1}"


@cache
def space_code(space: int) -> str:
    """ "b3", or "2.1" for the first space of row 2."""
    return space_name(space).removeprefix("row ").replace(" space ", ".")


def kind(state: s.State) -> int:
    """Return what the game waits for."""
    return int(state.due_kind[state.due - 1])


def argument(state: s.State) -> int:
    """Return the argument of what the game waits for."""
    return int(state.due_arg[state.due - 1])


def seen_by(state: s.State, viewer: int) -> list[int]:
    """GA-24: return for each character the places where it may be, as this viewer knows."""
    seen = [0] * p.N_CHARACTERS
    hidden.recall(state, viewer, seen)
    return seen
