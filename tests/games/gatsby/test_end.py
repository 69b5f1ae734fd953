"""Rallying and the end: GA-17 to GA-23."""

from __future__ import annotations

from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import scoring
from parlour.games.gatsby.rules import state as s
from parlour.games.gatsby.show import words
from tests.games.gatsby.table import PEEK, Table


def test_ga_17_a_chain_between_the_edges_rallies_and_tokens_stay() -> None:
    table = Table().put(1, "b1 b2 b3").play("B")
    assert table.owner("ne") == 0
    table.play("b4")
    assert table.owner("ne") == 1
    assert table.owner("nw") == 0
    assert table.token("b4") == 1
    assert table.state.fresh == 1


def test_ga_17_for_both_players_whoever_had_the_turn() -> None:
    table = Table().put(2, "b2 c2").put(1, "d2 c3").due(s.OWN).play("swap d2", "with a2")
    assert table.owner("nw") == 0
    table = Table().put(2, "b2 c2 d4").put(1, "d2 c3").due(s.OWN).play("swap d2", "with d4")
    assert table.owner("nw") == 2


def test_ga_17_when_both_have_one_the_active_player_takes_it() -> None:
    table = Table().put(2, "b2 c2 d3", clear=True).put(1, "a3 b3 c3 d2 a2").due(s.OWN).play("swap d2", "with d3")
    assert table.owner("nw") == 1
    assert table.state.player == 1
    table = Table().put(2, "b2 c2 d3", clear=True).put(1, "a3 b3 c3 d2 c4").put(2, "a2")
    table.state.player = 1
    table.due(s.OWN).play("swap d3", "with d2")
    assert table.owner("nw") == 2


def test_ga_17_a_character_is_taken_once() -> None:
    table = Table().put(1, "b1 b2 b3 b4").give(2, ne="stage-1").due(s.STEP)
    assert table.owner("ne") == 2


def test_ga_18_all_four_stars() -> None:
    table = Table().put(1, "b2 d1 a4").due(s.ANYWHERE)
    table.play("c3").claims("jazz-2")
    assert table.owner("stars") == 1
    assert table.face("stars") == "jazz-2"
    table = Table().put(1, "b2 d1 a4").put(2, "c3").due(s.STEP)
    assert table.owner("stars") == 0


def test_ga_19_on_or_above_the_level() -> None:
    assert Table().levels(2, 0).due(s.STEP).owner("level3") == 1
    table = Table().levels(5, 6).give(2, level3="bank-2", level6="press-2").due(s.STEP).play("skip peek")
    assert table.owner("level6") == 2
    table = Table().levels(2, 3).give(2, level3="bank-2").due(s.STEP)
    assert table.owner("level3") == 2


def test_ga_20_a_full_row_goes_to_the_majority_and_is_closed() -> None:
    table = Table().put(1, "1.1").put(2, "1.2").due(s.RACETRACK).play("row 1", "skip place")
    assert table.owner("track1") == 1
    assert table.state.supply == [20, 19]
    assert table.token("1.1") == 0
    assert "row 1" not in table.play("C").moves


def test_ga_20_as_it_is_now_after_all_swaps() -> None:
    table = Table().put(1, "2.1 d4").put(2, "2.2").due(s.RACETRACK, s.OWN).play("row 2", "skip special")
    table.play("swap 2.1", "with a2")
    table.claims("turf-2")
    assert table.owner("track2") == 2


def test_ga_20_he_who_fills_a_row_may_lose_it() -> None:
    table = Table().put(2, "1.1 1.2").due(s.RACETRACK).play("row 1", "skip place")
    assert table.owner("track1") == 2


def test_ga_21_face_up_stays_public_face_down_is_for_its_owner() -> None:
    table = Table().levels(2, 0).due(s.STEP)
    assert table.state.up >> 3 & 1
    assert table.waits == s.ACTION
    table = Table().levels(5, 5).give(2, level3="bank-2").due(s.STEP)
    assert table.waits == s.CLAIM
    assert words.argument(table.state) == 4
    table.claims("press-3")
    assert not table.state.up >> 4 & 1
    assert table.state.char[4] == 5


def test_ga_21_taken_as_they_lie_at_the_end_of_the_turn() -> None:
    table = Table().levels(2, 0).due(s.STEP, PEEK)
    table.play("take peek", "peek level3 track2", "jazz-3", "swap")
    assert table.face("level3") == "jazz-3"
    table.claims("jazz-3")
    assert table.owner("level3") == 1
    assert table.face("track2") == "bank-2"


# The end -------------------------------------------------------------------------------------------
def over(table: Table) -> bool:
    while table.waits == s.REVEAL:
        table.match.step(table.match.chance_outcomes()[0][0])
    return scoring.over(table.state)


def test_ga_22_three_of_one_suit_win_at_once() -> None:
    table = Table().give(1, track2="bank-1", track3="bank-3").levels(2, 0).due(s.STEP)
    assert over(table)
    assert table.state.ending == s.TRIO
    assert table.match.returns == [1.0, 0.0]


def test_ga_22_one_of_each_suit_wins_at_once() -> None:
    table = Table().give(1, track2="stage-2", track3="press-3", track4="turf-2", track5="jazz-2")
    table.levels(2, 0).due(s.STEP)
    assert over(table)
    assert table.state.ending == s.ALL_SUITS
    assert table.match.winners == (0,)


def test_ga_22_face_down_characters_count() -> None:
    table = Table().give(1, track2="bank-1", level3="bank-2").levels(5, 5).due(s.STEP)
    assert not scoring.over(table.state)
    table.state.char[11] = 2  # not the third of the Bank, which was on row 5
    table.claims("bank-3")
    assert over(table)
    assert table.state.ending == s.TRIO


def test_ga_22_the_active_player_first() -> None:
    table = Table().give(1, track2="bank-1", track3="bank-3").give(2, track4="turf-2", track5="turf-3")
    table.put(2, "1.1 1.2")
    table.state.char[7] = 9  # turf-1 is on row 1, and the one from floor 12 is not in the game
    table.state.char[6] = 12
    table.levels(2, 0).due(s.RACETRACK, s.STEP).play("row 1", "skip place")
    assert scoring.has_won(table.state, 0, 0) == s.TRIO == scoring.has_won(table.state, 1, 0)
    assert over(table)
    assert table.match.winners == (0,)


def test_ga_22_the_other_player_may_win_in_my_turn() -> None:
    table = Table().give(2, track4="jazz-2", track5="jazz-3").put(2, "1.1 1.2").due(s.RACETRACK)
    table.play("row 1", "skip place")
    assert over(table)
    assert table.match.winners == (1,)


def test_ga_23_a_place_without_characters_ends_the_game() -> None:
    table = Table().give(1, nw="press-1", stars="jazz-2").put(1, "b1 b2 b3 b4").due(s.STEP)
    assert over(table)
    assert table.state.ending == s.PRESTIGE
    assert table.match.scores == [6, 1]  # 2 + 1 + 3, and seat 2 has a tile
    assert table.match.winners == (0,)


def test_ga_23_finance_and_racetrack_end_it_too() -> None:
    table = Table().levels(11, 9).give(1, level3="bank-2", level6="stage-2", level9="press-2").due(s.STEP)
    assert over(table)
    table = Table().give(2, track2="stage-2", track3="press-2", track4="jazz-2", track5="bank-3")
    table.put(1, "1.1").put(2, "1.2").due(s.RACETRACK).play("row 1", "skip place")
    assert over(table)
    assert table.match.winners == (1,)


def last_turn() -> Table:
    """Seat 1 takes the last of the Cabaret; before, seat 2 lacks nothing, and has no tile."""
    table = Table().put(1, "b1 b2 b3 b4")
    for tile in range(p.N_TILES):
        table.state.tile[tile] = s.IN_PILE
    return table


def test_ga_23_tiles_on_the_space_and_set_aside_count_one_each() -> None:
    table = last_turn().give(1, nw="press-3", stars="jazz-2").give(2, track1="jazz-1", track2="stage-2")
    table.state.tile[0] = s.ON_SPACE + 1
    table.state.tile[1] = s.ASIDE + 1
    table.state.tile[2] = s.ASIDE_HIDDEN + 1
    table.state.tile[3] = s.DISCARDED + 1
    table.state.tile[4] = s.IN_USE
    table.due(s.STEP)
    assert table.waits == s.REVEAL
    assert over(table)
    assert table.match.scores == [4, 6]
    assert table.at("S3") == s.ASIDE + 1
    assert table.match.winners == (1,)


def test_ga_23_a_tie_goes_to_more_characters() -> None:
    table = last_turn().give(1, nw="press-3", stars="stage-3").give(2, track1="bank-1")
    table.due(s.STEP)
    assert over(table)
    assert table.match.scores == [3, 3]
    assert table.match.winners == (0,)


def test_ga_23_a_second_tie_is_a_draw() -> None:
    table = (
        last_turn().give(1, nw="press-3", stars="jazz-2").give(2, track1="jazz-1", track2="stage-2", track3="turf-2")
    )
    table.due(s.STEP)
    assert over(table)
    assert table.match.scores == [4, 4]
    assert table.match.returns == [0.5, 0.5]


def test_ga_23_before_the_end_nobody_has_won() -> None:
    assert Table().match.returns == [0.0, 0.0]


def test_ga_24_at_the_end_all_that_was_taken_is_shown_the_rest_is_not() -> None:
    table = Table().give(1, track2="bank-1", track3="bank-3").levels(2, 0)
    table.state.up &= ~(1 << 9)
    table.due(s.STEP)
    assert table.waits == s.REVEAL
    assert table.match.chance_outcomes() == ([8], [1])
    assert over(table)
    assert table.state.up >> 9 & 1
    assert table.face("stars") == "?"
