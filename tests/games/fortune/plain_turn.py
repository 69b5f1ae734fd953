"""The best turn of Fortune, a second time: written from the clauses, with nothing of the rules' code or the solver's.

Dice are tuples of how many show each face, all 1,287 of them, and no two faces are ever taken for alike. Values are
repeated until they stand still; the choices they lead to can then be held against an exact fraction, modulo a prime.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.games.fortune.plain import plain_bust, plain_stop

FACES = ("skull", "sword", "monkey", "parrot", "gold", "diamond")
Dice = tuple[int, ...]  # how many show each face, skulls first
DEFAULT = {"must_keep_one": "false", "card_skull_spoils_chest": "false", "sorceress_alone": "false"} | {
    "storm_scoring": "flat", "truce_on_bust": "penalty",
}  # fmt: skip
ALL = 6**8
STOP, REROLL, HELP = 0, 1, 2


def card_skulls(card: str) -> int:
    """FO-22."""
    return int(card[-1]) if card.startswith("skulls-") else 0


@cache
def throws(dice: int) -> list[tuple[Dice, int]]:
    """FO-1: return all that this number of dice can show, and in how many ways."""
    found = []
    for shown in combinations_with_replacement(range(6), dice):
        counts = tuple(shown.count(face) for face in range(6))
        found.append((counts, factorial(dice) // prod(factorial(n) for n in counts)))
    return found


def names(dice: Dice) -> list[str]:
    """One word for each die."""
    return [face for face, n in zip(FACES, dice, strict=True) for _ in range(n)]


def reaches_island(dice: Dice, card: str) -> bool:
    """FO-13: four or more skulls at the first roll, the card's included, unless the card is a Sea Battle."""
    return dice[0] + card_skulls(card) >= 4 and not card.startswith("sea-battle-")


@cache
def island_losses(card: str) -> dict[int, Fraction]:
    """FO-13 to FO-15, FO-17, FO-23: what each opponent loses -> its chance, over all first rolls, when the player rolls
    on as long as they may (it never costs them anything). First rolls that do not lead there are left out."""
    found: dict[int, Fraction] = {}

    def leave(skulls: int, chance: Fraction) -> None:
        loss = 100 * (skulls + card_skulls(card)) * (2 if card == "captain" else 1)
        found[loss] = found.get(loss, Fraction(0)) + chance

    def ashore(skulls: int, rolls: int, chance: Fraction) -> None:
        dice = 8 - skulls
        if dice < 2 or (card == "storm" and rolls == 2):
            leave(skulls, chance)
            return
        for more in range(dice + 1):
            part = chance * comb(dice, more) * 5 ** (dice - more) / 6**dice
            if more:
                ashore(skulls + more, rolls + 1, part)
            else:
                leave(skulls, part)

    for dice, ways in throws(8):
        if reaches_island(dice, card):
            ashore(dice[0], 1, Fraction(ways, ALL))
    return found


@dataclass(frozen=True)
class Lattice:
    """What does not depend on the card. `landed`: eight dice; `lying`: dice that stay while two or more roll, or one.

    A row of `into`, `ways` (over 6 ** 8) from starts[k] on is what lying[k] comes to; rows of `plain` and `helped` are
    what may be kept of landed[i] at a re-roll without and with one skull, filled up with len(lying).
    """

    landed: list[Dice]
    lying: list[Dice]
    starts: NDArray[Any]
    into: NDArray[Any]
    ways: NDArray[Any]
    plain: NDArray[Any]
    helped: NDArray[Any]


@cache
def lattice() -> Lattice:
    """Everything that dice can lie and land as."""
    landed = [dice for dice, _ in throws(8)]
    place = {dice: i for i, dice in enumerate(landed)}
    lying = [dice for n in range(8) for dice, _ in throws(n) if dice[0] <= 3]
    number = {dice: k for k, dice in enumerate(lying)}
    starts, into, ways = [], [], []
    for kept in lying:
        starts.append(len(into))
        for more, count in throws(8 - sum(kept)):
            into.append(place[tuple(a + b for a, b in zip(kept, more, strict=True))])
            ways.append(count * 6 ** sum(kept))
    rows: tuple[list[list[int]], list[list[int]]] = ([], [])
    for dice in landed:
        for taken, row in enumerate(rows):
            row.append([])
            if taken <= dice[0] <= 3 + taken:
                for objects in product(*(range(n + 1) for n in dice[1:])):
                    kept = (dice[0] - taken, *objects)
                    if sum(kept) < 8 and kept[0] <= 3:
                        row[-1].append(number[kept])

    def filled(row: list[list[int]]) -> NDArray[Any]:
        width = max(map(len, row))
        return np.array([parts + [len(lying)] * (width - len(parts)) for parts in row])

    return Lattice(
        landed, lying, np.array(starts), np.array(into), np.array(ways), filled(rows[0]), filled(rows[1])
    )  # fmt: skip


class PlainTurn:
    """A card's turn at a table with these options.

    `gain` values what the turn may be worth (points, unless given) and `loss` what the Island may cost each opponent;
    the higher, the better for the player. `loss` counts for no other choice, as only the first roll leads there.
    """

    def __init__(
        self, card: str, options: Mapping[str, str] | None = None, gain: Callable[[int], float] = float,
        loss: Callable[[int], float] = lambda _: 0.0, precise: float = 1e-11,
    ) -> None:  # fmt: skip
        self.card, self.options, self.gain, self.loss = card, DEFAULT | dict(options or {}), gain, loss
        self.lattice = lattice()
        self.totals = np.array([dice[0] + card_skulls(card) for dice in self.lattice.landed])
        self.stops = [self._stop(dice) for dice in self.lattice.landed]
        self.fresh = card == "sorceress"
        self.plain, self.helped = self._allowed()
        self._solve(precise)
        self._sums: dict[int, int] = {}  # by prime

    def value(self) -> float:
        """Before the first roll. On the Island as `loss` has it."""
        island = sum(float(chance) * self.loss(loss) for loss, chance in island_losses(self.card).items())
        total = 0.0
        for i, (dice, ways) in enumerate(throws(8)):
            if not reaches_island(dice, self.card):
                total += ways * float(self.landing[self.fresh][i])
        return total / ALL + island

    def _stop(self, dice: Dice) -> int:
        """FO-7, FO-8: return what the turn is worth if it ends with these dice; FO-16 is not in it."""
        if dice[0] + card_skulls(self.card) >= 3:
            return plain_bust(names(dice), [], self.card, self.options)
        return plain_stop(names(dice), self.card, self.options)

    def _allowed(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """FO-6, FO-18: `plain` and `helped` of the lattice, without what this card and these options forbid."""
        none = len(self.lattice.lying)
        size = np.array([*(sum(dice) for dice in self.lattice.lying), 99])
        plain = np.where(size[self.lattice.plain] <= 6, self.lattice.plain, none)
        plain[self.totals >= 3] = none
        most = 7 if self.options["sorceress_alone"] == "true" else 6
        helped = np.where(size[self.lattice.helped] <= most, self.lattice.helped, none)
        helped[self.totals > 3] = none
        if self.card != "sorceress":
            helped[:] = none
        if self.options["must_keep_one"] == "true":
            plain[size[plain] == 0] = none
            helped[size[helped] == 0] = none
        return plain, helped

    def _solve(self, precise: float) -> None:
        """`landing[fresh][i]`: the value of landed[i]; `rolling[fresh][k]`: of rolling all but lying[k]."""
        lying = self.lattice.lying
        stop = np.array([self.gain(worth) for worth in self.stops])
        bust = np.repeat(
            self.totals[:, None] >= 3, 2, 1
        )  # by what has landed, and whether the Sorceress can still help
        bust[:, 1] &= (self.totals != 3) | (not self.fresh)
        sizes = np.diff([*self.lattice.starts, len(self.lattice.into)])
        chest = np.zeros(len(lying))  # FO-16: what a disqualification leaves
        if self.card == "treasure-chest":
            chest[:] = [
                self.gain(plain_bust([], names((0, *dice[1:])), self.card, self.options)) for dice in lying
            ]  # fmt: skip
        held = np.repeat(chest, sizes)
        self.landing, self.rolling = [stop, stop], [np.zeros(len(lying)), np.zeros(len(lying))]

        def roll(fresh: int, landing: NDArray[Any]) -> NDArray[Any]:
            ends = landing[self.lattice.into]
            if self.card == "treasure-chest":
                ends = np.where(bust[self.lattice.into, fresh], held, ends)
            return np.add.reduceat(ends * self.lattice.ways, self.lattice.starts) / ALL

        for fresh in range(1 + self.fresh):
            landing = stop
            while True:
                rolling = roll(fresh, landing)
                ends = [stop, np.append(rolling, -np.inf)[self.plain].max(1)]
                if fresh:
                    ends.append(np.append(self.rolling[0], -np.inf)[self.helped].max(1))
                better = np.where(bust[:, fresh], stop, np.max(ends, 0))
                change = np.abs(better - landing).max()
                landing = better
                if change <= precise or self.card == "storm":  # FO-23: after the second roll there is no third
                    break
            self.landing[fresh], self.rolling[fresh] = landing, rolling

    # What follows from the choices ---------------------------------------------------------------------
    def disqualified(self) -> float:
        """FO-7: return the chance to be disqualified, before the first roll."""
        none = len(self.lattice.lying)
        over = [(self.totals >= 3).astype(float)] * 2
        rolling = [np.zeros(none), np.zeros(none)]
        for fresh in range(1 + self.fresh):
            how, kept = map(np.array, zip(*self.choices[fresh], strict=True))
            landing = over[fresh]
            while True:
                rolling[fresh] = (
                    np.add.reduceat(landing[self.lattice.into] * self.lattice.ways, self.lattice.starts) / ALL
                )
                helped = rolling[0][kept]
                better = np.where(how == STOP, self.totals >= 3, np.where(how == HELP, helped, rolling[fresh][kept]))
                change = np.abs(better - landing).max()
                landing = better
                if change < 1e-14 or self.card == "storm":
                    break
            over[fresh] = landing
        chances = over[self.fresh]
        return sum(
            ways * float(chances[i]) for i, (dice, ways) in enumerate(throws(8)) if not reaches_island(dice, self.card)
        ) / ALL  # fmt: skip

    def agrees(self, fraction: Fraction, prime: int) -> bool:
        """Return whether `fraction` is, modulo a prime below 2 ** 31, the value in points of the choices found."""
        total = self._sums.get(prime)
        if total is None:
            total = self._sums[prime] = self._sum(prime)
        return (fraction.numerator * ALL - fraction.denominator * total) % prime == 0 != fraction.denominator % prime

    def _sum(self, prime: int) -> int:
        """Return the value in points over all ways to roll, modulo a prime."""
        known: list[dict[int, int]] = [{}, {}]  # the value of rolling, by number of what lies
        for fresh in range(1 + self.fresh):
            for skulls in range(3, -1, -1):
                self._eliminate(fresh, skulls, known, prime)
        total = 0
        for i, (dice, ways) in enumerate(throws(8)):
            if not reaches_island(dice, self.card):
                how, kept = self.choices[self.fresh][i]
                total += ways * (self.stops[i] if how == STOP else known[0 if how == HELP else self.fresh][kept])
        return total

    @cached_property
    def choices(self) -> list[list[tuple[int, int]]]:
        """choices[fresh][i]: the best decision with landed[i], and what it leaves lying. Of equals the first."""
        return [[self._choice(fresh, i) for i in range(len(self.lattice.landed))] for fresh in range(2)]

    def _choice(self, fresh: int, i: int) -> tuple[int, int]:
        found = [(self.gain(self.stops[i]), STOP, 0)]
        for how, rows, table in ((REROLL, self.plain, fresh), (HELP, self.helped, 0)):
            if how == REROLL or fresh:
                values = np.append(self.rolling[table], -np.inf)[rows[i]]
                best = int(values.argmax())
                found.append((float(values[best]), how, int(rows[i][best])))
        most = max(value for value, _, _ in found)
        return next((how, kept) for value, how, kept in found if value >= most - 1e-9)

    def _eliminate(self, fresh: int, skulls: int, known: list[dict[int, int]], prime: int) -> None:
        """Compute the values of rolling with this number of skulls kept, modulo a prime; those of more are known."""
        lying, starts = self.lattice.lying, [*self.lattice.starts, len(self.lattice.into)]
        asked = {kept for how, kept in self.choices[fresh] if how == REROLL}
        if not fresh and self.fresh:
            asked |= {kept for how, kept in self.choices[1] if how == HELP}
        unknown = sorted(kept for kept in asked if lying[kept][0] == skulls)
        column = {kept: j for j, kept in enumerate(unknown)}
        rows = np.zeros((len(unknown), len(unknown) + 1), np.int64)
        for kept, j in column.items():
            rows[j, j] = ALL
            for e in range(starts[kept], starts[kept + 1]):
                i, ways = int(self.lattice.into[e]), int(self.lattice.ways[e])
                how, left = (STOP, 0) if self.card == "storm" else self.choices[fresh][i]
                if how == REROLL and self.lattice.landed[i][0] == skulls:
                    rows[j, column[left]] -= ways
                elif how == STOP:
                    rows[j, -1] += ways * self._worth(i, kept)
                else:
                    rows[j, -1] += ways * known[0 if how == HELP else fresh][left] % prime
        rows %= prime
        for j in range(len(unknown)):
            rows[j] = rows[j] * pow(int(rows[j, j]), -1, prime) % prime
            others = np.arange(len(unknown)) != j
            rows[others] = (rows[others] - rows[others, j, None] * rows[j] % prime) % prime
        for kept, j in column.items():
            known[fresh][kept] = int(rows[j, -1])

    def _worth(self, i: int, kept: int) -> int:
        """Return what the turn is worth if it ends with landed[i], of which lying[kept] did not roll."""
        if self.card == "treasure-chest" and self.totals[i] >= 3:
            return plain_bust([], names((0, *self.lattice.lying[kept][1:])), self.card, self.options)
        return self.stops[i]
