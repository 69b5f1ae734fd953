"""What is counted when many games of Fortune are played: how they end, and what is rare or informative in them."""

from __future__ import annotations

from typing import Any

from parlour.games.fortune import rules as r

ENDINGS = ("first to cross the finish line wins", "overtaken in the final round", "round limit")
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
    """FO-3: return the seat that was drawn to start, counted back from the present turn."""
    seat: int = (state.player - state.turns) % state.players
    return seat


def ending(state: Any) -> int:
    """FO-26, FO-28: return how the game ended, as an index into ENDINGS.

    After a final round, the player whose turn would come next is the one who had started it.
    """
    best = r.highest(state)
    if not r.beyond(state, best):
        return 2
    return 0 if state.scores[state.player] == best else 1


def count(state: Any, which: int) -> int:
    """Return the number of rounds begun."""
    rounds: int = (state.turns + state.players - 1) // state.players
    return rounds


def events(state: Any, action: int) -> int:
    """Return the events of a roll, a decision, or the card that opens a final round."""
    if state.phase == r.ROLL:
        return _rolled(state, action)
    if state.phase == r.DECIDE:
        if action >= r.N_SETS:
            return FREED
        return _stopped(state) if action == r.STOP else 0
    if state.phase == r.DRAW_CARD and state.finisher != r.NOBODY and state.final_left == state.players - 1:
        return FINAL  # FO-25
    return 0


def _rolled(state: Any, outcome: int) -> int:
    """Return the events when these dice land: the Island, or the turn's end."""
    added = outcome & 15
    total = r.skulls(state) + added
    if not state.rolls and r.reaches_island(state, total):
        return ISLAND
    fate = r.fate_of_roll(state, state.rolls + 1, total, added)
    if fate == r.DISQUALIFIED:
        return _lost(state, state.count[r.SWORD] + (outcome >> 4 * r.SWORD & 15))
    if fate == r.STORM_OVER:
        gold = state.count[r.GOLD] + (outcome >> 4 * r.GOLD & 15)
        diamond = state.count[r.DIAMOND] + (outcome >> 4 * r.DIAMOND & 15)
        return BIG_TURN if r.storm_worth(state, gold, diamond) >= BIG else 0
    return 0


def _stopped(state: Any) -> int:
    """Return the events when the turn is stopped with the dice as they are."""
    fate = r.fate_of_stopping(state)
    if fate == r.DISQUALIFIED:
        return _lost(state, state.count[r.SWORD])
    if fate == r.ISLAND:
        return 0
    happened = _paid(state, state.count[r.SWORD], False)
    if not happened and r.full_chest(state):
        happened |= CHEST
    if r.worth_if_stopped(state) >= BIG:
        happened |= BIG_TURN
    return happened


def _lost(state: Any, swords: int) -> int:
    return DISQUALIFIED | _paid(state, swords, True)


def _paid(state: Any, swords: int, disqualified: bool) -> int:
    """Return the event of a loss when a turn ends with this many swords."""
    if r.battle_lost(state, swords, disqualified):
        return BATTLE_LOST
    return TRUCE_BROKEN if r.truce_broken(state, swords, disqualified) else 0
