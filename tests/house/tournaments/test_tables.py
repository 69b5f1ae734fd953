"""Swiss tournaments at tables of three to six: as few meetings again as there can be, near scores, even seats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.house.tournaments.pairing import grouping, swiss, systems
from parlour.house.tournaments.pairing.kinds import SWISS, Entrant, Form, Pairing, Played
from parlour.house.tournaments.pairing.sheet import sheet
from tests.house.tournaments.by_chance import byes, field, people, play, tables


def partitions(names: Sequence[str], sizes: Sequence[int]) -> Iterator[list[tuple[str, ...]]]:
    """List every way to make tables of these sizes, some of them more than once."""
    if not sizes:
        yield []
        return
    if len(set(sizes)) == 1:  # the one who is first may as well be at the first table
        first, rest = names[:1], names[1:]
    else:
        first, rest = names[:0], names
    for others in combinations(rest, sizes[0] - len(first)):
        table = (*first, *others)
        for more in partitions([one for one in names if one not in table], sizes[1:]):
            yield [table, *more]


def again(made: Sequence[Sequence[str | None]], met: Counter[frozenset[str]]) -> int:
    """Return how many meetings of a round had been before, each as heavy as it was often."""
    return sum(
        (times := met[frozenset(pair)]) * (times + 1) // 2
        for table in made
        for pair in combinations([one for one in table if one is not None], 2)
    )


def meetings(history: Sequence[Played]) -> Counter[frozenset[str]]:
    return Counter(
        frozenset(pair)
        for game in history
        for pair in combinations([one for one in game.seats if one is not None and one not in game.absent], 2)
    )


@settings(max_examples=15)
@given(
    shape=st.sampled_from(((4, 2), (6, 2), (8, 2), (6, 3), (9, 3), (8, 4), (10, 5))),
    rounds=st.integers(2, 5),
    seed=st.integers(0, 10**6),
)
def test_no_round_has_more_meetings_again_than_it_must(shape: tuple[int, int], rounds: int, seed: int) -> None:
    count, seats = shape
    form = Form(system=SWISS, seats=seats, rounds=rounds, seed=seed)
    entrants = field(count, seed)
    _, history = play(form, entrants, seed, most=rounds - 1)
    before = [game for game in history if game.round < rounds]
    made = swiss.grouped(form, entrants, sheet(before), rounds)
    every = partitions([one.id for one in entrants], [seats] * (count // seats))
    met = meetings(before)
    assert again([table.seats for table in tables(made)], met) == min(again(some, met) for some in every)


@settings(max_examples=15)
@given(
    count=st.integers(1, 40), seats=st.integers(2, 6), rounds=st.integers(1, 4), seed=st.integers(0, 10**6),
    bots=st.booleans(), absent=st.sampled_from((0.0, 0.1)), late=st.integers(0, 3), gone=st.integers(0, 3),
)  # fmt: skip
def test_everyone_is_at_one_table_and_few_sit_out(
    count: int, seats: int, rounds: int, seed: int, bots: bool, absent: float, late: int, gone: int
) -> None:
    form = Form(system=SWISS, seats=seats, rounds=rounds, bots=bots, seed=seed)
    entrants = [
        Entrant(one.id, one.strength, 2 if place < late else 1, 3 if place >= count - gone else None)
        for place, one in enumerate(field(count, seed))
    ]
    rounds_, _ = play(form, entrants, seed, absent=absent)
    for number, round_ in enumerate(rounds_, 1):
        here = [one.id for one in entrants if one.plays(number)]
        assert sorted(people(round_)) == sorted(here)
        assert all(len(table.seats) == seats for table in tables(round_))
        filled = [sum(seat is None for seat in table.seats) for table in tables(round_)]
        if bots or len(here) < seats:
            assert not byes(round_) or seats == 2
            assert sum(filled) == -len(here) % seats * (len(byes(round_)) == 0)
            assert max(filled, default=0) - min(filled, default=0) <= 1
        else:
            assert (len(byes(round_)), sum(filled)) == (len(here) % seats, 0)


@settings(max_examples=15)
@given(count=st.integers(3, 30), seats=st.integers(3, 6), seed=st.integers(0, 1000), bots=st.booleans())
def test_turns_at_sitting_out_and_with_bots_differ_by_one_at_most(
    count: int, seats: int, seed: int, bots: bool
) -> None:
    rounds, history = play(Form(system=SWISS, seats=seats, rounds=8, bots=bots, seed=seed), field(count, seed), seed)
    lines = sheet(history)
    out = Counter(one for round_ in rounds for one in byes(round_))
    short = {one: sum(line.short for line in some) for one, some in lines.items()}
    assert max(out[one] for one in lines) - min(out[one] for one in lines) <= 1
    assert max(short.values()) - min(short.values()) <= 1


SPREAD = {3: 3, 4: 3, 5: 4, 6: 4}  # seats -> how much oftener, after ten rounds, one seat was had than another


@settings(max_examples=10)
@given(tables_=st.integers(1, 4), seats=st.integers(3, 6), seed=st.integers(0, 10**4))
def test_seats_are_even(tables_: int, seats: int, seed: int) -> None:
    form = Form(system=SWISS, seats=seats, rounds=10, seed=seed)
    _, history = play(form, field(tables_ * seats, seed), seed)
    for lines in sheet(history).values():
        had = Counter(line.seat for line in lines)
        assert max(had[seat] for seat in range(seats)) - min(had[seat] for seat in range(seats)) <= SPREAD[seats]


def test_the_first_round_has_one_of_each_pot_at_a_table() -> None:
    entrants = [Entrant(str(place), -place) for place in range(12)]
    made = systems.pairings(Form(system=SWISS, seats=4), entrants, [], 1)
    assert [sorted(int(one) for one in table.seats if one) for table in tables(made)] == [
        [0, 3, 6, 9], [1, 4, 7, 10], [2, 5, 8, 11],
    ]  # fmt: skip


def test_winners_meet_winners() -> None:
    form = Form(system=SWISS, seats=3, rounds=3)
    entrants = [Entrant(str(place), -place) for place in range(27)]
    first = systems.pairings(form, entrants, [], 1)
    history = [Played(1, table.seats, (1.0, 0.0, 0.0)) for table in tables(first)]
    winners = {str(table.seats[0]) for table in tables(first)}
    second = systems.pairings(form, entrants, history, 2)
    assert {one for table in tables(second)[:3] for one in table.seats} == winners


@pytest.mark.parametrize(("count", "seats", "sizes"), [(9, 4, [3, 3, 3]), (13, 6, [5, 4, 4]), (2, 6, [2]), (0, 3, [])])
def test_bots_are_spread_over_as_few_tables_as_there_can_be(count: int, seats: int, sizes: list[int]) -> None:
    assert grouping.even(count, seats) == sizes


def test_a_bye_is_for_the_last_who_had_none() -> None:
    form = Form(system=SWISS, seats=3, rounds=3)
    entrants = [Entrant(str(place), -place) for place in range(7)]
    history: list[Played] = []
    out = []
    for number in (1, 2, 3):
        round_ = systems.pairings(form, entrants, history, number)
        out += byes(round_)
        for one in round_:
            # the one who is strongest wins
            if isinstance(one, Pairing):
                best = min(int(str(seat)) for seat in one.seats)
                history.append(Played(number, one.seats, tuple(float(seat == str(best)) for seat in one.seats)))
            else:
                history.append(one.played(number))
    assert out[0] == "6"
    assert len(set(out)) == 3
