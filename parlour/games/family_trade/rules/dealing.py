"""Family Trade: a new deal of all that a seat cannot know (FT-26).

A seat knows which cards were in the deck when it was last shuffled (`shuffled`), which of them it drew itself
(`drew`), and what each other seat has shown since (`since`). The rest is dealt again: first the announced hands, all
together (announced.py), then where shown cards came from (origins.py), then what is left at random.

Exact where no new deck was formed in the deal: all deals of the unseen cards are equally likely among those in which
each announced hand is one to go, no other that had to be announced is, and no false call was a true one. A deal that
is not among them is thrown away and made anew, TRIES times in all; then one is mended instead. If a share `r` of the
deals is thrown away, at most `r ** TRIES` of all come out mended, and by no more than that can any chance be wrong.

After a new deck a card shown by another may be one that he held before; which ones is then drawn so that every count
fits, but not with exact odds. In both cases what others chose to discard or not to take says nothing, nor does a hand
that they had on the way to the present one, but for the good that they cannot be waiting for (`unfit`).

Everything ends: TRIES deals, then MORE_TRIES that may be mended, and then, in order, all hands that can have been
announced. In plain Python a deal takes 0.3 milliseconds of processor time at the median with three announced hands,
the most that a seat can meet, and 1.2 at most (2 of 15,368 positions took more than one). Four are met by a spectator
only, for whom no bot, hint or analysis deals: 1.5 at the median, 12 at most.
"""

from __future__ import annotations

from typing import Any

from parlour.core.contract import Buffer
from parlour.core.rng import random_below
from parlour.games.family_trade.rules.announced import CHOOSE, SHARE, count_ways, draw_hands, states
from parlour.games.family_trade.rules.hands import complete, hand_size, wanted
from parlour.games.family_trade.rules.origins import divide
from parlour.games.family_trade.rules.state import (
    ASK,
    BATTLE_ROYALE,
    DRAW,
    N_GOODS,
    N_KINDS,
    NOBODY,
    NONE,
    SEATS,
    TURN,
)  # fmt: skip

OUTLINE = (
    "resample",
    "_with_hands",
    "contradictions",
    "deal_rest",
    "likely",
    "limits",
    "mend",
    "search",
    "_exchange",
    "_some",
    "_where_from",
)  # fmt: skip
TRIES = 6
MORE_TRIES = 6  # with mending
STRICT, MENDED, ANY = 0, 1, 2  # what is done with a deal that contradicts what is known
DECK, DRAWN, PLACES = SEATS, SEATS + 1, SEATS + 2  # where fresh cards can be besides in hands


def resample(state: Any, player: int, rng: Buffer) -> None:
    """FT-26: deal again what `player` cannot know; see above for the odds. That another seat is asked about a discard
    is unknown too: the state then is one in which nobody is (any more)."""
    if state.phase == ASK and state.asked != player:
        state.phase = DRAW
        state.asked = NOBODY
    fresh = [0] * N_KINDS  # in the deck or drawn from it by others since it was shuffled
    old = [0] * N_KINDS  # in the others' hands before that
    pool = [0] * N_KINDS  # of both, what nobody has shown
    olds = count_cards(state, player, fresh, old, pool)
    seats = [NOBODY] * SEATS
    sealed = _announced(state, player, seats)  # how many of them hold nothing fresh
    hands = 0
    while hands < SEATS and seats[hands] != NOBODY:
        hands += 1
    if hands:
        _with_hands(state, player, rng, fresh, old, pool, olds, seats, sealed, hands)
        return
    hand = [0] * (SEATS * N_KINDS)
    for attempt in range(TRIES + MORE_TRIES):
        if deal_rest(state, player, rng, fresh, old, hand, STRICT if attempt < TRIES else MENDED):
            return
    deal_rest(state, player, rng, fresh, old, hand, ANY)


def _with_hands(
    state: Any,
    player: int,
    rng: Buffer,
    fresh: Any,
    old: Any,
    pool: Any,
    olds: int,
    seats: Any,
    sealed: int,
    hands: int,
) -> None:  # fmt: skip
    """The same where other hands are announced."""
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
    if olds:
        limits(state, player, fresh, old, pool, spare, need)
        likely(state, seats, sealed, fresh, old, odds)
    n = count_ways(hands, pool, unfit, sealed if olds else -1, spare, need, odds, goods, ways, sums)
    for attempt in range(TRIES + MORE_TRIES):
        hand = [0] * (SEATS * N_KINDS)
        there = draw_hands(rng, seats, n, goods, ways, sums, hand)
        mode = STRICT if attempt < TRIES else MENDED
        if there and deal_rest(state, player, rng, fresh, old, hand, mode):
            return
    if not search(state, player, rng, fresh, old, pool, seats, MENDED):
        search(state, player, rng, fresh, old, pool, seats, ANY)


def count_cards(state: Any, me: int, fresh: Buffer, old: Buffer, pool: Buffer) -> int:
    """Count by kind the cards that `me` does not see where they are, and all that others have shown since the deck was
    shuffled; say how many were held then."""
    olds = 0
    for kind in range(N_KINDS):
        hidden = state.deck[kind]
        shown = 0
        for seat in range(state.players):
            if seat != me:
                at = seat * N_KINDS + kind
                hidden += state.gone[at] + (state.hand[at] if seat != state.winner else 0)
                shown += state.since[at]
        fresh[kind] = state.shuffled[kind] - (state.drew[me * N_KINDS + kind] if me != NOBODY else 0)
        old[kind] = hidden + shown - fresh[kind]
        pool[kind] = hidden
        olds += old[kind]
    return olds


def _secret(state: Any, seat: int) -> bool:
    """Whether this seat's hand was announced and is not shown."""
    return bool(state.announced >> seat & 1 and seat != state.winner)


def _announced(state: Any, me: int, seats: Buffer) -> int:
    """The other seats with announced hands, first those that have drawn no card since the deck was shuffled, or have
    shown none: how many these are."""
    n = 0
    sealed = 0
    for late in range(2):
        for seat in range(state.players):
            if seat != me and _secret(state, seat) and (_most_fresh(state, seat) > 0) == (late > 0):
                seats[n] = seat
                n += 1
        if not late:
            sealed = n
    return sealed


def _turn(state: Any, seat: int) -> int:
    """1 for who has just drawn a card."""
    return 1 if state.phase == TURN and state.player == seat else 0


def _total(counts: Any, seat: int) -> int:
    cards = 0
    for kind in range(N_KINDS):
        cards += counts[seat * N_KINDS + kind]
    return cards


def _most_fresh(state: Any, seat: int) -> int:
    """How many cards of an announced hand, without the one just drawn, may be fresh."""
    return min(_total(state.drew, seat) - _turn(state, seat), 8)


def limits(state: Any, me: int, fresh: Any, old: Any, pool: Any, spare: Buffer, need: Buffer) -> None:
    """Of each good, how many old cards at most may be in announced hands, and how many cards at least must be in them
    because nowhere else is a place for the old ones."""
    room = False
    for seat in range(state.players):
        if seat != me and not _secret(state, seat):
            room = room or (
                _total(state.drew, seat) - _turn(state, seat) < _total(state.since, seat) + _hidden_cards(state, seat)
                and _hidden_cards(state, seat) > 0
            )
    for good in range(N_GOODS):
        shown = fresh[good] + old[good] - pool[good]
        certain = 0  # of the cards shown, by who drew none
        for seat in range(state.players):
            if seat != me and _total(state.drew, seat) == _turn(state, seat):
                certain += state.since[seat * N_KINDS + good]
        spare[good] = old[good] - max(shown - fresh[good], certain)
        need[good] = 0 if room else max(0, old[good] - shown)


def likely(state: Any, seats: Any, sealed: int, fresh: Any, old: Any, odds: Any) -> None:
    """odds[good, hand, share]: how much likelier or less likely a hand after a new deck has this share of the good than
    by the number of cards alone: near to as many fresh cards as it must have on average."""
    held = 0
    drawn = 0
    for kind in range(N_KINDS):
        held += old[kind]
        drawn += fresh[kind]
    for i in range(SEATS):
        if seats[i] == NOBODY:
            continue
        most = _most_fresh(state, seats[i])
        mean = 8.0 * most / (8 + _total(state.since, seats[i]))
        mean = min(max(mean, 0.05), 7.95)
        tilt = mean / (8.0 - mean) * held / max(drawn, 1)
        for good in range(N_GOODS):
            both = old[good] + fresh[good]
            for digit in range(6):
                at = (good * SEATS + i) * 6 + digit
                n = SHARE[digit]
                odds[at] = 1.0
                if i < sealed or not both:
                    continue
                before = old[good] / both
                after = fresh[good] / both * tilt
                odds[at] = 0.0
                for new in range(n + 1):
                    if n - new <= old[good] and new <= min(fresh[good], most):
                        term = float(CHOOSE[n][new])
                        for _ in range(new):
                            term *= after
                        for _ in range(n - new):
                            term *= before
                        odds[at] += term


# The rest ----------------------------------------------------------------------------------------
def deal_rest(state: Any, me: int, rng: Buffer, fresh: Any, old: Any, hand: Any, mode: int) -> bool:
    """Deal what is left when the announced hands, `hand`, are known. When the deal contradicts what is known, and is
    STRICT, or is MENDED and cannot be, say so and change nothing."""
    held = [0] * (SEATS * N_KINDS)  # of the cards shown since the shuffle, and of the announced hands
    drew = [0] * (SEATS * N_KINDS)
    new = [0] * (PLACES * N_KINDS)  # fresh cards that are hidden: in other hands, in the deck, and the card just drawn
    kept = [0] * (SEATS * N_KINDS)  # old ones in other hands
    left = [0] * N_KINDS
    if not _where_from(state, me, rng, fresh, old, hand, held):
        return False
    for kind in range(N_KINDS):
        new[DECK * N_KINDS + kind] = fresh[kind]
        left[kind] = old[kind]
        for seat in range(state.players):
            if seat != me:
                at = seat * N_KINDS + kind
                drew[at] = state.since[at] + hand[at] - held[at]
                new[DECK * N_KINDS + kind] -= drew[at]
                left[kind] -= held[at]
    lost = [0] * (SEATS * N_KINDS)  # gone face down, fresh
    gone = [0] * (SEATS * N_KINDS)  # and old
    for seat in range(state.players):
        if seat == me:
            continue
        first = seat * N_KINDS
        more = _total(state.drew, seat) - _total(drew, seat)  # hidden cards of the seat that are fresh
        if _turn(state, seat):
            _some(rng, new, DECK * N_KINDS, 1, new, DRAWN * N_KINDS)
            more -= 1
        if not _secret(state, seat):
            size = _hidden_cards(state, seat)
            mine = size if state.later else more
            _some(rng, new, DECK * N_KINDS, mine, new, first)
            _some(rng, left, 0, size - mine, kept, first)
            more -= mine
        _some(rng, new, DECK * N_KINDS, more, lost, first)
        _some(rng, left, 0, _total(state.gone, seat) - more, gone, first)
    if contradictions(state, me, hand, new, kept) and (
        mode == STRICT or (mode == MENDED and not mend(state, me, rng, hand, new, kept))
    ):
        return False
    _write(state, me, hand, drew, new, kept, lost, gone)
    return True


def _write(state: Any, me: int, hand: Any, drew: Any, new: Any, kept: Any, lost: Any, gone: Any) -> None:
    for seat in range(state.players):
        if seat == me:
            continue
        turn = _turn(state, seat)
        for kind in range(N_KINDS):
            at = seat * N_KINDS + kind
            drawn = new[DRAWN * N_KINDS + kind] if turn else 0
            state.drew[at] = drew[at] + new[at] + lost[at] + drawn
            state.gone[at] = lost[at] + gone[at]
            if seat != state.winner:
                state.hand[at] = hand[at] + new[at] + kept[at] + drawn
            if drawn:
                state.drawn = kind
    for kind in range(N_KINDS):
        state.deck[kind] = new[DECK * N_KINDS + kind]


def _hidden_cards(state: Any, seat: int) -> int:
    """Cards in the hand of another seat, without the one just drawn; none when they are shown."""
    return 0 if seat == state.winner else hand_size(state, seat) - _turn(state, seat)


def _where_from(state: Any, me: int, rng: Buffer, fresh: Any, old: Any, hand: Any, held: Any) -> bool:
    """Say how many cards shown since the last shuffle, and of announced hands, were held then: all `held` of them."""
    olds = 0
    for kind in range(N_KINDS):
        olds += old[kind]
    if not olds:
        return True
    cap = [0] * (SEATS * N_KINDS)
    rows = [0] * (2 * SEATS)
    for seat in range(state.players):
        if seat == me:
            continue
        shown = 0
        for kind in range(N_KINDS):
            at = seat * N_KINDS + kind
            cap[at] = state.since[at] + hand[at]
            shown += cap[at]
        # What is neither drawn nor hidden was held; what is in a hand of a later round was drawn.
        hidden = 0 if _secret(state, seat) else _hidden_cards(state, seat)
        rest = shown + _turn(state, seat) - _total(state.drew, seat)
        rows[2 * seat] = max(0, rest + (hidden if state.later or not hidden else 0))
        rows[2 * seat + 1] = min(int(state.held[seat]), shown)
        if not state.later:
            rows[2 * seat + 1] = min(rows[2 * seat + 1], rest + hidden)
    return divide(rng, cap, rows, fresh, old, held)


# Contradictions ----------------------------------------------------------------------------------
def contradictions(state: Any, me: int, hand: Any, new: Any, kept: Any) -> int:
    """FT-10, FT-19: how many hands that were not announced are one to go; and one more when a false call was a true
    one."""
    wrong = 0
    if state.ruleset == BATTLE_ROYALE:
        return 0
    cards = [0] * N_KINDS
    for seat in range(state.players):
        if seat == me or seat == state.winner:
            continue
        called = state.called and state.player == seat
        quiet = state.acted >> seat & 1 and not state.announced >> seat & 1
        if not called and not quiet:
            continue
        for kind in range(N_KINDS):
            at = seat * N_KINDS + kind
            cards[kind] = hand[at] + new[at] + kept[at]
        if quiet and wanted(cards, 0) != NONE:
            wrong += 1
        if called:
            for kind in range(N_KINDS):
                cards[kind] += new[DRAWN * N_KINDS + kind]
            wrong += 1 if complete(cards, 0) else 0
    return wrong


def mend(state: Any, me: int, rng: Buffer, hand: Any, new: Any, kept: Any) -> bool:
    """Exchange single cards that were drawn for others that were, or held ones for held ones, as long as that makes
    fewer contradictions; whether none is left. At most five rounds through 15 x 81 + 6 x 81 exchanges."""
    wrong = contradictions(state, me, hand, new, kept)
    turn = random_below(rng, N_KINDS * N_KINDS)
    while wrong:
        found = False
        for i in range(PLACES - 1):
            for j in range(i + 1, PLACES):
                for n in range(N_KINDS * N_KINDS):
                    if not found:
                        pair = (n + turn) % (N_KINDS * N_KINDS)
                        one = i * N_KINDS + pair % N_KINDS
                        two = j * N_KINDS + pair // N_KINDS
                        found = _exchange(state, me, hand, new, kept, new, one, two, wrong) or (
                            j < SEATS and _exchange(state, me, hand, new, kept, kept, one, two, wrong)
                        )
        if not found:
            return False
        wrong = contradictions(state, me, hand, new, kept)
    return True


def _exchange(state: Any, me: int, hand: Any, new: Any, kept: Any, cards: Any, one: int, two: int, wrong: int) -> bool:
    """Exchange two cards if both are there, and if that leaves fewer contradictions than `wrong`."""
    if one % N_KINDS == two % N_KINDS or not cards[one] or not cards[two]:
        return False
    back = one - one % N_KINDS + two % N_KINDS
    forth = two - two % N_KINDS + one % N_KINDS
    cards[one] -= 1
    cards[two] -= 1
    cards[back] += 1
    cards[forth] += 1
    if contradictions(state, me, hand, new, kept) < wrong:
        return True
    cards[one] += 1
    cards[two] += 1
    cards[back] -= 1
    cards[forth] -= 1
    return False


# When luck does not help -------------------------------------------------------------------------
def _patterns() -> tuple[tuple[int, ...], ...]:
    """FT-10: a hand that is one to go is two of one good and two threes: all ways to name the three goods."""
    goods = range(N_GOODS)
    return tuple((pair, a, b) for pair in goods for a in goods for b in goods if a <= b)


PATTERNS = _patterns()


def search(state: Any, me: int, rng: Buffer, fresh: Any, old: Any, pool: Any, seats: Any, mode: int) -> bool:
    """Go through all that the announced hands can be together, from a random one on, until the rest can be dealt; at
    most 288 hands for each seat. False when it cannot."""
    hand = [0] * (SEATS * N_KINDS)
    left = [0] * N_KINDS
    tried = [-1] * (SEATS + 1)
    for kind in range(N_KINDS):
        left[kind] = pool[kind]
    start = random_below(rng, len(PATTERNS))
    level = 0
    while level >= 0:
        if level == SEATS or seats[level] == NOBODY:
            if deal_rest(state, me, rng, fresh, old, hand, mode):
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
    """Take this hand out of the cards that are left; False when it is not there, or not possible."""
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


# Drawing -----------------------------------------------------------------------------------------
def _some(rng: Buffer, urn: Any, at: int, n: int, out: Any, first: int) -> None:
    """Draw n cards from the urn that begins at `at`, into `out` from `first` on."""
    if n <= 0:
        return
    cards = 0
    for kind in range(N_KINDS):
        cards += urn[at + kind]
    for _ in range(n):
        left = random_below(rng, cards)
        kind = 0
        while left >= urn[at + kind]:
            left -= urn[at + kind]
            kind += 1
        urn[at + kind] -= 1
        out[first + kind] += 1
        cards -= 1
