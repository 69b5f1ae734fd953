"""Round robins: everyone meets everyone, plays equally often, and has each seat equally often."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from parlour.house.errors import BadInput
from parlour.house.tournaments.pairing import round_robin, systems
from parlour.house.tournaments.pairing.kinds import (
    MOST_AT_LARGER,
    MOST_OF_TWO,
    ROUND_ROBIN,
    Bye,
    Entrant,
    Form,
    Pairing,
)
from parlour.house.tournaments.pairing.round_robin import Round, berger, schedule
from tests.house.tournaments.by_chance import byes, field, play, tables

# As FIDE prints them, for 5 or 6 and for 7 or 8 players: Handbook C.05, annex 1.
SIX = """1-6 2-5 3-4
6-4 5-3 1-2
2-6 3-1 4-5
6-5 1-4 2-3
3-6 4-2 5-1"""
EIGHT = """1-8 2-7 3-6 4-5
8-5 6-4 7-3 1-2
2-8 3-1 4-7 5-6
8-6 7-5 1-4 2-3
3-8 4-2 5-1 6-7
8-7 1-6 2-5 3-4
4-8 5-3 6-2 7-1"""
# seats -> how much oftener, at most, one pair meets than another; see `differences`.
DIFFERENCES = {3: 3, 4: 3, 5: 4, 6: 4}


@pytest.mark.parametrize("printed", [SIX, EIGHT])
def test_the_tables_for_two_are_those_that_fide_prints(printed: str) -> None:
    rounds = berger(len(printed.split("\n")) + 1)
    made = "\n".join(" ".join(f"{one + 1}-{other + 1}" for one, other in pairs) for pairs in rounds)
    assert made == printed


def counted(rounds: tuple[Round, ...], players: int, seats: int) -> tuple[Counter[frozenset[int]], Counter[int]]:
    """Check that everyone is once in a round at most, and return meetings and games."""
    met: Counter[frozenset[int]] = Counter()
    games: Counter[int] = Counter()
    had: Counter[tuple[int, int]] = Counter()
    for tables_ in rounds:
        here = [one for table in tables_ for one in table if one >= 0]
        assert len(here) == len(set(here))
        games.update(here)
        for table in tables_:
            assert len(table) == seats
            met.update(frozenset(pair) for pair in combinations([one for one in table if one >= 0], 2))
            had.update((one, seat) for seat, one in enumerate(table))
    for one in range(players):
        times = [had[one, seat] for seat in range(seats)]
        assert max(times) - min(times) <= 1
    return met, games


@pytest.mark.parametrize("bots", [False, True])
def test_of_two_everyone_meets_everyone_once(bots: bool) -> None:
    for players in range(2, MOST_OF_TWO + 1):
        met, games = counted(schedule(players, 2, bots), players, 2)
        assert set(met.values()) == {1}
        assert len(met) == players * (players - 1) // 2
        assert len(set(games.values())) == 1
        assert len(schedule(players, 2, bots)) == players - 1 + players % 2


def difference(players: int, seats: int, bots: bool) -> int:
    """Check a schedule, and return how much oftener one pair meets than another."""
    met, games = counted(schedule(players, seats, bots), players, seats)
    assert len(set(games.values())) == 1
    assert len(met) == players * (players - 1) // 2  # all have met
    return max(met.values()) - min(met.values())


@pytest.mark.parametrize(("players", "seats"), [(7, 3), (9, 4), (8, 6)])
def test_at_larger_tables_meetings_are_even(players: int, seats: int) -> None:
    for bots in (False, True):
        assert difference(players, seats, bots) <= DIFFERENCES[seats]


@pytest.mark.parametrize(("players", "seats", "rounds"), [(7, 3, 7), (9, 3, 4), (9, 4, 9), (16, 4, 5)])
def test_schedules_in_which_all_meet_equally_often_are_found(players: int, seats: int, rounds: int) -> None:
    """Where there is a design: the Fano plane, affine planes, and a design of 18 blocks of four."""
    assert difference(players, seats, False) == 0
    assert len(schedule(players, seats, False)) == rounds


@pytest.mark.whole
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_at_larger_tables_meetings_are_even_for_every_field(seats: int) -> None:
    for players in range(2, MOST_AT_LARGER + 1):
        for bots in (False, True):
            assert difference(players, seats, bots) <= DIFFERENCES[seats], (players, bots)


def test_lots_decide_the_numbers() -> None:
    entrants = field(6)
    assert systems.pairings(Form(system=ROUND_ROBIN, seed=1), entrants, [], 1) != systems.pairings(
        Form(system=ROUND_ROBIN, seed=2), entrants, [], 1
    )


def test_who_leaves_gives_the_others_their_games_away() -> None:
    entrants = [Entrant(one.id, one.strength, left=3 if one.id == "e0" else None) for one in field(6)]
    rounds, _ = play(Form(system=ROUND_ROBIN), entrants)
    assert [len(tables(round_)) for round_ in rounds] == [3, 3, 2, 2, 2]
    free = [one for round_ in rounds for one in round_ if isinstance(one, Bye)]
    assert [one.share for one in free] == [1.0] * 3
    assert len({one.entrant for one in free}) == 3


def test_a_bot_takes_the_seat_of_who_leaves_a_larger_table() -> None:
    entrants = [Entrant(one.id, one.strength, left=2 if one.id == "e0" else None) for one in field(9)]
    rounds, _ = play(Form(system=ROUND_ROBIN, seats=3), entrants)
    assert [sum(None in table.seats for table in tables(round_)) for round_ in rounds] == [0, 1, 1, 1]
    assert not any(byes(round_) for round_ in rounds)


def test_a_scheduled_rest_brings_nothing() -> None:
    rounds, _ = play(Form(system=ROUND_ROBIN), field(5))
    assert [one.share for round_ in rounds for one in round_ if isinstance(one, Bye)] == [0.0] * 5
    rounds, _ = play(Form(system=ROUND_ROBIN, bots=True), field(5))
    filled = [one for round_ in rounds for one in round_ if isinstance(one, Pairing) and None in one.seats]
    assert len({next(filter(None, one.seats)) for one in filled}) == 5


@pytest.mark.parametrize("seats", [2, 3])
def test_too_many_are_refused(seats: int) -> None:
    most = MOST_OF_TWO if seats == 2 else MOST_AT_LARGER
    with pytest.raises(BadInput, match=f"{most + 1} entrants are too many"):
        systems.pairings(Form(system=ROUND_ROBIN, seats=seats), field(most + 1), [], 1)
    assert round_robin.schedule.cache_info().maxsize == round_robin.SCHEDULES
