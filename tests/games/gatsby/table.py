"""A table of Gatsby at which tiles, faces and tokens are what the test says.

With the Cabaret tiles in order the small Cabaret has: finance a1, stars b2 d1 a4 c3, swap c2, force b3, peek d4. Open
from the start: ne stage-1 (3), nw press-1 (2), level3 bank-2 (1), level12 turf-1 (2), track1 jazz-1 (2), track5
bank-3 (1). Seat 1 begins; seat 2 has the tile S1 (two Cabaret tokens) and a token on a2.
"""

from __future__ import annotations

from typing import Any

from parlour.core.errors import IllegalMove
from parlour.core.match import Match
from parlour.games import find
from parlour.games.gatsby.rules import hidden, turns
from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import state as s
from parlour.games.gatsby.rules.parts import push
from parlour.games.gatsby.show import text, words

GATSBY = find("gatsby")
OPEN = ("stage-1", "press-1", "bank-2", "turf-1", "jazz-1", "bank-3")
SLOTS = ("ne", "nw", "stars", "level3", "level6", "level9", "level12", "track1", "track2", "track3", "track4", "track5")


def space(name: str) -> int:
    """ "b3" or "1.2": row 1 of the Racetrack, second space."""
    if name[0].isalpha():
        return (int(name[1]) - 1) * p.GRID + "abcdef".index(name[0])
    return p.RACE + (int(name[0]) - 1) * p.LANE + int(name[2]) - 1


def char(name: str) -> int:
    return words.SUITS.index(name[:-2]) * p.OF_SUIT + int(name[-1]) - 1


Part = int | tuple[int, int]  # a kind of part, or that and what it is about


def bonus(kind: int) -> Part:
    """A bonus that is offered."""
    return s.BONUS, kind


PEEK = bonus(p.PEEK)
S7 = (s.PAIR, s.BLIND)  # two characters, exchanged without a look


class Table:
    def __init__(
        self, edition: str = "house-4", tiles: str = "1 2 3 4", faces: tuple[str, ...] = OPEN, start: str = "a2",
        drawn: tuple[str, str] = ("S1", "S2"), **options: str,
    ) -> None:  # fmt: skip
        self.match = Match(GATSBY, 2, edition=edition, options=options, seed=1, auto=False)
        for tile in tiles.split():
            self.match.force(f"cabaret tile {tile}")
        for face in faces:
            self.match.force(face)
        self.match.force("seat 1 starts")
        for tile in drawn:
            self.match.force(f"tile {tile}")
        self.play(f"keep {drawn[0]}", start)

    @property
    def state(self) -> Any:
        return self.match.state

    @property
    def moves(self) -> list[str]:
        return self.match.legal_actions()

    @property
    def waits(self) -> int:
        """What for: a kind of part."""
        return words.kind(self.state)

    def play(self, *moves: str) -> Table:
        """Moves and outcomes of chance, in order."""
        for move in moves:
            if self.match.current_player == -1:
                self.match.force(move)
            else:
                self.match.advance(self.match.parse(move))
        return self

    def refused(self, move: str) -> str:
        """Return the clause by which a move is refused."""
        try:
            self.match.parse(move)
        except IllegalMove as error:
            return error.clause or ""
        raise AssertionError(f"{move} is legal")

    def put(self, seat: int, names: str, clear: bool = False) -> Table:
        """Tokens of seat 1 or 2 from his supply."""
        if clear:
            self.state.tokens[:] = [0, 0]
        for name in names.split():
            self.state.tokens[seat - 1] |= 1 << space(name)
            self.state.supply[seat - 1] -= 1
        return self

    def levels(self, one: int, two: int) -> Table:
        self.state.level[:] = [one, two]
        return self

    def give(self, seat: int, **places: str) -> Table:
        """Seat 1 or 2 has taken, openly, this character from this place."""
        for place, face in places.items():
            slot = SLOTS.index(place)
            self.state.owner[slot] = seat - 1
            self.state.char[slot] = char(face)
            self.state.up |= 1 << slot
            hidden.note(self.state, s.SEEN, s.PUBLIC, slot, char(face))
        return self

    def due(self, *parts: Part) -> Table:
        """These parts are due in this turn, then its end."""
        self.only(*parts)
        self.state.last = max(self.state.last, 0)
        turns.go_on(self.state)
        return self

    def only(self, *parts: Part) -> Table:
        """Nothing else is due than these parts and the end of the turn; what is not possible has not been left out."""
        self.state.due = 0
        for kind, arg in [(s.RALLY, 0), *(part if isinstance(part, tuple) else (part, 0) for part in reversed(parts))]:
            push(self.state, kind, arg)
        return self

    def tile(self, tile: str, seat: int = 1) -> Table:
        """Put this tile on the space of seat 1 or 2."""
        number = int(tile[1:]) - 1
        for other in range(p.N_TILES):
            if self.state.tile[other] == s.ON_SPACE + seat - 1:
                self.state.tile[other] = s.IN_PILE
        self.state.tile[number] = s.ON_SPACE + seat - 1
        return self

    def at(self, tile: str) -> int:
        return int(self.state.tile[int(tile[1:]) - 1])

    def owner(self, place: str) -> int:
        """Seat 1 or 2 who took the character there, 0 while it is on the board."""
        return int(self.state.owner[SLOTS.index(place)]) + 1

    def face(self, place: str) -> str:
        found = self.state.char[SLOTS.index(place)]
        return words.code(found) if found >= 0 else "?"

    def token(self, name: str) -> int:
        return next((seat + 1 for seat in (0, 1) if self.state.tokens[seat] >> space(name) & 1), 0)

    def spaces(self) -> set[str]:
        """Return the names of the spaces that may be chosen."""
        return {words.space_name(a) for a in text.moves(self.state)}

    def claims(self, *faces: str) -> Table:
        """Draw these faces for characters taken face down, one after the other."""
        for face in faces:
            assert self.waits == s.CLAIM
            self.match.force(face)
        return self
