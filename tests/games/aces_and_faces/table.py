"""A table of Aces & Faces at which the cards fall as the test says."""

from __future__ import annotations

from typing import Any

from parlour.core.match import Match
from parlour.games import find
from parlour.games.aces_and_faces import rules as r
from parlour.games.aces_and_faces.rules import pieces as c
from parlour.games.aces_and_faces.rules.hidden import seen_at

NAMES = ("Ann", "Bob", "Cleo", "Dora", "Ezra", "Fay")
CORNERS = ("diamonds", "clubs", "hearts", "spades")


class Table:
    """Seat 1 begins and starts at diamonds, the next at clubs, and so on; options are named as in the rules."""

    def __init__(self, players: int = 3, edition: str = "loop-36", seated: bool = True, **options: str) -> None:
        game = find("aces_and_faces")
        self.match = Match(game, edition=edition, options=options, names=NAMES[:players], seed=1, auto=False)
        if seated:
            self.match.force("seat 1 starts")
            for seat in range(players):
                self.move(f"corner {CORNERS[seat % 4]}")

    @property
    def state(self) -> Any:
        return self.match.state

    @property
    def moves(self) -> list[str]:
        return self.match.legal_actions()

    def hold(self, seat: int, cards: str) -> Table:
        """Give a seat (from 1) these cards, as all have seen."""
        for name in cards.split():
            card = c.CARDS.index(name)
            assert self.state.slots >> card & 1
            self.state.slots ^= 1 << card
            self.state.hands[seat - 1] |= 1 << card
            seen_at(self.state, card, seat - 1)
        return self

    def held(self, seat: int) -> set[str]:
        """Return the cards of a seat, from 1."""
        return {name for card, name in enumerate(c.CARDS) if self.state.hands[seat - 1] >> card & 1}

    def in_slots(self) -> set[str]:
        return {name for card, name in enumerate(c.CARDS) if self.state.slots >> card & 1}

    def put(self, seat: int, square: int) -> Table:
        """Stand a seat's piece on a square."""
        self.state.position[seat - 1] = square
        return self

    def at(self, seat: int) -> int:
        return int(self.state.position[seat - 1])

    def card(self, *kinds: str) -> Table:
        """Cards are turned over, one after the other."""
        for kind in kinds:
            self.match.force(f"card {kind}")
        return self

    def move(self, *moves: str) -> Table:
        """Make moves, and draw nothing after them."""
        for move in moves:
            self.match.advance(self.match.parse(move))
        return self

    @property
    def turn_over(self) -> bool:
        return bool(self.state.phase in (r.TURN, r.OVER))

    @property
    def to_move(self) -> int:
        """The seat, from 1, whose turn it is or that comes next."""
        return int(self.state.player) + 1

    @property
    def news(self) -> int:
        return int(self.state.news)

    def may(self, viewer: int, card: str) -> set[int]:
        """Return where seat `viewer` (0: the public) must think that a card may be: seats from 1, 0 for its slot."""
        row = r.PUBLIC if viewer == 0 else viewer - 1
        places = self.state.may[row][c.CARDS.index(card)]
        return {(place + 1) % 7 for place in range(7) if places >> place & 1}

    def duel(self, card: str, first: str, second: str) -> Table:
        """Seat `to_move` walks from beside it onto the Duel square 3, and duels."""
        return self.put(self.to_move, 1).card("2C").move("clockwise", f"duel {card}").card(first, second)
