"""What a square or a card of the pile does (AF-6 to AF-12), as functions that change nothing.

`turns` plays by them; display, bots and statistics use them too, so that each rule is stated once.
"""

from __future__ import annotations

from parlour.games.aces_and_faces.rules.pieces import ALL, JOKER, MATCH, rank_of, suit_of
from parlour.games.aces_and_faces.rules.state import (
    CLOCKWISE,
    DUEL_LOST,
    DUEL_TIED,
    DUEL_WON,
    HIGHER,
    NOBODY,
    RETURNED,
    ROBBED,
    TOOK,
    State,
)


def holder_of(state: State, card: int) -> int:
    """Return the seat that holds this card, or NOBODY."""
    for seat in range(state.players):
        if state.hands[seat] >> card & 1:
            return seat
    return NOBODY


def destination(state: State, way: int) -> int:
    """AF-6: return the square to which the number leads the player whose turn it is, CLOCKWISE or ANTICLOCKWISE."""
    steps = state.number if way == CLOCKWISE else -state.number
    return (state.position[state.player] + steps) % state.squares


def square_here(state: State) -> int:
    """Return what the square is (see `pieces`) of the player whose turn it is."""
    return state.board[state.position[state.player]]


def taken(state: State, card: int) -> int:
    """AF-9: return the result of reaching this card's square: RETURNED, TOOK or ROBBED."""
    if state.hands[state.player] >> card & 1:
        return RETURNED
    return TOOK if state.slots >> card & 1 else ROBBED


def guessed_right(state: State, guess: int, kind: int) -> bool:
    """AF-10: return whether a card makes the guess against the number that moved the piece here right.

    An equal number or a joker is always wrong.
    """
    rank = rank_of(kind)
    return rank > state.number if guess == HIGHER else 0 < rank < state.number


def suit_here(state: State) -> int:
    """AF-11: return the suit of the corner of the player whose turn it is."""
    return square_here(state) - MATCH


def matches(state: State, kind: int) -> bool:
    """AF-11: return whether a card has the suit of the corner; a joker has no suit."""
    return suit_of(kind) == suit_here(state)


def can_duel(state: State) -> bool:
    """AF-12: return whether the player whose turn it is holds a card, and an opponent does too."""
    own = state.hands[state.player]
    return own != 0 and own | state.slots != ALL


def is_void(state: State, first: int) -> bool:
    """AF-12: return whether the challenger's card ends the duel at once (option `duel_joker`)."""
    return first == JOKER and state.duel_void != 0


def duel(first: int, second: int) -> int:
    """AF-12: return the result for the challenger, from the ranks of their card and the opponent's: DUEL_WON,
    DUEL_LOST or DUEL_TIED."""
    if first == second:
        return DUEL_TIED
    return DUEL_WON if first > second else DUEL_LOST
