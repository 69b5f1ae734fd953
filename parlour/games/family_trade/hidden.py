"""Family Trade: what a seat sees, and a new deal of all that it cannot know (FT-26).

A seat knows which cards were in the deck when it was last shuffled (`shuffled`), which of them it drew itself
(`drew`), and what each other seat has shown since (`since`). The rest is dealt again.

Exact where no new deck was formed in the deal: all deals of the unseen cards are equally likely among those in which
each announced hand is one to go, no hand is or was that had to be announced, and no false call was a true one. After a
new deck a card shown by another may be one that he held before; which ones is then drawn so that every count fits, but
not with exact odds. In both cases what others chose to discard or not to take says nothing.
"""

from __future__ import annotations

from math import comb
from typing import Any

from parlour.core.game import HIDDEN, UNSEEN, Buffer
from parlour.core.rng import random_below, random_word
from parlour.games.family_trade.hands import announces, complete, hand_size, wanted
from parlour.games.family_trade.state import (
    ASK,
    BATTLE_ROYALE,
    DEAL,
    DRAW,
    N_GOODS,
    N_KINDS,
    NOBODY,
    NONE,
    SEATS,
    TURN,
    State,
)  # fmt: skip

MORE = 64  # more than any action: what comes on top of one in observed_action
OUT = 9  # the action, in rules.py, of going out
PASS = 10  # the action, in rules.py, that lets a discard lie
OBSERVATION_SIZE = 23 + 4 * SEATS + N_GOODS + 5 * N_KINDS


def observation(state: Any, player: int, out: Buffer) -> int:
    """FT-26: what the seat sees, itself first: 23 numbers of the game, by seat, prices, and cards by kind."""
    secret = state.phase == ASK and state.asked != player
    out[0] = state.players
    out[1] = state.ruleset
    out[2] = state.honour
    out[3] = DRAW if secret else state.phase
    out[4] = (state.player - player) % state.players
    out[5] = (state.dealer - player) % state.players
    out[6] = state.run
    out[7] = state.turns
    out[8] = state.jackpot
    out[9] = state.deck_size
    out[10] = state.row_size
    out[11] = state.remade
    out[12] = state.drawn if state.player == player else NONE
    out[13] = state.called
    out[14] = _place(state, state.discarder, player)
    out[15] = state.row[state.row_size - 1] if state.offered else NONE
    out[16] = _place(state, state.winner, player)
    out[17] = _place(state, state.source, player)
    out[18] = state.rerolled
    out[19] = state.rolling
    out[20] = state.worth
    out[21] = state.deals
    out[22] = state.ended
    n = 23
    for i in range(SEATS):
        seat = (player + i) % state.players
        there = i < state.players
        out[n] = state.money[seat] if there else 0
        out[n + 1] = hand_size(state, seat) if there else 0
        out[n + 2] = state.announced >> seat & 1 if there else 0
        out[n + 3] = state.acted >> seat & 1 if there else 0
        n += 4
    for good in range(N_GOODS):
        out[n] = state.price[good]
        n += 1
    for kind in range(N_KINDS):
        out[n] = state.dumped[kind]
        out[n + 1] = state.shuffled[kind]
        out[n + 2] = state.won[kind]
        out[n + 3] = state.hand[player * N_KINDS + kind] if player != NOBODY else 0
        out[n + 4] = state.gone[player * N_KINDS + kind] if player != NOBODY else 0
        n += 5
    return n


def _place(state: Any, seat: int, player: int) -> int:
    return NOBODY if seat == NOBODY else (seat - player) % state.players


def card_goes_to(state: State) -> int:
    """FT-7, FT-8, FT-21: who gets the next card, when one is due."""
    if state.phase == DEAL:
        return (state.dealer + state.dealt) % state.players
    return state.player


def observed_action(state: Any, action: int, player: int) -> int:
    """FT-26: a card is seen by who gets it; that somebody let a discard lie is seen by nobody else.

    What a move of another shows of his hand is in the number: "one to go" with a discard (FT-10), and all cards of who
    goes out (FT-13, FT-22).
    """
    if state.phase == DEAL or state.phase == DRAW:
        return HIDDEN if action < N_KINDS and card_goes_to(state) != player else action
    if state.phase == ASK and action == PASS and state.asked != player:
        return UNSEEN
    if state.phase == TURN and player != state.player:
        if action < N_KINDS:
            return action + MORE if announces(state, action) else action
        if action == OUT and complete(state.hand, state.player * N_KINDS):
            return action + MORE * _shown(state, state.player)
    elif state.phase == ASK and player != state.asked:
        return action + MORE * _shown(state, state.asked)
    return action


def _shown(state: Any, seat: int) -> int:
    """A hand as a number: a digit for each good."""
    number = 1
    for good in range(N_GOODS):
        number = 10 * number + state.hand[seat * N_KINDS + good]
    return number


# A new deal --------------------------------------------------------------------------------------
def resample(state: Any, player: int, rng: Buffer) -> None:
    """FT-26: deal again what `player` cannot know; see above for the odds. That another seat is asked about a discard
    is unknown too: the state then is one in which nobody is (any more)."""
    if state.phase == ASK and state.asked != player:
        state.phase = DRAW
        state.asked = NOBODY
    while not _dealt_again(state, player, rng):
        pass


def _dealt_again(state: Any, me: int, rng: Buffer) -> bool:
    """Try a deal of the unknown cards; when it contradicts what is known, say so and change nothing."""
    fresh = [0] * N_KINDS  # in the deck or drawn from it by others since it was shuffled
    old = [0] * N_KINDS  # in the others' hands before that
    for kind in range(N_KINDS):
        pool = state.deck[kind]
        shown = 0
        for seat in range(state.players):
            if seat != me:
                at = seat * N_KINDS + kind
                pool += state.gone[at] + (state.hand[at] if seat != state.winner else 0)
                shown += state.since[at]
        fresh[kind] = state.shuffled[kind] - (state.drew[me * N_KINDS + kind] if me != NOBODY else 0)
        old[kind] = pool + shown - fresh[kind]
    origin = [0] * (SEATS * N_KINDS)
    if not _origins(state, me, rng, fresh, old, origin):
        return False
    hand = [0] * (SEATS * N_KINDS)
    gone = [0] * (SEATS * N_KINDS)
    drew = [0] * (SEATS * N_KINDS)
    new = [0] * SEATS  # how many of the hidden cards of a seat are fresh
    for seat in range(state.players):
        for kind in range(N_KINDS):
            at = seat * N_KINDS + kind
            drew[at] = state.since[at] - origin[at]
            new[seat] += state.drew[at] - drew[at]
    if not _announced_hands(state, me, rng, fresh, old, hand, drew, new):
        return False
    drawn = NONE
    for seat in range(state.players):
        if seat == me:
            continue
        first = seat * N_KINDS
        if state.phase == TURN and state.player == seat:
            drawn = _one(rng, fresh)
            drew[first + drawn] += 1
            new[seat] -= 1
        size = _hidden_cards(state, seat)
        if not state.announced >> seat & 1 or seat == state.winner:
            mine = size if state.later else new[seat]
            _some(rng, fresh, mine, hand, drew, first)
            _some(rng, old, size - mine, hand, origin, first)
            new[seat] -= mine
        left = 0
        for kind in range(N_KINDS):
            left += state.gone[first + kind]
        _some(rng, fresh, new[seat], gone, drew, first)
        _some(rng, old, left - new[seat], gone, origin, first)
    if not _fits(state, me, hand, drawn):
        return False
    for seat in range(state.players):
        if seat == me:
            continue
        for kind in range(N_KINDS):
            at = seat * N_KINDS + kind
            state.drew[at] = drew[at]
            state.gone[at] = gone[at]
            if seat != state.winner:
                state.hand[at] = hand[at]
    if drawn != NONE:
        state.drawn = drawn
        state.hand[state.player * N_KINDS + drawn] += 1
    for kind in range(N_KINDS):
        state.deck[kind] = fresh[kind]
    return True


def _hidden_cards(state: Any, seat: int) -> int:
    """Cards in the hand of another seat, without the one just drawn; none when he shows them."""
    if seat == state.winner:
        return 0
    return hand_size(state, seat) - (1 if state.phase == TURN and state.player == seat else 0)


def _fits(state: Any, me: int, hand: Any, drawn: int) -> bool:
    """FT-10, FT-19: a hand that was not announced is not one to go; a false call was made without three sets."""
    if state.ruleset == BATTLE_ROYALE:
        return True
    for seat in range(state.players):
        quiet = state.acted >> seat & 1 and not state.announced >> seat & 1
        if quiet and seat != me and seat != state.winner and wanted(hand, seat * N_KINDS) != NONE:
            return False
    if state.called and state.player != me:
        first = state.player * N_KINDS
        hand[first + drawn] += 1
        real = complete(hand, first)
        hand[first + drawn] -= 1
        return not real
    return True


# Where shown cards came from ---------------------------------------------------------------------
def _origins(state: Any, me: int, rng: Buffer, fresh: Any, old: Any, origin: Any) -> bool:
    """Say of each card that another seat has shown since the last shuffle whether he held it before: origin[...] of
    them. Takes the shown cards out of `fresh` and `old`; False when this attempt does not fit."""
    used = [0] * SEATS
    for kind in range(N_KINDS):
        shown = 0
        for seat in range(state.players):
            if seat != me:
                shown += state.since[seat * N_KINDS + kind]
        for _ in range(shown - fresh[kind]):  # more than were in the deck
            seat = _seat_with_shown(state, me, rng, origin, used, kind)
            if seat == NOBODY:
                return False
            origin[seat * N_KINDS + kind] += 1
            used[seat] += 1
    for seat in range(state.players):
        if seat == me:
            continue
        first = seat * N_KINDS
        least = _hidden_cards(state, seat) if state.later else 0
        least += 1 if state.phase == TURN and state.player == seat else 0
        for kind in range(N_KINDS):
            least += state.since[first + kind] - state.drew[first + kind]
        while used[seat] < least:
            kind = _kind_with_shown(state, me, rng, origin, old, seat)
            if kind == NONE:
                return False
            origin[first + kind] += 1
            used[seat] += 1
        for kind in range(N_KINDS):
            for _ in range(state.since[first + kind] - origin[first + kind]):
                free = old[kind] - _from_old(state, me, origin, kind)
                if free > 0 and used[seat] < state.held[seat] and random_below(rng, free + fresh[kind] + 1) < free:
                    origin[first + kind] += 1
                    used[seat] += 1
    for seat in range(state.players):
        if seat != me:
            for kind in range(N_KINDS):
                at = seat * N_KINDS + kind
                old[kind] -= origin[at]
                fresh[kind] -= state.since[at] - origin[at]
    return True


def _from_old(state: Any, me: int, origin: Any, kind: int) -> int:
    n = 0
    for seat in range(state.players):
        if seat != me:
            n += origin[seat * N_KINDS + kind]
    return n


def _seat_with_shown(state: Any, me: int, rng: Buffer, origin: Any, used: Any, kind: int) -> int:
    """A random seat that has shown this kind, and may have held it before."""
    chosen = NOBODY
    ways = 0
    for seat in range(state.players):
        at = seat * N_KINDS + kind
        n = state.since[at] - origin[at]
        if seat != me and n > 0 and used[seat] < state.held[seat]:
            ways += n
            if random_below(rng, ways) < n:
                chosen = seat
    return chosen


def _kind_with_shown(state: Any, me: int, rng: Buffer, origin: Any, old: Any, seat: int) -> int:
    """A random kind that this seat has shown, and may have held before."""
    chosen = NONE
    ways = 0
    for kind in range(N_KINDS):
        at = seat * N_KINDS + kind
        n = state.since[at] - origin[at]
        if n > 0 and old[kind] > _from_old(state, me, origin, kind):
            ways += n
            if random_below(rng, ways) < n:
                chosen = kind
    return chosen


# Drawing -----------------------------------------------------------------------------------------
def _one(rng: Buffer, urn: Any) -> int:
    """Draw one card."""
    left = 0
    for kind in range(N_KINDS):
        left += urn[kind]
    left = random_below(rng, left)
    kind = 0
    while left >= urn[kind]:
        left -= urn[kind]
        kind += 1
    urn[kind] -= 1
    return kind


def _some(rng: Buffer, urn: Any, n: int, out: Any, also: Any, first: int) -> None:
    """Draw n cards; count them in `out` and in `also`."""
    for _ in range(n):
        kind = _one(rng, urn)
        out[first + kind] += 1
        also[first + kind] += 1


def _patterns() -> tuple[tuple[int, ...], ...]:
    """FT-10: a hand that is one to go is two of one good and two threes: all ways to name the three goods."""
    goods = range(N_GOODS)
    return tuple((pair, a, b) for pair in goods for a in goods for b in goods if a <= b)


PATTERNS = _patterns()
CHOOSE = tuple(tuple(comb(n, k) for k in range(9)) for n in range(16))


def _announced_hands(
    state: Any, me: int, rng: Buffer, fresh: Any, old: Any, hand: Any, drew: Any, new: Any
) -> bool:  # fmt: skip
    """FT-10: hands that are one to go. One after the other with the chances they have alone, which is right for the
    first; the others are accepted in proportion to the ways that are left for them, so that all together are right."""
    most = 0.0
    certain = True  # no card was held before the last shuffle
    for kind in range(N_KINDS):
        certain = certain and not old[kind]
    weights = [0.0] * len(PATTERNS)
    for seat in range(state.players):
        if seat == me or seat == state.winner or not state.announced >> seat & 1:
            continue
        turn = 1 if state.phase == TURN and state.player == seat else 0
        olds = 8 - new[seat] + turn
        ways = 0.0
        whole = 0.0
        for i in range(len(PATTERNS)):
            weights[i] = _ways(i, fresh, old, olds)
            whole += weights[i]
            if state.unfit[seat] >> PATTERNS[i][0] & 1:
                weights[i] = 0.0
            ways += weights[i]
        if ways == 0.0 or (certain and most > 0.0 and _real(rng) * most >= ways):
            return False
        if most == 0.0:
            most = whole  # no later hand has more, whatever it cannot wait for
        left = _real(rng) * ways
        chosen = 0
        for i in range(len(PATTERNS)):
            if weights[i] > 0.0 and left >= 0.0:
                chosen = i
                left -= weights[i]
        first = seat * N_KINDS
        hand[first + PATTERNS[chosen][0]] += 2
        hand[first + PATTERNS[chosen][1]] += 3
        hand[first + PATTERNS[chosen][2]] += 3
        _split(rng, fresh, old, hand, drew, first, 8 - olds)
        new[seat] = turn
    return True


def _ways(pattern: int, fresh: Any, old: Any, olds: int) -> float:
    """In how many ways the cards give this hand; none where it cannot have so many old cards."""
    pair = PATTERNS[pattern][0]
    one = PATTERNS[pattern][1]
    two = PATTERNS[pattern][2]
    ways = 1.0
    least = 0
    most = 0
    for i in range(3):
        good = PATTERNS[pattern][i]
        if (i > 0 and good == pair) or (i == 2 and good == one):
            continue
        n = (2 if good == pair else 0) + (3 if good == one else 0) + (3 if good == two else 0)
        ways *= CHOOSE[fresh[good] + old[good]][n]
        least += max(n - fresh[good], 0)
        most += min(n, old[good])
    return ways if least <= olds <= most else 0.0


def _split(rng: Buffer, fresh: Any, old: Any, hand: Any, drew: Any, first: int, n: int) -> None:
    """Take a hand out of the two urns, n cards of it, which are there, out of `fresh`."""
    from_old = [0] * N_GOODS
    for good in range(N_GOODS):
        must = max(hand[first + good] - old[good], 0)
        from_old[good] = hand[first + good] - must
        fresh[good] -= must
        drew[first + good] += must
        old[good] -= hand[first + good] - must
        n -= must
    for _ in range(n):
        ways = 0
        chosen = 0
        for good in range(N_GOODS):
            swap = min(from_old[good], fresh[good])  # cards that could have come from `fresh` as well
            if swap > 0:
                ways += swap
                if random_below(rng, ways) < swap:
                    chosen = good
        from_old[chosen] -= 1
        fresh[chosen] -= 1
        old[chosen] += 1
        drew[first + chosen] += 1


def _real(rng: Buffer) -> float:
    """In [0, 1)."""
    return random_word(rng) / 4294967296.0
