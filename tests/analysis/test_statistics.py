"""What is counted, against what can be worked out otherwise: plain play, known chances, known numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.analysis.retracing import retrace
from parlour.analysis.shapes import shapes
from parlour.analysis.statistics import Spread, gather, spread
from parlour.core.contract import CHANCE, TERMINAL
from parlour.core.errors import BadSetup, UnknownName
from parlour.core.facts import Option
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.rng import RNG_SIZE, random_below, seed_rng
from parlour.core.struct import copy
from parlour.engine import interpret, survey
from parlour.engine.work import Games, Results
from tests.conformance.cases import pig

FORTUNE = parlour.find("fortune")
KUHN = Game("kuhn", "tests.fixtures.kuhn")


def test_kuhn_poker_between_random_players_is_what_can_be_worked_out() -> None:
    """Each decides by a coin: three decisions with 1/4, else two."""
    (shape,) = shapes(KUHN)
    found = gather(shape, games=20_000)
    assert (found.decisions.least, found.decisions.most, found.steps.most) == (2, 3, 5)
    assert found.decisions.mean == pytest.approx(2.25, abs=0.02)
    assert found.steps.mean == pytest.approx(found.decisions.mean + 2)
    assert found.order == found.seats, "the first seat begins"
    # With 5/8 cards are shown, which is even; bet, pass (1/4) wins for the first; pass, bet, pass (1/8) for the second.
    assert found.seats[0].low < 5 / 16 + 1 / 4 < found.seats[0].high
    assert sum(seat.share for seat in found.seats) == pytest.approx(1)
    assert (found.endings, found.events, found.counts) == ({}, {}, {})
    assert (found.shared, found.unfinished, found.bound) == (0, 0, 10)
    assert (found.scores.least, found.scores.most, found.scores.mean) == (-2, 2, 0)
    assert found.winners.least == 1


def test_a_game_that_begins_with_a_drawn_seat_is_counted_in_turn_order(size: Callable[[int, int], int]) -> None:
    """A random first seat is not an advantage by seat; where a turn ends the game it is one by turn order."""
    shape = shapes(FORTUNE, players=4, edition="classic-35", options={"target": "5000"})[0]
    found = gather(shape, ["greedy"], games=size(800, 2000))
    assert found.order[0].low > 1 / 4 > found.order[3].high
    assert all(abs(seat.share - 1 / 4) < 0.04 for seat in found.seats)
    mixed = gather(shape, ["greedy", "random", "random", "random"], games=20)
    assert mixed.order == ()
    assert mixed.seats[0].share > 0.9


def test_the_rows_are_what_plain_play_gives_step_by_step() -> None:
    engine, rules, watched = interpret(FORTUNE), FORTUNE.rules, FORTUNE.events
    assert watched
    start = FORTUNE.start(3, FORTUNE.edition(), FORTUNE.options({"target": "5000"}))
    kinds = len(watched.EVENTS)
    rows = engine.integers(1, survey.EVENTS + kinds + len(watched.COUNTS))
    bots, rng = engine.integers(3), engine.integers(RNG_SIZE)
    totals, shares = engine.integers(1, 3), engine.reals(1, 3)
    engine.survey.watch_games(
        engine.states(start, 1), engine.states(start, 1), bots, rng, Games(9, 4, 1, 10**6),
        engine.buffers(start), Results(totals, shares, rows), engine.close(3, 0, kinds),
    )  # fmt: skip
    state, twin, out = copy(start), [0] * RNG_SIZE, [0] * rules.MAX_LEGAL
    seed_rng(twin, 9, 4)
    decisions = steps = 0
    happened, first = [0] * kinds, -1
    while (player := rules.current_player(state)) != TERMINAL:
        if player == CHANCE:
            action = rules.sample_chance(state, twin)
            if state.phase == 0:
                first = action
        else:
            action = out[random_below(twin, rules.legal_actions(state, out))]
            decisions += 1
        steps += 1
        mask = watched.events(state, action)
        happened = [n + (mask >> i & 1) for i, n in enumerate(happened)]
        rules.apply(state, action)
    assert list(rows[0][: survey.EVENTS]) == [decisions, steps, first, watched.ending(state)]
    assert list(rows[0][survey.EVENTS :]) == [*happened, watched.count(state, 0)]
    assert list(totals[0]) == state.scores[:3]
    assert sum(shares[0]) == pytest.approx(1)
    assert sum(happened)


class Coin(parlour.Bot):
    """Decides by the toss of a coin, as a random bot does."""

    def choose(self, view: Any) -> int:
        return int(view.rng.choice(view.legal_actions()))


class Tired(parlour.Bot):
    """Fails at its first decision."""

    def choose(self, view: Any) -> int:
        raise RuntimeError(f"too tired to look at {view.seat}")


def test_games_with_other_bots_are_counted_step_by_step_as_the_compiled_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """The row of a whole game by the plain loop, and that of a match to which all its steps were given."""
    engine, watched = interpret(FORTUNE), FORTUNE.events
    assert watched
    match = Match(FORTUNE, 3, options={"target": "5000"}, auto=False)
    rules, kinds = engine.survey.rules, len(watched.EVENTS)

    def applied(state: Any, action: int) -> None:
        match.step(action)
        rules.apply(state, action)

    monkeypatch.setattr(engine.survey, "rules", SimpleNamespace(**{**vars(rules), "apply": applied}))
    rows = engine.integers(1, survey.EVENTS + kinds + len(watched.COUNTS))
    start = FORTUNE.start(3, FORTUNE.edition(), FORTUNE.options({"target": "5000"}))
    engine.survey.watch_games(
        engine.states(start, 1), engine.states(start, 1), engine.integers(3), engine.integers(RNG_SIZE),
        Games(9, 4, 1, 10**6), engine.buffers(start),
        Results(engine.integers(1, 3), engine.reals(1, 3), rows), engine.close(3, 0, kinds),
    )  # fmt: skip
    assert match.over
    monkeypatch.undo()
    assert retrace(match).row == list(rows[0])


def test_any_bot_can_be_counted() -> None:
    """A class, one that searches, and a known one; what they do is what such games give when they are compiled."""
    (shape,) = shapes(KUHN)
    found = gather(shape, [Coin, "random"], games=400, seed=3)
    assert (found.games, found.unfinished, found.faults) == (400, 0, ())
    assert found.bots == ("tests.analysis.test_statistics:Coin", "random")
    assert found.seats[0].low < 5 / 16 + 1 / 4 < found.seats[0].high
    assert found.decisions.mean == pytest.approx(2.25, abs=0.08)
    assert gather(shape, [Coin, "random"], games=400, seed=3) == found
    assert gather(shape, ["easy", "random"], games=2).games == 2
    lost = gather(shape, [Tired, "random"], games=3)
    assert (lost.games, lost.unfinished) == (3, 3)
    assert len(lost.faults) == 3
    assert "too tired" in lost.faults[0]


def test_statistics_are_repeatable_and_for_programs() -> None:
    shape = shapes(FORTUNE, players=2)[0]
    one = gather(shape, games=150, seed=3, threads=1)
    assert gather(shape, games=150, seed=3, threads=2) == one
    data = one.as_dict()
    assert data["game"] == "fortune"
    assert data["edition"] == "shafir-35"
    assert data["seats"][0]["share"] == one.seats[0].share
    assert data["events"]["Full Chest"]["mean"] == one.events["Full Chest"].mean
    assert set(data["endings"]) == {
        "first to cross the finish line wins", "overtaken in the final round", "round limit",
    }  # fmt: skip
    assert sum(data["endings"].values()) == pytest.approx(1)


def test_games_that_are_cut_short_are_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.engine.simulate.MOST", 5)
    found = gather(shapes(FORTUNE, players=2)[0], games=10)
    assert (found.unfinished, found.decisions.most) == (10, 5)
    assert (found.seats, found.shared, set(found.endings.values())) == ((), 0, {0})


def test_spread_is_made_of_values_that_occur() -> None:
    assert spread(np.arange(1, 101)) == Spread(50.5, 1, 5, 25, 50, 75, 95, 100)
    assert spread(np.array([7])) == Spread(7, 7, 7, 7, 7, 7, 7, 7)
    assert spread(np.zeros(0, np.int64)).mean == 0


def test_every_ruleset_edition_and_number_of_players_is_a_shape() -> None:
    assert [(s.edition, s.players) for s in shapes(FORTUNE)] == [
        (edition, players) for edition in ("shafir-35", "classic-35") for players in (2, 3, 4)
    ]
    assert [str(s) for s in shapes(FORTUNE, 3, "classic-35", {"target": "5000"})] == [
        "fortune classic-35 3p target=5000"
    ]
    assert [s.variant for s in shapes(pig())] == ["", "", ""]
    game = Game("pig", "made_from_docs.pig")
    option = Option("ruleset", ("basic", "full"), "PI-1", "Two games in one.")
    game.__dict__["facts"] = replace(game.facts, options=(*game.facts.options, option))
    assert [(s.variant, s.players) for s in shapes(game, 2)] == [("basic", 2), ("full", 2)]
    assert [s.ruleset for s in shapes(game, 2, options={"ruleset": "full"})] == ["full"]


def test_what_cannot_be_counted_is_refused() -> None:
    with pytest.raises(BadSetup, match="2 to 4 players"):
        shapes(FORTUNE, 7)
    with pytest.raises(UnknownName, match="shafir-35"):
        shapes(FORTUNE, edition="x")
    with pytest.raises(UnknownName, match="target"):
        shapes(FORTUNE, options={"target": "1"})
    shape = shapes(FORTUNE)[0]
    with pytest.raises(BadSetup, match="3 bots were named for 2"):
        gather(shape, ["random"] * 3)
    with pytest.raises(UnknownName, match="Allowed: expert, hard, medium, easy, random"):
        gather(shapes(KUHN)[0], ["greedy"])
    with pytest.raises(BadSetup, match="at least one game"):
        gather(shape, games=0)
