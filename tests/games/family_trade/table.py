"""A table of Family Trade at which cards and dice fall as the test says. Seats are numbered from 1."""

from __future__ import annotations

from typing import Any

from parlour.core.contract import CHANCE
from parlour.core.match import Match
from parlour.games import find
from parlour.games.family_trade import rules as r
from parlour.games.family_trade.rules import GOODS
from parlour.games.family_trade.show.text import KINDS

FAMILY_TRADE = find("family-trade")
PLAIN = tuple(f"1 {good}" for good in GOODS)  # eight cards that want nothing
MARKET = ("50,000", "70,000", "50,000", "10,000", "-30,000", "30,000", "150,000", "-10,000")
MM, GOD, ROYALE = "market-making", "god-of-the-market", "battle-royale"
HONOUR: dict[str, dict[str, str]] = {MM: {"honour_calls": "on"}, GOD: {"honour_calls": "on"}, ROYALE: {}}  # FT-19


def spread(cards: str) -> list[str]:
    """ "3 gold 2 real estate" -> ["gold", "gold", "gold", "real estate", "real estate"]."""
    found: list[str] = []
    for part in cards.replace(",", " ").replace("real estate", "real_estate").replace("market make", "mm").split():
        if part.isdigit():
            number = int(part)
        else:
            found += [{"real_estate": "real estate", "mm": "market make"}.get(part, part)] * number
    return found


class Table:
    """Seat `dealer` deals; `hands` are dealt to the seats in order, "" for one that wants nothing."""

    def __init__(
        self,
        *hands: str,
        players: int = 2,
        ruleset: str = MM,
        dealer: int = 1,
        market: tuple[str, ...] = MARKET,
        edition: Any = None,
        deal: bool = True,
        **options: str,
    ) -> None:
        options["ruleset"] = ruleset
        self.match = Match(FAMILY_TRADE, players, edition=edition, options=options, seed=1, auto=False)
        self.match.force(f"seat {dealer} deals")
        if ruleset == MM:
            self.roll(*market)
        if deal:
            self.deal(*hands)

    @property
    def state(self) -> Any:
        return self.match.state

    @property
    def money(self) -> list[int]:
        """In thousands."""
        return [score // 1000 for score in self.match.scores]

    @property
    def moves(self) -> list[str]:
        return self.match.legal_actions()

    @property
    def to_move(self) -> int:
        """The seat that decides, 0 when chance is due."""
        return self.match.current_player + 1

    @property
    def outcomes(self) -> list[str]:
        return [FAMILY_TRADE.text.format_outcome(self.state, outcome) for outcome in self.match.chance_outcomes()[0]]

    def price(self, good: str) -> int:
        """Return the market price, in thousands."""
        return int(self.state.ladder[self.state.price[GOODS.index(good)]])

    def hand(self, seat: int) -> dict[str, int]:
        return {KINDS[kind]: n for kind, n in enumerate(self.state.hand[seat - 1]) if n}

    def roll(self, *prices: str) -> Table:
        """Let the dice that are due show these prices."""
        for price in prices:
            self.match.force(f"{GOODS[r.die_due(self.state)]} {price}")
        return self

    def deal(self, *hands: str) -> Table:
        """Deal these hands, the first to seat 1."""
        size = r.DEALT_CARDS[self.state.ruleset]
        plain = " ".join(PLAIN[:size])
        lying = [spread(hands[i] if i < len(hands) and hands[i] else plain) for i in range(self.state.players)]
        assert all(len(cards) == size for cards in lying)
        while self.state.phase == r.DEAL:
            self.match.force("card " + lying[(self.state.dealer + self.state.dealt) % self.state.players].pop())
        return self

    def draw(self, card: str) -> Table:
        self.match.force(f"card {card}")
        return self

    def move(self, *moves: str) -> Table:
        """Make moves, and draw nothing after them."""
        for move in moves:
            self.match.advance(self.match.parse(move))
        return self

    def turn(self, card: str, discard: str = "") -> Table:
        """Draw, and discard that card or another."""
        return self.draw(card).move(f"discard {discard or card}")

    def empty_deck(self, **kept: int) -> Table:
        """All cards of the deck are put into the dump but those `kept`: the next draws exhaust it."""
        state = self.state
        for kind in range(r.N_KINDS):
            keep = kept.get(KINDS[kind].replace(" ", "_"), 0)
            while state.deck[kind] > keep:
                state.deck[kind] -= 1
                state.deck_size -= 1
                state.row[1 : state.row_size + 1] = state.row[: state.row_size]
                state.row[0] = kind
                state.row_size += 1
                state.dumped[kind] += 1
        state.shuffled[:] = state.deck
        return self

    def play_on(self, until: int = 0) -> Table:
        """Let all discard what they draw and claim nothing, until the deal is over (or for `until` steps)."""
        deals, steps = self.state.deals, 0
        while self.state.deals == deals and (not until or steps < until):
            steps += 1
            if self.match.current_player == CHANCE:
                self.match.step(self.match.chance_outcomes()[0][0])
            elif self.state.phase == r.TURN:
                self.match.step(self.state.drawn)
            else:
                self.match.step(r.PASS if self.state.phase == r.ASK else self.match.legal_action_ids()[0])
        return self
