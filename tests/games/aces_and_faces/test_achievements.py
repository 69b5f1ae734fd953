"""What is worth achieving, in turns that just do it and in turns that just miss it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.games.aces_and_faces.table import Table
from tests.games.achieving import by

Act = Callable[[Table], object]


def test_a_card_is_taken_from_another_player_and_not_from_its_slot() -> None:
    table = Table().hold(2, "KH")
    assert by(table.match, lambda: table.card("KH")) == {"taken": 1}
    assert by(Table().match, lambda: None) == {}
    table = Table()
    assert by(table.match, lambda: table.card("KH")) == {}


def test_a_duel_is_won_and_with_a_low_card_against_the_odds() -> None:
    for first, second, keys in (("9C", "4D", {"duel"}), ("6C", "4D", {"duel", "underdog"}), ("4C", "6D", set())):
        table = Table().hold(1, "JD").hold(2, "QD")
        assert by(table.match, lambda t=table, a=first, b=second: t.duel("QD", a, b)) == dict.fromkeys(keys, 1)


@pytest.mark.parametrize(
    ("hand", "card", "keys"),
    [("JD JC JH", "JS", {"kind"}), ("JD QD KD", "AD", {"suit"}), ("JD QC KD", "AD", set())],
)
def test_a_win_is_of_a_kind_or_of_a_suit(hand: str, card: str, keys: set[str]) -> None:
    table = Table().hold(1, hand)
    assert by(table.match, lambda: table.card(card)) == dict.fromkeys(keys, 1)
    assert table.match.over == bool(keys)


def test_a_lost_duel_may_let_another_player_win_in_this_turn() -> None:
    table = Table().hold(1, "JS AH").hold(2, "JD JC JH")
    found = by(table.match, lambda: table.duel("JD", "2C", "9D").move("give JS"))
    assert table.match.winners == (1,)
    assert found == {"kind": 2, "gift": 2}
