"""What decisions cost: the errors of bots in drawn positions, and the accuracy that follows from them."""

from __future__ import annotations

import math
import random

import msgspec
import pytest

from parlour import bots
from parlour.analysis import mining, regret
from parlour.analysis.evaluation import decisions
from parlour.analysis.regret import Asked, ratio, rows
from parlour.bots import solved
from parlour.core.errors import BadSetup, UnknownName
from parlour.core.match import Match
from parlour.engine import interpret
from parlour.games import find

FORTUNE = find("fortune")
NAMED = ("expert", "easy", "random")


def test_a_ratio_over_games_and_its_interval() -> None:
    """Two games: 1 of 10 and 3 of 10, so the ratio is 0.2; Student's quantile of one degree of freedom is 12.706."""
    found = ratio([1.0, 3.0], [10.0, 10.0])
    assert found.value == pytest.approx(0.2)
    assert found.high - 0.2 == pytest.approx(0.2 - found.low) == pytest.approx(12.706 * math.sqrt(2 * 2) / 20)
    assert ratio([1.0], [10.0]) == regret.Share(0.1, -math.inf, math.inf)
    assert math.isnan(ratio([], []).value)


def test_errors_are_by_decision_and_accuracy_by_what_was_at_stake() -> None:
    games = [
        [Asked(0.4, False, {"good": 0.0, "bad": 0.4}), Asked(0.0, True, {"good": 0.0, "bad": 0.0})],
        [Asked(0.2, False, {"good": 0.1, "bad": 0.2})],
    ]
    good, bad = rows(("good", "bad"), games)
    assert (good.error.value, bad.error.value) == (pytest.approx(0.1 / 3), pytest.approx(0.2))
    assert (good.accuracy.value, bad.accuracy.value) == (pytest.approx(1 - 0.1 / 0.6), pytest.approx(0.0))
    assert (good.best, bad.best) == (2, 1)
    assert good.accuracy.low < good.accuracy.value < good.accuracy.high


def test_where_the_solver_is_exact_its_values_are_the_errors() -> None:
    way = mining.way_of(FORTUNE, seed=4)
    engine = interpret(FORTUNE)
    one = decisions(mining.mixed(way, FORTUNE, engine, 0))[7]
    found = regret.asked(FORTUNE, engine, one, NAMED, regret.Judge(FORTUNE, engine, way))
    exact = solved.SolvedBot(FORTUNE, "optimal").advise(one.view)
    chances = [choice.chance or 0.0 for choice in exact.choices]
    assert found.stake == pytest.approx(max(chances) - sum(chances) / len(chances))
    assert found.lost["expert"] == 0.0
    for name in NAMED:
        made = bots.find(FORTUNE, name, repeatable=True).choose(one.view)
        assert found.lost[name] == pytest.approx(max(chances) - (exact.of(made).chance or 0.0))


def test_elsewhere_all_choices_are_searched_equally_often() -> None:
    game = find("facets-of-fortune")
    way = mining.way_of(game, seed=4, simulations=60)
    engine = interpret(game)
    view = next(one.view for one in decisions(_short(way)) if one.choices > 6)
    legal = [0] * game.rules.MAX_LEGAL
    n = game.rules.legal_actions(view.state(game), legal)
    chosen = [legal[0], legal[n // 2], legal[n - 1]]
    advice = regret.Judge(game, engine, way).values(view, chosen)
    compared = {one.action: one for one in advice.choices[: advice.compared]}
    assert {*chosen} <= compared.keys()
    assert min(one.visits for one in compared.values()) >= max(one.visits for one in compared.values()) // 2
    assert advice.drawn not in chosen


def _short(way: mining.Way) -> Match:
    """Return the first decisions of a game played at random."""
    match, luck = Match(find(way.game[0]), way.players, seed=3), random.Random(3)
    for _ in range(30):
        match.play(luck.choice(match.legal_action_ids()))
    return match


@pytest.mark.slow
def test_the_same_plan_finds_the_same_and_random_play_has_no_accuracy() -> None:
    plan = regret.plan(mining.way_of(FORTUNE, seed=2), NAMED, 40)
    found = [plan.play(number) for number in range(len(plan.blocks))]
    assert plan.play(1) == found[1]
    games = [msgspec.json.decode(one, type=list[Asked]) for one in found]
    assert [len(game) for game in games] == [6, 6, 6, 6, 6, 6, 4]
    expert, easy, chance = rows(NAMED, games)
    assert expert.error.value == 0.0
    assert expert.accuracy.value > easy.accuracy.value > chance.accuracy.value
    assert chance.accuracy.low < 0.3


def test_what_cannot_be_asked() -> None:
    way = mining.way_of(FORTUNE)
    with pytest.raises(UnknownName, match="no bot 'genius'"):
        regret.plan(way, ("genius",), 10)
    with pytest.raises(BadSetup, match="one position"):
        regret.plan(way, NAMED, 0)
