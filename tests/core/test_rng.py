"""The portable generator against an implementation of its own, written from the description of sfc32."""

from __future__ import annotations

import struct
from collections import Counter

import pytest

from parlour.core import rng as r


class Sfc32:
    """sfc32 as its author gives it, in C's unsigned 32-bit words (kept by packing, not by masks)."""

    def __init__(self, a: int, b: int, c: int, counter: int) -> None:
        self.a, self.b, self.c, self.counter = a, b, c, counter

    @staticmethod
    def word(value: int) -> int:
        return int(struct.unpack("<I", struct.pack("<Q", value % 2**64)[:4])[0])

    def next(self) -> int:
        out = self.word(self.a + self.b + self.counter)
        self.counter = self.word(self.counter + 1)
        self.a = self.b ^ (self.b >> 9)
        self.b = self.word(self.c + (self.c << 3))
        rotated = self.word(self.c << 21) | (self.c >> (32 - 21))
        self.c = self.word(rotated + out)
        return out


@pytest.mark.parametrize(("seed", "stream"), [(0, 0), (1, 0), (2**63 - 1, 2**32 - 1), (123456789123, 42)])
def test_words_are_those_of_sfc32(seed: int, stream: int) -> None:
    rng = [0] * r.RNG_SIZE
    r.seed_rng(rng, seed, stream)
    other = Sfc32(seed % 2**32, seed >> 32, stream, 1)
    for _ in range(15):
        other.next()
    for _ in range(1000):
        assert r.random_word(rng) == other.next()
        assert all(0 <= word < 2**32 for word in rng)


def test_streams_differ() -> None:
    firsts = set()
    for seed in range(20):
        for stream in range(20):
            rng = [0] * r.RNG_SIZE
            r.seed_rng(rng, seed, stream)
            firsts.add((r.random_word(rng), r.random_word(rng)))
    assert len(firsts) == 400


def test_random_below_is_in_range_and_even() -> None:
    rng = [0] * r.RNG_SIZE
    r.seed_rng(rng, 1, 1)
    found = Counter(r.random_below(rng, 6) for _ in range(60_000))
    assert found.keys() == set(range(6))
    assert sum((n - 10_000) ** 2 / 10_000 for n in found.values()) < 30  # chi-square, 5 degrees: one in 70,000
    assert all(r.random_below(rng, 1) == 0 for _ in range(100))
    assert all(0 <= r.random_below(rng, 2**31 - 1) < 2**31 - 1 for _ in range(100))


def test_choose_weighted_follows_the_weights() -> None:
    rng = [0] * r.RNG_SIZE
    r.seed_rng(rng, 2, 1)
    found = Counter(r.choose_weighted(rng, [1, 0, 3, 6, 99], 4) for _ in range(10_000))
    assert found.keys() == {0, 2, 3}
    assert all(abs(found[i] - 1000 * weight) < 200 for i, weight in ((0, 1), (2, 3), (3, 6)))
