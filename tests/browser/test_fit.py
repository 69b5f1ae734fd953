"""The widest names are whole, and no board is smaller or lower for them; test_sizes.py measures with names as people
have them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page

from parlour.games import find
from parlour.house.site import files
from tests.browser import boards
from tests.browser.measures import OVERLAPS
from tests.browser.test_boards import CUT
from tests.browser.test_sizes import FITTED, SHAPES, positions

pytestmark = pytest.mark.browser
WINDOWS = [(1280, 800), (1366, 768), (1280, 720), (1920, 1080), (390, 844)]
WIDE = [f"{'W' * 23}{seat}" for seat in range(6)]
HEIGHT = """() => document.querySelector(".scene .board").getBoundingClientRect().height"""
PLATES = OVERLAPS.replace(".board, .board .places, .board .group, ", "")
NAMES = ".seat .name, .seat .said, .seat .total, .player .title"


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(reduced_motion="reduce")
    yield context.new_page()
    context.close()


@pytest.mark.parametrize(("name", "players"), [("fortune", 4), ("facets-of-fortune", 4)])
def test_a_board_that_was_upright_is_no_smaller_when_the_tablet_is_turned(page: Page, name: str, players: int) -> None:
    """An upright board keeps the height that it got (fit.js), which is too tall on the side."""
    source = files.SOURCES["fit.js"].read_text("utf-8")
    page.goto("about:blank")  # a window of its own: the script knows one board
    page.set_content(boards.document(find(name), next(positions(name, "", players, 10))))
    page.set_viewport_size({"width": 820, "height": 1180})
    page.evaluate(FITTED, source)
    page.wait_for_function("""() => document.querySelector(".scene .board").style.minHeight""")
    page.set_viewport_size({"width": 1180, "height": 820})
    assert page.evaluate(FITTED, source)[3] == 1


@pytest.mark.parametrize(("name", "ruleset", "players"), SHAPES)
@pytest.mark.suite("aces-and-faces--6")
def test_the_widest_names_are_whole_and_break_nothing(
    page: Page, size: Callable[[int, int], int], name: str, ruleset: str, players: int
) -> None:
    """All seats have 24 of the widest letters without a space: no board is drawn smaller for them."""
    source = files.SOURCES["fit.js"].read_text("utf-8")
    windows = [*WINDOWS, (844, 390)]
    for number, scene in enumerate(positions(name, ruleset, players, size(200, 30))):
        page.set_content(boards.document(find(name), scene, ("Al", "Bo", "Cy", "Di", "Ed", "Flo")))
        usual = {}
        for width, height in windows:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(FITTED, source)
            usual[width, height] = page.evaluate(HEIGHT)
        page.set_content(boards.document(find(name), scene, WIDE))
        for width, height in windows:
            page.set_viewport_size({"width": width, "height": height})
            where = (name, ruleset, players, number, width, height)
            over, under, below, zoom, _ = page.evaluate(FITTED, source)
            high = page.evaluate(HEIGHT)
            assert zoom == 1, (where, zoom)
            if width > 400 and height <= 800:  # a low window, where plates take space from the board
                assert high >= usual[width, height] - 4, (where, "the board is lower", usual[width, height], high)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, where
            assert not page.evaluate(CUT, NAMES), (where, page.evaluate(CUT, NAMES))
            assert not page.evaluate(PLATES), (where, page.evaluate(PLATES))
            if width > 1000:
                assert max(over, below) <= 0, (where, over, below)
                assert under <= 1, (where, under)
