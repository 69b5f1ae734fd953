"""What is worth achieving, in turns that just do it and in turns that just miss it."""

from __future__ import annotations

from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import state as s
from tests.games.achieving import by
from tests.games.gatsby.table import PEEK, Table, bonus


def test_bonuses_that_are_used() -> None:
    table = Table().only(bonus(p.FORCE))
    assert by(table.match, lambda: table.play("take force")) == {"force": 1}
    table = Table().only(bonus(p.FORCE))
    assert by(table.match, lambda: table.play("skip force")) == {}


def test_two_characters_change_places_after_a_look() -> None:
    table = Table().due(PEEK)
    assert by(table.match, lambda: table.play("take peek", "peek ne nw", "exchange")) == {"swap": 1}
    table = Table().due(PEEK)
    assert by(table.match, lambda: table.play("take peek", "peek ne nw", "leave")) == {}


def test_the_top_of_the_finance_center() -> None:
    """All characters are gone then, and seat 2, who has three of them, wins by prestige."""
    for level, found in ((11, {"top": 1, "prestige": 2}), (10, {})):
        table = Table().levels(level, 0).give(2, level3="bank-2", level6="press-2", level9="turf-2")
        table.only(bonus(p.CLIMB))
        assert by(table.match, lambda t=table: t.play("take finance")) == found


def test_two_suits_are_rallied_in_one_turn() -> None:
    table = Table().put(1, "b1 b2 b3 c3 d3").levels(2, 0)
    table.due(s.CABARET, s.STEP)
    assert by(table.match, lambda: table.play("b4")) == {"rally": 1}


def test_each_way_to_win() -> None:
    table = Table().give(1, track1="stage-2", track2="stage-3").put(1, "b1 b2 b3").play("B")
    assert by(table.match, lambda: table.play("b4"))["trio"] == 1
    table = (
        Table()
        .give(1, track1="press-2", track2="bank-3", track3="turf-2", track4="jazz-2")
        .put(1, "b1 b2 b3")
        .play("B")
    )
    assert by(table.match, lambda: table.play("b4"))["suits"] == 1
