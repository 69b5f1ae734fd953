"""All games of Sprint, listed from its rulebook alone, with what each measure says of them worked out by hand.

Imports nothing of the product, so that both are written separately. With random players a decision with a choice has
1/2, and so has each side of the coin.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Told:
    """A game: its chance, its decisions and tosses as (seat or -1, action), how many decisions each had, and the points
    after each turn."""

    chance: Fraction
    steps: tuple[tuple[int, int], ...]
    choices: tuple[int, ...]
    faced: tuple[tuple[int, ...], ...]
    points: tuple[tuple[int, ...], ...]

    @property
    def final(self) -> tuple[int, ...]:
        return self.points[-1]

    def shares(self, last: bool = False) -> list[Fraction]:
        top = [seat for seat, points in enumerate(self.final) if points == max(self.final)]
        top = top[-1:] if last else top
        return [Fraction(seat in top, len(top)) for seat in range(len(self.final))]

    def leader(self, turn: int) -> int | None:
        ahead = sorted(self.points[turn], reverse=True)
        return self.points[turn].index(ahead[0]) if ahead[0] > ahead[1] else None


def games(players: int, rounds: int = 2, safe: int = 1, risk: int = 3, head: int = 0) -> Iterator[Told]:
    """Yield every game."""

    def play(told: Told) -> Iterator[Told]:
        turn = len(told.points)
        now = told.points[-1] if told.points else (*[0] * (players - 1), head)
        if turn == players * rounds:
            yield told
            return
        seat = turn % players
        view = (seat, *now[seat:], *now[:seat])

        def on(chance: Fraction, steps: tuple[tuple[int, int], ...], gain: int, choices: int) -> Iterator[Told]:
            after = tuple(points + gain * (other == seat) for other, points in enumerate(now))
            return play(Told(told.chance * chance, told.steps + steps, (*told.choices, choices), (*told.faced, view),
                             (*told.points, after)))  # fmt: skip

        if now[seat] >= 4:
            yield from on(Fraction(1), ((seat, 0),), safe, 1)
        else:
            yield from on(HALF, ((seat, 0),), safe, 2)
            yield from on(HALF * HALF, ((seat, 1), (-1, 1)), risk, 2)
            yield from on(HALF * HALF, ((seat, 1), (-1, 0)), 0, 2)

    return play(Told(Fraction(1), (), (), (), ()))


def mean(found: list[tuple[Fraction, float | Fraction]]) -> float:
    """Return the mean of numbers with these weights."""
    return float(sum(weight * Fraction(number) for weight, number in found) / sum(weight for weight, _ in found))


def alone(one: Told) -> bool:
    return max(one.shares()) == 1


def winner(one: Told) -> int:
    return one.final.index(max(one.final))


def widest(one: Told) -> int:
    return max(max(points) - min(points) for points in one.points)


def told(one: Told) -> bool:
    return alone(one) and widest(one) > 0


def leads(one: Told) -> list[int]:
    """The turns (from 1) after which another seat leads than the one that led last."""
    changes, last = [], None
    for turn in range(len(one.points)):
        leader = one.leader(turn)
        if leader is not None:
            if last is not None and leader != last:
                changes.append(turn + 1)
            last = leader
    return changes


def gaps(one: Told) -> list[int]:
    return [max(points) - points[winner(one)] for points in one.points]


def unled(one: Told) -> int:
    return max((turn + 1 for turn in range(len(one.points)) if one.leader(turn) != winner(one)), default=0)


def drama(one: Told) -> float:
    behind = [gap for gap in gaps(one) if gap]
    return sum(map(math.sqrt, behind)) / len(behind) / math.sqrt(widest(one)) if behind else 0.0


def margin(one: Told) -> int:
    best, second = sorted(one.final, reverse=True)[:2]
    return best - second


def measures(listed: list[Told]) -> dict[str, float]:
    """Return what the measures are, over all games with their chances."""

    def each(of: object, where: object = lambda _: True) -> float:
        return mean([(one.chance, of(one)) for one in listed if where(one)])  # type: ignore[operator]

    decisions = each(lambda one: len(one.choices))
    turns = decisions  # each decision of Sprint is a turn
    return {
        "shared-wins": each(lambda one: not alone(one)),
        "unfinished": 0.0,
        "decisions": decisions,
        "turns": turns,
        "steps": each(lambda one: len(one.steps)),
        "minutes": decisions * 10 / 60,
        "branching": each(lambda one: sum(one.choices)) / decisions,
        "choices": 2.0,
        "forced": each(lambda one: one.choices.count(1)) / decisions,
        "repeated": each(lambda one: len(one.faced) - len(set(one.faced))) / decisions,
        "lead-changes": each(lambda one: len(leads(one))),
        "lead-rate": each(lambda one: len(leads(one))) / turns,
        "settled": each(lambda one: Fraction(unled(one), len(one.points)), told),
        "last-lead": each(lambda one: Fraction((leads(one) or [0])[-1], len(one.points))),
        "behind": each(lambda one: Fraction(sum(gap > 0 for gap in gaps(one)), len(one.points)), told),
        "comeback": each(lambda one: Fraction(max(gaps(one)), widest(one)), told),
        "drama": each(drama, told),
        "closeness": each(lambda one: 1 - Fraction(margin(one), widest(one)), told),
        "margin": each(margin, alone),
        "winner-score": each(lambda one: max(one.final)),
        "score-gap": each(lambda one: max(one.final) - min(one.final)),
        "ending level": each(lambda one: not alone(one)),
        "event miss": each(lambda one: (-1, 0) in one.steps),
        "count points": each(lambda one: sum(one.final)),
    } | {f"seat-{seat + 1}": each(lambda one, seat=seat: one.shares()[seat]) for seat in range(len(listed[0].final))}
