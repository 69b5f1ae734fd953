"""Fair chance for matches between people: commitment, labelled draws, reveal.

Before the first draw the house publishes `commitment(seed)`. Each player may add words of their
own. Every chance event is HMAC-SHA256(seed, label), whose label contains the players' words and the
event's index in the record; rejection sampling turns the hash into a number without bias. After the
match the house reveals the seed, and anyone can repeat every draw. The house knows the seed all
along: this proves that it did not choose the outcomes after seeing the play, not that it could not
look ahead.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

SCHEME = "parlour-draw-1"


def new_seed() -> str:
    """Return a fresh secret seed: 32 random bytes in hexadecimal."""
    return secrets.token_hex(32)


def seed_of(number: int | str) -> str:
    """Return the seed for a repeatable rather than secret match, from any number or text."""
    return hashlib.sha256(f"{SCHEME}/{number}".encode()).hexdigest()


def is_seed(value: object) -> bool:
    """Return whether `value` has the form of a seed: 64 hexadecimal digits in lower case."""
    return isinstance(value, str) and re.fullmatch(r"[0-9a-f]{64}", value) is not None


def secret(seed: int | str | None) -> str:
    """Return the seed that `seed` stands for.

    That is `seed` itself if it has the form of one, a fresh one for None, otherwise one derived
    from it.
    """
    if seed is None:
        return new_seed()
    return seed if isinstance(seed, str) and is_seed(seed) else seed_of(seed)


def commitment(seed: str) -> str:
    """Return what the house publishes before play: SHA-256 of the seed's text, in hexadecimal."""
    return hashlib.sha256(seed.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Draws:
    """The chance of one match: a pure function of seed, players' words and index in the record."""

    seed: str
    words: tuple[str, ...] = ()

    def below(self, n: int, place: int) -> int:
        """Return a uniform integer in [0, n) for the event at index `place` of the record."""
        return _below(self.seed, self.words, n, place)

    def pick(self, weights: Sequence[int], place: int) -> int:
        """Return an index with probability exactly proportional to its integer weight."""
        left = self.below(sum(weights), place)
        for index, weight in enumerate(weights):
            left -= weight
            if left < 0:
                return index
        raise AssertionError("weights sum to less than themselves")  # pragma: no cover


def _below(seed: str, words: tuple[str, ...], n: int, place: int) -> int:
    limit = (1 << 64) - (1 << 64) % n
    attempt = 0
    while True:
        label = json.dumps([SCHEME, list(words), place, attempt], separators=(",", ":"), ensure_ascii=True)
        word = int.from_bytes(hmac.digest(seed.encode(), label.encode(), "sha256")[:8], "big")
        if word < limit:
            return word % n
        attempt += 1
