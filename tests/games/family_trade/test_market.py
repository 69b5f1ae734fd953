"""FT-1 to FT-6, FT-9: the box, the money, the market."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from parlour.games.family_trade import rules as r
from parlour.games.family_trade.rules import GOODS
from tests.games.family_trade.table import FAMILY_TRADE, GOD, MARKET, MM, ROYALE, Table

PARTS = FAMILY_TRADE.edition().parts


def test_ft_01_eight_goods_each_with_a_die_of_six_faces() -> None:
    table = Table(deal=False, market=())
    assert len(GOODS) == 8
    for good in GOODS:
        assert all(text.startswith(f"{good} ") for text in table.outcomes)
        assert sum(table.match.chance_outcomes()[1]) == 6
        table.match.step(table.match.chance_outcomes()[0][0])


def test_ft_02_prices_are_steps_of_the_ladder_as_the_dice_give_them() -> None:
    table = Table(deal=False, market=())
    assert [table.state.ladder[step] for step in table.match.chance_outcomes()[0]] == [50, 70, 100]
    assert table.match.chance_outcomes()[1] == [2, 2, 2]
    table.roll(*MARKET[:6])
    assert table.outcomes == [f"crypto {price}" for price in ("-50,000", "-30,000", "50,000", "150,000", "200,000")]
    assert table.match.chance_outcomes()[1] == [2, 1, 1, 1, 1]
    assert max(face for die in PARTS["dice"] for face in die) == 200


@pytest.mark.parametrize(("ruleset", "cards"), [(MM, [12] * 8 + [4]), (GOD, [12] * 8 + [0]), (ROYALE, [12] * 8 + [0])])
def test_ft_03_ft_20_ft_21_the_cards(ruleset: str, cards: list[int]) -> None:
    state = Table(ruleset=ruleset, deal=False).state
    assert state.deck == state.cards == cards
    assert state.n_cards == state.deck_size == sum(cards)


@pytest.mark.parametrize(("players", "fifties"), [(2, 24), (3, 16), (4, 12)])
def test_ft_04_ft_21_the_money_at_the_start(players: int, fifties: int) -> None:
    assert Table(players=players).money == [500] * players
    assert Table(players=players, ruleset=GOD).money == [500] * players
    royale = Table(players=players, ruleset=ROYALE)
    assert royale.money == [0] * players
    assert (r.tens_left(royale.state), r.fifties_left(royale.state)) == (60, fifties)
    assert FAMILY_TRADE.editions["few-tens"].parts["tens"] == 6


def test_ft_05_money_goes_below_zero() -> None:
    table = Table("3 gold 3 diamond 2 crypto", "")
    table.state.money[1] = 100
    table.turn("oil", "diamond")  # not one to go any more
    table = Table("3 gold 3 diamond 2 crypto", "")
    table.state.money[1] = 100
    table.turn("oil").turn("crypto").move("take", "no reroll")
    assert table.money == [500 + 270, 100 - 270]


def test_ft_06_the_first_dealer_is_drawn_and_rolls_the_whole_market() -> None:
    match = Table(players=3, deal=False).match
    fresh = FAMILY_TRADE.start(3, match.edition, match.options)
    out, weights = [0] * r.MAX_OUTCOMES, [0] * r.MAX_OUTCOMES
    assert r.chance_outcomes(fresh, out, weights) == 3
    assert (out[:3], weights[:3]) == ([0, 1, 2], [1, 1, 1])
    table = Table(players=3, dealer=3, deal=False)
    assert [table.state.ladder[step] for step in table.state.price] == [50, 70, 50, 10, -30, 30, 150, -10]
    assert table.state.phase == r.DEAL
    table.deal()
    table.draw("oil")
    assert table.to_move == 3


@pytest.mark.parametrize("keep", [True, False])
def test_ft_06_the_dealer_of_the_coming_deal_keeps_the_market_or_rolls_it(keep: bool) -> None:
    table = Table("3 gold 3 diamond 2 crypto").draw("crypto").move("done", "reroll oil").roll("150,000")
    assert table.to_move == 1  # the dealer went out: they deal again
    assert table.moves == ["keep", "roll"]
    if keep:
        table.move("keep")
        assert table.price("oil") == 150
        assert table.price("gold") == 70
    else:
        table.move("roll").roll(*MARKET)
        assert table.price("oil") == -30
    assert table.state.phase == r.DEAL


def test_ft_06_another_dealer_chooses_when_the_deal_has_moved() -> None:
    table = Table("", "3 gold 3 diamond 2 crypto").turn("oil").draw("crypto").move("done", "no reroll")
    assert table.to_move == 2


def test_ft_09_a_market_make_moves_one_price_a_step_or_none() -> None:
    table = Table().draw("market make").move("discard market make")
    assert table.to_move == 1
    assert "leave prices" in table.moves
    table.move("gold up")
    assert table.price("gold") == 100
    assert table.to_move == 0
    assert table.state.player == 1
    table.draw("market make").move("discard mm", "oil down")
    assert table.price("oil") == -50
    table.draw("market make").move("discard mm")
    assert "oil down" not in table.moves  # already at the end of the ladder
    assert "oil up" in table.moves
    before = list(table.state.price)
    table.move("leave prices")
    assert list(table.state.price) == before


def test_ft_09_no_step_goes_beyond_the_upper_end() -> None:
    market = (*MARKET[:6], "200,000", MARKET[7])
    table = Table(market=market).draw("market make").move("discard market make")
    assert "crypto up" not in table.moves
    assert "crypto down" in table.moves


def test_ft_09_a_market_make_belongs_to_no_set_and_nobody_can_claim_it() -> None:
    hand = [0] * 9
    hand[1], hand[2], hand[r.MARKET_MAKE] = 3, 2, 3
    assert r.wanted(hand) == r.NONE
    hand[1], hand[2], hand[r.MARKET_MAKE] = 3, 3, 3
    assert not r.complete(hand)
    table = Table("", "3 gold 3 diamond 2 crypto").turn("market make")
    assert table.state.offered == 0
    assert not r.may_ask(table.state)
    assert not r.can_take(table.state, 1, r.MARKET_MAKE)


def wrong(name: str, value: Any) -> dict[str, Any]:
    parts = deepcopy(PARTS)
    parts[name] = value
    return parts


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("goods", ["diamond"]),
        ("ladder", [1, 2, 3]),
        ("ladder", [-50, -30, -10, 10, 30, 50, 70, 100, 150, 205]),
        ("ladder", [-30, -50, -10, 10, 30, 50, 70, 100, 150, 200]),
        ("dice", [[50] * 6] * 7),
        ("dice", [[50] * 5] * 8),
        ("dice", [[60] * 6] * 8),
        ("fifties", [24, 16]),
        ("trade_cards", 8),
        ("trade_cards", 16),
        ("tens", -1),
        ("nine_alike", "600"),
    ],
)
def test_an_edition_that_does_not_fit_is_refused(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=r"must|There are"):
        r.setup(2, wrong(name, value), {option.name: 0 for option in FAMILY_TRADE.facts.options})
