"""Links for others contain an address that they can reach."""

from __future__ import annotations

from dataclasses import replace

import httpx
import pytest
from litestar import Litestar

from parlour.house.http import network
from parlour.house.settings import Settings
from tests.house.people import LINK, ME, OPEN, Person

HERE, THERE = "http://localhost:8000", "http://192.0.2.7:8000"


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ("http://localhost:8000", "http://192.0.2.7:8000"),
        ("http://127.0.0.1", "http://192.0.2.7"),
        ("http://[::1]:9/t/x", "http://192.0.2.7:9/t/x"),
        ("http://localhost:abc", "http://192.0.2.7:abc"),
        ("http://pi.local:8000", "http://pi.local:8000"),
        ("https://parlour.example", "https://parlour.example"),
    ],
)
def test_what_names_this_computer_is_given_by_its_address_in_the_network(
    monkeypatch: pytest.MonkeyPatch, asked: str, shown: str
) -> None:
    monkeypatch.setattr(network, "lan_address", lambda: "192.0.2.7")
    assert network.for_others(asked) == shown
    monkeypatch.setattr(network, "lan_address", lambda: "")
    assert network.for_others(asked) == asked


def test_this_computer_s_address_is_none_of_its_own_loop() -> None:
    found = network.lan_address()
    assert not found.startswith("127.")
    assert not found or found.count(".") == 3


@pytest.mark.parametrize(
    ("host", "base_url", "shared"),
    [("0.0.0.0", "", THERE), ("127.0.0.1", "", HERE), ("0.0.0.0", HERE, HERE)],
    ids=["reached from outside", "for this computer only", "the address was said"],
)
async def test_links_to_share_from_a_page_opened_at_localhost(
    app: Litestar, settings: Settings, monkeypatch: pytest.MonkeyPatch, host: str, base_url: str, shared: str,
) -> None:  # fmt: skip
    monkeypatch.setattr(network, "lan_address", lambda: "192.0.2.7")
    app.state.house.settings = replace(settings, host=host, base_url=base_url)
    async with Person(transport=httpx.ASGITransport(app=app), base_url=HERE) as ann:
        table = await ann.make(ME, LINK)
        seen = (await ann.see(table))["table"]
        assert seen["url"] == f"{shared}/t/{table}"
        assert seen["seats"][1]["invite"].startswith(f"{shared}/t/{table}/join/")
        assert (await ann.do("tables", game="fortune", seats=[ME, OPEN]))["url"].startswith(HERE)  # where she continues
