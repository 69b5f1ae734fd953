"""Swiss tournaments for two, against FIDE's rules written down a second time: every legal round of a small field is
listed, and what py4swiss pairs is compared with them.

The rules are of FIDE Handbook C.04.3, the Dutch System; names as there (C.1, C.2, ...)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.house.tournaments.pairing import dutch, swiss, systems
from parlour.house.tournaments.pairing.kinds import SWISS, Bye, Entrant, Form, Paired, Played
from tests.house.tournaments.by_chance import byes, field, people, play, tables

Pairs = tuple[tuple[str, str], ...]  # of a round; a bye is a pair with ""


class Player(NamedTuple):
    """What the rules ask of a player before a round."""

    score: float
    opponents: frozenset[str]
    seats: tuple[int, ...]  # of real games
    free: bool  # has had a bye or a win by forfeit


def players(entrants: list[Entrant], history: list[Played], number: int) -> dict[str, Player]:
    """Read the players who take part in a round off the history, in another way than the product does."""
    found = {}
    for one in entrants:
        if not one.plays(number):
            continue
        score, opponents, seats, free = 0.0, set(), [], False
        for game in history:
            if game.round >= number or one.id not in game.seats:
                continue
            seat = game.seats.index(one.id)
            others = [other for other in game.seats if other not in (None, one.id)]
            if one.id in game.absent:
                continue
            score += game.shares[seat]
            if others and others[0] not in game.absent:
                opponents.add(str(others[0]))
                seats.append(seat)
            else:
                free = True
        found[one.id] = Player(score, frozenset(opponents), tuple(seats), free)
    return found


def preference(one: Player) -> tuple[int, int]:
    """Return which seat a player should get (-1: either) and how strongly: 3 absolutely, 2, 1, 0 (A.6)."""
    if not one.seats:
        return -1, 0
    difference = one.seats.count(0) - one.seats.count(1)
    twice = len(one.seats) > 1 and one.seats[-1] == one.seats[-2]
    wanted = 1 if difference > 0 else 0 if difference < 0 else 1 - one.seats[-1]
    if twice and abs(difference) <= 1:
        wanted = 1 - one.seats[-1]
    return wanted, 3 if abs(difference) > 1 or twice else 2 if difference else 1


def allowed(field_: dict[str, Player], one: str, other: str, number: int, last: int) -> bool:
    """Return whether C.1 to C.3 allow a pair; `other` is "" for a bye."""
    if not other:
        return not field_[one].free
    if other in field_[one].opponents:
        return False
    wishes = preference(field_[one]), preference(field_[other])
    top = number == last and any(field_[name].score > (number - 1) / 2 for name in (one, other))
    return top or wishes[0][1] < 3 or wishes[1][1] < 3 or wishes[0][0] != wishes[1][0]


def legal(field_: dict[str, Player], number: int, last: int) -> Iterator[Pairs]:
    """List every legal pairing of a round."""
    names = sorted(field_)

    def extend(left: list[str], made: Pairs) -> Iterator[Pairs]:
        if not left:
            yield made
            return
        for other in left[1:]:
            first = left[0]
            if other == "" or first == "":
                real = first or other
                fine = allowed(field_, real, "", number, last)
            else:
                fine = allowed(field_, first, other, number, last)
            if fine:
                rest = [one for one in left[1:] if one != other]
                yield from extend(rest, (*made, (first, other) if first else (other, first)))

    yield from extend(names + [""] * (len(names) % 2), ())


def pairs(round_: list[Paired]) -> Pairs:
    """Return the pairs of a round, a bye or a bot as a pair with ""."""
    found = []
    for one in round_:
        if isinstance(one, Bye):
            found.append((one.entrant, ""))
        else:
            there = sorted((seat or "" for seat in one.seats), reverse=True)
            found.append((there[0], there[1]))
    return tuple(found)


def gaps(some: set[frozenset[str]], pool: set[str], field_: dict[str, Player]) -> list[float]:
    """Return the differences in score inside a bracket, the largest first (A.8). A player who goes down has theirs to
    one point less than the lowest of the bracket."""
    inside = [[field_[one].score for one in pair] for pair in some if pair <= pool]
    paired = {one for pair in some if pair <= pool for one in pair}
    lowest = min(field_[one].score for one in pool) - 1
    return sorted([max(pair) - min(pair) for pair in inside] + [field_[one].score - lowest for one in pool - paired])[
        ::-1
    ]


def check(form: Form, entrants: list[Entrant], history: list[Played], round_: list[Paired], number: int) -> bool:
    """Check a round against all legal ones; return whether there is one.

    From the top bracket down, among the pairings that agree with all brackets before: C.5, none has more pairs inside
    this one, those included who came down to it; C.6, none of these has smaller differences in score.
    """
    last = systems.rounds(form, len(entrants))
    field_ = players(entrants, history, number)
    every = [{frozenset(pair) for pair in some} for some in legal(field_, number, last)]
    if not every:
        return False
    mine = {frozenset(pair) for pair in pairs(round_)}
    assert mine in every
    down: set[str] = set()
    scores = sorted({one.score for one in field_.values()}, reverse=True)
    for score in scores[:-1]:
        pool = down | {name for name, one in field_.items() if one.score == score}
        paired = {pair for pair in mine if pair <= pool}
        most = max(sum(pair <= pool for pair in some) for some in every)
        assert len(paired) == most
        fullest = [some for some in every if sum(pair <= pool for pair in some) == most]
        if score in scores[:-2]:  # the last two brackets may be joined into one (A.9)
            assert gaps(mine, pool, field_) == min(gaps(some, pool, field_) for some in fullest)
        every = [some for some in every if {pair for pair in some if pair <= pool} == paired]
        down = pool - {name for pair in paired for name in pair}
    return True


def check_seats(entrants: list[Entrant], history: list[Played], round_: list[Paired], number: int) -> None:
    """E.1 to E.3: both get the seat they should have where that is possible, otherwise the one who wants it more."""
    field_ = players(entrants, history, number)
    for table in tables(round_):
        first, second = table.seats
        if first is None or second is None:
            continue
        (one, much), (two, more) = preference(field_[first]), preference(field_[second])
        if one == -1 or two == -1 or one != two:
            assert one in (-1, 0)
            assert two in (-1, 1)
        elif much != more:
            assert (one == 0) == (much > more)


@settings(max_examples=25)
@given(
    count=st.integers(2, 8),
    rounds=st.integers(1, 7),
    seed=st.integers(0, 10**6),
    bots=st.booleans(),
    absent=st.sampled_from((0.0, 0.0, 0.15)),
    late=st.integers(0, 2),
    gone=st.integers(0, 2),
)
def test_rounds_are_among_the_legal_ones_and_pair_as_many_as_they_can_in_each_bracket(
    count: int, rounds: int, seed: int, bots: bool, absent: float, late: int, gone: int
) -> None:
    form = Form(system=SWISS, rounds=rounds, bots=bots, seed=seed)
    entrants = [
        Entrant(one.id, one.strength, 2 if place < late else 1, 3 if place >= count - gone else None)
        for place, one in enumerate(field(count, seed))
    ]
    rounds_, history = play(form, entrants, seed, absent=absent)
    for number, round_ in enumerate(rounds_, 1):
        here = {one.id for one in entrants if one.plays(number)}
        assert sorted(people(round_)) == sorted(here)
        if check(form, entrants, history, round_, number):
            check_seats(entrants, history, round_, number)


def test_the_first_round_pairs_the_halves() -> None:
    """The example of A.2 and B.6: of eight, 1 meets 5, 2 meets 6; the first seat alternates."""
    entrants = [Entrant(str(place), 100.0 - place) for place in range(1, 9)]
    for seed in range(4):
        made = pairs(systems.pairings(Form(system=SWISS, seed=seed), entrants, [], 1))
        assert {frozenset(pair) for pair in made} == {frozenset(pair) for pair in ("15", "26", "37", "48")}
        firsts = [table.seats[0] for table in tables(systems.pairings(Form(system=SWISS, seed=seed), entrants, [], 1))]
        assert [first in "1234" for first in firsts if first] in ([True, False] * 2, [False, True] * 2)


@settings(max_examples=25)
@given(count=st.sampled_from((5, 7, 9)), seed=st.integers(0, 1000), bots=st.booleans())
def test_no_one_sits_out_or_plays_a_bot_twice(count: int, seed: int, bots: bool) -> None:
    """Not even who lost to the bot, which is not a bye to the library."""
    rounds, _ = play(Form(system=SWISS, rounds=count // 2, bots=bots, seed=seed), field(count, seed), seed)
    alone = [*(one for round_ in rounds for one in byes(round_))]
    alone += [str(next(filter(None, one.seats))) for round_ in rounds for one in tables(round_) if None in one.seats]
    assert len(alone) == len(rounds) == len(set(alone))


@settings(max_examples=10)
@given(count=st.integers(6, 20), seed=st.integers(0, 1000))
def test_seats_differ_by_two_at_most_and_no_one_has_one_three_times_running(count: int, seed: int) -> None:
    """C.3, for all but those who lead in the last round."""
    rounds = min(7, count // 2)
    _, history = play(Form(system=SWISS, rounds=rounds, seed=seed), field(count, seed), seed)
    had: dict[str, list[int]] = {}
    for game in history:
        if len(game.seats) == 2 and game.round < rounds:
            for seat, one in enumerate(game.seats):
                had.setdefault(str(one), []).append(seat)
    for seats in had.values():
        assert abs(seats.count(0) - seats.count(1)) <= 2
        assert all(len(set(seats[place : place + 3])) == 2 for place in range(len(seats) - 2))


def test_where_the_library_is_not_or_the_field_is_large_score_groups_are_paired(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    form = Form(system=SWISS, rounds=5)
    large = field(dutch.MOST + 1)
    assert dutch.paired(form, large, {}, 1, 5) is None
    assert len(tables(systems.pairings(form, large, [], 1))) == dutch.MOST // 2
    small = field(8)
    assert dutch.paired(form, small, {}, 1, 5) is not None
    monkeypatch.setattr(dutch, "find_spec", lambda _: None)
    assert systems.pairings(form, small, [], 1) == swiss.grouped(form, small, {}, 1)


def test_a_field_that_has_all_met_is_paired_again() -> None:
    form = Form(system=SWISS, rounds=5)
    rounds, _ = play(form, field(4), 1)
    assert [len(tables(round_)) for round_ in rounds] == [2] * 5
    met = [frozenset(pair) for round_ in rounds for pair in pairs(round_)]
    assert max(met.count(pair) for pair in met) == 2  # ten games, six pairs
    assert min(met.count(pair) for pair in met) == 1
