"""Ratings: what openskill makes of games whose players' strength is known."""

from __future__ import annotations

import math
import random
from itertools import pairwise, permutations

import pytest

from parlour.analysis.arena import Block, Played
from parlour.analysis.ratings import rate
from parlour.analysis.skill import Skill, after, results

NAMES = ("a", "b", "c", "d")


def _games(strengths: dict[str, float], players: int, games: int, seed: int) -> list[Block]:
    """Games that one wins, each in proportion to exp(strength): Luce's choice."""
    rng = random.Random(seed)
    blocks: list[Block] = []
    for block in range(games):
        seats = tuple(rng.sample(sorted(strengths), players))
        (winner,) = rng.choices(seats, [math.exp(strengths[name]) for name in seats])
        blocks.append((_game(block, seats, tuple(float(name == winner) for name in seats)),))
    return blocks


def _game(block: int, seats: tuple[str, ...], returns: tuple[float, ...]) -> Played:
    n = len(seats)
    return Played(block, 0, seats, returns, (0,) * n, (1,) * n, (0.0,) * n)


@pytest.mark.parametrize(
    ("players", "strengths"), [(2, (0.0, 0.5, 1.0)), (3, (0.0, 0.5, 1.0)), (4, (0, 0.4, 0.8, 1.2))]
)
@pytest.mark.suite("4-*")
def test_the_interval_of_a_difference_holds_the_truth(players: int, strengths: tuple[float, ...]) -> None:
    """Differences in rating are those in strength, 173.7 for a factor e; nine in ten intervals at least hold them."""
    truth = dict(zip(NAMES, strengths, strict=False))
    scale = 400 / math.log(10)
    held = asked = 0
    for seed in range(40):
        found = rate(truth, _games(truth, players, 240, seed))
        for weaker, stronger in pairwise(truth):
            difference = found[stronger].rating - found[weaker].rating
            half = math.hypot(*(found[name].high - found[name].rating for name in (weaker, stronger)))
            held += abs(difference - scale * (truth[stronger] - truth[weaker])) <= half
            asked += 1
    assert held / asked >= 0.9


def test_more_games_make_it_surer_and_the_better_one_stands_above() -> None:
    truth = {"a": 0.0, "b": 2.0}
    few, many = (rate(truth, _games(truth, 2, games, 3)) for games in (20, 400))
    assert many["b"].low > many["a"].high
    assert many["b"].high - many["b"].low < few["b"].high - few["b"].low
    assert rate(truth, []) == {"a": pytest.approx((1500, 1018.5, 1981.5), abs=0.1), "b": rate(truth, [])["a"]}


def test_losers_are_not_told_apart_and_shared_wins_are_draws() -> None:
    alone = rate("abc", [(_game(0, ("a", "b", "c"), (1.0, 0.0, 0.0)),)])
    assert alone["a"].rating > 1500 > alone["b"].rating
    assert alone["b"] == pytest.approx(alone["c"])
    shared = rate("abc", [(_game(0, ("a", "b", "c"), (0.5, 0.5, 0.0)),)])
    assert shared["a"] == pytest.approx(shared["b"])
    assert shared["a"].rating > 1500 > shared["c"].rating
    cut_short = rate("ab", [(_game(0, ("a", "b"), (0.0, 0.0)),)])
    assert cut_short["a"].rating == cut_short["b"].rating == 1500
    twice = rate("ab", [(_game(0, ("a", "b", "a"), (1.0, 0.0, 0.0)),)])
    assert twice == rate("ab", [(_game(0, ("a", "b"), (1.0, 0.0)),)]), "no one wins over themselves"


SHARES = ((1.0, 0.0), (0.5, 0.5), (1.0, 0.0, 0.0), (0.5, 0.5, 0.0), (1.0, 0, 0, 0), (0.5, 0.5, 0, 0), (0.25,) * 4)


@pytest.mark.parametrize("shares", SHARES)
def test_the_order_of_seats_has_no_say(shares: tuple[float, ...]) -> None:
    """Over all permutations; and those who come alike into a game with equal results leave it alike."""
    known = {"a": Skill(31.0, 3.0), "b": Skill(25.0, 8.0), "c": Skill(22.0, 5.0), "d": Skill(19.5, 1.5)}
    result = dict(zip(known, shares, strict=False))
    found = set()
    for seats in permutations(result):
        said = results(seats, [result[player] for player in seats])
        rated = after({player: known[player] for player in seats}, said)
        found.add(tuple(sorted((player, round(mu, 9), round(sigma, 9)) for player, (mu, sigma) in rated.items())))
        level = after(dict.fromkeys(seats, Skill()), results(seats, [result[player] for player in seats]))
        for share in set(shares):
            one, *others = [level[player] for player in seats if result[player] == share]
            assert others == [pytest.approx(one)] * len(others)
    assert len(found) == 1
