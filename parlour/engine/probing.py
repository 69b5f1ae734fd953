"""A loop that values the decisions of one position of each game by rollouts, in the dialect of the rules.

The engine binds `rules` and `assign` to one game. `parlour.analysis.decision_values` says what for.
"""

from __future__ import annotations

from typing import Any

from parlour.core.contract import CHANCE, TERMINAL
from parlour.core.rng import random_below, seed_rng
from parlour.engine.drivers import RANDOM, choose
from parlour.engine.work import Buffers, Games, Probe

rules: Any = None
assign: Any = None

ENTRIES = ("probe_games",)  # what Python calls

CHOICES, GAIN, VARIANCE = 0, 1, 2  # the columns of a row: legal decisions, the best's gain, the variance of values
COLUMNS = 3
APART = 1 << 31  # added to a game's number, for the second stream of chance


def probe_games(template: Any, states: Any, bots: Any, rngs: Any, games: Games, buffers: Buffers, probe: Probe) -> None:
    """Play each game of `survey` in states[0], draw one of its decisions that has a choice, and value it.

    `states` are three; `rngs` the game's and a second one. Half of an action's rollouts is in each column of
    `probe.values`.
    """
    for i in range(games.games):
        seed_rng(rngs[0], games.seed, games.first + i)
        seed_rng(rngs[1], games.seed, games.first + i + APART)
        assign(states[0], template[0])
        if _draw(states, bots, rngs, games.most, buffers) > 0:
            _value(states, rngs[1], games.most, buffers.out, probe)
            _row(rules.legal_actions(states[1], buffers.out), probe.values, probe.rows[i])


def _draw(states: Any, bots: Any, rngs: Any, most: int, buffers: Buffers) -> int:
    """Play to the end, and leave one of the decisions with a choice in states[1]; return how many there were."""
    out, outcomes, weights, scratch, memo = buffers
    state = states[0]
    decisions = 0
    found = 0
    while decisions < most:
        player = rules.current_player(state)
        if player == TERMINAL:
            break
        if player == CHANCE:
            action = rules.sample_chance(state, rngs[0])
        else:
            if rules.legal_actions(state, out) > 1:
                found += 1
                if random_below(rngs[1], found) == 0:  # each is kept with the same chance
                    assign(states[1], state)
            if bots[player] == RANDOM:
                action = rules.random_action(state, rngs[0], out)
            else:
                shown = scratch[2]
                assign(shown, state)
                rules.resample(shown, player, rngs[0])
                action = choose(bots[player], shown, rngs[0], out, outcomes, weights, scratch, memo)
            decisions += 1
        rules.apply(state, action)
    return found


def _value(states: Any, rng: Any, most: int, out: Any, probe: Probe) -> None:
    """Value each legal decision of states[1] for the seat that decides."""
    values, shares = probe.values, probe.shares
    times = max(1, probe.rollouts // 2)
    player = rules.current_player(states[1])
    state = states[2]
    for which in range(rules.legal_actions(states[1], out)):
        for half in range(2):
            values[which][half] = 0.0
            for _ in range(times):
                assign(state, states[1])
                rules.resample(state, player, rng)
                rules.legal_actions(state, out)  # they are the same in every deal; the last rollout has used `out`
                action = out[which]
                steps = 0
                while steps < most:
                    rules.apply(state, action)
                    mover = rules.current_player(state)
                    if mover == TERMINAL:
                        break
                    if mover == CHANCE:
                        action = rules.sample_chance(state, rng)
                    else:
                        action = rules.random_action(state, rng, out)
                    steps += 1
                rules.returns(state, shares)
                values[which][half] += shares[player] / times


def _row(n: int, values: Any, row: Any) -> None:
    """Sum up the values of `n` actions."""
    mean0 = 0.0
    mean1 = 0.0
    best0 = 0
    best1 = 0
    for which in range(n):
        mean0 += values[which][0] / n
        mean1 += values[which][1] / n
        if values[which][0] > values[best0][0]:
            best0 = which
        if values[which][1] > values[best1][1]:
            best1 = which
    together = 0.0
    for which in range(n):
        together += (values[which][0] - mean0) * (values[which][1] - mean1)
    row[CHOICES] = n
    row[GAIN] = ((values[best0][1] - mean1) + (values[best1][0] - mean0)) / 2
    row[VARIANCE] = together / (n - 1)
