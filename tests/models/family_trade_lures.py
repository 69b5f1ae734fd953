"""What a walk through Family Trade must reach (RARE), and how it is lured there.

At random a deal takes seventy draws and pays something common. Here each deal is given an aim: the
player who goes out, with which cards, from where, at what prices; or that no player does, until no
card is left. Moves and cards that lead there are taken wherever they are possible, so nothing
impossible happens; the model itself is not touched.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any

MARKET, GOD, ROYALE = "market-making", "god-of-the-market", "battle-royale"
MAKE = "market make"
LOW, HIGH = "low", "high"
DECK, DISCARD, NOBODY = "deck", "discard", "no one"

WAYS: tuple[tuple[str, int, dict[str, str]], ...] = (
    ("ties", 2, {}),
    ("debts", 2, {}),
    ("debts", 3, {}),
    ("reign", 2, {}),
    ("reign", 3, {}),
    ("no cards", 2, {"honour_calls": "on"}),
)

# What the walk must have reached, by ruleset (FT-19 only where calls are honoured; FT-20 and FT-22 change the rest).
OF_BOTH = (
    "FT-5 debt", "FT-11 dealt, by claim", "FT-11 dealt, by draw", "FT-11 kept without a word", "FT-11 kept, by draw",
    "FT-11 kept, by claim", "FT-11 own draw only", "FT-12 asked after a pass", "FT-12 declined",
    "FT-12 declined on a draw, dealt", "FT-12 declined on a draw, frozen", "FT-12 several can",
    "FT-12 went out after declining", "FT-13 re-roll", "FT-13 stand", "FT-13 two sets of one good", "FT-14 Jackpot",
    "FT-14 deck, negative", "FT-14 deck, positive", "FT-14 deck, zero", "FT-14 discard, negative",
    "FT-14 discard, positive", "FT-14 discard, zero", "FT-14 zero, Jackpot stays", "FT-15 by claim", "FT-15 by draw",
    "FT-15 not multiplied", "FT-16 again", "FT-16 longest run", "FT-16 multiplied", "FT-16 negative multiplied",
    "FT-16 zero keeps the deal", "FT-17 Jackpot left over", "FT-17 last run", "FT-17 tie", "FT-18 new deck 1",
    "FT-18 new deck 2", "FT-18 void", "FT-18 void in a run", "FT-19 false call", "FT-19 false call, frozen",
)  # fmt: skip
OF_MARKET = (
    "FT-6 keep", "FT-6 roll again", "FT-9 by a frozen hand", "FT-9 down", "FT-9 end of the ladder", "FT-9 no step",
    "FT-9 sets with Market Makes", "FT-9 up", "FT-10 one short with Market Makes", "FT-15 the market moves",
)  # fmt: skip
OF_ROYALE = (
    "FT-5 debt", "FT-12 asked after a pass", "FT-12 declined", "FT-12 declined on a draw, royale", "FT-12 several can",
    "FT-12 went out after declining", "FT-22 deck, negative", "FT-22 deck, positive", "FT-22 discard, negative",
    "FT-22 discard, positive", "FT-23 the dealer wins", "FT-24 just enough cards", "FT-24 new deck 1",
    "FT-24 new deck 2", "FT-24 new deck in the deal", "FT-24 too few cards", "FT-24 void", "FT-25 no 10,000 bills",
    "FT-25 no 50,000 bills", "FT-25 one 10,000 bill left", "FT-25 one 50,000 bill left", "FT-25 the last 10,000 bill",
    "FT-25 the last 50,000 bill", "FT-25 tie",
)  # fmt: skip
RARE = {MARKET: (*OF_BOTH, *OF_MARKET), GOD: (*OF_BOTH, "FT-15 no die is rolled"), ROYALE: OF_ROYALE}


@dataclass
class Aim:
    """How a deal is to end."""

    seat: int  # who goes out,
    how: str  # with a card from the DECK or of another's DISCARD, or NOBODY
    cards: list[str]  # the nine (in Battle Royale three) cards; the last one finishes them
    dealt: bool = True  # all but the last are dealt, none is changed
    declines: bool = False  # the first time the last card comes, it is let pass
    rival: int | None = None  # who waits for the same card
    faces: str | dict[str, int] = ""  # what dice show: LOW, HIGH, what is given here by good, or anything
    strict: bool = False  # nothing that costs money or moves a price besides

    @property
    def last(self) -> str:
        return self.cards[-1]


def _comes_out(left: int, players: int) -> bool:
    """Whether rounds, each taking the hands or the hands and a card more, can leave three cards for each player."""
    if left <= 3 * players:
        return left == 3 * players
    return _comes_out(left - 2 * players, players) or _comes_out(left - 2 * players - 1, players)


class Lures:
    """The aims of one game; `choose` is the model's `lure`."""

    def __init__(self) -> None:
        self.deal: object = None
        self.aim: Aim

    def choose(self, model: Any, choices: list[str], rng: Random) -> str | None:
        """Of these moves or outcomes the one that leads to the aim; None: any may be taken."""
        if not model.plan:
            model.plan = rng.choice(["mixed", "mixed", "reign", "ties", "debts", "no cards"])
        deal = model.rounds if model.ruleset == ROYALE else (model.turns, model.run)
        if deal != self.deal:
            self.deal, self.aim = deal, self._new_aim(model, rng)
        wanted = self._wanted(model, rng)
        return wanted if wanted in choices else None

    # What a deal is to come to -------------------------------------------------------------------
    def _new_aim(self, model: Any, rng: Random) -> Aim:
        royale, dealer = model.ruleset == ROYALE, model.dealer
        not_dealer = (dealer + rng.randrange(1, model.players)) % model.players
        seat = rng.choice([dealer, not_dealer])
        if model.plan == "ties" and royale:  # all win as much in turn, until a kind of bill runs out
            good = self._there(model, rng, [good for good in model.goods if 150 in model.dice[good]])
            return Aim(model.rounds % model.players, DECK, [good] * 3, faces={good: 150}, strict=True)
        if model.plan == "ties":  # no one is ever paid
            cards, faces = self._worth_nothing(model, rng)
            return Aim(not_dealer, DECK, cards, faces=faces, strict=True)
        if model.plan == "debts" and royale:  # no bill is paid out, so that the cards come to an end
            good = self._there(model, rng, [good for good in model.goods if min(model.dice[good]) < 0])
            return Aim(seat, NOBODY if self._is_to_be_void(model, rng) else DECK, [good] * 3, faces=LOW)
        if model.plan == "debts" and rng.random() < 0.7:  # in the end there is a Jackpot
            return Aim(not_dealer, DECK, self._cards(model, rng), faces=LOW)
        if model.plan == "debts":
            cards, faces = self._worth_nothing(model, rng)
            return Aim(not_dealer, DECK, cards, faces=faces)
        last = model.turns == 2 * model.players - 1 and model.run < 3
        if model.plan == "reign" and (last or not model.turns):  # the dealer goes out ten times in a row
            return Aim(dealer, rng.choice([DECK, DISCARD]), self._cards(model, rng), faces=rng.choice([LOW, HIGH]))
        aim = Aim(
            seat, rng.choice([DECK, DISCARD]), self._cards(model, rng), dealt=rng.random() < 0.5,
            declines=rng.random() < 0.25, faces=rng.choice(["", LOW, HIGH]),
        )  # fmt: skip
        if model.players > 2 and rng.random() < 0.3:
            aim.rival = rng.choice([other for other in range(model.players) if other != seat])
        if not royale and rng.random() < 0.15:
            aim.cards, aim.faces = self._worth_nothing(model, rng)
        elif model.ruleset == MARKET and rng.random() < 0.1:  # three of them are not a set
            first, last = rng.sample(model.goods, 2)
            aim.cards, aim.dealt = [first] * 3 + [MAKE] * 3 + [last] * 3, True
        if royale:
            aim.how = NOBODY if self._is_to_be_void(model, rng) else aim.how
        elif model.plan == "no cards" and not model.turns:  # the dealer goes out, then no one
            aim.seat, aim.how = dealer, NOBODY if model.run > 1 else aim.how
        return aim

    def _is_to_be_void(self, model: Any, rng: Random) -> bool:
        """In Battle Royale: whether a void round makes it possible that at last just enough cards are left (FT-24)."""
        left, players = model.deck.total() + len(model.row), model.players
        if not _comes_out(left - 2 * players - 1, players) and _comes_out(left - 2 * players, players):
            return True
        return left < 30 and model.plan != "debts" and rng.random() < 0.2

    def _cards(self, model: Any, rng: Random) -> list[str]:
        if model.ruleset == ROYALE:
            return [self._there(model, rng, model.goods)] * 3
        first, second, third = rng.sample(model.goods, 3)
        kind = rng.random()
        if kind < 0.2:
            return [first] * 9
        return [first] * 6 + [second] * 3 if kind < 0.5 else [first] * 3 + [second] * 3 + [third] * 3

    def _there(self, model: Any, rng: Random, goods: list[str]) -> str:
        """Return a good of which enough are left in the deck, which in Battle Royale stays from round to round."""
        return rng.choice([good for good in goods if model.deck[good] > 3] or goods or model.goods)

    def _worth_nothing(self, model: Any, rng: Random) -> tuple[list[str], dict[str, int]]:
        """Two sets of one good and one of another, and what their dice must show to add up to zero."""
        found = [
            ([twice] * 6 + [once] * 3, {twice: face, once: -2 * face})
            for twice in model.goods for once in model.goods if twice != once
            for face in model.dice[twice] if -2 * face in model.dice[once]
        ]  # fmt: skip
        return rng.choice(found) if found else (self._cards(model, rng), {})

    # What leads there ----------------------------------------------------------------------------
    def _wanted(self, model: Any, rng: Random) -> str | None:
        """Return what the aim asks for here, whether or not it is possible."""
        match model.phase:
            case "market":
                return self._market(model)
            case "roll":
                face = self._face(model, model.due[0])
                return None if face is None else f"{model.due[0]} {1000 * face:,}"
            case "deal":
                return self._deal(model, rng)
            case "draw":
                return self._draw(model, rng)
            case "turn":
                return self._turn(model, rng)
            case "ask":
                return self._ask(model)
            case "step":
                return "leave prices" if self.aim.strict else None
            case "again":
                return "no reroll" if self.aim.faces and (self.aim.strict or rng.random() < 0.7) else None
        return None

    def _market(self, model: Any) -> str | None:
        goods = [good for good in model.goods if good in self.aim.cards]
        if self.aim.faces:
            return "keep" if all(self._face(model, good) == model.price[good] for good in goods) else "roll"
        return None

    def _face(self, model: Any, good: str) -> int | None:
        if isinstance(self.aim.faces, dict):
            return self.aim.faces.get(good)
        faces = model.dice[good]
        return min(faces) if self.aim.faces == LOW else max(faces) if self.aim.faces == HIGH else None

    def _deal(self, model: Any, rng: Random) -> str | None:
        seat, aim = model.player, self.aim
        hand, wanted = model.hands[seat], aim.cards[:-1]
        if seat == aim.rival:
            others = [] if model.ruleset == ROYALE else [good for good in model.goods if good not in aim.cards]
            wanted = [aim.last] * 2 + others[:1] * 3 + others[-1:] * 3
        elif seat != aim.seat or aim.how == NOBODY or (not aim.dealt and len(hand) == len(wanted) - 1):
            return None
        return self._card(list((Counter(wanted) - Counter(hand)).elements()), rng)

    def _draw(self, model: Any, rng: Random) -> str | None:
        seat, aim = model.player, self.aim
        if aim.how == NOBODY or rng.random() < 0.05:
            return None
        waits = self._lacks(model) == Counter()
        if waits and (seat == aim.seat) == (aim.how == DECK or MAKE in aim.cards):
            return f"card {aim.last}"
        if seat == aim.seat and not waits:
            return self._card(list(self._lacks(model).elements()), rng)
        return "card market make" if seat in model.announced and rng.random() < 0.3 else None

    def _turn(self, model: Any, rng: Random) -> str | None:
        seat, aim, hand = model.player, self.aim, model.hands[model.player]
        discards = sorted(model.moves() - {"done"})
        finished = model.finished(hand)
        if seat == aim.seat and aim.how != NOBODY:
            if finished:
                return rng.choice(discards) if aim.declines and seat not in model.declined else "done"
            if MAKE in aim.cards and not self._lacks(model):  # now they are given away
                third = rng.choice([good for good in model.goods if good not in hand])
                aim.cards = [third if card == MAKE else card for card in aim.cards]
                return f"discard {model.drawn}"
            if over := list((Counter(hand) - Counter(aim.cards)).elements()):
                return f"discard {rng.choice(over)}"
            return f"discard {aim.last}"
        if aim.how == DISCARD and not self._lacks(model) and aim.last in hand:
            return f"discard {aim.last}"
        if finished or aim.strict or seat == aim.rival or rng.random() < 0.7:
            return f"discard {model.drawn}"
        return None

    def _ask(self, model: Any) -> str | None:
        seat, aim = model.turn(), self.aim
        if seat != aim.seat or aim.how == NOBODY:
            return "let it lie"
        return "let it lie" if aim.declines and seat not in model.declined else "take"

    def _lacks(self, model: Any) -> Counter[str]:
        """Return the cards that the seat of the aim lacks, besides the last one; a frozen hand gets a new aim."""
        aim = self.aim
        hand = model.hands[aim.seat]
        if aim.seat in model.announced:
            frozen = list(hand)
            if model.player == aim.seat and model.phase == "turn":
                frozen.remove(model.drawn)
            aim.cards = [*frozen, next(card for card in frozen if frozen.count(card) % 3 == 2)]
        return Counter(aim.cards[:-1]) - Counter(hand)

    def _card(self, wanted: list[str], rng: Random) -> str | None:
        return f"card {rng.choice(wanted)}" if wanted else None
