"""Bots that look one decision ahead and let a network judge, and games that teach it, in the dialect of the rules.

The network learns from its own games: each position after a decision has to say what the positions after it said, and
at the end how the game ended. That needs no search, so millions of positions take minutes; it suits games in which
chance decides so much that a search sees little but noise. TD(lambda): R. Sutton, "Learning to Predict by the Methods
of Temporal Differences", 1988; G. Tesauro, "Temporal Difference Learning and TD-Gammon", 1995.
"""

from __future__ import annotations

from typing import Any

from parlour.core.contract import CHANCE, TERMINAL
from parlour.core.rng import random_below, seed_rng
from parlour.engine import drivers, net
from parlour.engine.work import Buffers, Games, Lessons, Net, Results

rules: Any = None
policy: Any = None
assign: Any = None

ENTRIES = ("weigh", "play_games", "play_on", "teach")  # what Python calls

LEARNED = 50  # numbers from here on are networks: LEARNED + the network's place
WHOLE = 1_000_000  # the probability 1, in the units of `lesson`


def weigh(states: Any, shares: Any, seats: Any, judge: Net, reward: Any, buffers: Buffers) -> int:
    """Write the legal actions of states[0] into `buffers.out`, the share that the network sees after each into
    `shares`, and every seat's share after the best into `seats`; return how many actions there are. The state is as in
    `choose`."""
    out, outcomes, weights, scratch, _memo = buffers
    state = states[0]
    n: int = rules.legal_actions(state, out)
    player = rules.current_player(state)
    best = 0
    for i in range(n + len(seats)):
        action = out[best]
        seat = i - n
        if i < n:
            action = out[i]
            seat = player
        share = net.expected(state, seat, action, judge, reward, outcomes, weights, scratch)
        if i >= n:
            seats[seat] = share
        else:
            shares[i] = share
            if share > shares[best]:
                best = i
    return n


def choose(state: Any, judge: Net, reward: Any, out: Any, outcomes: Any, weights: Any, scratch: Any) -> int:
    """Return the legal action after which the network sees the largest share of the win, the first of equals.

    `state` must be resampled for the player to move: a bot never sees what is hidden from its seat.
    """
    n = rules.legal_actions(state, out)
    player = rules.current_player(state)
    best: int = out[0]
    best_share = -1.0
    for i in range(n):
        share = net.expected(state, player, out[i], judge, reward, outcomes, weights, scratch)
        if share > best_share:
            best = out[i]
            best_share = share
    return best


def play_games(
    template: Any, states: Any, bots: Any, rng: Any, games: Games, buffers: Buffers, results: Results, judges: Any
) -> None:
    """Do `drivers.play_games`, with two networks (`judges`: both, and a buffer for the seats' shares) among the bots,
    and without a checksum."""
    totals, shares, lengths = results
    for i in range(games.games):
        state = states[0]
        seed_rng(rng, games.seed, games.first + i)
        assign(state, template[0])
        lengths[i] = to_the_end(state, bots, rng, games.most, buffers, judges)
        result(state, shares[i])
        rules.scores(state, totals[i])


def play_on(
    template: Any, states: Any, action: int, bots: Any, rng: Any, games: Games, buffers: Buffers, shares: Any,
    judges: Any,
) -> None:  # fmt: skip
    """Write each seat's share of the win in games that continue from template[0] with `action`.

    In each, what its player cannot know is dealt anew. The same seed gives the same deals for every action.
    """
    for i in range(games.games):
        state = states[0]
        seed_rng(rng, games.seed, games.first + i)
        assign(state, template[0])
        rules.resample(state, rules.current_player(state), rng)
        rules.apply(state, action)
        to_the_end(state, bots, rng, games.most, buffers, judges)
        result(state, shares[i])


def to_the_end(state: Any, bots: Any, rng: Any, most: int, buffers: Buffers, judges: Any) -> int:
    """Play until the game is over or has had as many decisions as allowed; return how many there were."""
    first, second, reward = judges
    steps = 0
    while steps < most:
        player = rules.current_player(state)
        if player == TERMINAL:
            break
        if player == CHANCE:
            action = rules.sample_chance(state, rng)
        else:
            judge = second if bots[player] == LEARNED + 1 else first
            action = decide(bots[player], state, player, rng, buffers, judge, reward)
            steps += 1
        rules.apply(state, action)
    return steps


def teach(template: Any, states: Any, rng: Any, games: Games, buffers: Buffers, judges: Any, lessons: Lessons) -> int:
    """Play games of a network, with another bot at some seats (`Lessons`), and write each position after a
    decision; return how many there are, -1 if there was no room for all. `judges` as in `play_games`."""
    first, second, reward = judges
    used = 0
    for i in range(games.games):
        state = states[0]
        seed_rng(rng, games.seed, games.first + i)
        assign(state, template[0])
        begun = used
        steps = 0
        while steps < games.most:
            player = rules.current_player(state)
            if player == TERMINAL:
                break
            rival = player != CHANCE and of_rival(games.first + i, player, len(reward), lessons)
            if player == CHANCE:
                action = rules.sample_chance(state, rng)
            else:
                bot = lessons.bot if rival or of_other(games.first + i, player, len(reward), lessons) else LEARNED
                judge = second if bot == LEARNED + 1 else first
                often = 0 if rival else lessons.random
                action = lesson(bot, state, player, rng, buffers, judge, reward, often)
                steps += 1
            rules.apply(state, action)
            if player != CHANCE and not rival and rules.current_player(state) != TERMINAL:
                if used == len(lessons.players):
                    return -1
                note(state, player, first, reward, used, lessons)
                lessons.games[used] = i
                used += 1
        result(state, reward)
        look_back(reward, begun, used, lessons)
    return used


def of_rival(game: int, player: int, seats: int, lessons: Lessons) -> bool:
    """Return whether a seat is the rival's: it teaches nothing, and plays as it always does."""
    return bool(lessons.rival and not lessons.whole and game % seats != player)


def of_other(game: int, player: int, seats: int, lessons: Lessons) -> bool:
    """Return whether the other bot has a seat from which there is something to learn."""
    return bool(lessons.whole or (not lessons.rival and lessons.bot >= 0 and game % (seats + 1) == player))


def lesson(bot: int, state: Any, player: int, rng: Any, buffers: Buffers, judge: Net, reward: Any, often: int) -> int:
    """Return a decision to learn from: `often` in a million times a legal one is drawn."""
    out = buffers.out
    n = rules.legal_actions(state, out)
    if n == 1:
        only: int = out[0]
        return only
    if random_below(rng, WHOLE) < often:
        drawn: int = out[random_below(rng, n)]
        return drawn
    return decide(bot, state, player, rng, buffers, judge, reward)


def decide(bot: int, state: Any, player: int, rng: Any, buffers: Buffers, judge: Net, reward: Any) -> int:
    """Return what a bot of `drivers` or the network (LEARNED and above) does, by what its seat may know."""
    out, outcomes, weights, scratch, memo = buffers
    shown = scratch[2]
    assign(shown, state)
    rules.resample(shown, player, rng)
    if bot < LEARNED:
        return drivers.choose(bot, shown, rng, out, outcomes, weights, scratch, memo)
    return choose(shown, judge, reward, out, outcomes, weights, scratch)


def result(state: Any, shares: Any) -> None:
    """Write how a game ended; all share the win of one that was too long."""
    if rules.current_player(state) == TERMINAL:
        rules.returns(state, shares)
    else:
        for seat in range(len(shares)):
            shares[seat] = 1.0 / len(shares)


def note(state: Any, player: int, judge: Net, reward: Any, place: int, lessons: Lessons) -> None:
    """Write a position in row `place`: its features, what all see of the odds, and what the network says."""
    net.think(state, player, judge, reward)
    n = net.inputs(state, player, judge)
    lessons.counts[place] = n
    for k in range(n):
        lessons.table[place][k] = judge.found[k]
    lessons.players[place] = player
    for seat in range(len(reward)):
        lessons.values[place][seat] = reward[seat]
        lessons.odds[place][seat] = net.odds_of(state, seat)


def look_back(reward: Any, begun: int, used: int, lessons: Lessons) -> None:
    """Replace what was said of the positions of a game or a part of it, from the last to the first, by what each seat's
    later positions said and, in the end, by what came of it."""
    seats = len(reward)
    for seat in range(seats):
        for k in range(seats):
            lessons.later[seat][k] = reward[k]
    for back in range(used - begun):
        place = used - 1 - back
        player = lessons.players[place]
        for k in range(seats):
            said = lessons.values[place][k]
            lessons.values[place][k] = lessons.later[player][k]
            lessons.later[player][k] = lessons.trace * lessons.later[player][k] + (1.0 - lessons.trace) * said
