from __future__ import annotations
from typing import Any
from parlour.games.fortune import rules as r
from parlour.games.fortune import lattice, turn
ENTRIES=("all_points",)
def all_points(states: Any, t: Any, v: Any, out: Any, values: Any, precise: float) -> None:
    for card in range(r.N_CARDS):
        lattice.prepare(states[0], card, t, card * lattice.ROWS, out)
        turn.fill_points(t, card * lattice.ROWS, v, card * turn.ROWS)
        turn.solve(t, card * lattice.ROWS, v, card * turn.ROWS, precise)
        values[card] = turn.start(t, card * lattice.ROWS, v, card * turn.ROWS, 0.0)
from parlour.games.fortune import duel
def again(t: Any, v: Any, u: Any, w: Any, n: int, deck: Any, diagonal: int, first: int, stride: int, far: int, precise: float) -> float:
    return duel.back_up_many(t, v, u, w, n, deck, diagonal, first, stride, far, precise)
ENTRIES=("all_points","again")
