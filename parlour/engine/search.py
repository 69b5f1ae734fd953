"""Information-set Monte Carlo tree search over any game, written once in the dialect of the rules.

Each simulation redraws what the searching seat cannot know (`resample`). It then goes down one tree
that all deals share, drawing chance as it comes (open loop: chance has no nodes), and leaves the
tree for a short rollout and an evaluation. Every seat maximises its own share of the win. Sources:
P. Cowling, E. Powley, D. Whitehouse, "Information Set Monte Carlo Tree Search", 2012 (one tree over
deals, availability counts); D. Perez et al., "Open Loop Search for General Video Game Playing",
2015; L. Kocsis, C. Szepesvari, "Bandit based Monte-Carlo Planning", 2006 (UCB1, for games without a
policy); C. Rosin, "Multi-armed bandits with episode context", 2011 (PUCT, for games whose policy
says what looks good).

What looks good is the policy's value of a decision, or with a `temperature` the share of the win that the network sees
after it, as in D. Silver and others, "Mastering the game of Go without human knowledge", 2017.

An edge leads to a node: who decided, and what the searching seat saw of the decision
(`observed_action`); among decisions that look the same to it, one is taken at random. `nodes` has
rows of ints, `worths` rows of floats, both filled from the front; `head`, `how` and `tune` are
named below.
"""

from __future__ import annotations

from math import exp, log, sqrt
from typing import Any

from parlour.core.contract import CHANCE, TERMINAL
from parlour.core.rng import random_below
from parlour.engine import drivers, net

rules: Any = None
policy: Any = None
assign: Any = None

ENTRIES = ("begin", "run")  # what Python calls

FIRST, NEXT, KEY, VISITS, AVAILABLE = 0, 1, 2, 3, 4  # columns of `nodes`: children are a list in ascending KEY
NODE = 5
WORTH, WEIGHT, SCALE = 0, 1, 2  # columns of `worths`: sum of the actor's rewards; how good the decision looks to the
WORTHS = 3  # policy or the network, as a power of e; the value that has the power 0 among the node's children
USED, ROOT, DONE, DEEPEST = 0, 1, 2, 3  # `head`
HEAD = 4
SEATS = 8  # a key is 8 * what was seen + who did it
ROLLOUT, LENGTH, EXPAND, GUIDED = 0, 1, 2, 3  # `how`: policy of rollouts, their decisions, visits before a node grows
ONLY = 4  # `how`: the only decision to examine at the root, NONE for all
HOW = 5
# `tune`: the bandit's constant; how far below the mean an untried decision's value is assumed; how far apart two shares
# of the win that the network sees are, as logarithms of odds, for one decision to look e times as good, or 0
EXPLORE, URGENCY, TEMPERATURE = 0, 1, 2
TUNE = 3
NONE = -1
FAINT = 0.001  # a decision's prior is never less than this share of the best prior
CLOSEST = 0.0005  # to 0 or 1: a share of the win whose odds are as far from even as they may be
FAR = 600.0  # a power of e that a float can hold, even a sum of many


def begin(nodes: Any, worths: Any, head: Any) -> None:
    """Empty the tree."""
    head[USED] = 0
    head[DONE] = 0
    head[DEEPEST] = 0
    head[ROOT] = _grow(nodes, worths, head, 0, NONE)


def run(
    seat: int, simulations: int, states: Any, rng: Any, tree: Any, desk: Any, buffers: Any, how: Any, tune: Any
) -> None:
    """Run `simulations` more simulations for `seat` from states[0], played in states[1].

    `tree` is nodes, worths, head. `desk` is path and actors (as long as the tree may be deep),
    places and shares (of MAX_LEGAL), reward and sums (one per player: of one simulation, and of
    all), and the network that judges positions (`Engine.net`). `buffers` are those of `drivers`.
    """
    for _ in range(simulations):
        _simulate(seat, states, rng, tree, desk, buffers, how, tune)
    tree[2][DONE] += simulations


def _simulate(seat: int, states: Any, rng: Any, tree: Any, desk: Any, buffers: Any, how: Any, tune: Any) -> None:
    nodes, worths, head = tree
    path, actors, places, shares, reward, sums, judge = desk
    out, outcomes, weights, scratch, memo = buffers
    state = states[1]
    assign(state, states[0])
    rules.resample(state, seat, rng)
    node = head[ROOT]
    depth = 0
    left = how[LENGTH]
    while True:
        player = rules.current_player(state)
        if player == TERMINAL:
            rules.returns(state, reward)
            break
        if player == CHANCE:
            action = rules.sample_chance(state, rng)
        elif node == NONE and left == 0:
            if len(judge.rows) > 0:
                net.think(state, player, judge, reward)
            else:
                evaluate(state, reward)
            break
        elif node == NONE and how[ROLLOUT] == drivers.GREEDY:
            left -= 1
            action = drivers.choose(drivers.GREEDY, state, rng, out, outcomes, weights, scratch, memo)
        else:
            n = rules.legal_actions(state, out)
            if depth == 0 and node == head[ROOT] and how[ONLY] != NONE:
                out[0] = how[ONLY]
                n = 1
            place = 0
            if node == NONE:
                left -= 1
                place = random_below(rng, n)
            elif n > 1 or player == seat:  # keep all the searcher's own moves, so that the tree can follow them
                _children(state, player, seat, node, n, tree, desk, buffers, how[GUIDED], tune[TEMPERATURE])
                place = _select(n, rng, nodes, worths, places, shares, how, tune)
                node = NONE if place == NONE else places[place]
                place = max(place, 0)
                if node != NONE:
                    path[depth] = node
                    actors[depth] = player
                    depth += 1
                    if nodes[node][VISITS] < how[EXPAND] or depth == len(path):
                        node = NONE
            action = out[place]
        rules.apply(state, action)  # called in one place only: it is compiled into the loop
    for i in range(depth):
        nodes[path[i]][VISITS] += 1
        worths[path[i]][WORTH] += reward[actors[i]]
    for i in range(len(reward)):
        sums[i] += reward[i]
    head[DEEPEST] = max(head[DEEPEST], depth)


def evaluate(state: Any, reward: Any) -> None:
    """Write what the policy thinks of the position: shares of the win that sum to 1."""
    total = 0.0
    for seat in range(len(reward)):
        reward[seat] = policy.outlook(state, seat)
        total += reward[seat]
    for seat in range(len(reward)):
        reward[seat] = reward[seat] / total if total > 0.0 else 1.0 / len(reward)


def _grow(nodes: Any, worths: Any, head: Any, key: int, following: int) -> int:
    """Return a new node; NONE if the tree is full."""
    made: int = head[USED]
    if made == len(nodes):
        return NONE
    head[USED] = made + 1
    row = nodes[made]
    row[FIRST] = NONE
    row[NEXT] = following
    row[KEY] = key
    row[VISITS] = 0
    row[AVAILABLE] = 0
    worth = worths[made]
    worth[WORTH] = 0.0
    worth[WEIGHT] = 0.0
    worth[SCALE] = drivers.LOWEST
    return made


def _children(
    state: Any, player: int, seat: int, node: int, n: int, tree: Any, desk: Any, buffers: Any, guided: int,
    temperature: float,
) -> None:  # fmt: skip
    """Set places[i] to the child for the legal action out[i], made if necessary; NONE if full."""
    nodes, worths, head = tree
    places, reward, judge = desk[2], desk[4], desk[6]
    out, outcomes, weights, scratch, memo = buffers
    judged = temperature > 0.0 and len(judge.rows) > 0
    before = NONE
    child = nodes[node][FIRST]
    last = -1 << 60
    for i in range(n):
        seen = out[i] if player == seat else rules.observed_action(state, out[i], seat)
        key = seen * SEATS + player
        if key < last:  # observations need not ascend with the actions
            before = NONE
            child = nodes[node][FIRST]
        last = key
        while child != NONE and nodes[child][KEY] < key:
            before = child
            child = nodes[child][NEXT]
        if child == NONE or nodes[child][KEY] != key:
            made = _grow(nodes, worths, head, key, child)
            if made != NONE:
                if guided:
                    if judged:
                        share = net.expected(state, player, out[i], judge, reward, outcomes, weights, scratch)
                        share = max(CLOSEST, min(1.0 - CLOSEST, share))
                        value = log(share / (1.0 - share)) / temperature
                    else:
                        value = drivers.recall(state, player, out[i], outcomes, weights, scratch, memo) / policy.SPREAD
                    if worths[node][SCALE] == drivers.LOWEST:
                        worths[node][SCALE] = value
                    power = value - worths[node][SCALE]
                    worths[made][WEIGHT] = exp(max(-FAR, min(FAR, power)))
                if before == NONE:
                    nodes[node][FIRST] = made
                else:
                    nodes[before][NEXT] = made
                child = made
            places[i] = made
        else:
            places[i] = child


def _select(n: int, rng: Any, nodes: Any, worths: Any, places: Any, shares: Any, how: Any, tune: Any) -> int:
    """Return the place of the action whose child the bandit chooses; NONE if there is no action."""
    total = 0.0
    visits = 0
    untried = 0
    for i in range(n):
        child = places[i]
        if child != NONE:
            nodes[child][AVAILABLE] += 1
            visits += nodes[child][VISITS]
            total += worths[child][WORTH]
            if nodes[child][VISITS] == 0:
                untried += 1
    guided = how[GUIDED] == 1
    if untried and not guided:
        left = random_below(rng, untried)
        for i in range(n):
            if places[i] != NONE and nodes[places[i]][VISITS] == 0:
                if left == 0:
                    return i
                left -= 1
    if guided:
        _share(n, worths, places, shares)
    hope = total / visits - tune[URGENCY] if visits else 0.5
    chosen = NONE
    best = drivers.LOWEST
    alike = 0
    times = 0
    wide = 0.0
    for i in range(n):
        child = places[i]
        if child != NONE:
            if chosen != NONE and child == places[chosen]:
                alike += 1
                if random_below(rng, alike) == 0:
                    chosen = i
                continue
            tried = nodes[child][VISITS]
            value = worths[child][WORTH] / tried if tried else hope
            if guided:
                if nodes[child][AVAILABLE] != times:
                    times = nodes[child][AVAILABLE]
                    wide = tune[EXPLORE] * sqrt(times)
                value += wide * shares[i] / (1 + tried)
            else:
                value += tune[EXPLORE] * sqrt(log(nodes[child][AVAILABLE]) / tried)
            if value > best:
                best = value
                chosen = i
                alike = 1
    return chosen


def _share(n: int, worths: Any, places: Any, shares: Any) -> None:
    """Set shares[i] to how good action i looks to the policy.

    The shares sum to 1; a difference of SPREAD in value is a factor of e.
    """
    best = 0.0
    for i in range(n):
        shares[i] = worths[places[i]][WEIGHT] if places[i] != NONE else 0.0
        best = max(best, shares[i])
    least = FAINT * best
    total = 0.0
    for i in range(n):
        if places[i] != NONE:
            shares[i] = max(least, shares[i])
            total += shares[i]
    for i in range(n):
        shares[i] = shares[i] / total if total > 0.0 else 0.0
