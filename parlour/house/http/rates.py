"""Rate limits: every request has a price, which both the guest and their address pay.

A budget is a token bucket: it holds `burst` and refills at a rate per second. It is stored as one number, the time at
which it will be full (the generic cell rate algorithm). An address pays for everyone behind it, so that a guest gains
nothing by deleting the cookie; its limits are higher, because a family or a school class may share it.

| budget | a guest: at once, then a second | an address | what it pays |
|---|--:|--:|---|
| requests | 600, 60 | 3,000, 150 | reads: a page 4 or 5, a table 3, a further position 4 (replay: 2), a file 0.25 |
| moves | 100, 15 | 500, 45 | moves, undone moves, lifted curtains |
| changes | 60, 1 | 300, 5 | a table 3 (1 more for 100 given steps); settings, seats, starts, names 1 |
| messages | 5, 0.5 | 60, 5 | chat |
| hints and analyses | 12, 0.5 | 60, 2 | a hint 1, an analysis 3 |
| reports | 5, 0.01 | 25, 0.05 | a report (mutes and blocks are changes) |
| passwords | 6, 0.05 | 30, 0.2 | each compared or stored, passkeys too; links; channels; lost ones 2 |
| sign-in attempts for one name | 10, 0.02 | 200, 0.1 | those of an address, and of all addresses |
| sign-in attempts from a known browser | 10, 0.05 | 50, 0.2 | this browser, and all known ones |
| password resets for one name | 10, 0.02 | 50, 0.2 | a lost password 3: of the name, and of the address |
| new guests | | 150, 3 | a visitor without a cookie of ours |

With Redis, all processes share the budgets: what is spent is added up there every SHARED seconds, in one trip, so that
no request waits for it. While Redis is unavailable, each process counts for itself.

No one makes ten moves a second by hand, and a program that does stays below its fifteen; thirty pupils behind one
address, each with a move a second and two tables a minute, stay below the limits of an address.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from math import ceil
from typing import NamedTuple

from parlour.house.errors import TooFast

SHARED = 0.1  # seconds after which other processes know what was spent here
MOST = 20_000  # buckets in memory; the longest unused one is full again


Key = tuple[str, str]  # of a bucket: the budget, and who pays


class Bucket(NamedTuple):
    """A bucket of this size, which refills by this much each second."""

    burst: float
    a_second: float


class Budget(NamedTuple):
    """What is paid out of a bucket of the guest and a bucket of the address. `all_together` is added to the refusal if
    the second is empty."""

    what: str
    guest: Bucket | None
    address: Bucket
    all_together: str = " from your address, which counts everyone who shares it"

    def costs(self, amount: float = 1.0) -> dict[str, Price]:
        """Return, for `opt` of a handler, what each request takes out of this budget."""
        return {"price": Price(self, amount)}


class Price(NamedTuple):
    """What a request takes out of a budget."""

    budget: Budget
    amount: float = 1.0


READING = Budget("requests", Bucket(600, 60), Bucket(3000, 150))
MOVES = Budget("moves", Bucket(100, 15), Bucket(500, 45))
TABLES = Budget("changes", Bucket(60, 1), Bucket(300, 5))
TALK = Budget("messages", Bucket(5, 0.5), Bucket(60, 5))
THINKING = Budget("hints and analyses", Bucket(12, 0.5), Bucket(60, 2))
REPORTS = Budget("reports", Bucket(5, 0.01), Bucket(25, 0.05))
PASSWORDS = Budget("passwords", Bucket(6, 0.05), Bucket(30, 0.2))
TRIES = Budget(
    "sign-in attempts for one name",
    Bucket(10, 0.02),
    Bucket(200, 0.1),
    " from new browsers. You can still use a browser that you signed in with before, a passkey or a link",
)
KNOWN = Budget("sign-in attempts from a known browser", Bucket(10, 0.05), Bucket(50, 0.2), " with one name")
LETTERS = Budget("password resets for one name", Bucket(10, 0.02), Bucket(50, 0.2))
NEWCOMERS = Budget("new guests", None, Bucket(150, 3))

GIVEN = 0.01  # a step given to a new game: it is written again
PAST = 2  # a position of a finished game, each of those that are asked for together
POSITION = 4  # each missed position after the first: drawing it is most of the work
NEWCOMER = Price(NEWCOMERS)
USUAL = Price(READING)  # the default, including for missing addresses, whose refusal takes work too


class Rates:
    """The buckets of everyone with recent requests."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, most: int = MOST) -> None:
        self._clock = clock
        self._most = most
        self._full: OrderedDict[Key, float] = OrderedDict()  # when each is full
        self._spent: dict[Key, float] | None = None  # spending that other processes don't know yet, as time to refill

    def charge(self, price: Price, guest: str | None, address: str) -> None:
        """Take the price out of the guest's bucket and the address's; for a visitor who is not a guest yet, only out of
        the address's. Raises TooFast, and then takes nothing."""
        if price.amount <= 0:  # free: nothing to share between processes
            return
        budget, now = price.budget, self._clock()
        due: list[tuple[Key, float, float]] = []
        for payer, bucket in ((guest, budget.guest), (f"at {address}", budget.address)):
            if payer is None or bucket is None:
                continue
            key = budget.what, payer
            full = self._full.setdefault(key, now)
            self._full.move_to_end(key)  # also if refused: persistent requests are not forgotten
            spent = price.amount / bucket.a_second
            full = max(full, now) + spent
            late = full - now - bucket.burst / bucket.a_second
            if late > 1e-6:
                raise _too_fast(budget, late, alone=payer == guest)
            due.append((key, full, spent))
        for key, full, spent in due:
            self._full[key] = full
            if self._spent is not None and (key in self._spent or len(self._spent) < self._most):
                self._spent[key] = self._spent.get(key, 0.0) + spent  # otherwise only this process knows of it
        while len(self._full) > self._most:
            self._full.popitem(last=False)

    async def share(self, add_up: Callable[[dict[Key, float]], Awaitable[list[float]]]) -> None:
        """Add what is spent here to what is spent elsewhere, until cancelled. `add_up` receives how much longer each
        bucket takes to fill, and returns how long it takes with everyone's spending."""
        self._spent = {}
        while True:
            await asyncio.sleep(SHARED)
            if not self._spent:
                continue
            sent, self._spent = self._spent, {}
            for key, lasts in zip(sent, await add_up(sent), strict=False):  # nothing if Redis is unavailable
                full = self._clock() + lasts + self._spent.get(key, 0.0)
                self._full[key] = max(self._full.get(key, 0.0), full)


def _too_fast(budget: Budget, late: float, *, alone: bool) -> TooFast:
    wait = max(1, ceil(late))
    whence = "" if alone else budget.all_together
    keep = " If this is a program, it should send the cookie back." if budget is NEWCOMERS else ""
    seconds = "a second" if wait == 1 else f"{wait} seconds"
    return TooFast(
        f"Too many {budget.what} in a short time{whence}. Please wait {seconds}.{keep}", wait=wait, kind=budget.what
    )
