"""Whose decision it is in Fortune, and what they may do."""

from __future__ import annotations

from parlour.core.contract import CHANCE, TERMINAL, Buffer
from parlour.core.rng import random_below
from parlour.games.fortune.rules.pieces import (
    DIAMOND,
    FIRST,
    GOLD,
    MONKEY,
    N_DICE,
    N_SETS,
    PARROT,
    PARTS,
    SIZE,
    SKULL,
    SMALL_FIRST,
    SMALL_PARTS,
    SORCERESS,
    SWORD,
    encode,
)
from parlour.games.fortune.rules.scoring import skulls
from parlour.games.fortune.rules.state import DECIDE, OVER, STOP, State


def current_player(state: State) -> int:
    """Return the seat that has a decision; CHANCE when a seat, a card or dice are due, TERMINAL in the end."""
    if state.phase == OVER:
        return TERMINAL
    return state.player if state.phase == DECIDE else CHANCE


def may_free(state: State) -> bool:
    """FO-18: return whether the card is the Sorceress, and she has not freed a skull in this turn."""
    return state.card == SORCERESS and not state.spell


def spared(state: State, total: int) -> bool:
    """FO-18: return whether the Sorceress may still avert a disqualification with this many skulls."""
    return total == 3 and may_free(state) and not state.island


def must_use_spell(state: State) -> bool:
    """FO-18: return whether there are three skulls, and the Sorceress may still avert the disqualification."""
    return spared(state, skulls(state))


def legal_actions(state: State, out: Buffer) -> int:
    """FO-6, FO-14, FO-18: write the legal actions into `out`, ascending; return how many there are."""
    if state.phase != DECIDE:
        return 0
    out[0] = STOP
    n = 1
    count = state.count
    free = encode(count[SWORD], count[MONKEY], count[PARROT], count[GOLD], count[DIAMOND], 0)
    if state.island:  # FO-14: all that are not skulls
        out[1] = free
        return 2
    if skulls(state) < 3:
        for i in range(FIRST[free], FIRST[free + 1]):
            out[n] = PARTS[i]
            n += 1
        if state.must_keep_one and SIZE[free] == N_DICE:  # the last one is to roll all
            n -= 1
    if may_free(state) and count[SKULL]:
        fewest = 0 if state.sorceress_alone else 1
        most = N_DICE - 2 if state.must_keep_one else N_DICE - 1
        for i in range(SMALL_FIRST[free], SMALL_FIRST[free + 1]):
            if fewest <= SIZE[SMALL_PARTS[i]] <= most:
                out[n] = N_SETS + SMALL_PARTS[i]
                n += 1
    return n


def random_action(state: State, rng: Buffer, out: Buffer) -> int:
    """Draw out[random_below(rng, legal_actions(state, out))], most often without writing all legal actions."""
    count = state.count
    if state.island or state.must_keep_one or state.card == SORCERESS or skulls(state) >= 3:
        return out[random_below(rng, legal_actions(state, out))]
    free = encode(count[SWORD], count[MONKEY], count[PARROT], count[GOLD], count[DIAMOND], 0)
    i = random_below(rng, FIRST[free + 1] - FIRST[free] + 1)
    return PARTS[FIRST[free] + i - 1] if i else STOP
