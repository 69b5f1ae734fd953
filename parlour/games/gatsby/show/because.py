"""The reasons for a decision of Gatsby, in words."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.core.contract import Ground
from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.show import words

CAN = "can "  # see study/dealings.py
PATHS = ("north-east path", "north-west path")
TILES = (  # GA-16: what each Special Action tile does that no main action does
    "each of its two tokens in the Cabaret may go beside any token",
    "it places three tokens in the Cabaret, a main action at most two",
    "it also swaps tokens, which no main action does",
    "its token may go to any empty space of the Cabaret",
    "it acts in all three locations, a main action in at most two",
    "it climbs twice in the Finance Center, a main action at most once",
    "it swaps characters and tokens, which no main action does",
    "it places two tokens on one row, which no main action does",
    "it places tokens on three rows, a main action on at most two",
    "it also swaps tokens, which no main action does",
    "its token may go to any empty space of the Racetrack",
)


def because(ground: Ground, names: Sequence[str]) -> str:
    """See `parlour.core.contract.Because`."""
    what, about = ground.what.removeprefix(CAN), ground.about
    does = _does if what == ground.what else _can_do
    match what:
        case "brings" | "takes" | "stays" | "spares":
            return _character(what, *about, can=what != ground.what)
        case "tile":
            return TILES[about[0]]
        case "force":
            return "the opponent cannot choose their next action"
        case "point":
            return "an unused Special Action tile is worth 1 prestige at the end"
        case "peek":
            which = f"two of the {about[0]} characters" if about[0] > 1 else "the one character"
            return f"it can show you {which} you do not know yet"
        case "unknown":
            return "you know neither of the two yet" if about[0] > 1 else "you do not know one of the two yet"
        case "joins":
            return f"it {does('join')} the {PATHS[about[0]]}"
        case "blocks":
            return f"it {does('cut')} the opponent's way along the {PATHS[about[0]]}"
        case "path":
            token = f"{about[0]} more token{'s' * (about[0] > 1)}"
            if what == ground.what:
                return f"{token} would join the {PATHS[about[1]]}"
            return f"it can leave only {token} to join the {PATHS[about[1]]}"
        case "stars":
            return f"it {does('make')} {about[0]} of the {about[1]} stars"
        case "bonus":
            return f"it {does('bring')} {words.BONUS_TITLES[about[0]]}: {words.BONUS_TEXTS[about[0]]}"
        case "row":
            have, need, row = about
            if have == need:
                return f"it {does('decide')} row {row + 1}, with more than half of it"
            return f"it {does('make')} {have} of the {need} tokens that decide row {row + 1}"
    left, level = about
    if left:
        return f"it {does('leave')} {left} level{'s' * (left > 1)} to the character on level {level}"
    return f"it {'reaches' if what == ground.what else 'can reach'} the character on level {level}"


def _does(verb: str) -> str:
    return f"{verb}s"


def _can_do(verb: str) -> str:
    return f"can {verb}"


def _character(what: str, char: int, slot: int, level: int, *, can: bool) -> str:
    who = words.character(char)
    where = f"the {PATHS[slot]}" if slot < p.STARS else "the stars"
    if slot >= p.FINANCE:
        where = f"level {level}" if slot < p.TRACK else f"row {slot - p.TRACK + 1}"
    return {
        "brings": f"it {'can bring' if can else 'brings'} {who} to {where}, where the opponent is behind",
        "takes": f"it {'can take' if can else 'takes'} {who} from {where}, where the opponent is ahead",
        "stays": f"{who} stays {'at' if slot < p.FINANCE else 'on'} {where}, where the opponent is behind",
        "spares": f"it keeps {who} from {where}, where the opponent is ahead",
    }[what]
