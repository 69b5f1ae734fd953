"""Pgx: batches on the CPU, random legal actions sampled inside the compiled step, one call from Python for each."""

import os

from serving import serve

LANES = 1024
NEAR = {"backgammon": "facets-of-fortune", "2048": "fortune"}
os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"


def make():
    for name, near in NEAR.items():
        yield "batch", f"{name}, {LANES} lanes", near, "steps/s", batch(name)


def batch(name):
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
        return step(state, actions, jax.random.split(chance, LANES)), key

    first, key = jax.random.split(jax.random.PRNGKey(1))
    now = [jax.jit(jax.vmap(env.init))(jax.random.split(first, LANES)), key]

    def piece():
        now[:] = go(*now)
        jax.block_until_ready(now)
        return LANES

    piece()
    return piece


serve("pgx", "pgx", make)
