"""Gatsby in words: what is read, and what is refused with which sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from parlour.core.errors import IllegalMove, InvalidMove, ParlourError
from parlour.core.record import Record
from parlour.core.replay import verify
from parlour.games import find
from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import state as s
from parlour.games.gatsby.show import text
from tests.games.gatsby.table import PEEK, Table, bonus


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
    table = Table().due(bonus(p.EXTRA)).play("take")
    assert text.format_action(table.state, table.match.parse(typed)) == move


@pytest.mark.parametrize("kind", [p.PEEK, p.CLIMB, p.FORCE, p.EXTRA, p.SPECIAL])
def test_ga_14_a_bonus_is_answered_by_yes_or_no_or_by_its_own_name(kind: int) -> None:
    table = Table().due(bonus(kind))
    name = p.BONUSES[kind]
    assert {table.match.parse(said) for said in ("take", "yes", "y", f"take {name}", f" YES  {name}")} == {s.YES}
    assert {table.match.parse(said) for said in ("skip", "no", "n", "none", "pass", f"skip {name}")} == {s.NO}
    others = [other for other in p.BONUSES if other not in ("", name)]
    wrong = [f"{verb} {other}" for verb in ("take", "skip", "no") for other in (*others, "zzz")]
    for said in (*wrong, "swap", "no swap", f"take {name} now"):
        with pytest.raises(InvalidMove, match='say "take" or "skip"'):
            table.match.parse(said)


def test_a_record_with_the_name_of_another_bonus_is_refused() -> None:
    """It was taken for an answer to whatever bonus was open, and the record was fair."""
    kept = (Path(__file__).parents[2] / "records" / "rules-1" / "gatsby-house-4.parlour").read_text("utf-8")
    assert " take swap\n" in kept
    verify(Record.parse(kept), find)
    for wrong in ("take zzz", "take force", "no swap special"):
        with pytest.raises(ParlourError, match="is not a move here"):
            verify(Record.parse(kept.replace("take swap", wrong, 1)), find)


def test_an_exchange_is_made_or_left_and_a_space_is_named_with_the_words_of_its_decision() -> None:
    table = Table().due(PEEK).play("take", "peek ne nw")
    assert {table.match.parse(said) for said in ("no swap", "no", "none", "pass", "n", "leave")} == {s.NO}
    assert {table.match.parse(said) for said in ("swap", "yes", "y", "exchange")} == {s.YES}
    for said in ("take", "skip", "no swap peek"):
        with pytest.raises(InvalidMove):
            table.match.parse(said)
    placing = Table().play("A")
    for said in ("swap b3", "with b3", "cabaret b3"):
        with pytest.raises(InvalidMove):
            placing.match.parse(said)
    with pytest.raises(InvalidMove):
        Table().due(PEEK).play("take").match.parse("swap ne nw")  # they are looked at


def test_pairs_are_read_in_any_order() -> None:
    table = Table().due(PEEK).play("yes")
    for typed in ("peek ne level6", "level6 ne", "look at NE and level6", "ne+floor6"):
        assert text.format_action(table.state, table.match.parse(typed)) == "peek ne level6"


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
    table.state.due_kind[0] = s.START
    assert table.refused("1.1") == "GA-8"
