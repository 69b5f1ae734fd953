"""Family Trade: a new deal of all that a seat cannot know (FT-26).

unseen.py works out what the seat knows. The rest is dealt again: first the announced hands, all
together (announced.py), then where shown cards came from (origins.py), then the rest at random
(remainder.py, and mending.py if a deal contradicts what is known).

If no new deck was formed in the deal, this is exact. A deal of the unseen cards fits if each
announced hand is one to go, no other hand that would have had to be announced is, and no false call
was a true one; all deals that fit are equally likely. A deal that does not fit is thrown away and
made again, TRIES times in all; then one is mended instead. If a share `r` of the deals is thrown
away, at most `r ** TRIES` of all deals are mended, and no chance can be wrong by more than that.

After a new deck, a card shown by another player may be one that they held before. Which ones is
drawn card by card, DRAWS times, and one of the draws is chosen by its weight: the more draws, the
nearer that is to the true odds. docs/testing.md has the distance, measured against enumeration. In
Battle Royale hands leave the game face down, so from the second new deck on each of the last decks
is followed separately (decks.py, lineage.py). If no draw fits there, all decks before the present
one count as one: in 12 of 2,514 positions of play towards sets with two to four players. In the
other rulesets the cards in hands are all that is not in the new deck. In all cases what others
chose to discard or not to take says nothing, and neither does a hand that they had on the way to
the present one, except for the good that they cannot be waiting for (`unfit`).

The work is bounded: in lineage.py first, then TRIES deals, then MORE_TRIES that may be mended, and
then, in order, all hands that can have been announced. In plain Python a deal takes 0.3
milliseconds of processor time at the median with three announced hands, the most that a seat can
meet, and 1.2 at most (2 of 15,368 positions took more than one). Only a spectator meets four, and
no bot, hint or analysis deals for spectators: 1.5 at the median, 12 at most.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from parlour.core.contract import Buffer
from parlour.core.rng import random_below
from parlour.games.family_trade.rules.announced import count_ways, draw_hands, real, states
from parlour.games.family_trade.rules.decks import merge_decks
from parlour.games.family_trade.rules.hands import cards_of
from parlour.games.family_trade.rules.hidden import asks_another
from parlour.games.family_trade.rules.lineage import deal_decks
from parlour.games.family_trade.rules.origins import trace
from parlour.games.family_trade.rules.pieces import N_GOODS, N_KINDS, SEATS
from parlour.games.family_trade.rules.remainder import ANY, MENDED, STRICT, deal_rest, make_fit
from parlour.games.family_trade.rules.state import DRAW, NOBODY
from parlour.games.family_trade.rules.unseen import announced_hands, count_cards, likely, limits

OUTLINE = ("resample", "search", "_choose", "_with_hands")
TRIES = 6
MORE_TRIES = 6  # with mending
DRAWS = 8  # of where the cards came from, for each try after a new deck
CELLS = SEATS * N_KINDS


class Draw(NamedTuple):
    """What is drawn by weight: the announced hands [4 x 9], and how many of the cards in them and of
    the cards shown were `held` [4 x 9] when the deck was last shuffled."""

    hand: Any
    held: Any


def resample(state: Any, player: int, rng: Buffer) -> None:
    """FT-26: deal again what `player` cannot know; see above for the odds.

    They do not know either that another seat is being asked about a discard, so in the new state no
    seat is asked.
    """
    if asks_another(state, player):
        state.phase = DRAW
        state.asked = NOBODY
    if state.past > 1:
        first, second, third, fourth = rng[0], rng[1], rng[2], rng[3]
        if deal_decks(state, player, rng):
            return
        rng[0], rng[1], rng[2], rng[3] = first, second, third, fourth
        while state.past > 1:
            merge_decks(state)
    fresh = [0] * N_KINDS  # in the deck or drawn from it by others since it was shuffled
    old = [0] * N_KINDS  # in the others' hands before that
    pool = [0] * N_KINDS  # of both, the cards that no player has shown
    count_cards(state, player, fresh, old, pool)
    seats = [NOBODY] * SEATS
    sealed = announced_hands(state, player, seats)
    if seats[0] != NOBODY:
        _with_hands(state, player, rng, fresh, old, pool, seats, sealed)
        return
    drawn, chosen = Draw([0] * CELLS, [0] * CELLS), Draw([0] * CELLS, [0] * CELLS)
    attempt = 0
    dealt = False
    while not dealt and attempt <= TRIES + MORE_TRIES:
        mode = STRICT if attempt < TRIES else MENDED if attempt < TRIES + MORE_TRIES else ANY
        total = 0.0
        for _ in range(DRAWS if state.trailed else 1):
            weight = trace(state, player, rng, fresh, old, drawn.hand, drawn.held)
            total = _choose(rng, total, weight, drawn, chosen)
        fits = total > 0.0 or make_fit(state, player, rng, fresh, old, chosen.hand, chosen.held)
        dealt = fits and deal_rest(state, player, rng, fresh, old, chosen.hand, chosen.held, mode)
        attempt += 1


def _choose(rng: Buffer, total: float, weight: float, drawn: Draw, chosen: Draw) -> float:
    """Replace the draw that is chosen so far by this one, with the chance of its weight in the total.
    Return the new total."""
    if weight > 0.0 and (total <= 0.0 or real(rng) * (total + weight) < weight):
        for cell in range(CELLS):
            chosen.hand[cell] = drawn.hand[cell]
            chosen.held[cell] = drawn.held[cell]
    return total + weight


def _with_hands(state: Any, player: int, rng: Buffer, fresh: Any, old: Any, pool: Any, seats: Any, sealed: int) -> None:
    """Deal again when the hands of other `seats` are announced; the first `sealed` of them have no
    fresh card."""
    hands = 0
    while hands < SEATS and seats[hands] != NOBODY:
        hands += 1
    olds = cards_of(old)
    unfit = [0] * SEATS
    for i in range(hands):
        unfit[i] = state.unfit[seats[i]]
    goods = [0] * (N_GOODS + 1)
    size = states(hands)
    ways = [0.0] * (N_GOODS * size)
    sums = [0.0] * (10 * size)
    odds = [0.0] * (N_GOODS * SEATS * 6 if olds else 0)
    spare = [0] * N_GOODS
    need = [0] * N_GOODS
    if not olds:
        sealed = -1
    else:
        limits(state, player, fresh, old, pool, spare, need)
        likely(state, seats, sealed, fresh, old, odds)
    n = count_ways(hands, pool, unfit, sealed, (spare, need, odds), goods, ways, sums)
    drawn, chosen = Draw([0] * CELLS, [0] * CELLS), Draw([0] * CELLS, [0] * CELLS)
    for attempt in range(TRIES + MORE_TRIES):
        total = 0.0
        for _ in range(DRAWS if olds else 1):
            for cell in range(CELLS):
                drawn.hand[cell] = 0
            weight = draw_hands(rng, seats, n, goods, ways, sums, drawn.hand)
            if weight > 0.0 and olds:
                weight = trace(state, player, rng, fresh, old, drawn.hand, drawn.held) / weight
            total = _choose(rng, total, weight, drawn, chosen)
        mode = STRICT if attempt < TRIES else MENDED
        if total > 0.0 and deal_rest(state, player, rng, fresh, old, chosen.hand, chosen.held, mode):
            return
    if not search(state, player, rng, fresh, old, pool, seats, MENDED):
        search(state, player, rng, fresh, old, pool, seats, ANY)


# When no random deal fits ------------------------------------------------------------------------
def _patterns() -> tuple[tuple[int, ...], ...]:
    """FT-10: return all ways to choose the three goods of a hand that is one to go: a pair and two
    threes."""
    goods = range(N_GOODS)
    return tuple((pair, a, b) for pair in goods for a in goods for b in goods if a <= b)


PATTERNS = _patterns()


def search(state: Any, me: int, rng: Buffer, fresh: Any, old: Any, pool: Any, seats: Any, mode: int) -> bool:
    """Try all combinations of announced hands of the `seats`, from a random one on, until the rest can
    be dealt (`deal_rest`); at most 288 hands for each seat. Return False if it never can."""
    hand = [0] * CELLS
    held = [0] * CELLS
    left = [0] * N_KINDS
    tried = [-1] * (SEATS + 1)
    for kind in range(N_KINDS):
        left[kind] = pool[kind]
    start = random_below(rng, len(PATTERNS))
    level = 0
    while level >= 0:
        if level == SEATS or seats[level] == NOBODY:
            trace(state, me, rng, fresh, old, hand, held)
            fits = make_fit(state, me, rng, fresh, old, hand, held)
            if fits and deal_rest(state, me, rng, fresh, old, hand, held, mode):
                return True
        else:
            seat = seats[level]
            tried[level] += 1
            while tried[level] < len(PATTERNS) and not _put(
                (start + tried[level]) % len(PATTERNS), int(state.unfit[seat]), left, hand, seat * N_KINDS
            ):
                tried[level] += 1
            if tried[level] < len(PATTERNS):
                level += 1
                continue
            tried[level] = -1
        level -= 1
        if level >= 0:
            for kind in range(N_KINDS):
                at = seats[level] * N_KINDS + kind
                left[kind] += hand[at]
                hand[at] = 0
    return False


def _put(pattern: int, unfit: int, left: Any, hand: Any, first: int) -> bool:
    """Take this hand out of the cards that are left; return False if it is not there or not
    possible."""
    if unfit >> PATTERNS[pattern][0] & 1:
        return False
    for i in range(3):
        hand[first + PATTERNS[pattern][i]] += 2 if i == 0 else 3
    there = True
    for good in range(N_GOODS):
        there = there and hand[first + good] <= left[good]
    for good in range(N_GOODS):
        if there:
            left[good] -= hand[first + good]
        else:
            hand[first + good] = 0
    return there
