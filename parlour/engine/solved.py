"""Games in which some bots play by the game's own solver; otherwise as in `drivers`.

A separate module, because a solver takes long to compile and most simulations need none. `solver`
is bound to the game's module (`parlour.core.contract.Solver`); `workspace` is the solver's.
"""

from __future__ import annotations

from typing import Any

from parlour.core.contract import CHANCE, TERMINAL
from parlour.core.rng import seed_rng
from parlour.engine import drivers
from parlour.engine.work import Buffers, Games, Results

rules: Any = None
solver: Any = None
assign: Any = None

ENTRIES = ("play_games",)  # what Python calls

SOLVER = 100  # numbers from here on are the solver's bots: SOLVER + the bot's own number


def play(state: Any, bots: Any, rng: Any, most: int, buffers: Buffers, workspace: Any) -> int:
    """Do `drivers.play`, with the solver's bots among the others."""
    out, outcomes, weights, scratch, memo = buffers
    steps = 0
    while steps < most:
        player = rules.current_player(state)
        if player == TERMINAL:
            break
        if player == CHANCE:
            action = rules.sample_chance(state, rng)
        else:
            shown = scratch[2]
            assign(shown, state)
            rules.resample(shown, player, rng)
            if bots[player] >= SOLVER:
                action = solver.choose(bots[player] - SOLVER, shown, scratch[0], out, workspace)
            else:
                action = drivers.choose(bots[player], shown, rng, out, outcomes, weights, scratch, memo)
            steps += 1
        rules.apply(state, action)
    return steps


def play_games(
    template: Any, states: Any, bots: Any, rng: Any, games: Games, buffers: Buffers, results: Results, workspace: Any
) -> None:
    """Do `drivers.play_games`, with the solver's bots among the others, and without a checksum."""
    totals, shares, lengths = results
    for i in range(games.games):
        seed_rng(rng, games.seed, games.first + i)
        assign(states[i], template[0])
        lengths[i] = play(states[i], bots, rng, games.most, buffers, workspace)
        rules.returns(states[i], shares[i])
        rules.scores(states[i], totals[i])
