"""Passwords: hashed by Argon2id in their own thread, one at a time, so that neither the event loop nor memory suffers.

A comparison takes the same time whether or not the name has an account: without one, it uses a hash that no password
matches.
"""

from __future__ import annotations

import asyncio
import secrets
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from parlour.house.errors import BadInput, Busy

T = TypeVar("T")
FEWEST, MOST = 8, 200  # characters
WAITING = 20  # waiting passwords, each about 0.1 s; more are refused for the moment


class Passwords:
    """Hashes and compares passwords."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher(time_cost=2, memory_cost=32 * 1024, parallelism=1)  # 32 MB
        self._hands = ThreadPoolExecutor(1, "passwords")
        self._line = 0

    async def hash(self, password: str) -> str:
        """Return the hash to store. Errors: BadInput (too short, too long), Busy."""
        return await self._run(self._hasher.hash, _plain(password))

    async def fits(self, password: str, kept: str | None) -> bool:
        """Return whether a password matches a hash. None matches nothing, after the same time. Raises Busy."""
        return await self._run(self._fits, unicodedata.normalize("NFC", password), kept)

    def close(self) -> None:
        """End the thread."""
        self._hands.shutdown(cancel_futures=True)

    @cached_property
    def _nobodys(self) -> str:
        return self._hasher.hash(secrets.token_hex(16))

    def _fits(self, password: str, kept: str | None) -> bool:
        nobodys = self._nobodys  # made once, by the first request of any kind
        try:
            return self._hasher.verify(nobodys if kept is None else kept, password) and kept is not None
        except (VerificationError, InvalidHashError):
            return False

    async def _run(self, work: Callable[..., T], *given: object) -> T:
        if self._line >= WAITING:
            raise Busy("Many people are signing in right now. Please try again in a few seconds.")
        self._line += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._hands, work, *given)
        finally:
            self._line -= 1


def _plain(password: str) -> str:
    password = unicodedata.normalize("NFC", password)
    if not FEWEST <= len(password) <= MOST:
        raise BadInput(f"A password must have {FEWEST} to {MOST} characters. This one has {len(password)}.")
    return password
