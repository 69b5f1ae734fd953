"""Aces & Faces a second time, from the clauses AF-1 to AF-16 alone: slow and obvious."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from random import Random
from typing import Any

from tests.models.contract import CHANCE, OVER

SUITS = {"D": "diamonds", "C": "clubs", "H": "hearts", "S": "spades"}
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")  # AF-10: the ace is high
COURT = ("J", "Q", "K", "A")
CARDS = tuple(rank + suit for suit in SUITS for rank in COURT)  # the 16 that are collected
JOKER = "joker"


def rank(card: str) -> int:
    """Return the place among the ranks; a joker is below all of them (AF-12)."""
    return -1 if card == JOKER else RANKS.index(card[:-1])


class Model:
    """A game of Aces & Faces.

    The phase says what is to come: "seat", "corner", "turn" (a card), "move", "guess", "guess card", "match card",
    "match pick", "duel", "duel first", "duel second", "give" or "over".
    """

    RARE = (
        "AF-5", "AF-6 whole loop", "AF-7 already there", "AF-8 turn", "AF-8 guess card", "AF-8 match card",
        "AF-8 duel first", "AF-8 duel second", "AF-9 from slot", "AF-9 from player", "AF-9 back to slot",
        "AF-9 back by a court card", "AF-10 higher", "AF-10 lower", "AF-10 equal", "AF-10 joker", "AF-10 wrong",
        "AF-10 court card", "AF-10 chain", "AF-10 hopeless", "AF-11 match", "AF-11 match by a court card",
        "AF-11 only one left", "AF-11 none left", "AF-11 joker", "AF-11 other suit", "AF-12 no card in hand",
        "AF-12 no opponent's card", "AF-12 declined", "AF-12 won", "AF-12 lost", "AF-12 tie", "AF-12 two jokers",
        "AF-12 challenger's joker", "AF-12 opponent's joker", "AF-12 void", "AF-12 last card given",
        "AF-13 four of a rank", "AF-13 four of a suit", "AF-13 by a gift", "AF-13 by a duel", "AF-13 by a match",
        "AF-13 from a player", "AF-13 after a chain", "AF-16",
    )  # fmt: skip

    def __init__(self, players: int, parts: Mapping[str, Any], options: Mapping[str, str]) -> None:
        self.players = players
        self.options = options
        self.limit = None if options["turn_limit"] == "none" else int(options["turn_limit"])
        self.board: list[str] = parts["board"]  # AF-2
        self.pack: Counter[str] = Counter()  # AF-1
        for suit in SUITS:
            for name in RANKS:
                self.pack[name + suit] = parts["decks"] - (name in COURT)
        self.pack[JOKER] = parts["jokers"]

        self.phase = "seat"
        self.player = 0
        self.turns = 0  # finished
        self.position: list[int | None] = [None] * players
        self.slots = set(CARDS)
        self.hands: list[set[str]] = [set() for _ in range(players)]
        self.winner: int | None = None
        self.pile = Counter(self.pack)
        self.top = ""  # of the discards
        # in a turn
        self.number = 0  # steps to go; then what a guess is compared with
        self.guess = ""
        self.chain = 0  # right guesses in this turn
        self.named = ""
        self.first = ""  # the challenger's card

        self.seen: Counter[str] = Counter()
        self.plan = ""

    # What can happen ------------------------------------------------------------------------------
    def turn(self) -> int:
        if self.phase == "over":
            return OVER
        return self.player if self.phase in ("corner", "move", "guess", "match pick", "duel", "give") else CHANCE

    def chances(self) -> Mapping[str, Fraction]:
        if self.phase == "seat":  # AF-3
            return {f"seat {seat + 1} starts": Fraction(1, self.players) for seat in range(self.players)}
        pile = self.pile if self.pile.total() else self.pack  # AF-8
        total = pile.total()
        return {f"card {card}": Fraction(n, total) for card, n in pile.items() if n}

    def moves(self) -> set[str]:
        if self.phase == "corner":
            return {f"corner {suit}" for suit in SUITS.values()}
        if self.phase == "move":
            return {"clockwise", "anticlockwise"}
        if self.phase == "guess":
            return {"higher", "lower"}
        if self.phase == "match pick":
            return {f"take {card}" for card in self.slots_of(self.square())}
        if self.phase == "duel":
            return {"no duel"} | {f"duel {card}" for card in self.held_by_others()}
        return {f"give {card}" for card in self.hands[self.player]}

    def square(self) -> str:
        """Return what the square is of the player whose turn it is."""
        place = self.position[self.player]
        assert place is not None
        return self.board[place]

    def slots_of(self, square: str) -> list[str]:
        """AF-11: return the cards of the suit of this square that are in their slots."""
        return [card for card in self.slots if f"suit {SUITS[card[-1]]}" == square]

    def held_by_others(self) -> list[str]:
        """AF-12: return what a duel can be about."""
        return [card for seat, hand in enumerate(self.hands) if seat != self.player for card in hand]

    def holder(self, card: str) -> int:
        return next(seat for seat, hand in enumerate(self.hands) if card in hand)

    # What happens ---------------------------------------------------------------------------------
    def apply(self, text: str) -> None:
        word, _, card = text.partition(" ")
        if self.phase == "seat":
            self.player = int(text.split()[1]) - 1
            self.phase = "corner"
        elif self.turn() == CHANCE:
            self.turn_over(card)
        elif self.phase == "corner":  # AF-3
            self.position[self.player] = self.board.index(f"suit {card}")
            self.player = (self.player + 1) % self.players
            if None not in self.position:
                self.phase = "turn"
        elif self.phase == "move":
            self.move(self.number if text == "clockwise" else -self.number)
        elif self.phase == "guess":
            self.guess = text
            self.seen["AF-10 hopeless"] += text == "lower" and self.number == 2
            self.phase = "guess card"
        elif self.phase == "match pick":  # AF-11
            self.slots.remove(card)
            self.receive(self.player, card, "by a match")
            self.end_turn()
        elif self.phase == "duel":
            self.seen["AF-12 declined"] += text == "no duel"
            if text == "no duel":
                self.end_turn()
            else:
                self.named = card
                self.phase = "duel first"
        else:  # AF-12: the loser gives a card
            assert word == "give"
            self.seen["AF-12 last card given"] += len(self.hands[self.player]) == 1
            self.hands[self.player].remove(card)
            self.receive(self.holder(self.named), card, "by a gift")
            self.end_turn()

    def turn_over(self, card: str) -> None:
        """Put a card of the pile on the discards."""
        if not self.pile.total():  # AF-8
            self.seen[f"AF-8 {self.phase}"] += 1
            self.pile = Counter(self.pack)
        self.pile[card] -= 1
        self.top = card
        if self.phase == "turn":
            self.chain = 0
            if card == JOKER:  # AF-5
                self.seen["AF-5"] += 1
                self.end_turn()
            else:
                self.go_by(card)
        elif self.phase == "guess card":
            self.judge(card)
        elif self.phase == "match card":
            self.match(card)
        elif self.phase == "duel first":
            self.first = card
            if card == JOKER and self.options["duel_joker"] == "void":  # AF-12
                self.seen["AF-12 void"] += 1
                self.end_turn()
            else:
                self.phase = "duel second"
        else:
            self.decide_duel(card)

    def go_by(self, card: str) -> None:
        """AF-6, AF-7: a number waits for a direction, a court card or an ace leads to its square."""
        if card not in CARDS:
            self.number = int(card[:-1])
            self.phase = "move"
            return
        home = self.board.index(card)
        self.seen["AF-7 already there"] += self.position[self.player] == home
        self.seen["AF-9 back by a court card"] += card in self.hands[self.player]
        self.position[self.player] = home
        self.land()

    def move(self, steps: int) -> None:
        """AF-6."""
        place = self.position[self.player]
        assert place is not None
        self.seen["AF-6 whole loop"] += not 0 <= place + steps < len(self.board)
        self.position[self.player] = (place + steps) % len(self.board)
        self.land()

    def land(self) -> None:
        """Resolve the square."""
        square, player = self.square(), self.player
        if square in CARDS:  # AF-9
            if square in self.slots:
                self.seen["AF-9 from slot"] += 1
                self.slots.remove(square)
                self.receive(player, square, "from a slot")
            elif square in self.hands[player]:
                self.seen["AF-9 back to slot"] += 1
                self.hands[player].remove(square)
                self.slots.add(square)
            else:
                self.seen["AF-9 from player"] += 1
                self.hands[self.holder(square)].remove(square)
                self.receive(player, square, "from a player")
            self.end_turn()
        elif square == "higher-lower":
            self.phase = "guess"
        elif square == "duel":
            self.seen["AF-12 no card in hand"] += not self.hands[player]
            self.seen["AF-12 no opponent's card"] += bool(self.hands[player]) and not self.held_by_others()
            if self.hands[player] and self.held_by_others():
                self.phase = "duel"
            else:
                self.end_turn()
        else:
            self.phase = "match card"

    def judge(self, card: str) -> None:
        """AF-10: compared with the number that moved the piece here."""
        reference = RANKS.index(str(self.number))
        right = rank(card) > reference if self.guess == "higher" else -1 < rank(card) < reference
        if not right:
            equal = "equal" if rank(card) == reference else "wrong"
            self.seen["AF-10 joker" if card == JOKER else f"AF-10 {equal}"] += 1
            self.end_turn()
            return
        self.chain += 1
        self.seen[f"AF-10 {self.guess}"] += 1
        self.seen["AF-10 court card"] += card in CARDS
        self.seen["AF-10 chain"] += self.chain == 2
        self.go_by(card)

    def match(self, card: str) -> None:
        """AF-11."""
        if card == JOKER or f"suit {SUITS[card[-1]]}" != self.square():
            self.seen["AF-11 joker" if card == JOKER else "AF-11 other suit"] += 1
            self.end_turn()
            return
        self.seen["AF-11 match"] += 1
        self.seen["AF-11 match by a court card"] += card in CARDS
        left = len(self.slots_of(self.square()))
        self.seen["AF-11 only one left"] += left == 1
        self.seen["AF-11 none left"] += left == 0
        if left:
            self.phase = "match pick"
        else:
            self.end_turn()

    def decide_duel(self, second: str) -> None:
        """AF-12."""
        mine, other = rank(self.first), rank(second)
        self.seen["AF-12 two jokers"] += self.first == second == JOKER
        self.seen["AF-12 challenger's joker"] += mine == -1 < other
        self.seen["AF-12 opponent's joker"] += other == -1 < mine
        if mine > other:
            self.seen["AF-12 won"] += 1
            self.hands[self.holder(self.named)].remove(self.named)
            self.receive(self.player, self.named, "by a duel")
            self.end_turn()
        elif mine < other:
            self.seen["AF-12 lost"] += 1
            self.phase = "give"
        else:
            self.seen["AF-12 tie"] += 1
            self.end_turn()

    # The end --------------------------------------------------------------------------------------
    def receive(self, seat: int, card: str, how: str) -> None:
        """A card comes into a hand; AF-13."""
        self.hands[seat].add(card)
        of_rank = {card[0] + suit for suit in SUITS} <= self.hands[seat]
        of_suit = {name + card[-1] for name in COURT} <= self.hands[seat]
        if of_rank or of_suit:
            self.winner = seat
            self.seen["AF-13 four of a rank"] += of_rank
            self.seen["AF-13 four of a suit"] += of_suit
            self.seen[f"AF-13 {how}"] += 1
            self.seen["AF-13 after a chain"] += self.chain > 0

    def end_turn(self) -> None:
        """AF-3, AF-13, AF-16."""
        if self.winner is not None:
            self.phase = "over"
            return
        self.turns += 1
        self.player = (self.player + 1) % self.players
        self.phase = "turn"
        if self.turns == self.limit:
            self.seen["AF-16"] += 1
            self.phase = "over"

    def scores(self) -> list[int]:
        """Cards held."""
        return [len(hand) for hand in self.hands]

    def returns(self) -> list[Fraction]:
        """AF-13, AF-16."""
        if self.winner is None:
            return [Fraction(1, self.players)] * self.players
        return [Fraction(int(seat == self.winner)) for seat in range(self.players)]

    # What is so -----------------------------------------------------------------------------------
    def facts(self) -> dict[str, object]:
        found: dict[str, object] = {
            "phase": self.phase, "positions": list(self.position), "slots": sorted(self.slots),
            "hands": [sorted(hand) for hand in self.hands], "winner": self.winner,
            "pile": {card: n for card, n in self.pile.items() if n}, "top": self.top,
        }  # fmt: skip
        if self.phase not in ("seat", "over"):
            found["player"], found["turns"] = self.player, self.turns
        if self.phase in ("move", "guess", "guess card"):
            found["number"] = self.number
        if self.phase == "guess card":
            found["guess"] = self.guess
        if self.phase in ("duel first", "duel second", "give"):
            found["named"] = self.named
            found["opponent"] = self.holder(self.named)
        if self.phase == "duel second":
            found["challenger's card"] = self.first
        return found

    # Where rare things are --------------------------------------------------------------------------
    POSITIONS = 20_000  # they cost little here, and some ends of the pile are far away
    LONG = 600
    WAYS = (("idle", 6, {"turn_limit": "3000"}),)

    def lure(self, choices: list[str], rng: Random) -> str | None:
        """Lead toward the edges of the pile, jokers in duels and great gifts; "idle": no player ever gets a card."""
        if self.plan == "idle":
            return self.idle(choices)
        if self.phase in ("give", "match pick") and rng.random() < 0.5:
            seat = self.player if self.phase == "match pick" else self.holder(self.named)
            return next((c for c in choices if self.would_win(seat, c.split()[1])), None)
        if self.phase == "duel":
            return rng.choice(choices[1:]) if self.pile.total() < 2 or rng.random() < 0.5 else None
        if self.phase in ("duel first", "duel second") and rng.random() < 0.3:
            return "card joker" if "card joker" in choices else None
        if self.phase == "duel second" and rng.random() < 0.5:
            return max(choices, key=lambda c: rank(c.split()[1]))
        if self.phase == "match card" and rng.random() < 0.5:
            return next((c for c in choices if f"suit {SUITS.get(c[-1])}" == self.square()), None)
        if self.phase == "move" and self.pile.total() < 6:
            duels = [c for c in choices if self.ahead(c) == "duel" and self.pile.total() < 2]
            return rng.choice(duels or [c for c in choices if self.ahead(c) not in CARDS] or choices)
        return None

    def idle(self, choices: list[str]) -> str | None:
        """Return a choice that leaves everything as it is."""
        if self.phase == "turn":
            return max(choices, key=lambda c: self.dullness(c[5:]))
        if self.phase == "move":
            return max(choices, key=lambda c: self.dull(self.ahead(c)))
        if self.phase == "guess card":
            return next((c for c in choices if rank(c[5:]) == RANKS.index(str(self.number))), None)
        if self.phase == "match card":
            return next((c for c in choices if f"suit {SUITS.get(c[-1])}" != self.square()), None)
        return "no duel" if self.phase == "duel" else None

    def dullness(self, card: str) -> int:
        """How little this card, turned at the start of a turn, brings."""
        if card == JOKER:
            return 3
        if card in CARDS:
            return self.dull(card)
        self.number = int(card[:-1])
        return max(self.dull(self.ahead(way)) for way in ("clockwise", "anticlockwise"))

    def dull(self, square: str) -> int:
        """Return 2 for a square without a card, 1 for a card that goes back."""
        return 1 if square in self.hands[self.player] else 2 * (square not in CARDS)

    def ahead(self, way: str) -> str:
        """Return the square to which the number leads."""
        place = self.position[self.player]
        assert place is not None
        return self.board[(place + (self.number if way == "clockwise" else -self.number)) % len(self.board)]

    def would_win(self, seat: int, card: str) -> bool:
        hand = self.hands[seat] | {card}
        return {card[0] + suit for suit in SUITS} <= hand or {name + card[-1] for name in COURT} <= hand
