"""Loops over the lanes of a batch: many games side by side, written as `drivers` is.

Each loop takes the lanes of one `Stretch`, so that several threads can play a batch together. No lane depends on
another one: how a batch is cut into stretches changes nothing. What Python calls does not play: it writes a loop and
its arguments into a job (`jobs.bind`), which `threads.Crew` does.
"""

from __future__ import annotations

from typing import Any

from parlour.core.contract import CHANCE, TERMINAL
from parlour.core.rng import seed_rng
from parlour.engine.drivers import choose, clear, spread
from parlour.engine.work import Buffers, Course, Lanes, Stretch, View

rules: Any = None
assign: Any = None
bind: Any = None

# What Python calls
ENTRIES = (
    "reset_job", "legal_job", "mask_job", "illegal_job", "step_job", "random_step_job", "shown_step_job",
    "shown_random_step_job", "answer_job", "show_job", "observe_job", "observe_as_job", "tensor_job", "seats_job",
    "random_job", "replace_job",
)  # fmt: skip


# The next game -----------------------------------------------------------------------------------
def start_lane(lane: int, lanes: Lanes, stride: int) -> None:
    """Start the lane's game that is `stride` streams on, and draw chance up to the first decision."""
    lanes.streams[lane] += stride
    lanes.lengths[lane] = 0
    lanes.deciders[lane] = -1
    rng = lanes.rngs[lane]
    seed_rng(rng, lanes.seeds[lane], lanes.streams[lane])
    assign(lanes.states[lane], lanes.template[0])
    lanes.current[lane] = draw(lanes.states[lane], rng)


def draw(state: Any, rng: Any) -> int:
    """Draw chance until a seat is to decide; return the seat, or TERMINAL."""
    player: int = rules.current_player(state)
    while player == CHANCE:
        rules.apply(state, rules.sample_chance(state, rng))
        player = rules.current_player(state)
    return player


def reset_lanes(lanes: Lanes, stretch: Stretch, chosen: Any, stride: int) -> None:
    """Do `start_lane` in each lane that is chosen."""
    for lane in range(stretch.first, stretch.last):
        if chosen[lane]:
            lanes.ended[lane] = 0
            lanes.truncated[lane] = 0
            clear(lanes.rewards[lane])
            start_lane(lane, lanes, stride)


# Decisions ---------------------------------------------------------------------------------------
def shown_step_lanes(lanes: Lanes, course: Course, stretch: Stretch, actions: Any, view: View) -> None:
    """Do `step_lanes` and `show_lanes`."""
    step_lanes(lanes, course, stretch, actions)
    show_lanes(lanes.states, lanes.current, stretch, view)


def shown_random_step_lanes(lanes: Lanes, course: Course, stretch: Stretch, view: View) -> None:
    """Do `random_step_lanes` and `show_lanes`."""
    random_step_lanes(lanes, course, stretch)
    show_lanes(lanes.states, lanes.current, stretch, view)


def step_lanes(lanes: Lanes, course: Course, stretch: Stretch, actions: Any) -> None:
    """Make one decision in each lane that is not over, and draw the chance after it.

    A game that ends, or has had `course.most` decisions, is finished by `end_lane`; in all other lanes the rewards and
    marks are 0.
    """
    points = stretch.points[stretch.worker]
    states, rngs, current, deciders, lengths = lanes.states, lanes.rngs, lanes.current, lanes.deciders, lanes.lengths
    unpaid(lanes, stretch)
    for lane in range(stretch.first, stretch.last):
        if current[lane] == TERMINAL:
            continue
        deciders[lane] = current[lane]
        lengths[lane] += 1
        current[lane] = move(states[lane], rngs[lane], actions[lane])
        if current[lane] == TERMINAL or lengths[lane] >= course.most:
            end_lane(lane, lanes, course, points)


def random_step_lanes(lanes: Lanes, course: Course, stretch: Stretch) -> None:
    """Do `step_lanes` with the actions of `random_lanes`, in one pass."""
    states, rngs, current, deciders, lengths = lanes.states, lanes.rngs, lanes.current, lanes.deciders, lanes.lengths
    out, points = stretch.outs[stretch.worker], stretch.points[stretch.worker]
    unpaid(lanes, stretch)
    for lane in range(stretch.first, stretch.last):
        if current[lane] == TERMINAL:
            continue
        deciders[lane] = current[lane]
        lengths[lane] += 1
        action = rules.random_action(states[lane], rngs[lane], out)
        current[lane] = move(states[lane], rngs[lane], action)
        if current[lane] == TERMINAL or lengths[lane] >= course.most:
            end_lane(lane, lanes, course, points)


def unpaid(lanes: Lanes, stretch: Stretch) -> None:
    """Set what a step brings to zeros."""
    rewards, ended, truncated = lanes.rewards, lanes.ended, lanes.truncated
    for lane in range(stretch.first, stretch.last):
        ended[lane] = 0
        truncated[lane] = 0
        clear(rewards[lane])


def move(state: Any, rng: Any, action: int) -> int:
    """Apply `action` and the chance after it; return the seat that decides next, or TERMINAL."""
    while True:  # apply is called in one place only, as in `drivers.play_random`
        rules.apply(state, action)
        player: int = rules.current_player(state)
        if player != CHANCE:
            return player
        action = rules.sample_chance(state, rng)


def end_lane(lane: int, lanes: Lanes, course: Course, points: Any) -> None:
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
            margins(state, points, rewards)
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


def answer_lanes(lanes: Lanes, course: Course, stretch: Stretch, bots: Any, buffers: Buffers, fresh: bool) -> None:
    """Have the bots decide (`bots[lane][seat]`; -1 for a seat without one) until each lane waits for another seat.

    A game that is over before such a seat has decided is not paid, and the next one is played: `fresh` says that the
    games have just begun.
    """
    me = stretch.worker
    out, outcomes, weights, scratch, memo = (
        buffers.out[me], buffers.outcomes[me], buffers.weights[me], buffers.scratch[me], buffers.memo[me],
    )  # fmt: skip
    points = stretch.points[me]
    for lane in range(stretch.first, stretch.last):
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
                    end_lane(lane, lanes, course, points)
                    new = True


def random_lanes(states: Any, players: Any, rngs: Any, stretch: Stretch, actions: Any) -> None:
    """Choose a uniformly random legal action in each lane; 0 if it is over."""
    out = stretch.outs[stretch.worker]
    for lane in range(stretch.first, stretch.last):
        actions[lane] = rules.random_action(states[lane], rngs[lane], out) if players[lane] >= 0 else 0


# What may be decided -----------------------------------------------------------------------------
def legal_lanes(states: Any, players: Any, stretch: Stretch, counts: Any, lists: Any) -> None:
    """Write the legal actions of each lane: how many, and which, at the front of its row; none if it is over."""
    for lane in range(stretch.first, stretch.last):
        counts[lane] = rules.legal_actions(states[lane], lists[lane]) if players[lane] >= 0 else 0


def mask_lanes(states: Any, players: Any, stretch: Stretch, mask: Any) -> None:
    """Set mask[lane][action] to 1 if legal, else 0; to 0 if the lane is over."""
    out = stretch.outs[stretch.worker]
    for lane in range(stretch.first, stretch.last):
        allow(states[lane], players[lane], out, mask[lane])


def allow(state: Any, player: int, out: Any, row: Any) -> None:
    """Set row[action] to 1 if `player` (below 0: none) may do this, else 0."""
    for action in range(rules.N_ACTIONS):
        row[action] = 0
    if player >= 0:
        for i in range(rules.legal_actions(state, out)):
            row[out[i]] = 1


def illegal_lanes(states: Any, players: Any, stretch: Stretch, actions: Any) -> None:
    """Lower the thread's number in `stretch.found` to the first lane whose action is illegal.

    In lanes that are over, any action will do.
    """
    out, found = stretch.outs[stretch.worker], stretch.found
    for lane in range(stretch.first, min(stretch.last, found[stretch.worker])):
        if players[lane] >= 0 and not legal(states[lane], actions[lane], out):
            found[stretch.worker] = lane
            break


def legal(state: Any, action: int, out: Any) -> bool:
    """Return whether the seat to decide may do this."""
    for i in range(rules.legal_actions(state, out)):  # noqa: SIM110 - it compiles, any() does not
        if out[i] == action:
            return True
    return False


def replace_lanes(states: Any, players: Any, rngs: Any, stretch: Stretch, actions: Any, replaced: Any) -> None:
    """Replace each illegal action by a uniformly random legal one, and mark the lanes where that was done.

    In lanes that are over, any action will do.
    """
    out = stretch.outs[stretch.worker]
    for lane in range(stretch.first, stretch.last):
        replaced[lane] = 0
        if players[lane] >= 0 and not legal(states[lane], actions[lane], out):
            actions[lane] = rules.random_action(states[lane], rngs[lane], out)
            replaced[lane] = 1


# What is seen ------------------------------------------------------------------------------------
def show_lanes(states: Any, players: Any, stretch: Stretch, view: View) -> None:
    """Write what the seat to decide sees and may do; zeros if the game is over.

    One kind of work after the other: in turns for each lane, the processor guesses worse what comes next.
    """
    rows, floats, plans, mask, out = view.rows, view.floats, view.plans, view.mask, stretch.outs[stretch.worker]
    if len(rows) + len(floats) > 0:
        for lane in range(stretch.first, stretch.last):
            n = 0
            if players[lane] >= 0:
                n = rules.observation(states[lane], players[lane], out)
            if len(rows) > 0:
                fill(out, n, rows[lane])
            if len(floats) > 0:
                spread(out, n, plans, floats[lane])
    if len(mask) > 0:
        for lane in range(stretch.first, stretch.last):
            allow(states[lane], players[lane], out, mask[lane])


def observe_lanes(states: Any, players: Any, stretch: Stretch, rows: Any) -> None:
    """Write what `players[lane]` sees in each lane; zeros if the game is over."""
    for lane in range(stretch.first, stretch.last):
        row = rows[lane]
        n = 0
        if players[lane] >= 0:
            n = rules.observation(states[lane], players[lane], row)
        for i in range(n, len(row)):
            row[i] = 0


def observe_lanes_as(states: Any, players: Any, stretch: Stretch, rows: Any) -> None:
    """Do `observe_lanes` with rows of any kind of number: rules may read what they have written, so it is converted."""
    out = stretch.outs[stretch.worker]
    for lane in range(stretch.first, stretch.last):
        n = 0
        if players[lane] >= 0:
            n = rules.observation(states[lane], players[lane], out)
        fill(out, n, rows[lane])


def fill(out: Any, n: int, row: Any) -> None:
    """Write the first `n` numbers of `out` into a row, then zeros."""
    for i in range(n):
        row[i] = out[i]
    for i in range(n, len(row)):
        row[i] = 0


def tensor_lanes(states: Any, players: Any, stretch: Stretch, plans: Any, rows: Any) -> None:
    """Write the floats of what `players[lane]` sees in each lane (`parlour.core.observing`); zeros if it is over."""
    out = stretch.outs[stretch.worker]
    for lane in range(stretch.first, stretch.last):
        n = 0
        if players[lane] >= 0:
            n = rules.observation(states[lane], players[lane], out)
        spread(out, n, plans, rows[lane])


def seat_lanes(states: Any, players: Any, stretch: Stretch, plans: Any, seats: Any, rows: Any, first: int) -> None:
    """Write a row for each of `seats[lane]`: its floats; from `first` on a 1 for each action that it may choose.

    After the actions comes a 1 if it waits for another seat, where the row has room for that. In a game that is over
    no seat may do anything, nor waits.
    """
    out, last = stretch.outs[stretch.worker], first + rules.N_ACTIONS
    for lane in range(stretch.first, stretch.last):
        for place in range(len(seats[lane])):
            n = rules.observation(states[lane], seats[lane][place], out)
            spread(out, n, plans, rows[lane][place])
    for lane in range(stretch.first, stretch.last):
        for place in range(len(seats[lane])):
            row = rows[lane][place]
            if players[lane] == seats[lane][place]:
                for i in range(rules.legal_actions(states[lane], out)):
                    row[first + out[i]] = 1
            elif players[lane] >= 0 and last < len(row):
                row[last] = 1


# Jobs --------------------------------------------------------------------------------------------
def reset_job(job: Any, lanes: Lanes, stretch: Stretch, chosen: Any, stride: int) -> None:
    """Make `reset_lanes` a job."""
    bind(job, reset_lanes, (lanes, stretch, chosen, stride))


def step_job(job: Any, lanes: Lanes, course: Course, stretch: Stretch, actions: Any) -> None:
    """Make `step_lanes` a job."""
    bind(job, step_lanes, (lanes, course, stretch, actions))


def random_step_job(job: Any, lanes: Lanes, course: Course, stretch: Stretch) -> None:
    """Make `random_step_lanes` a job."""
    bind(job, random_step_lanes, (lanes, course, stretch))


def shown_step_job(job: Any, lanes: Lanes, course: Course, stretch: Stretch, actions: Any, view: View) -> None:
    """Make `shown_step_lanes` a job."""
    bind(job, shown_step_lanes, (lanes, course, stretch, actions, view))


def shown_random_step_job(job: Any, lanes: Lanes, course: Course, stretch: Stretch, view: View) -> None:
    """Make `shown_random_step_lanes` a job."""
    bind(job, shown_random_step_lanes, (lanes, course, stretch, view))


def answer_job(
    job: Any, lanes: Lanes, course: Course, stretch: Stretch, bots: Any, buffers: Buffers, fresh: bool
) -> None:
    """Make `answer_lanes` a job."""
    bind(job, answer_lanes, (lanes, course, stretch, bots, buffers, fresh))


def random_job(job: Any, states: Any, players: Any, rngs: Any, stretch: Stretch, actions: Any) -> None:
    """Make `random_lanes` a job."""
    bind(job, random_lanes, (states, players, rngs, stretch, actions))


def replace_job(job: Any, states: Any, players: Any, rngs: Any, stretch: Stretch, actions: Any, replaced: Any) -> None:
    """Make `replace_lanes` a job."""
    bind(job, replace_lanes, (states, players, rngs, stretch, actions, replaced))


def legal_job(job: Any, states: Any, players: Any, stretch: Stretch, counts: Any, lists: Any) -> None:
    """Make `legal_lanes` a job."""
    bind(job, legal_lanes, (states, players, stretch, counts, lists))


def mask_job(job: Any, states: Any, players: Any, stretch: Stretch, mask: Any) -> None:
    """Make `mask_lanes` a job."""
    bind(job, mask_lanes, (states, players, stretch, mask))


def illegal_job(job: Any, states: Any, players: Any, stretch: Stretch, actions: Any) -> None:
    """Make `illegal_lanes` a job."""
    bind(job, illegal_lanes, (states, players, stretch, actions))


def show_job(job: Any, states: Any, players: Any, stretch: Stretch, view: View) -> None:
    """Make `show_lanes` a job."""
    bind(job, show_lanes, (states, players, stretch, view))


def observe_job(job: Any, states: Any, players: Any, stretch: Stretch, rows: Any) -> None:
    """Make `observe_lanes` a job."""
    bind(job, observe_lanes, (states, players, stretch, rows))


def observe_as_job(job: Any, states: Any, players: Any, stretch: Stretch, rows: Any) -> None:
    """Make `observe_lanes_as` a job."""
    bind(job, observe_lanes_as, (states, players, stretch, rows))


def tensor_job(job: Any, states: Any, players: Any, stretch: Stretch, plans: Any, rows: Any) -> None:
    """Make `tensor_lanes` a job."""
    bind(job, tensor_lanes, (states, players, stretch, plans, rows))


def seats_job(
    job: Any, states: Any, players: Any, stretch: Stretch, plans: Any, seats: Any, rows: Any, first: int
) -> None:
    """Make `seat_lanes` a job."""
    bind(job, seat_lanes, (states, players, stretch, plans, seats, rows, first))
