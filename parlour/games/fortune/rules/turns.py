"""`apply`, and the parts of a turn of Fortune: a card, rolls, its end, the end of the game."""

from __future__ import annotations

from parlour.games.fortune.rules.legal import spared
from parlour.games.fortune.rules.pieces import LOWEST, N_CARDS, N_DICE, N_FACES, SETS, STORM
from parlour.games.fortune.rules.scoring import (
    beyond,
    card_skulls,
    highest,
    island_loss,
    skulls,
    swords_needed,
    worth_if_disqualified,
    worth_if_stopped,
)
from parlour.games.fortune.rules.state import (
    DECIDE,
    DISQUALIFIED,
    DRAW_CARD,
    ISLAND,
    NOBODY,
    NONE,
    OVER,
    ROLL,
    STOP,
    STOPPED,
    STORM_OVER,
    State,
)


def apply(state: State, action: int) -> None:
    """Apply a legal decision, or an outcome of chance, in place."""
    fate = NONE
    if state.phase == DECIDE:
        if action == STOP:
            fate = fate_of_stopping(state)
        else:
            _pick_up(state, action)
    elif state.phase == ROLL:
        _land(state, action)
        total = skulls(state)
        if state.rolls == 1 and reaches_island(state, total):
            state.island = 1
        fate = fate_of_roll(state, state.rolls, total, action & 15)
    elif state.phase == DRAW_CARD:
        _turn_card(state, action)
    else:
        state.player = action  # FO-3
        state.phase = DRAW_CARD
    if fate != NONE:
        _end_turn(state, fate)


# How a turn ends ---------------------------------------------------------------------------------
def fate_of_stopping(state: State) -> int:
    """FO-7, FO-8, FO-14: return how the turn ends when its player stops."""
    if state.island:
        return ISLAND
    return DISQUALIFIED if skulls(state) >= 3 else STOPPED


def reaches_island(state: State, total: int) -> bool:
    """FO-13: return whether a first roll that makes it `total` skulls leads to the Island."""
    return total >= 4 and not swords_needed(state)


def fate_of_roll(state: State, rolls: int, total: int, added: int) -> int:
    """FO-7, FO-14, FO-18, FO-23: return how the turn ends with roll number `rolls`, or NONE.

    The roll brings `added` skulls, `total` together; whether they reach the Island (FO-13) is already known.
    """
    if state.island:
        if not added or N_DICE - (total - card_skulls(state)) < 2:  # FO-14
            return ISLAND
    elif total >= 3 and not spared(state, total):
        return DISQUALIFIED
    if state.card == STORM and rolls == 2:
        return ISLAND if state.island else STORM_OVER
    return NONE


def _end_turn(state: State, fate: int) -> None:
    """FO-7, FO-8, FO-15, FO-25, FO-26, FO-28: settle the turn and pass it on, or end the game."""
    player = state.player
    state.fate = fate
    if fate == ISLAND:
        state.loss = island_loss(state)
    elif fate == DISQUALIFIED:
        state.worth = worth_if_disqualified(state)
    else:
        state.worth = worth_if_stopped(state)
    for seat in range(state.players):
        _add(state, seat, state.worth if seat == player else -state.loss)
    state.turns += 1
    state.player = (player + 1) % state.players
    state.phase = DRAW_CARD
    if state.final_left:
        state.final_left -= 1
        if not state.final_left:
            if beyond(state, highest(state)):  # FO-26
                state.phase = OVER
            state.finisher = NOBODY
    elif beyond(state, state.scores[player]):  # FO-25
        state.finisher = player
        state.final_left = state.players - 1
    if state.round_limit and state.turns >= state.round_limit * state.players and not state.final_left:  # FO-28
        state.phase = OVER


def _add(state: State, seat: int, points: int) -> None:
    state.scores[seat] += points
    if state.floor_at_zero and state.scores[seat] < 0:  # FO-12
        state.scores[seat] = 0


# Its parts ---------------------------------------------------------------------------------------
def _turn_card(state: State, kind: int) -> None:
    """FO-4, FO-5: turn the card and throw all eight dice."""
    if state.reshuffle and state.turned == state.deck_size:
        state.turned = 0
        for k in range(N_CARDS):
            state.unseen[k] = state.deck[k]
    if state.turned < state.deck_size:
        state.pile[state.turned] = kind
        state.unseen[kind] -= 1
    state.turned += 1
    state.card = kind
    state.roller = state.player
    for face in range(N_FACES):
        state.count[face] = 0
    state.rolled = (1 << N_DICE) - 1
    state.rolls = 0
    state.spell = 0
    state.island = 0
    state.fate = NONE
    state.worth = 0
    state.loss = 0
    state.phase = ROLL


def _pick_up(state: State, action: int) -> None:
    """FO-6: take the chosen dice from the table; of equal dice those in the first places."""
    wanted = SETS[action]
    if wanted & 15:
        state.spell = 1  # FO-18
    rolled = 0
    for face in range(N_FACES):
        n = wanted >> 4 * face & 15
        state.count[face] -= n
        rolled |= LOWEST[state.places[face] << 4 | n]
    state.rolled = rolled
    state.phase = ROLL


def _land(state: State, outcome: int) -> None:
    """Let the dice in the air land; `outcome` has 4 bits for each face: how many dice show it."""
    rolled = state.rolled
    landed = 0  # how many dice have landed, with this face and earlier ones
    taken = 0  # the places of these dice: places are filled in the order of faces
    for face in range(N_FACES):
        n = outcome >> 4 * face & 15
        state.count[face] += n
        landed += n
        places = LOWEST[rolled << 4 | landed]
        state.places[face] = state.places[face] & ~rolled | places & ~taken
        taken = places
    state.rolls += 1
    state.phase = DECIDE
