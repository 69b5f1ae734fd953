"""The solved turn: it agrees with the rules themselves, decision by decision, and with exact fractions."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from parlour.core.rng import RNG_SIZE, seed_rng
from parlour.core.struct import copy
from parlour.engine import interpret
from parlour.games.fortune import rules as r
from parlour.games.fortune.study import exact, follow, lattice, turn, turns
from parlour.games.fortune.study.positions import Turn, position
from tests.games.fortune.solved import ALL, FORTUNE, OPTIONS, ends, solved


def legal(state: Any) -> list[int]:
    out = [0] * r.MAX_LEGAL
    return out[: r.legal_actions(state, out)]


def outcomes(state: Any) -> list[tuple[Any, int]]:
    """Every state that chance leads to, with its weight."""
    out, weights = [0] * r.MAX_OUTCOMES, [0] * r.MAX_OUTCOMES
    found = []
    for i in range(r.chance_outcomes(state, out, weights)):
        after = copy(state)
        r.apply(after, out[i])
        found.append((after, weights[i]))
    return found


def mean(state: Any, value: Any) -> float:
    found = outcomes(state)
    return float(sum(weight * value(after) for after, weight in found) / sum(weight for _, weight in found))


def positions(card: int, which: int, number: int) -> list[Any]:
    """Decisions that come up when the turn is played at random, more of them late in the turn."""
    chance = random.Random(card * 10 + which)
    found: list[Any] = []
    while len(found) < number:
        state = copy(solved(card, which)[0])
        while state.phase in (r.ROLL, r.DECIDE):
            if state.phase == r.DECIDE:
                found.append(copy(state))
                r.apply(state, chance.choice(legal(state)))
            else:
                after, weights = zip(*outcomes(state), strict=True)
                state = chance.choices(after, weights)[0]
    return found[:number]


@pytest.mark.parametrize(("card", "which"), ALL)
def test_every_decision_is_worth_the_mean_of_what_the_rules_make_of_it(card: int, which: int) -> None:
    """FO-6 to FO-24: Bellman's equation, legality, chance and scoring from `rules` alone. On the Island in losses."""
    _, t, v = solved(card, which)

    def best(state: Any) -> float:
        if state.phase != r.DECIDE:
            return float(state.loss if state.fate == r.ISLAND else state.worth)
        return max(turn.worth_of(state, action, t, 0, v, 0) for action in legal(state))

    tried = 0
    for state in positions(card, which, 4):
        for action in legal(state):
            after = copy(state)
            r.apply(after, action)
            if action == r.STOP:
                assert turn.worth_of(state, action, t, 0, v, 0) == best(after)
            elif r.dice_in_air(after) <= 3 or state.island:
                expected = mean(after, best)
                assert turn.worth_of(state, action, t, 0, v, 0) == pytest.approx(expected, rel=1e-9, abs=1e-7)
                tried += 1
    assert tried > 3


@pytest.mark.parametrize("card", [r.STORM, r.CHEST, r.SORCERESS, r.SKULLS_2])
def test_the_turn_is_the_mean_over_all_first_rolls(card: int) -> None:
    """FO-5, FO-13: before the first roll; the Island brings the player nothing."""
    state, t, v = solved(card)

    def best(state: Any) -> float:
        if state.phase != r.DECIDE:
            return float(state.worth)
        return 0.0 if state.island else max(turn.worth_of(state, action, t, 0, v, 0) for action in legal(state))

    assert turn.start(t, 0, v, 0, 0.0) == pytest.approx(mean(state, best), rel=1e-9)


def brute(state: Any) -> float:
    """The best expected points, or losses on the Island, by trying everything: for turns that cannot come back."""
    if state.phase == r.ROLL:
        return mean(state, brute)
    if state.phase != r.DECIDE:
        return float(state.loss if state.fate == r.ISLAND else state.worth)
    found = []
    for action in legal(state):
        after = copy(state)
        r.apply(after, action)
        found.append(brute(after))
    return max(found)


@pytest.mark.parametrize(
    ("card", "dice"),
    [
        ("storm", "skull skull gold sword diamond diamond monkey parrot"),
        ("captain", "skull skull skull skull skull gold sword monkey"),
        ("skulls-1", "skull skull skull skull parrot parrot gold sword"),
    ],
)
def test_brute_force_finds_the_same(card: str, dice: str) -> None:
    """FO-14, FO-15, FO-23: a Storm after its first roll, and the Island."""
    match = position(FORTUNE, Turn(card, dice.split()))
    _, t, v = solved(match.state.card)
    best = max(turn.worth_of(match.state, action, t, 0, v, 0) for action in legal(match.state))
    assert best == pytest.approx(brute(match.state), rel=1e-9)


@pytest.mark.parametrize("which", range(len(OPTIONS)))
def test_what_may_lie_is_what_the_rules_let_lie(which: int) -> None:
    """FO-6, FO-18: for every decision off the Island the parts marked in the table are the legal re-rolls, no more."""
    for card in (r.SORCERESS, r.SKULLS_1):
        state, t, _ = solved(card, which)
        sample = random.Random(which).sample(outcomes(state), 60)
        for after, _ in sample:
            if after.phase == r.DECIDE and not after.island:
                count = after.count
                free = r.encode(*count[1:], 0)
                own = {0}
                for action in range(r.N_ACTIONS):
                    dice = r.SETS[action]
                    fits = all((dice >> 4 * face & 15) <= count[face] for face in range(r.N_FACES))
                    if fits and (action < r.N_SETS or count[r.SKULL]) and action % r.N_SETS <= free:
                        row, node = turn.left(after, action, t, 0)
                        may = lattice.FREE if dice & 15 else lattice.ROLL
                        if action and t[may + row % lattice.LEVELS][node] and (dice & 15 or r.skulls(after) < 3):
                            own.add(action)
                assert own == set(legal(after))


@pytest.mark.parametrize("card", [r.CARD_GOLD, r.SORCERESS, r.CHEST, r.SEA_3])
def test_exact_fractions_agree_and_are_a_fixed_point(card: int) -> None:
    _, t, v = solved(card)
    found = exact.Turn(t, v).value()
    assert isinstance(found, Fraction)
    assert found.denominator > 6**8
    assert float(found) == pytest.approx(turn.start(t, 0, v, 0, 0.0), rel=1e-11)


def test_exact_fractions_do_not_depend_on_where_they_start() -> None:
    """Choices taken from values that are wrong are found out and replaced."""
    _, t, v = solved(r.CHEST)
    rough = [list(row) for row in v]
    turn.fill_points(t, 0, rough, 0)
    turn.solve(t, 0, rough, 0, 200.0)
    assert turn.start(t, 0, rough, 0, 0.0) != pytest.approx(turn.start(t, 0, v, 0, 0.0), rel=1e-6)
    assert exact.Turn(t, rough).value() == exact.Turn(t, v).value()


@pytest.mark.parametrize("card", range(r.N_CARDS))
def test_what_comes_of_the_turn_adds_up_to_its_value(card: int) -> None:
    _, t, v = solved(card)
    found = ends(card)
    assert sum(found[: follow.LOST]) == pytest.approx(1.0, abs=1e-8)
    points = sum(chance * (i - follow.DEEP) * follow.STEP for i, chance in enumerate(found[: follow.GAINS]))
    losses = sum(found[follow.LEFT + level] * t[0][lattice.LOSS + level] for level in range(lattice.LEVELS))
    assert points == pytest.approx(turn.start(t, 0, v, 0, 0.0), abs=1e-5)
    assert losses == pytest.approx(turn.start(t, 0, v, 0, 1.0) - turn.start(t, 0, v, 0, 0.0), abs=1e-5)


@pytest.mark.parametrize("card", [r.CAPTAIN, r.CHEST, r.SEA_2])
def test_played_on_the_real_rules_it_brings_what_it_says(card: int) -> None:
    """FO-8, FO-16, FO-19: 250 turns, the mean within four standard errors; as many disqualified as foretold."""
    state, t, v = solved(card)
    rng = [0] * RNG_SIZE
    worths, lost, turns_played = [], 0, 250
    for number in range(turns_played):
        seed_rng(rng, 5, number)
        played = copy(state)
        while played.phase in (r.ROLL, r.DECIDE):
            if played.phase == r.ROLL:
                r.apply(played, r.sample_chance(played, rng))
            else:
                r.apply(played, max(legal(played), key=lambda action: turn.worth_of(played, action, t, 0, v, 0)))
        worths.append(played.worth)
        lost += played.fate == r.DISQUALIFIED
    average = sum(worths) / turns_played
    spread = (sum((worth - average) ** 2 for worth in worths) / turns_played) ** 0.5
    assert abs(average - turn.start(t, 0, v, 0, 0.0)) < 4 * spread / turns_played**0.5
    share = ends(card)[follow.LOST]
    assert abs(lost / turns_played - share) < 4 * (share * (1 - share) / turns_played) ** 0.5


def test_advice_on_a_position() -> None:
    match = position(FORTUNE, Turn("captain", ["skull"] * 2 + ["gold"] * 4 + ["diamond"] * 2))
    advice = turns.prospects(match, interpret(FORTUNE), "points")
    assert advice.decisions[0].move == advice.move == "stop"
    assert advice.decisions[0].points == 2 * (200 + 600)
    assert advice.decisions[0].disqualified == 0.0
    assert advice.scores == {1600: 1.0}
    other = turns.prospects(match, interpret(FORTUNE), "points", advice.decisions[1].move)
    assert sum(other.scores.values()) == pytest.approx(1.0)
    row = next(row for row in other.decisions if row.move == other.move)
    assert sum(points * chance for points, chance in other.scores.items()) == pytest.approx(row.points)
    assert len(advice.decisions) == len(match.legal_actions())
