"""Chance in Fortune: the starting seat, the next card, the dice in the air."""

from __future__ import annotations

from parlour.core.contract import Buffer
from parlour.core.rng import choose_weighted, random_below
from parlour.games.fortune.rules.pieces import FIRST_ROLL, N_CARDS, N_FACES, ROLLS, WAYS
from parlour.games.fortune.rules.state import DRAW_CARD, DRAW_SEAT, NOBODY, ROLL, State, dice_in_air


def next_card(state: State) -> int:
    """FO-4: return the card to be turned next, once the whole cycle has been seen; until then NOBODY."""
    if state.reshuffle or state.turned < state.deck_size:
        return NOBODY
    return state.pile[state.turned % state.deck_size]


def chance_outcomes(state: State, out: Buffer, weights: Buffer) -> int:
    """Write all outcomes and their weights: seats, kinds of card, or packed counts of the faces rolled."""
    n = 0
    if state.phase == DRAW_SEAT:  # FO-3
        for seat in range(state.players):
            out[n] = seat
            weights[n] = 1
            n += 1
    elif state.phase == DRAW_CARD:
        known = next_card(state)
        if known != NOBODY:
            out[0] = known
            weights[0] = 1
            return 1
        fresh = state.turned == state.deck_size
        for kind in range(N_CARDS):
            left = state.deck[kind] if fresh else state.unseen[kind]
            if left:
                out[n] = kind
                weights[n] = left
                n += 1
    elif state.phase == ROLL:
        first = FIRST_ROLL[dice_in_air(state)]
        n = FIRST_ROLL[dice_in_air(state) + 1] - first
        for i in range(n):
            out[i] = ROLLS[first + i]
            weights[i] = WAYS[first + i]
    return n


def sample_chance(state: State, rng: Buffer) -> int:
    """Draw one outcome with its probability."""
    if state.phase == ROLL:
        return roll(dice_in_air(state), rng)
    if state.phase == DRAW_SEAT:
        return random_below(rng, state.players)
    if state.turned < state.deck_size:
        return choose_weighted(rng, state.unseen, N_CARDS)
    if state.reshuffle:
        return choose_weighted(rng, state.deck, N_CARDS)
    return next_card(state)


def roll(dice: int, rng: Buffer) -> int:
    """Roll this many dice: packed counts of the faces. One random number serves up to four dice."""
    outcome = 0
    while dice > 0:
        n = min(dice, 4)
        outcome += THROWS[FIRST_THROW[n] + random_below(rng, FIRST_THROW[n + 1] - FIRST_THROW[n])]
        dice -= n
    return outcome


def _throws() -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return THROWS and FIRST_THROW: THROWS[FIRST_THROW[n] : FIRST_THROW[n + 1]] has what n different dice can show.

    The throws are packed, and all equally likely.
    """
    throws = [0]
    first = [0, 1]
    for _ in range(4):
        throws += [one + (1 << 4 * face) for one in throws[first[-2] :] for face in range(N_FACES)]
        first.append(len(throws))
    return tuple(throws), tuple(first)


THROWS, FIRST_THROW = _throws()
