"""Cards of Fortune with their turns solved in points, once for all tests."""

from __future__ import annotations

from functools import cache
from typing import Any

from parlour.core.struct import copy
from parlour.games import find
from parlour.games.fortune import rules as r
from parlour.games.fortune.study import follow, lattice, turn

FORTUNE = find("fortune")
OPTIONS = (
    {},
    {"must_keep_one": "true", "card_skull_spoils_chest": "true", "sorceress_alone": "true"},
    {"storm_scoring": "sets_doubled", "truce_on_bust": "none"},
)
ALL = [(card, 0) for card in range(r.N_CARDS)] + [(2, 1), (8, 1), (6, 2), (7, 2)]


@cache
def solved(card: int, which: int = 0) -> tuple[Any, Any, Any]:
    """A state with this card before its first roll, and its tables, solved in points."""
    state = FORTUNE.start(2, FORTUNE.edition(), FORTUNE.options(OPTIONS[which]))
    t = [[0] * lattice.WIDTH for _ in range(lattice.ROWS)]
    v = [[0.0] * lattice.WIDTH for _ in range(turn.ROWS)]
    lattice.prepare(copy(state), card, t, 0, [0] * r.MAX_LEGAL)
    turn.fill_points(t, 0, v, 0)
    turn.solve(t, 0, v, 0, 1e-10)
    r.apply(state, 0)
    r.apply(state, card)
    return state, t, v


@cache
def ends(card: int, which: int = 0) -> list[float]:
    """Return how likely each end of the card's turn is, as in follow.py."""
    _, t, v = solved(card, which)
    chances, found = [[0.0] * lattice.WIDTH for _ in range(follow.ROWS)], [0.0] * follow.ENDS
    follow.from_start(t, 0, v, 0, chances, found)
    return found
