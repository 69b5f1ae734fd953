"""Gatsby in words: moves, outcomes and refusals as text, and back."""

from __future__ import annotations

import re

from parlour.core.contract import LET_BE
from parlour.core.errors import InvalidMove
from parlour.games.gatsby import rules
from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import places
from parlour.games.gatsby.rules import state as s
from parlour.games.gatsby.show import words
from parlour.games.gatsby.show.reasons import why_not

__all__ = [
    "MINUTES", "TAGLINE", "TITLE", "format_action", "format_outcome", "moves", "parse_action", "parse_outcome",
    "why_not",
]  # fmt: skip

TITLE = "Gatsby"
TAGLINE = "Cabaret, Finance Center, Racetrack: rally the right characters first."
SECONDS = 20  # people take for a decision and all that follows it: our estimate
MINUTES = (25, 25)  # the median of decisions (docs/games/gatsby.md, greedy) times SECONDS

YES = {s.BONUS: ("take", "yes", "y"), s.EXCHANGE: ("swap", "yes", "y", "exchange")}
NO = {s.BONUS: ("skip", "n", *LET_BE), s.EXCHANGE: ("no swap", "n", *LET_BE, "leave")}
SWAP = ("swap", "exchange")  # the second as in records from before 2026-11-24, like "leave" and "floor6"
LEADS = {s.OWN: "swap ", s.OTHER: "with "}
BY_ROW = (s.RACETRACK, s.ROW, s.PLACE)
ADVICE = {
    s.ACTION: 'say "A", "B", "C", "D" or "special"', s.FORCED: 'say "A", "B", "C", "D" or "special"',
    s.BONUS: 'say "take" or "skip"', s.EXCHANGE: 'say "swap" or "no swap"',
    s.KEEP: 'say "keep" and a tile, "keep S4"', s.STAY: 'say "keep" and the tile that stays, "keep S4"',
    s.PAIR: 'name two characters\' places, "peek ne level6"',
}  # fmt: skip
PLACING = 'name a space, "b3" or "row 2"'


def format_action(state: s.State, action: int) -> str:
    """ "b3", "row 2", "A", "take peek", "keep S4", "peek ne level6", "swap b3", "with row 1 space 2"."""
    kind, arg = words.kind(state), words.argument(state)
    if action < p.N_SPACES:
        if action >= p.RACE and kind in BY_ROW:
            return f"row {places.row_of(action) + 1}"
        lead = LEADS.get(kind, "")
        return lead + words.space_name(action)
    if action <= s.YES:
        if kind == s.BONUS:
            return f"{'take' if action == s.YES else 'skip'} {p.BONUSES[arg]}"
        return "swap" if action == s.YES else "no swap"
    if action <= s.USE:
        return words.ACTIONS[action - s.MAIN].replace("S", "s")
    if action < s.TWO:
        return f"keep S{action - s.TILE + 1}"
    pair = action - s.TWO
    lead = "swap" if kind == s.PAIR and arg else "peek"
    return " ".join(
        (lead, words.slot_code(state, p.first_of(pair)), words.slot_code(state, p.second_of(pair)))
    )  # fmt: skip


def parse_action(state: s.State, text: str) -> int:
    """Read a move. Raises InvalidMove if it cannot be read; does not check whether the move is
    legal."""
    said = " ".join(text.lower().split())
    kind = words.kind(state)
    action = -1
    if said in ("a", "b", "c", "d", "special", "s"):
        action = s.MAIN + "abcds".index(said[0])
    elif kind in YES:
        action = _answer(kind, words.argument(state), said)
    elif kind == s.PAIR:
        action = _pair(state, re.split("[ ,+]+", said))
    if match := re.fullmatch(r"(?:keep )?s([1-9]\d?)", said):
        action = s.TILE + int(match[1]) - 1 if int(match[1]) <= p.N_TILES else -1
    if action < 0:
        action = _space(state, said.removeprefix(LEADS.get(kind, "place ")))
    if action < 0:
        raise InvalidMove(f"{text[:60]!r} is not a move here: {ADVICE.get(kind, PLACING)}.")
    return action


def _answer(kind: int, arg: int, said: str) -> int:
    """GA-14: read yes or no to the present question, with or without the bonus that it is about."""
    verb = said.removesuffix(f" {p.BONUSES[arg]}") if kind == s.BONUS else said
    return s.YES if verb in YES[kind] else s.NO if verb in NO[kind] else -1


def _pair(state: s.State, names: list[str]) -> int:
    """Read two places; the verb may come first."""
    if names[:2] == ["look", "at"] and not words.argument(state):
        names = names[2:]
    elif names[0] in (SWAP if words.argument(state) else ("peek",)):
        names = names[1:]
    if len(names) == 3 and names[1] == "and":
        del names[1]
    names = [name.replace("floor", "level") for name in names]
    known = {words.slot_code(state, slot): slot for slot in range(p.N_SLOTS)}
    if len(names) != 2 or not set(names) <= known.keys():
        return -1
    pair = p.PAIR_OF[known[names[0]]][known[names[1]]]
    return s.TWO + pair if pair >= 0 else -1


def _space(state: s.State, said: str) -> int:
    if re.fullmatch("[a-f][1-6]", said):
        return (int(said[1]) - 1) * p.GRID + "abcdef".index(said[0])
    if match := re.fullmatch(r"(?:row )?([1-5])(?: space |\.| )([1-5])", said):
        return p.RACE + (int(match[1]) - 1) * p.LANE + int(match[2]) - 1
    if match := re.fullmatch("(?:row )?([1-5])", said):
        row = int(match[1]) - 1
        room = places.row_room(state, row)
        return places.count((room & -room) - 1) if room else p.RACE + row * p.LANE
    return -1


def format_outcome(state: s.State, outcome: int) -> str:
    """ "cabaret tile 2", "stage-1", "seat 1 starts" or "tile S4"."""
    kind, arg = words.kind(state), words.argument(state)
    if kind == s.QUARTER:
        return f"cabaret tile {outcome + 1}"
    if kind == s.FLIP:
        return f"seat {outcome + 1} starts"
    if kind == s.DRAW or (kind == s.REVEAL and arg >= p.N_SLOTS):
        return f"tile S{outcome + 1}"
    return words.code(outcome)


def parse_outcome(state: s.State, text: str) -> int:
    """Read an outcome that `format_outcome` wrote. Raises InvalidMove if it cannot be read."""
    said = " ".join(text.lower().split())
    for pattern in (r"cabaret tile ([1-4])", r"seat ([12]) starts", r"tile s(\d\d?)"):
        if match := re.fullmatch(pattern, said):
            return int(match[1]) - 1
    if match := re.fullmatch(rf"({'|'.join(words.SUITS)})-([1-3])", said):
        return words.SUITS.index(match[1]) * p.OF_SUIT + int(match[2]) - 1
    raise InvalidMove(f"{text[:60]!r} is not an outcome that is possible here.")


def moves(state: s.State) -> list[int]:
    """Return the legal actions, as numbers."""
    out = [0] * rules.MAX_LEGAL
    return out[: rules.legal_actions(state, out)]
