"""Family Trade: whether a new deal contradicts what was announced and called (FT-10, FT-19), and
how to mend it if it does."""

from __future__ import annotations

from typing import Any, NamedTuple

from parlour.core.contract import Buffer
from parlour.core.rng import random_below
from parlour.games.family_trade.rules.hands import complete, wanted
from parlour.games.family_trade.rules.pieces import N_KINDS, SEATS
from parlour.games.family_trade.rules.state import BATTLE_ROYALE, NONE, WHILE_KEPT

OUTLINE = ("contradictions", "mend", "_exchange")
DECK, DRAWN, PLACES = SEATS, SEATS + 1, SEATS + 2  # where fresh cards can be besides in hands


class Deal(NamedTuple):
    """A new deal: `hand` has the announced hands [4 x 9], `new` the fresh cards in the other hands,
    in the deck and just drawn [6 x 9], `kept` the old cards in the other hands [4 x 9]."""

    hand: Any
    new: Any
    kept: Any
    luck: Any  # FT-11: a hand that is one to go is taken for a dealt one if it is likelier than this [4]


def contradictions(state: Any, me: int, deal: Deal) -> int:
    """FT-10, FT-19: count the hands that are one to go without having been announced, and one more if
    a false call was a true one."""
    hand, new, kept, luck = deal
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
        if quiet and wanted(cards) != NONE and luck[seat] >= _still_dealt(state, seat, cards):
            wrong += 1
        if called:
            for kind in range(N_KINDS):
                cards[kind] += new[DRAWN * N_KINDS + kind]
            wrong += 1 if complete(cards) else 0
    return wrong


def _still_dealt(state: Any, seat: int, cards: Any) -> float:
    """FT-11: return the chance that a seat with these eight cards has drawn and discarded all its others.

    One of nine cards, which look alike to all who do not see them, was drawn. The chance is 0 unless a dealt hand stays
    unannounced WHILE_KEPT.
    """
    if state.dealt_hand != WHILE_KEPT:
        return 0.0
    likely = 1.0
    for kind in range(N_KINDS):
        for _ in range(state.tossed[seat][kind]):
            likely *= (1 + cards[kind]) / 9.0
    return likely


def mend(state: Any, me: int, rng: Buffer, deal: Deal) -> bool:
    """Exchange drawn cards for drawn cards, or held cards for held cards, one at a time, as long as
    that leaves fewer contradictions. Return whether none is left. At most five rounds through 15 x
    81 + 6 x 81 exchanges."""
    wrong = contradictions(state, me, deal)
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
                        found = _exchange(state, me, deal, deal.new, one, two, wrong) or (
                            j < SEATS and _exchange(state, me, deal, deal.kept, one, two, wrong)
                        )
        if not found:
            return False
        wrong = contradictions(state, me, deal)
    return True


def _exchange(state: Any, me: int, deal: Deal, cards: Any, one: int, two: int, wrong: int) -> bool:
    """Exchange two of the `cards` of the deal if both are there and that leaves fewer contradictions
    than `wrong`."""
    if one % N_KINDS == two % N_KINDS or not cards[one] or not cards[two]:
        return False
    back = one - one % N_KINDS + two % N_KINDS
    forth = two - two % N_KINDS + one % N_KINDS
    cards[one] -= 1
    cards[two] -= 1
    cards[back] += 1
    cards[forth] += 1
    if contradictions(state, me, deal) < wrong:
        return True
    cards[one] += 1
    cards[two] += 1
    cards[back] -= 1
    cards[forth] -= 1
    return False
