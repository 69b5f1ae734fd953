"""Family Trade: who sees what (FT-26). What a seat cannot know is dealt again by dealing.py.

No decision can be taken back: all of them show something or have dice or cards after them.
"""

from __future__ import annotations

from typing import Any

from parlour.core.contract import HIDDEN, UNSEEN
from parlour.games.family_trade.rules.hands import announces, complete
from parlour.games.family_trade.rules.pieces import N_GOODS, N_KINDS
from parlour.games.family_trade.rules.state import (
    ASK,
    BATTLE_ROYALE,
    DEAL,
    DRAW,
    FIRST_DISCARD,
    OUT,
    PASS,
    TURN,
    WHILE_KEPT,
    State,
)

MORE = 64  # above every action: the unit in which observed_action adds what a move shows


def asks_another(state: Any, player: int) -> bool:
    """FT-26: return whether another seat is being asked about a discard. `player` cannot know that:
    they see that a card is about to be drawn."""
    return bool(state.phase == ASK and state.asked != player)


def card_goes_to(state: State) -> int:
    """FT-7, FT-8, FT-21: return the seat that gets the next card, when one is due."""
    if state.phase == DEAL:
        return (state.dealer + state.dealt) % state.players
    return state.player


def observed_action(state: Any, action: int, player: int) -> int:
    """FT-26: return a step as this seat sees it.

    Only the seat that gets a card sees it, and only a player who lets a discard lie knows that.

    The number includes what a move shows of another's hand: "one to go" with a discard (FT-10), and
    all the cards of a player who goes out (FT-13, FT-22).
    """
    if state.phase == DEAL or state.phase == DRAW:
        return HIDDEN if action < N_KINDS and card_goes_to(state) != player else action
    if action == PASS and asks_another(state, player):
        return UNSEEN
    if state.phase == TURN and player != state.player:
        if action < N_KINDS:
            return action + MORE if announces(state, action) else action
        if action == OUT and complete(state.hand[state.player]):
            return action + MORE * _shown(state, state.player)
    elif asks_another(state, player):
        return action + MORE * _shown(state, state.asked)
    return action


def _shown(state: Any, seat: int) -> int:
    """Return a hand as a number with a digit for each good."""
    number = 1
    for good in range(N_GOODS):
        number = 10 * number + state.hand[seat][good]
    return number


def may_ask(state: Any) -> bool:
    """FT-26: return whether, by public knowledge, a player might be asked about the last discard now.

    The answer is the same whether or not a player is in fact asked, until a card is drawn or the
    discard is taken.
    """
    if not state.offered:
        return False
    kind = state.row[state.row_size - 1]
    if out_of_sight(state, kind) < 2:  # FT-10, FT-22: two of them at least are in a hand that it finishes
        return False
    for seat in range(state.players):
        if seat != state.discarder and might_take(state, seat, kind):
            return True
    return False


def might_take(state: Any, seat: int, kind: int) -> bool:
    """FT-10, FT-11, FT-22: return whether, by public knowledge, the discard `kind` may complete the
    hand of this seat."""
    if state.ruleset == BATTLE_ROYALE:
        return True
    if state.announced >> seat & 1:
        return not state.unfit[seat] >> kind & 1
    if state.dealt_hand == WHILE_KEPT:  # only the seat knows whether its hand is still the dealt one
        return True
    return state.dealt_hand == FIRST_DISCARD and not state.acted >> seat & 1


def out_of_sight(state: Any, kind: int) -> int:
    """FT-26: count the cards of a kind that are not on the dump and were not shown by a player who
    went out. Every viewer can count them."""
    cards = state.deck[kind]
    for seat in range(state.players):
        cards += state.hand[seat][kind] + state.gone[seat][kind]
    return int(cards)
