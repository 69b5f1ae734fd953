"""Arenas: players who wait are paired with others near in score and rating, not with their last opponent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from parlour.house.tournaments.pairing import grouping
from parlour.house.tournaments.pairing.grouping import AGAIN, APART, HARD
from parlour.house.tournaments.pairing.kinds import UNIT, Entrant, Form, Paired, Pairing, Played, seeded
from parlour.house.tournaments.pairing.seats import lean, seating
from parlour.house.tournaments.pairing.sheet import ABSENT, GAME, Line, Sheet, sheet

WIN: Final = 2  # points for a whole win; a shared one brings its part
FIRE: Final = 2  # wins in a row after which every game counts double, until one is not won
PATIENCE: Final = 2  # waves after which bots fill a table for which too few wait
TRIES: Final = 12  # players tried in turn as the one left out, so that no two who have just played meet


def paired(form: Form, waiting: Sequence[Entrant], history: Sequence[Played], number: int) -> list[Paired]:
    """Return tables for those who wait, in wave `number`. Others wait on, those first who have waited least."""
    before = sheet(history)
    ranked = sorted(seeded(form, waiting), key=lambda one: -score(before.get(one.id, ())))
    if len(ranked) < form.seats:
        if not form.bots or max((one.waited for one in ranked), default=0) < PATIENCE:
            return []
        table = [*(one.id for one in ranked), *[None] * (form.seats - len(ranked))]
        return [Pairing(seating(table, before, form.seed, number))]
    tables = _tables(form, ranked, before)
    return [Pairing(seating([one.id for one in table], before, form.seed, number)) for table in tables]


def _tables(form: Form, ranked: Sequence[Entrant], before: Sheet) -> list[list[Entrant]]:
    number = len(ranked) // form.seats
    left = len(ranked) % form.seats
    order = sorted(range(len(ranked)), key=lambda place: (ranked[place].waited, -place))
    best, found, stuck = -1, list[list[Entrant]](), False
    for first in range(TRIES if left else 1):
        out = order[first : first + left]
        waited = [ranked[place].waited for place in out]
        if len(out) < left or (waited > [ranked[place].waited for place in order[:left]] and not stuck):
            break  # those stay behind who have waited least, unless the others can't be kept apart
        some = [one for place, one in enumerate(ranked) if place not in out]
        weight = Weights(some, before, form.seats)
        start = [list(range(table * form.seats, (table + 1) * form.seats)) for table in range(number)]
        tables = grouping.improved(start, weight)
        cost = grouping.cost(tables, weight)
        if best < 0 or cost // HARD < best // HARD:
            best, found = cost, [[some[place] for place in sorted(table)] for table in sorted(tables)]
            stuck = any(map(_apart, found))
        if best < HARD:
            break
    return [table for table in found if _may_begin(table, before)]


class Weights:
    """What two of those who wait cost at one table: that they should be apart, their last game together, seats that
    lean alike, then their distance in the ranking."""

    def __init__(self, ranked: Sequence[Entrant], before: Sheet, seats: int) -> None:
        self._ids = [one.id for one in ranked]
        self._apart = [one.apart for one in ranked]
        self._last = [frozenset(last_met(before.get(one, ()))) for one in self._ids]
        self._lean = [0] * len(ranked)
        if seats == 2:
            self._lean = [lean(before.get(one, ())) for one in self._ids]

    def __call__(self, one: int, other: int) -> int:
        again = self._ids[other] in self._last[one] or self._ids[one] in self._last[other]
        kept = APART * (self._ids[other] in self._apart[one])
        return kept + AGAIN * again + HARD * (self._lean[one] * self._lean[other] > 0) + (one - other) ** 2


def last_met(lines: Sequence[Line]) -> tuple[str, ...]:
    """Return whom a player met in their last game."""
    return next((line.met for line in reversed(lines) if line.kind == GAME), ())


def _may_begin(table: Sequence[Entrant], before: Sheet) -> bool:
    """Return whether a table may begin now: not right after a game of the same players, as others may come; and not
    with two who should be apart, unless it is a larger one at which someone has waited PATIENCE waves."""
    waited = max(one.waited for one in table)
    if _apart(table):
        return len(table) > 2 and waited >= PATIENCE
    return waited > 0 or not _again(table, before)


def _apart(table: Sequence[Entrant]) -> bool:
    """Return whether two of the table should be kept apart."""
    ids = {one.id for one in table}
    return any(ids & one.apart for one in table)


def _again(table: Sequence[Entrant], before: Sheet) -> bool:
    """Return whether all of the table have just played with each other."""
    ids = {one.id for one in table}
    return all(ids - {one.id} <= set(last_met(before.get(one.id, ()))) for one in table)


def score(lines: Sequence[Line]) -> int:
    """Return the points of an arena, in sixtieths: for each game WIN times the share, doubled on fire.

    A player who has won FIRE games in a row is on fire until the first game that they do not win alone. A win by
    forfeit continues the row; a missed game ends it.
    """
    total = row = 0
    for line in lines:
        total += line.units * WIN * (2 if row >= FIRE else 1)
        if line.kind == ABSENT or line.units < UNIT:
            row = 0
        else:
            row += 1
    return total
