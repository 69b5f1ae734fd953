"""How many pages a guest, an address and the whole house may keep open; a page that closes frees its place."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import AsyncExitStack, aclosing
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar import Litestar

from parlour.house.errors import TooFast
from parlour.house.http.places import AT_AN_ADDRESS, NAMES, OF_A_GUEST, Places
from tests.house.people import ME, OPEN, Person
from tests.house.serving import Nursery, Server

WAIT = 10  # seconds


async def messages() -> AsyncGenerator[bytes, None]:
    while True:
        yield b"news"


@pytest.fixture
async def open_page() -> AsyncIterator[Callable[..., Any]]:
    """Yield a function that opens a stream of a guest at an address, and reads its first message."""
    async with AsyncExitStack() as stack:

        async def open_one(places: Places, guest: str, address: str, name: str = "") -> AsyncGenerator[bytes, None]:
            places.admit(guest, address, name)
            stream = await stack.enter_async_context(aclosing(places.seat(messages(), guest, address, name)))
            assert await anext(stream) == b"news"
            return stream

        yield open_one


async def test_an_address_has_pages_open_under_a_few_names_of_the_house(open_page: Callable[..., Any]) -> None:
    """Each name needs its own drawings: sixty names made each move sixty times the work."""
    places = Places(100, limits=True)
    opened = [await open_page(places, f"guest {number}", "here", f"http://name-{number % 4}") for number in range(8)]
    with pytest.raises(TooFast, match="too many names"):
        places.admit("eve", "here", "http://other")
    places.admit("eve", "here", "http://name-1")
    places.admit("eve", "there", "http://other")
    await opened[0].aclose()
    with pytest.raises(TooFast):
        places.admit("eve", "here", "http://other")
    await opened[4].aclose()
    places.admit("eve", "here", "http://other")
    for stream in opened:
        await stream.aclose()
    assert not places._under
    Places(100, limits=False).admit("eve", "here", "http://other")


async def test_the_name_is_that_in_the_header_host(app: Litestar, arrive: Callable[[], Person]) -> None:
    ann = arrive()
    table = await ann.make(ME, {"kind": "here"})
    app.state.places = places = Places(100, limits=True)
    places._under["127.0.0.1"] = Counter(f"http://name-{number}" for number in range(NAMES))
    for host, status in (("name-1", 200), ("other", 429)):
        answer = await ann.head(f"/api/tables/{table}/events", headers={"Host": host})
        assert answer.status_code == status


async def test_of_a_guest_at_an_address_and_in_all(open_page: Callable[..., Any]) -> None:
    places = Places(100, limits=True)
    first = [await open_page(places, "ann", "here") for _ in range(OF_A_GUEST)]
    with pytest.raises(TooFast, match="You already have 12 pages open") as caught:
        places.admit("ann", "elsewhere")
    assert caught.value.wait > 0
    for number in range(AT_AN_ADDRESS - OF_A_GUEST):
        await open_page(places, f"guest {number}", "here")
    with pytest.raises(TooFast, match="Your address already has 60 pages open"):
        places.admit("eve", "here")
    for number in range(100 - AT_AN_ADDRESS):
        await open_page(places, f"other {number}", f"address {number}")
    with pytest.raises(TooFast, match="This house has reached its limit"):
        places.admit("eve", "there")
    await first[0].aclose()
    assert places.count == 99
    for who, address in (("ann", "here"), ("eve", "there")):
        places.admit(who, address)
    for stream in first[1:]:
        await stream.aclose()
    assert "ann" not in places._open  # nothing is stored of a guest who has left


async def test_the_last_place_is_given_once() -> None:
    """Many may request it at the same time, before any stream has begun."""
    places = Places(100, limits=True)
    for _ in range(30):
        places.admit("ann", "here")
    begun = [places.seat(messages(), "ann", "here") for _ in range(30)]
    given = [message for stream in begun async for message in _first(stream)]
    assert len(given) == OF_A_GUEST
    for stream in begun:
        await stream.aclose()
    assert places.count == 0
    assert not places._open


async def _first(stream: AsyncGenerator[bytes, None]) -> AsyncIterator[bytes]:
    try:
        yield await anext(stream)
    except StopAsyncIteration:
        return


async def test_a_house_without_limits_still_has_one_in_all(open_page: Callable[..., Any]) -> None:
    places = Places(30, limits=False)
    for _ in range(30):
        await open_page(places, "ann", "here")
    with pytest.raises(TooFast):
        places.admit("bob", "there")


@pytest.fixture
def server(nursery: Nursery, tmp_path: Path) -> Server:
    return nursery.start(database=f"sqlite:///{tmp_path}/parlour.db", limits=True)


async def test_over_the_wire_the_thirteenth_page_is_refused_until_one_closes(server: Server) -> None:
    reading = []
    async with Person(base_url=server.url, timeout=WAIT) as ann, AsyncExitStack() as stack:
        table = await ann.make(ME, OPEN)
        path = f"/api/tables/{table}/events"

        async def page() -> httpx.Response:
            answer = await stack.enter_async_context(ann.stream("GET", path))
            if answer.is_success:
                reading.append(answer.aiter_bytes())
                await anext(reading[-1])
            return answer

        opened = [await page() for _ in range(OF_A_GUEST)]
        assert all(answer.status_code == 200 for answer in opened)
        answer = await ann.get(path)
        assert answer.status_code == 429
        assert answer.json()["error"]["message"] == (
            "You already have 12 pages open, which is the limit. Close one of them."
        )
        assert int(answer.headers["retry-after"]) > 0
        assert (await ann.get(f"/t/{table}")).status_code == 200  # the page itself still loads
        await opened[0].aclose()

        async def free() -> None:
            while (await page()).status_code != 200:
                pass

        await asyncio.wait_for(free(), WAIT)
