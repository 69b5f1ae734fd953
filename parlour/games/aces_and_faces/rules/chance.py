"""The outcomes of chance and their weights: the seat that starts, and the cards of the pile."""

from __future__ import annotations

from parlour.core.contract import Buffer
from parlour.core.rng import random_below
from parlour.games.aces_and_faces.rules.pieces import N_KINDS
from parlour.games.aces_and_faces.rules.state import DECIDES, DRAW_SEAT, OVER, State


def pile(state: State) -> list[int]:
    """AF-4, AF-8: return how many cards of each kind the next card is drawn from: what is left of
    the pile or, if it is empty, all of them. It is a row of the state: do not change it."""
    return state.unseen if state.left else state.deck


def chance_outcomes(state: State, out: Buffer, weights: Buffer) -> int:
    """Write the outcomes and their weights: any seat (AF-3), or any card of the pile, by its kind (AF-4, AF-8)."""
    if state.phase & DECIDES or state.phase == OVER:
        return 0
    n = 0
    if state.phase == DRAW_SEAT:
        for seat in range(state.players):
            out[seat] = seat
            weights[seat] = 1
        return state.players
    cards = pile(state)
    for kind in range(N_KINDS):
        number = cards[kind]
        if number:
            out[n] = kind
            weights[n] = number
            n += 1
    return n


def sample_chance(state: State, rng: Buffer) -> int:
    """Draw a seat, or the kind of the next card, with one number from `rng`."""
    if state.phase == DRAW_SEAT:
        return random_below(rng, state.players)
    rest = random_below(rng, state.left if state.left else state.deck_size)
    cards = pile(state)
    kind = -1
    while rest >= 0:
        kind += 1
        rest -= cards[kind]
    return kind
