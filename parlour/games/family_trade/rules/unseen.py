"""Family Trade: what a seat knows of the cards that it does not see (FT-26).

It knows which cards were in the deck when it was last shuffled (`shuffled`), which of them it
drew itself (`drew`), and what each other seat has shown since (`since`). A card is fresh if it
was in that deck, and old if it was in a hand.
"""

from __future__ import annotations

from typing import Any

from parlour.core.contract import Buffer
from parlour.games.family_trade.rules.announced import CHOOSE, SHARE
from parlour.games.family_trade.rules.hands import cards_of, hand_size
from parlour.games.family_trade.rules.pieces import N_GOODS, N_KINDS, SEATS
from parlour.games.family_trade.rules.state import ALL_SHOWN, NOBODY, TURN

OUTLINE = ("likely", "limits")


def count_cards(state: Any, me: int, fresh: Buffer, old: Buffer, pool: Buffer) -> None:
    """Write counts by kind. `pool` gets the cards whose places `me` (a seat or SPECTATOR) does not see.
    `fresh` and `old` get these and the cards that others have shown, by where they were when the
    deck was last shuffled."""
    for kind in range(N_KINDS):
        hidden = state.deck[kind]
        shown = 0
        for seat in range(state.players):
            if seat != me:
                hidden += state.gone[seat][kind] + (state.hand[seat][kind] if seat != state.winner else 0)
                shown += state.since[seat][kind]
        fresh[kind] = state.shuffled[kind] - (state.drew[me][kind] if me >= 0 else 0)
        old[kind] = hidden + shown - fresh[kind]
        pool[kind] = hidden


def not_shown(state: Any, me: int, fresh: Buffer, out: Any) -> None:
    """Write into `out` [9] the fresh cards without those that others have certainly shown: all that are
    not on the trail."""
    for kind in range(N_KINDS):
        out[kind] = fresh[kind]
        for seat in range(state.players):
            if seat != me:
                out[kind] -= state.since[seat][kind]
    for i in range(state.trailed):
        card = state.trail[i] % ALL_SHOWN
        if card // N_KINDS != me:
            out[card % N_KINDS] += 1


def is_secret(state: Any, seat: int) -> bool:
    """Return whether this seat's hand was announced and is not shown."""
    return bool(state.announced >> seat & 1 and seat != state.winner)


def announced_hands(state: Any, me: int, seats: Buffer) -> int:
    """Write into `seats` [4] the other seats whose hands are announced and not shown. First come
    those that can have no fresh card: their number is returned."""
    n = 0
    sealed = 0
    for late in range(2):
        for seat in range(state.players):
            if seat != me and is_secret(state, seat) and (_most_fresh(state, seat) > 0) == (late > 0):
                seats[n] = seat
                n += 1
        if not late:
            sealed = n
    return sealed


def just_drawn(state: Any, seat: int) -> int:
    """Return 1 if this seat has just drawn a card, else 0."""
    return 1 if state.phase == TURN and state.player == seat else 0


def _most_fresh(state: Any, seat: int) -> int:
    """Return how many cards of an announced hand, without the one just drawn, may be fresh."""
    return min(cards_of(state.drew[seat]) - just_drawn(state, seat), 8)


def limits(state: Any, me: int, fresh: Any, old: Any, pool: Any, spare: Buffer, need: Buffer) -> None:
    """Write for each good: `spare` [8], how many old cards can be in announced hands at most;
    `need` [8], how many cards must be in them at least, because there is no other place for the
    old ones."""
    room = False
    for seat in range(state.players):
        if seat != me and not is_secret(state, seat):
            hidden = hidden_cards(state, seat)
            drawn = cards_of(state.drew[seat]) - just_drawn(state, seat)
            room = room or (hidden > 0 and drawn < cards_of(state.since[seat]) + hidden)
    for good in range(N_GOODS):
        shown = fresh[good] + old[good] - pool[good]
        certain = 0  # of the cards shown, those of seats that drew no other card
        for seat in range(state.players):
            if seat != me and cards_of(state.drew[seat]) == just_drawn(state, seat):
                certain += state.since[seat][good]
        spare[good] = old[good] - max(shown - fresh[good], certain)
        need[good] = 0 if room else max(0, old[good] - shown)


def likely(state: Any, seats: Any, sealed: int, fresh: Any, old: Any, odds: Any) -> None:
    """Write `odds` [8 goods x 4 hands x 6 shares]: how much more or less likely it is, after a new
    deck, that a hand has this share of the good than by the number of cards alone. So it has about
    as many fresh cards as it must."""
    held = cards_of(old)
    drawn = cards_of(fresh)
    for i in range(SEATS):
        if seats[i] == NOBODY:
            continue
        most = _most_fresh(state, seats[i])
        mean = 8.0 * most / (8 + cards_of(state.since[seats[i]]))
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


def hidden_cards(state: Any, seat: int) -> int:
    """Count the cards in the hand of another seat, without the one just drawn; 0 if they are shown."""
    return 0 if seat == state.winner else hand_size(state, seat) - just_drawn(state, seat)
