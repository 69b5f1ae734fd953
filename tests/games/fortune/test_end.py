"""How the game ends: FO-25 to FO-28."""

from __future__ import annotations

import pytest

from parlour.core.errors import MatchOver
from parlour.games.fortune import rules as r
from tests.games.fortune.table import NOTHING, Table

SOME = "4 gold 2 sword 2 monkey"  # 600 points


def test_fo_25_above_the_line_at_the_end_of_his_turn_starts_the_final_round() -> None:
    table = Table(3).totals(7500, 0, 0).turn("sorceress", SOME)
    assert not table.state.final_left
    table.stop()
    assert table.scores[0] == 8100
    assert (table.state.finisher, table.state.final_left) == (0, 2)
    table.turn("gold", NOTHING).stop()
    assert not table.match.over
    table.turn("gold", NOTHING).stop()
    assert table.match.over
    assert table.match.winners == (0,)
    assert table.match.returns == [1.0, 0.0, 0.0]
    with pytest.raises(MatchOver):
        table.match.parse("stop")


def test_fo_25_exactly_on_the_line_is_not_above_it_unless_at_least() -> None:
    assert not Table().totals(7400).turn("sorceress", SOME).stop().state.final_left
    assert Table(finish="at_least").totals(7400).turn("sorceress", SOME).stop().state.final_left == 1


@pytest.mark.parametrize("target", ["8000", "6000", "5000"])
def test_fo_25_the_line_may_be_nearer(target: str) -> None:
    short = Table(target=target).totals(int(target) - 600).turn("sorceress", SOME).stop()
    assert not short.state.final_left
    beyond = Table(target=target).totals(int(target) - 500).turn("sorceress", SOME).stop()
    assert beyond.state.final_left == 1


def test_fo_25_later_crossings_add_no_turns() -> None:
    table = Table(3).totals(7500, 7900, 7900)
    table.turn("sorceress", SOME).stop().turn("sorceress", SOME).stop()
    assert (table.state.finisher, table.state.final_left) == (0, 1)
    table.turn("sorceress", SOME).stop()
    assert table.match.over
    assert table.scores == [8100, 8500, 8500]


def test_fo_25_fo_26_the_last_to_play_may_overtake() -> None:
    table = Table().totals(7500, 7900).turn("sorceress", SOME).stop().turn("sorceress", SOME).stop()
    assert table.match.winners == (1,)


def test_fo_26_if_nobody_is_beyond_the_line_play_goes_on_and_a_new_final_round_may_start() -> None:
    table = Table(3, starts=2).totals(0, 7500, 0).turn("sorceress", SOME).stop()
    table.turn("gold", "4 skull 4 gold").stop()  # the Island: seat 2 falls to 7700
    assert not table.match.over
    table.turn("gold", NOTHING).stop()
    assert not table.match.over
    assert (table.state.finisher, table.state.final_left) == (r.NOBODY, 0)
    assert table.to_move == 2  # who had started it
    table.turn("sorceress", NOTHING).stop().totals(0, 0, 7900).turn("sorceress", SOME).stop()
    assert (table.state.finisher, table.state.final_left) == (2, 2)


def test_fo_26_the_test_of_the_line_is_the_same_after_the_final_round() -> None:
    for finish, over in (("above", False), ("at_least", True)):
        table = Table(finish=finish).totals(8300, 0).turn("gold", NOTHING).stop()
        table.turn("gold", "4 skull 4 gold").stop()
        assert table.scores[0] == 8000
        assert table.match.over is over


def test_fo_27_a_tie_at_the_top_is_a_shared_win() -> None:
    table = Table(3).totals(8000, 8000, 0)
    table.turn("sorceress", SOME).stop().turn("sorceress", SOME).stop().turn("gold", NOTHING).stop()
    assert table.match.over
    assert table.match.winners == (0, 1)
    assert table.match.returns == [0.5, 0.5, 0.0]


def almost_100_rounds(table: Table, turns: int) -> Table:
    table.state.turns = turns
    return table


def test_fo_28_after_100_rounds_the_highest_total_wins_wherever_the_line_is() -> None:
    table = almost_100_rounds(Table(2, starts=2), 198).totals(-500, -300).turn("gold", NOTHING).stop()
    assert not table.match.over
    table.turn("gold", NOTHING).stop()
    assert table.match.over
    assert table.match.winners == (1,)


def test_fo_27_fo_28_a_tie_at_the_limit_is_shared() -> None:
    table = almost_100_rounds(Table(2), 199).totals(-300, -300).turn("captain", NOTHING).stop()
    assert table.match.returns == [0.5, 0.5]


def test_fo_28_a_final_round_under_way_is_completed() -> None:
    table = almost_100_rounds(Table(3), 299).totals(7900).turn("sorceress", SOME).stop()
    assert not table.match.over
    table.turn("gold", NOTHING).stop()
    assert not table.match.over
    table.turn("gold", NOTHING).stop()
    assert table.match.over
    assert table.match.winners == (0,)


def test_fo_26_fo_28_beyond_the_limit_no_new_round_even_if_nobody_is_beyond_the_line() -> None:
    table = almost_100_rounds(Table(2), 199).totals(7900, 0).turn("sorceress", SOME).stop()
    table.turn("captain", "5 skull 3 gold").stop()
    assert table.scores == [7500, 0]
    assert table.match.over
    assert table.match.winners == (0,)


def test_fo_28_round_limit_none() -> None:
    table = almost_100_rounds(Table(2, round_limit="none"), 1_000_000).turn("gold", NOTHING).stop()
    assert not table.match.over
    assert r.bound(table.state) == 0
    assert r.bound(Table(3).state) == 101 * 3 * 60
