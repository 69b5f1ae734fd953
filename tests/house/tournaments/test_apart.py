"""Players of whom one has blocked the other are not paired where the system leaves a choice; where it leaves none, they
are, and nothing else changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.house.house import House
from parlour.house.social import rows as social_rows
from parlour.house.tournaments import jobs
from parlour.house.tournaments.pairing import swiss, systems
from parlour.house.tournaments.pairing.arena import PATIENCE
from parlour.house.tournaments.pairing.kinds import ARENA, KNOCK_OUT, ROUND_ROBIN, SWISS, Entrant, Form, Paired, Played
from parlour.house.tournaments.pairing.sheet import sheet
from tests.house.clock import Clock
from tests.house.people import Person, guest_of
from tests.house.tournaments.by_chance import field, play, tables
from tests.house.tournaments.playing import accounts, begun, play_all, seen, settle

Arrive = Callable[[], Person]


def shut(entrants: Sequence[Entrant], *pairs: tuple[str, str]) -> list[Entrant]:
    """Return the entrants, with these pairs kept apart."""
    both = [*pairs, *((other, one) for one, other in pairs)]
    return [
        msgspec.structs.replace(one, apart=frozenset(other for who, other in both if who == one.id)) for one in entrants
    ]


def meetings(made: Sequence[Paired]) -> set[frozenset[str]]:
    """Return the pairs of a round."""
    return {frozenset(pair) for table in tables(made) for pair in combinations([one for one in table.seats if one], 2)}


@settings(max_examples=12)
@given(shape=st.sampled_from(((8, 2), (12, 2), (12, 3), (12, 4))), seed=st.integers(0, 10**6))
def test_two_who_would_meet_in_a_swiss_round_do_not(shape: tuple[int, int], seed: int) -> None:
    count, seats = shape
    form = Form(system=SWISS, seats=seats, rounds=3, seed=seed)
    entrants = field(count, seed)
    _, history = play(form, entrants, seed, most=2)
    before = [game for game in history if game.round < 3]
    met = sorted(map(sorted, meetings(systems.pairings(form, entrants, before, 3))))
    one, other = met[seed % len(met)]
    again = systems.pairings(form, shut(entrants, (one, other)), before, 3)
    assert frozenset((one, other)) not in meetings(again)
    assert {who for table in tables(again) for who in table.seats} == {each.id for each in entrants}


@pytest.mark.parametrize(("count", "seats"), [(2, 2), (4, 2), (4, 4), (5, 5), (6, 3)])
@pytest.mark.parametrize("system", [SWISS, ROUND_ROBIN, KNOCK_OUT])
def test_a_field_in_which_all_have_blocked_all_is_paired_as_if_no_one_had(count: int, seats: int, system: str) -> None:
    form = Form(system=system, seats=seats, rounds=1 if system == SWISS else 0, seed=3)
    entrants = field(count, 3)
    apart = shut(entrants, *combinations([one.id for one in entrants], 2))
    assert systems.pairings(form, apart, [], 1) == systems.pairings(form, entrants, [], 1)


def test_the_grouped_way_to_pair_two_keeps_them_apart_too() -> None:
    entrants = field(4, 1)
    form = Form(system=SWISS, seats=2, rounds=1, seed=1)
    for one, other in combinations([one.id for one in entrants], 2):
        made = swiss.grouped(form, shut(entrants, (one, other)), sheet([]), 1)
        assert frozenset((one, other)) not in meetings(made)
        assert len(tables(made)) == 2


def waiting(ids: str, waited: int = 0) -> list[Entrant]:
    return [Entrant(one, 25.0 - place, waited=waited) for place, one in enumerate(ids)]


def test_in_an_arena_for_two_they_wait_for_others() -> None:
    form = Form(system=ARENA, seats=2)
    alone = shut(waiting("ab", 100), ("a", "b"))
    assert systems.pairings(form, alone, [], 1) == []
    four = shut(waiting("abcd"), ("a", "b"))
    assert len(tables(systems.pairings(form, four, [], 1))) == 2
    assert frozenset("ab") not in meetings(systems.pairings(form, four, [], 1))
    # The one who came last stays behind, unless the others would wait forever.
    three = [*shut(waiting("ab", 5), ("a", "b")), Entrant("c", 20.0)]
    (pair,) = meetings(systems.pairings(form, three, [], 1))
    assert "c" in pair


def test_in_an_arena_for_more_they_wait_for_some_waves() -> None:
    form = Form(system=ARENA, seats=3)
    for waited in range(PATIENCE + 1):
        made = systems.pairings(form, shut(waiting("abc", waited), ("a", "b")), [], 1)
        assert len(made) == (waited == PATIENCE)


def test_kept_apart_they_still_have_no_opponent_twice() -> None:
    entrants = shut(field(8, 5), ("e1", "e2"))
    form = Form(system=SWISS, seats=2, rounds=5, seed=5)
    _, history = play(form, entrants, 5)
    met = [frozenset(one for one in game.seats if one) for game in history]
    assert len(met) == len(set(met)) == 20
    assert frozenset(("e1", "e2")) not in met
    assert all(isinstance(game, Played) for game in history)


async def test_a_block_from_before_the_start_counts_and_a_later_one_does_not(
    house: House, arrive: Arrive, clock: Clock
) -> None:
    people = await accounts(arrive, 4)
    ann, bob, *_ = people
    tournament = await begun(house, ann, people, rounds=3)
    first = (await seen(ann, tournament, "/games?number=1"))["games"]
    clock.ahead += 1
    (mine,) = [game["seats"] for game in first if any(seat["name"] == "Player A" for seat in game["seats"])]
    (rival,) = [seat["name"] for seat in mine if seat["name"] != "Player A"]
    await ann.do("me/block", name=rival)
    guests = [(await guest_of(person)).id for person in people]
    began = (await seen(ann, tournament))["began"]
    for until, pairs in ((began, 0), (clock(), 1)):
        assert len(await house.store.look(partial(social_rows.pairs_apart, guests=guests, until=until))) == pairs
    other = await begun(house, bob, people, rounds=3)
    for number in range(3):
        games = (await seen(ann, other, f"/games?number={number + 1}"))["games"]
        names = [{seat["name"] for seat in game["seats"]} for game in games]
        # Four players meet all others in three rounds: the last round leaves no choice.
        assert ({"Player A", rival} in names) == (number == 2)
        await play_all(house, people, other)
        clock.ahead += jobs.BREAK
        await settle(house)
