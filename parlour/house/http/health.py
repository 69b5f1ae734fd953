"""`GET /health`: whether games can be played in the house, and if not, why. For reverse proxies and operators."""

from __future__ import annotations

import asyncio
import logging
import time

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency
from litestar.enums import MediaType

from parlour.house.errors import StoreFailed
from parlour.house.house import House
from parlour.house.http.rates import READING
from parlour.house.http.requests import BANNED, Asked

log = logging.getLogger(__name__)
KEPT = 1.0  # seconds for which a result is reused
PROVED = 10.0  # seconds for which a successful write is reused
MOMENT = 0.1  # seconds that a request waits for a check; then it gets the last result
HANGS = 2.0  # seconds after which a silent database counts as down
LAGS = 1.0  # seconds for which the loop may be blocked without a report
LATELY = 60.0  # seconds
READING_FAILS = "The database can't be read. See the log for the reason."
WRITING = "The database can't be written. See the log for the reason."


class Health(msgspec.Struct, frozen=True, omit_defaults=True):
    """`why` it is not ready, or what is `degraded` while games continue. The sentences contain no addresses, names or
    keys, because anyone may read them."""

    ready: bool
    why: list[str] = []
    degraded: list[str] = []


class Doctor:
    """The checks of the house's health: one check of the database at a time, at most one a second, however often it is
    asked. No request waits long for it. A check reads; every ten seconds, or after a failed write, it also writes.

    Seconds in which the event loop was blocked don't count against the database: a busy machine must not remove every
    process from the proxy's list at once.
    """

    def __init__(self, house: House) -> None:
        self._house = house
        self._look: asyncio.Task[None] | None = None
        self._began = self._ended = self._stood = 0.0
        self._trouble = ""

    async def ask(self) -> Health:
        """Return the house's health."""
        if self._house.closing:
            return Health(ready=False, why=["The house is shutting down. Games continue when it is open again."])
        why = [found] if (found := await self._database()) else []
        if self._house.store.why_not_ready() and WRITING not in why:  # the house itself looks too, and logs it
            why.append(WRITING)
        return Health(ready=not why, why=why, degraded=self._degraded())

    async def _database(self) -> str:
        """Return why the database can't be used, "" if it can."""
        if self._look is None or (self._look.done() and time.monotonic() - self._ended > KEPT):
            self._began, self._stood = time.monotonic(), self._house.watchdog.lost
            self._look = self._house.soon(self._examine())
        if not self._look.done() and not self._hangs():
            await asyncio.wait([self._look], timeout=MOMENT)
        if not self._look.done() and self._hangs():
            return "The database doesn't respond."
        return self._trouble

    def _hangs(self) -> bool:
        stood = self._house.watchdog.lost - self._stood
        return time.monotonic() - self._began - stood > HANGS

    async def _examine(self) -> None:
        trouble = READING_FAILS
        try:
            await self._house.store.keys()
            trouble = WRITING
            await self._house.store.prove(PROVED)
            trouble = ""
        except StoreFailed as error:
            if trouble != self._trouble:
                log.error("%s", error)
        finally:
            self._trouble, self._ended = trouble, time.monotonic()

    def _degraded(self) -> list[str]:
        found = []
        if self._house.peers.use_redis and not self._house.peers.connected():
            found.append("Redis is unavailable, so updates from other processes arrive later.")
        worst = self._house.watchdog.worst_since(time.monotonic() - LATELY)
        if worst > LAGS:
            found.append(
                f"Every request waited {worst:.1f} s in the last minute. The log says what blocked the event loop."
            )
        return found


def doctor_of(request: Asked) -> Doctor:
    """Return the house's doctor."""
    doctor: Doctor = request.app.state.doctor
    return doctor


@get("/health", include_in_schema=False, opt=READING.costs(0) | {BANNED: True})
async def health(doctor: NamedDependency[Doctor]) -> Response[Health]:
    """Return whether the house is ready: 200, otherwise 503. It has no price: a proxy that is asked to wait would
    consider the house down."""
    found = await doctor.ask()
    headers = {"Cache-Control": "no-store"} | ({} if found.ready else {"Retry-After": "1"})
    return Response(found, status_code=200 if found.ready else 503, media_type=MediaType.JSON, headers=headers)
