"""Learn Facets of Fortune for two from zero against `greedy`: masked PPO of sb3-contrib on a batch of games.

`pip install parlour torch sb3-contrib`, then `python learn.py --minutes 5`; docs/learn.md says what came of it.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import VecEnv
from torch import Tensor, nn

import parlour

GAME, BOT, LANES, STEPS = parlour.find("facets-of-fortune"), "greedy", 512, 64
FIELDS = {field.name: field for field in GAME.observation_spec()}
MUCH = 4_000_000  # money: the learner is paid tanh(difference in the end / MUCH)
PRICES = torch.tensor([5, 10, 25, 50, 75, 100, 250, 500, 750, 1000]) / 1000  # FF-1, in millions
SETS = (torch.arange(64) >> torch.arange(6)[:, None] & 1).float()  # the last 64 actions discard a set of six cards


def hot(numbers: Tensor, least: int, most: int) -> Tensor:
    """Return each number of (...) as (..., most - least + 1): a place for each of its values."""
    return (numbers.unsqueeze(-1) == torch.arange(least, most + 1)).float()


def features(numbers: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return what is seen of the markets (lanes, 4, ...) and of the rest (lanes, ...), and the hand (lanes, 6)."""
    seen = {name: numbers[:, field.at : field.at + field.size] for name, field in FIELDS.items()}
    first = FIELDS["ruby: gems on the board"].at  # from here on there are five numbers of each market
    board, rung, closed, stops, dealt = numbers[:, first : first + 20].unflatten(1, (4, 5)).unbind(2)
    gems = torch.stack([seen["own seat: gems by colour"], seen["next seat: gems by colour"]], 2)  # by market and seat
    sell, buy = PRICES[rung.long()] * (1 - closed), PRICES[(10 - board).clamp(max=9).long()]
    worth = gems * sell[:, :, None]
    hand, left = seen["own seat: hand"], seen["cards of each kind in the deck, and discarded"][:, ::2] / 4
    held = [hot(cards, 0, 21).sum(1) for cards in (hand, seen["next seat: hand"], seen["card played"])]
    kinds = torch.stack([*held, left], 1)  # (lanes, where, kind): the order of cards does not matter
    coloured = torch.cat([kinds[..., :12].unflatten(2, (4, 3)), kinds[..., 15:19, None]], 3).transpose(1, 2)
    market = [
        hot(board, 0, 10), hot(rung, 0, 9), hot(gems, 0, 10).flatten(2), hot(stops, 0, 3),
        coloured.flatten(2), worth, worth.tanh(), gems / 5,
        torch.stack([closed, hot(seen["market named first"], 0, 3)[:, 0], dealt / 3], 2),
        torch.stack([sell, buy, (20 * sell).log1p() - (20 * buy).log1p(), board / 5, rung / 5], 2),
    ]  # fmt: skip
    money = torch.cat([seen["own seat: money"], seen["next seat: money"]], 1) / 1e6
    wealth = money + worth.sum(1)
    sums = torch.cat([money, wealth, wealth - wealth.flip(1)], 1)
    names = (("phase", 16), ("cards to be drawn", 3), ("gems still to be taken", 6), ("what is drawn for", 2))
    rest = [
        *(hot(seen[name][:, 0], 0, most) for name, most in names), hot(seen["up/down die"][:, 0], -3, 3),
        hot((hand >= 0).sum(1), 0, 6), hot(closed.sum(1), 0, 3), kinds[..., [12, 13, 14, 19, 20, 21]].flatten(1),
        *(seen[f"{seat} seat: {what}"] for seat in ("own", "next") for what in ("STOP cards", "extra STOP bought")),
        seen["extra cards may be bought"], seen["cards in the deck"] / 100, seen["turns finished"] / 50,
        sums, sums.tanh(), (50 * money).log1p() / 2,
    ]  # fmt: skip
    return torch.cat(market, 2), torch.cat(rest, 1), torch.where(hand < 0, 22, hand)


class Net(BaseFeaturesExtractor):
    """The same weights for each market: what is learned of rubies is known of emeralds."""

    def __init__(self, space: spaces.Box, width: int = 64) -> None:
        super().__init__(space, GAME.num_distinct_actions + 1)
        market, rest, _ = features(torch.zeros(1, sum(field.size for field in FIELDS.values())))
        self.sizes = [market[0].numel(), rest.shape[1], 6]
        self.market_in, self.rest_in = nn.Linear(market.shape[2], width), nn.Linear(rest.shape[1], width)
        self.rest_next, self.rest_last = nn.Linear(2 * width, width), nn.Linear(2 * width, width)
        self.market_next, self.market_out, self.rest_out = (nn.Linear(width, size) for size in (width, 16, 23))

    def forward(self, seen: Tensor) -> Tensor:
        """Return (lanes, actions + 1): a logit for each action, then the value."""
        market, rest, hand = seen.split(self.sizes, 1)
        rest = self.rest_in(rest)
        markets = torch.relu(self.market_in(market.unflatten(1, (4, -1))) + rest[:, None])
        rest = torch.relu(self.rest_next(torch.cat([rest.relu(), markets.mean(1)], 1)))
        markets = torch.relu(self.market_next(markets) + rest[:, None])
        rest = torch.relu(self.rest_last(torch.cat([rest, markets.mean(1)], 1)))
        parts = self.market_out(markets).split((3, 1, 1, 3, 3, 1, 3, 1), 2)
        card, free, name, buy, sell, stop, toss, toss_free = (part.flatten(1) for part in parts)
        turn, wild, other, rob, toss_wild, toss_other, value = self.rest_out(rest).split((6, 3, 3, 4, 3, 3, 1), 1)
        tosses = torch.cat([toss, toss_wild, toss_free, toss_other, 0 * value], 1)  # by kind of card, and of no card
        sets = tosses.gather(1, hand.long()) @ SETS  # a set of cards is worth what they are worth together
        return torch.cat([turn, stop, card, wild, free, other, name, buy, sell, rob, sets, value], 1)


class Against(VecEnv):
    """The lanes of a batch for Stable-Baselines3: the learner has seat 0 in even lanes, and seat 1 in odd ones."""

    def __init__(self, lanes: int, seed: int, rewards: str = "scores") -> None:
        bots = [[None, BOT], [BOT, None]] * (lanes // 2)
        self.batch = parlour.Batch(GAME, lanes, players=2, bots=bots, seed=seed, rewards=rewards, auto_reset=True)
        self.numbers, self.mask = self.batch.observations().astype(np.float32), self.batch.legal_mask()
        self.batch.write_to(observations=self.numbers, legal_mask=self.mask)
        shape = self.reset().shape[1:]
        super().__init__(lanes, spaces.Box(-np.inf, np.inf, shape), spaces.Discrete(GAME.num_distinct_actions))

    def reset(self) -> np.ndarray:
        return torch.cat([part.flatten(1) for part in features(torch.from_numpy(self.numbers))], 1).numpy()

    def step_async(self, actions: np.ndarray) -> None:
        rewards, ended, _ = self.batch.step(actions, check=False)
        self.paid, self.ended = rewards[np.arange(len(rewards)), np.arange(len(rewards)) % 2], ended.astype(bool)

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        return self.reset(), np.tanh(self.paid / MUCH), self.ended, [{}] * len(self.ended)

    def env_method(self, *_: Any, **__: Any) -> Any:
        return self.mask.copy()  # the only method that is asked for is `action_masks`

    def get_attr(self, *_: Any) -> Any:
        return [None] * len(self.mask)

    has_attr = set_attr = env_is_wrapped = close = get_attr  # nothing is asked for that matters


def evaluate(model: MaskablePPO, seed: int, games: int) -> None:
    """Print the wins and their 95 % interval: the first games of fresh lanes, half of them in each seat."""
    env, wins, over = Against(games, seed, rewards="returns"), np.zeros(games), np.zeros(games, bool)
    while not over.all():
        env.step_async(model.predict(env.reset(), action_masks=env.mask, deterministic=True)[0])
        wins, over = wins + env.paid * ~over, over | env.ended
    share = f"wins {wins.mean():.1%} of {games:,} games (± {196 * wins.std() / games**0.5:.1f})"
    print(f"{time.process_time():4.0f} s, {model.num_timesteps:9,} decisions: {share}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=5, help="of the processor's time")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    torch.set_num_threads(1)  # more cost more than they bring in networks as small as this
    model = MaskablePPO(
        "MlpPolicy", Against(LANES, asked.seed), seed=asked.seed, n_steps=STEPS, batch_size=2048, n_epochs=3, gamma=1.0,
        ent_coef=0.005, learning_rate=lambda _: 1.5e-3 * max(0.05, 1 - time.process_time() / 60 / asked.minutes),
        policy_kwargs={"features_extractor_class": Net, "net_arch": [], "ortho_init": False},
    )  # fmt: skip
    logits_and_value = torch.eye(GAME.num_distinct_actions + 1)  # the net has computed both: the heads only part them
    model.policy.action_net.weight = nn.Parameter(logits_and_value[:-1], requires_grad=False)
    model.policy.value_net.weight = nn.Parameter(logits_and_value[-1:], requires_grad=False)
    while time.process_time() < 60 * asked.minutes:
        evaluate(model, seed=2, games=500)
        model.learn(8 * LANES * STEPS, reset_num_timesteps=False)
    evaluate(model, seed=3, games=2000)  # other games
