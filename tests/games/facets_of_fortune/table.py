"""A table of Facets of Fortune at which the cards and dice fall as the test says."""

from __future__ import annotations

from typing import Any

from parlour.core.match import Match
from parlour.games import find
from parlour.games.facets_of_fortune import rules as r

GAME = find("facets-of-fortune")
PLAIN = ("exchange", "switch", "heist")  # an opening hand that pays nothing
LADDER = (5_000, 10_000, 25_000, 50_000, 75_000, 100_000, 250_000, 500_000, 750_000, 1_000_000)


def colour(name: str) -> int:
    return r.COLOURS.index(name)


class Table:
    """A match in which seat 1 begins, unless `starts` is given; all have been dealt PLAIN, or `opening`."""

    def __init__(self, players: int = 2, starts: int = 1, opening: str = "", **options: str) -> None:
        self.match = Match(GAME, players, options=options, seed=1, auto=False)
        self.match.force(f"seat {starts} starts")
        cards = opening.split() or [*PLAIN * players]
        for card in cards:
            self.match.force(f"card {card}")

    @property
    def state(self) -> Any:
        return self.match.state

    @property
    def moves(self) -> list[str]:
        return self.match.legal_actions()

    @property
    def money(self) -> list[int]:
        return self.match.scores

    @property
    def seat(self) -> int:
        """The number of the seat on turn."""
        return int(self.state.player) + 1

    @property
    def phase(self) -> int:
        return int(self.state.phase)

    def cash(self, *money: int) -> Table:
        self.state.money[: len(money)] = money
        return self

    def hand(self, seat: int, cards: str) -> Table:
        """Give a seat these cards; those it had go back into the deck."""
        state, hand = self.state, self.state.hand[seat - 1]
        for kind in hand[: state.held[seat - 1]]:
            state.unseen[kind] += 1
        kinds = [r.KINDS.index(card) for card in cards.split()]
        hand[:] = (kinds + [r.NOBODY] * len(hand))[: len(hand)]
        for kind in kinds:
            state.unseen[kind] -= 1
        state.left += state.held[seat - 1] - len(kinds)
        state.held[seat - 1] = len(kinds)
        return self

    def cards(self, seat: int) -> list[str]:
        return [r.KINDS[kind] for kind in self.state.hand[seat - 1][: self.state.held[seat - 1]]]

    def price(self, name: str, price: int) -> Table:
        """Put the marker of a market on this price."""
        self.state.marker[colour(name)] = LADDER.index(price)
        return self

    def gems(self, seat: int, **gems: int) -> Table:
        """Give a seat this many gems from the board."""
        for name, n in gems.items():
            self.state.own[seat - 1][colour(name)] += n
            self.state.board[colour(name)] -= n
        return self

    def owned(self, seat: int) -> list[int]:
        """Rubies, sapphires, diamonds, emeralds of a seat."""
        return list(self.state.own[seat - 1])

    def close(self, *names: str) -> Table:
        """Close markets as if they had crashed."""
        for name in names:
            c = colour(name)
            self.state.closed[c], self.state.board[c], self.state.marker[c] = 1, 0, 0
            for seat in range(self.state.players):
                self.state.own[seat][c] = 0
        return self

    def lay_stop(self, seat: int, name: str) -> Table:
        """Put a STOP of this seat on a market."""
        self.state.stops[colour(name)] |= 1 << seat - 1
        self.state.holds[seat - 1] = 0
        return self

    def roll(self, dice: str) -> Table:
        self.match.force(f"roll {dice}")
        return self

    def do(self, *moves: str) -> Table:
        """Make moves, and draw nothing after them."""
        for move in moves:
            self.match.advance(self.match.parse(move))
        return self

    def draw(self, cards: str) -> Table:
        for card in cards.split():
            self.match.force(f"card {card}")
        return self

    def heist(self, attack: int, defence: int) -> Table:
        self.match.force(f"heist {attack}")
        self.match.force(f"heist {defence}")
        return self

    def sells_at(self, name: str) -> int:
        return r.sell_price(self.state, colour(name))

    def buys_at(self, name: str) -> int:
        return r.buy_price(self.state, colour(name))

    def outcomes(self) -> dict[str, int]:
        """Return what chance can do now, in words, with weights."""
        texts = (GAME.text.format_outcome(self.state, one) for one in self.match.chance_outcomes()[0])
        return dict(zip(texts, self.match.chance_outcomes()[1], strict=True))


def seen(table: Table, player: int) -> dict[str, list[int]]:
    """Return what a seat (from 0) observes, by the names that the facts give it."""
    out = [0] * GAME.rules.OBSERVATION_SIZE
    assert GAME.rules.observation(table.state, player, out) == len(out)
    numbers = iter(out)
    return {part.name: [next(numbers) for _ in range(part.size)] for part in GAME.facts.observed}


def turn(cards: str = "", dice: str = "ruby +1", players: int = 2, **options: str) -> Table:
    """Seat 1 has rolled and holds these cards, with plenty of money."""
    table = Table(players, **options).cash(*[5_000_000] * players)
    return (table.hand(1, cards) if cards else table).roll(dice)
