"""Swiss tournaments: near in score, no meeting again where that can be found, seats even.

Tables of two are paired by the FIDE Dutch System (`dutch`), others as here, and so are those of two where it can't.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from parlour.house.tournaments.pairing import dutch, grouping
from parlour.house.tournaments.pairing.grouping import AGAIN, APART, HARD
from parlour.house.tournaments.pairing.kinds import Bye, Entrant, Form, Paired, Pairing, Played, seeded
from parlour.house.tournaments.pairing.seats import lean, seating
from parlour.house.tournaments.pairing.sheet import Sheet, idle, meetings, playing, points, sheet, short

Apart = Mapping[str, frozenset[str]]  # by player, those with whom they should not be paired


def paired(form: Form, entrants: Sequence[Entrant], history: Sequence[Played], number: int, last: int) -> list[Paired]:
    """Return the tables of round `number` of `last`, the best first, and the byes."""
    before = sheet(history, number)
    if form.seats == 2 and (pairs := dutch.paired(form, entrants, before, number, last)) is not None:
        return [_pair(form, first, second, before, number) for first, second in pairs]
    return grouped(form, entrants, before, number)


def _pair(form: Form, first: str, second: str | None, before: Sheet, number: int) -> Paired:
    if second is not None:
        return Pairing((first, second))
    return Pairing(seating((first, None), before, form.seed, number)) if form.bots else Bye(first)


def grouped(form: Form, entrants: Sequence[Entrant], before: Sheet, number: int) -> list[Paired]:
    """Return the tables of a round, of any size, by score groups."""
    here = playing(entrants, number)
    ranked, apart = ranking(form, here, before), {one.id: one.apart for one in here}
    if form.bots or len(ranked) < form.seats:
        sizes, rest = grouping.even(len(ranked), form.seats), list[str]()
    else:
        rest = sitting_out(ranked, len(ranked) % form.seats, before)
        sizes = [form.seats] * (len(ranked) // form.seats)
    tables = _tables([one for one in ranked if one not in rest], sizes, form.seats, before, apart)
    found: list[Paired] = []
    for table in tables:
        filled = [*table, *[None] * (form.seats - len(table))]
        found.append(Pairing(seating(filled, before, form.seed, number)))
    return [*found, *(Bye(one) for one in rest)]


def ranking(form: Form, entrants: Sequence[Entrant], before: Sheet) -> list[str]:
    """Return the ids by points, then by strength."""
    return [one.id for one in sorted(seeded(form, entrants), key=lambda one: -points(before.get(one.id, ())))]


def sitting_out(ranked: Sequence[str], count: int, before: Sheet) -> list[str]:
    """Return `count` who sit out: those who did so least, and of them the last in the ranking."""
    order = sorted(range(len(ranked)), key=lambda place: (idle(before.get(ranked[place], ())), -place))
    return [ranked[place] for place in sorted(order[:count])]


def _tables(ranked: Sequence[str], sizes: Sequence[int], seats: int, before: Sheet, apart: Apart) -> list[list[str]]:
    """Return tables of these sizes: full ones of those who sat with bots most, others of those who did least."""
    full = [size for size in sizes if size == seats]
    lacking = [size for size in sizes if size < seats]
    order = sorted(range(len(ranked)), key=lambda place: (short(before.get(ranked[place], ())), -place))
    few = {ranked[place] for place in order[: sum(lacking)]}
    found: list[list[str]] = []
    for some, wanted in (
        ([one for one in ranked if one not in few], full),
        ([one for one in ranked if one in few], lacking),
    ):
        if wanted:
            found += _grouped(some, wanted, seats, before, apart)
    return found


def _grouped(ranked: Sequence[str], sizes: Sequence[int], seats: int, before: Sheet, apart: Apart) -> list[list[str]]:
    scores = [points(before.get(one, ())) for one in ranked]
    met = [meetings(before.get(one, ())) for one in ranked]
    leaning = [lean(before.get(one, ())) if seats == 2 else 0 for one in ranked]

    def weight(one: int, other: int) -> int:
        times = met[one][ranked[other]]
        hard = HARD * (leaning[one] * leaning[other] > 0) + APART * (ranked[other] in apart[ranked[one]])
        return AGAIN * times * (times + 1) // 2 + hard + (scores[one] - scores[other]) ** 2

    if sizes[0] == seats:
        groups = [list(group) for _, group in groupby(range(len(ranked)), key=lambda place: scores[place])]
        start = grouping.folded(groups, seats)
    else:
        start = grouping.snaked(range(len(ranked)), sizes)
    tables = [sorted(table) for table in grouping.improved(start, weight)]
    return [[ranked[place] for place in table] for table in sorted(tables)]
