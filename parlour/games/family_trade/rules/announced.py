"""Family Trade: drawing all hands that are "one to go" (FT-10) together, each set of hands in
proportion to its number of ways.

A hand that is one to go is two of one good and two threes. Of each good such a hand has nothing, a
three, two threes, the pair, or both. What a hand has so far is one of six states: the pair or not,
and how many threes. The ways of all hands together are counted good by good over the states of all
hands (dynamic programming), for two halves of the goods whose sums meet in the middle; then the
hands are drawn by walking back. No draw is rejected: one draw takes as many random numbers as there
are goods, whatever the cards are. With three hands, the first half is the goods that may be the
pair of each: there the hands are alike, and 56 of the 216 states are enough.

States and shares of up to four hands are numbers in base 6, a digit for each hand: 3 * pairs +
threes. The tables are for three hands: the digit of a missing hand is 5, so that nothing more fits
(`_row`).
"""

from __future__ import annotations

from bisect import bisect
from itertools import accumulate
from math import comb
from typing import Any

from parlour.core.contract import Buffer
from parlour.core.rng import random_word
from parlour.games.family_trade.rules.pieces import LARGEST, N_GOODS, N_KINDS, SEATS

OUTLINE = ("count_ways", "draw_hands", "_add", "_add_alike", "_share", "_weigh", "_weigh_again")
SHARE = (0, 3, 6, 2, 5, 8)  # cards of a good, by digit
THREE = 216  # states of three hands; the fourth is looped over
CHOOSE = tuple(tuple(comb(n, k) for k in range(LARGEST + 1)) for n in range(LARGEST + 1))


def _cards(share: int) -> int:
    cards = 0
    while share:
        cards, share = cards + SHARE[share % 6], share // 6
    return cards


def _splits(share: int) -> int:
    """Return in how many ways the cards of a share can go to its hands."""
    cards, ways = _cards(share), 1
    while share:
        ways *= comb(cards, SHARE[share % 6])
        cards, share = cards - SHARE[share % 6], share // 6
    return ways


def _without(out: int, state: int) -> int:
    """Return the state that leaves room for the same shares, except those with the pairs of the hands
    `out` (a bit each)."""
    digits = [state // 6**i % 6 for i in range(3)]
    return sum((digit + 3 if out >> i & 1 and digit < 3 else digit) * 6**i for i, digit in enumerate(digits))


CARDS = tuple(_cards(share) for share in range(THREE))
SPLITS = tuple(_splits(share) if CARDS[share] <= LARGEST else 0 for share in range(THREE))
WITHOUT = tuple(tuple(_without(out, state) for state in range(THREE)) for out in range(8))
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
_SORTED = tuple(sum(d * 6**i for i, d in enumerate(sorted(s // 6**i % 6 for i in range(3)))) for s in range(THREE))
IN_ORDER = tuple(sorted(set(_SORTED)))  # states in which no hand has more than the next
OTHERS = tuple(state for state in range(THREE) if _SORTED[state] != state)
SAME = tuple(_SORTED[state] for state in OTHERS)  # in order


def count_ways(
    seats: int,
    pool: Any,
    unfit: Any,
    sealed: int,
    again: Any,
    goods: Buffer,
    ways: Any,
    sums: Any,
) -> int:  # fmt: skip
    """Prepare `draw_hands` for hands out of the cards `pool` (by good); return over how many goods
    they go.

    `unfit` gives, for each hand, the goods that are not its pair, a bit each. Unless `sealed` is
    -1, `again` is what a new deck has changed (spare, need, odds): the first `sealed` hands have at
    most `spare` [8] cards of a good, all hands at least `need` [8], and the ways of each share are
    multiplied by its `odds` [8 goods x 4 hands x 6]. Written: `goods` [9], those with two cards or
    more, and last how many of them are the first half; `ways` [8 x states] and `sums` [10 x
    states], which must be zeros before. There are 6 states for one hand, 36 for two, 216, 1296.
    """
    size = states(seats)
    barred = 0  # goods that are not the pair of some hand
    for hand in range(seats):
        barred |= unfit[hand]
    n = 0
    first = 0
    for late in range(2):
        for good in range(N_GOODS):
            if pool[good] > 1 and barred >> good & 1 == late:
                i = n
                while i > first and pool[goods[i - 1]] < pool[good]:
                    goods[i] = goods[i - 1]
                    i -= 1
                goods[i] = good
                n += 1
        if not late:
            first = n
    alike = size == THREE and sealed < 0  # all hands, in the first half
    half = first if alike else (n + 1) // 2
    goods[N_GOODS] = half
    sums[0] = 1.0
    sums[(half + 1) * size] = 1.0
    for i in range(n):
        good = goods[i]
        out = 0
        for hand in range(seats):
            out |= (unfit[hand] >> good & 1) << hand
        if sealed < 0:
            _weigh(ways, i * size, pool[good], out, size)
        else:
            _weigh_again(ways, i * size, pool[good], out, seats, sealed, again, good)
        level = (i if i < half else i + 1) * size
        if alike and 0 < i < half:
            _add_alike(sums, level, ways, i * size, pool[good])
        else:
            _add(sums, level, level + size, ways, i * size, pool[good], out, size)
    return n


def states(seats: int) -> int:
    """Return how many states this many hands have together."""
    return (1, 6, 36, THREE, 6 * THREE)[seats]


def _row(state: int, size: int) -> int:
    """Return where this state is in the tables of three hands."""
    return state + THREE - size if size < THREE else state % THREE


def _weigh(ways: Any, at: int, n: int, out: int, size: int) -> None:
    """Count the ways to give each share of a good that has n cards. The hands in `out` may not
    have the pair."""
    low = WITHOUT[out & 7][_row(0, size)]
    for fourth in range(6 if size > THREE else 1):
        more = SHARE[fourth]
        if more > n or (fourth > 2 and out >> 3):
            continue
        first = at + THREE * fourth
        for share in FITTING[FIRST[low] : END[low][n - more]]:
            cards = CARDS[share] + more
            ways[first + share] = float(CHOOSE[n][cards] * CHOOSE[cards][more] * SPLITS[share])


def _weigh_again(
    ways: Any, at: int, n: int, out: int, seats: int, sealed: int, again: Any, good: int
) -> None:  # fmt: skip
    """Count the same after a new deck: sealed hands have only old cards, and the other hands are not
    all equally likely. Hand by hand, each share of the earlier hands is combined with each share of
    this one."""
    spare, need, odds = again
    ways[at] = 1.0
    size = 1
    for hand in range(seats):
        room = min(spare[good], n) if hand < sealed else n
        low = WITHOUT[out & (1 << hand) - 1][_row(0, size)]
        for digit in range(1, 3 if out >> hand & 1 else 6):
            here = odds[(good * SEATS + hand) * 6 + digit]
            more = SHARE[digit]
            if here > 0.0 and more <= room:
                to = at + size * digit
                for share in FITTING[FIRST[low] : END[low][room - more]]:
                    ways[to + share] = ways[at + share] * here * CHOOSE[room - CARDS[share]][more]
        size *= 6
    low = _row(0, size)
    for fourth in range(6 if size > THREE else 1):
        if need[good] > SHARE[fourth]:
            for share in FITTING[FIRST[low] : END[low][min(need[good] - 1 - SHARE[fourth], LARGEST)]]:
                ways[at + THREE * fourth + share] = 0.0


def _add(sums: Any, source: int, target: int, ways: Any, at: int, n: int, out: int, size: int) -> None:
    """Add one good to the sums."""
    for state in range(size):
        have = sums[source + state]
        if have == 0.0:
            continue
        low = WITHOUT[out & 7][_row(state, size)]
        if size <= THREE:
            to = target + state
            for share in FITTING[FIRST[low] : END[low][n]]:
                sums[to + share] += have * ways[at + share]
        else:
            for fourth in FOURTH[state // THREE + 3 if out >> 3 and state // THREE < 3 else state // THREE]:
                if fourth >= 0 and SHARE[fourth] <= n:
                    to = target + state + THREE * fourth
                    by = at + THREE * fourth
                    for share in FITTING[FIRST[low] : END[low][n - SHARE[fourth]]]:
                        sums[to + share] += have * ways[by + share]


def _add_alike(sums: Any, source: int, ways: Any, at: int, n: int) -> None:
    """Add one good for three hands that are alike so far: compute only states in order, and copy the
    others."""
    target = source + THREE
    for state in IN_ORDER:
        low = THREE - 1 - state  # what fits there has come to this state
        last = source + state
        total = 0.0
        for share in FITTING[FIRST[low] : END[low][n]]:
            total += ways[at + share] * sums[last - share]
        sums[target + state] = total
    for state, same in zip(OTHERS, SAME):  # noqa: B905 - compiled, too
        sums[target + state] = sums[target + same]


def draw_hands(rng: Buffer, seats: Any, n: int, goods: Any, ways: Any, sums: Any, hand: Any) -> float:
    """Draw the hands of the `seats` (NOBODY after the last) into `hand` [4 x 9], by what
    `count_ways` found over n goods. Write only where they have cards. Return the ways of what was
    drawn, 0 if there is nothing to draw."""
    number = 0
    while number < SEATS and seats[number] >= 0:
        number += 1
    size = states(number)
    whole = size - 1
    half = goods[N_GOODS]
    front = half * size
    back = (n + 1) * size
    total = 0.0
    for state in range(size):
        total += sums[front + state] * sums[back + whole - state]
    if total == 0.0:
        return 0.0
    drawn = 1.0
    left = real(rng) * total
    chosen = 0
    for state in range(size):
        here = sums[front + state] * sums[back + whole - state]
        if here > 0.0 and left >= 0.0:
            chosen = state
            left -= here
    other = whole - chosen
    for i in range(n - 1, -1, -1):
        if i < half:
            share = _share(rng, chosen, i * size, ways, i * size, sums, size)
            chosen -= share
        else:
            share = _share(rng, other, (i + 1) * size, ways, i * size, sums, size)
            other -= share
        drawn *= ways[i * size + share]
        for j in range(number):
            hand[seats[j] * N_KINDS + goods[i]] = SHARE[share % 6]
            share //= 6
    return drawn


def _share(rng: Buffer, state: int, level: int, ways: Any, at: int, sums: Any, size: int) -> int:
    """Draw the share of the last good that has made this state."""
    left = real(rng) * sums[level + size + state]
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
    """Return whether one hand, in its state, can have this share."""
    return state // 3 + share // 3 < 2 and state % 3 + share % 3 < 3


def real(rng: Buffer) -> float:
    """Return a random number in [0, 1)."""
    return random_word(rng) / 4294967296.0
