"""Gymnasium: its vector API. CartPole is computed in NumPy for all lanes at once, and has no mask as every action is
legal; Taxi steps an environment for each lane, and has a mask."""

import warnings

from serving import LANES, serve

WORKS = {"CartPole-v1": ("vector_entry_point", "fortune"), "Taxi-v4": ("sync", "gatsby")}


def make():
    import gymnasium

    warnings.simplefilter("ignore")  # of versions
    for name, (mode, near) in WORKS.items():
        for lanes in LANES:
            env = gymnasium.make_vec(name, num_envs=lanes, vectorization_mode=mode)
            yield f"seen-{lanes}", name, near, "steps/s", steps(env, lanes)


def steps(env, lanes):
    import numpy

    choice = numpy.random.default_rng(1)
    _, infos = env.reset(seed=1)
    mask = [infos.get("action_mask", numpy.ones((lanes, env.single_action_space.n)))]

    def piece():
        actions = (mask[0] * choice.random(mask[0].shape)).argmax(axis=1)
        _, _, _, _, infos = env.step(actions)
        if "action_mask" in infos:
            mask[0] = infos["action_mask"]
        return lanes

    return piece


serve("gymnasium", "gymnasium", make)
