"""Fortune a second time, from the clauses FO-1 to FO-28 alone: slow and obvious."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import factorial, prod
from random import Random
from typing import Any

from tests.models.contract import CHANCE, OVER
from tests.models.fortune_lures import lure

FACES = ("skull", "sword", "monkey", "parrot", "gold", "diamond")  # FO-1
OBJECTS = FACES[1:]
SET = {0: 0, 1: 0, 2: 0, 3: 100, 4: 200, 5: 500, 6: 1000, 7: 2000, 8: 4000, 9: 4000}  # FO-9
CARD_SKULLS = {"skulls-1": 1, "skulls-2": 2}  # FO-22
SWORDS_NEEDED = {"sea-battle-2": 2, "sea-battle-3": 3, "sea-battle-4": 4}  # FO-19


@cache
def rolls(n: int) -> dict[str, Fraction]:
    """Every roll of n dice, faces sorted, with its probability."""
    found = {}
    for dice in combinations_with_replacement(FACES, n):
        ways = factorial(n) // prod(factorial(dice.count(face)) for face in FACES)
        found["dice " + " ".join(dice)] = Fraction(ways, 6**n)
    return found


class Model:
    """A game of Fortune. The phase is "seat", "card", "roll", "decide" or "over"."""

    RARE = (
        "FO-4 round again", "FO-4 shuffled again", "FO-6 all eight again", "FO-6 one must be kept",
        "FO-6 a skull is kept", "FO-7 card's skulls disqualify", "FO-9 nine alike", "FO-11 chest of a Skulls card",
        "FO-11 two swords of a won battle", "FO-11 spoilt by a Skulls card", "FO-12 own loss cut",
        "FO-12 opponent's loss cut", "FO-12 below zero", "FO-13 by the card's skulls", "FO-14 no skull",
        "FO-14 one die left", "FO-14 no die left", "FO-14 stopped", "FO-16 saved", "FO-16 nothing saved",
        "FO-17 Captain", "FO-17 Captain's Island", "FO-18 one or two skulls", "FO-18 three at the first roll",
        "FO-18 three later", "FO-18 stopped with three", "FO-18 four at once", "FO-18 spell spent", "FO-18 alone",
        "FO-18 Island", "FO-19 won", "FO-19 stopped too early", "FO-19 enough swords, disqualified",
        "FO-19 four skulls at first", "FO-20 card completes a set", "FO-21 mixed set", "FO-23 second roll",
        "FO-23 disqualified at the second", "FO-23 Island", "FO-23 all eight score", "FO-23 sets",
        "FO-23 sets doubled", "FO-24 stopped", "FO-24 disqualified", "FO-24 disqualified for nothing",
        "FO-24 Island with swords", "FO-25 starts", "FO-25 exactly on the line, not across",
        "FO-25 exactly on the line, across", "FO-25 crossed again", "FO-26 resumed", "FO-26 second final round",
        "FO-27 shared beyond the line", "FO-28 limit", "FO-28 final round completed",
        "FO-28 crossed in the last turn", "FO-28 all below the line",
    )  # fmt: skip

    def __init__(self, players: int, parts: Mapping[str, Any], options: Mapping[str, str]) -> None:
        self.players = players
        self.deck: dict[str, int] = {kind: n for kind, n in parts["deck"].items() if n}  # FO-2
        self.bonus: list[int] = parts["sea_battle_bonus"]
        self.options = options
        self.line = int(options["target"])
        self.limit = None if options["round_limit"] == "none" else int(options["round_limit"]) * players

        self.phase = "seat"
        self.player = 0
        self.totals = [0] * players
        self.turns = 0  # finished
        self.final_starter: int | None = None  # FO-25, while a final round is under way
        self.final_left = 0
        self.final_rounds = 0
        self.turned: list[
            str
        ] = []  # FO-4: in cycle mode all cards ever turned, at most once through; else since the shuffle
        self.cards_so_far = 0

        self.card = ""
        self.dice: list[str | None] = []  # by place; None: in the air
        self.last_roll: set[int] = set()  # places that were part of the last roll
        self.rolls = 0
        self.spell_used = False
        self.island = False
        self.last_turn = (0, 0)  # what it was worth, what each opponent lost (before FO-12)

        self.seen: Counter[str] = Counter()
        self.plan = ""

    # What can happen ------------------------------------------------------------------------------
    def turn(self) -> int:
        if self.phase == "over":
            return OVER
        return self.player if self.phase == "decide" else CHANCE

    def chances(self) -> Mapping[str, Fraction]:
        if self.phase == "seat":  # FO-3
            return {f"seat {seat + 1} starts": Fraction(1, self.players) for seat in range(self.players)}
        if self.phase == "card":  # FO-4
            size = sum(self.deck.values())
            if len(self.turned) == size and self.options["pile"] == "cycle":
                return {f"card {self.turned[self.cards_so_far % size]}": Fraction(1)}
            gone = [] if len(self.turned) == size else self.turned
            left = {kind: n - gone.count(kind) for kind, n in self.deck.items()}
            return {f"card {kind}": Fraction(n, sum(left.values())) for kind, n in left.items() if n}
        return rolls(self.dice.count(None))

    def moves(self) -> set[str]:
        """FO-6, FO-14, FO-18."""
        if self.island:
            return {"stop", self.reroll({face: self.dice.count(face) for face in OBJECTS})}
        found = {"stop"}
        here = [self.dice.count(face) for face in OBJECTS]
        skulls = self.skulls()
        free_a_skull = (
            self.card == "sorceress" and not self.spell_used and self.dice.count("skull") >= 1 and skulls <= 3
        )
        for numbers in product(*(range(n + 1) for n in here)):
            objects = dict(zip(OBJECTS, numbers, strict=True))
            n = sum(numbers)
            if n >= 2 and skulls < 3 and not self.keeps_none(n):
                found.add(self.reroll(objects))
            if free_a_skull and (n >= 1 or self.options["sorceress_alone"] == "true") and not self.keeps_none(n + 1):
                found.add(self.reroll({"skull": 1, **objects}))
        return found

    def keeps_none(self, n: int) -> bool:
        """Return whether a roll of n dice is forbidden by the option of FO-6."""
        return self.options["must_keep_one"] == "true" and n == 8

    def reroll(self, wanted: dict[str, int]) -> str:
        """Return the move that rolls this number of dice of each face: of equal dice the first."""
        places = []
        for face, n in wanted.items():
            places += [place for place, there in enumerate(self.dice, 1) if there == face][:n]
        return "re-roll " + " ".join(map(str, sorted(places)))

    def skulls(self) -> int:
        """Dice and card (FO-7)."""
        return self.dice.count("skull") + CARD_SKULLS.get(self.card, 0)

    # What happens ---------------------------------------------------------------------------------
    def apply(self, text: str) -> None:
        words = text.split()
        if self.phase == "seat":
            self.player = int(words[1]) - 1
            self.phase = "card"
        elif self.phase == "card":
            self.turn_card(words[1])
        elif self.phase == "roll":
            self.land(words[1:])
        elif words[0] == "stop":
            self.stop()
        else:
            self.pick_up({int(word) - 1 for word in words[1:]})

    def turn_card(self, kind: str) -> None:
        """FO-4, FO-5."""
        size = sum(self.deck.values())
        if len(self.turned) < size:
            self.turned.append(kind)
        elif self.options["pile"] == "reshuffle":
            self.seen["FO-4 shuffled again"] += 1
            self.turned = [kind]
        else:
            self.seen["FO-4 round again"] += 1
        self.cards_so_far += 1
        self.card = kind
        self.dice = [None] * 8
        self.last_roll = set(range(8))
        self.rolls = 0
        self.spell_used = self.island = False
        self.phase = "roll"

    def pick_up(self, places: set[int]) -> None:
        freed = [place for place in places if self.dice[place] == "skull"]
        if freed:  # FO-18
            self.spell_used = True
            if self.skulls() < 3:
                self.seen["FO-18 one or two skulls"] += 1
            else:
                self.seen["FO-18 three at the first roll" if self.rolls == 1 else "FO-18 three later"] += 1
            self.seen["FO-18 alone"] += len(places) == 1
        self.seen["FO-6 all eight again"] += len(places) == 8
        self.seen["FO-6 a skull is kept"] += (
            self.options["must_keep_one"] == "true" and not self.island and len(places) == 8 - self.skulls()
        )
        for place in places:
            self.dice[place] = None
        self.last_roll = places
        self.phase = "roll"

    def land(self, faces: list[str]) -> None:
        """The dice lie; FO-7 and what comes of it."""
        before = self.skulls()
        coming = iter(faces)
        self.dice = [next(coming) if face is None else face for face in self.dice]
        self.rolls += 1
        self.phase = "decide"
        skulls = self.skulls()
        storm_over = self.card == "storm" and self.rolls == 2  # FO-23
        if self.rolls == 1 and skulls >= 4:
            if self.card not in SWORDS_NEEDED:  # FO-7 (a), FO-13
                self.seen["FO-13 by the card's skulls"] += self.dice.count("skull") < 4
                self.seen["FO-18 Island"] += self.card == "sorceress"
                self.island = True
                if 8 - self.dice.count("skull") < 2:
                    self.leave_island("FO-14 first roll")
                return
            self.seen["FO-19 four skulls at first"] += 1
        if self.island:  # FO-14
            left = 8 - self.dice.count("skull")
            if skulls == before:
                self.leave_island("FO-14 no skull")
            elif left < 2:
                self.leave_island("FO-14 one die left" if left else "FO-14 no die left")
            elif storm_over:
                self.leave_island("FO-23 Island")
            return
        if skulls >= 3:  # FO-7 (b)
            if self.card == "sorceress":
                if skulls == 3 and not self.spell_used:  # FO-18: she may be asked
                    return
                self.seen["FO-18 spell spent" if self.spell_used else "FO-18 four at once"] += 1
            self.seen["FO-23 disqualified at the second"] += storm_over
            self.disqualify()
        elif storm_over:
            self.seen["FO-23 second roll"] += 1
            self.end_turn(self.worth_stopped())
        else:
            self.seen["FO-6 one must be kept"] += self.keeps_none(8 - skulls)

    def stop(self) -> None:
        """FO-8."""
        if self.island:
            self.leave_island("FO-14 stopped")
        elif self.skulls() >= 3:  # FO-18: disqualification is accepted
            self.seen["FO-18 stopped with three"] += 1
            self.disqualify()
        else:
            self.end_turn(self.worth_stopped())

    def disqualify(self) -> None:
        self.seen["FO-7 card's skulls disqualify"] += self.dice.count("skull") < 3
        self.end_turn(self.worth_disqualified())

    def leave_island(self, how: str) -> None:
        """FO-13, FO-15."""
        self.seen[how] += 1
        self.seen["FO-17 Captain's Island"] += self.card == "captain"
        self.seen["FO-24 Island with swords"] += self.card == "truce" and "sword" in self.dice
        self.end_turn(0, self.island_loss())

    def end_turn(self, worth: int, loss: int = 0) -> None:
        self.last_turn = worth, loss
        self.add(self.player, worth, "FO-12 own loss cut")
        for seat in range(self.players):
            if seat != self.player:
                self.add(seat, -loss, "FO-12 opponent's loss cut")
        self.turns += 1
        self.card, self.dice, self.island = "", [], False
        self.after_turn(self.player)
        if self.phase != "over":
            self.phase = "card"

    def add(self, seat: int, change: int, cut: str) -> None:
        """FO-12."""
        self.totals[seat] += change
        if self.totals[seat] < 0:
            self.seen["FO-12 below zero"] += self.options["floor_at_zero"] == "false"
            if self.options["floor_at_zero"] == "true":
                self.seen[cut] += 1
                self.totals[seat] = 0

    # What it is worth -----------------------------------------------------------------------------
    def worth_stopped(self) -> int:
        """FO-8: return the worth of the dice as they are, with the card."""
        dice, card = self.dice, self.card
        swords = dice.count("sword")
        needed = SWORDS_NEEDED.get(card, 0)
        if card == "storm":
            return self.worth_storm()
        if swords < needed:  # FO-19
            self.seen["FO-19 stopped too early"] += 1
            return -self.bonus[needed - 2]
        if card == "truce" and swords:  # FO-24
            self.seen["FO-24 stopped"] += 1
            return -1000 * swords
        worth = self.objects(dice) + self.full_chest()
        if needed:
            self.seen["FO-19 won"] += 1
            worth += self.bonus[needed - 2]
        if card == "captain":  # FO-17
            self.seen["FO-17 Captain"] += 1
            worth *= 2
        return worth

    def worth_disqualified(self) -> int:
        """FO-7: nothing, except FO-16, FO-19, FO-24."""
        swords = self.dice.count("sword")
        if self.card == "treasure-chest":
            kept = [face for place, face in enumerate(self.dice) if self.is_on_chest(place)]
            worth = self.objects(kept)
            self.seen["FO-16 saved" if worth else "FO-16 nothing saved"] += 1
            return worth
        if self.card in SWORDS_NEEDED:
            needed = SWORDS_NEEDED[self.card]
            self.seen["FO-19 enough swords, disqualified"] += swords >= needed
            return -self.bonus[needed - 2]
        if self.card == "truce" and swords:
            if self.options["truce_on_bust"] == "none":
                self.seen["FO-24 disqualified for nothing"] += 1
                return 0
            self.seen["FO-24 disqualified"] += 1
            return -1000 * swords
        return 0

    def is_on_chest(self, place: int) -> bool:
        """FO-16: a die that is not a skull and was not part of the last roll."""
        return self.card == "treasure-chest" and self.dice[place] != "skull" and place not in self.last_roll

    def objects(self, dice: list[str | None]) -> int:
        """FO-9 sets and FO-10 pieces, with the card's own (FO-20), monkeys and parrots together by FO-21."""
        have = {face: dice.count(face) for face in OBJECTS}
        if self.card in ("gold", "diamond"):
            have[self.card] += 1
            self.seen["FO-20 card completes a set"] += have[self.card] == 3
            self.seen["FO-9 nine alike"] += have[self.card] == 9
        pieces = have["gold"] + have["diamond"]
        if self.card == "monkey-business":
            self.seen["FO-21 mixed set"] += (
                have["monkey"] > 0 and have["parrot"] > 0 and have["monkey"] + have["parrot"] > 2
            )
            have["monkey"] += have.pop("parrot")
        return sum(SET[n] for n in have.values()) + 100 * pieces

    def full_chest(self) -> int:
        """FO-11: 500 when each of the eight dice generates points."""
        have = Counter(self.dice)
        alike = dict(have)
        if self.card == "monkey-business":
            alike["monkey"] = alike["parrot"] = have["monkey"] + have["parrot"]
        for face in have:
            scores = face in ("gold", "diamond") or (face != "skull" and alike[face] >= 3)
            if face == "sword" and self.card in SWORDS_NEEDED:  # only asked where the battle is won
                scores = True
            if not scores:
                return 0
        self.seen["FO-11 two swords of a won battle"] += self.card in SWORDS_NEEDED and have["sword"] == 2
        if self.card in CARD_SKULLS:
            if self.options["card_skull_spoils_chest"] == "true":
                self.seen["FO-11 spoilt by a Skulls card"] += 1
                return 0
            self.seen["FO-11 chest of a Skulls card"] += 1
        return 500

    def worth_storm(self) -> int:
        """FO-23."""
        gold, diamonds = self.dice.count("gold"), self.dice.count("diamond")
        self.seen["FO-23 all eight score"] += gold + diamonds == 8
        sets = SET[gold] + SET[diamonds]
        worth = 200 * (gold + diamonds)
        if self.options["storm_scoring"] == "sets":
            self.seen["FO-23 sets"] += sets > 0
            worth += sets
        elif self.options["storm_scoring"] == "sets_doubled":
            self.seen["FO-23 sets doubled"] += sets > 0
            worth += 2 * sets
        return worth

    def island_loss(self) -> int:
        """FO-15."""
        return self.skulls() * (200 if self.card == "captain" else 100)

    # The end --------------------------------------------------------------------------------------
    def across(self, total: int) -> bool:
        """FO-25: beyond the finish line."""
        return total >= self.line if self.options["finish"] == "at_least" else total > self.line

    def after_turn(self, seat: int) -> None:
        """FO-25, FO-26, FO-28: who is next, or that it is over; `phase` is "over" then."""
        self.player = (seat + 1) % self.players
        crossed = self.across(self.totals[seat])
        if self.totals[seat] == self.line:
            self.seen[f"FO-25 exactly on the line, {'across' if crossed else 'not across'}"] += 1
        past_limit = self.limit is not None and self.turns >= self.limit
        if self.final_starter is not None:
            self.final_left -= 1
            self.seen["FO-25 crossed again"] += crossed
            if self.final_left == 0:
                if any(map(self.across, self.totals)):
                    self.seen["FO-28 final round completed"] += past_limit and self.turns > (self.limit or 0)
                    self.phase = "over"
                    return
                self.player = self.final_starter  # FO-26
                self.final_starter = None
                self.seen["FO-26 resumed"] += not past_limit
                self.seen["FO-28 all below the line"] += past_limit
        elif crossed:
            self.seen["FO-25 starts"] += 1
            self.seen["FO-28 crossed in the last turn"] += self.turns == self.limit
            self.final_starter, self.final_left = seat, self.players - 1
            self.final_rounds += 1
            self.seen["FO-26 second final round"] += self.final_rounds == 2
        if past_limit and self.final_starter is None:
            self.seen["FO-28 limit"] += 1
            self.phase = "over"

    def scores(self) -> list[int]:
        return list(self.totals)

    def returns(self) -> list[Fraction]:
        """FO-26, FO-27, FO-28: return the shares of the win: the highest totals share it."""
        best = max(self.totals)
        winners = self.totals.count(best)
        self.seen["FO-27 shared"] += winners > 1
        self.seen["FO-27 shared beyond the line"] += winners > 1 and self.across(best)
        return [Fraction(int(total == best), winners) for total in self.totals]

    # What is so -----------------------------------------------------------------------------------
    def facts(self) -> dict[str, object]:
        found: dict[str, object] = {
            "phase": self.phase, "totals": list(self.totals), "turns": self.turns,
            "final round": (self.final_starter, self.final_left) if self.phase != "over" else None,
        }  # fmt: skip
        if self.phase == "seat":
            return found
        size = sum(self.deck.values())
        shuffle_due = self.options["pile"] == "reshuffle" and len(self.turned) == size
        found["turned"] = sorted([] if shuffle_due else self.turned)
        if self.options["pile"] == "cycle":
            found["cycle"] = list(self.turned)
        if self.phase in ("card", "over") and self.turns:
            found["last turn"] = self.last_turn
        if self.phase in ("card", "roll", "decide"):
            found["player"] = self.player
        if self.phase in ("roll", "decide"):
            found |= {
                "card": self.card, "dice": list(self.dice), "rolls": self.rolls, "Island": self.island,
                "spell used": self.spell_used,
            }  # fmt: skip
        if self.phase == "decide":
            found["worth now"] = self.worth_now()
            found["loss now"] = self.island_loss() if self.island else 0
            safe = [face for place, face in enumerate(self.dice) if self.is_on_chest(place)]
            found["on the chest"] = {face: safe.count(face) for face in OBJECTS}
        return found

    def worth_now(self) -> int:
        """Return what stopping would bring the player; nothing on the Island (FO-13)."""
        if self.island:
            return 0
        counted, self.seen = self.seen, Counter()  # nothing happens here, so nothing is counted
        worth = self.worth_disqualified() if self.skulls() >= 3 else self.worth_stopped()
        self.seen = counted
        return worth

    # Where rare things are --------------------------------------------------------------------------
    LONG = 250
    WAYS = (
        ("bust", 2, {"pile": "reshuffle"}), ("late", 2, {"target": "5000"}), ("late and back", 2, {"target": "5000"}),
        ("late and back", 2, {"target": "6000"}),
    )  # fmt: skip

    def lure(self, choices: list[str], rng: Random) -> str | None:
        """Return where the walk is to go (`fortune_lures`)."""
        return lure(self, choices, rng)
