"""Fortune for two as one equation: the chance to win of the player about to turn a card, for every pair of totals.

Each card is drawn independently, with the deck's composition: the approximation that makes a pair of totals a whole
position. Totals count from the finish line, in STEPs: place `n - 1` is the highest total not beyond it, a place `n` or
higher is beyond. So one table serves every target and either way to finish. Totals below place 0 are taken for place 0
(exact with `floor_at_zero`, FO-12, when that is where zero lies). There is no round limit.

`w[card * n + mine][theirs]` is the chance with this card turned, `w[MEAN * n + mine][theirs]` before. `theirs` beyond
the line: the final round is on, and this turn is mine and the last (FO-25). Mine never is before a turn (FO-26).
"""

from __future__ import annotations

from typing import Any

from parlour.games.fortune import rules as r
from parlour.games.fortune import turn
from parlour.games.fortune.lattice import FIRST, HEAD, KEPT, LEVELS, LOSS, NODES, SAFE, WORTH
from parlour.games.fortune.lattice import ROWS as CARD_ROWS

STEP = 100
MEAN = r.N_CARDS
REACH = 106  # 10,600 points, the most that a turn brings: eight gold coins and Full Chest with the Captain
DEEP = 100  # 10,000, more than the worst turn costs
GAINS = DEEP + REACH + 1
BLOCKS = r.N_CARDS + 1
OUTLINE = ("back_up", "fill", "outcomes")
ENTRIES = ("back_up_many", "fill", "outcomes")


def outcomes(w: Any, n: int, mine: int, theirs: int, u: Any) -> None:
    """u[DEEP + g]: the chance to win if this turn brings g STEPs."""
    for g in range(-DEEP, REACH + 1):
        after = max(0, min(mine + g, n + REACH - 1))
        if theirs < n:
            u[DEEP + g] = 1.0 - w[MEAN * n + theirs][after]
        elif after == theirs:
            u[DEEP + g] = 0.5  # FO-27
        else:
            u[DEEP + g] = 1.0 if after > theirs else 0.0


def island(w: Any, n: int, mine: int, theirs: int, loss: int) -> float:
    """The chance to win if this turn costs the other so many STEPs (FO-15)."""
    after = max(0, theirs - loss)
    if after >= n:
        return 0.0  # he stays beyond the line, and is ahead
    return 1.0 - w[MEAN * n + after][mine]


def fill(t: Any, a: int, v: Any, b: int, u: Any) -> None:
    """The values of a turn's ends, for `turn.solve`, from `outcomes`; the Island's are not among them."""
    head = t[a + HEAD]
    for level in range(LEVELS):
        worth, done = t[a + WORTH + level], v[b + turn.DONE + level]
        for i in range(head[FIRST + r.N_DICE - level], head[FIRST + LEVELS - level]):
            done[i] = u[place(worth[i])]
        if head[SAFE]:
            kept, extra = t[a + KEPT + level], v[b + turn.EXTRA + level]
            for i in range(head[NODES]):
                extra[i] = u[place(kept[i])]


def place(worth: int) -> int:
    """Where `outcomes` has put this worth."""
    return min(max(worth // STEP, -DEEP), REACH) + DEEP


def back_up(t: Any, v: Any, u: Any, w: Any, n: int, deck: Any, mine: int, theirs: int, precise: float) -> float:
    """Work out the chances of one pair of totals from those of the others; by how much the mean has changed."""
    outcomes(w, n, mine, theirs, u)
    total = 0.0
    cards = 0
    for card in range(r.N_CARDS):
        a, b = card * CARD_ROWS, card * turn.ROWS
        fill(t, a, v, b, u)
        for level in range(LEVELS):
            v[b + turn.ISLE][level] = island(w, n, mine, theirs, t[a + HEAD][LOSS + level] // STEP)
        turn.solve(t, a, v, b, precise)
        chance = turn.start(t, a, v, b, 1.0)
        w[card * n + mine][theirs] = chance
        total += deck[card] * chance
        cards += deck[card]
    change = total / cards - w[MEAN * n + mine][theirs]
    w[MEAN * n + mine][theirs] = total / cards
    return abs(change)


def back_up_many(
    t: Any, v: Any, u: Any, w: Any, n: int, deck: Any, diagonal: int, first: int, stride: int, far: int, precise: float
) -> float:
    """`back_up` both pairs of totals of places (i, diagonal - i), for i = first, first + stride ...; the largest change.

    Pairs of one diagonal need no others of it, so several threads may share it. Places of the other player from `far`
    on are left out (chances there depend on no others).
    """
    most = 0.0
    for mine in range(first, min(n, diagonal + 1), stride):
        theirs = diagonal - mine
        if theirs < far and (theirs >= n or mine >= theirs):
            most = max(most, back_up(t, v, u, w, n, deck, mine, theirs, precise))
            if mine > theirs:
                most = max(most, back_up(t, v, u, w, n, deck, theirs, mine, precise))
    return most
