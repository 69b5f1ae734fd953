"""The names under which a house answers, and what its own address may be."""

from __future__ import annotations

import logging
import socket
from dataclasses import replace

import httpx
import pytest
from litestar import Litestar

from parlour.core.errors import ParlourError
from parlour.house.http import hosts
from parlour.house.http.hosts import is_own
from parlour.house.serve import run
from parlour.house.settings import Settings
from tests.house.people import Person

OWN = (
    "192.168.1.5:8000", "127.0.0.1", "[::1]:8000", "[fd00::5]", "localhost:8000", "LOCALHOST", "pi", "pi:8000",
    "pi.local", "pi.local.:8000", "pi.lan", "pi.home.arpa", "games.localhost", socket.gethostname(),
)  # fmt: skip
OTHERS = (
    "evil.example",
    "evil.example:8000",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "evil.com.",
    "a.local.b",
)


def test_what_nobody_can_buy_is_a_house_s_own_and_other_names_are_not() -> None:
    assert [one for one in OWN if not is_own(one, "", ())] == []
    assert [one for one in OTHERS if is_own(one, "", ())] == []
    assert is_own("Games.Example:443", "https://games.example", ())
    assert is_own("games.example", "", ("other.example", "Games.example"))
    assert not is_own("sub.games.example", "https://games.example", ("other.example",))


async def test_a_page_under_a_stranger_s_name_is_no_page_of_this_house(app: Litestar) -> None:
    """DNS rebinding: evil.example resolves to this machine, and the browser takes our pages for its own."""
    transport = httpx.ASGITransport(app=app)
    async with Person(transport=transport, base_url="http://evil.example:8000") as caught:
        for path in ("/", "/api/me", "/rules/fortune", "/api/tables/x", "/static/now/page.css"):
            assert (await caught.get(path)).status_code == 421, path
        answer = await caught.post("/api/tables", json={"game": "fortune"}, headers={"Origin": str(caught.base_url)})
        assert (answer.status_code, answer.json()["error"]["code"]) == (421, "other-name")
        assert "--names evil.example" in answer.json()["error"]["message"]
        page = await caught.get("/", headers={"Accept": "text/html"})
        assert "--names evil.example" in page.text
        house = app.state.house
        for settings in ({"names": ("evil.example",)}, {"base_url": "http://evil.example"}, {"proxies": ("10.0.0.1",)}):
            house.settings, before = replace(house.settings, **settings), house.settings
            assert (await caught.get("/api/me")).status_code == 200
            house.settings = before


async def test_a_proxy_that_keeps_the_name_to_itself_is_said(
    app: Litestar, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With an nginx that only has `proxy_pass`, each press is refused, as if from a page of another site."""
    monkeypatch.setitem(hosts._said, "", -hosts.SELDOM)
    caplog.set_level(logging.WARNING, "parlour.house.http.hosts")
    async with Person(transport=httpx.ASGITransport(app=app), base_url="http://127.0.0.1:8000") as ann:
        for _ in range(3):
            answer = await ann.post("/api/me", json={"name": "Ann"}, headers={"Origin": "https://games.example\r\nx"})
            assert answer.status_code == 403
    (said,) = [record.getMessage() for record in caplog.records]
    assert "https://games.example%0D%0Ax" in said
    assert "127.0.0.1:8000" in said
    assert "proxy_set_header Host $http_host" in said
    assert "--base-url" in said


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("ftp://games.example", "isn't a valid address for a house"),
        ("games.example", "isn't a valid address for a house"),
        ("https://", "isn't a valid address for a house"),
        ("https://:8000", "isn't a valid address for a house"),
        ("https://games.example:x", "isn't a valid address for a house"),
        ("https://games.example:99999", "isn't a valid address for a house"),
        ("https://me@games.example", "isn't a valid address for a house"),
        ("https://ga mes.example", "isn't a valid address for a house"),
        ("https://games.example/parlour/", "can't run below a path such as /parlour/"),
        ("https://games.example?x=1", "contains more than an address"),
        ("https://games.example/#x", "contains more than an address"),
    ],
)
def test_an_address_that_no_house_can_have_is_refused_at_the_start(given: str, why: str) -> None:
    with pytest.raises(ParlourError, match=why) as caught:
        run(Settings(port=0, base_url=given))
    assert "https://games.example" in caught.value.message


@pytest.mark.parametrize(
    "given", ["", "https://games.example", "https://games.example/", "http://192.168.1.5:8000", "http://[::1]:8000"]
)
def test_an_address_that_a_house_can_have_is_taken(given: str) -> None:
    with pytest.raises(ParlourError, match="isn't a valid proxy address"):  # the next check
        run(Settings(port=0, base_url=given, proxies=("x",)))


async def test_search_engines_learn_what_is_for_them(ann: Person) -> None:
    answer = await ann.get("/robots.txt")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain")
    assert "User-agent: *\n" in answer.text
    assert "Disallow: /\n" in answer.text
    assert "Allow: /rules/\n" in answer.text
