"""What the searching bots think of a position: more points are better, and the order of turns is reckoned with."""

from __future__ import annotations

from parlour.games.fortune import rules as r
from parlour.games.fortune.study import policy
from tests.games.fortune.table import NOTHING, Table


def chance(table: Table, seat: int) -> float:
    """Return the share of the win that the policy sees for a seat."""
    odds = [policy.outlook(table.state, other) for other in range(table.state.players)]
    return odds[seat - 1] / sum(odds)


def test_more_points_are_a_better_outlook_for_each_seat() -> None:
    for players in (2, 3, 4):
        table = Table(players).turn("gold", NOTHING)
        for seat in range(1, players + 1):
            shares = []
            for total in (-1000, 0, 2500, 6000):
                totals = [1000] * players
                totals[seat - 1] = total
                shares.append(chance(table.totals(*totals), seat))
            assert shares == sorted(set(shares))
            assert all(0 < share < 1 for share in shares)


def test_who_has_the_turn_before_him_is_ahead_of_equals() -> None:
    shares = [chance(Table(3).turn("gold", NOTHING), seat) for seat in (1, 2, 3)]
    assert shares == sorted(shares, reverse=True)


def test_dice_count_from_the_second_roll_on() -> None:
    table = Table().turn("gold", "5 gold 3 monkey")
    first = chance(table, 1)
    assert first == chance(Table().turn("gold", NOTHING), 1)
    assert chance(table.reroll("3 monkey", "3 gold"), 1) > first
    assert chance(Table().turn("gold", NOTHING).reroll("2 sword", "2 monkey"), 1) < first


def test_the_island_takes_from_the_others() -> None:
    begun = Table().turn("gold", "4 skull 4 gold")
    landed = chance(begun, 1)
    assert landed > chance(Table().turn("gold", NOTHING), 1)
    assert chance(begun.reroll("4 gold", "2 skull 2 gold"), 1) > landed


def test_nothing_is_to_come_when_the_game_is_over() -> None:
    table = Table().totals(8100, 3000).turn("gold", NOTHING).stop().turn("gold", NOTHING).stop()
    assert table.state.phase == r.OVER
    assert policy.outlook(table.state, 0) > policy.outlook(table.state, 1)
