"""What is counted when many games of Fortune are played: how they end, and what is rare or tells something."""

from __future__ import annotations

from typing import Any

from parlour.games.fortune import rules as r
from parlour.games.fortune.rules import dice as d

ENDINGS = ("first across the line wins", "overtaken in the final round", "round limit")
EVENTS = (
    "disqualified",
    "Island reached",
    "Full Chest",
    "2,000 points or more in a turn",
    "Sea Battle lost",
    "skull freed by the Sorceress",
    "swords in a Truce",
    "final round begun",
)
DISQUALIFIED, ISLAND, CHEST, BIG_TURN, BATTLE_LOST, FREED, TRUCE_BROKEN, FINAL = 1, 2, 4, 8, 16, 32, 64, 128
BIG = 2000
COUNTS = ("rounds",)


def starter(state: Any) -> int:
    """FO-3: turns have gone round from the seat that was drawn."""
    seat: int = (state.player - state.turns) % state.players
    return seat


def ending(state: Any) -> int:
    """FO-26, FO-28: whose turn would come next had started the final round, if one was just over."""
    best = state.scores[0]
    for seat in range(1, state.players):
        best = max(best, state.scores[seat])
    if not r.beyond(state, best):
        return 2
    return 0 if state.scores[state.player] == best else 1


def count(state: Any, which: int) -> int:
    """Rounds begun."""
    rounds: int = (state.turns + state.players - 1) // state.players
    return rounds


def events(state: Any, action: int) -> int:
    """What comes with a roll, a decision, or the card that opens a final round."""
    if state.phase == r.ROLL:
        return _rolled(state, action)
    if state.phase == r.DECIDE:
        if action >= d.N_SETS:
            return FREED
        return _stopped(state) if action == r.STOP and not state.island else 0
    if state.phase == r.DRAW_CARD and state.finisher != r.NOBODY and state.final_left == state.players - 1:
        return FINAL  # FO-25
    return 0


def _rolled(state: Any, outcome: int) -> int:
    """FO-7, FO-13, FO-18, FO-23: whether these dice end the turn or lead to the Island."""
    total = r.skulls(state) + (outcome & 15)
    if state.island:
        return 0
    if total < 3:
        return _storm_over(state, outcome) if state.card == r.STORM and state.rolls == 1 else 0
    if state.rolls == 0 and total >= 4 and not r.swords_needed(state):
        return ISLAND
    if total == 3 and state.card == r.SORCERESS and not state.spell:
        return 0
    return _lost(state, state.count[d.SWORD] + (outcome >> 4 & 15))


def _storm_over(state: Any, outcome: int) -> int:
    """FO-23: the second roll ends the turn as if it had been stopped."""
    gold = state.count[d.GOLD] + (outcome >> 4 * d.GOLD & 15)
    diamond = state.count[d.DIAMOND] + (outcome >> 4 * d.DIAMOND & 15)
    return BIG_TURN if r.storm_worth(state, gold, diamond) >= BIG else 0


def _lost(state: Any, swords: int) -> int:
    """FO-19, FO-24: what a disqualification costs."""
    happened = DISQUALIFIED
    if r.swords_needed(state):
        happened |= BATTLE_LOST
    elif state.card == r.TRUCE and swords:
        happened |= TRUCE_BROKEN
    return happened


def _stopped(state: Any) -> int:
    """FO-8, FO-11, FO-19, FO-24."""
    if r.skulls(state) >= 3:
        return _lost(state, state.count[d.SWORD])
    if state.count[d.SWORD] < r.swords_needed(state):
        return BATTLE_LOST
    if state.card == r.TRUCE and state.count[d.SWORD]:
        return TRUCE_BROKEN
    happened = CHEST if r.full_chest(state) else 0
    if r.worth_if_stopped(state) >= BIG:
        happened |= BIG_TURN
    return happened
