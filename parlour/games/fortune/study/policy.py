"""What a position of Fortune is worth to a player who would stop at once: for bots that look one roll ahead.

The unit is points of the turn. In a player's last turn points matter only as far as they win.
"""

from __future__ import annotations

from math import exp
from typing import Any

from parlour.games.fortune import rules as r

WIN = 100_000.0  # in a last turn: far more than any points
HOPE = -0.6 * WIN  # still behind, but the turn continues; better than having lost

SPREAD = 60.0  # points that make one decision look e times as good
SCALE, FAR = 1500.0, 8.0  # of `outlook`
TURN = 560.0  # points that a turn brings
AGAIN = 60.0  # and that one under way may still bring, beyond what the dice are worth now

# The levels are the solution, misjudged by so much of the chance to win (docs/games/fortune.md). There are three: from
# the solution to `greedy`, below which only `easy` may be, there is no room for one more.
LEVELS = {"expert": ("optimal", 0.0), "medium": ("optimal", 0.002), "easy": ("optimal", 0.008)}
# Hints and analyses for three and four search. Only the decision at hand: below a re-roll, an open loop would merge
# decisions that different rolls need.
PLAN = {"expand": 1_000_000, "explore": 0.1, "urgency": -1.0}
PLANS = {"expert": {"simulations": 6_000, "rollout": "greedy", "length": 2, "urgency": 0.0}}

KINDS = 2 * r.N_CARDS  # cards, with and without the Sorceress's help used up
SKULLS = 4  # a decision off the Island has at most three skulls among the dice
MEMO = KINDS * SKULLS * r.N_SETS


def value(state: Any, player: int) -> float:
    """Return what the turn of `player` is worth if they stop now, or was worth when it has just ended."""
    live = state.phase == r.DECIDE
    worth = r.worth_now(state) if live else state.worth
    loss = r.island_loss(state) if live else state.loss  # what each opponent loses is their gain (FO-15)
    points = float(worth + loss)
    return points + _last(state, player, worth, loss, live) if last_turn(state, player) else points


def _last(state: Any, player: int, worth: int, loss: int, live: bool) -> float:
    """FO-26, FO-28: return what a player's last turn is worth if it stays as it is: whether it wins the game."""
    best = -1_000_000
    for seat in range(state.players):
        if seat != player:
            best = max(best, state.scores[seat])
    mine = state.scores[player]
    if live:
        mine += worth
        best -= loss
    if mine < best:
        return HOPE if live else -WIN
    if not r.beyond(state, mine) and not _last_round(state, live):
        return 0.0  # no player wins yet
    return WIN if mine > best else WIN / 2


def outlook(state: Any, player: int) -> float:
    """See `parlour.engine.no_policy`: odds from the totals after the turn under way; SCALE points make them e times as
    good.

    A player whose turn comes later in this round is credited with more of a turn. A first roll says little yet: what
    the dice are worth counts from the second on.
    """
    points = float(state.scores[player])
    away = (player - state.player) % state.players
    if state.phase != r.OVER:
        points += TURN * (state.players - away) / state.players
    if state.phase == r.DECIDE:
        if away:
            points -= r.island_loss(state)
        elif state.rolls > 1 and not state.island:
            points += r.worth_now(state) + AGAIN - TURN
    return exp(max(-FAR, min(FAR, (points - 0.5 * state.target) / SCALE)))


def last_turn(state: Any, player: int) -> bool:
    """FO-25, FO-28: return whether this turn of `player`, under way or just ended, is their last for all we know.

    A final round that has just ended without a winner (FO-26) counts as none.
    """
    live = state.phase == r.DECIDE
    if state.final_left and state.finisher != player:
        return True
    return bool(state.phase == r.OVER or _last_round(state, live))


def _last_round(state: Any, live: bool) -> bool:
    """Return whether this is the last round (FO-28)."""
    if not state.round_limit:
        return False
    turn = state.turns if live else state.turns - 1
    return bool(turn >= (state.round_limit - 1) * state.players)


def settled(state: Any, player: int) -> bool:
    """Return whether the due chance no longer affects `value`: this turn is over, and a card begins the next."""
    return bool(state.phase != r.ROLL)


def memo_key(state: Any, action: int) -> int:
    """Return a number for the card, the help used, and the dice that stay on the table.

    In a last turn and on the Island the value depends on more than these: return -1.
    """
    if state.island or action == r.STOP or last_turn(state, state.player):
        return -1
    dice = r.SETS[action]
    used = 1 if state.spell or dice & 15 else 0
    skulls = state.count[r.SKULL] - (dice & 15)
    kept = r.encode(
        state.count[r.SWORD] - (dice >> 4 & 15),
        state.count[r.MONKEY] - (dice >> 8 & 15),
        state.count[r.PARROT] - (dice >> 12 & 15),
        state.count[r.GOLD] - (dice >> 16 & 15),
        state.count[r.DIAMOND] - (dice >> 20 & 15),
        0,
    )
    key: int = ((state.card * 2 + used) * SKULLS + skulls) * r.N_SETS + kept
    return key
