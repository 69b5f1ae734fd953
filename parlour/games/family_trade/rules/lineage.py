"""Family Trade: a new deal in Battle Royale after several new decks (FT-24, FT-26).

A seat shows any of its three cards with the same chance. So if it holds `h` cards of a deck, and a
share `p` of that deck's cards that are not yet shown are of the kind shown, the odds that the card
comes from that deck are `h * p`. The cards shown are gone through in order, and for each the deck
is drawn by these odds. The sizes of hands are known, so it follows how many cards of each deck a
hand has at any time. The weight of the draw is the chance of the shown kinds. DRAWS draws are made
and one is chosen by weight (sampling, importance, resampling). The rest of each deck is dealt at
random to the places of its hidden cards.

A draw has come to a dead end if no deck is left for a card. When fewer than ENOUGH draws fit, more
are made, which look ahead: earlier decks become likelier for cards of which the deck in use has too
few, and less likely for the others. The weight makes up for that. The work is bounded: TRIES times
DRAWS draws at most, each once along the trail, which is no longer than MAX_CARDS + 1.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from parlour.core.contract import Buffer
from parlour.core.rng import random_below
from parlour.games.family_trade.rules.announced import real
from parlour.games.family_trade.rules.decks import CELLS
from parlour.games.family_trade.rules.hands import cards_of
from parlour.games.family_trade.rules.pieces import DEALT_CARDS, MAX_CARDS, N_KINDS, SEATS
from parlour.games.family_trade.rules.state import ALL_SHOWN, PAST
from parlour.games.family_trade.rules.unseen import hidden_cards, just_drawn

OUTLINE = ("deal_decks", "_origin", "_lean", "_deal")
DRAWS = 4
ENOUGH = 2  # draws that fit
TRIES = 10  # of DRAWS each, while fewer fit
SURE = 0.98  # the most that is done for what is to come
URNS = (PAST + 1) * N_KINDS


class Urns(NamedTuple):
    """Cards by deck and kind [PAST + 1 x 9], and by deck [PAST + 1]."""

    cards: Any
    sums: Any


class Ahead(NamedTuple):
    """What is still to come, by deck in use and kind [PAST + 2 x 9]: cards of others on its trail, and how
    many of these and of later ones must come from decks before it, because it has too few."""

    shown: Any
    need: Any
    press: Any  # by place on the trail: how many of the seat's next cards should be older than the deck in use


class Course(NamedTuple):
    """A draw of where the shown cards came from: the deck of each card on the trail, and how many cards of
    each past deck each hand still has [PAST x 4]."""

    decks: Any
    hands: Any


def deal_decks(state: Any, me: int, rng: Buffer) -> bool:
    """Deal again all that `me` cannot know. Return False and change nothing if no draw fits."""
    pool = Urns([0] * URNS, [0] * (PAST + 1))  # that others took or may draw, less what they certainly showed
    shown = _count(state, me, pool)
    drawn = Course([0] * (MAX_CARDS + 1), [0] * (PAST * SEATS))
    chosen = Course([0] * (MAX_CARDS + 1), [0] * (PAST * SEATS))
    urns = Urns([0] * URNS, [0] * (PAST + 1))
    ahead = Ahead([0] * (URNS + N_KINDS), [0] * (URNS + N_KINDS), [0.0] * (MAX_CARDS + 1))
    later = Ahead([0] * (URNS + N_KINDS), [0] * (URNS + N_KINDS), ahead.press)
    odds = [0.0] * (PAST + 3)
    total = 0.0
    good = 0
    attempt = 0
    while good < (ENOUGH if shown else 1) and attempt < TRIES:
        attempt += 1
        if attempt == 2:
            _look_ahead(state, me, pool, ahead)
        for _ in range(DRAWS if shown else 1):
            weight = _trace(state, me, rng, (pool, ahead), (urns, later), odds, drawn)
            total += weight
            good += 1 if weight > 0.0 else 0
            if weight > 0.0 and (weight >= total or real(rng) * total < weight):
                for i in range(state.trailed):
                    chosen.decks[i] = drawn.decks[i]
                for cell in range(state.past * SEATS):
                    chosen.hands[cell] = drawn.hands[cell]
    if total <= 0.0:
        return False
    _deal(state, me, rng, pool, chosen)
    return True


def _count(state: Any, me: int, pool: Urns) -> int:
    """Write the cards of each deck. Return how many cards of others are on the trail."""
    cards, sums = pool
    last = state.past * N_KINDS
    for kind in range(N_KINDS):
        cards[last + kind] = state.shuffled[kind] - (state.drew[me][kind] if me >= 0 else 0)
    for seat in range(state.players):
        if seat != me:
            for kind in range(N_KINDS):
                for deck in range(state.past):
                    cards[deck * N_KINDS + kind] += state.taken[deck * CELLS + seat * N_KINDS + kind]
                cards[last + kind] -= state.since[seat][kind]
    shown = 0
    for i in range(state.trailed):
        card = state.trail[i] % ALL_SHOWN
        if card // N_KINDS != me:
            shown += 1
            if i >= state.ends[state.past - 1]:
                cards[last + card % N_KINDS] += 1
    for deck in range(state.past + 1):
        for kind in range(N_KINDS):
            sums[deck] += cards[deck * N_KINDS + kind]
    return shown


def _look_ahead(state: Any, me: int, pool: Urns, ahead: Ahead) -> None:
    """Write what is to come."""
    deck = 0
    for i in range(state.trailed):
        while deck < state.past and i >= state.ends[deck]:
            deck += 1
        card = state.trail[i] % ALL_SHOWN
        if card // N_KINDS != me:
            ahead.shown[deck * N_KINDS + card % N_KINDS] += 1
    for cell in range((state.past + 1) * N_KINDS - 1, -1, -1):
        ahead.need[cell] = max(0, ahead.shown[cell] + ahead.need[cell + N_KINDS] - pool.cards[cell])
    next_ones = [0.0] * SEATS
    for i in range(state.trailed - 1, -1, -1):
        if i < state.ends[deck - 1]:
            for seat in range(SEATS):
                next_ones[seat] = 0.0
            while i < state.ends[deck - 1]:
                deck -= 1
        card = state.trail[i] % ALL_SHOWN
        seat = card // N_KINDS
        ahead.press[i] = next_ones[seat]
        cell = deck * N_KINDS + card % N_KINDS
        if seat != me and ahead.need[cell]:
            next_ones[seat] += ahead.need[cell] / (ahead.shown[cell] + ahead.need[cell + N_KINDS])


def _trace(state: Any, me: int, rng: Buffer, start: Any, work: Any, odds: Any, drawn: Course) -> float:
    """Draw the deck of each card shown. Return the weight of the draw, 0 if it does not fit."""
    past = state.past
    pool, ahead = start
    urns, later = work
    for cell in range((past + 1) * N_KINDS):
        urns.cards[cell] = pool.cards[cell]
        later.shown[cell] = ahead.shown[cell]
        later.need[cell] = ahead.need[cell]
    for deck in range(past + 1):
        urns.sums[deck] = pool.sums[deck]
    for cell in range(past * SEATS):
        drawn.hands[cell] = 0
    weight = 1.0
    i = 0
    low = 0  # the oldest deck that a hand may have a card of
    for now in range(1, past + 1):  # the deck that was in use; while the first was, all cards came from it
        low = _begin(state, me, low, now, drawn.hands)
        end = state.trailed if now == past else state.ends[now]
        while i < end:
            card = state.trail[i]
            n = DEALT_CARDS[state.ruleset] + 1
            if card >= ALL_SHOWN:  # the whole hand, the last of this deck's trail
                card -= ALL_SHOWN
                n = end - i
            if card // N_KINDS != me:
                drawn.decks[i] = _origin(rng, (card, i, n), (low, now), urns, later, odds, drawn.hands)
                weight *= odds[PAST + 1]
                if weight <= 0.0:
                    return 0.0
            i += 1
    return weight


def _origin(
    rng: Buffer, shown: tuple[int, int, int], decks: tuple[int, int], urns: Urns, later: Ahead, odds: Any, hands: Any
) -> int:  # fmt: skip
    """Draw the deck of a card that was `shown`: the card (kind + N_KINDS * seat), its place on the trail,
    and how many cards its hand had. Write into `odds`, after those of the decks, the weight of the draw."""
    card, i, n = shown
    low, now = decks
    cards, sums = urns
    kind = card % N_KINDS
    seat = card // N_KINDS
    at = now * N_KINDS + kind
    size = n
    before = 0.0
    for deck in range(low, now):
        held = hands[deck * SEATS + seat]
        odds[deck] = 0.0
        if held > 0:
            n -= held
            if cards[deck * N_KINDS + kind] > 0:
                odds[deck] = held * cards[deck * N_KINDS + kind] / sums[deck]
                before += odds[deck]
    odds[now] = n * cards[at] / sums[now] if n > 0 and cards[at] > 0 else 0.0
    total = before + odds[now]
    odds[PAST + 1] = total
    if total <= 0.0:
        return now
    found = now
    if before > 0.0:
        share = before / total  # the chance that the card is from a deck before
        if odds[now] > 0.0:
            tried = _lean(share, later.press[i] / (size - n), kind, now, later, hands)
            if real(rng) < tried:
                found = now - 1
                odds[PAST + 1] = total * share / tried
            else:
                odds[PAST + 1] = total * (1.0 - share) / (1.0 - tried)
        else:
            found = now - 1
        if found < now:
            left = real(rng) * before if before > odds[found] else 0.0
            for deck in range(low, now):
                if odds[deck] > 0.0 and left >= 0.0:
                    found = deck
                    left -= odds[deck]
    cards[found * N_KINDS + kind] -= 1
    sums[found] -= 1
    later.shown[at] -= 1
    if found < now:
        hands[found * SEATS + seat] -= 1
        later.need[at] = max(later.need[at] - 1, 0)
    return found


def _lean(share: float, press: float, kind: int, now: int, later: Ahead, hands: Any) -> float:
    """Return with which chance to draw an earlier deck for a card, so that there are enough cards for what
    is to come. `share` is the true chance, and the weight makes up for the difference."""
    at = now * N_KINDS + kind
    if later.need[at]:
        odds: float = later.need[at] / (later.shown[at] + later.need[at + N_KINDS])
        return min(max(share, odds), SURE)
    if press <= 0.0:
        return share
    need = 0
    for cell in range(now * N_KINDS, (now + 1) * N_KINDS):
        need += later.need[cell]
    if not need:
        return share
    held = 0
    for cell in range(now * SEATS):
        held += hands[cell]
    return share * (1.0 - (SURE if held <= need else min(press, SURE)))


def _begin(state: Any, me: int, low: int, now: int, hands: Any) -> int:
    """Count what others held when the deck `now` was formed: what is not from an earlier deck, `low` or
    later, is from the last one before it. Return the new `low`."""
    new_round = state.parted >> (now - 1) & 1
    for seat in range(state.players):
        if seat != me:
            rest = state.held[seat] if now == state.past else state.had[now * SEATS + seat]
            for deck in range(low, now - 1):
                if new_round:
                    hands[deck * SEATS + seat] = 0
                rest -= hands[deck * SEATS + seat]
            hands[(now - 1) * SEATS + seat] = rest
    return now - 1 if new_round else low


def _deal(state: Any, me: int, rng: Buffer, pool: Urns, chosen: Course) -> None:
    """Write the new deal: the shown cards by their decks, and the rest of each deck at random."""
    past = state.past
    hidden = [0] * (PAST * SEATS)  # cards of each past deck that a seat took and has not shown
    for seat in range(state.players):
        if seat != me:
            for kind in range(N_KINDS):
                for deck in range(past):
                    hidden[deck * SEATS + seat] += state.taken[deck * CELLS + seat * N_KINDS + kind]
                    state.taken[deck * CELLS + seat * N_KINDS + kind] = 0
    old = [0] * CELLS  # of the cards shown since the last shuffle, those held then
    for i in range(state.trailed):
        card = state.trail[i] % ALL_SHOWN
        seat = card // N_KINDS
        if seat != me:
            deck = chosen.decks[i]
            pool.cards[deck * N_KINDS + card % N_KINDS] -= 1
            pool.sums[deck] -= 1
            if deck < past:
                state.taken[deck * CELLS + card] += 1
                hidden[deck * SEATS + seat] -= 1
                if i >= state.ends[past - 1]:
                    old[card] += 1
    for seat in range(state.players):
        if seat != me:
            _deal_seat(state, seat, rng, pool, hidden, old, chosen.hands)
    for kind in range(N_KINDS):
        state.deck[kind] = pool.cards[past * N_KINDS + kind]


def _deal_seat(state: Any, seat: int, rng: Buffer, pool: Urns, hidden: Any, old: Any, hands: Any) -> None:
    """Deal the hidden cards of one seat: those in its hand, and those that left the game face down."""
    past = state.past
    size = hidden_cards(state, seat)
    drawn = just_drawn(state, seat)
    new = cards_of(state.drew[seat]) - drawn  # the hidden cards of the deck in use
    for kind in range(N_KINDS):
        state.drew[seat][kind] = state.since[seat][kind] - old[seat * N_KINDS + kind]
        new -= state.drew[seat][kind]
        state.gone[seat][kind] = 0
        if seat != state.winner:
            state.hand[seat][kind] = 0
    for deck in range(past):
        held = 0 if state.later else hands[deck * SEATS + seat]
        size -= held
        for i in range(hidden[deck * SEATS + seat]):
            kind = _take(rng, pool, deck)
            state.taken[deck * CELLS + seat * N_KINDS + kind] += 1
            if i < held:
                state.hand[seat][kind] += 1
            else:
                state.gone[seat][kind] += 1
    for i in range(new):
        kind = _take(rng, pool, past)
        state.drew[seat][kind] += 1
        if i < size:
            state.hand[seat][kind] += 1
        else:
            state.gone[seat][kind] += 1
    if drawn:
        kind = _take(rng, pool, past)
        state.drew[seat][kind] += 1
        state.hand[seat][kind] += 1
        state.drawn = kind


def _take(rng: Buffer, pool: Urns, deck: int) -> int:
    """Take a card of one deck at random."""
    cards, sums = pool
    left = random_below(rng, sums[deck])
    cell = deck * N_KINDS
    while left >= cards[cell]:
        left -= cards[cell]
        cell += 1
    cards[cell] -= 1
    sums[deck] -= 1
    return cell - deck * N_KINDS
