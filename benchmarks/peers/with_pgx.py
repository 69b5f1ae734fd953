"""Pgx: batches on the CPU, random legal actions sampled inside the compiled step, one call from Python for each.

Its step always computes observations and masks, so one work is measured as both.
"""

import os

from serving import LANES, serve

NEAR = {"backgammon": "facets-of-fortune", "2048": "fortune"}
os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"


def make():
    for name, near in NEAR.items():
        for lanes in LANES:
            work = batch(name, lanes)
            if lanes == max(LANES):
                yield "batch", f"{name}, {lanes} lanes", near, "steps/s", work
            yield f"seen-{lanes}", name, near, "steps/s", work


def batch(name, lanes):
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    @jax.jit
    def go(state, key):
        key, choice, chance = jax.random.split(key, 3)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        actions = jax.random.categorical(choice, logits, axis=-1)
        return step(state, actions, jax.random.split(chance, lanes)), key

    first, key = jax.random.split(jax.random.PRNGKey(1))
    now = [jax.jit(jax.vmap(env.init))(jax.random.split(first, lanes)), key]

    def piece():
        now[:] = go(*now)
        jax.block_until_ready(now)
        return lanes

    piece()
    return piece


serve("pgx", "pgx", make)
