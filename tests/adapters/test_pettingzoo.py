"""`parlour.pettingzoo` passes PettingZoo's own tests, plays what a match plays, and shows a seat what it may know."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys
from functools import partial

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from parlour import pettingzoo
from parlour.core.contract import CHANCE
from parlour.core.errors import BadSetup, IllegalMove, InvalidMove, UnknownName
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.state import State
from parlour.games import find
from tests.adapters.shapes import EACH, KUHN, SHAPED

# In the suite: each game, and the most players of some.
FEW = ("kuhn-*", "gatsby-*", "fortune-4", "aces-and-faces-6", "facets-of-fortune-2", "family-trade-4market-making")

# What PettingZoo's tests warn of, and why it is meant here.
MEANT = [
    # Its own games have such spaces and masks: the test knows them by their names.
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings(r"ignore:Action mask numpy array is all zeros \(no legal actions\)"),
    # At the beginning of some games there is nothing to see.
    pytest.mark.filterwarnings("ignore:Observation numpy array is all zeros"),
]


def meant(function: object) -> object:
    for mark in MEANT:
        function = mark(function)  # type: ignore[operator]
    return function


@meant
@SHAPED
@pytest.mark.suite(*FEW)
def test_it_passes_the_tests_of_pettingzoo(game: Game, players: int, options: dict[str, str]) -> None:
    make = partial(pettingzoo.env, game, players, options=options)
    api_test(make(), num_cycles=60)
    api_test(make(rewards="scores", render_mode="ansi"), num_cycles=20)
    seed_test(make, num_cycles=60)
    parallel = partial(pettingzoo.parallel_env, game, players, options=options)
    parallel_api_test(parallel(), num_cycles=60)
    parallel_seed_test(parallel, num_cycles=60)


@meant
def test_compiled_games_pass_them_too() -> None:
    api_test(pettingzoo.env("fortune", compiled=True), num_cycles=60)
    parallel_api_test(pettingzoo.parallel_env("fortune", compiled=True), num_cycles=60)


def play(env: pettingzoo.TurnEnv, choice: random.Random, most: int = 10_000) -> int:
    """Play at random until the game is over, at most this number of decisions; return how many."""
    for number in range(most):
        mask = env.last()[0]["action_mask"]
        if env.terminations[env.agent_selection]:
            return number
        env.step(choice.choice(np.flatnonzero(mask).tolist()))
    return most


@SHAPED
@pytest.mark.suite(*FEW)
def test_it_plays_what_a_match_plays(game: Game, players: int, options: dict[str, str]) -> None:
    """A match that is given the same draws and decisions has the same seats, observations, masks and end."""
    env, match = pettingzoo.env(game, players, options=options), Match(game, players, options=options, auto=False)
    env.reset(seed=3)
    choice = random.Random(game.name)
    while True:
        follow(env.episode.position, match)
        if match.over:
            break
        assert env.agent_selection == f"player_{match.current_player}"
        seen, reward, *_ = env.last()
        assert np.flatnonzero(seen["action_mask"]).tolist() == match.legal_action_ids()
        assert reward == 0
        assert not any(env.observe(other)["action_mask"].any() for other in env.agents if other != env.agent_selection)
        env.step(choice.choice(match.legal_action_ids()))
    assert all(env.terminations.values())
    assert [env.rewards[agent] for agent in env.possible_agents] == match.returns
    assert sum(match.returns) == game.utility_sum


def follow(state: State, match: Match) -> None:
    """Make in the match what the state has made since they were last together."""
    for player, action in state.full_history()[match.version :]:
        match.step(match.chance_outcomes()[0][action] if player == CHANCE else action)


@EACH
@pytest.mark.suite("kuhn", "gatsby", "facets-of-fortune")
def test_agents_in_parallel_play_the_same_game(game: Game) -> None:
    turns, together = pettingzoo.env(game), pettingzoo.parallel_env(game)
    turns.reset(seed=8)
    seen, infos = together.reset(seed=8)
    assert infos == {agent: {} for agent in together.possible_agents}
    choice = random.Random(1)
    while together.agents:
        for agent in together.agents:
            mask = seen[agent]["action_mask"]
            assert mask[-1] == (agent != turns.agent_selection)
            assert mask[:-1].tolist() == turns.observe(agent)["action_mask"].tolist()
            assert seen[agent]["observation"].tolist() == turns.observe(agent)["observation"].tolist()
        action = choice.choice(np.flatnonzero(turns.last()[0]["action_mask"]).tolist())
        others = {agent: choice.randrange(9) for agent in together.agents}  # what the others do does not count
        seen, paid, over, _, _ = together.step(others | {turns.agent_selection: action})
        turns.step(action)
        assert (paid, over) == (turns.rewards, turns.terminations)
        assert (together.state() == turns.state()).all()
    assert not any(one["action_mask"].any() for one in seen.values())
    with pytest.raises(BadSetup, match="No game is in progress"):
        together.step({})


@EACH
@pytest.mark.suite("kuhn", "fortune", "aces-and-faces")
def test_what_is_hidden_does_not_show(game: Game) -> None:
    """In a position that differs only in what an agent cannot know, it sees the same."""
    env, other = (pettingzoo.env(game, game.max_num_players) for _ in range(2))
    other.reset()
    choice = random.Random(2)
    shown = 0
    for seed in range(20):
        env.reset(seed=seed)
        for _ in range(5):
            if play(env, choice, seed % 7 + 1) <= seed % 7:
                break
            for seat, agent in enumerate(env.possible_agents):
                other.episode.position = env.episode.position.resample_from_infostate(seat, choice)
                other.episode.over = env.episode.over
                other._turn()
                for name, value in env.observe(agent).items():
                    assert value.tolist() == other.observe(agent)[name].tolist()
                shown += bool((other.state() != env.state()).any())
    assert bool(shown) == (env.episode.position.information == "imperfect")


def test_an_illegal_action_loses_or_raises() -> None:
    env = pettingzoo.env("fortune", 3)
    env.reset(seed=1)
    agent, wrong = env.agent_selection, int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0])
    env.step(wrong)
    assert env.rewards == {one: -1.0 if one == agent else 0.0 for one in env.possible_agents}
    assert all(env.terminations.values())
    assert "FO-" in str(env.infos[agent].pop("illegal"))
    assert not any(env.infos.values())
    for _ in range(3):
        env.step(None)
    assert env.agents == []
    with pytest.raises(BadSetup, match="No game is in progress"):
        env.step(0)
    env = pettingzoo.env("fortune", 3, illegal="raise")
    env.reset(seed=1)
    before = env.state().tolist()
    with pytest.raises(IllegalMove, match="FO-"):
        env.step(wrong)
    for action, kind in ((99_999, IllegalMove), (-1, IllegalMove), (None, InvalidMove), (True, InvalidMove)):
        with pytest.raises(kind):
            env.step(action)
    assert env.state().tolist() == before
    together = pettingzoo.parallel_env("fortune", 2)
    together.reset(seed=1)
    with pytest.raises(BadSetup, match="player_0 is to decide, and its action is missing"):
        together.step({"player_1": together.wait})
    _, paid, over, _, infos = together.step(dict.fromkeys(together.agents, together.wait))
    assert paid == {"player_0": -1.0, "player_1": 0.0}
    assert all(over.values())
    assert infos == {"player_0": {"illegal": "player_0 is to decide, so it cannot wait."}, "player_1": {}}


def test_scores_are_paid_as_differences() -> None:
    env = pettingzoo.env(KUHN, rewards="scores")
    env.reset(seed=1)
    assert play(env, random.Random(5)) > 0
    scores = env.episode.position.scores()
    assert [env.rewards[agent] for agent in env.agents] == [scores[0] - scores[1], scores[1] - scores[0]]
    env = pettingzoo.env("fortune", 3, rewards="scores")
    env.reset(seed=1)
    play(env, random.Random(5))
    assert sum(env.rewards.values()) == pytest.approx(0)


@pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])
def test_a_copy_continues_the_same_game(compiled: bool) -> None:
    env = pettingzoo.env("gatsby", compiled=compiled)
    env.reset(seed=4)
    play(env, random.Random(1), 20)
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    play(env, random.Random(2), 30)
    env.reset()
    for one in copies:
        assert one.state().tolist() != env.state().tolist()
        play(one, random.Random(2), 30)
        one.reset()
        assert one.state().tolist() == env.state().tolist()
        assert one.last()[0]["observation"].tolist() == env.last()[0]["observation"].tolist()


def test_names_render_and_mistakes() -> None:
    env = pettingzoo.env("aces-and-faces", render_mode="ansi")
    assert (str(env), env.max_num_agents) == (f"aces_and_faces_v{env.episode.game.rules.VERSION}", 2)
    with pytest.raises(BadSetup, match="No game is in progress"):
        env.step(0)
    env.reset(seed=1, options={"anything": 1})
    assert env.render() == str(env.episode.position)
    assert env.observe("player_1") is env.observe("player_1")
    assert pettingzoo.env("fortune").render() is None
    with pytest.raises(UnknownName, match=r"no agent 'player_2'. Allowed: player_0, player_1"):
        env.observe("player_2")
    with pytest.raises(UnknownName, match=r"`rewards` cannot be 'gold'. Allowed: 'returns', 'scores'"):
        pettingzoo.env("fortune", rewards="gold")
    with pytest.raises(TypeError, match="An environment takes rewards, illegal, compiled, render_mode, not colour"):
        pettingzoo.env("fortune", colour="red")  # type: ignore[call-arg]
    with pytest.raises(BadSetup):
        pettingzoo.env("fortune", 9)


@pytest.mark.parametrize("name", ["pettingzoo", "gymnasium"])
def test_without_the_library_one_sentence_says_what_to_install(name: str) -> None:
    """And `import parlour` asks for neither."""
    code = f"""
import sys
sys.modules["{name}"] = None
import parlour
assert "parlour.{name}" not in sys.modules
try:
    import parlour.{name}
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'parlour[rl]'" in done.stdout
    assert done.stdout.count("\n") == 1


def test_it_plays_an_edition_of_ones_own() -> None:
    mine = find("fortune").edition().changed({"deck.gold": 5})
    for made in (pettingzoo.env, pettingzoo.parallel_env):
        env = made("fortune", 2, edition=mine)
        env.reset(seed=1)
        assert env.unwrapped.episode.position.edition.parts["deck"]["gold"] == 5
