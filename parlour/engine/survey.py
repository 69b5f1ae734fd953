"""Loops that play games and note how each went, in the dialect of the rules, run plain or compiled.

The engine binds `rules`, `watched` (the game's `events.py`) and `assign` to one game. `parlour.analysis.measures` says
what is computed from the columns.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from parlour.core.contract import CHANCE, TERMINAL
from parlour.core.rng import seed_rng
from parlour.engine.drivers import RANDOM, choose
from parlour.engine.work import Buffers, Close, Games, Results

rules: Any = None
watched: Any = None
assign: Any = None

ENTRIES = ("watch_games",)  # what Python calls

# The columns of a row; then one for each kind of event (how often it occurred), then one for each count.
DECISIONS, STEPS, STARTER, ENDING, EVENTS = 0, 1, 2, 3, 4
UNKNOWN = -1

# The columns of a close row. A turn is a run of decisions of one seat. The seat that has more points than each of the
# others after a turn leads. From WON on they are about the game's only winner, and 0 without one.
TURNS, CHOICES, FORCED, REPEATED = 0, 1, 2, 3  # turns; legal decisions, summed; decisions without a choice, seen before
LEADS, LAST_LEAD, WIDEST = 4, 5, 6  # changes of the lead, the turn of the last one, the widest gap from first to last
WON, MARGIN = 7, 8  # whether there is an only winner; its points beyond the best of the others
SETTLED, BEHIND, DEEPEST, DRAMA = 9, 10, 11, 12  # the last turn without its lead; turns behind, most behind, root sums
CLOSE = 13

# The columns of the uses of an action or event: decisions that offered it, decisions that were it, seats that made it
# (each once a game), and the wins of these, in parts of a win.
OFFERED, MADE, SEATS, WINS = 0, 1, 2, 3
USES = 4
PARTS = 840  # of a win: up to eight winners share it exactly

SEEN = 1 << 14  # places for views that a game's seats have seen; of these three quarters are filled at most
FULL = 3 * SEEN // 4
PRIME = 2199023255531  # the largest below 2 ** 41
FACTOR = 1000003


def watch(state: Any, bots: Any, rng: Any, most: int, row: Any, buffers: Buffers, close: Close, number: int) -> None:
    """Play a game with `bots[seat]` at each seat, at most `most` decisions, and fill its row.

    A random bot uses only the legal actions, so
    the loop does not resample for it: games between random bots are those of `drivers.random_games`
    and of `inspection`. If `close` has rows, `close.rows[number]` is filled as well. If it has a script, this is played
    instead of what the bots would do, and the game is over where it ends.
    """
    out, outcomes, weights, scratch, memo = buffers
    closely = len(close.rows) > 0
    kinds = close.kinds
    decisions = 0
    steps = 0
    starter = UNKNOWN
    actor = UNKNOWN
    over = False
    if closely:
        _begin(close)
    while decisions < most:
        player = rules.current_player(state)
        if player == TERMINAL:
            over = True
            break
        if len(close.script) and (steps == len(close.script) or close.script[steps] == UNKNOWN):
            break
        if closely and player != CHANCE:
            if actor != UNKNOWN and actor != player:
                _end_turn(state, close, close.rows[number])
            _look(state, player, out, close, close.rows[number])
        if len(close.script):
            action = close.script[steps]
        elif player == CHANCE:
            action = rules.sample_chance(state, rng)
        elif bots[player] == RANDOM:
            action = rules.random_action(state, rng, out)
        else:
            shown = scratch[2]
            assign(shown, state)
            rules.resample(shown, player, rng)
            action = choose(bots[player], shown, rng, out, outcomes, weights, scratch, memo)
        if player != CHANCE:
            if starter == UNKNOWN:
                starter = player
            actor = player
            decisions += 1
            if closely:
                _use(close, action, player)
        steps += 1
        if kinds:
            happened = watched.events(state, action)
            if happened:
                for i in range(kinds):
                    row[EVENTS + i] += happened >> i & 1
                    if closely and actor != UNKNOWN and happened >> i & 1:
                        _use(close, rules.N_ACTIONS + i, actor)
        rules.apply(state, action)
    if closely and actor != UNKNOWN:
        _end_turn(state, close, close.rows[number])
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
    template: Any, states: Any, bots: Any, rng: Any, games: Games, buffers: Buffers, results: Results, close: Close
) -> None:
    """Play games one after the other in states[0], each with its own stream of chance.

    `results.rows` and `close.rows` must be zeros at first; `close.uses` is added to.
    """
    state = states[0]
    totals, shares, rows = results
    for i in range(games.games):
        seed_rng(rng, games.seed, games.first + i)
        assign(state, template[0])
        watch(state, bots, rng, games.most, rows[i], buffers, close, i)
        rules.scores(state, totals[i])
        rules.returns(state, shares[i])
        if len(close.rows) > 0:
            _end(close, close.rows[i], shares[i], totals[i])


# Watching closely ---------------------------------------------------------------------------------
BEHINDS, ROOTS, MOST_BEHIND, UNLED = 0, 1, 2, 3  # the columns of a track, one for each seat
TRACK = 4
LEADER, COMPARED, STAMP = 0, 1, 2  # the places of `close.now`: the last leader, how many views `seen` has, which game
NOW = 3


def _begin(close: Close) -> None:
    """Forget the game before."""
    close.now[STAMP] += 1
    close.now[LEADER] = UNKNOWN
    close.now[COMPARED] = 0
    for seat in range(len(close.tracks)):
        for column in range(TRACK):
            close.tracks[seat][column] = 0.0


def _look(state: Any, player: int, out: Any, close: Close, row: Any) -> None:
    """Note what `player` may choose from, and whether this seat has seen the same before."""
    n = rules.legal_actions(state, out)
    row[CHOICES] += n
    if n == 1:
        row[FORCED] += 1
    for i in range(n):
        close.uses[out[i]][OFFERED] += 1
    mark = player + 1
    for i in range(rules.observation(state, player, close.sight)):
        mark = (mark * FACTOR + close.sight[i]) % PRIME
    place = mark % SEEN
    while close.seen[place][0] == close.now[STAMP]:  # else the place is free: what is there is from another game
        if close.seen[place][1] == mark:
            row[REPEATED] += 1
            return
        place = (place + 1) % SEEN
    if close.now[COMPARED] < FULL:
        close.now[COMPARED] += 1
        close.seen[place][0] = close.now[STAMP]
        close.seen[place][1] = mark


def _use(close: Close, which: int, seat: int) -> None:
    """Count a use of an action or event by a seat."""
    close.uses[which][MADE] += 1
    if close.marks[seat][which] != close.now[STAMP]:
        close.marks[seat][which] = close.now[STAMP]
        close.uses[which][SEATS] += 1


def _end_turn(state: Any, close: Close, row: Any) -> None:
    """Compare the points of the seats after a turn."""
    points = close.points
    rules.scores(state, points)
    row[TURNS] += 1
    best = points[0]
    worst = points[0]
    leader = 0
    for seat in range(1, len(points)):
        if points[seat] > best:
            best = points[seat]
            leader = seat
        elif points[seat] == best:
            leader = UNKNOWN
        worst = min(worst, points[seat])
    row[WIDEST] = max(row[WIDEST], float(best - worst))
    if leader != UNKNOWN:
        if close.now[LEADER] != UNKNOWN and close.now[LEADER] != leader:
            row[LEADS] += 1
            row[LAST_LEAD] = row[TURNS]
        close.now[LEADER] = leader
    for seat in range(len(points)):
        track = close.tracks[seat]
        if leader != seat:
            track[UNLED] = row[TURNS]
        if points[seat] < best:
            away = float(best - points[seat])
            track[BEHINDS] += 1
            track[ROOTS] += sqrt(away)
            track[MOST_BEHIND] = max(track[MOST_BEHIND], away)


def _end(close: Close, row: Any, shares: Any, totals: Any) -> None:
    """Note what only the result tells: how its only winner came to win, and what the winners had used."""
    winner = UNKNOWN
    for seat in range(len(shares)):
        if shares[seat] > 0.0:
            parts = int(shares[seat] * PARTS + 0.5)
            for which in range(len(close.uses)):
                if close.marks[seat][which] == close.now[STAMP]:
                    close.uses[which][WINS] += parts
        if shares[seat] > 1.0 - 0.5 / PARTS:
            winner = seat
    if winner == UNKNOWN:
        return
    second = winner
    for seat in range(len(totals)):
        if seat != winner and (second == winner or totals[seat] > totals[second]):
            second = seat
    track = close.tracks[winner]
    row[WON] = 1
    row[MARGIN] = float(totals[winner] - totals[second])
    row[SETTLED] = track[UNLED]
    row[BEHIND] = track[BEHINDS]
    row[DEEPEST] = track[MOST_BEHIND]
    row[DRAMA] = track[ROOTS]
