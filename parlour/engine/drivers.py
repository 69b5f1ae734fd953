"""Loops over any game, written once in the dialect of the rules, run plain or compiled.

The engine binds `rules`, `policy` and `assign(to, state)` to one game. `parlour.engine.work` has
the structures.
"""

from __future__ import annotations

from typing import Any

from parlour.core.contract import CHANCE, TERMINAL
from parlour.core.observing import NAME, NUMBER
from parlour.core.rng import seed_rng
from parlour.engine.work import Buffers, Course, Games, Lanes, Results

rules: Any = None
policy: Any = None
assign: Any = None

# What Python calls
ENTRIES = (
    "random_games", "play_games", "choose_first", "reset_lanes", "legal_lanes", "mask_lanes", "first_illegal",
    "look", "advance", "outcomes", "observe", "step_lanes", "random_step_lanes", "answer_lanes", "observe_lanes",
    "observe_lanes_as", "tensor_lanes", "random_lanes", "results", "sample_many",
)  # fmt: skip

RANDOM, GREEDY = 0, 1  # bots
UNKNOWN = 1e300
LOWEST = -1e300
CHECK = 2147483647


# One game ----------------------------------------------------------------------------------------
def draw(state: Any, rng: Any) -> int:
    """Draw chance until a seat is to decide; return the seat, or TERMINAL."""
    player: int = rules.current_player(state)
    while player == CHANCE:
        rules.apply(state, rules.sample_chance(state, rng))
        player = rules.current_player(state)
    return player


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


def observe(states: Any, seat: int, out: Any) -> None:
    """Write what `seat` sees in states[0]."""
    rules.observation(states[0], seat, out)


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


# Batches: many games side by side ----------------------------------------------------------------
def start_lane(lane: int, lanes: Lanes, stride: int) -> None:
    """Start the lane's game that is `stride` streams on, and draw chance up to the first decision."""
    lanes.streams[lane] += stride
    lanes.lengths[lane] = 0
    lanes.deciders[lane] = -1
    rng = lanes.rngs[lane]
    seed_rng(rng, lanes.seeds[lane], lanes.streams[lane])
    assign(lanes.states[lane], lanes.template[0])
    lanes.current[lane] = draw(lanes.states[lane], rng)


def reset_lanes(lanes: Lanes, chosen: Any, stride: int) -> None:
    """Do `start_lane` in each lane that is chosen."""
    for lane in range(len(chosen)):
        if chosen[lane]:
            lanes.ended[lane] = 0
            lanes.truncated[lane] = 0
            clear(lanes.rewards[lane])
            start_lane(lane, lanes, stride)


def legal_lanes(states: Any, players: Any, counts: Any, lists: Any) -> None:
    """Write the legal actions of each lane: how many, and which, at the front of its row; none if it is over."""
    for lane in range(len(states)):
        counts[lane] = rules.legal_actions(states[lane], lists[lane]) if players[lane] >= 0 else 0


def mask_lanes(states: Any, players: Any, out: Any, mask: Any) -> None:
    """Set mask[lane][action] to 1 if legal, else 0; to 0 if the lane is over."""
    for lane in range(len(states)):
        row = mask[lane]
        for action in range(rules.N_ACTIONS):
            row[action] = 0
        if players[lane] >= 0:
            for i in range(rules.legal_actions(states[lane], out)):
                row[out[i]] = 1


def first_illegal(states: Any, players: Any, actions: Any, out: Any) -> int:
    """Return the first lane whose action is illegal, or -1.

    In lanes that are over, any action will do.
    """
    for lane in range(len(states)):
        if players[lane] >= 0:
            found = False
            for i in range(rules.legal_actions(states[lane], out)):
                if out[i] == actions[lane]:
                    found = True
                    break
            if not found:
                return lane
    return -1


def step_lanes(lanes: Lanes, course: Course, actions: Any) -> None:
    """Make one decision in each lane that is not over, and draw the chance after it.

    A game that ends, or has had `course.most` decisions, is finished by `end_lane`; in all other lanes the rewards and
    marks are 0.
    """
    states, rngs, current, deciders, lengths = lanes.states, lanes.rngs, lanes.current, lanes.deciders, lanes.lengths
    unpaid(lanes.rewards, lanes.ended, lanes.truncated)
    for lane in range(len(actions)):
        if current[lane] == TERMINAL:
            continue
        deciders[lane] = current[lane]
        lengths[lane] += 1
        current[lane] = move(states[lane], rngs[lane], actions[lane])
        if current[lane] == TERMINAL or lengths[lane] >= course.most:
            end_lane(lane, lanes, course)


def random_step_lanes(lanes: Lanes, course: Course, out: Any) -> None:
    """Do `step_lanes` with the actions of `random_lanes`, in one pass."""
    states, rngs, current, deciders, lengths = lanes.states, lanes.rngs, lanes.current, lanes.deciders, lanes.lengths
    unpaid(lanes.rewards, lanes.ended, lanes.truncated)
    for lane in range(len(states)):
        if current[lane] == TERMINAL:
            continue
        deciders[lane] = current[lane]
        lengths[lane] += 1
        action = rules.random_action(states[lane], rngs[lane], out)
        current[lane] = move(states[lane], rngs[lane], action)
        if current[lane] == TERMINAL or lengths[lane] >= course.most:
            end_lane(lane, lanes, course)


def unpaid(rewards: Any, ended: Any, truncated: Any) -> None:
    """Set what a step brings to zeros."""
    for lane in range(len(ended)):
        ended[lane] = 0
        truncated[lane] = 0
        clear(rewards[lane])


def end_lane(lane: int, lanes: Lanes, course: Course) -> None:
    """Finish a lane whose game has ended or is cut: pay, keep its last state, and with `course.reset` start the next.

    A game that is cut pays nothing.
    """
    state, rewards = lanes.states[lane], lanes.rewards[lane]
    assign(lanes.finals[lane], state)
    lanes.last_deciders[lane] = lanes.deciders[lane]
    if lanes.current[lane] != TERMINAL:
        lanes.truncated[lane] = 1
        lanes.current[lane] = TERMINAL
    else:
        lanes.ended[lane] = 1
        if course.margins:
            margins(state, lanes.points, rewards)
        else:
            rules.returns(state, rewards)
    if course.reset:
        start_lane(lane, lanes, course.stride)


def margins(state: Any, points: Any, out: Any) -> None:
    """Write how far each seat's score is above the mean of the others'."""
    rules.scores(state, points)
    total = 0
    for seat in range(len(out)):
        total += points[seat]
    others = max(len(out) - 1, 1)
    for seat in range(len(out)):
        out[seat] = points[seat] - (total - points[seat]) / others


def answer_lanes(lanes: Lanes, course: Course, bots: Any, buffers: Buffers, fresh: bool) -> None:
    """Have the bots decide (`bots[lane][seat]`; -1 for a seat without one) until each lane waits for another seat.

    A game that is over before such a seat has decided is not paid, and the next one is played: `fresh` says that the
    games have just begun.
    """
    out, outcomes, weights, scratch, memo = buffers
    for lane in range(len(bots)):
        state, rng = lanes.states[lane], lanes.rngs[lane]
        new = fresh or lanes.ended[lane] + lanes.truncated[lane] > 0
        while lanes.current[lane] >= 0 and bots[lane][lanes.current[lane]] >= 0:
            player = lanes.current[lane]
            shown = scratch[2]
            assign(shown, state)
            rules.resample(shown, player, rng)
            action = choose(bots[lane][player], shown, rng, out, outcomes, weights, scratch, memo)
            lanes.lengths[lane] += 1
            lanes.current[lane] = move(state, rng, action)
            if lanes.current[lane] == TERMINAL or lanes.lengths[lane] >= course.most:
                if new:
                    start_lane(lane, lanes, course.stride)
                else:
                    end_lane(lane, lanes, course)
                    new = True


def move(state: Any, rng: Any, action: int) -> int:
    """Apply `action` and the chance after it; return the seat that decides next, or TERMINAL."""
    while True:  # apply is called in one place only, as in `play_random`
        rules.apply(state, action)
        player: int = rules.current_player(state)
        if player != CHANCE:
            return player
        action = rules.sample_chance(state, rng)


def clear(row: Any) -> None:
    """Set a row to zeros."""
    for i in range(len(row)):
        row[i] = 0


def observe_lanes(states: Any, players: Any, rows: Any) -> None:
    """Write what `players[lane]` sees in each lane; zeros if the game is over."""
    for lane in range(len(states)):
        row = rows[lane]
        n = 0
        if players[lane] >= 0:
            n = rules.observation(states[lane], players[lane], row)
        for i in range(n, len(row)):
            row[i] = 0


def observe_lanes_as(states: Any, players: Any, out: Any, rows: Any) -> None:
    """Do `observe_lanes` with rows of any kind of number: rules may read what they have written, so it is converted."""
    for lane in range(len(states)):
        row = rows[lane]
        n = 0
        if players[lane] >= 0:
            n = rules.observation(states[lane], players[lane], out)
        for i in range(n):
            row[i] = out[i]
        for i in range(n, len(row)):
            row[i] = 0


def tensor_lanes(states: Any, players: Any, out: Any, plans: Any, rows: Any) -> None:
    """Write the floats of what `players[lane]` sees in each lane (`parlour.core.observing`); zeros if it is over.

    `plans` has the columns of `observing.Plan`.
    """
    for lane in range(len(states)):
        row = rows[lane]
        for i in range(len(row)):
            row[i] = 0
        if players[lane] < 0:
            continue
        rules.observation(states[lane], players[lane], out)
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


def random_lanes(states: Any, players: Any, rngs: Any, out: Any, actions: Any) -> None:
    """Choose a uniformly random legal action in each lane; 0 if it is over."""
    for lane in range(len(states)):
        actions[lane] = rules.random_action(states[lane], rngs[lane], out) if players[lane] >= 0 else 0


# What tests and lockstep ask for ------------------------------------------------------------------
def results(states: Any, place: int, totals: Any, shares: Any) -> None:
    """Write scores and returns of states[place]."""
    rules.scores(states[place], totals)
    rules.returns(states[place], shares)


def sample_many(states: Any, rng: Any, samples: Any) -> None:
    """Draw the chance event that is due in states[0] once for each place of `samples`."""
    for i in range(len(samples)):
        samples[i] = rules.sample_chance(states[0], rng)
