"""What is worth counting in games of Gatsby, for statistics."""

from __future__ import annotations

from typing import Any

from parlour.games.gatsby.rules import holdings, places, scoring
from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import state as s

ENDINGS = ("three of a suit", "one of each suit", "prestige", "draw")
EVENTS = (
    "bonus let go", "opponent forced", "Special Action tile used", "Special Action tile set aside",
    "characters swapped", "tokens swapped", "character rallied face down", "row filled for the opponent",
)  # fmt: skip
COUNTS = (
    "turns",
    "characters rallied",
    "of the Cabaret",
    "of the Finance Center",
    "of the Racetrack",
    "tiles left over",
)


def ending(state: Any) -> int:
    """GA-22, GA-23: return how a finished game ended."""
    if state.ending < s.PRESTIGE:
        return int(state.ending) - s.TRIO
    shares = [0.0, 0.0]
    scoring.returns(state, shares)
    return 3 if shares[0] == shares[1] else 2


def starter(state: Any) -> int:
    """GA-8: return the seat that had the first turn; before it, the other seat prepares."""
    return int(state.player if state.turns % 2 else 1 - state.player)


def events(state: Any, action: int) -> int:
    """Return the events of `action`, which is about to be applied."""
    kind, arg = state.due_kind[state.due - 1], state.due_arg[state.due - 1]
    found = 0
    if kind == s.BONUS:
        found = 1 if action == s.NO else 2 if arg == p.FORCE else 0
    elif kind == s.ACTION or kind == s.FORCED:
        found = 4 if action == s.USE else 0
    elif kind == s.STAY:
        found = 8
    elif (kind == s.EXCHANGE and action == s.YES) or (kind == s.PAIR and arg == s.BLIND):
        found = 16
    elif kind == s.OTHER:
        found = 32
    elif kind == s.CLAIM:
        found = 64
    elif kind >= s.RACETRACK and kind <= s.PLACE and action >= p.RACE and _gives_away(state, action):
        found = 128
    return found


def _gives_away(state: Any, space: int) -> bool:
    """GA-20: return whether a token of the active player there would fill a row in which the other has more."""
    seat = state.player
    state.tokens[seat] |= 1 << space
    best = places.majority(state, places.row_of(space))
    state.tokens[seat] &= ~(1 << space)
    return bool(best == 1 - seat)


def count(state: Any, which: int) -> int:
    """Return a number of COUNTS, from a finished game."""
    if which == 0:
        return int(state.turns)
    if which == 5:
        return holdings.tiles_at(state, s.IN_PILE)
    first, last = 0, p.N_SLOTS
    if which == 2:
        last = p.FINANCE
    elif which == 3:
        first, last = p.FINANCE, p.TRACK
    elif which == 4:
        first = p.TRACK
    n = 0
    for slot in range(first, last):
        n += 1 if state.owner[slot] >= 0 else 0
    return n
