"""Tables out of a ranking: near in score, and as few meetings again as can be found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Final

AGAIN: Final = 10**9  # what a meeting again costs, more than any distance in score
APART: Final = 3 * AGAIN  # what a meeting of two costs who should be kept apart: as much as a fourth meeting adds
HARD: Final = AGAIN // 8  # the search continues only for costs of this size
EXACT: Final = 12  # players up to whom every way to make tables is tried if the search leaves meetings again
NEAR: Final = (
    48  # places up and down in which the search looks for a partner to change with, before it looks everywhere
)
SWEEPS: Final = 30

Weight = Callable[[int, int], int]  # of two players at one table, by their places in the ranking
Tables = list[list[int]]


def even(count: int, seats: int) -> list[int]:
    """Return the sizes of as few tables as can seat `count` players, the larger first, no two differing by more than
    one."""
    tables = -(-count // seats)
    return [count // tables + (table < count % tables) for table in range(tables)] if tables else []


def folded(groups: Sequence[Sequence[int]], seats: int) -> Tables:
    """Return full tables: each score group in `seats` pots, the strongest in the first, and one of each pot at a table.
    Players who are left over join the next group. The number of players must be a multiple of `seats`."""
    tables: Tables = []
    down: list[int] = []
    for group in groups:
        here = [*down, *group]
        number = len(here) // seats
        tables += [[here[table + number * pot] for pot in range(seats)] for table in range(number)]
        down = here[number * seats :]
    assert not down
    return tables


def snaked(order: Sequence[int], sizes: Sequence[int]) -> Tables:
    """Return tables of these sizes, to which the order is dealt there and back, so that all are about as strong."""
    tables: Tables = [[] for _ in sizes]
    turn, step = 0, 1
    for one in order:
        while len(tables[turn]) >= sizes[turn]:
            turn, step = _next(turn, step, len(sizes))
        tables[turn].append(one)
        turn, step = _next(turn, step, len(sizes))
    return tables


def _next(turn: int, step: int, number: int) -> tuple[int, int]:
    return (turn + step, step) if 0 <= turn + step < number else (turn, -step)


def cost(tables: Tables, weight: Weight) -> int:
    """Return what the tables cost: the weight of each two who share one."""
    return sum(weight(one, other) for table in tables for one, other in combinations(table, 2))


def improved(tables: Tables, weight: Weight) -> Tables:
    """Return better tables of the same sizes, if they are found by letting two players change places.

    Every change makes the cost smaller, so it ends. Up to EXACT players, what is returned has as few meetings again as
    there can be; beyond, as few as the search finds.
    """
    tables = [list(table) for table in tables]
    where = {one: table for table, members in enumerate(tables) for one in members}
    for _ in range(SWEEPS):
        if not _sweep(tables, where, weight):
            break
    if len(where) <= EXACT and cost(tables, weight) >= HARD:
        return _best(sorted(where), [len(table) for table in tables], weight, tables)
    return tables


def _sweep(tables: Tables, where: dict[int, int], weight: Weight) -> bool:
    """Change each player who meets another again with the one who helps most; return whether anything changed."""
    changed = False
    players = sorted(where)
    for place, one in enumerate(players):
        if not any(weight(one, other) >= HARD for other in tables[where[one]] if other != one):
            continue
        near = players[max(0, place - NEAR) : place + NEAR + 1]
        for others in (near, players) if len(near) < len(players) else (near,):
            if (other := _partner(one, others, tables, where, weight)) is not None:
                _change(one, other, tables, where)
                changed = True
                break
    return changed


def _partner(one: int, others: Sequence[int], tables: Tables, where: dict[int, int], weight: Weight) -> int | None:
    best, found = 0, None
    here = where[one]
    company = [other for other in tables[here] if other != one]
    now = sum(weight(one, other) for other in company)
    for other in others:
        if where[other] == here:
            continue
        there = [third for third in tables[where[other]] if third != other]
        gain = now + sum(weight(other, third) for third in there)
        gain -= sum(weight(other, third) for third in company) + sum(weight(one, third) for third in there)
        if gain > best:
            best, found = gain, other
    return found


def _change(one: int, other: int, tables: Tables, where: dict[int, int]) -> None:
    first, second = where[one], where[other]
    tables[first][tables[first].index(one)] = other
    tables[second][tables[second].index(other)] = one
    where[one], where[other] = second, first


def _best(players: Sequence[int], sizes: Sequence[int], weight: Weight, known: Tables) -> Tables:
    """Return the cheapest tables of these sizes, by looking at all that can still be cheaper than `known`."""
    best, found = cost(known, weight), known
    ordered = sorted(sizes, reverse=True)

    def extend(left: tuple[int, ...], made: Tables, so_far: int, sizes_left: tuple[int, ...]) -> None:
        nonlocal best, found
        if so_far >= best:
            return
        if not left:
            best, found = so_far, [list(table) for table in made]
            return
        first, rest = left[0], left[1:]
        for size in sorted(set(sizes_left), reverse=True):
            remaining = list(sizes_left)
            remaining.remove(size)
            for others in combinations(rest, size - 1):
                table = [first, *others]
                more = sum(weight(one, other) for one, other in combinations(table, 2))
                extend(tuple(one for one in rest if one not in others), [*made, table], so_far + more, tuple(remaining))

    extend(tuple(players), [], 0, tuple(ordered))
    return found
