"""FT-13 to FT-17, FT-20: going out, and what it is worth."""

from __future__ import annotations

import pytest

from parlour.games.family_trade import rules as r
from tests.games.family_trade.table import GOD, MARKET, Table

GOOD = "3 diamond 3 crypto 2 gold"  # with gold 50 + 150 + 70 = 270
BAD = "3 currency 3 oil 2 shares"  # with shares -10 - 30 + 10 = -30


def test_ft_13_the_cards_are_shown_and_one_die_may_be_rolled_again_once() -> None:
    table = Table(GOOD).draw("gold").move("done")
    assert list(table.state.won) == [3, 3, 0, 0, 0, 0, 3, 0, 0]
    assert table.moves == ["no reroll", *(f"reroll {good}" for good in table.match.edition.parts["goods"])]
    table.move("reroll crypto").roll("-50,000")  # worse, and it stands
    assert table.money == [500 + 50 + 70 - 50, 500]
    assert table.price("crypto") == -50
    assert table.moves == ["keep", "roll"]


def test_ft_13_two_sets_of_one_good_count_twice() -> None:
    table = Table("6 crypto 2 gold", "").draw("gold").move("done", "no reroll")
    assert table.state.worth == 2 * 150 + 70


@pytest.mark.parametrize(
    ("hand", "card", "claimed", "money", "jackpot"),
    [
        (GOOD, "gold", False, [770, 500], 0),
        (GOOD, "gold", True, [770, 230], 0),
        (BAD, "shares", False, [470, 500], 30),
        (BAD, "shares", True, [470, 530], 0),
    ],
)
def test_ft_14_who_pays_depends_on_the_sign_and_on_where_the_last_card_came_from(
    hand: str, card: str, claimed: bool, money: list[int], jackpot: int
) -> None:
    table = Table(hand).turn("real estate")
    if claimed:
        table.turn(card).move("take", "no reroll")
    else:
        table.turn("real estate").draw(card).move("done", "no reroll")
    assert table.money == money
    assert table.state.jackpot == jackpot


def test_ft_14_a_positive_total_takes_the_jackpot_and_zero_does_not() -> None:
    table = Table(GOOD).draw("gold")
    table.state.jackpot = 130
    table.move("done", "no reroll")
    assert table.money == [500 + 270 + 130, 500]
    assert (table.state.jackpot, table.state.took) == (0, 130)
    market = (*MARKET[:3], "10,000", "-30,000", MARKET[5], MARKET[6], "10,000")
    table = Table("3 shares 3 oil 2 currency", market=market).draw("currency")
    table.state.jackpot = 130
    table.move("done", "reroll oil").roll("-10,000").move("keep").deal()
    assert (table.state.worth, table.state.jackpot) == (10, 0)
    market = (*MARKET[:3], "-10,000", "-30,000", MARKET[5], MARKET[6], "10,000")
    table = Table("6 shares 2 shrimp", market=(*market[:5], "10,000", *market[6:])).draw("shrimp")
    table.state.jackpot = 130
    table.move("done", "reroll shrimp").roll("10,000")
    assert (table.state.worth, table.state.jackpot) == (-10, 140)


@pytest.mark.parametrize("claimed", [True, False])
def test_ft_14_a_total_of_zero_pays_nothing_and_keeps_the_deal(claimed: bool) -> None:
    market = ("50,000", "30,000", "30,000", "10,000", "-30,000", "30,000", "-50,000", "-10,000")
    table = Table("3 shrimp 3 real estate 2 oil", market=market)
    state = table.state
    state.price[4] = 0  # oil at -50 ...
    state.ladder[0] = -60  # ... or rather at -60, so that 30 + 30 - 60 is nothing
    state.jackpot = 130
    table.turn("diamond")
    if claimed:
        table.turn("oil").move("take", "no reroll")
    else:
        table.turn("diamond").draw("oil").move("done", "no reroll")
    assert state.worth == 0
    assert table.money == [500, 500]
    assert (state.jackpot, state.dealer, state.run) == (130, 0, 2)


def test_ft_15_nine_identical_cards_are_600_000_from_the_bank_and_the_jackpot() -> None:
    table = Table("8 oil", "", dealer=2)
    table.turn("gold").turn("diamond").turn("oil")
    table.state.jackpot = 40
    table.move("take")
    assert "reroll oil" in table.moves
    table.move("reroll oil").roll("150,000")
    assert table.money == [500 + 600 + 40, 500]
    assert table.price("oil") == 150  # the re-roll only moves the market


def test_ft_15_ft_16_nine_identical_cards_are_not_multiplied_but_a_dealer_deals_again() -> None:
    table = Table("8 oil", "").draw("oil")
    table.state.run = 3
    table.move("done", "no reroll")
    assert (table.state.worth, table.state.times) == (600, 1)
    assert (table.state.dealer, table.state.run) == (0, 4)


def test_ft_15_in_god_of_the_market_nine_identical_cards_roll_nothing() -> None:
    table = Table("8 oil", "", ruleset=GOD).draw("oil").move("done")
    assert table.money == [1100, 500]
    assert table.state.phase == r.DEAL


@pytest.mark.parametrize(
    ("run", "hand", "card", "worth"), [(2, GOOD, "gold", 540), (3, BAD, "shares", -90), (10, GOOD, "gold", 2700)]
)
def test_ft_16_a_dealer_who_goes_out_deals_again_and_is_multiplied(run: int, hand: str, card: str, worth: int) -> None:
    table = Table(hand)
    table.state.run = run
    table.draw(card).move("done", "no reroll")
    assert table.state.worth == worth
    assert table.money[0] == 500 + worth
    again = run < 10  # after the tenth the deal moves on anyway
    assert (table.state.dealer, table.state.run, table.state.turns) == ((0, run + 1, 0) if again else (1, 1, 1))


def test_ft_16_another_who_goes_out_is_not_multiplied_and_moves_the_deal() -> None:
    table = Table("", GOOD)
    table.state.run = 4
    table.turn("oil").draw("gold").move("done", "no reroll")
    assert (table.state.worth, table.state.times) == (270, 1)
    assert (table.state.dealer, table.state.run, table.state.turns) == (1, 1, 1)


def test_ft_17_the_game_ends_when_everybody_has_dealt_twice() -> None:
    table = Table("", GOOD)
    table.state.turns = 3
    table.turn("oil").draw("gold").move("done", "no reroll")
    assert table.match.over
    assert table.match.winners == (1,)


def test_ft_17_the_last_dealer_plays_his_run_out_and_equals_share() -> None:
    table = Table(GOOD, players=3)
    table.state.turns = 5
    table.draw("gold").move("done", "no reroll")
    assert not table.match.over
    table.move("keep").deal()
    table.state.money[:3] = [100, 100, 90]
    table.state.jackpot = 1000
    table.state.remade = 2
    table.empty_deck(oil=1).turn("oil").match.force("no card")
    assert table.match.over
    assert table.match.returns == [0.5, 0.5, 0.0]
    assert table.money == [100, 100, 90]  # the Jackpot belongs to no player


def test_ft_20_who_goes_out_rolls_the_dice_of_his_sets_and_may_roll_one_of_them_again() -> None:
    table = Table("6 crypto 2 gold", ruleset=GOD)
    assert all(step == r.NONE for step in table.state.price)
    table.draw("gold").move("done").roll("30,000")
    assert table.outcomes[0].startswith("crypto")
    table.roll("-50,000")
    assert table.moves == ["no reroll", "reroll gold", "reroll crypto"]
    table.move("reroll crypto").roll("200,000")
    assert table.money == [500 + 430, 500]
    assert table.state.phase == r.DEAL
    table.deal()
    assert all(step == r.NONE for step in table.state.price)  # nothing stays


def test_ft_20_a_discard_is_paid_by_the_discarder_and_dice_may_stand() -> None:
    table = Table("6 crypto 2 gold", ruleset=GOD).turn("oil").turn("gold").move("take").roll("30,000", "50,000")
    table.move("no reroll")
    assert table.money == [500 + 130, 500 - 130]
