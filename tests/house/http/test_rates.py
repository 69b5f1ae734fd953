"""Rate limits: prices, buckets, and refusals that say how long to wait."""

from __future__ import annotations

import asyncio
import contextlib
import random
import secrets
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any
from unittest.mock import AsyncMock

import httpx
import pytest
from litestar import Litestar
from litestar.handlers import HTTPRouteHandler
from redis import asyncio as redis

from parlour.house.app import create_app
from parlour.house.errors import TooFast
from parlour.house.http import rates
from parlour.house.http.network import neighbourhood
from parlour.house.http.rates import (
    KNOWN,
    LETTERS,
    MOVES,
    NEWCOMERS,
    PASSWORDS,
    READING,
    REPORTS,
    TABLES,
    TALK,
    THINKING,
    TRIES,
    Bucket,
    Budget,
    Price,
    Rates,
)
from parlour.house.news.fanout import Fanout
from parlour.house.settings import Settings
from tests.house.people import BOT, ME, OPEN, Person
from tests.house.serving import Nursery

BUDGETS = (READING, MOVES, TABLES, TALK, THINKING, PASSWORDS, TRIES, KNOWN, LETTERS, NEWCOMERS, REPORTS)


class Clock:
    """A clock that runs only when the test moves it."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, limits=True)


@pytest.fixture
def app(app: Litestar, clock: Clock) -> Litestar:
    app.state.rates = Rates(clock)
    return app


@pytest.fixture
async def come(app: Litestar) -> AsyncIterator[Callable[[str], Person]]:
    """Yield a function that creates a new person at an address."""
    people: list[Person] = []

    def new(address: str = "192.0.2.1") -> Person:
        transport = httpx.ASGITransport(app=app, client=(address, 4711))
        people.append(Person(transport=transport, base_url="http://house.test"))
        return people[-1]

    yield new
    for person in people:
        await person.aclose()


async def until_refused(person: Person, method: str, path: str, **body: Any) -> tuple[int, httpx.Response]:
    """Send requests until one is refused; return how many were not, and the refusal."""
    for number in range(10_000):
        answer = await person.request(method, path, **({"json": body} if method == "POST" else {}))
        if answer.status_code == 429:
            return number, answer
    raise AssertionError("it is never refused")


# The buckets -----------------------------------------------------------------------------------
def test_a_bucket_holds_its_burst_and_fills_up_again(clock: Clock) -> None:
    budget = Budget("things", Bucket(10, 2), Bucket(1000, 1000))
    kept = Rates(clock)
    for _ in range(10):
        kept.charge(Price(budget), "ann", "here")
    with pytest.raises(TooFast, match=r"Too many things in a short time. Please wait a second\.$") as caught:
        kept.charge(Price(budget), "ann", "here")
    assert caught.value.wait == 1
    with pytest.raises(TooFast, match=r"Please wait 5 seconds\.") as caught:
        kept.charge(Price(budget, 10), "ann", "here")
    clock.now += caught.value.wait  # after the time in the refusal, the request is accepted
    kept.charge(Price(budget, 10), "ann", "here")
    with pytest.raises(TooFast):
        kept.charge(Price(budget, 0.1), "ann", "here")
    kept.charge(Price(budget), "bob", "here")


def test_over_any_time_no_more_is_given_than_the_burst_and_the_rate(clock: Clock) -> None:
    choice, kept, given, refused, began = random.Random(1), Rates(clock), 0.0, 0, 1000.0
    budget = Budget("things", Bucket(30, 3), Bucket(50, 5))
    for _ in range(5000):
        clock.now += choice.choice((0.0, 0.01, 0.5))
        amount = choice.choice((0.25, 1, 3))
        try:
            kept.charge(Price(budget, amount), "ann", "here")
            given += amount
        except TooFast:
            refused += 1
        assert given <= 30 + 3 * (clock.now - began) + 1e-3
    assert given >= 3 * (clock.now - began) - 3
    assert refused > 500


def test_what_is_refused_costs_nothing_and_an_address_pays_for_all_its_guests(clock: Clock) -> None:
    budget = Budget("things", Bucket(5, 1), Bucket(12, 1))
    kept = Rates(clock)
    for guest in ("ann", "bob"):
        for _ in range(5):
            kept.charge(Price(budget), guest, "here")
        for _ in range(50):
            with pytest.raises(TooFast):
                kept.charge(Price(budget), guest, "here")
    for _ in range(2):  # the refused hundred were not charged to the address
        kept.charge(Price(budget), "eve", "here")
    with pytest.raises(TooFast, match="from your address, which counts everyone who shares it"):
        kept.charge(Price(budget), "eve", "here")
    for _ in range(3):  # and that was not charged to Eve
        kept.charge(Price(budget), "eve", "there")
    with pytest.raises(TooFast, match=r"time\. "):
        kept.charge(Price(budget), "eve", "there")


async def test_what_is_spent_at_one_process_is_spent_at_all(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is added up as in Redis, which is down for a while: then each process counts for itself."""
    monkeypatch.setattr(rates, "SHARED", 0.0)
    full: dict[rates.Key, float] = {}
    away = False

    async def add_up(spent: dict[rates.Key, float]) -> list[float]:
        await asyncio.sleep(0)
        if away:
            return []
        for key, amount in spent.items():
            full[key] = max(full.get(key, 0.0), clock.now) + amount
        return [full[key] - clock.now for key in spent]

    budget, given = Budget("things", Bucket(10, 2), Bucket(1000, 1000)), 0
    processes = [Rates(clock) for _ in range(4)]
    sharing = [asyncio.create_task(one.share(add_up)) for one in processes]
    for number in range(400):
        await asyncio.sleep(0.001)
        clock.now += 0.05
        away = 100 < number < 110
        with contextlib.suppress(TooFast):
            processes[number % 4].charge(Price(budget), "ann", "here")
            given += 1
    assert 2 * 20 <= given <= 10 + 2 * 20 + 4 + 10  # burst, rate, one in flight at each, and the time without sums
    for task in sharing:
        task.cancel()
    await asyncio.gather(*sharing, return_exceptions=True)


@pytest.mark.service
async def test_two_processes_of_a_house_are_no_more_than_one(nursery: Nursery, database: str, redis_url: str) -> None:
    servers = [nursery.start(database=database, redis=redis_url, limits=True) for _ in range(2)]
    async with contextlib.AsyncExitStack() as stack:
        ann, bob = [await stack.enter_async_context(httpx.AsyncClient(base_url=one.url)) for one in servers]

        async def compared(there: httpx.AsyncClient, name: str) -> bool:
            there.cookies.clear()
            answer = await there.post("/api/me/sign-in", json={"name": name, "password": "wrong horse"})
            assert answer.status_code in (403, 429)
            return answer.status_code == 403

        name = f"Nemo {random.getrandbits(32)}"
        assert [await compared(ann, name) for _ in range(10)] == [True] * 10
        await asyncio.sleep(3 * rates.SHARED)
        first = await compared(bob, name)  # this process knows nothing yet of a name that is new here
        await asyncio.sleep(3 * rates.SHARED)
        assert first in (True, False)
        assert not await compared(bob, name)
        async with redis.Redis.from_url(redis_url) as found:
            keys = [key async for key in found.scan_iter("parlour:*")]
            assert keys
            assert not [key for key in keys if b"127.0.0.1" in key or b"obody" in key]
            assert -1 not in [await found.pttl(key) for key in keys]  # each expires


def test_memory_is_bounded_and_keeps_who_asks_most(clock: Clock) -> None:
    kept = Rates(clock, most=100)
    budget = Budget("things", Bucket(5, 0.001), Bucket(1e6, 1e6))
    for number in range(5000):
        if number % 20 == 0:
            if number < 100:
                kept.charge(Price(budget), "greedy", "here")
            else:
                with pytest.raises(TooFast):
                    kept.charge(Price(budget), "greedy", "here")
        kept.charge(Price(budget), f"guest {number}", f"address {number}")
    assert len(kept._full) == 100


def test_what_redis_is_too_slow_to_hear_is_bounded(clock: Clock) -> None:
    """The rest is counted here alone."""
    kept, price = Rates(clock, most=100), Price(Budget("things", Bucket(5, 1), Bucket(5, 1)))
    kept._spent = {}
    for number in range(200):
        kept.charge(price, f"guest {number}", f"address {number}")
    assert len(kept._spent) == 100
    kept.charge(price, "guest 0", "address 0")
    assert kept._spent["things", "guest 0"] == 2.0


@pytest.mark.parametrize("budget", BUDGETS, ids=lambda budget: budget.what)
def test_an_address_may_do_more_than_a_guest_and_every_price_can_be_paid(budget: Budget) -> None:
    if budget.guest is not None:
        assert budget.address.burst >= 5 * budget.guest.burst
        assert budget.address.a_second >= 2 * budget.guest.a_second
    for bucket in filter(None, (budget.guest, budget.address)):
        assert bucket.burst >= 5  # more than any price


def test_the_table_in_the_module_says_what_is_so() -> None:
    for budget in BUDGETS:
        row = next(line for line in (rates.__doc__ or "").splitlines() if line.startswith(f"| {budget.what} |"))
        cells = [cell.strip() for cell in row.split("|")[2:4]]
        listed = [
            f"{bucket.burst:,g}, {bucket.a_second:g}" if bucket else "" for bucket in (budget.guest, budget.address)
        ]
        assert cells == listed


@pytest.mark.parametrize(
    ("address", "counts_as"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::ffff", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
        ("", ""),
    ],
)
def test_what_counts_as_one_address(address: str, counts_as: str) -> None:
    assert neighbourhood(address) == counts_as


# The house -------------------------------------------------------------------------------------
def test_every_address_states_its_price(settings: Settings) -> None:
    seen = set()
    for route in create_app(settings).routes:
        for handler in getattr(route, "route_handlers", [getattr(route, "route_handler", None)]):
            if isinstance(handler, HTTPRouteHandler) and handler.http_methods == {"OPTIONS"}:
                continue
            price = handler.opt.get("price")
            assert isinstance(price, Price), f"{route.path} has no price"
            free = route.path in ("/health", "/metrics")  # monitoring is always answered
            assert (price.amount == 0) if free else (price.amount > 0)
            assert price.budget in BUDGETS
            seen.add((route.path, price.budget))
    posts = {path: budget for path, budget in seen if budget != READING}
    assert posts["/api/tables"] == TABLES
    assert posts["/api/tables/{table_id:str}/moves"] == MOVES
    assert posts["/api/tables/{table_id:str}/chat"] == TALK
    assert posts["/api/tables/{table_id:str}/hint"] == THINKING
    assert len(seen) > 25


async def test_a_refusal_says_how_long_to_wait_and_is_true(come: Callable[[str], Person], clock: Clock) -> None:
    ann = come("192.0.2.1")
    table = await ann.make(ME, OPEN)
    for number in range(5):
        await ann.do(f"tables/{table}/chat", text=f"hello {number}")
    answer = await ann.post(f"/api/tables/{table}/chat", json={"text": "hello?"})
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (429, "too-fast")
    assert error["message"] == "Too many messages in a short time. Please wait 2 seconds."
    assert answer.headers["retry-after"] == "2"
    clock.now += 2
    await ann.do(f"tables/{table}/chat", text="hello!")
    assert len((await ann.see(table))["table"]["chat"]) == 6
    page = await ann.get("/nowhere", headers={"Accept": "text/html"})
    assert page.status_code == 404


async def test_nothing_is_done_for_what_is_not_paid_for(come: Callable[[str], Person], app: Litestar) -> None:
    ann = come("192.0.2.1")
    await ann.get("/api/me")
    made, answer = await until_refused(ann, "POST", "/api/tables", game="fortune", seats=[ME, OPEN])
    assert made == 20
    assert int(answer.headers["retry-after"]) >= 1
    before = len(await app.state.house.store.named_at((await ann.get("/api/me")).json()["id"]))
    for _ in range(30):
        await ann.refused("tables", 429, "too-fast", game="fortune", seats=[ME, OPEN])
        assert (await ann.post("/api/tables", content=b"{")).status_code == 429  # before the body is read
    assert len(await app.state.house.store.named_at((await ann.get("/api/me")).json()["id"])) == before
    bob = come("192.0.2.1")  # another guest at the same address can still create theirs
    await bob.make(ME, OPEN)


async def test_dropping_the_cookie_helps_nobody(come: Callable[[str], Person], app: Litestar) -> None:
    """One client creates tables of bots, as a new guest each time: 200 of them in 24 s once delayed everyone."""
    app.state.rates.charge(Price(TABLES, 270), None, "192.0.2.1")  # the first ninety, so that the test is quick
    made = 0
    while True:
        answer = await come("192.0.2.1").post("/api/tables", json={"game": "fortune", "seats": [OPEN, OPEN]})
        if answer.status_code == 429:
            break
        made += 1
    assert made == 10
    assert "from your address" in answer.json()["error"]["message"]
    other = await come("192.0.2.2").post("/api/tables", json={"game": "fortune", "seats": [OPEN, OPEN]})
    assert other.status_code == 201


async def test_newcomers_without_end_are_refused_and_learn_about_the_cookie(come: Callable[[str], Person]) -> None:
    known = come("192.0.2.1")
    await known.get("/api/me")
    for _ in range(149):
        assert (await come("192.0.2.1").get("/api/me")).status_code == 200
    answer = await come("192.0.2.1").get("/api/me")
    assert answer.status_code == 429
    assert answer.json()["error"]["message"].endswith("it should send the cookie back.")
    assert (await known.get("/api/me")).status_code == 200
    assert (await come("2001:db8::1").get("/api/me")).status_code == 200


async def test_what_is_not_there_has_a_price_too(come: Callable[[str], Person], app: Litestar) -> None:
    app.state.rates.charge(Price(READING, 2900), None, "192.0.2.1")
    nobody = come("192.0.2.1")
    asked = 0
    for path in ("/nowhere", "/api/nowhere"):
        number, answer = await until_refused(nobody, "GET", path)
        asked += number
        assert answer.headers["retry-after"]
    assert asked == 100
    assert (await nobody.request("DELETE", "/api/me")).status_code == 429


async def test_a_page_pays_for_each_position_that_it_is_sent(come: Callable[[str], Person], clock: Clock) -> None:
    """Twelve positions are as much work as some ten pages."""
    ann = come("192.0.2.1")
    table = await ann.make(ME, {"kind": "here"})
    while (version := (seen := await ann.see(table))["table"]["version"]) < 20:
        await ann.do(f"tables/{table}/moves", move=seen["legal"][0], version=version)

    async def opened(missed: int) -> int:
        """Return how many streams a page that missed this much may open at once."""
        clock.now += 1000
        address = f"/api/tables/{table}/events?since={version - missed}"
        for number in range(1000):
            if (answer := await ann.head(address)).status_code == 429:  # HEAD pays, and opens no stream
                assert int(answer.headers["retry-after"]) >= 1
                return number
        raise AssertionError

    assert await opened(1) == await opened(0) == await opened(13) == 600 / 4
    assert await opened(2) == 600 / 8
    assert 10 <= await opened(12) <= 600 / 48  # so pages of a dozen tables may all reconnect at once


async def test_a_program_that_plays_politely_is_never_refused(come: Callable[[str], Person], clock: Clock) -> None:
    """It makes ten moves a second for ten minutes, and reads the table and the page in between; so do quick people who
    share one device."""
    ann = come("192.0.2.1")
    await ann.do("me", name="Ann")
    guest = (await ann.get("/api/me")).json()["id"]
    kept = Rates(clock)
    for _ in range(6000):
        clock.now += 0.1
        kept.charge(Price(MOVES), guest, "192.0.2.1")
        kept.charge(Price(READING, 3), guest, "192.0.2.1")
        kept.charge(Price(READING, 1), guest, "192.0.2.1")


async def test_a_school_class_behind_one_address_is_never_refused(clock: Clock) -> None:
    """Thirty pupils arrive within a minute, open pages of a dozen files, and play a move each second; each creates a
    table every two minutes."""
    kept = Rates(clock)
    for second in range(1800):
        for pupil in range(30):
            clock.now += 1 / 30
            who = f"pupil {pupil}"
            if second == 2 * pupil:
                kept.charge(rates.NEWCOMER, None, "school")
                kept.charge(Price(READING, 4), None, "school")
                for _ in range(12):
                    kept.charge(Price(READING, 0.25), None, "school")
            if second >= 2 * pupil:
                kept.charge(Price(MOVES), who, "school")
            if (second - 2 * pupil) % 120 == 0 and second >= 2 * pupil:
                kept.charge(Price(TABLES, 3), who, "school")
                for _ in range(5):
                    kept.charge(Price(TABLES), who, "school")
                kept.charge(Price(READING, 9), who, "school")


async def test_a_house_without_limits_has_none(come: Callable[[str], Person], app: Litestar) -> None:
    app.state.rates = None
    ann = come("192.0.2.1")
    table = await ann.make(ME, BOT)
    for number in range(40):
        await ann.do(f"tables/{table}/chat", text=f"hello {number}")


async def test_what_is_free_is_not_shared_with_other_processes(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Health checks come several times a second, and Redis keeps no bucket that is full."""
    monkeypatch.setattr(rates, "SHARED", 0.0)
    shared: list[dict[rates.Key, float]] = []

    async def add_up(spent: dict[rates.Key, float]) -> list[float]:
        shared.append(spent)
        return [0.0 for _ in spent]

    kept, budget = Rates(clock), Budget("things", Bucket(10, 2), Bucket(1000, 1000))
    sharing = asyncio.create_task(kept.share(add_up))
    for amount in (0.0, 1.0):
        await asyncio.sleep(0.001)
        kept.charge(Price(budget, amount), "ann", "here")
    await asyncio.sleep(0.01)
    sharing.cancel()
    await asyncio.gather(sharing, return_exceptions=True)
    assert [[*spent.values()] for spent in shared] == [[0.5, 0.001]]


@pytest.mark.service
async def test_redis_adds_up_also_what_is_nothing(redis_url: str) -> None:
    fanout = Fanout(redis_url, AsyncMock(), lambda: None)
    await fanout.open()
    keys = [f"parlour:test-{secrets.token_hex(4)}" for _ in range(2)]
    for _ in range(100):
        if found := await fanout.add_up({keys[0]: 0.0, keys[1]: 30.0}):
            break
        await asyncio.sleep(0.05)
    await fanout.close()
    assert found == pytest.approx([0.0, 30.0], abs=0.1)
