"""Family Trade's model: the example of the rulebook, and other boxes than the two editions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

import pytest

from parlour.conformance.cases import Case, fitting
from parlour.core.edition import Edition
from parlour.core.match import Match
from parlour.games import all_games
from tests.models.family_trade import Model
from tests.models.lockstep import Strand, Walk

GAME = all_games()["family-trade"]
BOXES, POSITIONS = 12, 400


def deal(model: Model, *hands: str) -> None:
    """Deal these hands ("3 gold 3 oil 2 shares"), the dealer's first."""
    words = [hand.split() for hand in hands]
    dealt = [[good for n, good in zip(hand[::2], hand[1::2], strict=True) for _ in range(int(n))] for hand in words]
    for cards in zip(*dealt, strict=True):
        for card in cards:
            model.apply(f"card {card}")


def test_ft_14_ft_16_the_example_of_the_rulebook() -> None:
    """Gold at 70,000, twice oil at -30,000, a second deal in a row, Ben's card: 20,000 from Ben, and the Jackpot."""
    model = Model(2, GAME.edition().parts, GAME.options({"honour_calls": "on"}))
    model.apply("seat 1 deals")
    prices = {"gold": "70,000", "oil": "-30,000", "shares": "-10,000"}
    for good in model.goods:
        model.apply(f"{good} {prices.get(good, '50,000')}")
    deal(model, "3 gold 3 oil 2 shares", "4 diamond 4 crypto")
    for text in ("card shares", "done", "no reroll", "keep"):
        model.apply(text)
    assert model.money == [530, 500]
    deal(model, "2 gold 6 oil", "4 diamond 4 crypto")
    for text in ("card shrimp", "discard shrimp", "card gold", "done"):
        model.apply(text)
    assert (model.money, model.jackpot) == ([530, 400], 100)
    for text in ("discard gold", "take", "no reroll"):
        model.apply(text)
    assert (model.money, model.jackpot) == ([650, 380], 0)
    assert (model.dealer, model.run) == (0, 3)


@dataclass(frozen=True)
class Boxed(Case):
    """A case with an edition that has no file."""

    box: Edition | None = None

    def match(self, seed: int = 1, auto: bool = False) -> Match:
        options = dict(self.options)
        return Match(GAME, self.players, edition=self.box, options=options, seed=seed, auto=auto)


def box(rng: Random) -> Edition:
    """Any ladder, any dice that fall on it, any numbers of cards, bills, new decks and deals in a row."""
    ladder = sorted(rng.sample(range(-50, 201, 10), 10))
    values = {
        "ladder": ladder,
        "dice": [sorted(rng.choices(ladder, k=6)) for _ in range(8)],
        "trade_cards": rng.randint(9, 13),
        "market_makes": rng.randint(0, 9),
        "start": 10 * rng.randint(0, 60),
        "tens": rng.randint(1, 60),
        "fifties": [rng.randint(1, 40) for _ in range(3)],
        "nine_alike": 10 * rng.randint(1, 90),
        "false_call": 10 * rng.randint(1, 20),
        "longest_run": rng.randint(1, 10),
        "new_decks": rng.randint(0, 3),
    }
    house = GAME.edition()
    parts = {**house.components, **{name: replace(house.components[name], value=values[name]) for name in values}}
    return Edition("any", "Any", "", parts)


@pytest.mark.parametrize("ruleset", GAME.rulesets)
def test_product_and_model_agree_on_other_boxes(ruleset: str) -> None:
    walk = Walk(Strand(GAME, ruleset))
    for number in range(BOXES):
        rng = Random(f"box {number}")
        options = tuple(fitting(GAME, {"honour_calls": rng.choice(["off", "on"]), "ruleset": ruleset}).items())
        walk.play(Boxed(GAME, "any", rng.randint(2, 4), options, box(rng)), POSITIONS)
    assert walk.seen["FT-24 void" if ruleset == "battle-royale" else "FT-18 void"]
    assert walk.ended
