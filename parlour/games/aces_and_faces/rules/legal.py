"""Whose decision it is, and what they may do."""

from __future__ import annotations

from parlour.core.contract import CHANCE, TERMINAL, Buffer
from parlour.games.aces_and_faces.rules.pieces import ALL, LINES, N_CARDS, N_SUITS
from parlour.games.aces_and_faces.rules.squares import suit_here
from parlour.games.aces_and_faces.rules.state import (
    ANTICLOCKWISE,
    CARD,
    CHOOSE_CORNER,
    CLOCKWISE,
    CORNER,
    DECIDES,
    DUEL,
    GUESS,
    HIGHER,
    LOWER,
    MATCH_PICK,
    MOVE,
    NO_DUEL,
    OVER,
    State,
)


def current_player(state: State) -> int:
    """Return the seat that decides, or CHANCE or TERMINAL."""
    if state.phase & DECIDES:
        return state.player
    return TERMINAL if state.phase == OVER else CHANCE


def legal_actions(state: State, out: Buffer) -> int:
    """Write the legal actions into `out` (MAX_LEGAL), ascending; return how many there are."""
    phase = state.phase
    if not phase & DECIDES:
        return 0
    if phase == CHOOSE_CORNER:  # AF-3: corners may be shared
        for suit in range(N_SUITS):
            out[suit] = CORNER + suit
        return N_SUITS
    if phase == MOVE:  # AF-6
        out[0] = CLOCKWISE
        out[1] = ANTICLOCKWISE
        return 2
    if phase == GUESS:  # AF-10: either guess, even a hopeless one
        out[0] = HIGHER
        out[1] = LOWER
        return 2
    n = 0
    if phase == DUEL:
        out[0] = NO_DUEL
        n = 1
    cards = choice(state)
    for card in range(N_CARDS):
        if cards >> card & 1:
            out[n] = CARD + card
            n += 1
    return n


def choice(state: State) -> int:
    """Return the set of cards that may be chosen now, in the phases MATCH_PICK, DUEL and GIVE."""
    if state.phase == MATCH_PICK:
        return in_slots(state, suit_here(state))
    if state.phase == DUEL:  # AF-12: neither in a slot nor their own
        return ALL & ~state.slots & ~state.hands[state.player]
    return state.hands[state.player]  # AF-12: a loser gives a card of their choice


def in_slots(state: State, suit: int) -> int:
    """AF-11: return the set of cards of a suit that are still in their slots."""
    return state.slots & LINES[4 + suit]
