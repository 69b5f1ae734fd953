"""What cannot be an address or text is refused with 400 and a sentence, with either database."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any

import httpx
import pytest
from litestar import Litestar

from parlour.house.app import open_house
from parlour.house.http.requests import NO_NUL, _once
from parlour.house.settings import Settings
from parlour.house.table.play.seating import MOST_OPTIONS
from tests.house.people import ME, OPEN, Person

HOSTS = ["x:abc", "x:99999", "x:-1", "[", "[::1", "[::1]:x", "a@b", "a,b", "a b", "x/../y", "%00", "x" * 300, "é"]


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.service)])
def either(request: pytest.FixtureRequest, settings: Settings) -> Settings:
    """Return settings for a house on either database."""
    if request.param == "sqlite":
        return settings
    return replace(settings, database=request.getfixturevalue("database"))


@pytest.fixture
async def house_on(either: Settings, create: Callable[[Settings], Litestar]) -> AsyncIterator[Litestar]:
    app = create(either)
    await open_house(app)
    yield app
    await app.state.house.close()


@pytest.fixture
async def ann(house_on: Litestar) -> AsyncIterator[Person]:
    async with Person(transport=httpx.ASGITransport(app=house_on), base_url="http://house.test") as person:
        await person.do("me", name="Ann")
        yield person


async def test_a_host_that_is_none_is_refused(ann: Person) -> None:
    for path, host in itertools.product(("/", "/api/me", "/static/now/page.css", "/nowhere"), HOSTS):
        answer = await ann.get(path, headers={"Host": host.encode()})
        assert answer.status_code in ((400, 404) if path == "/nowhere" else (400,)), (path, host, answer.text)
        assert answer.json()["error"]["message"].endswith("."), (path, host)


async def test_a_host_that_is_one_is_taken(ann: Person) -> None:
    for host in ("house.test", "house.test:8000", "[::1]:8000", "127.0.0.1", "my_pi.local:", "x:65535"):
        for origin in ({}, {"Origin": f"http://{host}"}):
            answer = await ann.post(
                "/api/tables", json={"game": "fortune", "seats": [OPEN, OPEN]}, headers={"Host": host} | origin
            )
            assert answer.json()["url"].startswith(f"http://{host}/t/"), (host, origin)


async def test_no_part_of_any_address_holds_nul(house_on: Litestar, ann: Person) -> None:
    tried, made = 0, list[str]()
    for route in house_on.routes:
        for place in route.path_components:
            if isinstance(place, str):
                continue
            table = await ann.make(ME, OPEN)
            made.append(table)
            parts = [one if isinstance(one, str) else table for one in route.path_components]
            for bad in ("%00", f"{table}%00", "a%00b"):
                path = "/" + "/".join(
                    bad if one is place else part for one, part in zip(route.path_components, parts, strict=True)
                )
                for method in sorted(route.methods - {"OPTIONS"}):
                    answer = await ann.request(method, path)
                    assert answer.status_code == 400, (method, path, answer.text)
                    tried += 1
            while len(made) > 9:  # a guest may host thirty
                await ann.do(f"tables/{made.pop(0)}/leave")
    assert tried > 60
    for path in ("/?x=%00", f"/api/tables/{table}/events?since=%00", f"/t/{table}/replay?step=1&x=a%00"):
        assert (await ann.get(path)).status_code == 400


BODIES: list[tuple[str, Callable[[str], dict[str, Any]]]] = [
    ("me", lambda nul: {"name": nul}),
    ("tables", lambda nul: {"game": nul}),
    ("tables", lambda nul: {"game": "fortune", "edition": nul}),
    ("tables", lambda nul: {"game": "fortune", "options": {nul: True}}),
    ("tables", lambda nul: {"game": "fortune", "options": {"target": nul}}),
    ("tables", lambda nul: {"game": "fortune", "words": nul}),
    ("tables", lambda nul: {"game": "fortune", "pace": nul}),
    ("tables", lambda nul: {"game": "fortune", "seats": [{"kind": nul}]}),
    ("tables", lambda nul: {"game": "fortune", "seats": [ME, {"kind": "bot", "bot": nul}]}),
    ("tables", lambda nul: {"game": "fortune", "seats": [ME, {"kind": "here", "name": nul}]}),
    ("tables/TABLE/moves", lambda nul: {"move": nul, "version": 0}),
    ("tables/TABLE/moves", lambda nul: {"move": "roll", "version": 0, "id": nul}),
    ("tables/TABLE/sit", lambda nul: {"token": nul}),
    ("tables/TABLE/sit", lambda nul: {"words": nul}),
    ("tables/TABLE/seats", lambda nul: {"seat": 1, "kind": "bot", "bot": nul}),
    ("tables/TABLE/seats", lambda nul: {"seat": 1, "kind": "here", "name": nul}),
    ("tables/TABLE/pace", lambda nul: {"pace": nul}),
    ("tables/TABLE/chat", lambda nul: {"text": nul}),
    ("me/mute", lambda nul: {"name": nul}),
    ("me/block", lambda nul: {"table": nul, "seat": 1}),
    ("me/passkeys/new", lambda nul: {"why": "claim", "name": nul}),
    ("me/passkeys/ask", lambda nul: {"why": "remove", "id": nul}),
    ("me/report", lambda nul: {"name": "Bob", "reason": "rude", "words": nul}),
    ("tables/TABLE/chat", lambda nul: {"text": "Hello", "id": nul}),
]  # fmt: skip


async def test_no_text_that_is_sent_holds_nul(ann: Person) -> None:
    table = await ann.make(ME, OPEN)
    before = await ann.see(table)
    for path, body in BODIES:
        for nul in ("\0", "a\0b", "\\\0"):
            answer = await ann.post(f"/api/{path.replace('TABLE', table)}", json=body(nul))
            assert (answer.status_code, answer.json()["error"]["message"]) == (400, NO_NUL), (path, body(nul))
        assert await ann.see(table) == before, (path, body(""))


async def test_what_only_looks_like_nul_is_text(ann: Person) -> None:
    table = await ann.make(ME, OPEN)
    for text in ("\\u0000", "\\\\u0000", "u0000", "%00"):
        await ann.do(f"tables/{table}/chat", text=text)
    assert [line["text"] for line in (await ann.see(table))["table"]["chat"]] == [
        "\\u0000",
        "\\\\u0000",
        "u0000",
        "%00",
    ]


@pytest.mark.parametrize(
    "query",
    ["since=1.0", "since=1e0", "since=%2B1", "since=1_0", "since=", "since=true", "since=1&since=2", "hidden=1.0"],
)
async def test_a_query_is_never_read_as_something_else(ann: Person, query: str) -> None:
    table = await ann.make(ME, {"kind": "here"})
    for path in (f"/api/tables/{table}/events", f"/api/tables/{table}/events?eyes=0"):
        answer = await ann.head(f"{path}{'&' if '?' in path else '?'}{query}")
        assert answer.status_code == 400
    assert (await ann.get(f"/me?page={query.partition('=')[2]}")).status_code == 400 or query.startswith("since=1&")
    assert (await ann.head(f"/api/tables/{table}/events?since=1")).status_code == 200


async def test_many_names_in_a_body_cost_next_to_nothing(ann: Person) -> None:
    """One object with thousands of names blocked the loop for 0.7 s, because each was compared with all others."""
    seats = [ME, {"kind": "bot"}]
    options = {f"option-{number}": "x" for number in range(MOST_OPTIONS + 1)}
    await ann.refused("tables", 400, "bad-input", game="fortune", seats=seats, options=options)
    compared = 0

    class Name(str):
        __slots__ = ()
        __hash__ = str.__hash__

        def __eq__(self, other: object) -> bool:
            nonlocal compared
            compared += 1
            return str.__eq__(self, other)

    _once([(Name(number), number) for number in range(2000)])
    assert compared < 2 * 2000


@pytest.mark.parametrize("body", ['{"text": "a", "text": "b"}', '{"text": "a", "te\\u0078t": "b"}'])
async def test_a_body_says_nothing_twice(ann: Person, body: str) -> None:
    table = await ann.make(ME, {"kind": "here"})
    answer = await ann.post(f"/api/tables/{table}/chat", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400
    assert "twice" in answer.json()["error"]["message"]
    assert (await ann.see(table))["table"]["chat"] == []
