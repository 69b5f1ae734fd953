"""The cross table: what each entrant did in each round, read off the history."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from parlour.house.tournaments.pairing.kinds import Entrant, Played, units

GAME: Final = "game"  # with at least one other entrant
BOTS: Final = "bots"  # with bots only
REST: Final = "rest"  # a bye
WALKOVER: Final = "walkover"  # the others did not come
ABSENT: Final = "absent"
IDLE: Final = (BOTS, REST, WALKOVER)  # what no one should have twice


class Line(NamedTuple):
    """What an entrant did in a round. `met`: the entrants who really played at their table. `seat` is -1 if they did
    not play. `short`: whether a bot filled a seat."""

    round: int
    kind: str
    units: int
    seat: int = -1
    met: tuple[str, ...] = ()
    short: bool = False


Sheet = Mapping[str, Sequence[Line]]


def sheet(history: Iterable[Played], before: int | None = None) -> dict[str, list[Line]]:
    """Return the lines of everyone in the history, in its order; only those of rounds before `before`, if given."""
    found: dict[str, list[Line]] = defaultdict(list)
    for game in history:
        if before is None or game.round < before:
            for one, line in _lines(game):
                found[one].append(line)
    return found


def _lines(game: Played) -> Iterable[tuple[str, Line]]:
    there = [one for one in game.seats if one is not None and one not in game.absent]
    short = None in game.seats
    for seat, (one, share) in enumerate(zip(game.seats, game.shares, strict=True)):
        if one is None:
            continue
        if one in game.absent:
            yield one, Line(game.round, ABSENT, 0)
        elif len(there) > 1:
            met = tuple(other for other in there if other != one)
            yield one, Line(game.round, GAME, units(share), seat, met, short)
        else:
            kind = REST if len(game.seats) == 1 else WALKOVER if game.absent else BOTS
            yield one, Line(game.round, kind, units(share), seat if kind == BOTS else -1, (), kind == BOTS)


def points(lines: Sequence[Line]) -> int:
    """Return the sum of shares, in sixtieths."""
    return sum(line.units for line in lines)


def meetings(lines: Sequence[Line]) -> Counter[str]:
    """Return how often an entrant played with each other one."""
    return Counter(other for line in lines for other in line.met)


def idle(lines: Sequence[Line]) -> int:
    """Return how many rounds passed without another entrant, whatever they brought."""
    return sum(line.kind in IDLE for line in lines)


def short(lines: Sequence[Line]) -> int:
    """Return at how many tables a bot filled a seat."""
    return sum(line.short for line in lines)


def playing(entrants: Iterable[Entrant], number: int) -> list[Entrant]:
    """Return those who take part in round `number`."""
    return [one for one in entrants if one.plays(number)]
