"""Gatsby in words: moves, outcomes and refusals as text, and back."""

from __future__ import annotations

import re
from typing import Any

from parlour.core.contract import LET_BE
from parlour.core.errors import InvalidMove
from parlour.core.scene import Reason
from parlour.games.gatsby import rules
from parlour.games.gatsby.rules import places
from parlour.games.gatsby.rules import tables as t
from parlour.games.gatsby.show import words

TITLE = "Gatsby"
TAGLINE = "Cabaret, bank and racecourse: win over the right people before your rival does."
MINUTES = (20, 30)

YES = {t.BONUS: ("take", "yes", "y"), t.EXCHANGE: ("exchange", "yes", "y")}
NO = {t.BONUS: ("skip", "n", *LET_BE), t.EXCHANGE: ("leave", "n", *LET_BE)}
LEADS = {t.OWN: "swap ", t.OTHER: "with "}
BY_ROW = (t.RACETRACK, t.ROW, t.PLACE)
ADVICE = {
    t.ACTION: 'say "A", "B", "C", "D" or "special"', t.FORCED: 'say "A", "B", "C", "D" or "special"',
    t.BONUS: 'say "take" or "skip"', t.EXCHANGE: 'say "exchange" or "leave"',
    t.KEEP: 'say "keep" and a tile, "keep S4"', t.STAY: 'say "keep" and the tile that stays, "keep S4"',
    t.PAIR: 'name two characters\' places, "peek ne floor6"',
}  # fmt: skip
PLACING = 'name a space, "b3" or "row 2"'


def format_action(state: Any, action: int) -> str:
    """ "b3", "row 2", "A", "take peek", "keep S4", "peek ne floor6", "swap b3", "with row 1 space 2"."""
    kind, arg = words.kind(state), words.argument(state)
    if action < t.N_SPACES:
        if action >= t.RACE and kind in BY_ROW:
            return f"row {places.row_of(action) + 1}"
        lead = LEADS.get(kind, "")
        return lead + words.space_name(action)
    if action <= t.YES:
        if kind == t.BONUS:
            return f"{'take' if action == t.YES else 'skip'} {t.BONUSES[arg]}"
        return "exchange" if action == t.YES else "leave"
    if action <= t.USE:
        return words.ACTIONS[action - t.MAIN].replace("S", "s")
    if action < t.TWO:
        return f"keep S{action - t.TILE + 1}"
    pair = action - t.TWO
    lead = "exchange" if kind == t.PAIR and arg else "peek"
    return " ".join(
        (lead, words.slot_code(state, t.first_of(pair)), words.slot_code(state, t.second_of(pair)))
    )  # fmt: skip


def parse_action(state: Any, text: str) -> int:
    """Read a move; InvalidMove when it cannot be read. Whether it is legal is not asked here."""
    said = " ".join(text.lower().split())
    kind = words.kind(state)
    action = -1
    if said in ("a", "b", "c", "d", "special", "s"):
        action = t.MAIN + "abcds".index(said[0])
    elif kind in YES:
        action = _answer(kind, words.argument(state), said)
    elif kind == t.PAIR:
        action = _pair(state, re.split("[ ,+]+", said))
    if match := re.fullmatch(r"(?:keep )?s([1-9]\d?)", said):
        action = t.TILE + int(match[1]) - 1 if int(match[1]) <= t.N_TILES else -1
    if action < 0:
        action = _space(state, said.removeprefix(LEADS.get(kind, "place ")))
    if action < 0:
        raise InvalidMove(f"{text[:60]!r} is not a move here: {ADVICE.get(kind, PLACING)}.")
    return action


def _answer(kind: int, arg: int, said: str) -> int:
    """GA-14: yes or no to what is asked, with the bonus that it is about or without."""
    verb, _, bonus = said.partition(" ")
    if bonus and (kind != t.BONUS or bonus != t.BONUSES[arg]):
        return -1
    return t.YES if verb in YES[kind] else t.NO if verb in NO[kind] else -1


def _pair(state: Any, names: list[str]) -> int:
    """Two places; the word for what is done with them may come first."""
    lead = ["exchange"] if words.argument(state) else ["look", "at"] if names[0] == "look" else ["peek"]
    if names[: len(lead)] == lead:
        names = names[len(lead) :]
    if len(names) == 3 and names[1] == "and":
        del names[1]
    known = {words.slot_code(state, slot): slot for slot in range(t.N_SLOTS)}
    if len(names) != 2 or not set(names) <= known.keys():
        return -1
    pair = t.PAIR_OF[known[names[0]]][known[names[1]]]
    return t.TWO + pair if pair >= 0 else -1


def _space(state: Any, said: str) -> int:
    if re.fullmatch("[a-f][1-6]", said):
        return (int(said[1]) - 1) * t.GRID + "abcdef".index(said[0])
    if match := re.fullmatch(r"(?:row )?([1-5])(?: space |\.| )([1-5])", said):
        return t.RACE + (int(match[1]) - 1) * t.LANE + int(match[2]) - 1
    if match := re.fullmatch("(?:row )?([1-5])", said):
        row = int(match[1]) - 1
        room = places.row_room(state, row)
        return places.count((room & -room) - 1) if room else t.RACE + row * t.LANE
    return -1


def format_outcome(state: Any, outcome: int) -> str:
    """ "cabaret tile 2", "stage-1", "seat 1 starts" or "tile S4"."""
    kind, arg = words.kind(state), words.argument(state)
    if kind == t.QUARTER:
        return f"cabaret tile {outcome + 1}"
    if kind == t.FLIP:
        return f"seat {outcome + 1} starts"
    if kind == t.DRAW or (kind == t.REVEAL and arg >= t.N_SLOTS):
        return f"tile S{outcome + 1}"
    return words.code(outcome)


def parse_outcome(state: Any, text: str) -> int:
    """Undo `format_outcome`; InvalidMove when it cannot be read."""
    said = " ".join(text.lower().split())
    for pattern in (r"cabaret tile ([1-4])", r"seat ([12]) starts", r"tile s(\d\d?)"):
        if match := re.fullmatch(pattern, said):
            return int(match[1]) - 1
    if match := re.fullmatch(rf"({'|'.join(words.SUITS)})-([1-3])", said):
        return words.SUITS.index(match[1]) * t.OF_SUIT + int(match[2]) - 1
    raise InvalidMove(f"{text[:60]!r} is not an outcome that can come here.")


def why_not(state: Any, action: int) -> Reason:
    """Why `action`, which is not legal here, is not."""
    kind = words.kind(state)
    if kind >= t.START:
        return words.why_not_space(state, action) if action < t.N_SPACES else words.NOW
    if kind in (t.ACTION, t.FORCED) and t.MAIN <= action <= t.USE:
        return words.why_not_action(state, action - t.MAIN)
    if kind in (t.KEEP, t.STAY) and t.TILE <= action < t.TWO:
        return Reason("That tile is not among those to choose from.", "GA-14")
    if kind == t.PAIR and action >= t.TWO:
        return Reason("Only characters still on the board can be chosen.", "GA-14")
    return words.NOW


def moves(state: Any) -> list[int]:
    """The legal actions, as numbers."""
    out = [0] * rules.MAX_LEGAL
    return out[: rules.legal_actions(state, out)]
