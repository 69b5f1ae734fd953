"""The order of seats: everyone should have each equally often, as moving first may be worth something."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from parlour.house.tournaments.pairing.kinds import lot
from parlour.house.tournaments.pairing.sheet import GAME, Line, Sheet

STEEP = 16  # how much worse each further time on a seat is than the one before
LEAN = 2  # a surplus of games on one of two seats that decides whom a player may meet
MOST = 8  # beyond this surplus over the rarest seat, a seat costs no more


def seating(table: Sequence[str | None], sheet: Sheet, seed: int, number: int) -> tuple[str | None, ...]:
    """Return the table in seat order, so that the seats of everyone are as even as they can be made here.

    Each player has a cost for each seat: how often they had it beyond their rarest, steeply; then, whether it is where
    they sat last. The cheapest order is found among all. Lots of `seed` and round `number` decide among equals.
    """
    size = len(table)
    costs = [_costs(one, size, sheet, seed, number) for one in table]
    best: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}  # seats taken, as bits, by the first players
    for cost in costs:
        longer: dict[int, tuple[int, tuple[int, ...]]] = {}
        for taken, (so_far, order) in best.items():
            for seat in range(size):
                if not taken >> seat & 1:
                    found = (so_far + cost[seat], (*order, seat))
                    key = taken | 1 << seat
                    if key not in longer or found < longer[key]:
                        longer[key] = found
        best = longer
    order = best[(1 << size) - 1][1]
    seated = dict(zip(order, table, strict=True))
    return tuple(seated[seat] for seat in range(size))


def _costs(one: str | None, size: int, sheet: Sheet, seed: int, number: int) -> list[int]:
    if one is None:
        return [0] * size
    had, last = counts(sheet.get(one, ()), size)
    rarest = min(had)
    drawn = lot(seed, number, one)
    return [
        (2 * STEEP ** min(times - rarest, MOST) + (seat == last)) * 1024 + (drawn >> 8 * seat) % 128
        for seat, times in enumerate(had)
    ]


def counts(lines: Sequence[Line], size: int) -> tuple[list[int], int]:
    """Return how often a player sat on each of `size` seats, against other entrants, and where last (-1: nowhere)."""
    had, last = [0] * size, -1
    for line in lines:
        if line.kind == GAME and line.seat < size:
            had[line.seat] += 1
            last = line.seat
    return had, last


def lean(lines: Sequence[Line]) -> int:
    """Return 1 for a player who had the first of two seats LEAN times more often or more, -1 for the second, 0 for
    others."""
    had, _ = counts(lines, 2)
    return (had[0] - had[1] >= LEAN) - (had[1] - had[0] >= LEAN)


def surplus(sheet: Mapping[str, Sequence[Line]], one: str, size: int) -> int:
    """Return how many times more often a player had their commonest seat than their rarest."""
    had, _ = counts(sheet.get(one, ()), size)
    return max(had) - min(had)
