"""How everyone stands: points, and what decides among equals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Final

from parlour.house.tournaments.pairing import arena, knock_out, round_robin
from parlour.house.tournaments.pairing.kinds import (
    ARENA,
    KNOCK_OUT,
    ROUND_ROBIN,
    SIMULTANEOUS,
    SWISS,
    UNIT,
    Entrant,
    Form,
    Played,
    Standing,
    seeded,
)  # fmt: skip
from parlour.house.tournaments.pairing.sheet import GAME, Line, Sheet, meetings, points, sheet

BUCHHOLZ: Final = "Buchholz"
SONNEBORN: Final = "Sonneborn-Berger"
DIRECT: Final = "Direct encounter"
WINS: Final = "Wins"
BREAKS: Final[Mapping[str, tuple[str, ...]]] = {  # the tie-breaks of each system, the first first
    ARENA: (WINS,),
    SWISS: (BUCHHOLZ, SONNEBORN, DIRECT),
    ROUND_ROBIN: (DIRECT, WINS, SONNEBORN),
    KNOCK_OUT: (),
    SIMULTANEOUS: (),
}

Facing = Mapping[tuple[int, str], str]  # round and entrant -> the other one at their table
Break = Callable[[str, Sheet, Mapping[str, int]], float]


def standings(form: Form, entrants: Sequence[Entrant], history: Sequence[Played]) -> list[Standing]:
    """Return how everyone stands, the best first. Equals share a place and are listed by strength."""
    if form.system == KNOCK_OUT:
        return _knocked_out(form, entrants, history)
    ranked = [one for one in seeded(form, entrants) if one.id != form.host]
    lines: Sheet = sheet(history)
    gone = _hardly_played(form, ranked, lines)
    if gone:
        lines = {
            one: some if one in gone else _without(one, some, gone, round_robin.facing(form, entrants))
            for one, some in lines.items()
        }
    total = {
        one.id: arena.score(lines.get(one.id, ())) if form.system == ARENA else points(lines.get(one.id, ()))
        for one in ranked
    }
    keys: dict[str, tuple[float, ...]] = {}
    for _, group in groupby(sorted(total, key=lambda one: -total[one]), key=lambda one: total[one]):
        _break(list(group), BREAKS[form.system], lines, total, keys)
    order = sorted((one.id for one in ranked), key=lambda one: (one in gone, -total[one], *(-key for key in keys[one])))
    found: list[Standing] = []
    for place, one in enumerate(order, 1):
        same = found and (found[-1].points, found[-1].breaks) == (total[one] / UNIT, keys[one])
        same = same and (found[-1].id in gone) == (one in gone)
        games = sum(line.kind == GAME for line in lines.get(one, ()))
        found.append(Standing(one, found[-1].place if same else place, total[one] / UNIT, keys[one], games))
    return found


def _break(
    group: Sequence[str],
    names: Sequence[str],
    lines: Sheet,
    total: Mapping[str, int],
    keys: dict[str, tuple[float, ...]],
) -> None:
    """Work out the tie-breaks of those who have equal points. The direct encounter is among those whom the ones before
    it leave equal."""
    for one in group:
        keys[one] = ()
    for name in names:
        if name == DIRECT:
            for _, tied in groupby(sorted(group, key=lambda one: keys[one]), key=lambda one: keys[one]):
                equals = list(tied)
                for one, value in direct(equals, lines).items():
                    keys[one] = (*keys[one], value)
        else:
            for one in group:
                keys[one] = (*keys[one], SINGLE[name](one, lines, total))


def buchholz(one: str, lines: Sheet, total: Mapping[str, int]) -> float:
    """Return the sum of the opponents' points; at a table of more than two, of the mean of the others'. A round without
    opponents counts as one against a player with the same points (FIDE C.07, article 16)."""
    return _rounded(sum(_mean(one, line, total) for line in lines.get(one, ())))


def sonneborn(one: str, lines: Sheet, total: Mapping[str, int]) -> float:
    """Return the sum over games of the share times the opponents' points; at a table of more than two, their mean."""
    return _rounded(sum(line.units / UNIT * _mean(one, line, total) for line in lines.get(one, ())))


def _mean(one: str, line: Line, total: Mapping[str, int]) -> float:
    if line.kind != GAME:
        return total[one] / UNIT
    return sum(total.get(other, 0) for other in line.met) / len(line.met) / UNIT


def _rounded(value: float) -> float:
    return round(value, 6)


def wins(one: str, lines: Sheet, total: Mapping[str, int]) -> float:  # noqa: ARG001 (all breaks are called alike)
    """Return how many games a player won alone, byes and forfeits not counted."""
    return sum(line.kind == GAME and line.units == UNIT for line in lines.get(one, ()))


def direct(tied: Sequence[str], lines: Sheet) -> dict[str, float]:
    """Return the shares that tied players won in games with each other, if all of them have met; 0 otherwise."""
    met = {one: meetings(lines.get(one, ())) for one in tied}
    if len(tied) < 2 or not all(met[one][other] for one in tied for other in tied if one != other):
        return dict.fromkeys(tied, 0.0)
    others = set(tied)
    return {one: sum(line.units for line in lines.get(one, ()) if others & set(line.met)) / UNIT for one in tied}


SINGLE: Final[Mapping[str, Break]] = {BUCHHOLZ: buchholz, SONNEBORN: sonneborn, WINS: wins}


def _hardly_played(form: Form, entrants: Sequence[Entrant], lines: Sheet) -> set[str]:
    """Return the players who left a round robin before half of their games, which then don't count (FIDE's General
    Regulations for Competitions)."""
    if form.system != ROUND_ROBIN:
        return set()
    due = round_robin.games(form, len(entrants))
    return {
        one.id
        for one in entrants
        if one.left is not None and 2 * sum(line.kind == GAME for line in lines.get(one.id, ())) < due
    }


def _without(one: str, lines: Sequence[Line], gone: set[str], facing: Facing) -> list[Line]:
    """Return a player's lines without games and byes against those who are gone, at tables of two; at larger ones the
    others' game counts."""
    return (
        [line for line in lines if not ({*line.met, facing.get((line.round, one), "")} & gone)] if facing else [*lines]
    )


def _knocked_out(form: Form, entrants: Sequence[Entrant], history: Sequence[Played]) -> list[Standing]:
    """Return the standings of a knock-out: by how far each player came, then by the result of the final and of the
    game for third place. Points are the rounds that a player survived."""
    stages = knock_out.stages(form, entrants, history)
    lines = sheet(history)
    keys: dict[str, tuple[int, ...]] = {one.id: (0,) for one in entrants}
    won: Counter[str] = Counter()
    for number, stage in enumerate(stages, 1):
        for one in stage.byes:
            keys[one] = (-number,)
        won.update(stage.byes)
        for table in stage.tables:
            order = dict(table.order)
            for one in table.members:
                if table.label == knock_out.THIRD:
                    keys[one] = (-number + 1, *order.get(one, ()))
                else:
                    keys[one] = (-number, *(order.get(one, ()) if table.label else ()))
            if table.label != knock_out.THIRD:
                won.update(table.on or ())
    ranked = sorted((one.id for one in seeded(form, entrants)), key=lambda one: keys[one])
    found: list[Standing] = []
    for place, one in enumerate(ranked, 1):
        same = found and keys[found[-1].id] == keys[one]
        some = lines.get(one, ())
        games = sum(line.kind == GAME for line in some)
        found.append(Standing(one, found[-1].place if same else place, float(won[one]), (), games))
    return found
