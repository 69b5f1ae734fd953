"""Schedules of tables of more than two in which all meet about equally often, found by a search that has no chance.

No construction is known that gives the most even schedule for every number of players. So rounds are first filled one
by one with those who have met least, and then players of two tables change places all over the schedule (simulated
annealing, as for the social golfer problem).
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from copy import deepcopy
from itertools import combinations
from math import gcd
from typing import Final

STEPS: Final = 12_000  # changes tried for each number of rounds
WARM, COLD = 2.0, 0.1  # the temperatures of the first and the last of them, in squares of meetings
GOOD: Final = 2  # meetings of the pair that meets most, beyond those of the pair that meets least
LONGEST: Final = 2  # how many times the fewest possible rounds are tried

Tables = list[list[int]]
Change = tuple[list[int], int, list[int], int]  # two tables, or one and those who sit out, and who of each


class Design:
    """Rounds of tables, who sits out, and how often each two have met; player `players` is all bots together."""

    def __init__(self, players: int, seats: int, bots: bool) -> None:
        self.players, self.seats = players, seats
        self.out = 0 if bots else players % seats
        self.rounds: list[Tables] = []
        self.resting: list[list[int]] = []
        self.met = [[0] * (players + 1) for _ in range(players + 1)]
        self.squares = 0  # the sum of the squares of all meetings, which is least where they are most even

    def every(self) -> int:
        """Return after how many rounds all can have sat out equally often."""
        return self.players // gcd(self.players, self.out) if self.out else 1

    def fewest(self) -> int:
        """Return how many rounds there must be before all can have met."""
        here = self.players - self.out
        largest = -(-here // -(-here // self.seats))
        least = -(-(self.players - 1) // (largest - 1))
        return -(-least // self.every()) * self.every()

    def extend(self) -> None:
        """Add a round of tables as full as they can be, of those who have met least."""
        first = len(self.rounds) * self.out
        resting = [(first + place) % self.players for place in range(self.out)]
        bots = self.players
        waiting = [one for one in range(self.players) if one not in resting]
        waiting.sort(key=lambda one: (-self.met[one][bots], (one + len(self.rounds)) % self.players))
        number = -(-len(waiting) // self.seats)
        sizes = [len(waiting) // number + (table < len(waiting) % number) for table in range(number)]
        tables: Tables = []
        for size in sizes:
            table = [waiting.pop(0)]
            while len(table) < size:
                chosen = min(waiting, key=lambda one: sum(1 << 3 * min(self.met[one][other], 20) for other in table))
                waiting.remove(chosen)
                table.append(chosen)
            tables.append(table)
            self._count(table, 1)
        self.rounds.append(tables)
        self.resting.append(resting)

    def _count(self, table: Sequence[int], sign: int) -> None:
        met, bots = self.met, self.seats - len(table) if not self.out else 0
        for one, other in combinations(table, 2):
            self.squares += 2 * sign * met[one][other] + 1
            met[one][other] += sign
            met[other][one] += sign
        if bots:
            for one in table:
                self.squares += 2 * sign * bots * met[one][self.players] + bots * bots
                met[one][self.players] += sign * bots

    def least(self) -> int:
        """Return how often the pair met that met least."""
        return min(self.met[one][other] for one, other in combinations(range(self.players), 2))

    def spread(self) -> int:
        """Return how much oftener the pair met that met most."""
        return max(self.met[one][other] for one, other in combinations(range(self.players), 2)) - self.least()

    def anneal(self) -> None:
        """Let players of two tables change places, or two who sit out in two rounds, so that meetings become even."""
        draw = random.Random(self.players * 100 + self.seats).random
        heat, cooling = WARM, (COLD / WARM) ** (1 / STEPS)
        for _ in range(STEPS):
            heat *= cooling
            number = int(draw() * len(self.rounds))
            changes = self._change(number, draw) if draw() >= self.out / self.players else self._rests(number, draw)
            before = self.squares
            self._swap(changes)
            worse = self.squares - before
            if worse > 0 and draw() >= math.exp(-worse / heat):
                self._swap(changes[::-1])

    def _change(self, number: int, draw: Callable[[], float]) -> list[Change]:
        tables = self.rounds[number]
        if len(tables) < 2:
            return []
        first = int(draw() * len(tables))
        second = (first + 1 + int(draw() * (len(tables) - 1))) % len(tables)
        one, two = tables[first], tables[second]
        return [(one, int(draw() * len(one)), two, int(draw() * len(two)))]

    def _rests(self, number: int, draw: Callable[[], float]) -> list[Change]:
        """Return a change by which one player plays where they sat out and another sits out instead, and in another
        round the reverse: so all sit out as often as before."""
        other = int(draw() * len(self.rounds))
        here, there = self.resting[number], self.resting[other]
        coming = [one for one in here if one not in there]
        leaving = [one for one in there if one not in here]
        if not coming:
            return []
        one, two = coming[int(draw() * len(coming))], leaving[int(draw() * len(leaving))]
        first = next(table for table in self.rounds[number] if two in table)
        second = next(table for table in self.rounds[other] if one in table)
        return [
            (first, first.index(two), here, here.index(one)),
            (second, second.index(one), there, there.index(two)),
        ]

    def _swap(self, changes: Sequence[Change]) -> None:
        for one, place, two, other in changes:
            counted = [one] if any(two is resting for resting in self.resting) else [one, two]
            for table in counted:
                self._count(table, -1)
            one[place], two[other] = two[other], one[place]
            for table in counted:
                self._count(table, 1)


def found(players: int, seats: int, bots: bool) -> list[Tables]:
    """Return the tables of each round: as few rounds as give meetings that differ by GOOD at most, otherwise the most
    even of up to LONGEST times the fewest possible. All have met, and all play equally often."""
    whole = Design(players, seats, bots)
    for _ in range(whole.fewest()):
        whole.extend()
    most = LONGEST * whole.fewest()
    tried: list[Design] = []
    while not tried or (tried[-1].spread() > GOOD and len(whole.rounds) < most):
        design = deepcopy(whole)
        if not design.least() or design.spread() > 1:
            design.anneal()
        if design.least():
            tried.append(design)
        for _ in range(whole.every()):
            whole.extend()
    return min(tried, key=lambda one: (one.spread(), len(one.rounds))).rounds
