"""Measures against the list of all games of Sprint, each worked out by hand; and what follows from each other."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from parlour.analysis import decision_values, measures
from parlour.analysis.measures import Look
from parlour.analysis.playing import play
from parlour.analysis.retracing import retrace
from parlour.analysis.sampling import Sample, Setup, joined
from parlour.analysis.sampling import play as sample
from parlour.analysis.strong_among_weak import Skill, play_skill
from parlour.core.errors import BadSetup, UnknownName
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.rng import RNG_SIZE
from parlour.engine import compile, interpret, probing, survey
from parlour.engine.work import Games, Probe
from tests.analysis import sprints

SPRINT = Game("sprint", "tests.fixtures.sprint")
KUHN = Game("kuhn", "tests.fixtures.kuhn")


def listed(players: int) -> tuple[list[sprints.Told], Sample]:
    """Return all games of Sprint, and the sample in which each occurs as often as its chance says."""
    told = list(sprints.games(players))
    assert sum(one.chance for one in told) == 1
    samples, least = [], min(one.chance for one in told)
    for one in told:
        match = Match(SPRINT, players, auto=False)
        for _, action in one.steps:
            match.step(action)
        assert match.over
        seen = retrace(match)
        alone = Sample(
            np.array([match.scores]), np.array([match.returns]), np.array([seen.row]), np.array([seen.close]),
            np.array(seen.uses),
        )  # fmt: skip
        samples += [alone] * int(one.chance / least)
    return told, joined(samples)


@pytest.mark.parametrize("players", [2, pytest.param(3, marks=pytest.mark.whole)])
def test_measures_of_all_games_are_what_is_worked_out_by_hand(players: int) -> None:
    told, seen = listed(players)
    setup = Setup.make(SPRINT, players)
    by_hand = sprints.measures(told)
    found = measures.measured(Look(setup, seen))
    for name, value in by_hand.items():
        assert found[name].value == pytest.approx(value, abs=1e-12), name
    fixed = {one.name for one in measures.FIXED if one.needs == measures.GAMES}
    assert fixed - by_hand.keys() == {"length-spread"}, "each is worked out"
    assert found["length-spread"].value == 0, "each game has four decisions"


def test_the_uses_of_actions_and_events_are_counted_by_hand() -> None:
    told, seen = listed(2)
    least = min(one.chance for one in told)
    for action, event in ((0, 0), (1, 0), (2, 1)):
        offered = made = seats = Fraction(0)
        wins = Fraction(0)
        for one in told:
            weight, seat, users = one.chance / least, -1, set()
            for actor, step in one.steps:
                seat = actor if actor >= 0 else seat
                if (actor >= 0 and step == action and not event) or (event and (actor, step) == (-1, 0)):
                    made += weight
                    users.add(seat)
            offered += weight * (0 if event else sum(n > action for n in one.choices))
            seats += weight * len(users)
            wins += weight * sum(one.shares()[user] for user in users)
        assert list(seen.uses[action]) == [offered, made, seats, wins * survey.PARTS]


def test_compiled_games_agree_with_the_list_of_all(size: Callable[[int, int], int]) -> None:
    """20,000 random games: each measure within five standard errors of the exact number."""
    setup = Setup.make(SPRINT, 2, bots="random")
    exact = sprints.measures(list(sprints.games(2)))
    found = measures.measured(Look(setup, sample(setup, 0, size(5_000, 20_000))))
    for name, value in exact.items():
        assert abs(found[name].value - value) <= 5 * found[name].error + 1e-12, name
    assert found["1st"].value == found["seat-1"].value, "the first seat begins"


def test_compiled_games_are_seen_as_the_same_steps_are_plain() -> None:
    """Games of other bots are looked at step by step: the rows of a game do not depend on the way."""
    setup = Setup.make(KUHN, bots="random")
    alone = sample(setup, 5, 1)
    together = sample(setup, 0, 130)
    for name in ("scores", "returns", "rows", "close"):
        assert np.array_equal(getattr(alone, name)[0], getattr(together, name)[5])
    assert np.array_equal(Sample.of(together.to_bytes()).close, together.close)
    parts = joined([sample(setup, 0, 64), sample(setup, 64, 66)])
    assert np.array_equal(parts.uses, together.uses)


def test_the_spread_of_lengths_is_the_coefficient_of_variation() -> None:
    """Kuhn poker between random players has two decisions with 3/4 and three with 1/4."""
    setup = Setup.make(KUHN, bots="random")
    found = measures.measured(Look(setup, sample(setup, 0, 4000)), ["length-spread", "1st"])
    exact = (3 / 16) ** 0.5 / 2.25
    assert abs(found["length-spread"].value - exact) < 5 * found["length-spread"].error
    assert abs(found["1st"].value - 9 / 16) < 5 * found["1st"].error


def test_a_bot_that_wins_no_more_than_its_share_has_no_skill() -> None:
    setup = Setup.make(KUHN, bots="random")
    alike = play_skill(setup, 500, "random")
    look = Look(setup, sample(setup, 0, 100), skill=alike)
    found = measures.measured(look, ["skill", "luck"])
    assert (found["skill"].value, found["luck"].value) == (0, 1), "the same deals in both seats cancel out"
    # One that always wins explains everything; one with 3/4 of the wins of two players half of what it could: 1/4.
    for won, skill, luck in ((1.0, 1.0, 0.0), (0.75, 0.5, 0.75)):
        deals = np.zeros((400, 2, 2))
        for deal in range(400):
            for seat in range(2):
                strong = seat if deal < 400 * won else 1 - seat
                deals[deal, seat, strong] = 1
        found = measures.measured(Look(setup, look.sample, skill=Skill("a", "b", deals)), ["skill", "luck"])
        assert (found["skill"].value, found["luck"].value) == pytest.approx((skill, luck))


def test_the_stakes_of_the_last_decision_are_worked_out_by_hand(size: Callable[[int, int], int]) -> None:
    """One round for two; positions are drawn from both decisions alike."""
    box = SPRINT.edition().changed({"rounds": 1})
    setup = Setup.make(SPRINT, 2, edition=box, bots="random")
    # The value of safe and of risk for the second player, by the points of the first; then for the first player.
    second = {0: (1.0, 0.5 + 0.25), 1: (0.5, 0.5), 3: (0.0, 0.25)}
    first = (Fraction(1, 2) * Fraction(1, 2) + Fraction(1, 4) * 0 + Fraction(1, 4) * 1,
             Fraction(1, 2) * (Fraction(1, 2) * 1 + Fraction(1, 4) * Fraction(1, 2) + Fraction(1, 4))
             + Fraction(1, 2) * Fraction(1, 4) * Fraction(1, 2))  # fmt: skip
    chances = {0: 0.25, 1: 0.5, 3: 0.25}
    positions = [(0.5, tuple(map(float, first))), *((chances[n] / 2, second[n]) for n in second)]
    gain = sum(chance * abs(safe - risk) / 2 for chance, (safe, risk) in positions)
    variance = sum(chance * (safe - risk) ** 2 / 2 for chance, (safe, risk) in positions)
    stakes = decision_values.play_stakes(setup, size(4000, 20_000), 64)
    look = Look(setup, sample(setup, 0, 10), stakes=stakes)
    found = measures.measured(look, ["stakes", "decisiveness"])
    assert abs(found["stakes"].value - gain) < 5 * found["stakes"].error + 0.01, "the best may be missed"
    assert found["decisiveness"].value == pytest.approx(variance**0.5, abs=5 * found["decisiveness"].error)


def test_decisions_are_valued_alike_plain_and_compiled() -> None:
    setup = Setup.make(KUHN, bots="random")
    start, games, found = setup.shape.start(), 12, []
    for engine in (interpret(KUHN), compile(KUHN)):
        probe = Probe(6, engine.reals(2, 2), engine.reals(2), engine.reals(games, probing.COLUMNS))
        engine.probing.probe_games(
            engine.states(start, 1), engine.states(start, 3), engine.integers(2), engine.integers(2, RNG_SIZE),
            Games(3, 0, games, 100), engine.buffers(start), probe,
        )  # fmt: skip
        found.append([list(map(float, row)) for row in probe.rows])
    assert found[0] == found[1]
    assert len({tuple(row) for row in found[0]}) > 2


def test_what_is_asked_wrongly_is_refused_in_a_sentence() -> None:
    setup = Setup.make(KUHN, bots="random")
    with pytest.raises(UnknownName, match="no measure 'luk' of kuhn"):
        measures.chosen(setup, ["luk"])
    with pytest.raises(BadSetup, match="3 bots were named for 2 seats"):
        Setup.make(KUHN, bots=["random"] * 3)
    with pytest.raises(BadSetup, match="compiled bots only"):
        decision_values.play_stakes(Setup.make(KUHN, bots="hard"), 10)


def test_there_are_twenty_measures_and_each_says_what_it_is() -> None:
    assert len(measures.FIXED) >= 20
    for one in measures.all_measures(Setup.make(SPRINT)).values():
        assert all((one.title, one.formula, one.source)), one.name


def test_games_with_bots_that_search_are_measured_in_processes() -> None:
    setup = Setup.make(SPRINT, bots=["hard", "random"])
    found = play(setup, 2, ["decisions", "turns"])
    assert found.look.sample.games == 2
    estimate = found.estimate("decisions")
    assert estimate is not None
    assert estimate.value == 4
