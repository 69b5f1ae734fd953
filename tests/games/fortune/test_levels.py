"""Fortune's levels keep their word: `expert` plays the solution, and the others misjudge it by what they say."""

from __future__ import annotations

from dataclasses import replace
from math import exp

import pytest

import parlour
from parlour import bots
from parlour.bots import View, solved
from parlour.bots.levels import Follows, declared
from parlour.bots.worker import warm
from parlour.engine import interpret
from tests.games.fortune.losses import FORTUNE, losses, positions


def test_the_expert_loses_nothing_against_the_solution() -> None:
    """For two, where the solution is exact."""
    found = losses([bots.find(FORTUNE, "expert")], interpret(FORTUNE), 12)
    points, chances = found["expert"]
    assert chances == [0.0] * 12
    assert points, "and they are positions of a game that has just begun"


@pytest.mark.parametrize("players", [3, 4])
def test_for_more_the_expert_is_the_solver_too(players: int) -> None:
    match = parlour.new("fortune", players=players, seed=4)
    expert, optimal = (bots.find(FORTUNE, name) for name in ("expert", "optimal"))
    for _ in range(12):
        view = View.of(match, match.current_player)
        assert expert.choose(view) == optimal.choose(view)
        match.play(expert.choose(view))


def test_noise_chooses_each_decision_as_often_as_its_worth_says() -> None:
    """The scale of the noise: what is worth that much less is chosen 1/e times as often."""
    view, _ = next(one for one in positions(interpret(FORTUNE), 6))
    engine, scale = interpret(FORTUNE), 0.005
    noisy = solved.SolvedBot(FORTUNE, "noisy", "optimal", scale)
    actions, worths = noisy.values(view, engine)
    weights = [exp((worth - max(worths)) / scale) for worth in worths]
    tried = 4_000
    drawn = [noisy.choose(replace(view, seed=seed), engine) for seed in range(tried)]
    assert len(set(drawn)) > 1
    for action, weight in zip(actions, weights, strict=True):
        share = weight / sum(weights)
        assert abs(drawn.count(action) / tried - share) < 5 * (share * (1 - share) / tried) ** 0.5 + 1e-9
    assert [noisy.choose(view, engine) for _ in range(5)] == [noisy.choose(view, engine)] * 5


def test_a_level_has_more_noise_the_lower_it_is() -> None:
    noises = [said.noise for said in declared(FORTUNE).values() if isinstance(said, Follows)]
    assert len(noises) == len(declared(FORTUNE))
    assert noises == sorted(set(noises))
    assert noises[0] == 0.0


@pytest.mark.whole
def test_no_level_but_easy_loses_more_than_greedy() -> None:
    names = ("expert", "medium", "easy", "greedy")
    found = losses([bots.find(FORTUNE, name) for name in names], warm(FORTUNE), 1_000)
    points = {name: sum(found[name][0]) / len(found[name][0]) for name in names}
    chances = {name: sum(found[name][1]) for name in names}
    assert chances["expert"] == 0.0
    assert points["medium"] < points["greedy"] < points["easy"]
    assert chances["medium"] < chances["greedy"] < chances["easy"]
