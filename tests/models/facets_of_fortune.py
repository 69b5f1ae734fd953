"""Facets of Fortune once more, from the clauses FF-1 to FF-31 alone: slow, obvious, and without the product's code.

Money is in dollars, a price is a place on the ladder (0 is the lowest), seats are numbered from 0.
A hand is a list of kinds of card in the order in which they lie ("ruby-3", "wild-1", "free-ruby",
"exchange", "switch", "heist").
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations

from tests.models.contract import CHANCE, OVER
from tests.models.facets_of_fortune_lures import RARE, Lures

COLOURS = ("ruby", "sapphire", "diamond", "emerald")  # FF-1
NUMBERED = {f"{colour}-{n}": (colour, n) for colour in COLOURS for n in (1, 2, 3)}
WILD = {f"wild-{n}": n for n in (1, 2, 3)}
FREE = {f"free-{colour}": colour for colour in COLOURS}
EXTRA_CARD, EXTRA_STOP, BONUS = 100_000, 1_000_000, 100_000  # FF-15, FF-23, FF-25


@dataclass
class Market:
    """One colour: the price at its marker, the gems on the board, the owners of its STOPs."""

    price: int = 0  # FF-8: all Sell prices at the lowest
    gems: int = 10
    closed: bool = False
    stops: set[int] = field(default_factory=set)


@dataclass
class Player:
    """What lies before a player."""

    money: int = 0
    hand: list[str] = field(default_factory=list)
    gems: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COLOURS, 0))
    stop: bool = True  # FF-6
    extra_stop: bool = False  # FF-23: bought, once in the game
    bought_in: int = -1


class Model(Lures):
    """One game. `phase` is what is waited for, in words; `me` is whose turn it is."""

    RARE = RARE
    POSITIONS = 30_000  # a game has some hundreds, and none of these branches is in every game

    def __init__(self, players: int, parts: dict, options: dict[str, str]) -> None:
        self.seen: Counter[str] = Counter()
        self.ladder: list[int] = parts["ladder"]
        self.up_down: list[int] = parts["up_down"]
        self.faces: int = parts["heist_die"]
        self.dead_wild = options["dead_cards"] == "wild"  # FF-24
        self.way = -1 if options["direction"] == "counter-clockwise" else 1  # FF-7
        self.wild_stop = options["stop_at_wild"] == "stays"  # FF-11
        self.ten = len(self.ladder)  # FF-1: as many gems of a colour as prices
        self.players = [Player() for _ in range(players)]
        self.markets = {colour: Market(gems=self.ten) for colour in COLOURS}
        self.deck = self._deck(parts["deck"])
        self.discards: Counter[str] = Counter()
        self.phase = "start"
        self.me = 0
        self.turns = 0
        self.to_draw = 0  # cards of the deal under way
        self.to_deal: list[int] = []  # FF-8: seats that still wait for their opening cards
        self.before: dict[str, int] = {}
        self.dealt_to = 0
        self.extra_possible = False
        self.extra_cards = False  # the deal under way is FF-15's
        self.roll: tuple[str, int] = ("", 0)
        self.card = ""  # the card being played
        self.first = ""  # the first market named for an Exchange or Switch
        self.rival = -1
        self.attack = 0
        self.booty = 0
        self.winner = -1  # FF-28

    @staticmethod
    def _deck(counts: dict[str, int]) -> Counter[str]:
        """FF-5: colours are alike."""
        deck: Counter[str] = Counter()
        for kind, n in counts.items():
            if kind.startswith("gem-"):
                deck.update({f"{colour}-{kind[4:]}": n for colour in COLOURS})
            elif kind == "free":
                deck.update({f"free-{colour}": n for colour in COLOURS})
            else:
                deck[kind] = n
        return deck

    # --- who and what -------------------------------------------------------------------------------------------

    def turn(self) -> int:
        if self.phase == "over":
            return OVER
        return CHANCE if self.phase in ("start", "draw", "roll", "attack", "defend") else self.me

    def moves(self) -> set[str]:
        mine = self.players[self.me]
        if self.phase == "name":  # FF-11: any open market
            return {f"name {colour}" for colour in self.open()}
        if self.phase == "play":
            return self._plays()
        if self.phase == "trade":
            return self.trades(self.card)
        if self.phase == "free":
            return {f"free {colour}" for colour in self.open() if self.markets[colour].gems}
        if self.phase == "give":
            return {f"give {colour}" for colour, _ in self.exchanges()}
        if self.phase == "take":
            return {f"take {to}" for colour, to in self.exchanges() if colour == self.first}
        if self.phase == "switch":
            return {f"switch {colour}" for pair in self.switches() for colour in pair}
        if self.phase == "with":
            return {f"with {c}" for pair in self.switches() if self.first in pair for c in pair if c != self.first}
        if self.phase == "rival":
            return {f"heist {seat + 1}" for seat in self.victims()}
        if self.phase == "pick":
            return {f"take {colour}" for colour, n in self.players[self.rival].gems.items() if n}
        assert self.phase == "toss"
        moves = set()
        for size in range(max(1, len(mine.hand) - 3), len(mine.hand) + 1):  # FF-17: at most three are kept
            for places in combinations(range(len(mine.hand)), size):
                if all(self._first_of_its_kind(mine.hand, place, places) for place in places):
                    moves.add(" ".join(["discard", *(mine.hand[place] for place in places)]))
        return moves

    @staticmethod
    def _first_of_its_kind(hand: list[str], place: int, places: tuple[int, ...]) -> bool:
        """Of equal cards those that lie first are meant."""
        return all(other in places for other in range(place) if hand[other] == hand[place])

    def chances(self) -> dict[str, Fraction]:
        if self.phase == "start":  # FF-7
            return {f"seat {seat + 1} starts": Fraction(1, len(self.players)) for seat in range(len(self.players))}
        if self.phase == "draw":  # FF-17: only when a card must be drawn are the discards shuffled
            deck = self.deck if self.deck.total() else self.discards
            return {f"card {kind}": Fraction(n, deck.total()) for kind, n in deck.items() if n}
        if self.phase == "roll":  # FF-11: with k open markets each result has 1 in k + 2; with one, only up/down
            markets = self.open()
            results = [*markets, "wild", "all"] if len(markets) > 1 else markets
            sides = Counter(self.up_down)
            whole = len(results) * len(self.up_down)
            return {f"roll {gem} {step:+d}": Fraction(n, whole) for gem in results for step, n in sides.items()}
        return {f"heist {n}": Fraction(1, self.faces) for n in range(1, self.faces + 1)}  # FF-4, FF-22

    def open(self) -> list[str]:
        return [colour for colour in COLOURS if not self.markets[colour].closed]

    # --- what can be played -------------------------------------------------------------------------------------

    def _plays(self) -> set[str]:
        mine = self.players[self.me]
        moves = {f"play {kind}" for kind in mine.hand if self.playable(kind)}
        if len(mine.hand) <= 3:  # FF-17
            moves.add("end")
        if mine.hand:
            moves.add("discard")
        if self.extra_possible:  # FF-15
            moves |= {f"buy {k} new card{'s' * (k > 1)}" for k in (1, 2, 3) if mine.money >= k * EXTRA_CARD}
        if mine.stop:  # FF-23: any open market, but not beside their own
            places = [colour for colour in self.open() if self.me not in self.markets[colour].stops]
            self.seen["FF-23 not beside his own"] += len(places) < len(self.open())
            moves |= {f"stop {colour}" for colour in places}
        elif not mine.extra_stop and mine.money >= EXTRA_STOP:
            moves.add("buy stop")
        return moves

    def playable(self, kind: str) -> bool:
        """FF-16: a card that can do nothing can only be discarded."""
        if kind in FREE:
            return bool(self.free_gems(FREE[kind]))
        if kind == "exchange":
            return bool(self.exchanges())
        if kind == "switch":
            return bool(self.switches())
        if kind == "heist":
            return bool(self.victims())
        return bool(self.trades(kind))

    def trades(self, kind: str) -> set[str]:
        """FF-18, FF-24: return what a numbered card can buy or sell."""
        mine = self.players[self.me]
        if kind in WILD:
            most, colours = WILD[kind], self.open()
        else:
            colour, most = NUMBERED[kind]
            colours = [colour]
            if self.markets[colour].closed:
                self.seen["FF-24 unusable"] += not self.dead_wild
                colours = self.open() if self.dead_wild else []
        moves = set()
        for colour in colours:
            self.seen["FF-9 sold out"] += not self.markets[colour].gems
            for n in range(1, most + 1):
                if n <= self.markets[colour].gems and self.cost(colour, n) <= mine.money:
                    moves.add(f"buy {n} {colour}")
                if n <= mine.gems[colour]:
                    moves.add(f"sell {n} {colour}")
        return moves

    def cost(self, colour: str, n: int) -> int:
        """FF-9, FF-18: with g gems on the board the lowest costs ladder[10 - g], and each has its own price."""
        lowest = self.ten - self.markets[colour].gems
        return sum(self.ladder[lowest : lowest + n])

    def free_gems(self, colour: str) -> list[str]:
        """FF-19, FF-24: return the markets whose lowest gem a Free Gem of this colour can take."""
        if self.markets[colour].closed:
            return [other for other in self.open() if self.markets[other].gems] if self.dead_wild else []
        return [colour] if self.markets[colour].gems else []

    def exchanges(self) -> list[tuple[str, str]]:
        """FF-20: one of yours for the lowest of another open market."""
        gems = self.players[self.me].gems
        markets = [colour for colour in self.open() if self.markets[colour].gems]
        return [(give, take) for give in COLOURS if gems[give] for take in markets if take != give]

    def switches(self) -> list[tuple[str, str]]:
        """FF-21: not with a STOP, not closed with closed, not two open ones at one price."""
        pairs = []
        for one, other in combinations(COLOURS, 2):
            a, b = self.markets[one], self.markets[other]
            if a.stops or b.stops or (a.closed and b.closed):
                self.seen["FF-21 not under STOP"] += bool(a.stops or b.stops)
                continue
            if a.closed or b.closed or a.price != b.price:
                pairs.append((one, other))
        return pairs

    def victims(self) -> list[int]:
        """FF-22: opponents who have a gem."""
        return [seat for seat, p in enumerate(self.players) if seat != self.me and any(p.gems.values())]

    # --- what happens -------------------------------------------------------------------------------------------

    def apply(self, text: str) -> None:
        words = text.split()
        if self.turn() == CHANCE:
            getattr(self, f"_on_{self.phase}")(words)
            return
        verb, what = words[0], words[-1]
        if self.phase == "name":
            self._named(what)
        elif self.phase == "play":
            self._play(verb, what, words)
        elif self.phase == "trade":
            self._trade(verb, int(words[1]), what)
        elif self.phase == "free":
            self.seen["FF-24 free gem of a closed market"] += 1
            self._free_gem(what)
        elif self.phase in ("give", "switch"):
            self.first = what
            self.phase = "take" if self.phase == "give" else "with"
        elif self.phase == "take":
            self._exchange(self.first, what)
        elif self.phase == "with":
            self._switch(self.first, what)
        elif self.phase == "rival":
            self.rival = int(what) - 1
            self.phase = "attack"
        elif self.phase == "pick":
            self._take(what)
        else:
            mine = self.players[self.me]
            self.seen["FF-17 fewer than three kept of more"] += len(mine.hand) > 3 > len(mine.hand) - len(words) + 1
            for kind in words[1:]:
                self._discard(kind)
            self._refill()

    # Dealing

    def _on_start(self, words: list[str]) -> None:
        """FF-7, FF-8."""
        self.me = int(words[1]) - 1
        n = len(self.players)
        order = [(self.me + i * self.way) % n for i in range(n)]
        for place, seat in enumerate(order):
            self.players[seat].money = 25_000 if place < 2 else 35_000
        self.to_deal = order
        self._deal(order[0], 3)

    def _deal(self, seat: int, n: int) -> None:
        """FF-25: what counts is the hand before the first card of a deal and after its last."""
        self.dealt_to = seat
        self.to_draw = n
        self.before = self._numbered(seat)
        self.phase = "draw"

    def _numbered(self, seat: int) -> dict[str, int]:
        """FF-25: numbered cards by colour; Wild and Free Gem never count."""
        hand = self.players[seat].hand
        return {c: sum(1 for kind in hand if kind in NUMBERED and NUMBERED[kind][0] == c) for c in COLOURS}

    def _on_draw(self, words: list[str]) -> None:
        if not self.deck.total():  # FF-17
            self.seen["FF-17 reshuffled"] += 1
            self.deck, self.discards = self.discards, Counter()
        self.deck[words[1]] -= 1
        self.players[self.dealt_to].hand.append(words[1])
        self.to_draw -= 1
        if self.to_draw:
            return
        self._pay_triples()
        if self.to_deal:
            self.to_deal.pop(0)
            if self.to_deal:
                self._deal(self.to_deal[0], 3)
            else:
                self._begin_turn(self.me)
        elif self.extra_cards:
            self.extra_cards = False
            self.phase = "play"
        else:
            self._next_turn()

    def _pay_triples(self) -> None:
        """FF-25."""
        after = self._numbered(self.dealt_to)
        why = "opening" if self.to_deal else "extra cards" if self.extra_cards else "refill"
        for colour in COLOURS:
            new = after[colour] // 3 - self.before[colour] // 3
            self.players[self.dealt_to].money += BONUS * new
            self.seen[f"FF-25 {why}"] += new
            self.seen["FF-25 closed market"] += new if self.markets[colour].closed else 0
            self.seen["FF-25 a kept triple does not pay"] += self.before[colour] >= 3 and not new

    # The roll

    def _begin_turn(self, seat: int) -> None:
        self.me = seat
        self.extra_possible = True
        self.phase = "roll"
        self.seen["FF-11 one market left"] += len(self.open()) == 1

    def _next_turn(self) -> None:
        """FF-7."""
        self._begin_turn((self.me + self.way) % len(self.players))

    def _on_roll(self, words: list[str]) -> None:
        gem, step = words[1], int(words[2])
        self.roll = (gem, step)
        if gem == "wild":
            self.phase = "name"
        else:
            self._move(self.open() if gem == "all" else [gem], step)

    def _named(self, colour: str) -> None:
        self.seen["FF-11 named under STOP"] += bool(self.markets[colour].stops)
        if self.wild_stop and self.roll[1] > 0 and self.markets[colour].stops:
            self.seen["FF-11 named under STOP, stays"] += self.markets[colour].price < len(self.ladder) - 1
            self._move([], 0)
        else:
            self._move([colour], self.roll[1])

    def _move(self, colours: list[str], step: int) -> None:
        top = len(self.ladder) - 1
        crashing = []
        for colour in colours:
            market = self.markets[colour]
            there = market.price + step
            if there > top and not market.stops:
                crashing.append(colour)  # FF-13
                continue
            self.seen["FF-12"] += there < 0
            self.seen["FF-13 stopped"] += there > top
            market.price = min(max(there, 0), top)  # FF-12, FF-13
        for colour in crashing:
            self._crash(colour)
        self.seen["FF-13 several crash by one All"] += len(crashing) > 1
        for market in self.markets.values():  # FF-14: their own, whatever was rolled
            if self.me in market.stops:
                self.seen["FF-14"] += 1
                market.stops.remove(self.me)
            self.seen["FF-14 another's stays"] += bool(market.stops)
        if self.open():
            self.phase = "play"
        else:  # FF-27: at once
            self.seen["FF-27"] += 1
            self.seen["FF-27 last markets together"] += len(crashing) > 1
            self.seen["FF-27 tie"] += sum(self.returns()) > max(self.returns())
            self.phase = "over"

    def _crash(self, colour: str) -> None:
        """FF-26."""
        market = self.markets[colour]
        market.closed = True
        market.gems = 0
        for player in self.players:
            self.seen["FF-26 owned gems lost"] += player.gems[colour] > 0
            player.gems[colour] = 0

    # Plays

    def _play(self, verb: str, what: str, words: list[str]) -> None:
        mine = self.players[self.me]
        if verb == "end":
            self._refill()
        elif verb == "discard":
            self.phase = "toss"
        elif verb == "buy" and what != "stop":  # FF-15
            self.seen["FF-15"] += 1
            self.seen["FF-15 after a STOP"] += any(self.me in market.stops for market in self.markets.values())
            self.extra_possible = False
            self.extra_cards = True
            mine.money -= EXTRA_CARD * int(words[1])
            self._deal(self.me, int(words[1]))
        elif verb == "buy":  # FF-23
            self.seen["FF-23 extra bought"] += 1
            mine.money -= EXTRA_STOP
            mine.stop = mine.extra_stop = True
            mine.bought_in = self.turns
        elif verb == "stop":
            self._stop(what)
        else:
            self.extra_possible = False  # FF-15: before their first card is played
            self._card(what)

    def _stop(self, colour: str) -> None:
        """FF-23."""
        mine, stops = self.players[self.me], self.markets[colour].stops
        self.seen["FF-23 two on one market"] += bool(stops)
        self.seen["FF-23 extra placed in a later turn"] += mine.extra_stop and mine.bought_in < self.turns
        mine.stop = False
        stops.add(self.me)

    def _discard(self, kind: str) -> None:
        self.players[self.me].hand.remove(kind)
        self.discards[kind] += 1

    def _card(self, kind: str) -> None:
        self.card = kind
        self._discard(kind)  # FF-16; nothing can be drawn before the play is over
        if kind in FREE:
            if self.markets[FREE[kind]].closed:
                self.phase = "free"  # FF-24
            else:
                self._free_gem(FREE[kind])  # FF-19
        else:
            self.phase = {"exchange": "give", "switch": "switch", "heist": "rival"}.get(kind, "trade")

    def _played(self) -> None:
        self.card = self.first = ""
        self.rival = -1
        self.attack = self.booty = 0
        self.phase = "play"

    def _cornered(self) -> bool:
        """FF-28: only the player on turn can get there."""
        gems = self.players[self.me].gems
        if any(gems[colour] == self.ten for colour in self.open()):
            self.seen["FF-28"] += 1
            self.winner, self.booty = self.me, 0
            self.phase = "over"
            return True
        return False

    def _trade(self, verb: str, n: int, colour: str) -> None:
        """FF-18."""
        mine, market = self.players[self.me], self.markets[colour]
        self.seen["FF-18 wild"] += self.card in WILD
        self.seen["FF-24 wild"] += self.card in NUMBERED and NUMBERED[self.card][0] != colour
        if verb == "buy":
            mine.money -= self.cost(colour, n)
            market.gems -= n
            mine.gems[colour] += n
        else:  # FF-10: the same for each
            mine.money += n * self.ladder[market.price]
            market.gems += n
            mine.gems[colour] -= n
        self._played()
        self._cornered()

    def _free_gem(self, colour: str) -> None:
        """FF-19."""
        self.seen["FF-19"] += 1
        self.markets[colour].gems -= 1
        self.players[self.me].gems[colour] += 1
        self._played()
        self._cornered()

    def _exchange(self, give: str, take: str) -> None:
        """FF-20."""
        self.seen["FF-20"] += 1
        gems = self.players[self.me].gems
        gems[give] -= 1
        self.markets[give].gems += 1
        self.markets[take].gems -= 1
        gems[take] += 1
        self._played()
        self._cornered()

    def _switch(self, one: str, other: str) -> None:
        """FF-21: two open ones swap prices; a closed and an open one change places whole."""
        a, b = self.markets[one], self.markets[other]
        if not a.closed and not b.closed:
            self.seen["FF-21 two open"] += 1
            a.price, b.price = b.price, a.price
        else:
            self.seen["FF-21 closed and open"] += 1
            self.markets[one], self.markets[other] = b, a
            for player in self.players:
                player.gems[one], player.gems[other] = player.gems[other], player.gems[one]
        self._played()

    # Heist

    def _on_attack(self, words: list[str]) -> None:
        self.attack = int(words[1])
        self.phase = "defend"

    def _on_defend(self, words: list[str]) -> None:
        """FF-22: the higher roll; a tie goes to the defender."""
        ahead = self.attack - int(words[1])
        if ahead <= 0:
            self.seen["FF-22 lost" if ahead else "FF-22 tie"] += 1
            self._played()
            return
        self.seen["FF-22 won"] += 1
        there = sum(self.players[self.rival].gems.values())
        self.seen["FF-22 all there are"] += there < ahead
        self.booty = min(ahead, there)
        self.phase = "pick"
        self._pick_what_is_plain()

    def _take(self, colour: str) -> None:
        self._move_gem(colour)
        if self.phase == "pick":
            self._pick_what_is_plain()

    def _pick_what_is_plain(self) -> None:
        """FF-22: a pick with one possible colour is made by the program."""
        while self.phase == "pick" and self.booty:
            there = [colour for colour, n in self.players[self.rival].gems.items() if n]
            if len(there) > 1:
                return
            self.seen["FF-22 plain pick"] += 1
            self._move_gem(there[0])
        if self.phase == "pick":
            self._played()

    def _move_gem(self, colour: str) -> None:
        self.players[self.rival].gems[colour] -= 1
        self.players[self.me].gems[colour] += 1
        self.booty -= 1
        if self._cornered():  # FF-28: checked after each
            self.seen["FF-28 in a heist"] += 1

    # The end of a turn

    def _refill(self) -> None:
        """FF-17: draw until there are exactly three."""
        mine = self.players[self.me]
        self.turns += 1
        if len(mine.hand) < 3:
            self._deal(self.me, 3 - len(mine.hand))
        else:
            self._next_turn()

    # --- facts and the end --------------------------------------------------------------------------------------

    def facts(self) -> dict[str, object]:
        players, markets = self.players, [self.markets[colour] for colour in COLOURS]
        return {
            "phase": self.phase,
            "whose": self.to_deal[0] if self.to_deal else self.me,
            "money": [player.money for player in players],
            "hands": [list(player.hand) for player in players],
            "gems": [[player.gems[colour] for colour in COLOURS] for player in players],
            "STOP held": [player.stop for player in players],
            "extra STOP": [player.extra_stop for player in players],
            "closed": [market.closed for market in markets],
            "on the board": [market.gems for market in markets],
            "Sell price": [None if market.closed else self.ladder[market.price] for market in markets],
            "STOPs": [sorted(market.stops) for market in markets],
            "deck": {kind: n for kind, n in self.deck.items() if n},
            "discards": {kind: n for kind, n in self.discards.items() if n},
            "cornered by": self.winner,
            "booty": self.booty,
        }

    def scores(self) -> list[int]:
        """FF-27: money; gems are worth nothing."""
        return [player.money for player in self.players]

    def returns(self) -> list[Fraction]:
        """FF-27: a tie is shared. FF-28: a cornered market wins whatever the money."""
        if self.winner >= 0:
            return [Fraction(seat == self.winner) for seat in range(len(self.players))]
        scores = self.scores()
        best = [seat for seat, score in enumerate(scores) if score == max(scores)]
        return [Fraction(seat in best, len(best)) for seat in range(len(scores))]
