"""A small portable generator for simulations: the same numbers plain and compiled.

`rng` is anything that indexes four ints (a list, or an int64 array). The algorithm is sfc32 ("small
fast counting", C. Doty-Humphrey, PractRand): 128 bits of state and 32-bit words only, so it is
exact both in CPython's ints and in 64-bit registers. Matches between people draw from `core.fair`
instead.
"""

from __future__ import annotations

from collections.abc import MutableSequence

RNG_SIZE = 4
WORD = 0xFFFFFFFF


def random_word(rng: MutableSequence[int]) -> int:
    """Return the next 32 random bits."""
    a, b, c, counter = rng[0], rng[1], rng[2], rng[3]
    word = (a + b + counter) & WORD
    rng[0] = b ^ (b >> 9)
    rng[1] = (c + (c << 3)) & WORD
    rng[2] = ((((c << 21) & WORD) | (c >> 11)) + word) & WORD
    rng[3] = (counter + 1) & WORD
    return word


def random_below(rng: MutableSequence[int], n: int) -> int:
    """Return an integer in [0, n), n < 2**31, uniform to within n / 2**32."""
    return (random_word(rng) * n) >> 32


def seed_rng(rng: MutableSequence[int], seed: int, stream: int) -> None:
    """Seed the generator.

    Pairs of `seed` (below 2**63) and `stream` (below 2**32) give independent streams.
    """
    rng[0] = seed & WORD
    rng[1] = (seed >> 32) & WORD
    rng[2] = stream & WORD
    rng[3] = 1
    for _ in range(15):
        random_word(rng)


def choose_weighted(rng: MutableSequence[int], weights: MutableSequence[int], n: int) -> int:
    """Return an index in [0, n) with probability proportional to its weight (sum below 2**31)."""
    total = 0
    for i in range(n):
        total += weights[i]
    left = random_below(rng, total)
    for i in range(n):
        left -= weights[i]
        if left < 0:
            return i
    return n - 1
