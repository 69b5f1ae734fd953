"""PufferLib: its board games in C, which write into its buffers, and random actions, as they have no mask.

Each has an opponent of its own: in Connect Four a search, in Go and Triple Triad a few looks, in checkers a random one.
What an illegal action does differs, too: it loses, costs, or leaves the position as it is.
"""

import os
import tempfile

FOLDER = tempfile.TemporaryDirectory()  # where PufferLib makes a link, "resources", as soon as it is imported
os.chdir(FOLDER.name)

from serving import LANES, serve  # noqa: E402

WORKS = {  # module -> class, the nearest of ours, what it calls the steps between two logs
    "checkers": ("Checkers", "gatsby", "log_interval"),
    "connect4": ("Connect4", "aces-and-faces", "report_interval"),
    "go": ("Go", "facets-of-fortune", "log_interval"),
    "tripletriad": ("TripleTriad", "gatsby", "report_interval"),
}
NEVER = 1 << 30  # Connect Four's log fails if no game has ended


def make():
    from importlib import import_module

    for name, (kind, near, interval) in WORKS.items():
        environment = getattr(import_module(f"pufferlib.ocean.{name}.{name}"), kind)
        for lanes in LANES:
            env = environment(num_envs=lanes, **{interval: NEVER})
            yield f"seen-{lanes}", name, near, "steps/s", steps(env, lanes)


def steps(env, lanes):
    import numpy

    env.reset(seed=1)
    actions = numpy.random.default_rng(1).integers(env.single_action_space.n, size=(1024, lanes), dtype=numpy.int32)
    step = 0

    def piece():
        nonlocal step
        step += 1
        env.step(actions[step % len(actions)])
        return lanes

    return piece


serve("pufferlib", "pufferlib.ocean.connect4.binding", make)
