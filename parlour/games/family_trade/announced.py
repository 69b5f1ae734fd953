"""Family Trade: the hands that are "one to go" (FT-10), drawn together, each set of hands by its number of ways.

A hand that is one to go is two of one good and two threes. Good by good it is said how many cards each such hand has of
it: none, a three, two threes, the pair, or both. What a hand has so far is one of six states: the pair or not, and how
many threes. The ways of all hands together are counted good by good over the states of all hands (dynamic programming),
the goods in two halves, of which the sums are met in the middle; then the hands are drawn by walking back. Nothing is
rejected: one draw of as many random numbers as there are goods, whatever the cards are.

States and shares of up to four hands are numbers in base 6, a digit for each hand: 3 * pairs + threes. The tables are
for three hands: of those that are not there the digit of the state is 5, so that nothing more fits (`_row`).
"""

from __future__ import annotations

from bisect import bisect
from itertools import accumulate
from math import comb
from typing import Any

from parlour.core.game import Buffer
from parlour.core.rng import random_word
from parlour.games.family_trade.state import N_GOODS, N_KINDS, SEATS

OUTLINE = ("count_ways", "draw_hands", "_add", "_share", "_weigh", "_weigh_again")
LARGEST = 15  # cards of one good (state.py)
HALVES = 5  # sums of a half: before the first good, and after each of four
SHARE = (0, 3, 6, 2, 5, 8)  # cards of a good, by digit
THREE = 216  # states of three hands; the fourth is looped over
CHOOSE = tuple(tuple(comb(n, k) for k in range(LARGEST + 1)) for n in range(LARGEST + 1))


def _cards(share: int) -> int:
    cards = 0
    while share:
        cards, share = cards + SHARE[share % 6], share // 6
    return cards


def _splits(share: int) -> int:
    """In how many ways the cards of a share go to its hands."""
    cards, ways = _cards(share), 1
    while share:
        ways *= comb(cards, SHARE[share % 6])
        cards, share = cards - SHARE[share % 6], share // 6
    return ways


def _pairs(share: int) -> int:
    """Bit i: hand i has its pair in this share."""
    return sum(1 << i for i in range(3) if share // 6**i % 6 > 2)


CARDS = tuple(_cards(share) for share in range(THREE))
SPLITS = tuple(_splits(share) if CARDS[share] <= LARGEST else 0 for share in range(THREE))
PAIRS = tuple(_pairs(share) for share in range(THREE))
FOURTH = (  # which shares one hand can have, by its state
    (0, 1, 2, 3, 4, 5),
    (0, 1, 3, 4, -1, -1),
    (0, 3, -1, -1, -1, -1),
    (0, 1, 2, -1, -1, -1),
    (0, 1, -1, -1, -1, -1),
    (0, -1, -1, -1, -1, -1),
)
_ONE = tuple(tuple(share for share in shares if share >= 0) for shares in FOURTH)
_FITTING = tuple(
    sorted(
        (a + 6 * b + 36 * c for c in _ONE[state // 36] for b in _ONE[state // 6 % 6] for a in _ONE[state % 6]),
        key=CARDS.__getitem__,
    )
    for state in range(THREE)
)
FITTING = tuple(share for shares in _FITTING for share in shares)  # by state, and by cards
FIRST = tuple(accumulate((len(shares) for shares in _FITTING[:-1]), initial=0))
END = tuple(  # where the shares of a state end, by the cards that there are
    tuple(FIRST[state] + bisect(_FITTING[state], n, key=CARDS.__getitem__) for n in range(LARGEST + 1))
    for state in range(THREE)
)


def count_ways(
    seats: int,
    pool: Any,
    unfit: Any,
    sealed: int,
    spare: Any,
    need: Any,
    odds: Any,
    goods: Buffer,
    ways: Any,
    sums: Any,
) -> int:  # fmt: skip
    """Prepare `draw_hands` for hands out of the cards `pool` (by good); say over how many goods they go.

    `unfit` says of each hand which goods are not its pair, a bit each. Where `sealed` is not -1, the first so many
    hands have at most `spare` cards of a good, all hands at least `need`, and the ways of each share are multiplied by
    its `odds` [8 goods x 4 hands x 6].
    Written: `goods` [8], those of which there are two cards or more, `ways` [8 x states] and `sums` [10 x states],
    zeros before; there are 6 states for one hand, 36 for two, 216, 1296.
    """
    size = states(seats)
    n = 0
    for good in range(N_GOODS):
        if pool[good] > 1:
            i = n
            while i > 0 and pool[goods[i - 1]] < pool[good]:
                goods[i] = goods[i - 1]
                i -= 1
            goods[i] = good
            n += 1
    sums[0] = 1.0
    sums[HALVES * size] = 1.0
    for i in range(n):
        good = goods[i]
        out = 0
        for hand in range(seats):
            out |= (unfit[hand] >> good & 1) << hand
        _weigh(ways, i * size, pool[good], out, size)
        if sealed >= 0:
            _weigh_again(ways, i * size, size, pool[good], spare[good], need[good], seats, sealed, odds, good)
        level = (i % 2 * HALVES + i // 2) * size
        _add(sums, level, level + size, ways, i * size, pool[good], size)
    return n


def states(seats: int) -> int:
    """How many states so many hands have together."""
    return (1, 6, 36, THREE, 6 * THREE)[seats]


def _row(state: int, size: int) -> int:
    """Where this state is in the tables of three hands."""
    return state + THREE - size if size < THREE else state % THREE


def _weigh(ways: Any, at: int, n: int, out: int, size: int) -> None:
    """The ways to give each share of a good of which there are n cards; `out`: hands that may not have the pair."""
    low = _row(0, size)
    for fourth in range(6 if size > THREE else 1):
        more = SHARE[fourth]
        if more > n or (fourth > 2 and out >> 3):
            continue
        for i in range(FIRST[low], END[low][n - more]):
            share = FITTING[i]
            if not PAIRS[share] & out:
                cards = CARDS[share] + more
                there = CHOOSE[n][cards] * CHOOSE[cards][more] * SPLITS[share]
                ways[at + THREE * fourth + share] = float(there)


def _weigh_again(
    ways: Any, at: int, size: int, n: int, spare: int, need: int, seats: int, sealed: int, odds: Any, good: int
) -> None:  # fmt: skip
    """The same after a new deck: sealed hands are of old cards, and what the others have is not all as likely."""
    for share in range(size):
        if ways[at + share] == 0.0:
            continue
        before = min(spare, n)
        cards = n
        digits = share
        here = 1.0
        for hand in range(seats):
            digit = digits % 6
            digits //= 6
            here *= CHOOSE[before if hand < sealed else cards][SHARE[digit]]
            here *= odds[(good * SEATS + hand) * 6 + digit]
            before = max(before - SHARE[digit], 0)
            cards -= SHARE[digit]
        ways[at + share] = here if n - cards >= need else 0.0


def _add(sums: Any, source: int, target: int, ways: Any, at: int, n: int, size: int) -> None:
    """Sums with one good more."""
    for state in range(size):
        have = sums[source + state]
        if have == 0.0:
            continue
        low = _row(state, size)
        if size <= THREE:
            to = target + state
            for share in FITTING[FIRST[low] : END[low][n]]:
                sums[to + share] += have * ways[at + share]
        else:
            for fourth in FOURTH[state // THREE]:
                if fourth >= 0 and SHARE[fourth] <= n:
                    to = target + state + THREE * fourth
                    by = at + THREE * fourth
                    for share in FITTING[FIRST[low] : END[low][n - SHARE[fourth]]]:
                        sums[to + share] += have * ways[by + share]


def draw_hands(rng: Buffer, seats: Any, n: int, goods: Any, ways: Any, sums: Any, hand: Any) -> bool:
    """Draw the hands of the `seats` (NOBODY after the last) into `hand`, by what `count_ways` found over n goods; False
    when there are none. `hand` [4 x 9] is written where they have cards."""
    number = 0
    while number < SEATS and seats[number] >= 0:
        number += 1
    size = states(number)
    whole = size - 1
    front = (n + 1) // 2 * size
    back = (HALVES + n // 2) * size
    total = 0.0
    for state in range(size):
        total += sums[front + state] * sums[back + whole - state]
    if total == 0.0:
        return False
    left = _real(rng) * total
    chosen = 0
    for state in range(size):
        here = sums[front + state] * sums[back + whole - state]
        if here > 0.0 and left >= 0.0:
            chosen = state
            left -= here
    other = whole - chosen
    for i in range(n - 1, -1, -1):
        level = (i % 2 * HALVES + i // 2) * size
        share = _share(rng, other if i % 2 else chosen, level, ways, i * size, sums, size)
        if i % 2:
            other -= share
        else:
            chosen -= share
        for j in range(number):
            hand[seats[j] * N_KINDS + goods[i]] = SHARE[share % 6]
            share //= 6
    return True


def _share(rng: Buffer, state: int, level: int, ways: Any, at: int, sums: Any, size: int) -> int:
    """Draw the share of the last good that has made this state."""
    left = _real(rng) * sums[level + size + state]
    chosen = 0
    rest = size - 1 - state  # what fits there has come from a state before
    low = _row(rest, size)
    for fourth in range(6 if size > THREE else 1):
        if size > THREE and not _may(rest // THREE, fourth):
            continue
        for i in range(FIRST[low], END[low][LARGEST]):
            share = FITTING[i] + THREE * fourth
            here = ways[at + share] * sums[level + state - share]
            if here > 0.0 and left >= 0.0:
                chosen = share
                left -= here
    return chosen


def _may(state: int, share: int) -> bool:
    """Whether one hand, in its state, can have this share."""
    return state // 3 + share // 3 < 2 and state % 3 + share % 3 < 3


def _real(rng: Buffer) -> float:
    """In [0, 1)."""
    return random_word(rng) / 4294967296.0
