"""Learn a game from zero against the bot `greedy`: masked PPO (sb3-contrib) on a batch of games.

    pip install parlour torch sb3-contrib
    python learn.py --minutes 9

The learner sits in one seat of each lane, and `greedy` in the other. docs/learn.md says what came of it.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnv

from parlour import Batch

GAME, LANES = "facets-of-fortune", 256
MUCH = 4_000_000  # money: what sums and differences of scores are divided by


class Against(VecEnv):
    """The lanes of a batch for Stable-Baselines3: the learner has seat 0 in even lanes, and seat 1 in odd ones."""

    def __init__(self, game: str, lanes: int, bot: str, seed: int, rewards: str = "scores") -> None:
        seats = [[None, bot], [bot, None]] * (lanes // 2)
        self.batch = Batch(game, lanes, players=2, bots=seats, seed=seed, rewards=rewards, auto_reset=True)
        self.seat = np.arange(lanes) % 2
        fields = self.batch.game.observation_spec()
        most = [
            1 if field.kind != "number" else field.most or (MUCH if "money" in field.name else 100) for field in fields
        ]
        self.scale = np.repeat(np.float32(1) / most, [np.prod(field.shape) for field in fields]).astype(np.float32)
        box = spaces.Box(-np.inf, np.inf, self.scale.shape, np.float32)
        super().__init__(lanes, box, spaces.Discrete(self.batch.game.num_distinct_actions))

    def seen(self) -> np.ndarray:
        return self.batch.tensors() * self.scale

    def reset(self) -> np.ndarray:
        return self.seen()

    def step_async(self, actions: np.ndarray) -> None:
        self.chosen = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        rewards, ended, _ = self.batch.step(self.chosen)
        self.mine = rewards[np.arange(self.num_envs), self.seat]
        return self.seen(), np.tanh(self.mine / MUCH), ended.astype(bool), [{} for _ in range(self.num_envs)]

    def env_method(self, *_: Any, **__: Any) -> Any:
        return self.batch.legal_mask()  # the only method that is asked for is `action_masks`

    def has_attr(self, name: str) -> bool:
        return name == "action_masks"

    def get_attr(self, *_: Any) -> list[Any]:
        return [None] * self.num_envs

    def set_attr(self, *_: Any) -> None: ...

    def env_is_wrapped(self, *_: Any) -> list[bool]:
        return [False] * self.num_envs

    def close(self) -> None: ...


def evaluate(model: MaskablePPO, game: str, bot: str, seed: int, games: int) -> float:
    """Return the share of the wins against `bot`: the first games of fresh lanes, half of them in each seat."""
    env = Against(game, games, bot, seed, rewards="returns")
    wins, over = np.zeros(games), np.zeros(games, bool)
    seen = env.reset()
    while not over.all():
        actions, _ = model.predict(seen, action_masks=env.batch.legal_mask(), deterministic=True)
        env.step_async(actions)
        seen, _, ended, _ = env.step_wait()
        wins += env.mine * ~over  # only the first game of each lane counts
        over |= ended
    return float(wins.mean())


class Clock(BaseCallback):
    """Stops when the time of the processor is over; says now and then how it stands."""

    def __init__(self, game: str, bot: str, minutes: float) -> None:
        super().__init__()
        self.game, self.bot, self.minutes, self.begun, self.rounds = game, bot, minutes, time.process_time(), 0

    def _on_step(self) -> bool:
        return time.process_time() - self.begun < 60 * self.minutes

    def _on_rollout_start(self) -> None:
        past = time.process_time() - self.begun
        self.model.lr_schedule = lambda _: 1e-3 * max(0.05, 1 - past / (60 * self.minutes))
        if self.rounds % 10 == 0:
            wins = evaluate(self.model, self.game, self.bot, seed=2, games=500)
            print(f"{past:5.0f} s, {self.num_timesteps:9,} decisions: wins {wins:.1%} of 500", flush=True)
        self.rounds += 1


def learn(game: str, bot: str, minutes: float, seed: int) -> MaskablePPO:
    """Return what was learned from zero in this time."""
    torch.set_num_threads(1)  # more cost more than they bring in networks as small as this
    env = Against(game, LANES, bot, seed)
    model = MaskablePPO(
        "MlpPolicy", env, seed=seed, n_steps=64, batch_size=2048, n_epochs=4, gamma=1.0, gae_lambda=0.95,
        ent_coef=0.005, learning_rate=1e-3, device="cpu", policy_kwargs={"net_arch": [128, 128]},
    )  # fmt: skip
    model.learn(10**9, callback=Clock(game, bot, minutes))
    return model


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default=GAME)
    parser.add_argument("--bot", default="greedy")
    parser.add_argument("--minutes", type=float, help="of the processor's time", default=9)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    model = learn(asked.game, asked.bot, asked.minutes, asked.seed)
    games = 2000
    wins = evaluate(model, asked.game, asked.bot, seed=3, games=games)
    print(f"wins {wins:.1%} of {games:,} games against {asked.bot} (± {100 * (wins * (1 - wins) / games) ** 0.5:.1f})")
