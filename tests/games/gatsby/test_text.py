"""Gatsby in words: what is read, and what is refused with which sentence."""

from __future__ import annotations

import pytest

from parlour.core.errors import IllegalMove, InvalidMove
from parlour.games.gatsby import tables as t
from parlour.games.gatsby import text
from tests.games.gatsby.table import Table

PEEK = t.BONUS | t.PEEK << 5


@pytest.mark.parametrize(
    ("typed", "move"),
    [("a", "A"), ("A", "A"), (" c ", "C"), ("s", "special"), ("Special", "special")],
)
def test_actions_are_read(typed: str, move: str) -> None:
    table = Table().tile("S4")
    assert text.format_action(table.state, table.match.parse(typed)) == move


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("A3", "a3"),
        ("place a3", "a3"),
        ("row 2", "row 2"),
        ("2", "row 2"),
        ("row 2 space 1", "row 2"),
        ("2.1", "row 2"),
    ],
)
def test_spaces_are_read(typed: str, move: str) -> None:
    table = Table().due(t.BONUS | t.EXTRA << 5).play("take")
    assert text.format_action(table.state, table.match.parse(typed)) == move


def test_pairs_are_read_in_any_order() -> None:
    table = Table().due(PEEK).play("yes")
    for typed in ("peek ne floor6", "floor6 ne", "look at NE and floor6", "ne+floor6"):
        assert text.format_action(table.state, table.match.parse(typed)) == "peek ne floor6"


@pytest.mark.parametrize("typed", ["", "e", "peek ne", "keep S12", "s0", "z9", "row 9", "row 2 space 9", "g1", "a7"])
def test_what_cannot_be_read_is_refused_with_advice(typed: str) -> None:
    for table in (Table(), Table().play("A"), Table().due(PEEK), Table().due(PEEK).play("take")):
        with pytest.raises(InvalidMove, match="is not a move here: "):
            table.match.parse(typed)


def test_the_same_place_twice_is_no_pair() -> None:
    with pytest.raises(InvalidMove):
        Table().due(PEEK).play("take").match.parse("peek ne ne")


def test_a_row_without_room_is_read_and_refused() -> None:
    table = Table().give(2, track2="stage-2").play("D")
    with pytest.raises(IllegalMove, match="finished"):
        table.match.parse("row 2")


@pytest.mark.parametrize("said", ["tile s12x", "stage-4", "seat 3 starts", "cabaret tile 5", "nothing"])
def test_outcomes_that_cannot_be_read(said: str) -> None:
    with pytest.raises(InvalidMove, match="not an outcome"):
        text.parse_outcome(Table().state, said)


def test_what_is_not_to_be_decided_now_is_refused() -> None:
    table = Table()
    assert table.refused("a3") == "GA-26"
    assert table.refused("keep S1") == "GA-26"
    assert table.play("B").refused("A") == "GA-26"


def test_a_start_goes_to_the_cabaret() -> None:
    table = Table()
    table.state.stack[0] = t.START
    assert table.refused("1.1") == "GA-8"
