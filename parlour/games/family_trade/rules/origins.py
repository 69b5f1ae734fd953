"""Family Trade: which of the cards that a seat is known to have had were in its hand when a new
deck was formed (FT-18, FT-26).

A table of seats and kinds: of the `cap` cards of a kind that a seat has had since then, it held
`held` before and has drawn the others. The sums of rows and columns have bounds: it is known what a
seat held, and of each kind how many cards were held and how many were in the new deck. The cards
are divided at random and then made to fit card by card, each time along a shortest path through the
table, as in network flow: when no path is left, nothing fits.
"""

from __future__ import annotations

from typing import Any

from parlour.core.contract import Buffer
from parlour.core.rng import random_below
from parlour.games.family_trade.rules.pieces import N_KINDS, SEATS

OUTLINE = ("divide", "_one_card")
PLACES = SEATS + N_KINDS  # a row or a column


def divide(rng: Buffer, cap: Any, rows: Any, fresh: Any, old: Any, held: Any) -> bool:
    """Write into `held` [36] how many of the `cap` [36] cards were held; return False if nothing
    fits.

    `rows` [8] has the least and the most for each seat. Of a kind at most `old` cards are held, and
    at most `fresh` are not. At most 36 x 12 paths are searched for, each in a table of 13 places.
    """
    sums = [0] * PLACES
    least = [0] * PLACES
    most = [0] * PLACES
    for kind in range(N_KINDS):
        before = old[kind]
        after = fresh[kind]
        cards = 0
        for seat in range(SEATS):
            at = seat * N_KINDS + kind
            held[at] = 0
            cards += cap[at]
            for _ in range(cap[at]):
                if before + after > 0 and random_below(rng, before + after) < before:
                    held[at] += 1
                    before -= 1
                elif after > 0:
                    after -= 1
            sums[seat] += held[at]
            sums[SEATS + kind] += held[at]
        least[SEATS + kind] = max(0, cards - fresh[kind])
        most[SEATS + kind] = old[kind]
    for seat in range(SEATS):
        least[seat] = rows[2 * seat]
        most[seat] = rows[2 * seat + 1]
    turn = random_below(rng, PLACES)
    for place in range(PLACES):
        if least[place] > most[place]:
            return False
    for place in range(PLACES):
        while sums[place] < least[place] or sums[place] > most[place]:
            if not _one_card(place, turn, cap, held, sums, least, most):
                return False
    return True


def _one_card(start: int, turn: int, cap: Any, held: Any, sums: Any, least: Any, most: Any) -> bool:
    """Bring the sum of one row or column a step nearer to its bounds, and no other farther;
    False if that cannot be."""
    more = 1 if sums[start] < least[start] else -1
    came = [-1] * PLACES
    queue = [0] * PLACES
    queue[0] = start
    came[start] = start
    n = 1
    i = 0
    while i < n:
        place = queue[i]
        i += 1
        # Cells change along the way by turns up and down; which, depends on the side that the way has come to.
        step = more if (place < SEATS) == (start < SEATS) else -more
        first = SEATS if place < SEATS else 0
        number = N_KINDS if place < SEATS else SEATS
        for j in range(number):
            other = first + (j + turn) % number
            cell = place * N_KINDS + other - SEATS if place < SEATS else other * N_KINDS + place - SEATS
            if came[other] >= 0 or not 0 <= held[cell] + step <= cap[cell]:
                continue
            came[other] = place
            if least[other] <= sums[other] + step <= most[other] or (
                sums[other] > most[other] if step < 0 else sums[other] < least[other]
            ):
                _change(start, other, step, came, held, sums)
                return True
            queue[n] = other
            n += 1
    return False


def _change(start: int, end: int, step: int, came: Any, held: Any, sums: Any) -> None:
    """Go back from `end`, and change the cells by turns."""
    sums[end] += step
    place = end
    while True:
        before = came[place]
        cell = before * N_KINDS + place - SEATS if before < SEATS else place * N_KINDS + before - SEATS
        held[cell] += step
        if before == start:
            sums[start] += step
            return
        step = -step
        place = before
