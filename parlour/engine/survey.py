"""Loops that play games and note how each went, in the dialect of the rules, run plain or compiled.

The engine binds `rules`, `watched` (the game's `events.py`) and `assign` to one game.
"""

from __future__ import annotations

from typing import Any

from parlour.core.contract import CHANCE, TERMINAL
from parlour.core.rng import seed_rng
from parlour.engine.drivers import RANDOM, choose
from parlour.engine.work import Buffers, Games, Results

rules: Any = None
watched: Any = None
assign: Any = None

ENTRIES = ("watch_games",)  # what Python calls

# The columns of a row; then one for each kind of event (how often it occurred), then one for each count.
DECISIONS, STEPS, STARTER, ENDING, EVENTS = 0, 1, 2, 3, 4
UNKNOWN = -1


def watch(state: Any, bots: Any, rng: Any, most: int, kinds: int, row: Any, buffers: Buffers) -> None:
    """Play a game with `bots[seat]` at each seat, at most `most` decisions, and fill its row.

    `kinds` is how many kinds of events the game has. A random bot uses only the legal actions, so
    the loop does not resample for it: games between random bots are those of `drivers.random_games`
    and of `inspection`.
    """
    out, outcomes, weights, scratch, memo = buffers
    decisions = 0
    steps = 0
    starter = UNKNOWN
    over = False
    while decisions < most:
        player = rules.current_player(state)
        if player == TERMINAL:
            over = True
            break
        if player == CHANCE:
            action = rules.sample_chance(state, rng)
        else:
            if starter == UNKNOWN:
                starter = player
            if bots[player] == RANDOM:
                action = rules.random_action(state, rng, out)
            else:
                shown = scratch[2]
                assign(shown, state)
                rules.resample(shown, player, rng)
                action = choose(bots[player], shown, rng, out, outcomes, weights, scratch, memo)
            decisions += 1
        steps += 1
        if kinds:
            happened = watched.events(state, action)
            if happened:
                for i in range(kinds):
                    row[EVENTS + i] += happened >> i & 1
        rules.apply(state, action)
    row[DECISIONS] = decisions
    row[STEPS] = steps
    row[STARTER] = starter
    row[ENDING] = UNKNOWN
    if over:
        row[ENDING] = watched.ending(state)
        if watched.starter(state) != UNKNOWN:
            row[STARTER] = watched.starter(state)
        for i in range(EVENTS + kinds, len(row)):
            row[i] = watched.count(state, i - EVENTS - kinds)


def watch_games(
    template: Any, states: Any, bots: Any, rng: Any, games: Games, kinds: int, buffers: Buffers, results: Results
) -> None:
    """Play games one after the other in states[0], each with its own stream of chance.

    `results.rows` must be zeros at first.
    """
    state = states[0]
    totals, shares, rows = results
    for i in range(games.games):
        seed_rng(rng, games.seed, games.first + i)
        assign(state, template[0])
        watch(state, bots, rng, games.most, kinds, rows[i], buffers)
        rules.scores(state, totals[i])
        rules.returns(state, shares[i])
