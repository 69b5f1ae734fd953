"""A whole game of each ruleset in Firefox, where one is installed: the other engine that many people have."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from parlour.analysis.shapes import Shape
from tests import firefox
from tests.browser.fox import launched
from tests.browser.player import ENDED, GREEDY, NO_GUIDE, my_turn, press_anything, table, version, wait_past, watch
from tests.house.played import every_ruleset
from tests.house.serving import Server

pytestmark = [pytest.mark.browser, pytest.mark.whole]
SHAPES = list(every_ruleset(most=False))
WIDTH, HEIGHT = 390, 844
# What sticks out of the window sideways, and buttons that are too small to be pressed, with their classes
FAULTS = """() => {
  const found = document.documentElement.scrollWidth > innerWidth ? ["the page is wider than the window"] : [];
  for (const one of document.querySelectorAll(".scene :is(.board, .bar, .act, .seat)")) {
    const { left, right, width, height } = one.getBoundingClientRect();
    if (width && height && (left < -1 || right > innerWidth + 1)) found.push(`${one.className} sticks out`);
    const small = one.matches(".act") && one.checkVisibility() && Math.min(width, height) < 24;
    if (small) found.push(`${one.className} is small`);
  }
  return found;
}"""


@pytest.fixture(scope="module")
def fox() -> Iterator[Browser]:
    """Start Firefox."""
    if not (path := firefox.find()):
        pytest.skip(firefox.ABSENT)
    with sync_playwright() as playwright, launched(playwright, path) as browser:
        yield browser


@pytest.fixture
def visit(fox: Browser, server: Server) -> Iterator[Callable[[], Page]]:
    """Yield a function that opens a page for a new person. An error in a script fails the test."""
    faults: list[str] = []
    context = fox.new_context(viewport={"width": WIDTH, "height": HEIGHT}, base_url=server.url)
    context.add_init_script(f"if (origin !== 'null') {NO_GUIDE}")  # about:blank has no storage

    def open_page() -> Page:
        page = context.new_page()
        page.set_default_timeout(60_000)
        watch(page, faults)
        page.goto("/")
        return page

    yield open_page
    context.close()
    assert not faults, faults


@pytest.mark.parametrize("shape", SHAPES, ids=lambda one: f"{one.game.name}-{one.ruleset}")
def test_a_whole_game(visit: Callable[[], Page], shape: Shape) -> None:
    """Press whatever can be pressed, against greedy bots, until the result is there; look for visible faults."""
    page, choice = visit(), random.Random(7)
    seats = [{"kind": "me"}, *[GREEDY] * (shape.players - 1)]
    table(page, game=shape.game.name, options=shape.options, seats=seats)
    while my_turn(page):
        before = version(page)
        assert page.evaluate(FAULTS) == [], before
        press_anything(page, choice)
        wait_past(page, before)
    page.locator("main[data-status=over]").wait_for()
    expect(page.locator('[data-key="result"] h1')).to_contain_text(ENDED)
    assert page.evaluate(FAULTS) == []
