"""The parts that are still due in a turn, the last of them first, and the parts that each action
has."""

from __future__ import annotations

from parlour.games.gatsby.rules import state as s
from parlour.games.gatsby.rules.state import State

# GA-9 and GA-16: the parts of each action, in order
MAIN_PARTS = (
    (s.CABARET, s.NEXT, 0), (s.CABARET, s.STEP, 0), (s.STEP, s.RACETRACK, 0), (s.RACETRACK, s.RACETRACK, 0),
)  # fmt: skip
TILE_PARTS = (
    (s.CABARET, s.CABARET, 0), (s.CABARET, s.NEXT, s.NEXT), (s.CABARET, s.OWN, 0), (s.ANYWHERE, 0, 0),
    (s.CABARET, s.STEP, s.RACETRACK), (s.STEP, s.STEP, 0), (s.PAIR, s.STEP, s.OWN), (s.ROW, s.SAME, 0),
    (s.RACETRACK, s.RACETRACK, s.RACETRACK), (s.OWN, s.RACETRACK, 0), (s.GAP, 0, 0),
)  # fmt: skip


def part_of(action: int, tile: int, i: int) -> int:
    """GA-9, GA-16: return the kind of part number `i` of an action, or of `tile` for the own Special; 0
    if it has no such part."""
    return int(TILE_PARTS[tile][i] if action == s.OWN_SPECIAL else MAIN_PARTS[action][i])


def push(state: State, kind: int, arg: int) -> None:
    """GA-25: add a part, which comes before all that are already due."""
    state.due_kind[state.due] = kind
    state.due_arg[state.due] = arg
    state.due += 1
