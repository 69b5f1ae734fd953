"""Family Trade: the outcomes of chance: the first dealer, dice, cards."""

from __future__ import annotations

from parlour.core.contract import Buffer
from parlour.core.rng import choose_weighted, random_below
from parlour.games.family_trade.rules.pieces import N_FACES, N_KINDS, N_STEPS
from parlour.games.family_trade.rules.state import BATTLE_ROYALE, DEAL, DRAW, FIRST_DEALER, NO_CARD, ROLL, State


def chance_outcomes(state: State, out: Buffer, weights: Buffer) -> int:
    """Write all outcomes and their weights: seats, steps of the ladder, or kinds of card (or
    NO_CARD)."""
    phase = state.phase
    n = 0
    if phase == FIRST_DEALER:  # FT-6
        for seat in range(state.players):
            out[n] = seat
            weights[n] = 1
            n += 1
    elif phase == ROLL:
        die = state.faces[die_due(state)]
        for step in range(N_STEPS):
            ways = 0
            for face in range(N_FACES):
                if die[face] == step:
                    ways += 1
            if ways:
                out[n] = step
                weights[n] = ways
                n += 1
    elif phase in (DEAL, DRAW):
        if no_card(state):
            out[0] = NO_CARD
            weights[0] = 1
            return 1
        for kind in range(N_KINDS):
            left = cards_to_draw(state, kind)
            if left:
                out[n] = kind
                weights[n] = left
                n += 1
    return n


def die_due(state: State) -> int:
    """FT-6, FT-20: return the good whose die is rolled next; dice are rolled in the order of the goods."""
    good = 0
    while not state.rolling >> good & 1:
        good += 1
    return good


def no_card(state: State) -> bool:
    """FT-18, FT-24: return whether the deck is empty and no new one may be formed."""
    return state.phase == DRAW and not state.deck_size and state.remade >= state.new_decks


def cards_to_draw(state: State, kind: int) -> int:
    """FT-18, FT-24: count the cards of a kind in the deck, or in the one that is about to be formed."""
    if state.deck_size:
        return state.deck[kind]
    kept = state.ruleset != BATTLE_ROYALE and state.row[state.row_size - 1] == kind
    return state.dumped[kind] - (1 if kept else 0)


def sample_chance(state: State, rng: Buffer) -> int:
    """Draw one outcome with its probability."""
    phase = state.phase
    if phase == ROLL:
        return state.faces[die_due(state)][random_below(rng, N_FACES)]
    if phase == FIRST_DEALER:
        return random_below(rng, state.players)
    if state.deck_size:
        left = random_below(rng, state.deck_size)
        kind = 0
        while left >= state.deck[kind]:
            left -= state.deck[kind]
            kind += 1
        return kind
    if no_card(state):
        return NO_CARD
    weights = [0] * N_KINDS
    for kind in range(N_KINDS):
        weights[kind] = cards_to_draw(state, kind)
    return choose_weighted(rng, weights, N_KINDS)
