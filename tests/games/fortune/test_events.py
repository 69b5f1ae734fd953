"""`events.py` foretells what an action brings; here it is read from what came."""

from __future__ import annotations

import pytest

import parlour
from parlour.core.contract import CHANCE, TERMINAL
from parlour.core.rng import RNG_SIZE, random_below, seed_rng
from parlour.core.struct import copy
from parlour.games.fortune import rules as r
from parlour.games.fortune.study import events
from tests.games.fortune.table import Table

FORTUNE = parlour.find("fortune")


def came(before: r.State, after: r.State, started: bool) -> int:
    """Return the events between two states, by looking at both."""
    happened = 0
    if after.turns > before.turns:
        lost = after.fate == r.DISQUALIFIED
        happened |= events.DISQUALIFIED if lost else 0
        happened |= events.BATTLE_LOST if r.swords_needed(after) and after.worth < 0 else 0
        happened |= events.TRUCE_BROKEN if after.card == r.TRUCE and after.worth < 0 else 0
        happened |= events.BIG_TURN if after.worth >= 2000 and not lost else 0
        scored = after.fate == r.STOPPED and after.worth >= r.FULL_CHEST
        happened |= events.CHEST if scored and r.full_chest(after) else 0
    happened |= events.ISLAND if after.island and not before.island else 0
    happened |= events.FREED if after.spell and not before.spell else 0
    return happened | (events.FINAL if started and after.phase == r.ROLL else 0)


def choose(state: r.State, out: list[int], n: int, rng: list[int]) -> int:
    """Stops with 500 points, or now and then; else re-rolls at random. So lines are crossed and chests filled."""
    if r.worth_now(state) >= 500 or random_below(rng, 6) == 0:
        return r.STOP
    return out[random_below(rng, n)]


@pytest.mark.parametrize("edition", FORTUNE.editions)
def test_events_and_endings_are_what_came(edition: str) -> None:
    rng, out = [0] * RNG_SIZE, [0] * r.MAX_LEGAL
    seen, ended = 0, set()
    for game in range(150):
        seed_rng(rng, 3, game)
        options = {"target": "5000", "round_limit": "100", "storm_scoring": "sets_doubled"}
        state = FORTUNE.start(2 + game % 3, FORTUNE.edition(edition), FORTUNE.options(options))
        first = finisher = r.NOBODY
        started = False
        while (player := r.current_player(state)) != TERMINAL:
            n = r.legal_actions(state, out)
            action = r.sample_chance(state, rng) if player == CHANCE else choose(state, out, n, rng)
            foretold, before = events.events(state, action), copy(state)
            r.apply(state, action)
            assert foretold == came(before, state, started), (game, before)
            seen |= foretold
            first = action if before.phase == r.DRAW_SEAT else first
            if state.turns > before.turns:
                started = before.finisher == r.NOBODY != state.finisher
                finisher = state.finisher if started else finisher
            elif state.phase == r.ROLL:
                started = False
        assert events.starter(state) == first
        assert (events.count(state, 0) - 1) * state.players < state.turns <= events.count(state, 0) * state.players
        ending = events.ending(state)
        best = max(state.scores[: state.players])
        assert ending == (2 if best <= 5000 else 0 if state.scores[finisher] == best else 1)
        ended.add(ending)
    never = events.TRUCE_BROKEN if edition == "classic-35" else 0  # it has no Truce
    assert seen == (1 << len(events.EVENTS)) - 1 - never
    assert {0, 1} <= ended <= {0, 1, 2}


@pytest.mark.parametrize(
    ("scoring", "worth", "big"), [("flat", 1000, 0), ("sets", 1500, 0), ("sets_doubled", 2000, events.BIG_TURN)]
)
def test_fo_23_a_storm_that_ends_by_itself_may_be_a_big_turn(scoring: str, worth: int, big: int) -> None:
    table = Table(storm_scoring=scoring).turn("storm", "4 gold 2 sword 2 parrot")
    table.move("re-roll " + " ".join(map(str, table.places("2 parrot"))))
    step = table.match.force("dice gold skull")
    assert (step.after.fate, step.after.worth) == (r.STORM_OVER, worth)
    assert events.events(step.before, step.action) == big


def test_a_game_that_reaches_the_limit_says_so() -> None:
    state = r.State(players=2, target=8000, turns=200, phase=r.OVER)
    state.scores[:2] = [8000, 100]
    assert events.ENDINGS[events.ending(state)] == "round limit"
    assert events.count(state, 0) == 100
