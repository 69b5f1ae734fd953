"""The best turn of Fortune in exact fractions: policy iteration, started from the choices that turn.py found.

All values of a level (lattice.py) are whole numbers over one denominator. For dice that roll, the denominator is
multiplied by six for each missing die. The values of decisions that lead back to each other are solved for by
elimination in whole numbers (Bareiss). Nothing is rounded and no choice is taken on trust: if an exact value shows a
better choice, that is taken and the level solved again. Plain Python, with the tables as lists.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

from parlour.games.fortune import rules as r
from parlour.games.fortune.study import lattice as at
from parlour.games.fortune.study import turn

Table = list[list[int]]
SIXES = [6**n for n in range(r.N_DICE + 1)]


@dataclass
class Level:
    """The values of a level: gain[node] over bottom * 6 ** (dice missing), best[node] over bottom * 6 ** 8."""

    bottom: int
    gain: list[int]
    best: list[int | None]


class Turn:
    """A card's turn; t and v are the rows of lattice.py and of turn.py for it, solved in points."""

    def __init__(self, t: Table, v: list[list[float]]) -> None:
        self.t, self.v, self.head = t, v, t[at.HEAD]
        self.size = [r.SIZE[t[at.RANK][i]] for i in range(self.head[at.NODES])]
        self.levels: dict[int, Level] = {}
        self.aid: list[Level | None] = [None] * at.LEVELS
        self.risk = self._risks()

    def value(self) -> Fraction:
        """Return the expected points of the turn, the Island counted as none."""
        fresh_rows = range(1 + self.head[at.HELP])
        for fresh in fresh_rows:
            for level in range(at.LEVELS - 1, -1, -1):
                self.levels[at.LEVELS * fresh + level] = self._settle(fresh, level)
            if not fresh:
                for level in range(at.LEVELS):
                    found = self.levels[level]
                    best = self._climb(found.bottom, found.gain, level, self.t[at.FREE + level])
                    self.aid[level] = Level(found.bottom, found.gain, best)
        total = Fraction(0)
        for level in range(at.LEVELS):
            for i in self._landed(level):
                if self.head[at.OPENS + level] == at.DECIDES:
                    total += self.t[at.WAYS + level][i] * self._best_now(fresh_rows[-1], level, i)
                elif self.head[at.OPENS + level] == at.OVER:
                    total += self.t[at.WAYS + level][i] * self.t[at.WORTH + level][i]
        return Fraction(total, SIXES[r.N_DICE])

    def _landed(self, level: int) -> range:
        return range(self.head[at.FIRST + r.N_DICE - level], self.head[at.FIRST + at.LEVELS - level])

    def _best_now(self, fresh: int, level: int, node: int) -> Fraction:
        found = max(Fraction(self.t[at.WORTH + level][node]), self._aided(fresh, level, node))
        row = self.levels[at.LEVELS * fresh + level]
        best = row.best[node] if level <= r.N_DICE - 2 else None
        return found if best is None else max(found, Fraction(best, row.bottom * SIXES[r.N_DICE]))

    def _aided(self, fresh: int, level: int, node: int) -> Fraction:
        """Return the value of the Sorceress's help, or of stopping if she cannot help."""
        row = self.aid[level - 1] if fresh and level else None
        best = row.best[node] if row else None
        if row is None or best is None:
            return Fraction(self.t[at.WORTH + level][node])
        return Fraction(best, row.bottom * SIXES[r.N_DICE])

    def _risks(self) -> list[list[int]]:
        """Return risk[level][node], over 6 ** (dice missing): the chance that the next roll disqualifies."""
        rows = [[0] * (self.head[at.NODES] + 1) for _ in range(at.LEVELS)]
        for level in range(at.LEVELS - 1, -1, -1):
            for i in self._landed(level):
                rows[level][i] = 0 if self.head[at.LIVE + level] else 1
            self._spread(rows[level], rows[min(level + 1, at.LEVELS - 1)], level)
        return rows

    def _spread(self, gain: list[int], over: list[int], level: int) -> None:
        for i in range(self.head[at.FIRST + r.N_DICE - level] - 1, -1, -1):
            gain[i] = over[i] + sum(gain[self.t[at.UP + face][i]] for face in range(r.N_OBJECTS))

    def _climb(self, bottom: int, gain: list[int], level: int, may: list[int]) -> list[int | None]:
        """Return best[node] of a level; None if no part of the dice may be kept."""
        best: list[int | None] = [None] * len(self.size)
        if level > r.N_DICE - 2:
            return best
        for i in range(self.head[at.FIRST + at.LEVELS - level]):
            found = []
            if may[i]:
                found.append(self._kept(bottom, gain, level, i) * SIXES[level + self.size[i]])
            for face in range(r.N_OBJECTS):
                less = self.t[at.DOWN + face][i]
                if less != at.NONE and (known := best[less]) is not None:
                    found.append(known)
            best[i] = max(found, default=None)
        return best

    def _kept(self, bottom: int, gain: list[int], level: int, node: int) -> int:
        """Return the value of rolling what is missing, over bottom * 6 ** (dice missing)."""
        if not self.head[at.SAFE]:
            return gain[node]
        return gain[node] + bottom * self.t[at.KEPT + level][node] * self.risk[level][node]

    def _settle(self, fresh: int, level: int) -> Level:
        """Return the values of one level; those of more skulls are known."""
        row = at.LEVELS * fresh + level
        over = self.levels.get(row + 1) if level < at.LEVELS - 1 else None
        nodes = self.head[at.NODES] + 1
        if self.head[at.LIVE + row] != at.DECIDES:
            values = {
                i: Fraction(0 if self.head[at.SAFE] else self.t[at.WORTH + level][i]) for i in self._landed(level)
            }
            return self._level(values, over, level, nodes)
        fixed = {
            i: max(Fraction(self.t[at.WORTH + level][i]), self._aided(fresh, level, i)) for i in self._landed(level)
        }  # fmt: skip
        choices = {i: node for i in fixed if (node := self._first_choice(row, i)) is not None}
        while True:
            found = self._level({**fixed, **self._solve(choices, fixed, over, level)}, over, level, nodes)
            better = False
            for i in fixed:
                best = found.best[i]
                if best is not None and best > found.gain[i] * SIXES[r.N_DICE]:
                    choices[i] = self._part(found, level, i)
                    better = True
            if not better:
                return found

    def _level(self, values: dict[int, Fraction], over: Level | None, level: int, nodes: int) -> Level:
        bottom = lcm(over.bottom if over else 1, *(value.denominator for value in values.values()))
        gain = [0] * nodes
        for i, value in values.items():
            gain[i] = value.numerator * (bottom // value.denominator)
        more = [number * (bottom // over.bottom) for number in over.gain] if over else gain
        self._spread(gain, more, level)
        return Level(bottom, gain, self._climb(bottom, gain, level, self.t[at.ROLL + level]))

    def _first_choice(self, row: int, node: int) -> int | None:
        """Return the dice that turn.py keeps of these; None if it would not re-roll any on this level."""
        level = row % at.LEVELS
        best, gain, extra = self.v[turn.BEST + row], self.v[turn.GAIN + row], self.v[turn.EXTRA + level]
        if level > r.N_DICE - 2 or best[node] < gain[node] or best[node] <= self.v[turn.DONE + level][node]:
            return None
        while not (self.t[at.ROLL + level][node] and gain[node] + extra[node] >= best[node]):
            less = [self.t[at.DOWN + face][node] for face in range(r.N_OBJECTS)]
            node = next(i for i in less if i != at.NONE and best[i] >= best[node])
        return node

    def _part(self, found: Level, level: int, node: int) -> int:
        """Return the dice that exact values keep of these."""
        best = found.best
        while True:
            here = best[node]
            if self.t[at.ROLL + level][node]:
                value = self._kept(found.bottom, found.gain, level, node) * SIXES[level + self.size[node]]
                if value == here:
                    return node
            less = [self.t[at.DOWN + face][node] for face in range(r.N_OBJECTS)]
            node = next(i for i in less if i != at.NONE and best[i] == here)

    def _solve(
        self, choices: dict[int, int], fixed: dict[int, Fraction], over: Level | None, level: int
    ) -> dict[int, Fraction]:  # fmt: skip
        """Return the values of the dice that are re-rolled, if what is kept of them is what `choices` says."""
        unknown = sorted(set(choices.values()))  # one for each set of dice that is kept, not for each decision
        place = {node: k for k, node in enumerate(unknown)}
        equations = []
        for k, node in enumerate(unknown):
            missing = r.N_DICE - level - self.size[node]
            row = [0] * len(unknown)
            row[k] = SIXES[missing]
            constant = Fraction(self.t[at.KEPT + level][node] * self.risk[level][node] if self.head[at.SAFE] else 0)
            ways = {node: 1}
            for size in range(self.size[node], r.N_DICE - level):
                for i in [i for i in ways if self.size[i] == size]:
                    if over:
                        constant += Fraction(ways[i] * over.gain[i], over.bottom)
                    for face in range(r.N_OBJECTS):
                        up = self.t[at.UP + face][i]
                        ways[up] = ways.get(up, 0) + ways[i]
            for i in self._landed(level):
                if i in choices:
                    row[place[choices[i]]] -= ways.get(i, 0)
                else:
                    constant += ways.get(i, 0) * fixed[i]
            equations.append(([number * constant.denominator for number in row], constant.numerator))
        values = eliminate(equations)
        return {i: values[place[node]] for i, node in choices.items()}


def eliminate(equations: list[tuple[list[int], int]]) -> list[Fraction]:
    """Solve n equations (coefficients, constant) in n unknowns, diagonally dominant, exactly (Bareiss 1968)."""
    rows = [[*row, constant] for row, constant in equations]
    rows = [[number // gcd(*row) for number in row] for row in rows]
    n, before = len(rows), 1
    for k in range(n):
        pivot = rows[k]
        for row in rows[k + 1 :]:
            factor = row[k]
            for j in range(k + 1, n + 1):
                row[j] = (row[j] * pivot[k] - factor * pivot[j]) // before
            row[k] = 0
        before = pivot[k]
    values = [Fraction(0)] * n
    for k in range(n - 1, -1, -1):
        rest = rows[k][n] - sum(rows[k][j] * values[j] for j in range(k + 1, n) if rows[k][j])
        values[k] = Fraction(rest) / rows[k][k]
    return values
