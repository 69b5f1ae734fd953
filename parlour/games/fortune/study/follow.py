"""How a turn of Fortune ends if it is played by the values of turn.py: how likely each end is.

Chances flow through the lattice the other way: from dice on the table to each of six faces more,
and from dice that have landed down to the part of them that is worth most. Written in the subset of
Python that the rules use. Rows of `m`, all zero before and after:
"""

from __future__ import annotations

from typing import Any, NamedTuple

from parlour.games.fortune import rules as r
from parlour.games.fortune.study import lattice as at
from parlour.games.fortune.study import turn

LIES = 0  # + LEVELS * fresh + level: the chance that these dice are kept and the rest roll
WANTS = LIES + 2 * at.LEVELS  # + LEVELS * fresh + level: that the best part of these dice is kept
ASKS = WANTS + 2 * at.LEVELS  # + level: that the best part of these is kept with the Sorceress's help
ROWS = ASKS + at.LEVELS
SMALL = 1e-11
MOST = 1000

# `ends`: the chances of the worths in STEPs, from -DEEP to REACH; then of leaving the Island with 0 to 8 skulls on the
# dice; then of being disqualified (such turns are among the worths too)
STEP = 100
REACH = 106  # 10,600 points, the most that a turn brings: eight gold coins and Full Chest with the Captain
DEEP = 100  # 10,000, more than the worst turn costs
GAINS = DEEP + REACH + 1
LEFT = GAINS
LOST = LEFT + at.LEVELS
ENDS = LOST + 1

OUTLINE = ("from_start", "flow")


class Flow(NamedTuple):
    """A card's turn, the chances that flow through it, and where they end: the tables `t` of the
    cards from row `a`, the values `v` from row `b`, the chances `m` and `ends`."""

    t: Any
    a: int
    v: Any
    b: int
    m: Any
    ends: Any


def place(worth: int) -> int:
    """Return the index in `ends` at which a worth is counted."""
    return min(max(worth // STEP, -DEEP), REACH) + DEEP


def from_start(t: Any, a: int, v: Any, b: int, m: Any, ends: Any) -> None:
    """Add the ends of the turn, seen before its first roll, to `ends`."""
    now = Flow(t, a, v, b, m, ends)
    head = t[a + at.HEAD]
    fresh = head[at.HELP]
    all_ways = 6.0**r.N_DICE
    for level in range(at.LEVELS):
        ways = t[a + at.WAYS + level]
        for i in range(head[at.FIRST + r.N_DICE - level], head[at.FIRST + at.LEVELS - level]):
            chance = ways[i] / all_ways
            if head[at.OPENS + level] == at.DECIDES:
                decide(now, fresh, level, i, chance)
            elif head[at.OPENS + level] == at.ISLAND:
                land_there(head, v[b + turn.ISLE], ends, level, chance)
            elif head[at.OPENS + level] == at.STRANDED:
                ends[LEFT + level] += chance
            else:
                over(t, a, ends, level, i, chance)
    flow(now)


def from_choice(state: Any, action: int, t: Any, a: int, v: Any, b: int, m: Any, ends: Any) -> None:
    """Add the ends of the turn after a legal decision in `state` to `ends`."""
    head = t[a + at.HEAD]
    level = state.count[r.SKULL]
    if state.island:
        if action == r.STOP:
            ends[LEFT + level] += 1.0
        else:
            sail(head, v[b + turn.ISLE], ends, level, 1.0)
        return
    row, node = turn.left(state, action, t, a)
    if action == r.STOP:
        over(t, a, ends, level, node, 1.0)
    else:
        now = Flow(t, a, v, b, m, ends)
        keep(now, row, node, 1.0)
        flow(now)


def decide(now: Flow, fresh: int, level: int, node: int, chance: float) -> None:
    """Make the best decision when all dice have landed."""
    t, a, v, b, m, ends = now
    done = v[b + turn.DONE + level][node]
    best = v[b + turn.BEST + at.LEVELS * fresh + level][node] if level <= r.N_DICE - 2 else turn.LOWEST
    aid = v[b + turn.AID + level - 1][node] if fresh and level else turn.LOWEST
    if done >= best and done >= aid:
        over(t, a, ends, level, node, chance)
    elif best >= aid:
        m[WANTS + at.LEVELS * fresh + level][node] += chance
    else:
        m[ASKS + level - 1][node] += chance


def keep(now: Flow, row: int, node: int, chance: float) -> None:
    """Keep these dice and let the rest roll; `row` is LEVELS * fresh + level."""
    t, a, v, b, m, ends = now
    m[LIES + row][node] += chance
    if t[a + at.HEAD][at.SAFE]:  # FO-16: the roll that disqualifies leaves what the chest holds
        risk = chance * v[b + turn.RISK + row][node]
        ends[place(t[a + at.KEPT + row][node])] += risk
        ends[LOST] += risk


def over(t: Any, a: int, ends: Any, level: int, node: int, chance: float) -> None:
    """End the turn with these dice."""
    ends[place(t[a + at.WORTH + level][node])] += chance
    if t[a + at.HEAD][at.BUST + level]:
        ends[LOST] += chance


def land_there(head: Any, isle: Any, ends: Any, level: int, chance: float) -> None:
    """Go to the Island after the first roll."""
    if isle[16 + level] > isle[level]:
        sail(head, isle, ends, level, chance)
    else:
        ends[LEFT + level] += chance


def sail(head: Any, isle: Any, ends: Any, level: int, chance: float) -> None:
    """FO-14: roll again on the Island, where the number of skulls only grows."""
    rolls = [0.0] * (at.LEVELS + 1)
    rolls[level] = chance
    for skulls in range(level, at.LEVELS):
        dice = r.N_DICE - skulls
        for more in range(dice + 1):
            part = rolls[skulls] * turn.ways(dice, more) / 6.0**dice
            then = skulls + more
            if head[at.ON + at.LEVELS * skulls + more] and isle[16 + then] > isle[then]:
                rolls[then] += part
            else:
                ends[LEFT + then] += part


def flow(now: Flow) -> None:
    """Move all chances in `m` to the ends of the turn."""
    t, a, v, b, m, _ = now
    head = t[a + at.HEAD]
    for fresh in range(head[at.HELP], -1, -1):
        for level in range(at.LEVELS):
            row = at.LEVELS * fresh + level
            if not fresh:
                _descend(now, row, m[ASKS + level], v[b + turn.AID + level], t[a + at.FREE + level])
            for _ in range(MOST):
                if level <= r.N_DICE - 2:
                    wants, best = m[WANTS + row], v[b + turn.BEST + row]
                    _descend(now, row, wants, best, t[a + at.ROLL + level])
                if _rise(now, fresh, level) < SMALL:
                    break
            for i in range(head[at.FIRST + at.LEVELS - level]):
                m[WANTS + row][i] = 0.0  # negligible


def _descend(now: Flow, row: int, wants: Any, best: Any, may: Any) -> None:
    """Find the part that is worth keeping."""
    t, a, v, b = now.t, now.a, now.v, now.b
    level = row % at.LEVELS
    gain, extra = v[b + turn.GAIN + row], v[b + turn.EXTRA + level]
    for i in range(t[a + at.HEAD][at.FIRST + at.LEVELS - level] - 1, -1, -1):
        chance = wants[i]
        if chance > 0.0:
            wants[i] = 0.0
            if may[i] and gain[i] + extra[i] >= best[i]:
                keep(now, row, i, chance)
            else:
                for face in range(r.N_OBJECTS):
                    less = t[a + at.DOWN + face][i]
                    if less != at.NONE and best[less] >= best[i]:
                        wants[less] += chance
                        break


def _rise(now: Flow, fresh: int, level: int) -> float:
    """Let die after die land; return the chance of another decision on this level."""
    t, a, m, ends = now.t, now.a, now.m, now.ends
    head = t[a + at.HEAD]
    row = at.LEVELS * fresh + level
    lies = m[LIES + row]
    for i in range(head[at.FIRST + r.N_DICE - level]):
        if lies[i] > 0.0:
            sixth = lies[i] / 6.0
            lies[i] = 0.0
            m[LIES + row + 1][i] += sixth
            for face in range(r.N_OBJECTS):
                lies[t[a + at.UP + face][i]] += sixth
    again = 0.0
    for i in range(head[at.FIRST + r.N_DICE - level], head[at.FIRST + at.LEVELS - level]):
        chance = lies[i]
        lies[i] = 0.0
        if chance > 0.0:
            if head[at.LIVE + row] == at.DECIDES:
                decide(now, fresh, level, i, chance)
                again += chance
            elif not head[at.SAFE]:
                over(t, a, ends, level, i, chance)
    return again
