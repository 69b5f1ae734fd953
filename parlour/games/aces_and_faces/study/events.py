"""What a designer of Aces & Faces would want to see counted."""

from __future__ import annotations

from typing import Any

from parlour.games.aces_and_faces import rules as r
from parlour.games.aces_and_faces.rules import pieces as c

ENDINGS = ("four of a kind", "four from the same suit", "both at once", "turn limit")
EVENTS = (
    "joker loses the turn", "card taken from a player", "own card put back", "guess right", "guess wrong", "suit match",
    "no duel", "duel won", "duel lost", "duel tied",
)  # fmt: skip
COUNTS = ("turns", "cards in slots at the end", "won outside the turn")
JOKER, ROBBED, RETURNED, RIGHT, WRONG, MATCH, DECLINED, WON, LOST, TIED = 1, 2, 4, 8, 16, 32, 64, 128, 256, 512


def ending(state: Any) -> int:
    """AF-13, AF-16: return how a finished game ended, as an index into ENDINGS."""
    if state.winner == r.NOBODY:
        return 3
    ranks = 0
    suits = 0
    for i in range(c.N_LINES):
        if state.hands[state.winner] & c.LINES[i] == c.LINES[i]:
            if i < 4:
                ranks += 1
            else:
                suits += 1
    return 2 if ranks and suits else 0 if ranks else 1


def events(state: Any, action: int) -> int:
    """Return the events of `action`, which is about to be applied to `state`: bits in the order of EVENTS."""
    phase = state.phase
    if phase == r.DUEL:
        return DECLINED if action == r.NO_DUEL else 0
    if phase == r.GIVE:
        return LOST
    if phase == r.DUEL_FIRST:
        return JOKER if r.is_void(state, action) else 0
    if phase == r.DUEL_SECOND:
        result = r.duel(c.rank_of(state.first), c.rank_of(action))
        return WON if result == r.DUEL_WON else TIED if result == r.DUEL_TIED else 0
    if phase == r.MATCH_CARD:
        return MATCH if r.matches(state, action) else 0
    found = 0
    card = -1
    if phase == r.TURN:
        found = JOKER if action == c.JOKER else 0
        card = c.card_of(action)
    elif phase == r.GUESS_CARD:
        right = r.guessed_right(state, state.guess, action)
        found = RIGHT if right else WRONG
        card = c.card_of(action) if right else -1
    elif phase == r.MOVE:
        card = state.board[r.destination(state, action)]
    if 0 <= card < c.N_CARDS:
        news = r.taken(state, card)
        found |= RETURNED if news == r.RETURNED else ROBBED if news == r.ROBBED else 0
    return found


def count(state: Any, which: int) -> int:
    """Return a number of COUNTS, from the final state."""
    if which == 0:
        return int(state.turns)
    if which == 1:
        return c.size(state.slots)
    return 1 if state.winner != r.NOBODY and state.winner != state.mover else 0
