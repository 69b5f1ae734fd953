"""The Island of Skulls: FO-13 to FO-15."""

from __future__ import annotations

import pytest

from parlour.core.errors import IllegalMove
from parlour.games.fortune import rules as r
from tests.games.fortune.table import Table


def test_fo_13_four_skulls_at_the_first_roll_lead_to_the_island() -> None:
    table = Table().turn("gold", "4 skull 4 gold")
    assert table.state.island
    assert table.moves == ["stop", "re-roll 5 6 7 8"]
    table.stop()
    assert table.fate == r.ISLAND
    assert table.scores == [0, -400]


def test_fo_13_skulls_of_the_card_count_for_the_island() -> None:
    assert Table().turn("skulls-2", "2 skull 6 gold").stop().scores == [0, -400]
    assert Table().turn("skulls-1", "3 skull 5 gold").stop().scores == [0, -400]


def test_fo_13_only_the_first_roll_counts() -> None:
    table = Table().turn("gold", "2 skull 6 gold").reroll("6 gold", into="6 skull")
    assert table.fate == r.DISQUALIFIED
    assert table.scores == [0, 0]


def test_fo_13_fo_19_no_island_from_a_sea_battle() -> None:
    table = Table().turn("sea-battle-3", "4 skull 4 sword")
    assert table.fate == r.DISQUALIFIED
    assert table.scores == [-500, 0]


def test_fo_14_all_dice_that_are_no_skulls_are_rolled_together() -> None:
    table = Table().turn("gold", "4 skull 2 gold 2 sword")
    with pytest.raises(IllegalMove) as refused:
        table.move("re-roll 7 8")
    assert refused.value.clause == "FO-14"
    table.move("re-roll all")
    assert r.dice_in_air(table.state) == 4


def test_fo_14_the_turn_goes_on_while_skulls_are_added_and_ends_unasked_when_none_is() -> None:
    table = Table(3).turn("gold", "4 skull 4 gold").reroll("4 gold", into="1 skull 3 sword")
    assert not table.turn_over
    table.reroll("3 sword", into="3 gold")
    assert table.fate == r.ISLAND
    assert table.scores == [0, -500, -500]
    assert table.to_move == 2


def test_fo_14_the_turn_ends_unasked_when_fewer_than_two_dice_remain() -> None:
    assert Table().turn("gold", "7 skull 1 gold").scores == [0, -700]
    assert Table().turn("gold", "8 skull").scores == [0, -800]
    table = Table().turn("gold", "5 skull 3 gold").reroll("3 gold", into="2 skull 1 gold")
    assert table.fate == r.ISLAND
    assert table.scores == [0, -700]
    assert not Table().turn("gold", "6 skull 2 gold").turn_over


def test_fo_14_fo_15_eight_skulls_at_once_count_with_those_of_the_card_and_the_captain_s() -> None:
    for card, loss in (("skulls-1", 900), ("skulls-2", 1000), ("captain", 1600), ("truce", 800), ("storm", 800)):
        assert Table(3).turn(card, "8 skull").scores == [0, -loss, -loss]
    assert Table().turn("truce", "7 skull 1 sword").scores == [0, -700]
    assert Table().turn("sea-battle-4", "8 skull").scores == [-1000, 0]


def test_fo_15_every_opponent_loses_100_a_skull_of_the_card_too() -> None:
    assert Table(4, starts=2).turn("skulls-2", "2 skull 6 gold").stop().scores == [-400, 0, -400, -400]


def test_fo_15_fo_17_the_captain_makes_it_200() -> None:
    assert Table(3).turn("captain", "5 skull 3 gold").stop().scores == [0, -1000, -1000]


def test_fo_15_what_it_would_cost_is_known_while_there() -> None:
    table = Table().turn("captain", "5 skull 3 gold")
    assert r.island_loss(table.state) == 1000
    assert r.worth_now(table.state) == 0
    assert r.island_loss(Table().turn("captain", "2 skull 6 gold").state) == 0


def test_fo_14_fo_23_a_storm_allows_two_rolls_on_the_island_too() -> None:
    table = Table().turn("storm", "4 skull 4 gold").reroll("4 gold", into="1 skull 3 gold")
    assert table.fate == r.ISLAND
    assert table.scores == [0, -500]
    assert Table().turn("storm", "4 skull 4 gold").stop().scores == [0, -400]
    assert Table().turn("storm", "4 skull 4 gold").reroll("4 gold", into="4 gold").scores == [0, -400]


def test_fo_15_fo_24_swords_cost_nothing_on_the_island() -> None:
    assert Table().turn("truce", "4 skull 4 sword").stop().scores == [0, -400]
    assert Table().turn("truce", "4 skull 4 sword").reroll("4 sword", into="4 sword").scores == [0, -400]


def test_fo_14_fo_18_the_sorceress_has_no_say_on_the_island() -> None:
    table = Table(sorceress_alone="true").turn("sorceress", "4 skull 4 gold")
    assert table.moves == ["stop", "re-roll 5 6 7 8"]
    assert not r.must_use_spell(table.state)


def test_fo_13_fo_16_the_chest_is_worth_nothing_on_the_island() -> None:
    assert Table().turn("treasure-chest", "4 skull 4 gold").stop().scores == [0, -400]
