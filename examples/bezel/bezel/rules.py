"""Bezel: the rules. Stones are numbered from 1, because 0 is an empty square; squares run along the rows."""

from collections.abc import Mapping
from typing import Any

from parlour.core.contract import CHANCE, HIDDEN, TERMINAL, Buffer, NoGame
from parlour.core.rng import random_below
from parlour.core.struct import ints, rows, struct

VERSION = 1
KINDS, SIDE, SQUARES = 5, 5, 25
N_ACTIONS = KINDS + SQUARES  # take a stone of this kind; lay it on this square
MAX_LEGAL = SQUARES
MAX_OUTCOMES = KINDS
# The squares above, below, left and right of each; the square itself at the edge of the brooch.
NEXT = tuple(
    (s - 5 if s > 4 else s, s + 5 if s < 20 else s, s - 1 if s % 5 else s, s + 1 if s % 5 < 4 else s)
    for s in range(SQUARES)
)


@struct
class State:
    size: int = 0  # of a hand
    pile: list[int] = ints(KINDS)
    hand: list[list[int]] = rows(2, KINDS)
    square: list[int] = ints(SQUARES)
    taken: int = 0  # the stone that is about to be laid; it still counts as in the hand
    laid: int = 0
    last: int = -1  # the square that was laid on last


def setup(players: int, parts: Mapping[str, Any], options: Mapping[str, int]) -> State:
    """BE-1: return the state with an empty brooch and all tiles in the pile."""
    each, size = parts["each"], parts["hand"]
    if {type(each), type(size)} != {int} or not 1 <= size <= 9 or not SQUARES + 2 * size <= each * KINDS <= 10**6:
        raise NoGame("Hands have 1 to 9 tiles; the pile fills brooch and hands, and has at most a million.", "BE-1")
    return State(size=size, pile=[each] * KINDS)


def drawing(state: State) -> int:
    """BE-2, BE-3: return the seat that is due to draw a tile, or -1."""
    for seat in range(2):
        if state.laid < SQUARES and sum(state.hand[seat]) < state.size:
            return seat
    return -1


def current_player(state: State) -> int:
    if state.laid == SQUARES:
        return TERMINAL
    return CHANCE if drawing(state) >= 0 else state.laid % 2


def fits(state: State, square: int) -> bool:
    """BE-3: return whether a tile may be laid there."""
    near = state.laid == 0
    for other in NEXT[square]:
        near = near or state.square[other] > 0
    return near and state.square[square] == 0


def legal_actions(state: State, out: Buffer) -> int:
    """BE-3: write the tiles to take, or the squares to lay one on."""
    n = 0
    if current_player(state) >= 0:
        for action in range(N_ACTIONS):
            if action < KINDS:
                legal = state.taken == 0 and state.hand[state.laid % 2][action] > 0
            else:
                legal = state.taken > 0 and fits(state, action - KINDS)
            if legal:
                out[n] = action
                n += 1
    return n


def apply(state: State, action: int) -> None:
    seat = drawing(state)
    if seat >= 0:
        state.hand[seat][action] += 1
        state.pile[action] -= 1
    elif action < KINDS:
        state.taken = action + 1
    else:
        state.last = action - KINDS
        state.square[state.last] = state.taken
        state.hand[state.laid % 2][state.taken - 1] -= 1
        state.taken = 0
        state.laid += 1


def chance_outcomes(state: State, out: Buffer, weights: Buffer) -> int:
    """BE-2, BE-3: write every tile of the pile."""
    n = 0
    if drawing(state) >= 0:
        for kind in range(KINDS):
            if state.pile[kind]:
                out[n] = kind
                weights[n] = state.pile[kind]
                n += 1
    return n


def pay(state: State, seat: int, line: int) -> int:
    """BE-4: return what a row (seat 0) or a column (seat 1) pays: for each stone, how many equal ones precede it."""
    start, step = (line * SIDE, 1) if seat == 0 else (line, SIDE)
    carats = alike = 0
    for square in range(start + step, start + SIDE * step, step):
        same = state.square[square] and state.square[square] == state.square[square - step]
        alike = alike + 1 if same else 0
        carats += alike
    return carats


def scores(state: State, out: Buffer) -> None:
    """BE-4, BE-5: write the carats of each seat."""
    for seat in range(2):
        out[seat] = 0
        for line in range(SIDE):
            out[seat] += pay(state, seat, line)


def observation(state: State, player: int, out: Buffer) -> int:
    for square in range(SQUARES):
        out[square] = state.square[square]
    for kind in range(KINDS):
        out[SQUARES + kind] = state.hand[player][kind] if player >= 0 else 0
    out[SQUARES + KINDS] = state.taken if state.laid % 2 == player else 0
    return SQUARES + KINDS + 1


def observed_action(state: State, action: int, player: int) -> int:
    """BE-2: hide what is drawn and what is taken from the other player, until the stone is laid."""
    seat = drawing(state) if drawing(state) >= 0 else state.laid % 2
    if seat == player:
        return action
    return N_ACTIONS + state.taken * SQUARES + action if state.taken else HIDDEN


def may_undo(before: State, action: int, after: State) -> bool:
    """BE-3: return True for a tile that is taken: the others do not see it until it is laid."""
    return action < KINDS


def resample(state: State, player: int, rng: Buffer) -> None:
    """BE-2: draw again what others hold, and which tile they have taken, from all tiles that are not seen."""
    for seat in range(2):
        if seat != player:
            held = sum(state.hand[seat])
            for kind in range(KINDS):
                state.pile[kind] += state.hand[seat][kind]
                state.hand[seat][kind] = 0
            for _ in range(held):
                kind = any_of(state.pile, rng)
                state.pile[kind] -= 1
                state.hand[seat][kind] += 1
            if state.taken and state.laid % 2 == seat:
                state.taken = 1 + any_of(state.hand[seat], rng)


def any_of(tiles: Buffer, rng: Buffer) -> int:
    """Draw the kind of one of these tiles, each as likely."""
    left, kind = random_below(rng, sum(tiles)), 0
    while left >= tiles[kind]:
        left -= tiles[kind]
        kind += 1
    return kind
