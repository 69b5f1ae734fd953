"""What holds in every system: no one twice in a round, the same again from the same history, nothing too large."""

from __future__ import annotations

import json
import pickle
import random
import subprocess
import sys
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.house.errors import BadInput
from parlour.house.tournaments.pairing import systems
from parlour.house.tournaments.pairing.kinds import (
    ARENA,
    ENTRANTS,
    KNOCK_OUT,
    MOST_AT_LARGER,
    MOST_OF_TWO,
    ROUND_ROBIN,
    SIMULTANEOUS,
    SWISS,
    SYSTEMS,
    Entrant,
    Form,
    Played,
)
from tests.house.tournaments.by_chance import byes, field, people, play, tables

forms = st.builds(
    lambda system, seats, bots, seed: Form(
        system=system,
        seats=2 if system == ROUND_ROBIN else seats,  # the schedules of larger tables are searched, which takes a while
        bots=bots,
        seed=seed,
        host="host" if system == SIMULTANEOUS else "",
    ),
    st.sampled_from(SYSTEMS),
    st.sampled_from((2, 2, 3, 4, 6)),
    st.booleans(),
    st.integers(0, 10**9),
)


@settings(max_examples=40)
@given(form=forms, count=st.integers(1, 12), seed=st.integers(0, 10**6), absent=st.sampled_from((0.0, 0.1)))
def test_a_round_is_paired_the_same_again_and_has_no_one_twice(
    form: Form, count: int, seed: int, absent: float
) -> None:
    """Whatever order the entrants are in, and with games of this round and later ones already over."""
    entrants = field(count, seed)
    rounds, history = play(form, entrants, seed, absent=absent)
    if form.system == ARENA:
        rounds = [systems.pairings(form, entrants, history, 1)]
    other = entrants.copy()
    random.Random(seed).shuffle(other)
    for number, round_ in enumerate(rounds, 1):
        here = [one for one in people(round_) if one != form.host]
        assert len(here) == len(set(here))
        assert all(len(table.seats) == form.seats for table in tables(round_))
        assert systems.pairings(form, other, history, number) == round_
    assert systems.pairings(form, entrants, history, len(rounds) + 1) == [] or form.system == ARENA
    assert systems.standings(form, other, history) == systems.standings(form, entrants, history)
    assert systems.finished(form, entrants, history) == (form.system != ARENA)


def test_another_process_pairs_the_same() -> None:
    """Whose sets and hashes are in another order; what it is given and returns can be pickled."""
    asked = []
    for system, seats in ((SWISS, 2), (SWISS, 4), (ARENA, 2), (KNOCK_OUT, 3), (ROUND_ROBIN, 3)):
        form, entrants = Form(system=system, seats=seats, seed=7), field(13)
        _, history = play(Form(system=SWISS, seats=seats, rounds=3), entrants)
        asked.append((form, entrants, history if system != KNOCK_OUT else [], 4 if system == SWISS else 1))
    code = (
        "import pickle, sys\nfrom parlour.house.tournaments.pairing import systems\n"
        "asked = pickle.load(sys.stdin.buffer)\n"
        "sys.stdout.buffer.write(pickle.dumps([systems.pairings(*one) for one in asked]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=pickle.dumps(asked), capture_output=True, check=True,
        env={"PYTHONHASHSEED": "12345", "PYTHONPATH": ":".join(sys.path)},
    )  # fmt: skip
    assert pickle.loads(done.stdout) == [systems.pairings(*one) for one in asked]


def test_what_pairings_are_made_of_goes_through_json() -> None:
    form = Form(system=SWISS, seats=3)
    rounds, history = play(form, field(7))
    for values, kind in ((history, list[Played]), (field(3), list[Entrant]), ([form], list[Form])):
        assert msgspec.json.decode(msgspec.json.encode(values), type=kind) == values
    assert {one["type"] for one in json.loads(msgspec.json.encode(rounds[0]))} == {"table", "bye"}


@pytest.mark.parametrize(("seats", "empty"), [(2, 0), (4, 2)])
def test_a_host_plays_everyone_from_each_seat_equally_often(seats: int, empty: int) -> None:
    form = Form(system=SIMULTANEOUS, seats=seats, host="host")
    entrants = [*field(12), Entrant("host", 40.0)]
    made = tables(systems.pairings(form, entrants, [], 1))
    assert len(made) == 12
    assert all(table.seats.count(None) == empty for table in made)
    places = [table.seats.index("host") for table in made]
    assert [places.count(seat) for seat in range(seats)] == [12 // seats] * seats
    assert systems.pairings(form, entrants, [], 2) == []


@pytest.mark.parametrize(
    ("count", "seats", "rounds"), [(1, 2, 1), (2, 2, 1), (8, 2, 3), (9, 2, 4), (64, 4, 3), (65, 4, 4), (1000, 2, 10)]
)
def test_a_swiss_tournament_has_rounds_enough_for_one_winner(count: int, seats: int, rounds: int) -> None:
    assert systems.rounds(Form(system=SWISS, seats=seats), count) == rounds
    assert systems.rounds(Form(system=SWISS, seats=seats, rounds=7), count) == 7


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"system": "ladder"}, "'ladder' is not a tournament system"),
        ({"system": SWISS, "seats": 7}, "A table can't have 7 seats"),
        ({"system": SWISS, "rounds": 65}, "65 rounds are not possible"),
        ({"system": KNOCK_OUT, "through": 2}, "One or two players of a table advance"),
        ({"system": KNOCK_OUT, "seats": 4, "third": True}, "Only tables of two"),
        ({"system": SIMULTANEOUS}, "Simultaneous play has a host"),
        ({"system": SWISS, "host": "h"}, "Simultaneous play has a host"),
    ],
)
def test_a_form_that_makes_no_sense_is_refused(values: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        Form(**values)


def test_what_can_not_be_paired_is_refused() -> None:
    form = Form(system=SWISS)
    with pytest.raises(BadInput, match="There is no round 0"):
        systems.pairings(form, field(2), [], 0)
    with pytest.raises(BadInput, match="'gone' has played, but is not entered"):
        systems.pairings(form, field(2), [Played(1, ("e0", "gone"), (1.0, 0.0))], 2)
    with pytest.raises(BadInput, match="'e0' is entered twice"):
        systems.pairings(form, [*field(2), *field(1)], [], 1)
    with pytest.raises(BadInput, match=f"{ENTRANTS + 1} entrants are too many"):
        systems.pairings(form, field(ENTRANTS + 1), [], 1)


def test_who_joins_late_or_is_away_is_paired_only_when_they_are_there() -> None:
    form = Form(system=SWISS, rounds=3)
    entrants = [*field(4), Entrant("late", 50.0, joined=2), Entrant("away", 40.0, away=frozenset({2}))]
    rounds, history = play(form, entrants)
    assert [("late" in people(one), "away" in people(one)) for one in rounds] == [
        (False, True), (True, False), (True, True),
    ]  # fmt: skip
    assert sum(len(byes(one)) for one in rounds) == 2
    assert systems.finished(form, entrants, history)


@pytest.mark.whole
@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("seats", [2, 4])
def test_the_largest_fields_are_paired(system: str, seats: int) -> None:
    count = (MOST_OF_TWO if seats == 2 else MOST_AT_LARGER) if system == ROUND_ROBIN else ENTRANTS
    form = Form(system=system, seats=seats, host="host" if system == SIMULTANEOUS else "")
    entrants = field(count)
    rounds, history = play(form, entrants, most=4)
    if system == ARENA:
        rounds = [systems.pairings(form, entrants, [], 1)]
    assert all(len(people(one)) - len(tables(one)) * (system == SIMULTANEOUS) == count for one in rounds[:1])
    assert len(systems.standings(form, entrants, history)) == count
