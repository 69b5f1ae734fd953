"""Fortune in words: what is read, and what is refused with which sentence."""

from __future__ import annotations

import pytest

from parlour.core.errors import IllegalMove, InvalidMove
from parlour.games import find
from tests.games.fortune.table import Table

TEXT = find("fortune").text


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("stop", "stop"),
        ("  BANK ", "stop"),
        ("s", "stop"),
        ("re-roll 2 3", "re-roll 2 3"),
        ("reroll 2 3", "re-roll 2 3"),
        ("roll 3,2", "re-roll 2 3"),
        ("r 7 8", "re-roll 6 7"),
        ("r 4 8", "re-roll 4 6"),
        ("re-roll all", "re-roll 2 3 4 5 6 7 8"),
    ],
)
def test_reading_is_forgiving_writing_is_not(typed: str, move: str) -> None:
    table = Table().turn("captain", "1 skull 2 sword 2 monkey 3 gold")
    assert TEXT.format_action(table.state, table.match.parse(typed)) == move


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("", "not a move"),
        ("jump", "not a move"),
        ("stop now", "not a move"),
        ("re-roll", "not a move"),
        ("x" * 100_000, "not a move"),
        ("re-roll 0 1", "numbered 1 to 8"),
        ("re-roll 2 ٣", "numbered 1 to 8"),
        ("re-roll 2 2", "named twice"),
        ("re-roll 1 2", "Skulls cannot be re-rolled"),
        ("re-roll 2", "two dice"),
    ],
)
def test_a_refusal_says_what_is_wrong_and_is_short(typed: str, sentence: str) -> None:
    table = Table().turn("captain", "1 skull 2 sword 2 monkey 3 gold")
    with pytest.raises((InvalidMove, IllegalMove), match=sentence) as refused:
        table.match.parse(typed)
    assert len(str(refused.value)) < 250


def test_dice_that_are_not_there() -> None:
    table = Table().turn("captain", "1 skull 2 sword 2 monkey 3 gold")
    with pytest.raises(IllegalMove, match="not have that many"):
        table.match.parse(2)


@pytest.mark.parametrize(
    "outcome",
    [
        "",
        "seat",
        "seat 1",
        "seat 3 starts",
        "seat +1 starts",
        "seat 0 starts",
        "card gold",
        "dice gold",
        "seat 1 starts x",
    ],
)
def test_an_outcome_that_cannot_come_at_the_start(outcome: str) -> None:
    table = Table()
    fresh = find("fortune").start(2, table.match.edition, table.match.options)
    table.match.state = fresh
    with pytest.raises((InvalidMove, IllegalMove)):
        table.match.force(outcome)


@pytest.mark.parametrize(
    "outcome",
    ["dice " + "skull " * 16 + "gold", "dice gold", "dice", "dice " + "crown " * 8, "card gold", "dice " + "gold " * 9],
)
def test_a_roll_that_cannot_come(outcome: str) -> None:
    table = Table()
    table.match.force("card captain")
    with pytest.raises((InvalidMove, IllegalMove)):
        table.match.force(outcome)


def test_a_card_that_cannot_come() -> None:
    table = Table(edition="classic-35")
    for card in ("card storm", "card joker", "card", "card gold gold"):
        with pytest.raises((InvalidMove, IllegalMove)):
            table.match.force(card)
