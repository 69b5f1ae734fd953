"""Standings: points, and what decides among equals, against sums made by hand."""

from __future__ import annotations

import pytest

from parlour.house.tournaments.pairing import systems
from parlour.house.tournaments.pairing.kinds import (
    ROUND_ROBIN,
    SIMULTANEOUS,
    SWISS,
    Bye,
    Entrant,
    Form,
    Played,
    Standing,
)
from parlour.house.tournaments.pairing.standings import BREAKS, BUCHHOLZ, DIRECT, SONNEBORN, WINS

FOUR = [Entrant(one, strength) for one, strength in zip("abcd", (4.0, 3.0, 2.0, 1.0), strict=True)]


def game(number: int, seats: str, *shares: float, absent: str = "") -> Played:
    return Played(number, tuple(None if one == "." else one for one in seats), shares, tuple(absent))


def breaks(form: Form, standings: list[Standing], name: str) -> dict[str, float]:
    place = BREAKS[form.system].index(name)
    return {one.id: one.breaks[place] for one in standings}


def test_a_swiss_tournament_of_four() -> None:
    form = Form(system=SWISS, rounds=3)
    history = [
        game(1, "ac", 1.0, 0.0), game(1, "bd", 1.0, 0.0),
        game(2, "ba", 0.5, 0.5), game(2, "cd", 1.0, 0.0),
        game(3, "ad", 0.0, 1.0), game(3, "cb", 0.0, 1.0),
    ]  # fmt: skip
    standings = systems.standings(form, FOUR, history)
    assert [(one.id, one.place, one.points) for one in standings] == [
        ("b", 1, 2.5), ("a", 2, 1.5), ("d", 3, 1.0), ("c", 4, 1.0),
    ]  # fmt: skip
    assert breaks(form, standings, BUCHHOLZ) == {
        "a": 1 + 2.5 + 1,
        "b": 1 + 1.5 + 1,
        "c": 1.5 + 1 + 2.5,
        "d": 2.5 + 1 + 1.5,
    }
    assert breaks(form, standings, SONNEBORN) == {"a": 1 + 1.25, "b": 1 + 0.75 + 1, "c": 1.0, "d": 1.5}
    assert [one.games for one in standings] == [3] * 4


def test_the_direct_encounter_decides_among_those_who_are_equal_before() -> None:
    form = Form(system=ROUND_ROBIN)
    history = [
        game(1, "ab", 0.0, 1.0), game(1, "cd", 0.0, 1.0),
        game(2, "ac", 1.0, 0.0), game(2, "bd", 0.0, 1.0),
        game(3, "ad", 1.0, 0.0), game(3, "bc", 1.0, 0.0),
    ]  # fmt: skip
    standings = systems.standings(form, FOUR, history)
    assert [one.points for one in standings] == [2.0, 2.0, 2.0, 0.0]
    assert breaks(form, standings, DIRECT) == {"a": 1.0, "b": 1.0, "c": 0.0, "d": 1.0}  # in a circle
    assert [one.place for one in standings] == [1, 1, 1, 4]
    history[5] = game(3, "bc", 0.0, 1.0)
    standings = systems.standings(form, FOUR, history)
    assert [one.id for one in standings] == ["a", "d", "c", "b"]
    assert breaks(form, standings, DIRECT) == {"a": 1.0, "d": 0.0, "b": 0.0, "c": 1.0}


def test_equals_share_a_place() -> None:
    form = Form(system=SWISS, rounds=1)
    standings = systems.standings(form, FOUR, [game(1, "ab", 0.5, 0.5), game(1, "cd", 0.5, 0.5)])
    assert [(one.id, one.place) for one in standings] == [("a", 1), ("b", 1), ("c", 1), ("d", 1)]
    assert [one.place for one in systems.standings(form, FOUR, [])] == [1] * 4


def test_at_larger_tables_opponents_count_by_their_mean() -> None:
    form = Form(system=SWISS, seats=3, rounds=2)
    five = [*FOUR, Entrant("e", 0.5), Entrant("f", 0.2)]
    history = [
        game(1, "abc", 1.0, 0.0, 0.0), game(1, "def", 0.0, 0.5, 0.5),
        game(2, "aef", 0.0, 1.0, 0.0), game(2, "bcd", 1 / 3, 1 / 3, 1 / 3),
    ]  # fmt: skip
    standings = systems.standings(form, five, history)
    points = {one.id: one.points for one in standings}
    assert points == pytest.approx({"a": 1.0, "b": 1 / 3, "c": 1 / 3, "d": 1 / 3, "e": 1.5, "f": 0.5})
    buchholz = breaks(form, standings, BUCHHOLZ)
    assert buchholz["a"] == pytest.approx(1 / 3 + (1.5 + 0.5) / 2, abs=1e-6)
    assert breaks(form, standings, SONNEBORN)["e"] == pytest.approx(0.5 * (1 / 3 + 0.5) / 2 + (1 + 0.5) / 2, abs=1e-6)


def test_a_round_without_opponents_counts_as_one_against_oneself() -> None:
    form = Form(system=SWISS, rounds=2)
    history = [game(1, "ab", 1.0, 0.0), game(1, "c", 1.0), game(2, "ac", 0.0, 1.0), game(2, "b.", 0.0, 1.0)]
    standings = systems.standings(form, FOUR[:3], history)
    assert {one.id: one.points for one in standings} == {"a": 1.0, "b": 0.0, "c": 2.0}
    assert breaks(form, standings, BUCHHOLZ) == {"a": 0.0 + 2.0, "b": 1.0 + 0.0, "c": 2.0 + 1.0}


def test_who_does_not_come_has_nothing_whatever_their_seat_won() -> None:
    form = Form(system=SWISS, seats=3, rounds=1)
    standings = systems.standings(form, FOUR[:3], [game(1, "abc", 1.0, 0.0, 0.0, absent="a")])
    assert {one.id: (one.points, one.games) for one in standings} == {"a": (0.0, 0), "b": (0.0, 1), "c": (0.0, 1)}


def first_wins(form: Form, entrants: list[Entrant]) -> list[Played]:
    """Play a tournament in which the one who sits first wins."""
    history: list[Played] = []
    for number in range(1, systems.rounds(form, len(entrants)) + 1):
        for one in systems.pairings(form, entrants, history, number):
            history.append(one.played(number) if isinstance(one, Bye) else Played(number, one.seats, (1.0, 0.0)))
    return history


def test_who_leaves_a_round_robin_before_half_of_it_counts_for_no_one() -> None:
    form = Form(system=ROUND_ROBIN)
    gone = [*FOUR[:3], Entrant("d", 1.0, left=2)]
    history = first_wins(form, gone)
    among = [game.seats[0] for game in history if len(game.seats) == 2 and "d" not in game.seats]
    standings = systems.standings(form, gone, history)
    assert len(among) == 3
    assert {one.id: one.points for one in standings[:3]} == {one: among.count(one) for one in "abc"}
    assert (standings[3].id, standings[3].place) == ("d", 4)
    later = [*FOUR[:3], Entrant("d", 1.0, left=3)]
    history = first_wins(form, later)
    points = {one.id: one.points for one in systems.standings(form, later, history)}
    assert points == {one: sum(game.seats[0] == one for game in history) for one in "abcd"}  # the bye as well


def test_wins_are_games_won_alone() -> None:
    form = Form(system=ROUND_ROBIN)
    history = [game(1, "ab", 1.0, 0.0), game(1, "c", 1.0), game(2, "ac", 0.5, 0.5), game(3, "ad", 1.0, 0.0, absent="d")]
    assert breaks(form, systems.standings(form, FOUR, history), WINS) == {"a": 1, "b": 0, "c": 0, "d": 0}


def test_the_host_of_simultaneous_play_is_not_in_the_standings() -> None:
    form = Form(system=SIMULTANEOUS, host="h")
    entrants = [*FOUR, Entrant("h", 9.0)]
    history = [game(1, "ha", 0.0, 1.0), game(1, "bh", 0.5, 0.5), game(1, "hc", 1.0, 0.0), game(1, "dh", 0.0, 1.0)]
    standings = systems.standings(form, entrants, history)
    assert [(one.id, one.place) for one in standings] == [("a", 1), ("b", 2), ("c", 3), ("d", 3)]
    assert systems.finished(form, entrants, history)
    assert not systems.finished(form, entrants, history[1:])
