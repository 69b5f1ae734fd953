"""Divisions of a league: sizes, and who rises and falls, over every small league and over many large ones."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.house.clubs.seasons.leagues import FEWEST, MOST, MOST_MOVERS, cut, following, moved, sizes

NAMES = tuple(f"p{number:03}" for number in range(200))


def where(divisions: tuple[tuple[str, ...], ...]) -> dict[str, int]:
    """Return the division of each player, 0 for the highest."""
    return {player: number for number, division in enumerate(divisions) for player in division}


def test_every_number_of_players_makes_divisions_within_the_bounds() -> None:
    for size in range(FEWEST, MOST + 1):
        for players in range(FEWEST, 201):
            made = sizes(players, size)
            assert sum(made) == players
            assert all(FEWEST <= one <= MOST for one in made), (players, size, made)
            assert made[:-2] == (size,) * len(made[:-2]), "only the last two differ from the usual size"
    assert sizes(27, 12) == (12, 8, 7)
    assert sizes(9, 8) == (9,)
    assert sizes(12, 8) == (8, 4)
    for players, size in ((3, 4), (0, 8), (20, 3), (20, 13)):
        with pytest.raises(ValueError, match=r"A league needs 4|A division has 4 to 12"):
            sizes(players, size)


def test_two_rise_and_two_fall_at_each_border() -> None:
    before = (("a", "b", "c", "d", "e"), ("f", "g", "h", "i", "j"), ("k", "l", "m", "n"))
    after = following(before, 2, size=5)
    assert [set(one) for one in after] == [set("abcfg"), set("dehkl"), set("ijmn")]
    assert moved(before, 0) == [list(one) for one in before]


def test_a_free_place_saves_the_best_of_those_who_would_fall() -> None:
    before = (("a", "b", "c", "d"), ("e", "f", "g", "h"))
    after = following(before, 1, leaving={"a"}, entering=["new"], size=4)
    assert after == (("b", "c", "e", "d"), ("f", "g", "h", "new"))


def test_every_league_of_up_to_nine_keeps_all_and_moves_only_neighbours() -> None:
    """By enumeration: each number of players, each number of movers, each set of up to two who leave, up to two new."""
    for players in range(FEWEST, 10):
        before = cut(NAMES[:players], 4)
        for movers in range(MOST_MOVERS + 1):
            for gone in (set(some) for number in range(3) for some in combinations(NAMES[:players], number)):
                for new in (NAMES[100 : 100 + number] for number in range(3)):
                    stay = set(NAMES[:players]) - gone
                    if len(stay) + len(new) < FEWEST:
                        continue
                    after = following(before, movers, leaving=gone, entering=new, size=4)
                    listed = [one for division in after for one in division]
                    assert len(listed) == len(set(listed))
                    assert set(listed) == stay | set(new)
                    assert tuple(listed[len(stay) :]) == new, "newcomers are last"
                    assert all(FEWEST <= len(one) <= MOST for one in after)


@st.composite
def leagues(draw: st.DrawFn) -> tuple[tuple[tuple[str, ...], ...], int]:
    """Return the standings of a season, and the usual size."""
    size = draw(st.integers(FEWEST, MOST))
    order = draw(st.permutations(NAMES[: draw(st.integers(FEWEST, 60))]))
    return cut(order, size), size


@given(leagues(), st.integers(0, MOST_MOVERS), st.data())
def test_no_one_is_lost_or_doubled_and_no_one_passes_a_better_one(
    league: tuple[tuple[tuple[str, ...], ...], int], movers: int, data: st.DataObject
) -> None:
    before, size = league
    everyone = [one for division in before for one in division]
    gone = data.draw(st.sets(st.sampled_from(everyone), max_size=len(everyone) - FEWEST))
    new = NAMES[100 : 100 + data.draw(st.integers(0, 30))]
    new_size = data.draw(st.sampled_from((size, *range(FEWEST, MOST + 1))))
    after = following(before, movers, leaving=gone, entering=new, size=new_size)
    assert sorted(one for division in after for one in division) == sorted({*everyone, *new} - gone)
    assert all(FEWEST <= len(one) <= MOST for one in after)
    now = where(after)
    for division in before:
        stay = [one for one in division if one not in gone]
        assert [now[one] for one in stay] == sorted(now[one] for one in stay), "a worse place is never better off"
    assert after == following(before, movers, leaving=gone, entering=new, size=new_size)


@given(leagues(), st.integers(0, MOST_MOVERS))
def test_where_no_one_comes_or_goes_the_sizes_stay_and_just_the_movers_move(
    league: tuple[tuple[tuple[str, ...], ...], int], movers: int
) -> None:
    before, size = league
    after, was = following(before, movers, size=size), where(before)
    assert [len(one) for one in after] == [len(one) for one in before]
    now = where(after)
    assert all(abs(now[one] - was[one]) <= 1 for one in was)
    for i, (up, down) in enumerate(pairwise(before)):
        number = min(movers, len(up) // 2, len(down) // 2)
        assert {one for one in up if now[one] == i + 1} == {*up[len(up) - number :]}
        assert {one for one in down if now[one] == i} == {*down[:number]}
