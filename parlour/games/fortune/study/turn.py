"""The best turn of Fortune: dynamic programming over dice counted by face (nodes and levels: lattice.py).

Rolling n dice is rolling them one by one, so the value of dice that roll is the mean over six faces of the value with
one die more landed; and the best dice to keep are the best of those with one die less. Both walk the lattice once.
A turn can come back to where it was (dice kept earlier may be rolled again), so the values of a level are computed
repeatedly until they no longer change. At least two dice are rolled and skulls never come back, so each pass shrinks
the error by (5/6)^2 or more.

Values are what `fill` gives: points, or a player's chance to win. The rows of one card, from row `b` of `v`:
"""

from __future__ import annotations

from typing import Any

from parlour.games.fortune import rules as r
from parlour.games.fortune.study import lattice as at

DONE = 0  # + level: the value if the turn ends with these dice
GAIN = DONE + at.LEVELS  # + LEVELS * fresh + level: of all dice landed, or of rolling those that are missing
BEST = GAIN + 2 * at.LEVELS  # + LEVELS * fresh + level: of the best re-roll that leaves these dice or some of them
AID = BEST + 2 * at.LEVELS  # + level: the same with the Sorceress's help, `level` counted after it
EXTRA = AID + at.LEVELS  # + level: what the chest adds to a roll that leaves these dice
RISK = EXTRA + at.LEVELS  # + level: the chance that such a roll disqualifies (filled where the chest needs it)
ISLE = RISK + at.LEVELS  # [level]: the value of leaving the Island with these skulls; [16 + level]: of rolling on
ROWS = ISLE + 1
LOWEST = -1e300
MOST = 400  # passes; (25/36)^400 is negligible

OUTLINE = ("solve", "fill_points", "start", "settle")


def fill_points(t: Any, a: int, v: Any, b: int) -> None:
    """Fill in the player's own points as values, and for the Island what each opponent loses."""
    head = t[a + at.HEAD]
    for level in range(at.LEVELS):
        worth, done = t[a + at.WORTH + level], v[b + DONE + level]
        for i in range(head[at.FIRST + r.N_DICE - level], head[at.FIRST + at.LEVELS - level]):
            done[i] = float(worth[i])
        if head[at.SAFE]:
            for i in range(head[at.NODES]):
                v[b + EXTRA + level][i] = float(t[a + at.KEPT + level][i])
        v[b + ISLE][level] = float(head[at.LOSS + level])


def solve(t: Any, a: int, v: Any, b: int, precise: float) -> None:
    """Find all values of the turn, to about `precise`, from DONE, ISLE and, if a chest is SAFE,
    EXTRA (what it holds)."""
    head = t[a + at.HEAD]
    if head[at.SAFE]:
        _risks(t, a, v, b)
    else:
        for level in range(at.LEVELS):
            for i in range(head[at.NODES]):
                v[b + EXTRA + level][i] = 0.0
    for fresh in range(1 + head[at.HELP]):
        for level in range(at.LEVELS - 1, -1, -1):
            settle(t, a, v, b, fresh, level, precise)
        if not fresh:
            for level in range(at.LEVELS):
                _climb(
                    t, a, v[b + GAIN + level], v[b + EXTRA + level], t[a + at.FREE + level], v[b + AID + level], level
                )
    _sail(head, v[b + ISLE])


def _risks(t: Any, a: int, v: Any, b: int) -> None:
    """Compute the chance that the roll that leaves these dice disqualifies, and from it the chest's part of the
    value."""
    head = t[a + at.HEAD]
    for level in range(at.LEVELS - 1, -1, -1):
        risk = v[b + RISK + level]
        for i in range(head[at.FIRST + r.N_DICE - level], head[at.FIRST + at.LEVELS - level]):
            risk[i] = 0.0 if head[at.LIVE + level] else 1.0
        _spread(t, a, risk, v[b + RISK + min(level + 1, r.N_DICE)], level)
    for level in range(at.LEVELS):
        for i in range(head[at.NODES]):
            v[b + EXTRA + level][i] *= v[b + RISK + level][i]


def settle(t: Any, a: int, v: Any, b: int, fresh: int, level: int, precise: float) -> None:
    """Compute the values of one level; those of more skulls are known."""
    head = t[a + at.HEAD]
    row = at.LEVELS * fresh + level
    gain, best, done = v[b + GAIN + row], v[b + BEST + row], v[b + DONE + level]
    over = v[b + GAIN + min(row + 1, at.LEVELS * fresh + r.N_DICE)]
    first, last = head[at.FIRST + r.N_DICE - level], head[at.FIRST + at.LEVELS - level]
    live = head[at.LIVE + row] == at.DECIDES
    aid = v[b + AID + max(level - 1, 0)]
    for i in range(first, last):
        if not live and head[at.SAFE]:
            gain[i] = 0.0  # EXTRA has it
        elif live and fresh and level and aid[i] > done[i]:
            gain[i] = aid[i]
        else:
            gain[i] = done[i]
    for _ in range(MOST):
        _spread(t, a, gain, over, level)
        if level <= r.N_DICE - 2:
            _climb(t, a, gain, v[b + EXTRA + level], t[a + at.ROLL + level], best, level)
        if not live:
            break
        change = 0.0
        for i in range(first, last):
            if best[i] > gain[i]:
                change = max(change, best[i] - gain[i])
                gain[i] = best[i]
        if change <= precise:
            break


def _spread(t: Any, a: int, gain: Any, over: Any, level: int) -> None:
    """Compute the values of rolling from those of all dice landed (last nodes of the level) and of one skull more
    (`over`)."""
    up0, up1, up2, up3, up4 = t[a + at.UP], t[a + at.UP + 1], t[a + at.UP + 2], t[a + at.UP + 3], t[a + at.UP + 4]
    for i in range(t[a + at.HEAD][at.FIRST + r.N_DICE - level] - 1, -1, -1):
        gain[i] = (over[i] + gain[up0[i]] + gain[up1[i]] + gain[up2[i]] + gain[up3[i]] + gain[up4[i]]) / 6.0


def _climb(t: Any, a: int, gain: Any, extra: Any, may: Any, best: Any, level: int) -> None:
    """Compute from the values of rolling the value of the best part of these dice that `may` be kept."""
    best[at.NONE] = LOWEST
    d0, d1, d2, d3, d4 = t[a + at.DOWN], t[a + at.DOWN + 1], t[a + at.DOWN + 2], t[a + at.DOWN + 3], t[a + at.DOWN + 4]
    for i in range(t[a + at.HEAD][at.FIRST + at.LEVELS - level]):
        found = gain[i] + extra[i] if may[i] else LOWEST
        found = max(found, best[d0[i]], best[d1[i]], best[d2[i]])
        best[i] = max(found, best[d3[i]], best[d4[i]])


def _sail(head: Any, isle: Any) -> None:
    """FO-14: compute isle[16 + level], the value of rolling again with these skulls on the Island."""
    for level in range(at.LEVELS - 1, -1, -1):
        dice = r.N_DICE - level
        total = 0.0
        for more in range(dice + 1):
            weight = ways(dice, more)
            after = isle[level + more]
            if head[at.ON + at.LEVELS * level + more]:
                after = max(after, isle[16 + level + more])
            total += weight * after
        isle[16 + level] = total / 6.0**dice


def ways(dice: int, skulls: int) -> float:
    """Return in how many ways `skulls` of the dice show a skull."""
    ways = 1.0
    for k in range(skulls):
        ways = ways * (dice - k) / (k + 1)
    return ways * 5.0 ** (dice - skulls)


def best_now(v: Any, b: int, fresh: int, level: int, node: int) -> float:
    """Return the value of a decision with these dice."""
    value = max(v[b + DONE + level][node], v[b + BEST + at.LEVELS * fresh + level][node])
    if fresh and level:
        value = max(value, v[b + AID + level - 1][node])
    return value


def start(t: Any, a: int, v: Any, b: int, island: float) -> float:
    """Return the value of the turn before its first roll; what the Island is worth counts `island` times."""
    head, isle = t[a + at.HEAD], v[b + ISLE]
    fresh = head[at.HELP]
    total = 0.0
    for level in range(at.LEVELS):
        counts = t[a + at.WAYS + level]
        opens = head[at.OPENS + level]
        for i in range(head[at.FIRST + r.N_DICE - level], head[at.FIRST + at.LEVELS - level]):
            if opens == at.DECIDES:
                total += counts[i] * best_now(v, b, fresh, level, i)
            elif opens == at.ISLAND:
                total += island * counts[i] * max(isle[level], isle[16 + level])
            elif opens == at.STRANDED:
                total += island * counts[i] * isle[level]
            else:
                total += counts[i] * v[b + DONE + level][i]
    return total / 6.0**r.N_DICE


def worth_of(state: Any, action: int, t: Any, a: int, v: Any, b: int) -> float:
    """Return the value of a legal decision in `state`, whose card these rows are of."""
    level = state.count[r.SKULL]
    if state.island:
        return v[b + ISLE][level if action == r.STOP else 16 + level]
    row, node = left(state, action, t, a)
    if action == r.STOP:
        return v[b + DONE + level][node]
    return v[b + GAIN + row][node] + v[b + EXTRA + row % at.LEVELS][node]


def left(state: Any, action: int, t: Any, a: int) -> tuple[int, int]:
    """Return what a decision off the Island leaves on the table: LEVELS * fresh + level, and the node."""
    taken = r.SETS[action]
    c = state.count
    vector = r.encode(
        c[r.SWORD] - (taken >> 4 & 15), c[r.MONKEY] - (taken >> 8 & 15), c[r.PARROT] - (taken >> 12 & 15),
        c[r.GOLD] - (taken >> 16 & 15), c[r.DIAMOND] - (taken >> 20 & 15), 0,
    )  # fmt: skip
    fresh = 1 if t[a + at.HEAD][at.HELP] and not state.spell and not taken & 15 else 0
    return at.LEVELS * fresh + c[r.SKULL] - (taken & 15), t[a + at.NODE][vector]
