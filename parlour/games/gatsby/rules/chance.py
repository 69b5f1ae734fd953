"""GA-6, GA-26: what chance may bring; `rules` says what comes of it."""

from __future__ import annotations

from typing import Any

from parlour.core.contract import Buffer
from parlour.core.rng import random_below
from parlour.games.gatsby.rules import tables as t


def chance_outcomes(state: Any, out: Buffer, weights: Buffer) -> int:
    """GA-6, GA-26: what is left is equally likely; a face that somebody knows is what it is."""
    part = state.stack[state.depth - 1]
    kind, arg = part & t.KIND, part >> 5
    n = 0
    if kind == t.OVER or kind > t.REVEAL:
        return 0
    for outcome in range(_most(kind, arg)):
        if _may_come(state, kind, arg, outcome):
            out[n] = outcome
            weights[n] = 1
            n += 1
    return n


def _most(kind: int, arg: int) -> int:
    """Outcomes are numbered from 0 up to here: quarters, seats, tiles or characters."""
    if kind == t.QUARTER:
        return 4
    if kind == t.FLIP:
        return 2
    return t.N_TILES if kind == t.DRAW or (kind == t.REVEAL and arg >= t.N_SLOTS) else t.N_CHARACTERS


def _may_come(state: Any, kind: int, arg: int, outcome: int) -> bool:
    """Whether the chance event `kind`, `arg` can have this outcome."""
    if kind == t.QUARTER:
        for quarter in range(4):
            if state.quarters[quarter] == outcome:
                return False
        return True
    if kind == t.FLIP:
        return True
    if kind == t.DRAW:
        return bool(state.tile[outcome] == t.IN_PILE)
    if kind == t.REVEAL and arg >= t.N_SLOTS:
        return bool(state.tile[outcome] == t.ASIDE_HIDDEN + arg - t.N_SLOTS)
    if state.char[arg] >= 0:
        return bool(state.char[arg] == outcome)
    for slot in range(t.N_SLOTS):
        if state.char[slot] == outcome:
            return False
    return True


def sample_chance(state: Any, rng: Buffer) -> int:
    """One outcome, drawn with its probability."""
    part = state.stack[state.depth - 1]
    kind, arg = part & t.KIND, part >> 5
    most = _most(kind, arg)
    if most == t.N_CHARACTERS and state.char[arg] >= 0:
        return int(state.char[arg])
    outcome = random_below(rng, most)
    while not _may_come(state, kind, arg, outcome):
        outcome = random_below(rng, most)
    return outcome
