"""Timing a table's moves works for every game, including one with secret questions."""

from __future__ import annotations

from parlour.games import find
from parlour.house.timing import time_moves


def test_a_game_that_waits_lest_the_time_tell_is_measured_too() -> None:
    rows = time_moves(find("family-trade"), moves=40)
    assert [row["work"] for row in rows] == ["a move at the table, stored", "drawing the update for one page"]
    assert all(row["rate"] > 0 and row["unit"] == "ms (median)" for row in rows)
