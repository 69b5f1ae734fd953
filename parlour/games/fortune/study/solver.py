"""Exact play: the bots `optimal` (the chance to win) and `points` (the most points of each turn).

They work in a `workspace`: tables of the cards (lattice.py), values (turn.py; a block for each
card's points, and one for the turn under way), `outcomes` of a turn, the chances of duel.py for two
players, and notes.

`optimal` values each end of its turn by the chance to win that follows. With two players that is
the chance of `duel`, but with the cards that can really come next: those not turned yet, or the
next card if it is known (FO-4). With three and four it is the product of the chances against each
opponent alone, as if the others' luck were independent; in the final round, players who have had
their last turn are simply compared. It ignores a round limit.
"""

from __future__ import annotations

from typing import Any

from parlour.games.fortune import rules as r
from parlour.games.fortune.study import duel, follow, lattice, turn

BOTS = {
    "optimal": "plays for the chance to win, exactly with two players, approximately with more",
    "points": "plays each turn for the most points on average, exactly",
}
CHANCES = ("optimal",)
EXACT = (2,)
OPTIMAL, POINTS = 0, 1

# Notes: places below the line, then the facts for which the values of the turn under way were computed
PLACES, TURN = 0, 1
NOTES = TURN + r.SEATS + r.N_CARDS + 8
PRECISE = 1e-10  # of chances; of points a hundred times as much, 1e-11 of the usual

OUTLINE = ("use", "solve_points", "solve_chances", "ends")
ENTRIES = ("values", "all_points", "prospect", "prospects", "read_card", "improve", "evaluate")


def choose(bot: int, state: Any, work: Any, out: Any, workspace: Any) -> int:
    """Return the decision with the highest value, the first of equals. `work`: a state of the same table, used up."""
    b = use(bot, state, work, out, workspace)
    n = r.legal_actions(state, out)
    best: int = out[0]
    best_value = turn.LOWEST
    for i in range(n):
        value = turn.worth_of(state, out[i], workspace[0], state.card * lattice.ROWS, workspace[1], b)
        if value > best_value:
            best, best_value = out[i], value
    return best


def values(bot: int, states: Any, out: Any, workspace: Any, found: Any) -> int:
    """Write all legal decisions of states[0] into `out` and their values into `found`; return
    how many. states[1] is used up."""
    b = use(bot, states[0], states[1], out, workspace)
    n: int = r.legal_actions(states[0], out)
    for i in range(n):
        found[i] = turn.worth_of(states[0], out[i], workspace[0], states[0].card * lattice.ROWS, workspace[1], b)
    return n


def prospect(
    bot: int, states: Any, action: int, out: Any, workspace: Any, chances: Any, ends: Any
) -> None:  # fmt: skip
    """Write how likely each end of the turn is (`ends` as in follow.py) if `bot` plays on after `action` in states[0].

    `chances` are follow.ROWS rows of zeros, states[1] is used up.
    """
    b = use(bot, states[0], states[1], out, workspace)
    for i in range(len(ends)):
        ends[i] = 0.0
    follow.from_choice(states[0], action, workspace[0], states[0].card * lattice.ROWS, workspace[1], b, chances, ends)


def prospects(bot: int, states: Any, out: Any, workspace: Any, chances: Any, ends: Any) -> None:
    """Write the same before the first roll with the card of states[0]."""
    b = use(bot, states[0], states[1], out, workspace)
    for i in range(len(ends)):
        ends[i] = 0.0
    follow.from_start(workspace[0], states[0].card * lattice.ROWS, workspace[1], b, chances, ends)


def use(bot: int, state: Any, work: Any, out: Any, workspace: Any) -> int:
    """Compute the values of this turn if they are not ready; return their first row."""
    if bot == POINTS:
        solve_points(state.card, work, out, workspace)
        return int(state.card * turn.ROWS)
    if not _same_turn(state, workspace[4]):
        solve_chances(state, work, out, workspace)
    return r.N_CARDS * turn.ROWS


def solve_points(card: int, work: Any, out: Any, workspace: Any) -> None:
    """Compute the values of a card's turn in points, once."""
    t, v = workspace[0], workspace[1]
    a, b = card * lattice.ROWS, card * turn.ROWS
    if t[a][lattice.READY] < 2:
        if not t[a][lattice.READY]:
            lattice.prepare(work, card, t, a, out)
        turn.fill_points(t, a, v, b)
        turn.solve(t, a, v, b, 100.0 * PRECISE)
        t[a][lattice.READY] = 2


def all_points(states: Any, out: Any, workspace: Any, found: Any) -> None:
    """Write into found[card] the expected points of a turn, into found[N_CARDS + card] the Island's cost to each
    opponent in it."""
    for card in range(r.N_CARDS):
        solve_points(card, states[1], out, workspace)
        a, b = card * lattice.ROWS, card * turn.ROWS
        found[card] = turn.start(workspace[0], a, workspace[1], b, 0.0)
        found[r.N_CARDS + card] = turn.start(workspace[0], a, workspace[1], b, 1.0) - found[card]


def _same_turn(state: Any, notes: Any) -> bool:
    """Return whether the values in the workspace are of this turn; if not, note this turn for the next values."""
    same = True
    for i in range(NOTES - TURN):
        known = _fact(state, i)
        if notes[TURN + i] != known:
            same = False
            notes[TURN + i] = known
    return same


def _fact(state: Any, i: int) -> int:
    """Return fact number `i` of those that the value of a turn depends on, at one table."""
    if i < r.SEATS:
        return int(state.scores[i])
    i -= r.SEATS
    if i < r.N_CARDS:
        return int(state.unseen[i])
    i -= r.N_CARDS
    if i < 3:  # the cards that come next, if they are known
        return (
            int(state.pile[(state.turned + i) % state.deck_size]) if state.turned >= state.deck_size - i else r.NOBODY
        )
    if i == 3:
        return int(state.card)
    if i == 4:
        return int(state.player)
    if i == 5:
        return int(state.final_left)
    return 1 if i == 6 else int(state.turned)  # the 1 never equals empty notes


def solve_chances(state: Any, work: Any, out: Any, workspace: Any) -> None:
    """Compute the values of the turn under way in chances to win."""
    t, v, u = workspace[0], workspace[1], workspace[2]
    a, b = state.card * lattice.ROWS, r.N_CARDS * turn.ROWS
    if not t[a][lattice.READY]:
        lattice.prepare(work, state.card, t, a, out)
    ends(state, workspace)
    duel.fill(t, a, v, b, u)
    for level in range(lattice.LEVELS):
        v[b + turn.ISLE][level] = win(state, 0, t[a][lattice.LOSS + level], workspace[3], workspace[4][PLACES])
    turn.solve(t, a, v, b, PRECISE)


def ends(state: Any, workspace: Any) -> None:
    """Write the chance to win after each number of STEPs that the turn may bring."""
    for g in range(-follow.DEEP, follow.REACH + 1):
        workspace[2][follow.DEEP + g] = win(state, g * follow.STEP, 0, workspace[3], workspace[4][PLACES])


def win(state: Any, gain: int, loss: int, w: Any, n: int) -> float:
    """Return the chance of the player whose turn it is to win, if it brings them `gain` and costs each other `loss`."""
    me = state.player
    mine = _place(state, state.scores[me] + gain, n)
    left = state.final_left - 1 if state.final_left else (state.players - 1 if mine >= n else -1)
    if not left:
        best = mine
        for k in range(1, state.players):
            best = max(best, _place(state, state.scores[(me + k) % state.players] - loss, n))
        if best < n:
            left = -1  # FO-26: no player is across the line, play continues
    chance = 1.0
    ties = 0
    for k in range(1, state.players):
        theirs = _place(state, state.scores[(me + k) % state.players] - loss, n)
        if left >= 0 and k > left:  # they have had their last turn
            ties += 1 if theirs == mine else 0
            chance = chance if theirs <= mine else 0.0
        else:
            chance *= 1.0 - _next_turn(state, k, min(theirs, n - 1), mine, w, n)
    return chance / (1 + ties)  # FO-27


def _place(state: Any, total: int, n: int) -> int:
    """Return a total's place in the table of duel.py."""
    if state.floor_at_zero:
        total = max(total, 0)
    line = state.target - follow.STEP if state.at_least else state.target  # the highest total not beyond
    return int(min(max(n - 1 + (total - line) // follow.STEP, 0), n + follow.REACH - 1))


def _next_turn(state: Any, k: int, mine: int, theirs: int, w: Any, n: int) -> float:
    """Return the chance to win of the player whose turn is the k-th from now, with the cards that can come then."""
    index = state.turned + k - 1
    if index >= state.deck_size:
        if state.reshuffle:
            return float(w[duel.MEAN * n + mine][theirs])
        return float(w[state.pile[index % state.deck_size] * n + mine][theirs])
    total = 0.0
    for card in range(r.N_CARDS):
        if state.unseen[card]:
            total += state.unseen[card] * w[card * n + mine][theirs]
    return total / (state.deck_size - state.turned)


def read_card(states: Any, card: int, t: Any, out: Any) -> None:
    """Run `lattice.prepare` for a card of the table of states[0], which is used up, in its own rows of `t`."""
    lattice.prepare(states[0], card, t, card * lattice.ROWS, out)


def improve(
    desk: duel.Desk, ahead: duel.Ahead, w: Any, ends: Any, mine: int, first: int, far: int, precise: float
) -> float:  # fmt: skip
    """Call `duel.improve` from Python."""
    return float(duel.improve(desk, ahead, w, ends, mine, first, far, precise))


def evaluate(w: Any, n: int, ends: Any, columns: int, far: int, still: float, most: int) -> int:
    """Call `duel.evaluate` from Python."""
    return int(duel.evaluate(w, n, ends, columns, far, still, most))
