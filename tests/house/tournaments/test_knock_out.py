"""Knock-outs: the strong meet late, byes go to the strongest, equals play once more."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.house.errors import BadInput
from parlour.house.tournaments.pairing import systems
from parlour.house.tournaments.pairing.kinds import KNOCK_OUT, Bye, Entrant, Form, Paired, Pairing, Played
from parlour.house.tournaments.pairing.knock_out import plan
from tests.house.tournaments.by_chance import byes, field, people, play, tables


def ranked(count: int, **left: int) -> list[Entrant]:
    """Return entrants "1", "2", ... from the strongest; `p3=2`: number 3 leaves in round 2."""
    return [Entrant(str(one), 1000.0 - one, left=left.get(f"p{one}")) for one in range(1, count + 1)]


def won(pairing: Paired, number: int) -> Played:
    """Return the table as if the strongest won, the next came second, and so on."""
    if isinstance(pairing, Bye):
        return pairing.played(number)
    strengths = [int(one) if one else 10_000 for one in pairing.seats]
    places = tuple(1 + sum(other < one for other in strengths) for one in strengths)
    return Played(number, pairing.seats, tuple(float(place == 1) for place in places), places=places)


def straight(form: Form, entrants: list[Entrant]) -> tuple[list[list[Paired]], list[Played]]:
    """Play a knock-out in which the stronger always wins."""
    rounds: list[list[Paired]] = []
    history: list[Played] = []
    for number in range(1, systems.rounds(form, len(entrants)) + 1):
        rounds.append(systems.pairings(form, entrants, history, number))
        history += [won(one, number) for one in rounds[-1]]
        assert systems.finished(form, entrants, history) == (number == systems.rounds(form, len(entrants)))
    return rounds, history


def met(round_: list[Paired]) -> set[frozenset[str | None]]:
    return {frozenset(table.seats) for table in tables(round_)}


def test_eight_meet_as_in_every_bracket() -> None:
    rounds, _ = straight(Form(system=KNOCK_OUT), ranked(8))
    assert [met(round_) for round_ in rounds] == [
        {frozenset(pair) for pair in ("18", "27", "36", "45")},
        {frozenset("14"), frozenset("23")},
        {frozenset("12")},
    ]
    assert [table.label for table in tables(rounds[-1])] == ["final"]


def test_byes_are_for_the_strongest() -> None:
    rounds, _ = straight(Form(system=KNOCK_OUT), ranked(11))
    assert sorted(byes(rounds[0]), key=int) == ["1", "2", "3", "4", "5"]
    assert [len(byes(round_)) for round_ in rounds] == [5, 0, 0, 0]


@settings(max_examples=25)
@given(count=st.integers(2, 70), seats=st.integers(2, 6), through=st.integers(1, 2))
def test_the_strongest_two_meet_last_and_the_strongest_wins(count: int, seats: int, through: int) -> None:
    form = Form(system=KNOCK_OUT, seats=seats, through=min(through, seats - 1))
    rounds, history = straight(form, ranked(count))
    for number, round_ in enumerate(rounds, 1):
        here = people(round_)
        assert len(here) == len(set(here))
        assert number == 1 or not any(None in table.seats for table in tables(round_)) or len(here) < seats
        together = [table for table in tables(round_) if {"1", "2"} <= set(table.seats)]
        assert bool(together) == (number == len(rounds))
    assert sorted(people(rounds[0]), key=int) == [one.id for one in ranked(count)]
    assert systems.standings(form, ranked(count), history)[0].id == "1"


@settings(max_examples=25)
@given(
    count=st.integers(1, 40), seats=st.integers(2, 6), seed=st.integers(0, 10**6), absent=st.sampled_from((0.0, 0.2)),
    gone=st.integers(0, 5), third=st.booleans(),
)  # fmt: skip
def test_every_bracket_comes_to_its_end(
    count: int, seats: int, seed: int, absent: float, gone: int, third: bool
) -> None:
    form = Form(system=KNOCK_OUT, seats=seats, third=third and seats == 2, seed=seed)
    entrants = [
        Entrant(one.id, one.strength, left=2 if place < gone else None) for place, one in enumerate(field(count, seed))
    ]
    rounds, history = play(form, entrants, seed, absent=absent)
    assert systems.finished(form, entrants, history)
    for round_ in rounds:
        assert len(people(round_)) == len(set(people(round_)))
    standings = systems.standings(form, entrants, history)
    assert sorted(one.id for one in standings) == sorted(one.id for one in entrants)
    assert [one.place for one in standings] == sorted(one.place for one in standings)
    assert all(one.place == 1 + sum(other.place < one.place for other in standings) for one in standings)


def test_the_best_two_of_a_table_go_on_and_do_not_meet_at_once() -> None:
    form = Form(system=KNOCK_OUT, seats=4, through=2)
    rounds, history = straight(form, ranked(16))
    assert [len(tables(round_)) for round_ in rounds] == [4, 2, 1]
    first = {one: table for table in tables(rounds[0]) for one in table.seats}
    for table in tables(rounds[1]):
        assert len({first[one] for one in table.seats}) == 4
    assert [one.place for one in systems.standings(form, ranked(16), history)] == [1, 2, 3, 4] + [5] * 4 + [9] * 8


@pytest.mark.parametrize(
    ("count", "seats", "through", "rounds"),
    [
        (2, 2, 1, [(2, 0, 1)]),
        (5, 2, 1, [(5, 3, 1), (4, 0, 2), (2, 0, 1)]),
        (16, 4, 1, [(16, 0, 4), (4, 0, 1)]),
        (20, 4, 1, [(20, 14, 2), (16, 0, 4), (4, 0, 1)]),
        (16, 4, 2, [(16, 0, 4), (8, 0, 2), (4, 0, 1)]),
        (9, 3, 2, [(9, 0, 3), (6, 0, 2), (4, 1, 1), (3, 0, 1)]),
    ],
)
def test_the_plan_of_a_bracket(count: int, seats: int, through: int, rounds: list[tuple[int, int, int]]) -> None:
    assert plan(count, Form(system=KNOCK_OUT, seats=seats, through=through)) == rounds


def drawn(table: Paired, number: int) -> Played:
    assert isinstance(table, Pairing)
    return Played(number, table.seats, (0.5, 0.5))


def test_a_draw_is_played_once_more_and_then_the_better_placed_goes_on() -> None:
    form, entrants = Form(system=KNOCK_OUT), ranked(4)
    first, second = systems.pairings(form, entrants, [], 1)
    history = [drawn(first, 1), won(second, 1)]
    with pytest.raises(BadInput, match="Round 2 can't be paired before round 1 is decided"):
        systems.pairings(form, entrants, history, 2)
    (again,) = tables(systems.replays(form, entrants, history, 1))
    assert isinstance(first, Pairing)
    assert (again.seats, again.label) == (first.seats[::-1], "replay")
    weaker = [*history, Played(1, again.seats, tuple(float(one == "4") for one in again.seats))]
    assert met(systems.pairings(form, entrants, weaker, 2)) == {frozenset("24")}
    equal = [*history, drawn(again, 1)]
    assert systems.replays(form, entrants, equal, 1) == []
    assert met(systems.pairings(form, entrants, equal, 2)) == {frozenset("12")}


def test_only_those_who_are_equal_where_it_matters_play_again() -> None:
    form, entrants = Form(system=KNOCK_OUT, seats=4), ranked(4)
    (table,) = tables(systems.pairings(form, entrants, [], 1))
    winners = {"1": 0.0, "2": 0.5, "3": 0.5, "4": 0.0}
    history = [Played(1, table.seats, tuple(winners[str(one)] for one in table.seats))]
    (again,) = tables(systems.replays(form, entrants, history, 1))
    assert {one for one in again.seats if one} == {"2", "3"}
    history.append(Played(1, again.seats, tuple(float(one == "3") for one in again.seats)))
    assert systems.finished(form, entrants, history)
    assert [(one.id, one.place) for one in systems.standings(form, entrants, history)][:2] == [("3", 1), ("2", 2)]


def test_places_decide_who_comes_second() -> None:
    form, entrants = Form(system=KNOCK_OUT, seats=4, through=2), ranked(8)
    history = [won(one, 1) for one in systems.pairings(form, entrants, [], 1)]
    assert systems.replays(form, entrants, history, 1) == []
    shares_only = [Played(1, game.seats, game.shares) for game in history]  # all who lost are equal
    assert len(systems.replays(form, entrants, shares_only, 1)) == 2


def test_losers_of_the_semi_finals_play_for_the_third_place() -> None:
    form, entrants = Form(system=KNOCK_OUT, third=True), ranked(8)
    rounds, history = straight(form, entrants)
    assert {table.label: frozenset(table.seats) for table in tables(rounds[-1])} == {
        "final": frozenset("12"), "third": frozenset("34"),
    }  # fmt: skip
    assert [one.place for one in systems.standings(form, entrants, history)] == [1, 2, 3, 4, 5, 5, 5, 5]
    without = Form(system=KNOCK_OUT)
    assert [one.place for one in systems.standings(without, entrants, straight(without, entrants)[1])][:4] == [
        1,
        2,
        3,
        3,
    ]


def test_who_leaves_or_does_not_come_is_out() -> None:
    form, entrants = Form(system=KNOCK_OUT), ranked(4, p1=2)
    history = [won(one, 1) for one in systems.pairings(form, entrants, [], 1)]
    assert systems.pairings(form, entrants, history, 2) == [Bye("2")]
    form, entrants = Form(system=KNOCK_OUT), ranked(2)
    (table,) = tables(systems.pairings(form, entrants, [], 1))
    history = [Played(1, table.seats, (0.0, 0.0), absent=("1",))]
    assert systems.standings(form, entrants, history)[0].id == "2"
    history = [Played(1, table.seats, (0.0, 0.0), absent=("1", "2"))]
    assert systems.finished(form, entrants, history)


def test_no_one_joins_late() -> None:
    entrants = [*ranked(3), Entrant("late", 1.0, joined=2)]
    with pytest.raises(BadInput, match="'late' can't join after round 1"):
        systems.pairings(Form(system=KNOCK_OUT), entrants, [], 1)
