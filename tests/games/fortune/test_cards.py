"""The cards with rules of their own: FO-16, FO-18, FO-19, FO-23, FO-24."""

from __future__ import annotations

import pytest

from parlour.core.errors import IllegalMove, InvalidMove
from parlour.games.fortune import rules as r
from tests.games.fortune.table import NOTHING, Table, score


# Treasure Chest
def test_fo_16_dice_left_lying_score_at_a_disqualification() -> None:
    table = Table().turn("treasure-chest", "2 skull 4 gold 2 sword")
    table.reroll("2 sword", into="1 skull 1 diamond")
    assert table.fate == r.DISQUALIFIED
    assert table.scores == [200 + 400, 0]  # the diamond of the last roll does not count


def test_fo_16_after_the_first_roll_nothing_lies_on_the_chest() -> None:
    table = Table().turn("treasure-chest", "3 skull 5 gold")
    assert table.scores == [0, 0]


def test_fo_16_what_is_rolled_again_leaves_the_chest() -> None:
    table = Table().turn("treasure-chest", "2 skull 4 gold 2 sword").reroll("2 sword", into="2 diamond")
    assert [r.on_chest(table.state, face) for face in range(r.N_FACES)] == [2, 0, 0, 0, 4, 0]
    assert r.worth_now(table.state) == 200 + 600
    table.reroll("3 gold", into="1 skull 2 gold")
    assert table.scores == [100 + 200, 0]  # one coin and the two diamonds


def test_fo_16_the_chest_scores_sets_but_never_a_full_chest() -> None:
    table = Table().turn("treasure-chest", "8 gold").reroll("3 gold", into="3 skull")
    assert table.scores == [500 + 500, 0]


def test_fo_08_fo_16_who_stops_scores_everything() -> None:
    assert score("treasure-chest", "8 gold") == 4000 + 800 + 500


# Sorceress
def test_fo_18_one_skull_may_be_rolled_with_other_dice() -> None:
    for skulls in (1, 2):
        table = Table().turn("sorceress", f"{skulls} skull {8 - skulls} gold")
        assert table.may_roll("1 skull 1 gold")
        assert table.may_roll("2 gold")
        table.reroll("1 skull 1 gold", into="2 gold")
        assert table.state.count[r.SKULL] == skulls - 1


def test_fo_18_she_helps_once() -> None:
    table = Table().turn("sorceress", "2 skull 6 gold").reroll("1 skull 1 gold", into="1 skull 1 gold")
    with pytest.raises(IllegalMove, match="has already done so") as refused:
        table.move("re-roll 1 3")
    assert refused.value.clause == "FO-18"
    table.reroll("2 gold", into="1 skull 1 gold")
    assert table.fate == r.DISQUALIFIED


def test_fo_18_she_is_back_in_the_next_turn_that_has_her() -> None:
    table = Table().turn("sorceress", "2 skull 6 gold").reroll("1 skull 1 gold", into="2 gold").stop()
    assert table.turn("sorceress", "1 skull 7 gold").may_roll("1 skull 7 gold")


def test_fo_18_exactly_three_at_the_first_roll_free_one_or_stop() -> None:
    table = Table().turn("sorceress", "3 skull 5 gold")
    assert not table.turn_over
    assert r.must_use_spell(table.state)
    assert all(move == "stop" or "1" in move.split() for move in table.moves)
    assert len(table.moves) == 1 + 5
    with pytest.raises(IllegalMove, match="must free one") as refused:
        table.move("re-roll 4 5")
    assert refused.value.clause == "FO-18"
    assert r.worth_now(table.state) == 0
    table.reroll("1 skull 2 gold", into="3 gold")
    assert not table.turn_over
    assert table.may_roll("2 gold")


def test_fo_18_exactly_three_at_a_later_roll() -> None:
    table = Table().turn("sorceress", "2 skull 6 gold").reroll("2 gold", into="1 skull 1 sword")
    assert r.must_use_spell(table.state)
    table.reroll("1 skull 1 sword", into="1 skull 1 gold")
    assert table.fate == r.DISQUALIFIED  # three again, and she is spent


def test_fo_18_stopping_with_three_is_to_be_disqualified() -> None:
    table = Table().turn("sorceress", "3 skull 5 gold").stop()
    assert table.fate == r.DISQUALIFIED
    assert table.scores == [0, 0]


def test_fo_18_four_at_once_are_beyond_her() -> None:
    table = Table().turn("sorceress", "2 skull 6 gold").reroll("3 gold", into="2 skull 1 gold")
    assert table.fate == r.DISQUALIFIED


def test_fo_18_the_skull_needs_another_die_unless_sorceress_alone() -> None:
    table = Table().turn("sorceress", "1 skull 7 gold")
    with pytest.raises(IllegalMove, match="at least one other die") as refused:
        table.move("re-roll 1")
    assert refused.value.clause == "FO-18"
    alone = Table(sorceress_alone="true").turn("sorceress", "1 skull 7 gold")
    assert alone.may_roll("1 skull")
    alone.reroll("1 skull", into="1 gold").stop()
    assert alone.scores == [5300, 0]


def test_fo_18_sorceress_alone_at_three_skulls() -> None:
    table = Table(sorceress_alone="true").turn("sorceress", "3 skull 5 gold")
    assert table.may_roll("1 skull")
    assert not any("1" not in move.split() for move in table.moves if move != "stop")
    table.reroll("1 skull", into="1 skull")
    assert table.fate == r.DISQUALIFIED


def test_fo_18_never_two_skulls_and_only_with_her() -> None:
    with pytest.raises(InvalidMove) as refused:
        Table().turn("sorceress", "2 skull 6 gold").move("re-roll 1 2 3")
    assert refused.value.clause == "FO-18"
    with pytest.raises(IllegalMove, match="Skulls cannot be re-rolled"):
        Table().turn("captain", "1 skull 7 gold").move("re-roll 1 2")


# Sea Battle
@pytest.mark.parametrize(("swords", "bonus"), [(2, 300), (3, 500), (4, 1000)])
def test_fo_19_enough_swords_win_the_bonus_beside_the_dice(swords: int, bonus: int) -> None:
    dice = f"{swords} sword {6 - swords} gold 2 skull"
    gold = 6 - swords
    sets = r.SET_WORTH[swords] + r.SET_WORTH[gold] + 100 * gold
    assert score(f"sea-battle-{swords}", dice) == sets + bonus


@pytest.mark.parametrize(("swords", "bonus"), [(2, 300), (3, 500), (4, 1000)])
def test_fo_19_too_few_swords_lose_it_and_the_dice_count_nothing(swords: int, bonus: int) -> None:
    assert score(f"sea-battle-{swords}", f"{swords - 1} sword {9 - swords} gold") == -bonus


def test_fo_19_a_disqualification_loses_the_bonus_even_with_swords_enough() -> None:
    assert Table().turn("sea-battle-2", "3 skull 5 sword").scores == [-300, 0]
    assert Table().turn("sea-battle-4", "2 skull 6 sword").reroll("2 sword", into="2 skull").scores == [-1000, 0]


# Storm
def test_fo_23_gold_and_diamonds_score_200_each_and_nothing_else() -> None:
    table = Table().turn("storm", "8 sword").reroll("5 sword", into="3 gold 2 diamond")
    assert table.scores == [1000, 0]
    assert table.fate == r.STORM_OVER
    assert score("storm", "8 sword") == 0
    assert score("storm", "8 gold") == 1600  # no set, no Full Chest


def test_fo_23_two_rolls_and_nothing_is_asked_after_the_second() -> None:
    table = Table().turn("storm", NOTHING)
    assert not table.turn_over
    table.reroll("2 sword", into="2 gold")
    assert table.turn_over
    assert table.to_move == 2


def test_fo_23_three_skulls_in_a_storm_disqualify() -> None:
    assert Table().turn("storm", "3 skull 5 gold").fate == r.DISQUALIFIED
    table = Table().turn("storm", "2 skull 6 gold").reroll("2 gold", into="1 skull 1 gold")
    assert table.fate == r.DISQUALIFIED
    assert table.scores == [0, 0]


@pytest.mark.parametrize(("scoring", "times"), [("flat", 0), ("sets", 1), ("sets_doubled", 2)])
def test_fo_23_storm_scoring(scoring: str, times: int) -> None:
    assert score("storm", "5 gold 3 diamond", storm_scoring=scoring) == 1600 + times * (500 + 100)
    assert score("storm", "8 gold", storm_scoring=scoring) == 1600 + times * 4000
    assert score("storm", "4 sword 4 monkey", storm_scoring=scoring) == 0


# Truce
def test_fo_24_swords_cost_1000_each_and_nothing_else_counts() -> None:
    assert score("truce", "2 sword 6 gold") == -2000
    assert score("truce", "8 gold") == 4000 + 800 + 500


def test_fo_24_swords_may_be_rolled_away() -> None:
    assert Table().turn("truce", "2 sword 6 gold").reroll("2 sword", into="2 gold").stop().scores == [5300, 0]


def test_fo_24_a_disqualification_with_swords_costs_as_much_unless_truce_on_bust_is_none() -> None:
    assert Table().turn("truce", "3 skull 2 sword 3 gold").scores == [-2000, 0]
    assert Table().turn("truce", "3 skull 5 gold").scores == [0, 0]
    assert Table(truce_on_bust="none").turn("truce", "3 skull 2 sword 3 gold").scores == [0, 0]
    assert score("truce", "2 sword 6 gold", truce_on_bust="none") == -2000
