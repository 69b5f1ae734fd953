"""Family Trade a second time: slow, obvious, and written from the clauses alone (rules/family_trade.md).

Cards and goods are words, money is in thousands. Each rule stands under the number of its clause;
a branch that play seldom reaches counts itself in `seen`.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

from tests.models.contract import CHANCE, OVER
from tests.models.family_trade_lures import RARE, WAYS, Lures

MARKET, GOD, ROYALE = "market-making", "god-of-the-market", "battle-royale"
MAKE = "market make"


def three_sets(cards: list[str]) -> bool:
    """Nine cards that are three sets of three (FT-8)."""
    return len(cards) == 9 and all(cards.count(card) % 3 == 0 for card in cards)


def one_short(cards: list[str]) -> bool:
    """Eight cards that are one short of three sets (FT-10): one count is 2 modulo 3, all others 0."""
    rests = sorted(cards.count(card) % 3 for card in set(cards))
    return len(cards) == 8 and rests[-1:] == [2] and not any(rests[:-1])


class Model:
    """One game from the draw of the first dealer to its end."""

    RARE = RARE
    LONG = 1_000
    WAYS = WAYS

    def __init__(self, players: int, parts: dict, options: dict[str, str]) -> None:
        self.players, self.parts = players, parts
        self.ruleset = options["ruleset"]
        self.honour_calls = options["honour_calls"] == "on" and self.ruleset != ROYALE  # FT-19
        self.dealt_hand = options.get("dealt_hand", "")  # FT-11
        self.as_dealt: set[int] = set()  # who has discarded only what they drew
        self.goods: list[str] = parts["goods"]  # FT-1
        self.dice = dict(zip(self.goods, parts["dice"], strict=True))  # FT-2
        self.pack = Counter(dict.fromkeys(self.goods, parts["trade_cards"]))  # FT-3
        if self.ruleset == MARKET:  # FT-20, FT-21: no Market Makes elsewhere
            self.pack[MAKE] = parts["market_makes"]
        self.money = [0 if self.ruleset == ROYALE else parts["start"]] * players  # FT-4
        self.jackpot = 0
        self.price: dict[str, int | None] = dict.fromkeys(self.goods)
        self.dealer = self.run = self.turns = self.rounds = 0
        self.deck: Counter[str] = Counter()
        self.row: list[str] = []  # the discards, the last one last
        self.hands: list[list[str]] = [[] for _ in range(players)]
        self.gone: Counter[str] = Counter()  # FT-23: face down, out of the game
        self.shown: Counter[str] = Counter()  # FT-23: the sets of those who went out
        self.announced: set[int] = set()  # FT-10: one to go; their hands are frozen
        self.has_discarded: set[int] = set()  # FT-11
        self.declined: set[int] = set()  # only to count branches
        self.new_decks = 0  # FT-18, FT-24
        self.player = 0  # whose draw and discard it is
        self.drawn = ""
        self.called = False  # FT-19: once a turn
        self.asked: list[int] = []  # FT-12
        self.out: int | None = None  # who goes out ...
        self.source: int | None = None  # ... with whose discard (None: from the deck)
        self.due: list[str] = []  # goods whose dice are to be rolled
        self.why = ""  # ... for the "market", for the "sets" of the player who goes out, or "again"
        self.phase = "first dealer"
        self.seen: Counter[str] = Counter()
        self.lures, self.plan = Lures(), ""

    # The contract ------------------------------------------------------------------------------
    def turn(self) -> int:
        """Return the seat that decides, or CHANCE or OVER."""
        if self.phase == "over":
            return OVER
        if self.phase in ("first dealer", "roll", "deal", "draw"):
            return CHANCE
        if self.phase == "market":
            return self.dealer  # FT-6: the dealer of the coming deal
        if self.phase == "ask":
            return self.next_asked()
        if self.phase == "again":
            assert self.out is not None
            return self.out  # FT-13
        return self.player  # "turn", "step"

    def moves(self) -> set[str]:
        """Return what may be decided here."""
        if self.phase == "market":
            return {"keep", "roll"}  # FT-6
        if self.phase == "turn":
            return self.moves_of_turn()
        if self.phase == "step":  # FT-9: a step past an end is not offered
            ladder = self.parts["ladder"]
            up = {f"{good} up" for good in self.goods if self.price[good] != ladder[-1]}
            down = {f"{good} down" for good in self.goods if self.price[good] != ladder[0]}
            self.seen["FT-9 end of the ladder"] += len(up) + len(down) < 2 * len(self.goods)
            return {"leave prices"} | up | down
        if self.phase == "ask":
            return {"take", "let it lie"}  # FT-12: declining is legal
        assert self.phase == "again"
        return {"no reroll"} | {f"reroll {good}" for good in self.may_be_rolled_again()}

    def chances(self) -> dict[str, Fraction]:
        """Return what chance may bring, and how likely it is."""
        if self.phase == "first dealer":  # FT-6
            return {f"seat {seat + 1} deals": Fraction(1, self.players) for seat in range(self.players)}
        if self.phase == "roll":
            faces = self.dice[self.due[0]]
            return {f"{self.due[0]} {1000 * face:,}": Fraction(faces.count(face), len(faces)) for face in faces}
        deck = self.draws_from()
        if not (left := deck.total()):
            return {"no card": Fraction(1)}  # FT-18, FT-24: the deal is void
        return {f"card {card}": Fraction(number, left) for card, number in deck.items() if number}

    def apply(self, text: str) -> None:
        """Make a move, or let chance bring this."""
        if self.phase == "first dealer":
            self.dealer = int(text.split()[1]) - 1
            self.run = 1
            if self.ruleset == MARKET:
                self.roll(self.goods, "market")  # FT-6
            else:
                self.deal()
        elif self.phase == "market":
            self.seen["FT-6 keep" if text == "keep" else "FT-6 roll again"] += 1
            if text == "keep":
                self.deal()
            else:
                self.roll(self.goods, "market")
        elif self.phase == "roll":
            self.rolled(int(text.rpartition(" ")[2].replace(",", "")) // 1000)
        elif self.phase in ("deal", "draw"):
            self.card(text.removeprefix("card "))
        elif self.phase == "turn":
            if text == "done":
                self.call()
            else:
                self.discard(text.removeprefix("discard "))
        elif self.phase == "step":
            self.step(text)
        elif self.phase == "ask":
            self.answer(self.next_asked(), text == "take")
        elif text == "no reroll":
            self.seen["FT-13 stand"] += 1
            self.pay()
        else:
            self.seen["FT-15 the market moves" if self.nine_alike() else "FT-13 re-roll"] += 1
            self.roll([text.removeprefix("reroll ")], "again")

    def facts(self) -> dict[str, object]:
        """Return the whole position, hidden things too, but only what the clauses settle in this phase."""
        found: dict[str, object] = {"phase": self.phase, "money": self.money, "jackpot": self.jackpot}
        if self.ruleset == MARKET or self.out is not None:  # FT-20, FT-22: elsewhere nothing rolled stays
            found["prices"] = [self.price[good] for good in self.goods]
        if self.phase in ("first dealer", "over"):
            return found
        found["dealer"] = self.dealer
        if self.ruleset == ROYALE:
            found |= {"round": self.rounds, "gone": self.kinds(self.gone), "shown": self.kinds(self.shown)}
        else:
            found |= {"run": self.run, "turns": self.turns}
        if self.phase == "market" or (self.phase == "roll" and self.why == "market"):
            return found
        return found | {
            "deck": self.kinds(self.deck), "row": self.row, "hands": [sorted(hand) for hand in self.hands],
            "announced": sorted(self.announced), "new decks": self.new_decks,
            "player": self.player if self.phase in ("turn", "step") else None,
            "drawn": self.drawn if self.phase == "turn" else None,
            "called": self.called and self.phase == "turn",
            "out": self.out, "source": self.source, "due": self.due[:1], "asked": self.asked,
        }  # fmt: skip

    def scores(self) -> list[int]:
        """FT-17, FT-25: return the money."""
        return [1000 * money for money in self.money]

    def returns(self) -> list[Fraction]:
        """FT-17, FT-25: most money wins; a tie is shared."""
        most = max(self.money)
        return [Fraction(money == most, self.money.count(most)) for money in self.money]

    def lure(self, choices: list[str], rng: Random) -> str | None:
        """Return where the walk is to go (`family_trade_lures`)."""
        return self.lures.choose(self, choices, rng)

    # Dice, deal, draw --------------------------------------------------------------------------
    def roll(self, goods: list[str], why: str) -> None:
        """The dice of these goods are rolled, one after the other."""
        self.due, self.why, self.phase = list(goods), why, "roll"
        if why == "market":
            self.price = dict.fromkeys(self.goods)

    def rolled(self, face: int) -> None:
        """A die shows this; it becomes the price."""
        self.price[self.due.pop(0)] = face
        if self.due:
            return
        if self.why == "market":
            self.deal()
        elif self.why == "sets" and self.ruleset == GOD:
            self.phase = "again"  # FT-20: all rolls before the re-roll choice
        else:
            self.pay()  # FT-13: the roll stands; FT-22: no re-roll

    def deal(self) -> None:
        """A deal begins (FT-7), or a round of Battle Royale (FT-21)."""
        if self.ruleset != ROYALE:
            self.deck, self.row = Counter(self.pack), []
        elif not self.rounds:
            self.deck = Counter(self.pack)
        self.rounds += 1
        self.hands = [[] for _ in range(self.players)]
        self.announced, self.has_discarded, self.declined = set(), set(), set()
        self.as_dealt = set(range(self.players))
        self.new_decks, self.called = 0, False
        if self.ruleset != MARKET:
            self.price = dict.fromkeys(self.goods)  # FT-20: nothing rolled stays for the next deal
        self.player = self.dealer
        self.phase = "deal"

    def draws_from(self) -> Counter[str]:
        """Return the deck that the next card comes from; empty if no new one can be formed (FT-18, FT-24)."""
        if self.deck.total():
            return self.deck
        if self.ruleset == ROYALE and (self.phase == "deal" or self.new_decks < self.parts["new_decks"]):
            return Counter(self.row)  # FT-24: the last discard too
        if self.ruleset != ROYALE and self.new_decks < self.parts["new_decks"]:
            return Counter(self.row[:-1])  # FT-18: all but the last
        return Counter()

    def form_new_deck(self) -> None:
        """FT-18, FT-24: only when a card must be drawn and the deck is empty."""
        self.deck = self.draws_from()
        self.row = [] if self.ruleset == ROYALE else self.row[-1:]
        if self.phase == "deal":  # FT-24: not counted
            self.seen["FT-24 new deck in the deal"] += 1
        else:
            self.new_decks += 1
            clause = "FT-24" if self.ruleset == ROYALE else "FT-18"
            self.seen[f"{clause} new deck {self.new_decks}"] += 1

    def card(self, card: str) -> None:
        """Deal or draw a card, or make the deal void without one."""
        if card == "no card":
            self.void()
            return
        if not self.deck.total():
            self.form_new_deck()
        self.deck[card] -= 1
        self.hands[self.player].append(card)
        if self.phase == "draw":
            self.drawn, self.called, self.phase = card, False, "turn"
            return
        self.player = self.left_of(self.player)  # one at a time in turn (FT-21)
        if all(len(hand) == (2 if self.ruleset == ROYALE else 8) for hand in self.hands):
            self.player, self.phase = self.dealer, "draw"

    def next_draws(self) -> None:
        """FT-8, FT-22: clockwise."""
        self.player, self.phase = self.left_of(self.player), "draw"

    def left_of(self, seat: int) -> int:
        return (seat + 1) % self.players

    # A turn ------------------------------------------------------------------------------------
    def finished(self, cards: list[str]) -> bool:
        """FT-8: three sets of three, without a Market Make (FT-9); FT-22: three of a kind."""
        if self.ruleset == ROYALE:
            return len(cards) == 3 and len(set(cards)) == 1
        self.seen["FT-9 sets with Market Makes"] += MAKE in cards and three_sets(cards)
        return MAKE not in cards and three_sets(cards)

    def moves_of_turn(self) -> set[str]:
        """FT-8, FT-22: discard one card or go out; FT-10: a frozen hand discards what was drawn; FT-19: a call."""
        hand = self.hands[self.player]
        cards = {self.drawn} if self.player in self.announced else set(hand)
        out = self.finished(hand) or (self.honour_calls and not self.called)
        return {f"discard {card}" for card in cards} | ({"done"} if out else set())

    def call(self) -> None:
        """ "Done!": going out, or a false call (FT-19)."""
        seat = self.player
        if self.finished(self.hands[seat]):
            if self.ruleset != ROYALE and seat not in self.has_discarded:
                self.seen["FT-11 dealt, by draw"] += 1
            elif self.ruleset != ROYALE and seat not in self.announced:
                self.seen["FT-11 kept, by draw"] += 1
            self.goes_out(seat, None)
            return
        self.seen["FT-19 false call, frozen" if seat in self.announced else "FT-19 false call"] += 1
        self.money[seat] -= self.parts["false_call"]
        self.jackpot += self.parts["false_call"]
        self.called = True

    def discard(self, card: str) -> None:
        """FT-8, FT-10, FT-22."""
        seat, hand = self.player, self.hands[self.player]
        if self.finished(hand):  # FT-12: declined on a draw
            kind = "royale" if self.ruleset == ROYALE else "frozen" if seat in self.announced else "dealt"
            self.seen[f"FT-12 declined on a draw, {kind}"] += 1
            self.declined.add(seat)
        if card != self.drawn:
            self.as_dealt.discard(seat)
        hand.remove(card)
        self.row.append(card)
        self.has_discarded.add(seat)
        if self.ruleset != ROYALE and one_short(hand):
            if MAKE in hand:  # FT-10: then it is not one to go
                self.seen["FT-10 one short with Market Makes"] += 1
            elif self.dealt_hand == "while-kept" and seat in self.as_dealt:
                self.seen["FT-11 kept without a word"] += 1
            else:
                self.announced.add(seat)
        if card == MAKE:
            self.seen["FT-9 by a frozen hand"] += seat in self.announced
            self.phase = "step"  # FT-9: and no player can claim it
        else:
            self.ask(card)

    def step(self, text: str) -> None:
        """FT-9: one price moves a step on the ladder, or none; then the next player draws."""
        self.seen["FT-9 no step" if text == "leave prices" else "FT-9 " + text.split()[-1]] += 1
        if text != "leave prices":
            good, _, way = text.rpartition(" ")
            ladder = self.parts["ladder"]
            self.price[good] = ladder[ladder.index(self.price[good]) + (1 if way == "up" else -1)]
        self.next_draws()

    # Who takes a discard -----------------------------------------------------------------------
    def ask(self, card: str) -> None:
        """FT-12, FT-22: those whom the discard finishes, nearest after the discarder first, may take it."""
        others = [(self.player + i) % self.players for i in range(1, self.players)]
        self.asked = [seat for seat in others if self.finished([*self.hands[seat], card])]
        if self.dealt_hand == "own-draw":
            self.seen["FT-11 own draw only"] += len([seat for seat in self.asked if seat not in self.announced])
            self.asked = [seat for seat in self.asked if seat in self.announced]
        self.seen["FT-12 several can"] += len(self.asked) > 1
        if self.asked:
            self.phase = "ask"
        else:
            self.next_draws()

    def next_asked(self) -> int:
        """Whose answer is awaited: one after the other, the first of FT-12's order first."""
        return self.asked[0]

    def answer(self, seat: int, takes: bool) -> None:
        """FT-12: the first in that order who takes it has it; when all have declined, the next player draws."""
        self.asked.remove(seat)
        if takes:
            self.takes(seat)
            return
        self.seen["FT-12 declined"] += 1
        self.declined.add(seat)
        if self.asked:
            self.seen["FT-12 asked after a pass"] += 1
        else:
            self.next_draws()

    def takes(self, seat: int) -> None:
        """FT-12, FT-22: out of turn, with the last discard."""
        self.asked = []
        self.hands[seat].append(self.row.pop())
        if self.ruleset != ROYALE and seat not in self.announced:
            self.seen[f"FT-11 {'kept' if seat in self.has_discarded else 'dealt'}, by claim"] += 1
        self.goes_out(seat, self.player)

    # Going out ---------------------------------------------------------------------------------
    def goes_out(self, seat: int, source: int | None) -> None:
        """FT-13, FT-20, FT-22: the cards are shown; then dice."""
        self.out, self.source = seat, source
        self.seen["FT-12 went out after declining"] += seat in self.declined
        if self.ruleset == MARKET:
            self.phase = "again"  # FT-13
        elif self.ruleset == GOD and self.nine_alike():
            self.seen["FT-15 no die is rolled"] += 1
            self.pay()
        else:
            self.roll(self.goods_of_sets(), "sets")  # FT-20, FT-22

    def goods_of_sets(self) -> list[str]:
        """Return the goods in the hand of the player going out, each once."""
        assert self.out is not None
        return [good for good in self.goods if good in self.hands[self.out]]

    def nine_alike(self) -> bool:
        """FT-15."""
        assert self.out is not None
        return self.ruleset != ROYALE and len(set(self.hands[self.out])) == 1

    def may_be_rolled_again(self) -> list[str]:
        """FT-13: any of the eight; FT-20: one of those just rolled."""
        return self.goods if self.ruleset == MARKET else self.goods_of_sets()

    def pay(self) -> None:
        """FT-14, FT-15, FT-22."""
        seat, source = self.out, self.source
        assert seat is not None
        if self.ruleset == ROYALE:  # FT-22: the bank pays them, or they pay the bank, including on a taken discard
            total = self.price[self.hands[seat][0]]
            assert total is not None
            self.money[seat] += total
            self.see_payment_of_royale(total)
            self.end_of_round()
            return
        multiple = self.run if seat == self.dealer else 1  # FT-16
        total = 0
        if self.nine_alike():  # FT-15: whatever the prices and the origin; the bank pays; never multiplied
            total = self.parts["nine_alike"]
            self.seen["FT-15 by draw" if source is None else "FT-15 by claim"] += 1
            self.seen["FT-15 not multiplied"] += multiple > 1
            source = None
        else:
            for good in self.goods_of_sets():  # FT-13: two sets of one good count twice
                price = self.price[good]
                assert price is not None
                sets = self.hands[seat].count(good) // 3
                self.seen["FT-13 two sets of one good"] += sets > 1
                total += price * sets
            total *= multiple
            self.see_payment(total, multiple)
        self.money[seat] += total
        if source is not None:
            self.money[source] -= total
        elif total < 0:
            self.jackpot -= total
        if total > 0:
            self.seen["FT-14 Jackpot"] += self.jackpot > 0
            self.money[seat] += self.jackpot
            self.jackpot = 0
        self.seen["FT-5 debt"] += min(self.money) < 0
        self.end_of_deal(seat == self.dealer)

    # The deal moves on -------------------------------------------------------------------------
    def end_of_deal(self, dealer_went_out: bool) -> None:
        """FT-16, FT-17."""
        self.out = self.source = None
        if dealer_went_out and self.run < self.parts["longest_run"]:
            self.run += 1
            self.seen["FT-16 again"] += 1
            self.seen["FT-17 last run"] += self.turns == 2 * self.players - 1
        else:
            self.seen["FT-16 longest run"] += dealer_went_out
            self.run = 1
            self.turns += 1
            self.dealer = self.left_of(self.dealer)
        if self.turns == 2 * self.players:
            self.seen["FT-17 tie"] += self.money.count(max(self.money)) > 1
            self.seen["FT-17 Jackpot left over"] += self.jackpot > 0
            self.phase = "over"
        elif self.ruleset == MARKET:
            self.phase = "market"  # FT-6
        else:
            self.deal()  # FT-20: no choice

    def void(self) -> None:
        """FT-18: pay no one, move the deal to the left, and count this; FT-24: all hand cards leave the game."""
        if self.ruleset == ROYALE:
            self.seen["FT-24 void"] += 1
            self.end_of_round()
        else:
            self.seen["FT-18 void"] += 1
            self.seen["FT-18 void in a run"] += self.run > 1
            self.end_of_deal(dealer_went_out=False)

    def end_of_round(self) -> None:
        """FT-23, FT-24, FT-25."""
        for seat, hand in enumerate(self.hands):
            (self.shown if seat == self.out else self.gone).update(hand)
        self.hands = [[] for _ in range(self.players)]
        self.out = self.source = None
        self.dealer = self.left_of(self.dealer)  # FT-23: the dealer's own win does not keep the deal
        fifties = sum(money // 50 for money in self.money if money > 0)
        tens = sum(money % 50 // 10 for money in self.money if money > 0)
        no_fifties = fifties >= self.parts["fifties"][self.players - 2]
        no_tens = tens >= self.parts["tens"]
        left = self.deck.total() + len(self.row)
        too_few = left < 3 * self.players
        self.seen["FT-24 just enough cards"] += left == 3 * self.players
        self.seen["FT-25 the last 10,000 bill"] += tens == self.parts["tens"]
        self.seen["FT-25 the last 50,000 bill"] += fifties == self.parts["fifties"][self.players - 2]
        self.seen["FT-25 one 10,000 bill left"] += tens == self.parts["tens"] - 1
        self.seen["FT-25 one 50,000 bill left"] += fifties == self.parts["fifties"][self.players - 2] - 1
        self.seen["FT-25 no 50,000 bills"] += no_fifties
        self.seen["FT-25 no 10,000 bills"] += no_tens
        self.seen["FT-24 too few cards"] += too_few
        if no_fifties or no_tens or too_few:
            self.seen["FT-25 tie"] += self.money.count(max(self.money)) > 1
            self.phase = "over"
        else:
            self.deal()

    # Counting ----------------------------------------------------------------------------------
    def see_payment(self, total: int, multiple: int) -> None:
        """Which row and column of FT-14 this is."""
        origin = "deck" if self.source is None else "discard"
        self.seen[f"FT-14 {origin}, {'positive' if total > 0 else 'negative' if total else 'zero'}"] += 1
        self.seen["FT-14 zero, Jackpot stays"] += not total and self.jackpot > 0
        self.seen["FT-16 multiplied"] += multiple > 1 and total > 0
        self.seen["FT-16 negative multiplied"] += multiple > 1 and total < 0
        self.seen["FT-16 zero keeps the deal"] += not total and self.out == self.dealer

    def see_payment_of_royale(self, total: int) -> None:
        """FT-22: from where, and who pays; FT-5, FT-23."""
        origin = "deck" if self.source is None else "discard"
        self.seen[f"FT-22 {origin}, {'positive' if total > 0 else 'negative'}"] += 1
        self.seen["FT-5 debt"] += min(self.money) < 0
        self.seen["FT-23 the dealer wins"] += self.out == self.dealer

    def kinds(self, cards: Counter[str]) -> list[int]:
        """Return how many of each kind, in the order of the goods, Market Makes last."""
        return [cards[kind] for kind in (*self.goods, MAKE)]
