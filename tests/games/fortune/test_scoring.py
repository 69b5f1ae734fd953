"""What dice are worth: FO-9 to FO-12, FO-17, FO-20 to FO-22, and the printed examples."""

from __future__ import annotations

import pytest

from parlour.games.fortune import rules as r
from tests.games.fortune.table import NOTHING, Table, score


@pytest.mark.parametrize(
    ("card", "dice", "points"),
    [
        ("captain", "2 skull 2 diamond 2 gold 2 parrot", 800),
        ("gold", "3 monkey 3 sword 2 parrot", 300),
        ("gold", "8 gold", 5400),
        ("captain", "8 sword", 9000),
        ("monkey-business", "2 monkey 1 parrot 2 gold 3 diamond", 1200),
        ("sea-battle-2", "4 monkey 2 sword 2 gold", 1200),
        ("gold", "4 gold 3 sword 1 parrot", 1100),  # our rulebook's
        ("gold", "4 gold 4 sword", 1700),
    ],
)
def test_fo_09_fo_10_fo_11_the_examples_of_the_rules(card: str, dice: str, points: int) -> None:
    assert score(card, dice) == points


@pytest.mark.parametrize("face", ["sword", "monkey", "parrot"])
@pytest.mark.parametrize(
    ("n", "rest", "points"),
    [
        (2, "2 skull 2 diamond 2 gold", 0 + 400),
        (3, "2 skull 2 diamond 1 gold", 100 + 300),
        (4, "2 skull 2 gold", 200 + 200),
        (5, "2 skull 1 gold", 500 + 100),
        (6, "2 skull", 1000),
        (7, "1 skull", 2000),
        (8, "", 4000 + 500),
    ],
)
def test_fo_09_sets_of_identical_objects(face: str, n: int, rest: str, points: int) -> None:
    assert score("sorceress", f"{n} {face} {rest}") == points


def test_fo_09_nine_of_a_kind_are_worth_as_much_as_eight() -> None:
    assert score("diamond", "8 diamond") == 4000 + 900 + 500


def test_fo_09_skulls_make_no_set() -> None:
    table = Table().turn("sorceress", "3 skull 5 sword")
    assert table.stop().scores == [0, 0]


def test_fo_10_gold_and_diamonds_are_worth_100_each_beside_any_set() -> None:
    assert score("captain", "1 gold 1 diamond 2 skull 2 sword 2 monkey") == 2 * 200
    assert score("sorceress", "3 gold 2 skull 2 sword 1 monkey") == 100 + 300


@pytest.mark.parametrize(
    ("card", "dice", "full"),
    [
        ("sorceress", "3 sword 3 monkey 2 gold", True),
        ("sorceress", "3 sword 3 monkey 1 gold 1 parrot", False),
        ("sorceress", "4 gold 4 diamond", True),
        ("sorceress", "2 sword 6 gold", False),
        ("sorceress", "2 monkey 6 gold", False),
        ("sorceress", "1 skull 7 gold", False),
        ("gold", "3 sword 3 parrot 1 gold 1 diamond", True),
        ("monkey-business", "1 monkey 2 parrot 5 gold", True),
        ("monkey-business", "1 monkey 1 parrot 6 gold", False),
        ("monkey-business", "8 gold", True),
        ("sea-battle-2", "2 sword 6 gold", True),
        ("sea-battle-2", "2 sword 5 gold 1 monkey", False),
        ("truce", "3 monkey 5 gold", True),
    ],
)
def test_fo_11_full_chest_when_all_eight_dice_earn(card: str, dice: str, full: bool) -> None:
    table = Table().turn(card, dice)
    assert r.full_chest(table.state) == (500 if full else 0)


def test_fo_11_fo_19_two_swords_complete_the_chest_of_a_won_battle_for_two() -> None:
    assert score("sea-battle-2", "2 sword 6 gold") == 1000 + 600 + 500 + 300
    assert score("sea-battle-2", "3 sword 5 gold") == 100 + 500 + 500 + 500 + 300


def test_fo_11_the_card_s_object_does_not_fill_the_chest() -> None:
    assert score("gold", "7 gold 1 sword") == 4000 + 800


def test_fo_11_card_skull_spoils_chest() -> None:
    assert score("skulls-1", "8 gold") == 4000 + 800 + 500
    assert score("skulls-2", "8 gold") == 4000 + 800 + 500
    assert score("skulls-1", "8 gold", card_skull_spoils_chest="true") == 4000 + 800
    assert score("captain", "8 gold", card_skull_spoils_chest="true") == 2 * (4000 + 800 + 500)


def test_fo_12_totals_may_go_below_zero() -> None:
    table = Table(3).turn("sea-battle-4", NOTHING).stop()
    assert table.scores == [-1000, 0, 0]
    table.turn("captain", "4 skull 4 gold").stop()
    assert table.scores == [-1800, 0, -800]


def test_fo_12_floor_at_zero_cuts_each_change_for_each_player() -> None:
    table = Table(3, floor_at_zero="true").totals(300, 0, 900).turn("sea-battle-3", NOTHING).stop()
    assert table.scores == [0, 0, 900]
    table.turn("captain", "4 skull 4 gold").stop()
    assert table.scores == [0, 0, 100]
    assert table.score("gold", "8 gold") == 5400
    assert table.score("gold", "8 gold") == 5400  # nothing of what was cut is owed


def test_fo_17_the_captain_doubles_the_turn_the_full_chest_too() -> None:
    assert score("captain", "8 gold") == 2 * (4000 + 800 + 500)
    assert score("captain", NOTHING) == 0
    assert Table().turn("captain", "3 skull 5 gold").scores == [0, 0]


def test_fo_20_gold_and_diamond_begin_with_one_more() -> None:
    assert score("gold", "2 gold 2 skull 2 sword 2 monkey") == 100 + 300
    assert score("diamond", "2 diamond 2 skull 2 sword 2 monkey") == 100 + 300
    assert score("diamond", "2 gold 2 skull 2 sword 2 monkey") == 300
    assert Table().turn("gold", "3 skull 5 gold").scores == [0, 0]


def test_fo_21_monkeys_and_parrots_are_one_kind() -> None:
    assert score("monkey-business", "3 monkey 2 parrot 2 skull 1 sword") == 500
    assert score("sorceress", "3 monkey 2 parrot 2 skull 1 sword") == 100
    assert score("monkey-business", "4 monkey 4 parrot") == 4000 + 500


def test_fo_22_a_skulls_card_brings_its_skulls() -> None:
    for card, skulls in (("skulls-1", 1), ("skulls-2", 2)):
        table = Table().turn(card, "8 gold")
        assert r.skulls(table.state) == skulls
        table.reroll("3 gold", into="3 skull")
        assert table.fate == r.DISQUALIFIED
