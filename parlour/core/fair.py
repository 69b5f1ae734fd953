"""Fair chance for matches between people: commitment, labelled draws, reveal.

Before the first draw the house publishes `commitment(seed, setup)`. Each player may add words of
their own. Every chance event is HMAC-SHA256(seed, label), whose label contains the players' words
and the event's index in the record; rejection sampling turns the hash into a number without bias.
After the match the house reveals the seed, and anyone can repeat every draw. The house knows the seed all
along: this proves that it did not choose the outcomes after seeing the play, not that it could not
look ahead.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from parlour.core.errors import text, whole

SCHEME = "parlour-draw-1"
COMMITMENT = "parlour-commitment-2"
SEED, SETUP = 1, 2  # the forms of a commitment: to the seed alone, or also to the setup of the match


@dataclass(frozen=True, slots=True)
class Setup:
    """What is fixed before the first draw: `options` as a record names them, and the number of seats."""

    game: str
    rules_version: int
    edition: str
    parts: Mapping[str, object]
    options: Mapping[str, str]
    seats: int


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
    """Return the seed that `seed` means.

    That is `seed` itself if it has the form of one, a fresh one for None, otherwise one derived
    from it. Raises BadSetup if it is neither a whole number nor a text.
    """
    if seed is None:
        return new_seed()
    if not isinstance(seed, str):
        return seed_of(whole(seed, "A seed that is not a text"))
    return seed if is_seed(text(seed, "The seed")) else seed_of(seed)


def commitment(seed: str, setup: Setup | None = None) -> str:
    """Return what the house publishes before play, in hexadecimal: SHA-256 of the seed and the setup.

    Without a setup, return the form that was used until November 2026: SHA-256 of the seed's text.
    """
    bound_text = seed
    if setup is not None:
        s = setup
        bound = [COMMITMENT, seed, s.game, s.rules_version, s.edition, s.parts, s.options, s.seats]
        bound_text = json.dumps(bound, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(bound_text.encode()).hexdigest()


def form_of(published: str, seed: str, setup: Setup) -> int:
    """Return which form of commitment was published: SETUP, SEED, or 0 if it fits neither."""
    if published == commitment(seed, setup):
        return SETUP
    return SEED if published == commitment(seed) else 0


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
