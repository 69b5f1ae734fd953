"""Fortune for two as one equation: the chance to win of the player about to turn a card, for every
pair of totals.

Each card is drawn independently, with the deck's composition: this approximation makes a pair of
totals a whole position. Totals count from the finish line, in STEPs: place `n - 1` is the highest
total not beyond it, place `n` and higher are beyond. So one table serves every target and either
way to finish. Totals below place 0 count as place 0 (exact with `floor_at_zero`, FO-12, if that is
where zero lies). There is no round limit.

`w[card * n + mine][theirs]` is the chance with this card turned, `w[MEAN * n + mine][theirs]` the
chance before. If `theirs` is across the line, the final round is on, and this turn is mine and the
last (FO-25). `mine` is never beyond it before a turn (FO-26).

Totals go down as well as up, so the equation is solved by policy iteration: `improve` finds the
best turn for each pair of totals and how likely each of its ends is, `evaluate` the chances that
follow if all turns are played so.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from parlour.games.fortune import rules as r
from parlour.games.fortune.study import follow, turn
from parlour.games.fortune.study.follow import DEEP, GAINS, LEFT, REACH, STEP, place
from parlour.games.fortune.study.lattice import FIRST, HEAD, KEPT, LEVELS, LOSS, NODES, SAFE, WORTH
from parlour.games.fortune.study.lattice import ROWS as CARD_ROWS

MEAN = r.N_CARDS
BLOCKS = r.N_CARDS + 1
FARTHEST = 2 * (r.N_DICE + 2)  # the most STEPs that an Island costs
ENDS = GAINS + FARTHEST + 1  # of a turn at a pair of totals: gains as in `follow`, and losses of the other
OUTLINE = ("improve", "fill", "outcomes", "back_up")


class Desk(NamedTuple):
    """The arrays of a thread: the tables `t` of all cards, a turn's values `v` (`turn`), chances `m` and
    ends `parts` (`follow`), the values `u` of its gains, `chances` to win by card."""

    t: Any
    v: Any
    m: Any
    u: Any
    parts: Any
    chances: Any


class Ahead(NamedTuple):
    """The game after the turn: the table `w` of `n` places, and the deck (how many of each card)."""

    w: Any
    n: int
    deck: Any


def after(w: Any, n: int, mine: int, theirs: int, g: int) -> float:
    """Return the chance to win if this turn brings g STEPs."""
    total = max(0, min(mine + g, n + REACH - 1))
    if theirs < n:
        return 1.0 - w[MEAN * n + theirs][total]
    if total == theirs:
        return 0.5  # FO-27
    return 1.0 if total > theirs else 0.0


def island(w: Any, n: int, mine: int, theirs: int, loss: int) -> float:
    """Return the chance to win if this turn costs the other player this many STEPs (FO-15)."""
    total = max(0, theirs - loss)
    if total >= n:
        return 0.0  # they stay across the line, and are ahead
    return 1.0 - w[MEAN * n + total][mine]


def fill(t: Any, a: int, v: Any, b: int, u: Any) -> None:
    """Fill in the values of a turn's ends for `turn.solve` from those of gains (u[DEEP + g]), without the Island's."""
    head = t[a + HEAD]
    for level in range(LEVELS):
        worth, done = t[a + WORTH + level], v[b + turn.DONE + level]
        for i in range(head[FIRST + r.N_DICE - level], head[FIRST + LEVELS - level]):
            done[i] = u[place(worth[i])]
        if head[SAFE]:
            kept, extra = t[a + KEPT + level], v[b + turn.EXTRA + level]
            for i in range(head[NODES]):
                extra[i] = u[place(kept[i])]


def back_up(desk: Desk, ahead: Ahead, mine: int, theirs: int, ends: Any, precise: float) -> float:
    """Return the chance to win with the best turn at this pair of totals; by card in `desk.chances`.

    Write into `ends` how likely each end of the turn is, over all cards.
    """
    t, v, m, u, parts, chances = desk
    w, n, deck = ahead
    for g in range(-DEEP, REACH + 1):
        u[DEEP + g] = after(w, n, mine, theirs, g)
    for i in range(ENDS):
        ends[i] = 0.0
    total = 0.0
    cards = 0
    for card in range(r.N_CARDS):
        a = card * CARD_ROWS
        fill(t, a, v, 0, u)
        for level in range(LEVELS):
            v[turn.ISLE][level] = island(w, n, mine, theirs, t[a + HEAD][LOSS + level] // STEP)
        turn.solve(t, a, v, 0, precise)
        chances[card] = turn.start(t, a, v, 0, 1.0)
        if deck[card]:
            for i in range(follow.ENDS):
                parts[i] = 0.0
            follow.from_start(t, a, v, 0, m, parts)
            for i in range(GAINS):
                ends[i] += deck[card] * parts[i]
            for level in range(LEVELS):
                ends[GAINS + t[a + HEAD][LOSS + level] // STEP] += deck[card] * parts[LEFT + level]
            total += deck[card] * chances[card]
            cards += deck[card]
    for i in range(ENDS):
        ends[i] /= cards
    return total / cards


def improve(
    desk: Desk, ahead: Ahead, w: Any, ends: Any, mine: int, first: int, far: int, precise: float
) -> float:  # fmt: skip
    """Apply `back_up` to a row of pairs of totals in the table `w`; return the largest change.

    `ends` has rows mine * columns of `w` + theirs; `theirs` goes from `first` up to `far`.
    """
    old, n = ahead.w, ahead.n
    columns = len(w[0])
    most = 0.0
    for theirs in range(first, far):
        row = ends[mine * columns + theirs]
        chance = back_up(desk, ahead, mine, theirs, row, precise)
        for card in range(r.N_CARDS):
            w[card * n + mine][theirs] = desk.chances[card]
        w[MEAN * n + mine][theirs] = chance
        most = max(most, abs(chance - old[MEAN * n + mine][theirs]))
    return most


def evaluate(w: Any, n: int, ends: Any, columns: int, far: int, still: float, most: int) -> int:
    """Compute the means of `w` under the turns of `ends`, highest totals first, until they no longer
    change. Return the number of passes."""
    for times in range(most):
        change = 0.0
        for diagonal in range(n + far - 2, -1, -1):
            for mine in range(max(0, diagonal - far + 1), min(n, diagonal + 1)):
                theirs = diagonal - mine
                row = ends[mine * columns + theirs]
                total = 0.0
                for g in range(-DEEP, REACH + 1):
                    if row[DEEP + g] > 0.0:
                        total += row[DEEP + g] * after(w, n, mine, theirs, g)
                for loss in range(FARTHEST + 1):
                    if row[GAINS + loss] > 0.0:
                        total += row[GAINS + loss] * island(w, n, mine, theirs, loss)
                change = max(change, abs(total - w[MEAN * n + mine][theirs]))
                w[MEAN * n + mine][theirs] = total
        if change <= still:
            return times + 1
    return most
