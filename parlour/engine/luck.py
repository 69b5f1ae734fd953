"""A loop that works out how much luck each seat had in a game, in the dialect of the rules.

`parlour.analysis.luck` says what for, and has the formula. The engine binds `rules` and `assign` to one game.

An event is an outcome of chance, or a decision of a bot that chooses at random, with all chance that follows until the
next decision or the end. The luck of a seat in an event is its share of the win as it looks afterwards, less the mean
over all that could have happened. How a position looks says `search.evaluate`; its value is asked for at decisions and
ends alone, as the search does.
"""

from __future__ import annotations

from typing import Any

from parlour.core.contract import CHANCE, TERMINAL
from parlour.core.rng import random_below, seed_rng
from parlour.engine.drivers import RANDOM, choose
from parlour.engine.search import evaluate
from parlour.engine.work import Buffers, Games, Luck, Results

rules: Any = None
assign: Any = None

ENTRIES = ("lucky_games",)  # what Python calls
OUTLINE = ("_look",)  # it has the whole of a policy in it, and is called in two places

UNKNOWN = -1  # ends a script
APART = 1 << 31  # added to a game's number, for the second stream of chance
PLACE, COUNT, TOTAL, LEFT, LISTED = 0, 1, 2, 3, 4  # the columns of a level: see `_open`
LEVEL = 5


def lucky_games(
    template: Any, states: Any, bots: Any, rngs: Any, games: Games, buffers: Buffers, results: Results, luck: Luck
) -> None:
    """Play the games of `drivers.play_games` in states[0], and add the luck of each seat to `luck.rows`, zeros at
    first.

    `rngs` are the game's and a second one, so that looking for luck does not change the game. `results.rows` gets how
    many decisions there were.
    """
    state = states[0]
    totals, shares, lengths = results
    for i in range(games.games):
        seed_rng(rngs[0], games.seed, games.first + i)
        seed_rng(rngs[1], games.seed, games.first + i + APART)
        assign(state, template[0])
        lengths[i] = _play(state, bots, rngs, games.most, buffers, luck, luck.rows[i])
        rules.scores(state, totals[i])
        rules.returns(state, shares[i])


def _play(state: Any, bots: Any, rngs: Any, most: int, buffers: Buffers, luck: Luck, row: Any) -> int:
    """Play a game, or the steps of `luck.script` if it has any; return how many decisions there were."""
    out, outcomes, weights, scratch, memo = buffers
    steps = 0
    decisions = 0
    under_way = False
    while decisions < most:
        player = rules.current_player(state)
        if under_way and player != CHANCE:
            _look(state, player, luck.share)
            for seat in range(len(row)):
                row[seat] += luck.share[seat] - luck.hope[seat]
            under_way = False
        if player == TERMINAL:
            break
        if len(luck.script) and luck.script[steps] == UNKNOWN:
            break
        if not under_way and (player == CHANCE or bots[player] == RANDOM):
            _expect(state, rngs[1], luck)
            under_way = True
        if len(luck.script):
            action = luck.script[steps]
        elif player == CHANCE:
            action = rules.sample_chance(state, rngs[0])
        else:
            shown = scratch[2]
            assign(shown, state)
            rules.resample(shown, player, rngs[0])
            action = choose(bots[player], shown, rngs[0], out, outcomes, weights, scratch, memo)
        if player != CHANCE:
            decisions += 1
        steps += 1
        rules.apply(state, action)
    return decisions


def _look(state: Any, player: int, share: Any) -> None:
    """Write each seat's share of the win: as it is at the end, else as it looks."""
    if player == TERMINAL:
        rules.returns(state, share)
    else:
        evaluate(state, share)


def _expect(state: Any, rng: Any, luck: Luck) -> None:
    """Write the mean of what an event in `state` may lead to into `luck.hope`.

    All outcomes are listed as long as there are few: at most `luck.budget` ends are looked at. Where an event has more
    outcomes than its part of the budget, that part is drawn from `rng`, so the mean is right on average whatever is
    left out.
    """
    stack, levels, mass, hope = luck.stack, luck.levels, luck.mass, luck.hope
    for seat in range(len(hope)):
        hope[seat] = 0.0
    assign(stack[0], state)
    decided = rules.current_player(state) != CHANCE
    if decided:
        n = rules.legal_actions(stack[0], luck.outcomes[0])
        for i in range(n):
            luck.weights[0][i] = 1
    else:
        n = rules.chance_outcomes(stack[0], luck.outcomes[0], luck.weights[0])
    _open(0, n, luck.budget, 1.0, luck)
    depth = 0
    while depth >= 0:
        level = levels[depth]
        if level[PLACE] == level[COUNT]:
            depth -= 1
            continue
        place = level[PLACE]
        level[PLACE] += 1
        after = stack[depth + 1]
        assign(after, stack[depth])
        share = mass[depth] / level[COUNT]
        if level[LISTED]:
            share = mass[depth] * luck.weights[depth][place] / level[TOTAL]
            action = luck.outcomes[depth][place]
        elif decided and depth == 0:
            action = luck.outcomes[0][random_below(rng, level[TOTAL])]
        else:
            action = rules.sample_chance(after, rng)
        left = level[LEFT]
        while True:
            rules.apply(after, action)  # called in one place only: it is compiled into the loop
            player = rules.current_player(after)
            if player != CHANCE:
                _look(after, player, luck.share)
                for seat in range(len(hope)):
                    hope[seat] += share * luck.share[seat]
                break
            if left > 1:
                n = rules.chance_outcomes(after, luck.outcomes[depth + 1], luck.weights[depth + 1])
                if n > 1:
                    depth += 1
                    _open(depth, n, left, share, luck)
                    break
            action = rules.sample_chance(after, rng)


def _open(depth: int, n: int, budget: int, mass: float, luck: Luck) -> None:
    """Begin with the outcomes of stack[depth], which has `mass` of the probability, and its part of the budget.

    All `n` are listed if the budget allows; otherwise as many as it allows are drawn. LEFT is what each of them may
    spend on what follows.
    """
    level = luck.levels[depth]
    total = 0
    for i in range(n):
        total += luck.weights[depth][i]
    level[PLACE] = 0
    level[COUNT] = min(n, budget)
    level[TOTAL] = total
    level[LEFT] = budget // level[COUNT]
    level[LISTED] = 1 if n <= budget else 0
    luck.mass[depth] = mass
