"""Chance as it is enumerated, sampled and said; what a seat sees."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import factorial, prod

import pytest

from parlour.core.rng import RNG_SIZE, seed_rng
from parlour.core.scene import SPECTATOR
from parlour.core.struct import flatten
from parlour.games import find
from parlour.games.fortune import rules as r
from tests.games.fortune.table import NOTHING, Table, lay

FORTUNE = find("fortune")


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6])
def test_fo_01_weights_of_a_roll_are_those_of_brute_force(n: int) -> None:
    brute = Counter(tuple(roll.count(face) for face in range(6)) for roll in product(range(6), repeat=n))
    table = Table(sorceress_alone="true").turn("sorceress", "8 gold")
    state = table.state
    state.count[r.GOLD] -= n
    state.rolled = (1 << n) - 1
    state.phase = r.ROLL
    outcomes, weights = table.match.chance_outcomes()
    given = {tuple(o >> 4 * face & 15 for face in range(6)): w for o, w in zip(outcomes, weights, strict=True)}
    assert given == brute
    assert len(outcomes) == len(set(outcomes)) == len(given)
    rng = [0] * RNG_SIZE
    seed_rng(rng, n, 0)
    assert {r.sample_chance(state, rng) for _ in range(200)} <= set(outcomes)


def test_fo_01_weights_of_eight_dice_are_multinomial() -> None:
    table = Table()
    table.match.force("card captain")
    outcomes, weights = table.match.chance_outcomes()
    assert len(outcomes) == r.MAX_OUTCOMES == 1287
    for outcome, weight in zip(outcomes, weights, strict=True):
        assert weight == factorial(8) // prod(factorial(outcome >> 4 * face & 15) for face in range(6))


def test_outcomes_are_said_and_read() -> None:
    table = Table()
    for due in ("card gold", None):
        for outcome in table.match.chance_outcomes()[0]:
            text = FORTUNE.text.format_outcome(table.state, outcome)
            assert FORTUNE.text.parse_outcome(table.state, text) == outcome
        if due:
            table.match.force(due)


def test_fo_03_any_seat_may_be_drawn_and_any_card() -> None:
    rng = [0] * RNG_SIZE
    seed_rng(rng, 1, 0)
    fresh = FORTUNE.start(4, FORTUNE.edition(), FORTUNE.options())
    assert {r.sample_chance(fresh, rng) for _ in range(100)} == {0, 1, 2, 3}
    assert {r.sample_chance(Table().state, rng) for _ in range(1000)} == set(range(r.N_CARDS))


# What is seen --------------------------------------------------------------------------------------
def test_an_observation_starts_with_its_own_seat_and_hides_nothing() -> None:
    table = Table(3).totals(100, 200, 300).turn("captain", "1 skull 7 gold")
    out = [0] * FORTUNE.rules.OBSERVATION_SIZE
    assert r.observation(table.state, 1, out) == FORTUNE.rules.OBSERVATION_SIZE
    assert out[16:20] == [200, 300, 100, 0]
    assert out[2] == 2  # seat 1 is two places after seat 2
    assert out[20 + r.N_CARDS + r.CAPTAIN] == 1
    assert out[-9:] == [*table.state.dice, r.NOBODY]
    assert out[15] == 100
    r.observation(table.state, SPECTATOR, out)
    assert out[16:20] == [100, 200, 300, 0]
    assert out[2] == 0


def test_fo_04_an_observation_tells_the_next_card_once_the_whole_cycle_has_been_seen() -> None:
    table = Table(edition="classic-35")
    state, out = table.state, [0] * FORTUNE.rules.OBSERVATION_SIZE
    pile = [kind for kind in range(r.N_CARDS) for _ in range(state.deck[kind])]
    for turn in range(2 * len(pile)):
        r.observation(state, 0, out)
        assert out[-1] == (r.NOBODY if turn < len(pile) else pile[turn % len(pile)])
        table.turn(r.CARDS[pile[turn % len(pile)]], "2 sword 3 monkey 3 parrot").stop().totals(0, 0)
    shuffled = Table(pile="reshuffle").state
    shuffled.turned = shuffled.deck_size
    assert r.next_card(shuffled) == r.NOBODY


def test_fo_04_nothing_but_the_order_of_the_pile_is_unknown_and_it_is_not_in_the_state() -> None:
    table = Table().turn("captain", NOTHING)
    before = flatten(table.state)
    rules = FORTUNE.rules
    assert not rules.hidden_information(table.state)
    for player in (0, 1):
        rules.resample(table.state, player, [1, 2, 3, 4])
        assert flatten(table.state) == before
        assert rules.observed_action(table.state, 5, player) == 5


def test_the_facts_bound_what_is_observed_as_the_editions_and_clauses_do() -> None:
    said = {part.name: part for part in FORTUNE.facts.observed}
    worths, losses = set(), set()
    most = {"storm_scoring": "sets_doubled"}
    bounds = {name: part.bounds for name, part in FORTUNE.edition().components.items()}
    highest = FORTUNE.edition().changed({"sea_battle_bonus": [bounds["sea_battle_bonus"].most] * 3})
    fullest = FORTUNE.start(2, highest, FORTUNE.options(most))
    assert all(fullest.deck)
    assert bounds["deck"].most == said["cards not turned"].most
    for i in range(r.FIRST_ROLL[r.N_DICE], r.FIRST_ROLL[r.N_DICE + 1]):
        lay(fullest, [face for face in range(r.N_FACES) for _ in range(r.ROLLS[i] >> 4 * face & 15)])
        for fullest.card in range(r.N_CARDS):
            fullest.island = 0
            worths |= {r.worth_if_stopped(fullest), r.worth_if_disqualified(fullest)}
            fullest.island = 1
            losses.add(r.island_loss(fullest))
    assert (min(worths), max(worths)) == (said["worth of the turn"].least, said["worth of the turn"].most)
    assert (min(losses), max(losses)) == (said["loss of each opponent"].least, said["loss of each opponent"].most)
    targets = [int(value) for option in FORTUNE.facts.options if option.name == "target" for value in option.values]
    assert (min(targets), max(targets)) == (said["target"].least, said["target"].most)
    assert said["totals"].most == max(targets) + max(worths)  # FO-25: from the line, one turn more


def test_before_the_end_nobody_has_won() -> None:
    table = Table(3)
    assert table.match.returns == [0.0, 0.0, 0.0]
    assert table.match.winners == ()
    out = [1] * r.MAX_OUTCOMES
    table.turn("captain", NOTHING)
    assert r.chance_outcomes(table.state, out, out) == 0
