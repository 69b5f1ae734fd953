"""Family Trade: which of the cards that a seat is known to have had were in its hand when a new
deck was formed (FT-18, FT-26).

`trace` goes through the shown cards in order and draws for each whether it was held or drawn since.
A seat shows any of the cards in its hand with the same chance. So if it still holds `h` cards from
before and `d` fresh ones, and a share `p` of all old cards and a share `q` of all fresh ones are of
the kind shown, the odds are `h * p` to `d * q`. What is shown later counts too: the chance of the
shown kinds is the weight of the draw, and one of several draws is chosen by weight (sampling,
importance, resampling: dealing.py).

`divide` is for draws that come to a dead end. A table of seats and kinds: of the `cap` cards of a
kind that a seat has had since then, it held `held` before and has drawn the others. The sums of
rows and columns have bounds: it is known what a seat held, and of each kind how many cards were
held and how many were in the new deck. The table is made to fit card by card, each time along a
shortest path through the table, as in network flow: when no path is left, nothing fits.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from parlour.core.contract import Buffer
from parlour.core.rng import random_below
from parlour.games.family_trade.rules.announced import real
from parlour.games.family_trade.rules.hands import cards_of
from parlour.games.family_trade.rules.pieces import DEALT_CARDS, N_KINDS, SEATS
from parlour.games.family_trade.rules.state import ALL_SHOWN
from parlour.games.family_trade.rules.unseen import is_secret, not_shown

OUTLINE = ("divide", "trace", "_one_card", "_whence")
PLACES = SEATS + N_KINDS  # a row or a column


class Urns(NamedTuple):
    """What is left while cards are traced: `old` and `fresh` [9] cards by kind, `hands` [4] old cards in each
    hand, and `sums` [2] of all old and all fresh cards."""

    old: Any
    fresh: Any
    hands: Any
    sums: Any


def trace(state: Any, me: int, rng: Buffer, fresh: Any, old: Any, hand: Any, held: Any) -> float:
    """Draw how many of the shown cards, and of the announced hands `hand` [4 x 9], were `held`
    [4 x 9]. Return the weight of the draw, 0 if it does not fit."""
    urns = Urns([0] * N_KINDS, [0] * N_KINDS, [0] * SEATS, [0] * 2)
    not_shown(state, me, fresh, urns.fresh)
    urns.sums[1] = cards_of(urns.fresh)
    for kind in range(N_KINDS):
        urns.old[kind] = old[kind]
        urns.sums[0] += urns.old[kind]
    for cell in range(SEATS * N_KINDS):
        held[cell] = 0
    for seat in range(state.players):
        urns.hands[seat] = state.held[seat]
    weight = 1.0
    for i in range(state.trailed):
        card = state.trail[i]
        n = DEALT_CARDS[state.ruleset] + 1
        if card >= ALL_SHOWN:  # the whole hand, the last of the trail
            card -= ALL_SHOWN
            n = state.trailed - i
        if card // N_KINDS != me:
            weight *= _whence(rng, urns, card, n, held)
    for seat in range(state.players):
        if seat != me and is_secret(state, seat):
            n = DEALT_CARDS[state.ruleset]
            for kind in range(N_KINDS):
                for same in range(hand[seat * N_KINDS + kind]):
                    weight *= _whence(rng, urns, seat * N_KINDS + kind, n, held) / (same + 1)
                    n -= 1
    return weight


def _whence(rng: Buffer, urns: Urns, card: int, n: int, held: Any) -> float:
    """Draw whether this card (kind + N_KINDS * seat) of a hand of `n` was held or drawn. Return how
    likely it was that a card of this kind is shown."""
    kind = card % N_KINDS
    seat = card // N_KINDS
    before = 0.0
    after = 0.0
    if urns.old[kind] > 0:
        before = urns.hands[seat] * urns.old[kind] / urns.sums[0]
    if urns.fresh[kind] > 0:
        after = (n - urns.hands[seat]) * urns.fresh[kind] / urns.sums[1]
    if before > 0.0 and (after <= 0.0 or real(rng) * (before + after) < before):
        held[card] += 1
        urns.old[kind] -= 1
        urns.hands[seat] -= 1
        urns.sums[0] -= 1
    elif after > 0.0:
        urns.fresh[kind] -= 1
        urns.sums[1] -= 1
    return max(before, 0.0) + max(after, 0.0)


def divide(rng: Buffer, cap: Any, rows: Any, fresh: Any, old: Any, held: Any) -> bool:
    """Change `held` [36], how many of the `cap` [36] cards were held, until it fits; return False if it
    cannot.

    `rows` [8] has the least and the most for each seat. Of a kind at most `old` cards are held, and
    at most `fresh` are not. At most 36 x 12 paths are searched for, each in a table of 13 places.
    """
    sums = [0] * PLACES
    least = [0] * PLACES
    most = [0] * PLACES
    for kind in range(N_KINDS):
        cards = 0
        for seat in range(SEATS):
            at = seat * N_KINDS + kind
            cards += cap[at]
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
    """Bring the sum of one row or column a step nearer to its bounds, and no other sum farther from
    them; return False if that is not possible."""
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
        # Along the way, cells go up and down by turns; the side that the way has reached decides which.
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
    """Go back from `end` along the path, and change its cells up and down by turns."""
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
