"""`parlour.pufferlib` plays in PufferLib's buffers what a batch plays; its emulation takes our other environments.

PufferLib is in no lock, as it asks for other releases of NumPy, Gymnasium and PettingZoo; docs/from/pufferlib.md says
how to install it beside Parlour.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parlour import gymnasium, pettingzoo
from parlour.core.errors import BadSetup
from parlour.core.game import Game
from parlour.engine.batch import Batch
from tests.adapters.shapes import EACH, KUHN, SHAPED
from tests.engine.allocating import check_allocates_nothing

with contextlib.chdir(tempfile.mkdtemp()):  # where it makes a link, "resources", as soon as it is imported
    pytest.importorskip("pufferlib", reason="PufferLib is not installed: docs/from/pufferlib.md says how")
    import pufferlib.emulation
    import pufferlib.vector

    from parlour.pufferlib import Env

ROOT = Path(__file__).parents[2]
Row = np.ndarray[Any, np.dtype[Any]]
KEPT = ("observations", "rewards", "terminals", "truncations", "masks", "actions")


class Twin:
    """A batch of its own, whose numbers the buffers of an `Env` should have."""

    def __init__(self, env: Env, **setup: Any) -> None:
        self.env, self.choice = env, np.random.default_rng(3)
        self.batch = Batch(env.game, env.batch.n, players=env.batch.players, auto_reset=True, **setup)
        self.floats = self.batch.tensors().shape[1]
        self.over = 0

    def check_seen(self) -> None:
        """Check each row: the floats of its seat, and the mask of the seat to decide; the others wait."""
        env, legal = self.env, self.batch.legal_mask()
        waits = env.single_action_space.n - legal.shape[1]
        assert env.masks.all()
        for game, seen in enumerate(env.observations.reshape(self.batch.n, -1, self.floats + legal.shape[1] + waits)):
            assert len(seen) == len(env._seats[game])
            for row, seat in zip(seen, env._seats[game], strict=True):
                assert row in env.single_observation_space
                decides = seat == self.batch.current[game]
                mask = legal[game] if decides else np.zeros_like(legal[game])
                assert (row[self.floats :] == [*mask, *[not decides] * waits]).all()
        for place, seats in enumerate(env._seats.T):
            rows = env.observations[place :: env._seats.shape[1], : self.floats]
            assert (rows == self.batch.tensors(seats)).all()

    def step(self) -> list[dict[str, float]]:
        """Make a random legal decision in each game, the other rows choosing at random, and check what is paid."""
        env, batch = self.env, self.batch
        picked = (self.choice.random(batch.legal_mask().shape) * batch.legal_mask()).argmax(axis=1)
        actions = self.choice.integers(-5, 1000, env.num_agents).astype(np.int32)
        actions.reshape(batch.n, -1)[env._seats == batch.current[:, None]] = picked
        moved = batch.step(picked)
        *buffers, infos = env.step(actions)
        assert [one is getattr(env, name) for one, name in zip(buffers, KEPT, strict=False)] == [True] * 4
        paid = np.take_along_axis(moved.rewards, env._seats, axis=1)
        assert (env.rewards == paid.ravel().astype(np.float32)).all()
        assert (env.terminals == np.repeat(moved.ended, env._seats.shape[1])).all()
        assert (env.truncations == np.repeat(moved.truncated, env._seats.shape[1])).all()
        self.over += int(moved.ended.sum() + moved.truncated.sum())
        return infos  # type: ignore[no-any-return]


def buffers_of(env: Env) -> dict[str, Row]:
    """Return buffers for an environment like this one, all of them parts of larger ones, as PufferLib cuts them."""
    made = {}
    for name in KEPT:
        like = getattr(env, name)
        made[name] = np.full((3 * len(like), *like.shape[1:]), 7, like.dtype)[len(like) : 2 * len(like)]
    return made


def addresses(env: Env) -> list[int]:
    return [getattr(env, name).ctypes.data for name in KEPT]


@SHAPED
def test_its_buffers_have_the_numbers_of_a_batch(game: Game, players: int, options: dict[str, str]) -> None:
    """Each seat has a row, and each row gets what its seat is paid, even if another one decided last."""
    made = buffers_of(Env(game, 8, players, options=options))
    env = Env(game, 8, players, options=options, buf=made, seed=4)
    assert addresses(env) == [made[name].ctypes.data for name in KEPT]
    twin = Twin(env, options=options, seed=5)
    observations, infos = env.reset(seed=5)
    assert observations is env.observations
    assert infos == []
    twin.check_seen()
    steps = 0
    while twin.over < 2:
        twin.step()
        steps += 1
        if steps % 16 == 0 or twin.over:
            twin.check_seen()
    assert addresses(env) == [made[name].ctypes.data for name in KEPT]
    for buffer in made.values():  # nothing is written beside them
        assert (np.delete(buffer.base, np.s_[len(buffer) : 2 * len(buffer)], axis=0) == buffer.dtype.type(7)).all()


@SHAPED
def test_bots_take_seats_and_every_row_decides(game: Game, players: int, options: dict[str, str]) -> None:
    """One seat of each game learns, another one in each, and none ever waits."""
    bots = [[None if seat == lane % players else "random" for seat in range(players)] for lane in range(6)]
    env = Env(game, 6, players, options=options, bots=bots)
    assert env.num_agents == 6
    assert env.single_action_space.n == game.num_distinct_actions
    twin = Twin(env, options=options, bots=bots, seed=9)
    env.reset(seed=9)
    twin.check_seen()
    while twin.over < 2:
        twin.step()
        assert env.observations[:, twin.floats :].any(axis=1).all()
    twin.check_seen()


@EACH
def test_an_illegal_action_is_replaced_and_costs(game: Game) -> None:
    env = Env(game, 32, max_decisions=20, penalty=0.25, report_interval=1)
    env.reset(seed=1)
    each = env._seats.shape[1]
    for wrong in (-1, game.num_distinct_actions, 2**31 - 1, None):
        deciding = (env._seats == env.batch.current[:, None]).ravel()
        before, ages = env.batch.current.copy(), env.batch.lengths.copy()
        actions = np.full(env.num_agents, wrong or 0, np.int32)
        if wrong is None:  # an action of the game, illegal where one is
            actions = env.observations[:, -env.single_action_space.n :].argmin(axis=1)
        legal = np.zeros(env.num_agents, bool)
        if wrong is None:
            legal = env.observations[np.arange(env.num_agents), actions - env.single_action_space.n] == 1
        *_, infos = env.step(actions)
        over = env.terminals | env.truncations
        assert (env.rewards[deciding & ~legal & ~over] == -0.25).all()
        assert (env.rewards[~deciding & ~over] == 0).all()
        assert ((env.batch.lengths == ages + 1) | over[::each]).all()
        assert (env.batch.deciders == before)[~over[::each]].all()
        assert all(info["illegal"] <= 1 for info in infos)


def test_an_illegal_action_is_drawn_from_the_games_own_stream() -> None:
    """So the same seed and actions are the same games, and each legal action comes about as often."""
    drawn = []
    for _ in range(2):
        env = Env(KUHN, 4000)
        env.reset(seed=2)
        env.step(np.full(env.num_agents, 99))
        drawn.append(env.observations.copy())
    assert (drawn[0] == drawn[1]).all()
    assert np.bincount(env._chosen).min() > 1800  # of two legal actions


def test_games_are_cut_and_the_next_ones_start_at_once() -> None:
    env = Env("gatsby", 8, max_decisions=7, rewards="scores")
    twin = Twin(env, max_decisions=7, rewards="scores", seed=3)
    env.reset(seed=3)
    for step in range(21):
        twin.step()
        assert env.truncations.all() == (step % 7 == 6)
        assert not env.terminals.any()
        twin.check_seen()


def test_seeds_decide_the_games() -> None:
    def first(env: Env, *seed: int) -> list[float]:
        return env.reset(*seed)[0].ravel().tolist()  # type: ignore[no-any-return]

    env = Env("facets-of-fortune", 4, seed=8)
    begun = first(env)
    assert begun == first(Env("facets-of-fortune", 4), 8)
    following = first(env)  # without a seed: the next games of the last one
    assert following != begun
    assert first(env, 8) == begun
    assert first(env) == following
    assert first(Env("facets-of-fortune", 4, seed=None)) != first(Env("facets-of-fortune", 4, seed=None))


def test_infos_have_the_results_of_the_games_that_ended() -> None:
    env = Env("gatsby", 16, report_interval=50, bots=[None, "greedy"])
    twin = Twin(env, bots=[None, "greedy"], seed=6)
    env.reset(seed=6)
    games, paid, infos = 0, np.zeros(2), []
    for step in range(1, 101):
        infos = twin.step()
        games, paid = games + int(env.terminals.sum()), paid + twin.batch._moved.rewards.sum(axis=0)
        assert bool(infos) == (step % 50 == 0)
        if infos:
            (info,) = infos
            assert games > 0
            assert info["games"] == games
            assert [info["seat_0"], info["seat_1"]] == pytest.approx(paid / games)
            assert info["episode_return"] == info["seat_0"]
            assert 1 < info["episode_length"] <= step
            assert info["illegal"] == 0
            games, paid = 0, np.zeros(2)
    env = Env(KUHN, 4, report_interval=1)
    env.reset()
    assert env.step(np.full(8, 99))[4] == []  # no game of Kuhn poker ends with its first decision
    (info,) = next(filter(None, (env.step(np.full(8, 99))[4] for _ in range(3))))
    assert info["illegal"] == 1
    assert info["episode_return"] == pytest.approx((info["seat_0"] + info["seat_1"]) / 2)
    assert 2 <= info["episode_length"] <= 3


def test_a_legal_step_allocates_nothing() -> None:
    env = Env("gatsby", 4096, bots=[None, "random"])
    env.reset()
    actions = np.zeros(4096, np.int64)

    def play() -> None:
        env.batch.random_actions(out=actions)
        env.step(actions)

    check_allocates_nothing(play, 4096)


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(BadSetup, match="the same number of seats without a bot, not 1 to 2"):
        Env("gatsby", 2, bots=[[None, None], [None, "random"]])
    with pytest.raises(BadSetup, match="at least 1, not 0"):
        Env("gatsby", report_interval=0)
    env = Env("gatsby", 2)
    with pytest.raises(BadSetup, match="`reset` starts them"):
        env.step(np.zeros(4, np.int32))
    env.reset()
    for wrong in (np.zeros(3, np.int32), np.zeros(4)):
        with pytest.raises(BadSetup, match="a whole number for each of the 4 rows"):
            env.step(wrong)
    made = buffers_of(env)
    made["rewards"] = np.zeros(8, np.float32)[::2]
    with pytest.raises(BadSetup, match="buffer of rewards"):
        Env("gatsby", 2, buf=made)


@contextlib.contextmanager
def vectorized(backend: str, **more: Any) -> Iterator[Any]:
    made = pufferlib.vector.make(
        Env, env_args=[KUHN, 4], env_kwargs={"report_interval": 8}, num_envs=2, backend=backend, **more
    )
    try:
        yield made
    finally:
        made.close()


@pytest.mark.parametrize(
    ("backend", "more"), [("Serial", {}), ("Multiprocessing", {"num_workers": 2, "overwork": True})]
)
def test_the_vectors_of_pufferlib_play_it(backend: str, more: dict[str, Any]) -> None:
    """Environment i has the seed of the reset, and i more; all of it is in the vector's own buffers."""
    with vectorized(backend, **more) as made:
        observations, _ = made.reset(seed=11)
        alone = [Env(KUHN, 4, report_interval=8) for _ in range(2)]
        parts = [env.reset(seed=11 + i)[0] for i, env in enumerate(alone)]
        said = []
        for _ in range(40):
            assert (observations == np.concatenate(parts)).all()
            actions = observations[:, -made.single_action_space.n :].argmax(axis=1).astype(np.int32)
            observations, rewards, terminals, truncations, infos = made.step(actions)
            steps = [env.step(part) for env, part in zip(alone, np.split(actions, 2), strict=True)]
            parts = [env.observations for env in alone]
            assert (rewards == np.concatenate([step[1] for step in steps])).all()
            assert (terminals == np.concatenate([step[2] for step in steps])).all()
            assert not truncations.any()
            said += infos
            assert infos == [info for step in steps for info in step[4]]
        assert said


# PufferLib's emulation -----------------------------------------------------------------------------------------------
@SHAPED
def test_its_emulation_takes_the_environment_of_gymnasium(game: Game, players: int, options: dict[str, str]) -> None:
    """It checks the first observation and action against their spaces."""
    ours = gymnasium.Env(game, players, options=options, illegal="raise")
    env = pufferlib.emulation.GymnasiumPufferEnv(env=ours)
    observations, info = env.reset(seed=1)
    choice = np.random.default_rng(2)
    while not env.done:
        assert observations is env.observations
        assert (observations[0] == ours.episode.observation(ours.seat)).all()
        action = choice.choice(np.flatnonzero(info["action_mask"]), 1)
        observations, reward, terminal, truncated, info = env.step(action)
        assert (env.rewards[0], env.terminals[0], env.truncations[0]) == (reward, terminal, truncated)
    assert ours.episode.over
    assert env.rewards[0] == np.float32(ours.episode.paid()[ours.seat])


@SHAPED
def test_its_emulation_takes_the_environment_of_pettingzoo(game: Game, players: int, options: dict[str, str]) -> None:
    """It packs observation and mask into bytes, and unpacks them by the names of their space."""
    ours = pettingzoo.parallel_env(game, players, options=options, illegal="raise")
    env = pufferlib.emulation.PettingZooPufferEnv(env=ours)
    env.reset(seed=1)
    choice = np.random.default_rng(2)
    while not env.done:
        seen = env.observations.view(env.obs_dtype).reshape(players)
        assert (seen["observation"] == [ours.episode.observation(seat) for seat in range(players)]).all()
        masks = seen["action_mask"]
        assert (masks.argmax(axis=1)[np.arange(players) != ours.episode.current] == ours.wait).all()
        env.step((choice.random(masks.shape) * masks).argmax(axis=1))
    assert env.terminals.all()
    assert env.rewards.tolist() == np.float32(ours.episode.paid()).tolist()


@pytest.mark.parametrize("kind", ["gymnasium", "pettingzoo"])
def test_its_vectors_play_what_it_emulates(kind: str) -> None:
    """Actions are random, so that illegal ones lose games, and the next ones start."""

    def make(**more: Any) -> Any:
        if kind == "gymnasium":
            return pufferlib.emulation.GymnasiumPufferEnv(env_creator=gymnasium.Env, env_args=["gatsby"], **more)
        return pufferlib.emulation.PettingZooPufferEnv(env_creator=pettingzoo.parallel_env, env_args=["gatsby"], **more)

    made = pufferlib.vector.make(make, num_envs=3, backend="Serial")
    made.reset(seed=1)
    ended = 0
    for _ in range(60):
        *_, terminals, truncations, _ = made.step(made.action_space.sample())
        ended += int(terminals.sum())
        assert not truncations.any()
    made.close()
    assert ended > 3


# Learning ------------------------------------------------------------------------------------------------------------
def run(program: str, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, timeout=550,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


TRAINED = """
import sys
import torch
import parlour.pufferlib
import pufferlib.models, pufferlib.vector
from pufferlib import pufferl

class Masked(pufferlib.models.Default):
    def forward_eval(self, observations, state=None):
        logits, values = super().forward_eval(observations, state)
        return logits.masked_fill(observations[:, -logits.shape[1]:] == 0, -1e9), values

env = pufferlib.vector.make(parlour.pufferlib.Env, env_args=["gatsby", 64], env_kwargs={"bots": [None, "random"]})
sys.argv = ["puffer"]
config = pufferl.load_config("default")["train"] | {
    "env": "gatsby", "device": "cpu", "optimizer": "adam", "learning_rate": 0.005, "minibatch_size": 1024,
    "total_timesteps": 64 * 64 * 4, "use_rnn": False,
}
torch.manual_seed(1)
policy = Masked(env)
before = [one.clone() for one in policy.parameters()]
learner = pufferl.PuffeRL(config, env, policy)
returns = []
while learner.global_step < config["total_timesteps"]:
    stats = learner.evaluate()
    returns += list(stats["episode_return"])
    assert not any(stats["illegal"]), stats
    learner.train()
    assert all(torch.isfinite(torch.tensor(one)) for one in learner.losses.values()), learner.losses
assert any((one != other).any() for one, other in zip(before, policy.parameters()))
learner.utilization.stop()
print("returns:", returns)
"""


def test_its_trainer_learns_in_our_buffers(tmp_path: Path) -> None:
    pytest.importorskip("pyro", reason="PufferLib's trainer needs pyro-ppl")
    pytest.importorskip("pufferlib._C", reason="PufferLib was built without its trainer (NO_TRAIN=1)")
    said = run(TRAINED, tmp_path)
    assert "returns: [" in said


def test_the_program_of_its_page_runs(tmp_path: Path) -> None:
    (program,) = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs/from/pufferlib.md").read_text("utf-8"), re.S | re.M)
    assert "episode_return" in run(program, tmp_path)
