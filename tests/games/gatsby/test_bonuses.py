"""Bonuses and the order of effects: GA-14 and GA-25."""

from __future__ import annotations

import pytest

from parlour.games.gatsby.rules import holdings
from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import state as s
from parlour.games.gatsby.show import words
from tests.games.gatsby.table import GATSBY, PEEK, Table, bonus, char


def test_ga_14_bonuses_are_optional() -> None:
    table = Table().play("A", "a1")
    assert table.moves == ["skip finance", "take finance"]
    table.play("skip finance", "b1")
    assert table.state.level == [0, 0]


def test_ga_14_on_the_cabaret_and_the_racetrack() -> None:
    assert Table().play("A", "a1", "take finance").state.level == [1, 0]
    assert Table().put(2, "3.1 3.2").play("D", "row 3", "take finance").state.level == [1, 0]


def test_ga_14_finance_bonuses_when_reached_or_passed_once_each() -> None:
    table = Table().levels(1, 3).due(s.STEP)
    assert table.state.level == [3, 3]
    assert table.moves == ["skip place", "take place"]  # of level 2, passed
    table = Table().levels(4, 4).due(s.STEP)
    assert table.moves == ["skip special", "take special"]


def test_ga_14_the_bonus_under_a_character_serves_the_other_player_only() -> None:
    table = Table().levels(2, 0).due(s.STEP)
    assert table.state.player == 1  # no bonus: the character was there when he came
    assert table.owner("level3") == 1
    table.levels(3, 2).due(s.STEP)
    assert table.state.level == [3, 4]
    assert table.moves == ["skip place", "take place"]


def test_ga_14_peek_at_two_and_exchange_or_not() -> None:
    table = Table().due(PEEK).play("take peek")
    assert len(table.moves) == p.N_PAIRS
    table.play("peek stars track2")
    assert table.match.current_player == -1
    table.play("jazz-2", "turf-2")
    assert (table.face("stars"), table.face("track2")) == ("jazz-2", "turf-2")
    assert table.moves == ["no swap", "swap"]
    table.play("swap")
    assert (table.face("stars"), table.face("track2")) == ("turf-2", "jazz-2")
    assert not table.state.up >> 2 & 1
    table = Table().due(PEEK).play("take peek", "peek track2 stars", "jazz-2", "turf-2", "no swap")
    assert (table.face("stars"), table.face("track2")) == ("jazz-2", "turf-2")


def test_ga_14_each_keeps_its_own_face() -> None:
    table = Table().due(PEEK).play("take peek", "peek ne stars", "jazz-2", "swap")
    assert (table.face("ne"), table.face("stars")) == ("jazz-2", "stage-1")
    assert table.state.up & 0b101 == 0b100
    table = Table().due(PEEK).play("take peek", "peek ne nw", "swap")
    assert (table.face("ne"), table.face("nw")) == ("press-1", "stage-1")
    assert table.state.up & 0b11 == 0b11
    table = Table().due(PEEK).play("take peek", "peek ne nw", "no swap")
    assert (table.face("ne"), table.face("nw")) == ("stage-1", "press-1")


def test_ga_14_peek_only_at_characters_on_the_board() -> None:
    table = Table().give(1, track2="jazz-2").due(PEEK).play("take peek")
    assert table.refused("peek ne track2") == "GA-14"
    assert len(table.moves) == 55


def test_ga_14_finance_is_not_offered_at_the_top() -> None:
    table = Table().levels(12, 11).due(bonus(p.CLIMB), s.CABARET)
    assert table.waits == s.CABARET


def test_ga_14_force_chooses_the_opponents_next_action() -> None:
    table = Table().put(1, "a3").play("A", "b3", "take force", "b4")
    assert table.match.current_player == 0
    assert table.moves == ["B", "C", "D", "special"]  # not A, from which seat 2 could not move either
    assert table.state.player == 1
    table.play("C", "row 1")
    assert table.token("1.1") == 2
    assert table.state.level == [0, 1]
    assert table.match.current_player == 0
    assert table.waits == s.ACTION  # it lasts for that one turn
    table.play("A", "c4", "c3")
    assert table.match.current_player == 1


def test_ga_24_a_decision_that_ends_a_turn_is_final_also_for_a_player_who_goes_on_deciding() -> None:
    """GA-14, GA-21: characters are taken and looked at by then, with or without a chance event."""
    table = Table().put(1, "a3").play("A", "b3", "take force")
    assert table.match.can_undo()  # the bonus alone has told nothing
    table.play("b4")
    assert (table.match.current_player, table.waits) == (0, s.FORCED)
    assert not table.match.can_undo()


def test_ga_24_a_tile_from_a_secret_draw_is_final_once_it_lies_openly() -> None:
    opened = Table(drawn=("S3", "S7"))
    assert not opened.match.can_undo()
    table = Table().due(bonus(p.SPECIAL)).tile("S1").play("take special")
    for tile in ("S4", "S5", "S6"):
        table.match.force(f"tile {tile}")
    step = table.match.step(table.match.parse("keep S4"))  # unseen, because there is a tile on the space already
    assert table.match.current_player == step.actor
    assert GATSBY.may_undo(step)
    step = table.match.step(table.match.parse("keep S4"))
    assert not GATSBY.may_undo(step)


def test_ga_14_a_second_force_in_the_same_turn_is_not_offered() -> None:
    table = Table().due(bonus(p.FORCE), bonus(p.FORCE), s.STEP).play("take force")
    assert table.state.level[0] == 1
    assert Table().due(bonus(p.FORCE), bonus(p.FORCE)).play("skip force").waits == s.BONUS


def test_ga_14_place_in_the_cabaret_or_on_the_racetrack_with_its_bonus() -> None:
    table = Table().due(bonus(p.EXTRA)).play("take place")
    assert table.moves == ["a1", "b2", "a3", "row 1", "row 2", "row 3", "row 4", "row 5"]
    table.play("a1")
    assert table.waits == s.BONUS
    assert words.argument(table.state) == p.CLIMB


def test_ga_14_ga_25_place_is_not_offered_without_token_or_room() -> None:
    table = Table()
    table.state.supply[0] = 0
    assert table.due(bonus(p.EXTRA)).state.player == 1
    table = Table().give(2, track1="jazz-1", track2="stage-2", track3="stage-3", track4="press-2")
    table.put(2, "a1 a3 a4 b1 b2 b3 b4 c1 c2 c3 c4 d1 d2 d3 d4 5.1 5.2 5.3 5.4 5.5")
    assert table.due(bonus(p.EXTRA), s.STEP).waits != s.BONUS


def test_ga_14_swap_within_a_place_or_between_two() -> None:
    table = Table().put(1, "1.1 d4").put(2, "1.2").due(bonus(p.SWAP)).play("take swap")
    assert table.moves == ["swap d4", "swap row 1 space 1"]
    assert table.refused("swap a2") == "GA-14"
    table.play("swap d4")
    assert table.moves == ["with a2", "with row 1 space 2"]
    table.play("with 1.2")
    assert (table.token("d4"), table.token("1.2"), table.token("1.1")) == (2, 1, 1)


def test_ga_14_swap_brings_no_bonuses_and_counts_rows_filled_this_turn() -> None:
    table = Table().put(1, "2.1 a1").put(2, "2.2").due(s.RACETRACK, bonus(p.SWAP)).play("row 2", "skip special")
    table.play("take swap", "swap 2.3", "with a2")
    assert table.owner("track2") == 2
    assert table.token("a2") == 1


def test_ga_14_swap_is_not_offered_when_a_player_has_no_token_on_the_board() -> None:
    assert Table().due(bonus(p.SWAP), s.STEP).state.level[0] == 1


def draw(table: Table, *tiles: str) -> Table:
    return table.due(bonus(p.SPECIAL)).play("take special", *(f"tile {tile}" for tile in tiles))


def test_ga_14_special_draws_three_and_keeps_one() -> None:
    table = draw(Table(), "S3", "S4", "S5")
    assert table.moves == ["keep S3", "keep S4", "keep S5"]
    assert table.refused("keep S6") == "GA-14"
    table.play("keep S5")
    assert [table.at(tile) for tile in ("S3", "S4", "S5")] == [s.DISCARDED, s.DISCARDED, s.ON_SPACE]


def test_ga_14_with_a_tile_on_the_space_one_of_the_two_stays() -> None:
    table = draw(Table().tile("S7"), "S3", "S4", "S5").play("keep S5")
    assert table.moves == ["keep S5", "keep S7"]
    assert table.refused("keep S3") == "GA-14"
    table.play("keep S5")
    assert (table.at("S5"), table.at("S7")) == (s.ON_SPACE, s.ASIDE)
    table = draw(Table().tile("S7"), "S3", "S4", "S5").play("keep S5", "keep S7")
    assert (table.at("S5"), table.at("S7")) == (s.ASIDE_HIDDEN, s.ON_SPACE)


def test_ga_14_nine_tiles_make_three_draws_and_then_it_is_not_offered() -> None:
    table = draw(Table(), "S3", "S4", "S5").play("keep S5")
    draw(table, "S6", "S7", "S8").play("keep S6", "keep S6")
    assert holdings.tiles_at(table.state, s.IN_PILE) == 3
    table.state.player = 0
    draw(table, "S9", "S10", "S11").play("keep S9", "keep S9")
    assert holdings.tiles_at(table.state, s.IN_PILE) == 0
    table.state.player = 0
    assert table.due(bonus(p.SPECIAL), s.STEP).waits != s.BONUS


# The order of effects ------------------------------------------------------------------------------
def test_ga_25_a_bonus_interrupts_and_is_finished_first() -> None:
    table = Table().put(2, "1.1 1.2").play("D", "row 1")
    assert table.moves == ["skip place", "take place"]
    table.play("take place", "a1")
    assert table.moves == ["skip finance", "take finance"]  # a bonus of the bonus
    table.play("take finance")
    assert table.state.level == [1, 0]
    assert table.waits == s.RACETRACK


def test_ga_25_several_bonuses_of_a_step_from_the_lowest_level_up() -> None:
    table = Table().levels(1, 5).give(2, level3="bank-2").due(s.STEP)
    assert table.state.level[0] == 3
    assert table.state.due_arg[1:3] == [p.EXTRA, p.EXTRA]
    table = Table().levels(4, 6).give(2, level3="bank-2", level6="stage-2").due(s.STEP)
    assert table.moves == ["skip special", "take special"]
    table.play("skip special")
    assert table.moves == ["skip peek", "take peek"]


def test_ga_25_each_bonus_with_all_it_brings_before_the_next() -> None:
    table = Table().levels(4, 6).give(2, level6="stage-2").due(s.STEP).play("take special")
    table.play("tile S3", "tile S4", "tile S5", "keep S3")
    assert table.moves == ["skip peek", "take peek"]


def test_ga_11_ga_25_the_whole_step_is_made_before_its_bonuses() -> None:
    table = Table().levels(1, 3).due(s.STEP)
    assert table.state.level[0] == 3
    assert table.waits == s.BONUS


def test_ga_25_an_earlier_choice_may_make_a_later_part_impossible() -> None:
    table = Table()
    table.state.supply[0] = 2
    table.due(s.CABARET, s.NEXT, bonus(p.EXTRA)).play("a3", "a4")
    assert table.state.player == 1


@pytest.mark.parametrize("face", ["stage-1", "bank-3"])
def test_ga_25_s7_needs_no_look(face: str) -> None:
    table = Table().tile("S7").play("special", "swap ne track5")
    assert char(face) in table.state.char
    assert (table.face("ne"), table.face("track5")) == ("bank-3", "stage-1")
