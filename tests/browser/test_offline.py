"""The house is unreachable: a page says so, has the opened rulebooks, and reloads automatically."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.player import check_access, table
from tests.house.serving import Nursery, Server, free_port

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]

KEPT = """async () => {
  const found = [];
  for (const name of await caches.keys()) {
    const shelf = await caches.open(name);
    for (const { url } of await shelf.keys()) {
      found.push([new URL(url).pathname, await (await shelf.match(url)).text()]);
    }
  }
  return found;
}"""


@pytest.fixture
def house(nursery: Nursery, tmp_path: Path) -> Iterator[Callable[[], Server]]:
    """Yield a function that starts the same house again, at the same address."""
    port = free_port()
    made: list[Server] = []

    def start() -> Server:
        made.append(nursery.start(database=f"sqlite:///{tmp_path}/parlour.db", port=port))
        return made[-1]

    yield start
    made[-1].kill()


def ready(page: Page) -> None:
    """Wait until the service worker is installed, and has its files."""
    page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    page.wait_for_function("() => navigator.serviceWorker.controller")


@pytest.mark.parametrize("width", [390, pytest.param(1280, marks=pytest.mark.whole)])
def test_a_page_says_that_the_house_is_down_and_comes_back(
    visit: Visit, house: Callable[[], Server], width: int
) -> None:
    server = house()
    page = visit(base=server.url, width=width, height=800, service_workers="allow")
    table(page)
    ready(page)
    address = page.url
    page.goto("/rules/fortune")
    page.goto("/rules/gatsby/sheet")
    server.kill()
    page.goto(address)
    expect(page.get_by_role("heading", name="Not connected")).to_be_visible()
    expect(page.get_by_text("The server doesn’t answer")).to_be_visible()
    assert page.url == address
    assert page.evaluate("getComputedStyle(document.querySelector('.act')).borderRadius") != "0px"  # it has its styles
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    check_access(page, "no connection")
    kept = page.locator("[data-books] a")
    expect(kept).to_have_count(2)
    kept.filter(has_text="Fortune").first.click()
    expect(page.locator("main.rules")).to_contain_text("re-roll")
    page.go_back()
    expect(page.get_by_role("heading", name="Not connected")).to_be_visible()
    house()
    expect(page.locator("main.table .board")).to_be_visible()  # automatically
    assert page.url == address


def test_a_notice_that_is_cut_off_harms_no_page(visit: Visit) -> None:
    """An error in a script fails each test; the house may be stopped while it answers."""
    page = visit()
    page.route("**/api/notice", lambda route: route.fulfill(content_type="application/json", body='{"text": "We'))
    with page.expect_response("**/api/notice"):
        page.goto("/rules/gatsby/sheet")
    page.evaluate("async () => { await fetch('/api/notice').then((answer) => answer.json()).catch(() => {}); }")


@pytest.mark.whole
def test_a_device_without_a_net_says_that(visit: Visit) -> None:
    page = visit("/", service_workers="allow")
    ready(page)
    page.context.set_offline(True)
    page.goto("/me")
    expect(page.get_by_text("This device is offline")).to_be_visible()
    expect(page.get_by_text("The server doesn’t answer")).to_be_hidden()
    page.context.set_offline(False)
    expect(page.get_by_role("heading", name="You are")).to_be_visible()


@pytest.mark.whole
def test_no_page_about_somebody_or_of_a_table_is_kept(visit: Visit) -> None:
    page = visit("/", service_workers="allow")
    table(page, name="Zacharias")
    ready(page)
    for path in ("/", "/me", "/rules/fortune", "/best/fortune", page.url):
        page.goto(path)
    found = dict(page.evaluate(KEPT))
    assert "/offline" in found
    pages = {path: text for path, text in found.items() if not path.startswith("/static/")}
    assert pages.keys() == {"/offline", "/rules/fortune"}
    assert not [path for path, text in pages.items() if "Zacharias" in text or "data-mine" in text]
