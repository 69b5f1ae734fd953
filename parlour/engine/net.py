"""What a small neural network says of a position, in the dialect of the rules.

The engine binds `rules` and `policy` to one game. A network has one hidden layer. Its inputs are features that are
there or not, so the first layer is a sum of the rows of those that are there (as in Y. Nasu, "Efficiently Updatable
Neural-Network-based Evaluation Functions for Computer Shogi", 2018, here without the updates). All weights are whole
numbers, so that plain and compiled code, and every processor, come to the same sums. `weights` has the file's format.
"""

from __future__ import annotations

from math import exp
from typing import Any

from parlour.core.contract import CHANCE, TERMINAL
from parlour.core.observing import MASK, NAME
from parlour.engine.work import Net

rules: Any = None
policy: Any = None
assign: Any = None

ENTRIES = ("gather",)  # what Python calls
OUTLINE = ("think", "inputs")  # each has much of a game in it

ONE = 4096  # a weight of 1.0
FAR = 16.0  # the odds are never farther from even than this power of e
OCTAVES = 32  # places of a number without limits for each sign: two for each doubling


def think(state: Any, player: int, net: Net, reward: Any) -> None:
    """Write how the network sees a position in which `player` decides: shares of the win that sum to 1.

    The network says the logarithm of each seat's odds against the last seat's, in the order of play from `player` on;
    with `net.base` it corrects what the policy's `outlook` says.
    """
    rows, last, sums, found = net.rows, net.last, net.sums, net.found
    count = inputs(state, player, net)
    hidden = len(sums)
    row = rows[len(rows) - 1]
    for h in range(hidden):
        sums[h] = row[h]
    for i in range(count):
        row = rows[found[i]]
        for h in range(hidden):
            sums[h] += row[h]
    players = len(reward)
    whole = 0.0
    for k in range(players):
        odds = 0.0
        if k < players - 1:
            out = last[k]
            total = out[hidden] * ONE
            for h in range(hidden):
                total += out[h] * max(sums[h], 0)
            odds = total / (ONE * ONE)
        seat = (player + k) % players
        reward[seat] = exp(max(-FAR, min(FAR, odds)))
        if net.base:
            reward[seat] *= odds_of(state, seat)
        whole += reward[seat]
    for seat in range(players):
        reward[seat] = reward[seat] / whole if whole > 0.0 else 1.0 / players


def odds_of(state: Any, seat: int) -> float:
    """Return the odds of a seat that a network corrects: what all can see, or the policy's outlook."""
    seen: float = policy.public_odds(state, seat)
    if seen >= 0.0:
        return seen
    outlook: float = policy.outlook(state, seat)
    return outlook


def expected(
    state: Any, seat: int, action: int, judge: Net, reward: Any, outcomes: Any, weights: Any, scratch: Any
) -> float:
    """Return the share of a seat that the network sees, for the player to move, after `action`: the mean over the next
    chance event, as in `drivers.expected`."""
    player = rules.current_player(state)
    after, landed = scratch[0], scratch[1]
    assign(after, state)
    rules.apply(after, action)
    n = 0
    if rules.current_player(after) == CHANCE and not policy.settled(after, player):
        n = rules.chance_outcomes(after, outcomes, weights)
    total = 0.0
    mass = 0
    for i in range(max(n, 1)):
        assign(landed, after)
        weight = 1
        if n > 0:
            rules.apply(landed, outcomes[i])
            weight = weights[i]
        judged(landed, player, judge, reward)
        total += weight * reward[seat]
        mass += weight
    return total / mass


def judged(state: Any, player: int, judge: Net, reward: Any) -> None:
    """Write each seat's share of the win as the network sees it for `player`, or as it is."""
    if rules.current_player(state) == TERMINAL:
        rules.returns(state, reward)
    else:
        think(state, player, judge, reward)


def inputs(state: Any, player: int, net: Net) -> int:
    """Write the features that are there into `net.found`, as `player` sees them; return how many.

    They are the policy's own, or else made of what the game declares to be seen.
    """
    found = net.found
    if policy.FEATURES > 0:
        own: int = policy.features(state, player, found)
        return own
    rules.observation(state, player, net.seen)
    n = 0
    for i in range(len(net.plans)):
        plan = net.plans[i]
        value = net.seen[plan[0]]
        if plan[4] > 0:
            value = value // plan[3] % plan[4] if value >= 0 else -1
        if plan[1] == MASK:
            for bit in range(plan[6]):
                if value >> bit & 1:
                    found[n] = plan[5] + bit
                    n += 1
            continue
        place = (value - plan[2]) // plan[3] if plan[1] == NAME and plan[4] == 0 else value - plan[2]
        if plan[1] != NAME:
            place = octave(value)
        if place > 0 and place < plan[6]:  # the first value has no feature
            found[n] = plan[5] + place
            n += 1
    return n


def octave(value: int) -> int:
    """Return the place of a number without limits: OCTAVES for 0, two places for each doubling."""
    size = value if value >= 0 else -value
    place = 0
    while size > 1:
        place += 2
        if size < 4:
            place += size & 1
            break
        size >>= 1
    place = min(place + (1 if size > 0 else 0), OCTAVES - 1)
    return OCTAVES + place if value >= 0 else OCTAVES - place


def gather(states: Any, players: Any, net: Net, table: Any, counts: Any, outlooks: Any) -> None:
    """Write the features of each position of `states`, as `players[i]` sees it, into a row of `table` (n, as many as
    there can be), how many they are into `counts` (n), and the outlook of each seat into `outlooks` (n, seats)."""
    for i in range(len(states)):
        n = inputs(states[i], players[i], net)
        counts[i] = n
        for k in range(n):
            table[i][k] = net.found[k]
        for seat in range(len(outlooks[i])):
            outlooks[i][seat] = odds_of(states[i], seat)
