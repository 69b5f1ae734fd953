"""One address's requests wait for each other, and other addresses don't wait for them; and every request names a
house."""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from typing import Any

import httpx
import pytest

from parlour.house.http import entrance
from parlour.house.http.entrance import AT_WORK, IN_LINE, Entrance
from tests.house.people import Person
from tests.house.serving import Nursery

CROWD = 120  # requests of one address


def visitor(app: Any, address: str) -> Person:
    transport = httpx.ASGITransport(app=app, client=(address, 1))
    return Person(transport=transport, base_url="http://house.test")


class Busy:
    """An application whose answers take a few turns of the event loop; it counts the requests in progress."""

    def __init__(self) -> None:
        self.at_work, self.most = Counter[str](), Counter[str]()
        self.answered: list[str] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:  # noqa: ARG002
        who = scope["client"][0]
        self.at_work[who] += 1
        self.most[who] = max(self.most[who], self.at_work[who])
        for _ in range(10):
            await asyncio.sleep(0)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        self.at_work[who] -= 1
        self.answered.append(who)
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def answer_after(event: asyncio.Event, at: str = "/") -> Any:
    """Make an application that answers requests for this path once an event has happened, and others at once."""

    async def house(scope: Any, receive: Any, send: Any) -> None:  # noqa: ARG001
        if scope["path"] == at:
            await event.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    return house


@pytest.mark.parametrize("limits", [True, False])
async def test_who_comes_from_elsewhere_is_served_before_the_crowd(limits: bool) -> None:
    """Without the entrance, requests are answered in their order."""
    house = Busy()
    front = Entrance(house, limits=limits)
    async with visitor(front, "192.0.2.1") as many, visitor(front, "192.0.2.2") as ann:
        crowd = [asyncio.create_task(many.get("/")) for _ in range(CROWD)]
        await asyncio.wait(crowd, return_when=asyncio.FIRST_COMPLETED)
        asked = len(house.answered)
        assert (await ann.get("/")).status_code == 200
        before = house.answered.index("192.0.2.2") - asked
        answers = await asyncio.gather(*crowd)
    assert {answer.status_code for answer in answers} == {200}
    assert house.most["192.0.2.1"] == (AT_WORK if limits else CROWD)
    if limits:
        assert before <= 3 * AT_WORK
    assert not front._lines  # nothing is stored of clients that have left


async def test_what_waits_for_something_else_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hints, passwords and streams take long; other requests of the same address overtake them."""
    monkeypatch.setattr(entrance, "WAITS", 0.01)
    hint = asyncio.Event()
    front = Entrance(answer_after(hint, at="/hint"))
    async with visitor(front, "192.0.2.1") as many:
        slow = [asyncio.create_task(many.get("/hint")) for _ in range(3 * AT_WORK)]
        await asyncio.sleep(0)
        assert (await many.get("/move")).status_code == 200
        assert not any(task.done() for task in slow)
        hint.set()
        await asyncio.gather(*slow)
    assert not front._lines


async def test_who_hangs_up_while_waiting_leaves_the_line() -> None:
    free = asyncio.Event()
    front = Entrance(answer_after(free))
    async with visitor(front, "192.0.2.1") as many:
        asked = [asyncio.create_task(many.get("/")) for _ in range(3 * AT_WORK)]
        await asyncio.sleep(0.01)
        for task in asked[1:]:
            task.cancel()
        free.set()
        assert (await asked[0]).status_code == 200
        await asyncio.gather(*asked, return_exceptions=True)
    assert not front._lines


async def test_a_line_has_an_end() -> None:
    free, counted = asyncio.Event(), Counter[str]()
    front = Entrance(answer_after(free), count=lambda kind: counted.update([kind]))
    async with visitor(front, "192.0.2.1") as many:
        asked = [asyncio.create_task(many.get("/")) for _ in range(AT_WORK + IN_LINE + 5)]
        while counted.total() != 5:  # noqa: ASYNC110
            await asyncio.sleep(0.001)
        free.set()
        answers = await asyncio.gather(*asked)
    refused = [answer for answer in answers if answer.status_code == 503]
    assert len(refused) == 5
    assert refused[0].headers["retry-after"]
    assert refused[0].json()["error"]["code"] == "busy"


async def test_requests_whose_senders_have_gone_do_not_pile_up() -> None:
    """However many addresses they come from; when some are done, others are let in."""
    free, counted = asyncio.Event(), Counter[str]()
    front = Entrance(answer_after(free, at="/slow"), connections=3, count=lambda kind: counted.update([kind]))
    async with visitor(front, "192.0.2.1") as ann, visitor(front, "192.0.2.2") as bob:
        asked = [asyncio.create_task(one.get("/slow")) for one in (ann, bob) for _ in range(3)]
        await asyncio.sleep(0.05)
        refused = await ann.get("/")
        assert (refused.status_code, refused.json()["error"]["code"]) == (503, "busy")
        assert counted == {"requests under way": 1}
        free.set()
        assert {answer.status_code for answer in await asyncio.gather(*asked)} == {200}
        assert (await ann.get("/")).status_code == 200
    assert front._under_way == 0


# Which house ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"GET /api/me HTTP/1.1\r\n\r\n", 400),
        (b"GET /nowhere HTTP/1.1\r\n\r\n", 400),
        (b"GET /api/me HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400),
        (b"GET /api/me HTTP/1.1\r\nHost: x\r\nhost: x\r\n\r\n", 400),
        (b"GET /api/me HTTP/1.1\r\nHost: x\r\n\r\n", 200),
        (b"GET /api/me HTTP/1.0\r\n\r\n", 200),  # older than this header: the checks of old proxies
    ],
)
def test_a_request_names_the_house_once(lone: str, sent: bytes, status: int) -> None:
    with socket.create_connection(("127.0.0.1", int(lone.rpartition(":")[2])), 30) as connection:
        connection.sendall(sent)
        assert int(connection.recv(65536).split()[1]) == status


@pytest.fixture(scope="module")
def lone(nursery: Nursery, tmp_path_factory: pytest.TempPathFactory) -> str:
    return nursery.start(database=f"sqlite:///{tmp_path_factory.mktemp('entrance')}/parlour.db").url
