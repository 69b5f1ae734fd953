"""Family Trade: the rest of a new deal (FT-26): the remaining cards, at random, after the origins of
the shown ones are decided."""

from __future__ import annotations

from typing import Any

from parlour.core.contract import Buffer
from parlour.core.rng import random_below
from parlour.games.family_trade.rules.hands import cards_of, wanted
from parlour.games.family_trade.rules.mending import DECK, DRAWN, PLACES, Deal, contradictions, mend
from parlour.games.family_trade.rules.origins import divide
from parlour.games.family_trade.rules.pieces import N_KINDS, SEATS
from parlour.games.family_trade.rules.state import ALL_SHOWN, NONE, WHILE_KEPT
from parlour.games.family_trade.rules.unseen import hidden_cards, is_secret, just_drawn, not_shown

OUTLINE = ("deal_rest", "make_fit", "_some")
STRICT, MENDED, ANY = 0, 1, 2  # what is done with a deal that contradicts what is known


def deal_rest(state: Any, me: int, rng: Buffer, fresh: Any, old: Any, hand: Any, held: Any, mode: int) -> bool:
    """Deal the other cards when the announced hands, `hand` [4 x 9], are known, and how many of
    these and of the shown cards were `held` [4 x 9] at the last shuffle; `fresh` and `old` as in
    `count_cards`.

    Return False and change nothing if this deal contradicts what is known and `mode` is STRICT, or
    MENDED and it cannot be mended.
    """
    drew = [0] * (SEATS * N_KINDS)
    new = [0] * (PLACES * N_KINDS)  # fresh cards that are hidden: in other hands, in the deck, and the card just drawn
    kept = [0] * (SEATS * N_KINDS)  # old ones in other hands
    left = [0] * N_KINDS
    seen = [0] * SEATS  # fresh cards of the seat that are shown, or in its announced hand
    for kind in range(N_KINDS):
        new[DECK * N_KINDS + kind] = fresh[kind]
        left[kind] = old[kind]
        for seat in range(state.players):
            if seat != me:
                at = seat * N_KINDS + kind
                drew[at] = state.since[seat][kind] + hand[at] - held[at]
                seen[seat] += drew[at]
                new[DECK * N_KINDS + kind] -= drew[at]
                left[kind] -= held[at]
    away = [0] * SEATS  # old cards of the seat that are gone face down
    lost = [0] * (SEATS * N_KINDS)  # gone face down, fresh
    gone = [0] * (SEATS * N_KINDS)  # and old
    for seat in range(state.players):
        if seat == me:
            continue
        first = seat * N_KINDS
        more = cards_of(state.drew[seat]) - seen[seat]  # hidden cards of the seat that are fresh
        if just_drawn(state, seat):
            _some(rng, new, DECK * N_KINDS, 1, new, DRAWN * N_KINDS)
            more -= 1
        if not is_secret(state, seat):
            size = hidden_cards(state, seat)
            mine = size if state.later else more
            _some(rng, new, DECK * N_KINDS, mine, new, first)
            _some(rng, left, 0, size - mine, kept, first)
            more -= mine
        _some(rng, new, DECK * N_KINDS, more, lost, first)
        away[seat] = cards_of(state.gone[seat]) - more
    for seat in range(state.players):
        _some(rng, left, 0, away[seat], gone, seat * N_KINDS)
    luck = [0.0] * SEATS
    if state.dealt_hand == WHILE_KEPT:
        for seat in range(state.players):
            luck[seat] = random_below(rng, 1 << 30) / (1 << 30)
    deal = Deal(hand, new, kept, luck)
    if contradictions(state, me, deal) and (mode == STRICT or (mode == MENDED and not mend(state, me, rng, deal))):
        return False
    _write(state, me, deal, drew, lost, gone)
    if state.past:
        for seat in range(state.players):
            for kind in range(N_KINDS):
                at = seat * N_KINDS + kind
                if seat != me:
                    state.taken[at] = held[at] + kept[at] + gone[at]
    return True


def _write(state: Any, me: int, deal: Deal, drew: Any, lost: Any, gone: Any) -> None:
    hand, new, kept, _ = deal
    for seat in range(state.players):
        if seat == me:
            continue
        turn = just_drawn(state, seat)
        for kind in range(N_KINDS):
            at = seat * N_KINDS + kind
            drawn = new[DRAWN * N_KINDS + kind] if turn else 0
            state.drew[seat][kind] = drew[at] + new[at] + lost[at] + drawn
            state.gone[seat][kind] = lost[at] + gone[at]
            if seat != state.winner:
                state.hand[seat][kind] = hand[at] + new[at] + kept[at] + drawn
            if drawn:
                state.drawn = kind
        _know_dealt(state, seat, deal)
    for kind in range(N_KINDS):
        state.deck[kind] = new[DECK * N_KINDS + kind]


def _know_dealt(state: Any, seat: int, deal: Deal) -> None:
    """FT-11: record that an unannounced hand that is one to go is still as it was dealt. For other hands it does not
    matter."""
    if state.dealt_hand != WHILE_KEPT or not state.acted >> seat & 1:
        return
    cards = [0] * N_KINDS
    for kind in range(N_KINDS):
        at = seat * N_KINDS + kind
        cards[kind] = deal.hand[at] + deal.new[at] + deal.kept[at]
    state.untouched &= ~(1 << seat)
    if not state.announced >> seat & 1 and wanted(cards) != NONE:
        state.untouched |= 1 << seat


def make_fit(state: Any, me: int, rng: Buffer, fresh: Any, old: Any, hand: Any, held: Any) -> bool:
    """Change how many of the shown cards, and of the announced hands, were `held` [4 x 9] at the last
    shuffle, until it fits; return False if it cannot."""
    if not cards_of(old):
        return True
    cap = [0] * (SEATS * N_KINDS)
    rows = [0] * (2 * SEATS)
    for i in range(state.trailed):
        cap[state.trail[i] % ALL_SHOWN] += 1
    for seat in range(state.players):
        shown = 0
        can = 0  # cards shown that can have been held
        for kind in range(N_KINDS):
            at = seat * N_KINDS + kind
            cap[at] = cap[at] + hand[at] if seat != me else 0
            can += cap[at]
            shown += state.since[seat][kind] + hand[at]
        if seat == me:
            continue
        # What is neither drawn nor hidden was held; what is in a hand of a later round was drawn.
        hidden = 0 if is_secret(state, seat) else hidden_cards(state, seat)
        rest = shown + just_drawn(state, seat) - cards_of(state.drew[seat])
        rows[2 * seat] = max(0, rest + (hidden if state.later or not hidden else 0))
        rows[2 * seat + 1] = min(int(state.held[seat]), can)
        if not state.later:
            rows[2 * seat + 1] = min(rows[2 * seat + 1], rest + hidden)
    drawn = [0] * N_KINDS
    not_shown(state, me, fresh, drawn)
    return divide(rng, cap, rows, drawn, old, held)


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
