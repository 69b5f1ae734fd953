"""Arenas: neighbours in the ranking, other opponents than the last, no one left out twice running, points on fire."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.house.tournaments.pairing import arena, systems
from parlour.house.tournaments.pairing.kinds import ARENA, UNIT, Entrant, Form, Pairing, Played
from parlour.house.tournaments.pairing.sheet import sheet
from tests.house.tournaments.by_chance import field, people, result, tables

SEATS_APART = 3  # games more on one of two seats than on the other, at most, in twelve waves


def waves(form: Form, entrants: Sequence[Entrant], number: int, seed: int) -> tuple[list[list[Pairing]], list[Played]]:
    """Play waves in which everyone always waits again."""
    rng = random.Random(seed)
    strengths = {one.id: one.strength for one in entrants}
    waited: Counter[str] = Counter()
    found: list[list[Pairing]] = []
    history: list[Played] = []
    for wave in range(1, number + 1):
        here = [msgspec.structs.replace(one, waited=waited[one.id]) for one in entrants]
        found.append(tables(systems.pairings(form, here, history, wave)))
        playing = set(people(found[-1]))
        for one in entrants:
            waited[one.id] = 0 if one.id in playing else waited[one.id] + 1
        history += [result(table, wave, rng, strengths) for table in found[-1]]
    return found, history


def avoidable(ids: Sequence[str], last: dict[str, set[str]]) -> bool:
    """Return whether all but one, if they are odd, can play a player else than in their last game."""
    if len(ids) < 2:
        return True
    rest, first = list(ids[1:]), ids[0]
    if len(ids) % 2 and avoidable(rest, last):
        return True
    return any(
        other not in last.get(first, set())
        and first not in last.get(other, set())
        and avoidable([one for one in rest if one != other], last)
        for other in rest
    )


@settings(max_examples=30)
@given(count=st.integers(3, 9), seed=st.integers(0, 10**6))
def test_no_one_plays_the_same_twice_running_or_is_left_out_twice_running(count: int, seed: int) -> None:
    form = Form(system=ARENA, seed=seed)
    found, history = waves(form, field(count, seed), 8, seed)
    last: dict[str, set[str]] = {}
    out: set[str] = set()
    for wave in found:
        here = people(wave)
        assert len(here) == len(set(here))
        left = {f"e{place}" for place in range(count)} - set(here)
        assert len(left) == count % 2
        assert not left & out
        for table in wave:
            one, other = (str(seat) for seat in table.seats)
            assert other not in last.get(one, set())
        for table in wave:
            one, other = (str(seat) for seat in table.seats)
            last[one], last[other] = {other}, {one}
        out = left
    assert len(history) == 8 * (count // 2)


@settings(max_examples=30)
@given(
    count=st.integers(2, 8), seed=st.integers(0, 10**6),
    games=st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=10),
)  # fmt: skip
def test_of_any_who_wait_none_play_the_same_again_if_it_can_be_avoided(
    count: int, seed: int, games: list[tuple[int, int]]
) -> None:
    history = [Played(1, (f"e{one}", f"e{other}"), (1.0, 0.0)) for one, other in games if one != other]
    entrants = [msgspec.structs.replace(one, waited=1) for one in field(count, seed)]
    lines = sheet(history)
    last = {one: set(arena.last_met(some)) for one, some in lines.items()}
    made = tables(systems.pairings(Form(system=ARENA, seed=seed), entrants, history, 2))
    assert len(made) == count // 2
    again = any(str(table.seats[1]) in last.get(str(table.seats[0]), set())
                or str(table.seats[0]) in last.get(str(table.seats[1]), set()) for table in made)  # fmt: skip
    assert again <= (not avoidable([one.id for one in entrants], last))


@settings(max_examples=15)
@given(count=st.integers(4, 24), seed=st.integers(0, 10**6))
def test_seats_are_even(count: int, seed: int) -> None:
    _, history = waves(Form(system=ARENA, seed=seed), field(count, seed), 12, seed)
    for lines in sheet(history).values():
        had = [line.seat for line in lines]
        assert abs(had.count(0) - had.count(1)) <= SEATS_APART


def test_neighbours_in_points_and_rating_meet() -> None:
    entrants = [Entrant(str(place), -place) for place in range(8)]
    first = tables(systems.pairings(Form(system=ARENA), entrants, [], 1))
    assert [sorted(str(one) for one in table.seats) for table in first] == [
        ["0", "1"],
        ["2", "3"],
        ["4", "5"],
        ["6", "7"],
    ]
    history = [Played(1, table.seats, tuple(float(str(one) in "1357") for one in table.seats)) for table in first]
    second = tables(systems.pairings(Form(system=ARENA), entrants, history, 2))
    assert [sorted(str(one) for one in table.seats) for table in second] == [
        ["1", "3"],
        ["5", "7"],
        ["0", "2"],
        ["4", "6"],
    ]


def test_two_who_have_just_played_wait_one_wave_for_others() -> None:
    two = field(2)
    history = [Played(1, ("e0", "e1"), (1.0, 0.0))]
    assert systems.pairings(Form(system=ARENA), two, history, 2) == []
    two = [msgspec.structs.replace(one, waited=1) for one in two]
    assert len(systems.pairings(Form(system=ARENA), two, history, 3)) == 1


@pytest.mark.parametrize(("seats", "count"), [(2, 1), (4, 3)])
def test_bots_fill_a_table_only_after_a_while(seats: int, count: int) -> None:
    for waited in range(arena.PATIENCE + 2):
        some = [msgspec.structs.replace(one, waited=waited) for one in field(count)]
        made = tables(systems.pairings(Form(system=ARENA, seats=seats, bots=True), some, [], 1))
        assert bool(made) == (waited >= arena.PATIENCE)
        assert all(table.seats.count(None) == seats - count for table in made)
        assert systems.pairings(Form(system=ARENA, seats=seats), some, [], 1) == []


@pytest.mark.parametrize(
    ("shares", "points"),
    [
        ("111", 8),  # 2 + 2 + 4
        ("11=", 6),  # as Lichess's own example: 2 + 2 + 2 x 1
        ("11=1", 8),  # the draw ends the row
        ("1101", 6),
        ("1111", 12),
        ("101", 4),
        ("===", 3),
        ("11-1", 6),  # a player who does not come is no longer on fire
        ("11+1", 12),  # who wins because the other does not come still is
        ("", 0),
    ],
)
def test_points_double_after_two_wins_in_a_row(shares: str, points: int) -> None:
    games = []
    for share in shares:
        absent = {"-": ("a",), "+": ("b",)}.get(share, ())
        value = {"1": 1.0, "+": 1.0, "=": 0.5}.get(share, 0.0)
        games.append(Played(1, ("a", "b"), (value, 0.0), absent))
    assert arena.score(sheet(games).get("a", ())) == points * UNIT
    standings = systems.standings(Form(system=ARENA), [Entrant("a", 1.0), Entrant("b", 1.0)], games)
    assert {one.id: one.points for one in standings}["a"] == points


def test_an_arena_never_ends_by_itself() -> None:
    assert not systems.finished(Form(system=ARENA), field(2), [Played(1, ("e0", "e1"), (1.0, 0.0))])
    assert systems.rounds(Form(system=ARENA), 100) == 0
