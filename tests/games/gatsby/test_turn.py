"""A turn: GA-9 to GA-13, GA-15, and the Special Action tiles, GA-16."""

from __future__ import annotations

import pytest

from parlour.games.gatsby import rules as r
from parlour.games.gatsby.rules import holdings
from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import state as s
from tests.games.gatsby.table import Table, space


def test_ga_09_any_action_on_the_first_turn_but_the_token_must_move_then() -> None:
    table = Table()
    assert table.moves == ["A", "B", "C", "D"]  # seat 1 has no Special
    table.play("B", "a3")
    assert table.moves == ["A", "C", "D", "special"]
    assert table.refused("B") == "GA-9"
    table.play("A", "a4", "b4")
    assert table.refused("special") == "GA-9"


def test_ga_09_the_opponent_may_use_his_special_after_a_special() -> None:
    table = Table().tile("S6").play("special")
    assert table.state.level == [2, 0]  # one, and one more, level with or above
    assert table.waits == s.BONUS
    table.play("skip place")
    assert table.moves == ["A", "B", "C", "D", "special"]


def test_ga_09_a_the_second_goes_next_to_the_first() -> None:
    table = Table().play("A")
    assert table.spaces() == {"a1", "b2", "a3"}
    table.play("b2")
    assert table.spaces() == {"b1", "c2", "b3"}
    assert table.refused("a3") == "GA-9"
    table.play("b1")
    assert table.state.player == 1
    assert table.state.supply == [18, 19]


def test_ga_09_a_next_to_the_space_even_if_a_bonus_has_moved_the_token() -> None:
    table = Table().put(1, "c1").put(2, "d3").play("A", "c2", "take swap", "swap c2", "with d3")
    assert table.token("c2") == 2
    assert table.spaces() == {"b2", "d2", "c3"}


def test_ga_09_b_c_and_d() -> None:
    table = Table().play("B", "a3")
    assert table.state.level == [1, 0]
    table = Table().play("C")
    assert table.state.level == [1, 0]
    assert table.moves == ["row 1", "row 2", "row 3", "row 4", "row 5"]
    table.play("row 4")
    assert table.state.player == 1
    table = Table().play("D", "row 2")
    assert table.moves == ["row 1", "row 3", "row 4", "row 5"]
    assert table.refused("row 2") == "GA-9"
    table.play("row 5")
    assert (table.token("2.1"), table.token("5.1")) == (1, 1)


def test_ga_09_d_one_token_when_only_one_row_has_room() -> None:
    table = Table().give(2, track1="jazz-1", track2="jazz-2", track3="turf-2", track4="turf-3")
    table.play("D", "row 5")
    assert table.state.player == 1


def test_ga_09_d_a_token_of_a_bonus_does_not_count_as_one_of_the_two() -> None:
    table = Table().put(2, "1.1 1.2").play("D", "row 1", "take place")
    assert "row 3" in table.moves
    table.play("row 3")
    assert table.moves == ["row 2", "row 3", "row 4", "row 5"]  # row 1 is used and full; row 3 was a bonus


@pytest.mark.parametrize("tile", ["S1", "S9", "S10"])
def test_ga_09_ga_16_rows_used_by_the_opponents_action_are_free_again(tile: str) -> None:
    table = Table(drawn=(tile, "S2")).give(1, track1="jazz-1", track2="press-2")
    table.give(2, track3="stage-2", track4="press-3").play("C", "row 5")
    assert table.state.used_rows == 0
    assert table.moves == ["A", "B", "D", "special"]


def test_ga_09_ga_25_an_action_without_a_possible_part_cannot_be_chosen() -> None:
    table = Table()
    table.state.supply[0] = 0
    assert table.moves == ["B", "C"]  # a step of the Finance Center needs no token
    assert table.refused("A") == "GA-9"
    table.play("B")
    assert table.state.level == [1, 0]
    assert table.state.player == 1


def test_ga_09_a_special_without_a_possible_part() -> None:
    table = Table().tile("S8")
    table.state.supply[0] = 0
    assert table.refused("special") == "GA-9"
    assert "special" in table.tile("S10").put(1, "d4").moves  # a swap needs no supply


def test_ga_09_bound_of_a_game() -> None:
    assert r.bound(Table().state) == 6_000
    assert r.bound(Table(play_off="true").state) == 54_000  # GA-23: nine games


def test_ga_10_next_to_a_token_of_either_player() -> None:
    table = Table().put(1, "d4").play("B")
    assert table.spaces() == {"a1", "b2", "a3", "d3", "c4"}
    assert table.refused("b1") == "GA-10"
    assert table.refused("a2") == "GA-10"
    assert table.refused("f6") == "GA-3"
    assert table.refused("row 1") == "GA-9"


@pytest.mark.parametrize(("mine", "other", "after"), [(0, 0, 1), (4, 1, 5), (0, 1, 2), (1, 4, 3), (3, 12, 5)])
def test_ga_11_one_level_or_two_from_below(mine: int, other: int, after: int) -> None:
    table = Table().levels(mine, other)
    table.due(s.STEP)
    assert table.state.level[0] == after


def test_ga_11_the_top_is_the_end() -> None:
    table = Table().levels(11, 12).due(s.STEP)
    assert table.state.level[0] == 12
    table = Table().levels(12, 11).due(s.STEP, s.CABARET)
    assert table.state.level[0] == 12
    assert table.waits == s.CABARET


def test_ga_11_measured_at_the_moment_of_each_step() -> None:
    assert Table().levels(0, 1).due(s.STEP, s.STEP).play("skip place").state.level == [3, 1]


def test_ga_12_leftmost_empty_space_of_an_open_row() -> None:
    table = Table().put(2, "3.1 3.3").play("D", "row 3")
    assert table.token("3.2") == 1
    table = Table().give(2, track2="stage-2").play("C")
    assert table.refused("row 2") == "GA-12"
    assert table.refused("3.2") == "GA-12"
    assert table.refused("1.4") == "GA-4"
    assert table.refused("a3") == "GA-9"


def test_ga_12_a_row_filled_in_this_turn_has_no_room_but_is_open() -> None:
    table = Table().put(1, "2.1").put(2, "2.2").due(s.RACETRACK, s.RACETRACK).play("row 2", "skip special")
    assert table.refused("2.3") == "GA-12"
    assert table.owner("track2") == 0
    assert table.moves == ["row 1", "row 3", "row 4", "row 5"]


def test_ga_13_without_a_token_the_placing_is_left_out() -> None:
    table = Table()
    table.state.supply[0] = 1
    table.play("A", "a3")
    assert table.state.player == 1
    assert table.state.supply[0] == 0


def test_ga_13_tokens_of_a_finished_row_come_back_only_at_the_end_of_the_turn() -> None:
    table = Table().put(1, "1.1 1.2").give(2, track2="stage-2")
    table.state.supply[0] = 1
    table.play("D", "row 1")  # no token is left for the place bonus, nor for a second row
    assert table.state.player == 1
    assert table.owner("track1") == 1
    assert table.state.supply[0] == 3


# Special Action tiles -------------------------------------------------------------------------------------
def test_ga_15_a_tile_in_use_leaves_the_game_at_the_end_of_the_turn() -> None:
    table = Table().tile("S4").play("special")
    assert table.at("S4") == s.IN_USE
    table.play("d4", "skip peek")
    assert table.at("S4") == s.GONE
    assert table.state.last == 4


def test_ga_15_a_special_bonus_in_that_turn_sets_nothing_aside() -> None:
    table = Table().tile("S8").put(2, "2.1").play("special", "row 2", "take special", "tile S3", "tile S4", "tile S5")
    table.play("keep S4")
    assert table.at("S4") == s.ON_SPACE
    assert table.at("S8") == s.GONE
    assert holdings.tiles_at(table.state, s.ASIDE) == 0


def test_ga_15_also_when_the_special_was_forced() -> None:
    table = Table().put(1, "a3").play("B", "b3", "take force", "special")
    assert table.at("S1") == s.IN_USE
    assert table.state.player == 1
    table.play("a1", "skip finance", "b1")
    assert table.at("S1") == s.GONE


def test_ga_16_s1_two_in_the_cabaret_each_next_to_some_token() -> None:
    table = Table().put(2, "d4").tile("S1").play("special", "a3")
    assert "d3" in table.moves
    table.play("d3")
    assert table.state.player == 1


def test_ga_16_s2_a_chain_of_three() -> None:
    table = Table().tile("S2").play("special", "a3")
    assert table.spaces() == {"b3", "a4"}
    table.play("a4")
    assert table.spaces() == {"b4"}
    table.play("b4")
    assert table.state.player == 1


def test_ga_16_s2_what_has_no_room_is_left_out() -> None:
    table = Table().put(2, "a3 b4 b1 b2").tile("S2").play("special", "a4")
    assert table.state.player == 1
    assert table.state.supply[0] == 19


def test_ga_16_s3_and_s10_with_a_swap() -> None:
    table = Table().tile("S3").play("special", "a3", "swap a3", "with a2")
    assert (table.token("a2"), table.token("a3")) == (1, 2)
    table = Table().tile("S10").put(1, "5.1").play("special")
    assert table.moves == ["swap row 5 space 1"]
    table.play("swap 5.1")
    assert table.moves == ["with a2"]
    assert table.refused("with a3") == "GA-14"
    table.play("with a2", "row 1")
    assert (table.token("a2"), table.token("5.1"), table.token("1.1")) == (1, 2, 1)


def test_ga_16_s10_without_own_tokens_only_the_placing() -> None:
    table = Table().tile("S10").play("special")
    assert table.moves == ["row 1", "row 2", "row 3", "row 4", "row 5"]


def test_ga_16_s4_any_empty_space() -> None:
    table = Table().tile("S4").play("special")
    assert len(table.moves) == 15
    assert table.refused("a2") == "GA-10"
    table.play("d3")
    assert table.state.player == 1


def test_ga_16_s5_all_three_places() -> None:
    table = Table().tile("S5").play("special", "a3")
    assert table.state.level == [1, 0]
    table.play("row 1")
    assert table.state.player == 1


def test_ga_16_s6_finance_twice() -> None:
    table = Table().levels(0, 3).tile("S6").play("special")
    assert table.state.level == [2, 3]
    table.play("skip place")
    assert table.state.level == [4, 3]


def test_ga_16_s7_characters_change_places_unseen() -> None:
    table = Table().tile("S7").put(1, "d4").play("special")
    assert "swap ne stars" in table.moves
    table.play("swap ne stars")
    assert table.face("stars") == "stage-1"
    assert table.face("ne") == "?"
    assert table.state.up >> 2 & 1
    assert not table.state.up & 1
    assert table.state.level == [1, 0]
    assert table.moves == ["swap d4"]


def test_ga_16_s8_two_on_one_row() -> None:
    table = Table().tile("S8").play("special", "row 4")
    assert (table.token("4.1"), table.token("4.2")) == (1, 1)
    assert table.state.player == 1
    table = Table().tile("S8").put(1, "1.1").put(2, "1.2").play("special", "row 1", "skip place")
    assert table.state.supply == [20, 19]  # only one had room; then the row's tokens came back
    assert table.owner("track1") == 1


def test_ga_16_s9_three_rows() -> None:
    table = Table().tile("S9").play("special", "row 1", "row 2")
    assert table.moves == ["row 3", "row 4", "row 5"]
    table.play("row 5")
    assert table.state.player == 1
    table = Table().give(2, track1="stage-2", track2="jazz-2", track4="turf-2").tile("S9").play("special", "row 3")
    table.play("row 5")
    assert table.state.player == 1


def test_ga_16_s11_any_empty_space_and_the_gap_is_filled_later() -> None:
    table = Table().tile("S11").give(2, track2="stage-2").play("special")
    assert table.refused("2.1") == "GA-12"
    assert table.refused("a3") == "GA-9"
    table.play("row 4 space 2")
    assert table.token("4.2") == 1
    table.play("C", "row 4")
    assert table.token("4.1") == 2
    table.play("D", "row 4")
    assert table.token("4.3") == 1


def test_ga_25_what_is_due_reads_as_what_it_is() -> None:
    state = Table().play("A", "a1").state
    assert state.due_kind[: state.due] == [s.RALLY, s.NEXT, s.BONUS]
    assert state.due_arg[: state.due] == [0, space("a1") + 1, p.CLIMB]
    state = Table().tile("S7").play("special").state
    assert state.due_kind[: state.due] == [s.RALLY, s.OWN, s.STEP, s.PAIR]
    assert state.due_arg[: state.due] == [0, 0, 0, s.BLIND]
