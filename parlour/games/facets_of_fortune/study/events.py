"""What a designer would want to see counted in games of Facets of Fortune."""

from __future__ import annotations

from typing import Any

from parlour.games.facets_of_fortune import rules as r

ENDINGS = ("last crash", "last crash, shared", "cornered")
EVENTS = (
    "crash", "crashes together", "STOP holds", "market reopened", "heist failed", "heist of three or more",
    "three of a colour", "new cards", "extra STOP",
)  # fmt: skip
COUNTS = ("turns", "richest")
BIG = 3  # gems
CRASH, TOGETHER, HOLDS, REOPENED, FAILED, BIG_HEIST, TRIPLE, EXTRA, EXTRA_STOP = 1, 2, 4, 8, 16, 32, 64, 128, 256


def ending(state: Any) -> int:
    """FF-27, FF-28: return how the game ended."""
    if state.corner != r.NOBODY:
        return 2
    winners = 0
    for seat in range(state.players):
        winners += 1 if r.wins(state, seat) else 0
    return 1 if winners > 1 else 0


def count(state: Any, which: int) -> int:
    """Return a number of COUNTS: finished turns, or the most money."""
    if which == 0:
        turns: int = state.turns
        return turns
    return r.most_money(state)


def direction(state: Any) -> int:
    """FF-7: return whether turns go to the next seat or to the one before."""
    return -1 if state.backward else 1


def events(state: Any, action: int) -> int:
    """Return the events of `action`, which is about to be applied."""
    phase = state.phase
    if phase == r.ROLL:
        gem, step = r.rolled(action)
        return _moves(state, gem, step)
    if phase == r.NAME:
        return _moves(state, action - r.MARKET, state.step)
    if phase == r.PLAY:
        if r.EXTRA < action < r.BUY_STOP:
            return EXTRA
        return EXTRA_STOP if action == r.BUY_STOP else 0
    if phase == r.SWITCH_2:
        return REOPENED if state.closed[state.first] or state.closed[action - r.MARKET] else 0
    if phase == r.DEFEND:
        gems = r.haul(state, action)
        return (BIG_HEIST if gems >= BIG else 0) if gems else FAILED
    return TRIPLE if phase == r.DRAW and state.due == 1 and r.bonus(state, action) else 0


def _moves(state: Any, gem: int, step: int) -> int:
    """FF-13, FF-26: return the events of a move: crashes, and those that a STOP prevents."""
    crashes = 0
    held = 0
    for colour in range(r.N_COLOURS):
        if r.is_moved(state, gem, colour):
            what = r.fate(state, r.WILD if state.phase == r.NAME else gem, colour, step)
            crashes += 1 if what == r.CRASHES else 0
            held |= HOLDS if what == r.HOLDS else 0
    return held | (CRASH if crashes else 0) | (TOGETHER if crashes > 1 else 0)
