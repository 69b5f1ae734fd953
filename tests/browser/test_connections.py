"""A browser's connections to a house: six over plain HTTP, shared by all its pages; and what happens without any."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.player import STOP, my_turn, table, version, wait_past
from tests.house.serving import Nursery

pytestmark = pytest.mark.browser
MOST = 4  # streams of one browser, as decisions.md says
TABS = 10
WAIT = 60.0  # seconds


def streams(page: Page) -> int:
    """Return the number of streams that the house has open."""
    said = page.request.get("/metrics").text()
    return sum(int(float(line.split()[-1])) for line in said.splitlines() if line.startswith("parlour_streams"))


@pytest.mark.whole
def test_ten_tabs_over_plain_http_all_follow_and_answer(visit: Callable[..., Page], nursery: Nursery) -> None:
    server = nursery.start(pace=0)
    lobby = visit("/", base=server.url)
    tables = [visit(friend_of=lobby) for _ in range(TABS - 1)]
    for page in tables:
        table(page)
    end = time.monotonic() + WAIT
    while streams(lobby) > MOST:
        assert time.monotonic() < end, f"{streams(lobby)} streams"
        lobby.wait_for_timeout(100)
    for page in (tables[0], tables[4], tables[-1]):  # the first has been hidden for longest
        assert my_turn(page)
        before = version(page)
        page.locator(STOP).click()
        wait_past(page, before)
        assert my_turn(page)
        assert streams(page) <= MOST + 1  # a page that was just shown may open one before another has closed
    first = tables[1]
    before = version(first)
    other = visit(first.url, friend_of=lobby)  # the same table twice; the first page of it follows without a stream
    assert my_turn(other)
    other.locator(STOP).click()
    wait_past(other, before)
    assert my_turn(first)  # it shows the newest position
    expect(lobby.locator("[data-key=running] li")).to_have_count(TABS - 1)


def test_a_move_pressed_offline_is_sent_when_the_connection_is_back_however_late(visit: Callable[..., Page]) -> None:
    page = visit()
    page.clock.install()
    table(page)
    assert my_turn(page)
    before = version(page)
    page.context.set_offline(True)
    page.locator(STOP).click()
    notice = page.locator(".net")
    expect(notice).to_contain_text("Your move is saved here")
    for _ in range(30):  # two minutes, in which each attempt fails for real
        page.clock.run_for(4000)
        page.wait_for_timeout(20)
    expect(notice).to_contain_text("Your move is saved here")
    page.context.set_offline(False)
    wait_past(page, before)
    expect(notice).to_be_hidden()


@pytest.mark.whole
def test_the_notice_of_a_lost_connection_goes_when_an_answer_comes(visit: Callable[..., Page]) -> None:
    """It does even if the stream was never lost."""
    page = visit()
    table(page)
    assert my_turn(page)
    before = version(page)
    failed: list[str] = []

    def fail_twice(route: Route) -> None:
        if len(failed) == 2:
            return route.continue_()
        failed.append(route.request.url)
        return route.abort("connectionreset")

    page.route("**/moves", fail_twice)
    page.evaluate("""() => new MutationObserver(() => (window.noticed = true)).observe(
      document.querySelector(".net"), { attributeFilter: ["hidden"] })""")
    page.locator(STOP).click()
    wait_past(page, before)
    assert len(failed) == 2
    assert page.evaluate("window.noticed")
    expect(page.locator(".net")).to_be_hidden()
