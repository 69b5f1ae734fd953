"""Parlour's games in OpenSpiel pass its own examination, and its algorithms solve, search and learn in them."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import product
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy
from open_spiel.python.algorithms import cfr, exploitability, external_sampling_mccfr, ismcts, mcts

import parlour
from parlour import open_spiel
from parlour.core.errors import UnknownName
from parlour.core.game import Game
from parlour.games import all_games

KUHN = Game("kuhn", "tests.fixtures.kuhn")
SHAPES = [
    pytest.param(game, players, ruleset, id=f"{game.name} {players}p {ruleset}")
    for game in (*all_games().values(), KUHN)
    for players in dict.fromkeys(game.facts.players)
    for ruleset in game.rulesets
]
Load = Callable[..., pyspiel.Game]


def load(game: Game, players: int, ruleset: str = "", **params: str | int | bool) -> pyspiel.Game:
    (name,) = open_spiel.register([game])
    chosen = {"players": players, **params, **({"ruleset": ruleset} if ruleset else {})}
    return pyspiel.load_game(name, chosen)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "players", "ruleset"), SHAPES)
@pytest.mark.suite("kuhn *", "gatsby *", "family-trade 2p market-making")
def test_its_own_examination(game: Game, players: int, ruleset: str) -> None:
    """`random_sim_test` plays a game, and examines each position: copies, bounds, observations, serializing."""
    pyspiel.random_sim_test(load(game, players, ruleset), num_sims=1, serialize=False, verbose=False)


@pytest.mark.parametrize(("compiled", "name"), [*product((False, True), ("kuhn", "gatsby"))])
def test_it_is_stored_and_read_as_its_history(name: str, compiled: bool) -> None:
    game = KUHN if name == "kuhn" else parlour.find(name)
    there = load(game, 2, compiled=compiled)
    state, choice = there.new_initial_state(), random.Random(2)
    for _ in range(30):
        if not state.is_terminal():
            state.apply_action(choice.choice(state.legal_actions()))
    _, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(there, state))
    assert again.history() == state.history()
    assert [again.information_state_string(seat) for seat in range(2)] == [
        state.information_state_string(seat) for seat in range(2)
    ]


@pytest.mark.parametrize("game", [*all_games().values()], ids=lambda game: game.name)
def test_it_says_what_parlour_says(game: Game) -> None:
    """Players, chance, what is legal, what is seen and what is won are the same in a whole game."""
    there, here, choice = load(game, 2), parlour.new_initial_state(game, 2), random.Random(4)
    kind, state = there.get_type(), there.new_initial_state()
    assert (kind.min_num_players, kind.max_num_players) == game.facts.players
    assert (there.num_distinct_actions(), there.num_players()) == (game.num_distinct_actions, 2)
    for _ in range(150):
        if here.is_terminal():
            break
        assert state.current_player() == here.current_player()
        assert state.legal_actions() == here.legal_actions()
        assert state.is_chance_node() is here.is_chance_node()
        if state.is_chance_node():
            assert state.chance_outcomes() == here.chance_outcomes()
        action = choice.choice(here.legal_actions())
        assert state.action_to_string(state.current_player(), action) == here.action_to_string(action)
        state.apply_action(action)
        here.apply_action(action)
    for seat in range(2):
        assert list(state.observation_tensor(seat)) == list(here.observation_tensor(seat))
        assert state.information_state_string(seat) == here.information_state_string(seat)
    assert (state.returns(), state.rewards()) == (here.returns(), here.rewards())


def test_cfr_and_mccfr_solve_poker_of_three_cards() -> None:
    """Kuhn poker is ours from the tests; what is left to an opponent falls below 0.01 and 0.1 (shares of 1)."""
    game = load(KUHN, 2)
    solver = cfr.CFRSolver(game)
    for _ in range(100):
        solver.evaluate_and_update_policy()
    assert exploitability.exploitability(game, solver.average_policy()) < 0.01
    assert exploitability.exploitability(game, policy.UniformRandomPolicy(game)) > 0.1
    np.random.seed(3)  # OpenSpiel's solver draws from there
    sampled = external_sampling_mccfr.ExternalSamplingSolver(game)
    for _ in range(1500):
        sampled.iteration()
    assert exploitability.exploitability(game, sampled.average_policy()) < 0.1


@pytest.mark.parametrize("name", ["kuhn", "gatsby", "family-trade"])
@pytest.mark.suite("kuhn", "gatsby")
def test_is_mcts_searches_where_hands_are_hidden(name: str) -> None:
    """It redraws what its seat cannot know, and its decision is legal."""
    game = load(KUHN if name == "kuhn" else parlour.find(name), 2, compiled=True)
    state, choice = game.new_initial_state(), random.Random(1)
    while state.is_chance_node():
        state.apply_action(choice.choice(state.legal_actions()))
    bot = ismcts.ISMCTSBot(
        game=game, uct_c=2, max_simulations=20, evaluator=mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)),
        random_state=np.random.RandomState(2),
    )  # fmt: skip
    assert bot.step(state) in state.legal_actions()


def test_a_drawn_position_shows_the_seat_what_it_saw() -> None:
    game = load(parlour.find("gatsby"), 2)
    state, choice = game.new_initial_state(), random.Random(9)
    while state.current_player() < 0 or len(state.history()) < 40:
        state.apply_action(choice.choice(state.legal_actions()))
    seat = state.current_player()
    drawn = state.resample_from_infostate(seat, lambda: 0.5)
    assert list(drawn.observation_tensor(seat)) == list(state.observation_tensor(seat))
    assert drawn.legal_actions() == state.legal_actions()
    assert drawn.information_state_string(seat) == state.information_state_string(seat)


def test_parameters_are_options_and_mistakes_get_a_sentence() -> None:
    fortune = parlour.find("fortune")
    there = load(fortune, 3, target=8000)
    assert there.new_initial_state().state.options["target"] == "8000"
    assert open_spiel.register() == open_spiel.register()
    assert "parlour_gatsby" in pyspiel.registered_names()
    with pytest.raises(UnknownName, match="Option target cannot be 7"):
        load(fortune, 2, target=7)


def test_it_plays_an_edition_in_a_file(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text("base = 'shafir-35'\ndeck.gold = 5\n", "utf-8")
    game = load(parlour.find("fortune"), 2, edition=str(mine))
    assert game.first.edition.parts["deck"]["gold"] == 5
    assert str(mine) in str(game)
