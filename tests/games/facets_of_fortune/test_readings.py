"""Readings of unclear print that a table can choose: the direction of play (FF-7), a STOP at Wild (FF-11)."""

from __future__ import annotations

import pytest

from parlour.games.facets_of_fortune import rules as r
from parlour.games.facets_of_fortune.rules.views import places_on
from parlour.games.facets_of_fortune.show.scene import scene, tell
from parlour.games.facets_of_fortune.study import events
from parlour.games.facets_of_fortune.study.grounds import grounds
from tests.games.facets_of_fortune.table import Table, colour

NAMES = ("Ann", "Bob", "Cleo", "Dan")


def test_ff_07_turns_and_cash_can_go_counter_clockwise() -> None:
    opening = "ruby-1 ruby-2 wild-1 heist heist switch exchange exchange switch"
    table = Table(3, starts=2, opening=opening, direction="counter-clockwise")
    assert table.money == [25_000, 25_000, 35_000]
    assert table.cards(1) == ["heist", "heist", "switch"]
    seats = []
    for _ in range(4):
        seats.append(table.seat)
        table.roll("ruby +1").do("end")
    assert seats == [2, 1, 3, 2]


def test_ff_07_the_others_follow_in_turn_order() -> None:
    """In what is observed, and on the table."""
    table = Table(4, direction="counter-clockwise").cash(1, 2, 3, 4)
    out = [0] * 400
    r.observation(table.state, 2, out)
    assert [out[38 + 13 * i] for i in range(4)] == [3, 2, 1, 4]
    assert [places_on(table.state, 2, seat) for seat in (2, 1, 0, 3)] == [0, 1, 2, 3]
    shown = scene(table.state, 2, NAMES[:4]).board
    found = [piece.key for piece in walk(shown) if piece.key in ("of-0", "of-1", "of-3")]
    assert found == ["of-1", "of-0", "of-3"]


def walk(piece):  # type: ignore[no-untyped-def]
    yield piece
    for child in piece.children:
        yield from walk(child)


def test_ff_07_statistics_know_the_direction() -> None:
    assert events.direction(Table(3).state) == 1
    assert events.direction(Table(3, direction="counter-clockwise").state) == -1


@pytest.mark.parametrize(("reading", "after"), [("moves", 75_000), ("stays", 25_000)])
def test_ff_11_a_market_under_stop_named_at_wild(reading: str, after: int) -> None:
    table = Table(stop_at_wild=reading).lay_stop(2, "ruby").price("ruby", 25_000).roll("wild +2")
    step = table.match.step(table.match.parse("name ruby"))
    assert table.sells_at("ruby") == after
    said = [line.text for line in tell(step, 0, NAMES[:2])]
    assert ("A STOP holds Ruby at 25,000." in said) == (reading == "stays")
    assert bool(events.events(step.before, step.action) & events.HOLDS) == (reading == "stays")


def test_ff_11_it_falls_all_the_same_and_a_colour_or_all_lifts_it() -> None:
    table = Table(stop_at_wild="stays").lay_stop(2, "ruby").price("ruby", 25_000)
    table.roll("wild -1").do("name ruby")
    assert table.sells_at("ruby") == 10_000
    table = Table(stop_at_wild="stays").lay_stop(2, "ruby").price("ruby", 25_000).roll("ruby +1")
    assert table.sells_at("ruby") == 50_000
    table = Table(stop_at_wild="stays").lay_stop(2, "ruby").price("ruby", 25_000).roll("all +1")
    assert table.sells_at("ruby") == 50_000


def test_ff_11_a_market_at_the_top_stays_there_and_another_rises() -> None:
    table = Table(stop_at_wild="stays").lay_stop(2, "ruby").price("ruby", 1_000_000).roll("wild +1").do("name ruby")
    assert table.sells_at("ruby") == 1_000_000
    table = Table(stop_at_wild="stays").lay_stop(2, "ruby").price("diamond", 25_000).roll("wild +1").do("name diamond")
    assert table.sells_at("diamond") == 50_000


def test_ff_11_a_hint_does_not_promise_a_rise_that_a_stop_averts() -> None:
    for reading, rises in (("moves", True), ("stays", False)):
        table = Table(stop_at_wild=reading).lay_stop(2, "ruby").price("ruby", 25_000)
        table.state.own[0][0], table.state.board[0] = 3, 7
        table.roll("wild +2")
        found = grounds(table.state, r.MARKET + colour("ruby"))
        assert any(ground.what == "up" for ground in found) == rises
