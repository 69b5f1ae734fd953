"""What of a game of Gatsby is worth counting, for statistics."""

from __future__ import annotations

from typing import Any

from parlour.games.gatsby import rules
from parlour.games.gatsby.rules import holdings, places
from parlour.games.gatsby.rules import tables as t

ENDINGS = ("three of a suit", "one of each suit", "prestige", "draw")
EVENTS = (
    "bonus let go", "opponent forced", "Special tile used", "Special tile set aside", "characters exchanged",
    "tokens swapped", "character taken face down", "row filled by who loses it",
)  # fmt: skip
COUNTS = ("turns", "characters taken", "of the Cabaret", "of the Finance Center", "of the Racetrack", "tiles left over")


def ending(state: Any) -> int:
    """GA-22, GA-23: how a finished game ended."""
    if state.ending < t.PRESTIGE:
        return int(state.ending) - t.TRIO
    shares = [0.0, 0.0]
    rules.returns(state, shares)
    return 3 if shares[0] == shares[1] else 2


def events(state: Any, action: int) -> int:
    """The events that `action`, about to be applied, brings."""
    part = state.stack[state.depth - 1]
    kind, arg = part & t.KIND, part >> 5
    found = 0
    if kind == t.BONUS:
        found = 1 if action == t.NO else 2 if arg == t.FORCE else 0
    elif kind == t.ACTION or kind == t.FORCED:
        found = 4 if action == t.USE else 0
    elif kind == t.STAY:
        found = 8
    elif (kind == t.EXCHANGE and action == t.YES) or part == t.BLIND:
        found = 16
    elif kind == t.OTHER:
        found = 32
    elif kind == t.CLAIM:
        found = 64
    elif kind >= t.RACETRACK and kind <= t.PLACE and action >= t.RACE:
        row = places.row_of(action)
        room = places.row_room(state, row)
        if room == 1 << action and _mine(state, row) * 2 + 2 < state.lengths[row]:
            found = 128
    return found


def _mine(state: Any, row: int) -> int:
    return places.count(state.tokens[state.player] & places.row_bits(state, row))


def count(state: Any, which: int) -> int:
    """Numbers of a finished game."""
    if which == 0:
        return int(state.turns)
    if which == 5:
        return holdings.tiles_at(state, t.IN_PILE)
    first, last = 0, t.N_SLOTS
    if which == 2:
        last = t.FINANCE
    elif which == 3:
        first, last = t.FINANCE, t.TRACK
    elif which == 4:
        first = t.TRACK
    n = 0
    for slot in range(first, last):
        n += 1 if state.owner[slot] >= 0 else 0
    return n
