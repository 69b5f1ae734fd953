"""What pairings are made of: the form of a tournament, its entrants, what they played, and who plays next."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Final, NamedTuple

import msgspec

from parlour.house.errors import BadInput

ARENA: Final = "arena"
SWISS: Final = "swiss"
ROUND_ROBIN: Final = "round-robin"
KNOCK_OUT: Final = "knock-out"
SIMULTANEOUS: Final = "simultaneous"
SYSTEMS: Final = (ARENA, SWISS, ROUND_ROBIN, KNOCK_OUT, SIMULTANEOUS)
FIXED: Final = (ROUND_ROBIN, KNOCK_OUT, SIMULTANEOUS)  # no one can join these after their first round

SEATS: Final = (2, 6)  # the fewest and the most at a table
ENTRANTS: Final = 1000
MOST_OF_TWO: Final = 64  # entrants of a round robin at tables of two: more would play too many rounds
MOST_AT_LARGER: Final = 24  # and at larger tables
ROUNDS: Final = 64
UNIT: Final = 60  # a share is counted in sixtieths, so that halves to sixths add up exactly


class Form(msgspec.Struct, frozen=True, kw_only=True):
    """What kind of tournament it is. Raises BadInput for values that do not go together.

    seats: at each table, 2 to 6. rounds: of a Swiss tournament; 0 for as many as `systems.rounds` finds enough. bots: a
    house bot fills each empty seat; otherwise entrants who can't have a full table sit out. (A field smaller than one
    table, and short tables of a knock-out, always get bots.) through: how many of a knock-out table advance. third:
    whether the losers of the semi-finals play for third place. host: the id of the one who plays everyone in
    simultaneous play. seed: decides all lots.
    """

    system: str
    seats: int = 2
    rounds: int = 0
    bots: bool = False
    through: int = 1
    third: bool = False
    host: str = ""
    seed: int = 0

    def __post_init__(self) -> None:
        low, high = SEATS
        checks = (
            (self.system in SYSTEMS, f"{self.system!r} is not a tournament system", SYSTEMS),
            (low <= self.seats <= high, f"a table can't have {self.seats} seats", (f"{low} to {high}",)),
            (0 <= self.rounds <= ROUNDS, f"{self.rounds} rounds are not possible", (f"0 to {ROUNDS}",)),
            (1 <= self.through < self.seats and self.through <= 2, "one or two players of a table advance", ("1", "2")),
            (not self.third or self.seats == 2, "only tables of two have a game for third place", ()),
            (bool(self.host) == (self.system == SIMULTANEOUS), "simultaneous play has a host, nothing else has", ()),
        )
        for fine, message, allowed in checks:
            if not fine:
                raise BadInput(message[0].upper() + message[1:] + ".", allowed=allowed)


class Entrant(msgspec.Struct, frozen=True):
    """A participant, a person or a bot.

    strength: a rating; higher is stronger. joined: the first round in which they play. left: the first in which they no
    longer do, None if they stay; a game of theirs in a round before counts. away: rounds that they miss by arrangement.
    waited: in an arena, how many times running they were left out. apart: the ids of those with whom they should not be
    paired, if that can be avoided; each of two has the other."""

    id: str
    strength: float
    joined: int = 1
    left: int | None = None
    away: frozenset[int] = frozenset()
    waited: int = 0
    apart: frozenset[str] = frozenset()

    def plays(self, number: int) -> bool:
        """Return whether they take part in round `number`."""
        return self.joined <= number and (self.left is None or number < self.left) and number not in self.away


class Played(msgspec.Struct, frozen=True):
    """A table whose game is over, or a bye, which has one seat.

    seats: the ids in seat order, None where a house bot sat. shares: of the win, one per seat, 0 to 1. absent: players
    who did not come, so that the game was forfeited (two seats) or a bot took their seat; their share counts as 0.
    places: of the game, 1 for the best, ties share; () if only the shares are known. They decide who advances."""

    round: int
    seats: tuple[str | None, ...]
    shares: tuple[float, ...]
    absent: tuple[str, ...] = ()
    places: tuple[int, ...] = ()


class Pairing(msgspec.Struct, frozen=True, tag="table"):
    """A table to be played: ids in seat order, None where a house bot fills the seat."""

    seats: tuple[str | None, ...]
    label: str = ""  # of a knock-out: "final", "third"; of a replay: "replay"


class Bye(msgspec.Struct, frozen=True, tag="bye"):
    """A player who sits out this round, and the share that they get for it; in the history it is a table of one."""

    entrant: str
    share: float = 1.0

    def played(self, number: int) -> Played:
        """Return it as a part of the history of round `number`."""
        return Played(number, (self.entrant,), (self.share,))


class Standing(NamedTuple):
    """A player's position. `place` counts from 1, and equals share one; `breaks` are the tie-breaks in the order of
    `standings.BREAKS`, which says their names."""

    id: str
    place: int
    points: float
    breaks: tuple[float, ...]
    games: int


Paired = Pairing | Bye


def lot(seed: int, *parts: object) -> int:
    """Return a number that only the arguments decide, the same in every process."""
    return int.from_bytes(hashlib.sha256("\0".join(map(str, (seed, *parts))).encode()).digest()[:8])


def seeded(form: Form, entrants: Iterable[Entrant]) -> list[Entrant]:
    """Return the entrants, the strongest first; lots decide among equals."""
    return sorted(entrants, key=lambda one: (-one.strength, lot(form.seed, one.id), one.id))


def units(share: float) -> int:
    """Return a share of the win in sixtieths."""
    return round(share * UNIT)
