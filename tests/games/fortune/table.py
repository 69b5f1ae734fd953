"""A table of Fortune at which the cards and dice fall as the test says."""

from __future__ import annotations

from typing import Any

from parlour.core.edition import EditionLike
from parlour.core.match import Match
from parlour.games import find
from parlour.games.fortune import rules as r

NOTHING = "2 sword 2 monkey 2 parrot 2 skull"  # eight dice that score nothing


def spread(dice: str) -> list[str]:
    """ "2 gold 1 skull" -> ["gold", "gold", "skull"]."""
    words = dice.split()
    return [face for number, face in zip(words[::2], words[1::2], strict=True) for _ in range(int(number))]


def lay(state: Any, faces: list[int]) -> None:
    """Put all eight dice on the table with these faces, by place."""
    for face in range(r.N_FACES):
        state.places[face] = sum(1 << place for place, shown in enumerate(faces) if shown == face)
        state.count[face] = faces.count(face)


class Table:
    """A match in which seat 1 begins, unless `starts` is given; options are named as in the rules."""

    def __init__(self, players: int = 2, edition: EditionLike = "shafir-35", starts: int = 1, **options: str) -> None:
        self.match = Match(find("fortune"), players, edition=edition, options=options, seed=1, auto=False)
        self.match.force(f"seat {starts} starts")

    @property
    def state(self) -> Any:
        return self.match.state

    @property
    def scores(self) -> list[int]:
        return self.match.scores

    @property
    def to_move(self) -> int:
        """The number of the seat whose turn it is or that comes next."""
        return int(self.state.player) + 1

    @property
    def turn_over(self) -> bool:
        return bool(self.state.phase in (r.DRAW_CARD, r.OVER))

    @property
    def fate(self) -> int:
        return int(self.state.fate)

    @property
    def moves(self) -> list[str]:
        return self.match.legal_actions()

    def totals(self, *scores: int) -> Table:
        """Put the totals where the test wants them."""
        self.state.scores[: len(scores)] = scores
        return self

    def turn(self, card: str, first_roll: str) -> Table:
        """A turn begins: the card is turned, the first roll falls."""
        self.match.force(f"card {card}")
        return self.land(first_roll)

    def land(self, dice: str) -> Table:
        self.match.force("dice " + " ".join(spread(dice)))
        return self

    def places(self, dice: str) -> list[int]:
        """Return the places, from 1, of the first dice on the table that show these faces."""
        found: list[int] = []
        for face in spread(dice):
            shown = [p for p, f in enumerate(self.state.dice, 1) if r.FACES[f] == face and p not in found]
            found.append(shown[0])
        return sorted(found)

    def move(self, move: str) -> Table:
        """Make a move, and draw nothing after it."""
        self.match.advance(self.match.parse(move))
        return self

    def reroll(self, dice: str, into: str) -> Table:
        """Roll these dice again; they fall `into` those."""
        return self.move("re-roll " + " ".join(map(str, self.places(dice)))).land(into)

    def stop(self) -> Table:
        return self.move("stop")

    def may_roll(self, dice: str) -> bool:
        """Return whether these dice may be rolled now."""
        return "re-roll " + " ".join(map(str, self.places(dice))) in self.moves

    def score(self, card: str, dice: str) -> int:
        """Return what a turn is worth that stops after such a first roll."""
        before = self.scores[self.state.player]
        player = self.state.player
        self.turn(card, dice).stop()
        return self.scores[player] - before


def score(card: str, dice: str, **options: str) -> int:
    """Return what stopping at once with this card and these dice is worth at a fresh table."""
    return Table(**options).score(card, dice)
