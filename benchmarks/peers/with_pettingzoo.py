"""PettingZoo: its classic games, an environment for each lane, and random legal actions.

Each agent to act is given its observation with the mask, by `last`, as PettingZoo's loop does.
"""

import random

from serving import LANES, serve

NEAR = {"connect_four_v3": "aces-and-faces", "leduc_holdem_v4": "gatsby", "texas_holdem_v4": "family-trade"}


def make():
    from importlib import import_module

    random.seed(1)
    for name, near in NEAR.items():
        module = import_module(f"pettingzoo.classic.{name}")
        for lanes in LANES:
            yield f"seen-{lanes}", name, near, "steps/s", steps(module, lanes)


def steps(module, lanes):
    envs = [module.env() for _ in range(lanes)]
    for number, env in enumerate(envs):
        env.reset(seed=number)

    def piece():
        for env in envs:
            observation, _, terminated, truncated, _ = env.last()
            while terminated or truncated:
                env.reset()
                observation, _, terminated, truncated, _ = env.last()
            env.step(random.choice(observation["action_mask"].nonzero()[0]))
        return lanes

    return piece


serve("pettingzoo", "pettingzoo.classic", make)
