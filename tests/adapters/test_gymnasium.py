"""`parlour.gymnasium` passes Gymnasium's own check, plays what a match and a batch play, and starts games again as it
should."""

from __future__ import annotations

import copy
import pickle
import random
from pathlib import Path

import numpy as np
import pytest
from gymnasium.error import Error
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from parlour import bots, gymnasium
from parlour.bots.view import View
from parlour.core.contract import CHANCE, TERMINAL
from parlour.core.errors import BadSetup, IllegalMove, UnknownName
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.engine.batch import Batch
from parlour.games import all_games, find
from tests.adapters.shapes import EACH, KUHN, SHAPED

# What the check warns of, and why it is meant: some numbers of a game have no limit that it could declare, and Family
# Trade has two that are always 0.
UNBOUNDED = pytest.mark.filterwarnings(r"ignore:.*A Box observation space m\w+ value is -?infinity")
CONSTANT = pytest.mark.filterwarnings("ignore:.*A Box observation space maximum and minimum values are equal")
MODES = pytest.mark.parametrize("mode", [*AutoresetMode], ids=lambda mode: mode.value)


@UNBOUNDED
@CONSTANT
@SHAPED
def test_it_passes_the_check_of_gymnasium(game: Game, players: int, options: dict[str, str]) -> None:
    """Its check of rendering needs environments that are registered, and Parlour registers nothing."""
    env = gymnasium.Env(game, players, options=options, seat=players - 1)
    check_env(env, skip_render_check=True)
    whole_game(gymnasium.Env(game, players, options=options, seat=None, rewards="scores"), random.Random(1))


def whole_game(env: gymnasium.Env, choice: random.Random, seed: int = 5) -> float:
    """Play a game at random and check what each step returns; return the last reward."""
    observation, info = env.reset(seed=seed)
    reward, over = 0.0, False
    while not over:
        assert observation in env.observation_space
        mask = info["action_mask"]
        assert isinstance(mask, np.ndarray)
        assert env.episode.current == env.seat == info["seat"]
        assert mask.dtype == np.int8
        assert np.flatnonzero(mask).tolist() == env.episode.position.legal_actions()
        assert (env.action_masks() == mask).all()
        assert reward == 0
        observation, reward, over, truncated, info = env.step(choice.choice(np.flatnonzero(mask).tolist()))
        assert not truncated
    assert observation in env.observation_space
    assert not env.action_masks().any()
    return reward


@EACH
def test_it_plays_what_a_match_plays(game: Game) -> None:
    env = gymnasium.Env(game, seat=1, bots=bots.names(game)[-1], render_mode="ansi")
    reward = whole_game(env, random.Random(3))
    match = Match(game, env.episode.players, auto=False)
    for player, action in env.episode.position.full_history():
        assert player == match.current_player
        match.step(match.chance_outcomes()[0][action] if player == CHANCE else action)
    assert match.over
    assert reward == match.returns[1]
    assert env.render() == str(env.episode.position)


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.name)
@pytest.mark.suite("gatsby")
def test_bots_play_from_what_their_seat_may_know(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot gets the view of its seat, in which what others hide is drawn anew, and chooses what it would there."""
    views: list[View] = []
    whole = View.of_state

    def watched(position, seat, seed):  # type: ignore[no-untyped-def]
        views.append(whole(position, seat, seed))
        state = views[-1].state(game)
        seen = [0] * game.rules.OBSERVATION_SIZE
        game.rules.observation(state, seat, seen)
        assert seen == position.observation(seat)
        return views[-1]

    monkeypatch.setattr(View, "of_state", watched)
    env = gymnasium.Env(game, bots=["greedy"], compiled=True)
    whole_game(env, random.Random(1))
    first = [action for player, action in env.episode.position.full_history() if player == 1]
    assert len(views) == len(first) > 0
    greedy = bots.find(game, "greedy")
    assert [greedy.choose(view) for view in views[:10]] == first[:10]
    assert len({view.seed for view in views}) == len(views)
    again = gymnasium.Env(game, bots="greedy", compiled=True)
    whole_game(again, random.Random(1))
    assert again.episode.position.full_history() == env.episode.position.full_history()


def test_a_view_of_a_state_knows_the_seats_own_decisions() -> None:
    """A search keeps its tree while a seat decides alone: `trail` has what it did, `origin` stays the same."""
    env = gymnasium.Env("gatsby", bots="easy")
    env.reset(seed=1)
    position, seen = env.episode.position, set()
    choice = random.Random(1)
    for _ in range(60):
        seat = position.current_player()
        if seat < 0:
            break
        view, history = View.of_state(position, seat, 7), position.full_history()
        assert history[len(history) - len(view.trail) :] == [(seat, action) for action in view.trail]
        assert view == View.of_state(position, seat, 7)
        assert view.origin != View.of_state(position, seat, 8).origin
        seen.add((view.origin, len(history) - len(view.trail)))
        env.episode.act(choice.choice(position.legal_actions()))
    assert len({origin for origin, _ in seen}) == len(seen) == len({at for _, at in seen})
    with pytest.raises(BadSetup, match="There is no seat 2"):
        View.of_state(position, 2, 7)


def test_mistakes_of_one_seat() -> None:
    env = gymnasium.Env("fortune", 3)
    _, info = env.reset(seed=1)
    wrong = int(np.flatnonzero(info["action_mask"] == 0)[0])
    _, reward, over, _, info = env.step(wrong)
    assert (reward, over) == (-1, True)
    assert "FO-" in str(info["illegal"])
    with pytest.raises(BadSetup, match="No game is in progress"):
        env.step(0)
    env = gymnasium.Env("fortune", 3, illegal="raise")
    env.reset(seed=1)
    with pytest.raises(IllegalMove):
        env.step(wrong)
    with pytest.raises(BadSetup, match="There is no seat 3; the seats are 0 to 2"):
        gymnasium.Env("fortune", 3, seat=3)
    with pytest.raises(BadSetup, match="3 bots were named for 2 other seats"):
        gymnasium.Env("fortune", 3, bots=["random"] * 3)
    with pytest.raises(UnknownName, match="no bot 'genius'"):
        gymnasium.Env("fortune", bots="genius")


@pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])
def test_a_copy_continues_the_same_game(compiled: bool) -> None:
    env = gymnasium.Env(KUHN, seat=None, compiled=compiled)
    env.reset(seed=4)
    for one in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert one.episode.position.full_history() == env.episode.position.full_history()
        seen, info = one.reset()
        assert seen in env.observation_space
        assert info["seat"] == one.seat


def test_gymnasium_puts_them_side_by_side() -> None:
    envs = SyncVectorEnv([lambda: gymnasium.Env("fortune", bots="greedy")] * 2)
    _, infos = envs.reset(seed=1)
    assert infos["action_mask"].shape == (2, envs.single_action_space.n)  # type: ignore[attr-defined]
    envs.step(infos["action_mask"].argmax(axis=1))
    envs.close()


# Many at once ------------------------------------------------------------------------------------------
def chosen(infos: dict[str, object], choice: np.random.Generator) -> np.ndarray:
    """Return a random legal action for each environment, and 0 where no action is legal."""
    mask = np.asarray(infos["action_mask"])
    return (mask * choice.random(mask.shape)).argmax(axis=1)


@MODES
@EACH
@pytest.mark.suite("kuhn-*", "gatsby-SameStep")
def test_many_games_are_those_of_a_batch(game: Game, mode: AutoresetMode) -> None:
    """Each lane plays the games that the lane of a batch plays that starts them at once, and pays the same."""
    n, most = 8, game.max_num_players
    envs = gymnasium.VectorEnv(game, n, most, autoreset_mode=mode)
    batch = Batch(game, n, players=most, seed=6, auto_reset=True)
    arrays = (batch.states, batch._lanes.rngs, batch.current, batch._lanes.streams, batch.lengths, batch.deciders)
    seen, infos = envs.reset(seed=6)
    choice = np.random.default_rng(1)
    paid, expected, ends = np.zeros((n, most)), np.zeros((n, most)), 0
    for _ in range(600):
        assert seen.dtype == np.float32
        assert seen in envs.observation_space
        seats = np.asarray(infos["seat"])
        actions, idle = chosen(infos, choice), seats == TERMINAL
        going = np.flatnonzero(~idle)
        assert (batch.current[going] == seats[going]).all()
        assert (batch.legal_mask()[going] == np.asarray(infos["action_mask"])[going]).all()
        assert (batch.tensors()[going] == seen[going]).all()
        if idle.any():  # these wait for their next game: the batch has it already, and waits for them
            assert mode == AutoresetMode.NEXT_STEP
            kept = [array[idle].copy() for array in arrays]
            actions[idle] = batch.legal_mask().argmax(axis=1)[idle]
        moved = batch.step(actions)
        expected += moved.rewards * ~idle[:, None]
        last = seats.copy()
        seen, rewards, over, truncated, infos = envs.step(actions)
        paid += np.asarray(infos["rewards"])
        assert (over == (moved.ended.astype(bool) & ~idle)).all()
        assert not truncated.any()
        assert rewards[going].tolist() == [np.asarray(infos["rewards"])[lane, last[lane]] for lane in going]
        assert not rewards[idle].any()
        if idle.any():
            for array, was in zip(arrays, kept, strict=True):
                array[idle] = was
        ends += int(over.sum())
        if mode == AutoresetMode.DISABLED and over.any():
            with pytest.raises(BadSetup, match="are over; `reset` with a `reset_mask`"):
                envs.step(actions)
            seen, infos = envs.reset(options={"reset_mask": over})
    assert (paid == expected).all()
    assert ends > 0 or game is not KUHN


@SHAPED
@pytest.mark.suite("kuhn-*", "gatsby-*", "fortune-4", "aces-and-faces-6")
def test_many_games_of_every_ruleset_stay_within_their_spaces(
    game: Game, players: int, options: dict[str, str]
) -> None:
    envs = gymnasium.VectorEnv(game, 4, players, options=options, autoreset_mode="SameStep")
    seen, infos = envs.reset(seed=9)
    choice = np.random.default_rng(3)
    for _ in range(60):
        assert seen in envs.observation_space
        assert np.asarray(infos["rewards"]).shape == (4, players)
        actions = chosen(infos, choice)
        assert actions in envs.action_space
        seen, *_, infos = envs.step(actions)
    assert infos.keys() - {"final_obs", "_final_obs", "final_info", "_final_info"} == {
        "action_mask", "_action_mask", "seat", "_seat", "rewards", "_rewards",
    }  # fmt: skip


@MODES
def test_the_last_observation_is_that_of_the_last_seat(mode: AutoresetMode) -> None:
    """It is there when a game ends, with nothing to do, and belongs to the seat that made the last decision."""
    envs = gymnasium.VectorEnv(KUHN, 5, autoreset_mode=mode.value)
    _, infos = envs.reset(seed=2)
    choice = np.random.default_rng(2)
    for _ in range(40):
        twin = Batch(KUHN, 5)
        twin.states[:], twin.current[:] = envs.batch.states, envs.batch.current
        twin._lanes.rngs[:] = envs.batch._lanes.rngs
        last, actions = np.asarray(infos["seat"]), chosen(infos, choice)
        twin.step(actions)
        seen, _, over, _, infos = envs.step(actions)
        truly = twin.tensors(np.where(twin.current < 0, last, twin.current))
        if mode == AutoresetMode.SAME_STEP:
            assert ("final_obs" in infos) == over.any()
            if over.any():
                final, parts = np.asarray(infos["final_obs"]), infos["final_info"]
                assert isinstance(parts, dict)
                assert (np.asarray(infos["_final_obs"]) == over).all()
                assert (parts["seat"][over] == TERMINAL).all()
                assert parts["rewards"][over].sum() == over.sum()
                for lane in range(5):
                    assert final[lane] is None if not over[lane] else (final[lane] == truly[lane]).all()
            assert (np.asarray(infos["seat"]) >= 0).all()
        else:
            assert (seen[over] == truly[over]).all()
            assert not np.asarray(infos["action_mask"])[over].any()
            if mode == AutoresetMode.DISABLED and over.any():
                _, infos = envs.reset(options={"reset_mask": over})


def test_mistakes_of_many() -> None:
    envs = gymnasium.VectorEnv("fortune", 3)
    with pytest.raises(BadSetup, match="No game is in progress"):
        envs.step(np.zeros(3, np.int64))
    with pytest.raises(BadSetup, match="`reset_mask`"):
        envs.reset(options={"reset_mask": np.ones(3, np.bool_)})
    seen, infos = envs.reset(seed=1)
    wrong = np.asarray(infos["action_mask"]).argmin(axis=1)
    with pytest.raises(IllegalMove, match="Lane 0"):
        envs.step(wrong)
    with pytest.raises(BadSetup, match="`lanes` has one"):
        envs.reset(options={"reset_mask": [1, 0, 1]})
    assert (envs.reset(seed=1)[0] == seen).all()
    envs.reset(seed=2)
    assert envs.reset()[1].keys() == infos.keys()
    with pytest.raises(UnknownName, match="NextStep"):
        gymnasium.VectorEnv("fortune", 3, autoreset_mode="never")
    with pytest.raises(BadSetup, match="below 2"):
        envs.reset(seed=1 << 63)
    with pytest.raises(Error, match="greater or equal to zero"):
        envs.reset(seed=-1)
    envs.close()


@MODES
def test_many_games_are_cut_and_have_bots_as_in_a_batch(mode: AutoresetMode) -> None:
    """A cut game is truncated, not terminated, and shows what the learner saw at last."""
    bots = [[None, "random"], ["random", None]] * 2
    envs = gymnasium.VectorEnv(
        "fortune", 4, autoreset_mode=mode, max_decisions=12, rewards="scores", bots=bots
    )  # fmt: skip
    twin = Batch("fortune", 4, seed=5, auto_reset=True, max_decisions=12, rewards="scores", bots=bots)
    seen, infos = envs.reset(seed=5)
    choice, cuts = np.random.default_rng(2), 0
    for _ in range(60):
        idle = np.asarray(infos["seat"]) == TERMINAL
        actions = chosen(infos, choice)
        if idle.any():  # only the first game of each lane is compared where the twin is ahead
            break
        moved = twin.step(actions)
        seen, rewards, over, truncated, infos = envs.step(actions)
        assert (over == moved.ended).all()
        assert (truncated == moved.truncated).all()
        assert (rewards == moved.rewards[np.arange(4), [0, 1, 0, 1]]).all()
        last = np.asarray(infos["final_obs"]) if "final_obs" in infos else seen
        for lane in np.flatnonzero(truncated):
            assert (last[lane] == twin.tensors(final=True)[lane]).all()
            cuts += 1
    assert cuts > 0


def test_it_plays_an_edition_of_ones_own(tmp_path: Path) -> None:
    fortune = find("fortune")
    mine = fortune.edition().changed({"deck.gold": 5})
    (tmp_path / "mine.toml").write_text("base = 'shafir-35'\ndeck.gold = 5\n", "utf-8")
    for edition in (mine, tmp_path / "mine.toml"):
        env = gymnasium.Env(fortune, 2, edition=edition, seat=None)
        env.reset(seed=1)
        assert env.episode.position.edition == mine
        many = gymnasium.VectorEnv(fortune, 2, edition=edition)
        assert many.batch.states["deck"][:, 0].tolist() == [5, 5]
