"""Pig's solution (docs/add-a-game.md, section 9): a second solver behind the seam that Fortune's uses."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

import parlour
from parlour import bots, games
from parlour.bots import View
from parlour.bots.listing import listing
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.solving import solution
from parlour.core.struct import copy
from parlour.engine import interpret
from parlour.engine.compiled import compile
from tests.cli.conftest import Cli, cli
from tests.conformance.cases import pig
from tests.found import added

PUBLISHED = 0.5306  # Neller and Presser, "Optimal Play of the Dice Game Pig", The UMAP Journal 25 (1), 2004

__all__ = ["cli"]


@pytest.fixture
def found() -> Iterator[Game]:
    """Pig, among the games that Parlour finds."""
    with added(pig()):
        yield games.find("pig")


def test_whoever_begins_wins_as_often_as_was_published(cli: Cli, found: Game) -> None:
    done = cli("solve", found.name, "--json")
    assert done.status == 0, done.err
    assert round(json.loads(done.out)["first"], 4) == PUBLISHED
    assert cli("solve", "pig").out == "The first player wins 53.06% of the games.\n"
    shorter = json.loads(cli("solve", "pig", "-o", "target=50", "--json").out)
    assert PUBLISHED < shorter["first"] < 0.6


def test_every_decision_is_worth_the_mean_of_what_the_rules_make_of_it() -> None:
    """PI-2 to PI-4: Bellman's equation over positions at random; legality, dice and turns from the rules alone."""
    game, engine, choice = pig(), compile(pig()), random.Random(1)
    start = game.start(2, game.edition(), game.options({}))
    workspace = solution(game).workspace(game, engine, start)
    r, out, found = game.rules, engine.integers(2), engine.reals(2)

    def values(state: Any) -> dict[int, float]:
        n = engine.solver.values(0, engine.states(state, 2), out, workspace, found)
        return {int(out[i]): float(found[i]) for i in range(n)}

    def value(state: Any) -> float:
        """To the first seat."""
        if state.over:
            shares = [0.0] * 4
            r.returns(state, shares)
            return shares[0]
        best = max(values(state).values())
        return best if state.player == 0 else 1.0 - best

    for _ in range(300):
        state = copy(start)
        state.scores[:2] = choice.randrange(100), choice.randrange(100)
        state.total = choice.choice([0, *range(2, 60)])
        worths = values(state)
        assert sorted(worths) == ([r.HOLD, r.ROLL] if state.total else [r.ROLL])
        for action, worth in worths.items():
            after = copy(state)
            r.apply(after, action)
            ends = [copy(after) for _ in range(6)] if after.rolling else [after]
            for face, end in enumerate(ends):
                if after.rolling:
                    r.apply(end, face)
            assert worth == pytest.approx(sum(map(value, ends)) / len(ends), abs=1e-8)


def test_its_bot_plays_compiled_and_begins_as_well_as_is_said() -> None:
    result = parlour.simulate(pig(), bots="optimal", games=10_000, seed=1)
    wins = float(result.returns[:, 0].mean())
    assert abs(wins - PUBLISHED) < 4 * (PUBLISHED * (1 - PUBLISHED) / 10_000) ** 0.5
    beside = parlour.simulate(pig(), bots=["optimal", "random"], games=1_000, seed=1)
    assert beside.returns[:, 0].mean() > 0.85


def test_its_bot_plays_the_same_in_plain_python_and_with_more_players() -> None:
    game = pig()
    engines = (interpret(game), compile(game))
    for players in (2, 3):
        match = Match(game, players, seed=4, options={"target": "50"})
        for _ in range(25):
            view = View.of(match, match.current_player)
            plain, compiled = (bots.find(game, "optimal").choose(view, engine) for engine in engines)
            assert plain == compiled
            match.play(plain)
            if match.over:
                break


def test_hints_ask_it_where_it_is_exact_and_the_search_elsewhere() -> None:
    assert bots.names(pig())[0] == "optimal"
    assert listing(pig())[0].about.startswith("plays for the chance to win")
    adviser, engine = bots.adviser(pig(), simulations=50), compile(pig())
    for players, simulations in ((2, 0), (3, 50)):
        match = Match(pig(), players, seed=1, auto=False)
        match.advance(match.parse("roll"))
        match.force("die 4")
        advice = adviser.advise(View.of(match, match.current_player), engine)
        assert advice.simulations == simulations
        assert [choice.chance is not None for choice in advice.choices] == [True, True]


def test_advise_on_a_position_and_on_a_record(cli: Cli, found: Game) -> None:
    done = cli("advise", "pig", "--scores", "30,40", "--total", "20", "--json")
    assert done.status == 0, done.err
    decisions = json.loads(done.out)["decisions"]
    assert {row["move"] for row in decisions} == {"hold", "roll"}
    assert decisions[0]["win"] > decisions[1]["win"]
    options_first = cli("advise", "--scores", "30,40", "--total", "20", "--json", "pig")
    assert json.loads(options_first.out)["decisions"] == decisions
    shown = cli("advise", "pig", "--scores", "90,40", "--total", "10").out
    assert "hold" in shown
    assert "100.00%" in shown
    match = Match(found, 2, seed=1)
    data = json.loads(cli("advise", "-", "--json", input=match.record().to_text()).out)
    assert data["decisions"] == [{"move": "roll", "win": pytest.approx(PUBLISHED, abs=5e-5)}]


def test_a_game_that_is_only_an_options_value_is_not_the_game(cli: Cli, found: Game) -> None:
    for said in (found.name, "gatsby"):
        assert "ends in .npz" in cli("solve", "--duel", "--out", said, "fortune").err
    assert "'fortune' is not totals" in cli("advise", "--scores", "fortune", "pig").err


def test_what_no_game_comes_to_is_refused(cli: Cli, found: Game) -> None:
    for said in (["--scores", "x"], ["--scores", "100,0"], ["--total", "1"], ["--total", "-1"], ["--card", "captain"]):
        done = cli("advise", found.name, *said)
        assert done.status == 2, said
        assert done.err, said
    assert cli("solve", "pig", "--exact").status == 2


def test_help_tells_of_one_game_or_of_all(cli: Cli, found: Game) -> None:
    one = " ".join(cli("advise", found.name, "--help").out.split())
    assert "--total" in one
    assert "--card" not in one
    every = " ".join(cli("advise", "--help").out.split())
    assert "Of pig: The current turn's sum." in every
    assert "Of fortune: The card turned." in every


@pytest.mark.parametrize(
    ("missing", "asked", "why"),
    [
        ("solve", ["solve", "pig"], "only answers questions about positions"),
        ("position", ["advise", "pig"], "Give the file of a record"),
        ("advise", ["advise", "pig"], "gives no advice"),
    ],
)
def test_a_solution_may_leave_out_all_but_its_workspace(
    cli: Cli, found: Game, monkeypatch: pytest.MonkeyPatch, missing: str, asked: list[str], why: str
) -> None:
    monkeypatch.delattr(solution(found), missing)
    monkeypatch.delattr(solution(found), missing.upper())
    done = cli(*asked)
    assert done.status == 2
    assert why in done.err
