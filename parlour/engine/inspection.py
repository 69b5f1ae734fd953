"""A loop that plays random games and checks at every step that the rules keep their contract; and one that keeps all
of a game, for `lockstep`.

They run plain or compiled. The engine binds `rules`, `watched` and `assign` to one game. Buffers are
GUARD longer than the rules may fill, and the excess must stay untouched. The games are those of
`drivers.random_games` with the same seed.
"""

from __future__ import annotations

from typing import Any

from parlour.core.contract import CHANCE, TERMINAL, UNSEEN
from parlour.core.rng import RNG_SIZE, random_below, seed_rng
from parlour.engine.work import Desk, Games, Limits

rules: Any = None
watched: Any = None
assign: Any = None

ENTRIES = ("inspect_games", "trace")  # what Python calls

GUARD = 32
UNTOUCHED = -7777777
EVERY = 8  # steps between two slow checks
KEPT = 3  # states kept of each game: an early one, a middle one, the last
NEAR = 1e-9

# The columns of a row. HAPPENED has a bit for each kind of event that occurred, COUNTED a digest of the counts.
FAULT, DECISIONS, STEPS, HAPPENED, ENDING, COUNTED = 0, 1, 2, 3, 4, 5
COLUMNS = 6

# Each fault: the function of the game at fault, and the rest of the sentence.
FAULTS = (
    ("", "nothing"),
    ("current_player", "gives no seat"),
    ("legal_actions", "gives nothing where a seat decides"),
    ("legal_actions", "gives something where no seat decides"),
    ("legal_actions", "gives more than MAX_LEGAL"),
    ("legal_actions", "gives actions that do not ascend from 0 to N_ACTIONS - 1"),
    ("legal_actions", "writes beyond MAX_LEGAL"),
    ("chance_outcomes", "gives nothing where chance is due"),
    ("chance_outcomes", "gives something where no chance is due"),
    ("chance_outcomes", "gives more than MAX_OUTCOMES"),
    ("chance_outcomes", "gives a weight that is not above 0"),
    ("chance_outcomes", "writes beyond MAX_OUTCOMES"),
    ("sample_chance", "draws an outcome that chance_outcomes does not list"),
    ("observation", "does not give from 1 to OBSERVATION_SIZE numbers"),
    ("observation", "writes beyond OBSERVATION_SIZE"),
    ("resample", "changes whose turn it is"),
    ("resample", "changes what the seat observes"),
    ("resample", "changes what the seat may do"),
    ("returns", "gives something other than 0 before the end"),
    ("returns", "gives shares at the end that do not sum to 1, each from 0 to 1"),
    ("events", "gives a bit that EVENTS does not name"),
    ("ending", "gives none of ENDINGS"),
    ("starter", "gives no seat"),
    ("count", "gives a number below 0"),
    ("bound", "is lower than the steps of the game"),
    ("current_player", "does not end the game"),
)
(
    FINE, NO_SEAT, NO_ACTION, ODD_ACTION, MANY_ACTIONS, DISORDER, ACTIONS_OVERRUN, NO_OUTCOME, ODD_OUTCOME,
    MANY_OUTCOMES, NO_WEIGHT, OUTCOMES_OVERRUN, ODD_SAMPLE, OBSERVATION, OBSERVATION_OVERRUN, OTHER_TURN,
    OTHER_SIGHT, OTHER_ACTIONS, EARLY_RETURNS, RETURNS, ODD_EVENT, ODD_ENDING, ODD_STARTER, ODD_COUNT,
    OVER_BOUND, ENDLESS,
) = range(26)  # fmt: skip


def inspect_games(states: Any, rngs: Any, games: Games, limits: Limits, desk: Desk, rows: Any) -> int:
    """Play random games, one after the other; return how many were played.

    `states` are one to begin with, two to play in, and KEPT for each game, which keep parts of it.
    `rngs` are the game's and a second one. Stops after a game with a fault; its row says which
    fault (FAULTS) and after how many steps.
    """
    template, playing, kept = states
    rng, own = rngs
    seed, first, count, most = games
    players, bound, kinds, endings, counts = limits
    for i in range(count):
        state = playing[0]
        row = rows[i]
        seed_rng(rng, seed, first + i)
        seed_rng(own, seed, first + i + (1 << 31))
        assign(state, template[0])
        early = 1 + (first + i) % 97
        middle = 1 + (first + i) % 11
        place = i * KEPT
        row[FAULT] = ENDLESS
        row[DECISIONS] = 0
        row[STEPS] = 0
        row[HAPPENED] = 0
        while row[DECISIONS] < most:
            player = rules.current_player(state)
            row[FAULT] = _legal(state, player, players, desk.out)
            if row[FAULT] != FINE or player == TERMINAL:
                break
            if player == CHANCE:
                action = rules.sample_chance(state, rng)
            else:
                action = desk.out[random_below(rng, rules.legal_actions(state, desk.out))]
                row[DECISIONS] += 1
            if row[STEPS] % EVERY == (first + i) % EVERY:
                row[FAULT] = _chance(state, player, action, desk.outcomes, desk.weights)
                if row[FAULT] == FINE:
                    seat = row[STEPS] // EVERY % players
                    row[FAULT] = _hidden(state, playing[1], player, seat, own, desk)
                if row[FAULT] == FINE:
                    row[FAULT] = _returns(state, 0.0, desk.shares)
            if row[FAULT] == FINE:
                row[HAPPENED] |= watched.events(state, action)
                if not 0 <= row[HAPPENED] < 1 << kinds:
                    row[FAULT] = ODD_EVENT
            if row[FAULT] == FINE and bound and row[STEPS] >= bound:
                row[FAULT] = OVER_BOUND
            if row[FAULT] != FINE:
                break
            row[FAULT] = ENDLESS
            rules.apply(state, action)
            row[STEPS] += 1
            if row[STEPS] == 1 or row[STEPS] == early:
                assign(kept[place], state)
            if row[STEPS] == 1 or row[STEPS] % 53 == middle:
                assign(kept[place + 1], state)
        if row[FAULT] == FINE:
            row[FAULT] = _returns(state, 1.0, desk.shares)
        if row[FAULT] == FINE:
            row[FAULT] = _watched(state, players, endings, counts, row)
        assign(kept[place + 2], state)
        if row[FAULT] != FINE:
            return i + 1
    return count


def _legal(state: Any, player: int, players: int, out: Any) -> int:
    """Check whose turn it is and what they may do."""
    if not (0 <= player < players or player in (CHANCE, TERMINAL)):
        return NO_SEAT
    n = rules.legal_actions(state, out)
    if player < 0:
        return ODD_ACTION if n else FINE
    if n < 1:
        return NO_ACTION
    if n > rules.MAX_LEGAL:
        return MANY_ACTIONS
    last = -1
    for i in range(n):
        if not last < out[i] < rules.N_ACTIONS:
            return DISORDER
        last = out[i]
    return FINE if _untouched(out, rules.MAX_LEGAL) else ACTIONS_OVERRUN


def _chance(state: Any, player: int, action: int, outcomes: Any, weights: Any) -> int:
    """Check the outcomes of chance; if chance is due, `action` was drawn."""
    n = rules.chance_outcomes(state, outcomes, weights)
    if player != CHANCE:
        return ODD_OUTCOME if n else FINE
    if n < 1:
        return NO_OUTCOME
    if n > rules.MAX_OUTCOMES:
        return MANY_OUTCOMES
    found = False
    for i in range(n):
        if weights[i] <= 0:
            return NO_WEIGHT
        if outcomes[i] == action:
            found = True
    if not (_untouched(outcomes, rules.MAX_OUTCOMES) and _untouched(weights, rules.MAX_OUTCOMES)):
        return OUTCOMES_OVERRUN
    return FINE if found else ODD_SAMPLE


def _hidden(state: Any, other: Any, player: int, seat: int, own: Any, desk: Desk) -> int:
    """Check a state resampled for a seat: the seat cannot tell it from the true one."""
    out, twin, seen, again = desk.out, desk.twin, desk.seen, desk.again
    assign(other, state)
    rules.resample(other, seat, own)
    turn = rules.current_player(other)
    if turn != player and (
        turn == seat or player == seat or not (_secret(state, seat, out) or _secret(other, seat, out))
    ):
        return OTHER_TURN
    n = rules.observation(state, seat, seen)
    if not 0 < n <= rules.OBSERVATION_SIZE:
        return OBSERVATION
    if not _untouched(seen, rules.OBSERVATION_SIZE):
        return OBSERVATION_OVERRUN
    if rules.observation(other, seat, again) != n:
        return OTHER_SIGHT
    for i in range(n):
        if again[i] != seen[i]:
            return OTHER_SIGHT
    if player == seat:
        n = rules.legal_actions(state, out)
        if rules.legal_actions(other, twin) != n:
            return OTHER_ACTIONS
        for i in range(n):
            if twin[i] != out[i]:
                return OTHER_ACTIONS
    return FINE


def _secret(state: Any, seat: int, out: Any) -> bool:
    """Return whether the game is asking another seat in a way that `seat` may not notice."""
    for i in range(rules.legal_actions(state, out)):
        if rules.observed_action(state, out[i], seat) == UNSEEN:
            return True
    return False


def _returns(state: Any, wanted: float, shares: Any) -> int:
    """Check the returns: they sum to 1 at the end, and to 0 before."""
    rules.returns(state, shares)
    total = 0.0
    for seat in range(len(shares)):
        if not 0.0 <= shares[seat] <= 1.0:
            return RETURNS
        total += shares[seat]
    if wanted == 0.0:
        return FINE if total == 0.0 else EARLY_RETURNS
    return FINE if abs(total - wanted) < NEAR else RETURNS


def _watched(state: Any, players: int, endings: int, counts: int, row: Any) -> int:
    """Check what `events.py` reads from a finished game."""
    row[ENDING] = watched.ending(state)
    if not 0 <= row[ENDING] < max(1, endings):
        return ODD_ENDING
    if not -1 <= watched.starter(state) < players:
        return ODD_STARTER
    row[COUNTED] = 0
    for which in range(counts):
        number = watched.count(state, which)
        if number < 0:
            return ODD_COUNT
        row[COUNTED] = (row[COUNTED] * 31 + number) % 2147483647
    return FINE


def _untouched(buffer: Any, size: int) -> bool:
    for i in range(size, len(buffer)):
        if buffer[i] != UNTOUCHED:
            return False
    return True


def trace(states: Any, template: Any, rng: Any, lists: Any, marks: Any, seed: int, game: int) -> int:
    """Play a random game and keep everything; return the number of steps.

    states[i] is the state after i steps. Of step i, lists[i] has the legal actions, and marks[i]
    has the player, the number of actions, the action or outcome, and the rng's four words after it.
    Stops when `states` is full. Only applies actions to the current state.
    """
    seed_rng(rng, seed, game)
    assign(states[0], template[0])
    for i in range(len(states) - 1):
        player = rules.current_player(states[i])
        if player == TERMINAL:
            return i
        mark = marks[i]
        mark[0] = player
        mark[1] = rules.legal_actions(states[i], lists[i])
        if player == CHANCE:
            mark[2] = rules.sample_chance(states[i], rng)
        else:
            mark[2] = lists[i][random_below(rng, mark[1])]
        for k in range(RNG_SIZE):
            mark[3 + k] = rng[k]
        assign(states[i + 1], states[i])
        rules.apply(states[i + 1], mark[2])
    return len(states) - 1
