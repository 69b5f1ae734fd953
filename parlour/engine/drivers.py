"""Loops over any game, written once in the dialect of the rules, run plain or compiled.

The engine binds `rules`, `policy` and `assign(to, state)` to one game. `parlour.engine.work` has
the structures.
"""

from __future__ import annotations

from typing import Any

from parlour.core.contract import CHANCE, TERMINAL
from parlour.core.observing import NAME, NUMBER
from parlour.core.rng import seed_rng
from parlour.engine.work import Buffers, Games, Results

rules: Any = None
policy: Any = None
assign: Any = None

# What Python calls
ENTRIES = (
    "random_games", "play_games", "choose_first", "weigh", "look", "advance", "outcomes", "pick", "observe", "tensor",
    "results", "sample_many",
)  # fmt: skip

RANDOM, GREEDY = 0, 1  # bots
UNKNOWN = 1e300
LOWEST = -1e300
CHECK = 2147483647


# One game ----------------------------------------------------------------------------------------
def look(states: Any, out: Any) -> tuple[int, int]:
    """Return the seat that decides in states[0] (or CHANCE, TERMINAL); write its legal actions, and return how many."""
    player: int = rules.current_player(states[0])
    count = 0
    if player >= 0:
        count = rules.legal_actions(states[0], out)
    return player, count


def advance(states: Any, action: int, out: Any) -> tuple[int, int]:
    """Apply a decision or an outcome to states[0], and return what `look` returns then."""
    rules.apply(states[0], action)
    return look(states, out)


def outcomes(states: Any, out: Any, weights: Any) -> int:
    """Write the outcomes that are possible in states[0] and their weights; return how many."""
    count: int = rules.chance_outcomes(states[0], out, weights)
    return count


def pick(weights: Any, count: int, share: float) -> int:
    """Return the place among `count` weights of this `share` (below 1) of their sum, as `random.choices` finds it."""
    total = 0
    for i in range(count):
        total += weights[i]
    mark, passed = share * total, 0
    for i in range(count - 1):
        passed += weights[i]
        if passed > mark:
            return i
    return count - 1


def observe(states: Any, seat: int, out: Any) -> None:
    """Write what `seat` sees in states[0]."""
    rules.observation(states[0], seat, out)


def tensor(states: Any, seat: int, out: Any, plans: Any, row: Any) -> None:
    """Write the floats of what `seat` sees in states[0] (`parlour.core.observing`)."""
    spread(out, rules.observation(states[0], seat, out), plans, row)


def spread(out: Any, n: int, plans: Any, row: Any) -> None:
    """Write the floats of an observation of `n` numbers; zeros if it has none.

    `plans` has the columns of `observing.Plan`.
    """
    clear(row)
    if n == 0:
        return
    for i in range(len(plans)):
        plan = plans[i]
        value = out[plan[0]]
        if plan[1] == NUMBER:
            row[plan[5]] = value
        elif plan[1] == NAME:
            if plan[4] > 0:
                value = value // plan[3] % plan[4] if value >= 0 else -1
            value -= plan[2]
            if value >= 0 and value < plan[6]:
                row[plan[5] + value] = 1
        else:
            for bit in range(plan[6]):
                row[plan[5] + bit] = value >> bit & 1


def clear(row: Any) -> None:
    """Set a row to zeros."""
    for i in range(len(row)):
        row[i] = 0


def play_random(state: Any, rng: Any, out: Any, most: int) -> int:
    """Make uniformly random decisions to the end, at most `most`; return how many there were."""
    steps = 0
    while steps < most:
        player = rules.current_player(state)
        if player == TERMINAL:
            break
        if player == CHANCE:
            action = rules.sample_chance(state, rng)
        else:
            action = rules.random_action(state, rng, out)
            steps += 1
        rules.apply(state, action)  # called in one place only: it is compiled into the loop
    return steps


def random_games(template: Any, states: Any, rng: Any, out: Any, totals: Any, games: Games) -> tuple[int, int]:
    """Play random games, one after the other in `states[0]`; return decisions and a checksum."""
    state = states[0]
    steps = 0
    check = 0
    for game in range(games.first, games.first + games.games):
        seed_rng(rng, games.seed, game)
        assign(state, template[0])
        length = play_random(state, rng, out, games.most)
        steps += length
        check = (check * 31 + length + _digest(state, rng, totals)) % CHECK
    return steps, check


def play(state: Any, bots: Any, rng: Any, most: int, buffers: Buffers) -> int:
    """Play a game with `bots[seat]` at each seat; return how many decisions (at most `most`)."""
    out, outcomes, weights, scratch, memo = buffers  # unpacked, which is faster when compiled
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
            rules.resample(shown, player, rng)  # a bot sees what its seat may know, as in `bots.View`
            action = choose(bots[player], shown, rng, out, outcomes, weights, scratch, memo)
            steps += 1
        rules.apply(state, action)
    return steps


def play_games(
    template: Any, states: Any, bots: Any, rng: Any, games: Games, buffers: Buffers, results: Results
) -> int:
    """Play each game in its own state of `states` and with its own chance; return a checksum.

    A game that was cut short stays in `states` as it stood.
    """
    check = 0
    totals, shares, lengths = results
    for i in range(games.games):
        state = states[i]
        seed_rng(rng, games.seed, games.first + i)
        assign(state, template[0])
        lengths[i] = play(state, bots, rng, games.most, buffers)
        rules.returns(state, shares[i])
        check = (check * 31 + lengths[i] + _digest(state, rng, totals[i])) % CHECK
    return check


def _digest(state: Any, rng: Any, totals: Any) -> int:
    rules.scores(state, totals)
    digest: int = rng[0]
    for seat in range(len(totals)):
        digest = digest * 31 + totals[seat]
    return digest % CHECK


# Bots --------------------------------------------------------------------------------------------
def choose_first(bot: int, states: Any, rng: Any, buffers: Buffers) -> int:
    """Do `choose` in states[0]."""
    out, outcomes, weights, scratch, memo = buffers
    return choose(bot, states[0], rng, out, outcomes, weights, scratch, memo)


def weigh(states: Any, found: Any, buffers: Buffers) -> int:
    """Write the legal actions of states[0] into the buffer for them, and into `found` what each is worth to GREEDY;
    return how many there are. The state must be resampled, as for `choose`."""
    out, outcomes, weights, scratch, memo = buffers
    n: int = rules.legal_actions(states[0], out)
    player = rules.current_player(states[0])
    for i in range(n):
        found[i] = recall(states[0], player, out[i], outcomes, weights, scratch, memo)
    return n


def choose(bot: int, state: Any, rng: Any, out: Any, outcomes: Any, weights: Any, scratch: Any, memo: Any) -> int:
    """Return the legal action that `bot` (RANDOM or GREEDY) chooses for the player to move.

    `state` must be resampled for that player: a bot never sees what is hidden from its seat.
    """
    if bot == RANDOM:
        chosen: int = rules.random_action(state, rng, out)
        return chosen
    n = rules.legal_actions(state, out)
    player = rules.current_player(state)
    best: int = out[0]
    best_value = LOWEST
    for i in range(n):
        worth = recall(state, player, out[i], outcomes, weights, scratch, memo)
        if worth > best_value:  # of equals the first
            best = out[i]
            best_value = worth
    return best


def recall(state: Any, player: int, action: int, outcomes: Any, weights: Any, scratch: Any, memo: Any) -> float:
    """Return `expected`, computed once for all decisions that the policy considers alike."""
    key = policy.memo_key(state, action)
    if key >= 0 and memo[key] != UNKNOWN:
        known: float = memo[key]
        return known
    worth = expected(state, player, action, outcomes, weights, scratch)
    if key >= 0:
        memo[key] = worth
    return worth


def expected(state: Any, player: int, action: int, outcomes: Any, weights: Any, scratch: Any) -> float:
    """Return the value of `action`: the mean of `policy.value` over the next chance event."""
    after, landed = scratch[0], scratch[1]
    assign(after, state)
    rules.apply(after, action)
    if rules.current_player(after) != CHANCE or policy.settled(after, player):
        value: float = policy.value(after, player)
        return value
    n = rules.chance_outcomes(after, outcomes, weights)
    total = 0.0
    mass = 0
    for i in range(n):
        assign(landed, after)
        rules.apply(landed, outcomes[i])
        total += weights[i] * policy.value(landed, player)
        mass += weights[i]
    return total / mass


# What tests and lockstep ask for ------------------------------------------------------------------
def results(states: Any, place: int, totals: Any, shares: Any) -> None:
    """Write scores and returns of states[place]."""
    rules.scores(states[place], totals)
    rules.returns(states[place], shares)


def sample_many(states: Any, rng: Any, samples: Any) -> None:
    """Draw the chance event that is due in states[0] once for each place of `samples`."""
    for i in range(len(samples)):
        samples[i] = rules.sample_chance(states[0], rng)
