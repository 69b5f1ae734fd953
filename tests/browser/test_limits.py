"""A page that meets a rate limit says so and continues automatically, and no move is lost."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import httpx
import pytest
from playwright.sync_api import Page, expect

from parlour.house.http.places import OF_A_GUEST
from tests.browser.player import BARE, my_turn, post, table, version, wait_past
from tests.house.serving import Nursery, Server

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]


@pytest.fixture(scope="module")
def strict(nursery: Nursery, tmp_path_factory: pytest.TempPathFactory) -> Server:
    """Start a house with its default limits."""
    return nursery.start(database=f"sqlite:///{tmp_path_factory.mktemp('limits') / 'parlour.db'}", limits=True)


def program(page: Page, server: Server) -> httpx.Client:
    """Return a program of the same guest."""
    cookies = {cookie["name"]: cookie["value"] for cookie in page.context.cookies()}
    return httpx.Client(base_url=server.url, cookies=cookies, timeout=30)


@pytest.mark.whole
def test_a_page_beyond_the_last_says_so_and_comes_in_when_another_closes(visit: Visit, strict: Server) -> None:
    page = visit(base=strict.url)
    made = post(page, "/api/tables", game="fortune", seats=[{"kind": "me"}, {"kind": "open"}])
    page.goto(strict.url + BARE)  # the lobby's page counts as one
    reading = []
    with program(page, strict) as client, ExitStack() as stack:
        for _ in range(OF_A_GUEST):
            answer = stack.enter_context(client.stream("GET", f"/api/tables/{made['id']}/events"))
            assert answer.status_code == 200
            reading.append(answer.iter_raw(1))
            next(reading[-1])
        page.goto(made["url"])
        expect(page.locator(".net")).to_contain_text("You already have 12 pages open")
        expect(page.locator(".net")).to_contain_text("will try again automatically")
    page.evaluate("dispatchEvent(new Event('online'))")  # instead of waiting for half a minute
    expect(page.locator(".net")).to_be_hidden()


def test_a_move_that_was_too_fast_is_made_when_its_time_has_come(visit: Visit, strict: Server) -> None:
    """A program of the same guest uses up their budget; their click still counts."""
    page = visit(base=strict.url)
    name = table(page, seats=[{"kind": "me"}, {"kind": "here", "name": "Bob"}])
    enough = threading.Event()

    def use_up() -> None:
        while not enough.is_set():
            client.post(f"/api/tables/{name}/moves", json={})

    with program(page, strict) as client, ThreadPoolExecutor() as pool:
        used_up = pool.submit(use_up)
        try:
            while client.post(f"/api/tables/{name}/moves", json={}).status_code != 429:
                pass
            for _ in range(10):  # now and then a click succeeds because the budget has just refilled
                before = version(page)
                assert my_turn(page)
                page.locator(".scene [data-action]").first.click()
                page.wait_for_function(
                    """(before) => document.querySelector('[data-key="reason"]').textContent
                        || Number(document.querySelector("main").dataset.version) > before""",
                    arg=before,
                )
                if reason := page.locator('[data-key="reason"]').inner_text():
                    break
            assert "Too many moves" in reason
            assert version(page) == before
        finally:
            enough.set()
        used_up.result()
    wait_past(page, before)
    expect(page.locator('[data-key="reason"]')).to_be_empty()
