"""What a designer would want counted in games of Facets of Fortune."""

from __future__ import annotations

from typing import Any

from parlour.games.facets_of_fortune import rules as r
from parlour.games.facets_of_fortune.rules import board as b

ENDINGS = ("last crash", "last crash, shared", "cornered")
EVENTS = (
    "crash", "crashes together", "STOP holds", "market reopened", "heist failed", "heist of three or more", "triple",
    "extra cards", "extra STOP",
)  # fmt: skip
COUNTS = ("turns", "richest")
CRASH, TOGETHER, HOLDS, REOPENED, FAILED, BIG_HEIST, TRIPLE, EXTRA, EXTRA_STOP = 1, 2, 4, 8, 16, 32, 64, 128, 256


def ending(state: Any) -> int:
    """FF-27, FF-28: how the game ended."""
    if state.corner != b.NOBODY:
        return 2
    best = count(state, 1)
    winners = 0
    for seat in range(state.players):
        winners += 1 if state.money[seat] == best else 0
    return 1 if winners > 1 else 0


def count(state: Any, which: int) -> int:
    """Turns that were finished; the most money."""
    if which == 0:
        turns: int = state.turns
        return turns
    best: int = state.money[0]
    for seat in range(1, state.players):
        best = max(best, state.money[seat])
    return best


def events(state: Any, action: int) -> int:
    """What `action`, about to be applied, brings."""
    phase = state.phase
    if phase == b.ROLL:
        return _moves(state, action >> 4, (action & 15) - r.STEP_ZERO)
    if phase == b.NAME:
        return _moves(state, action - r.MARKET, state.step)
    if phase == b.PLAY:
        if r.EXTRA < action < r.BUY_STOP:
            return EXTRA
        return EXTRA_STOP if action == r.BUY_STOP else 0
    if phase == b.SWITCH_2:
        return REOPENED if state.closed[state.first] or state.closed[action - r.MARKET] else 0
    if phase == b.DEFEND:
        if state.attack <= action:
            return FAILED
        return BIG_HEIST if min(state.attack - action, b.gems_of(state, state.rival)) >= 3 else 0
    return TRIPLE if phase == b.DRAW and state.due == 1 and _triples(state, action) else 0


def _moves(state: Any, gem: int, step: int) -> int:
    """FF-13, FF-26: crashes, and those that a STOP averts."""
    crashes = 0
    held = 0
    for colour in range(b.N_COLOURS):
        if (gem == colour or gem == b.ALL) and not state.closed[colour] and state.marker[colour] + step > b.TOP:
            if state.stops[colour]:
                held = HOLDS
            else:
                crashes += 1
    return held | (CRASH if crashes else 0) | (TOGETHER if crashes > 1 else 0)


def _triples(state: Any, kind: int) -> bool:
    """FF-25: whether the deal that ends with this card pays."""
    for colour in range(b.N_COLOURS):
        after = b.numbered(state, state.player, colour)
        if kind < b.WILD_1 and kind // 3 == colour:
            after += 1
        if after // 3 > state.before[colour] // 3:
            return True
    return False
