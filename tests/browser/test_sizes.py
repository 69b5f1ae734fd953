"""Every board at every size of window: nothing overlaps, is cut off, or too small; all that can be pressed is in the
window; and the cloth is not half empty."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page

from parlour.games import all_games, find
from parlour.house.site import files
from tests.browser import boards
from tests.browser.measures import LETTERS, OVERLAPS, PRESSES
from tests.browser.test_boards import CUT, NAMES
from tests.browser.test_fit import FITTED, SQUEEZED, positions

pytestmark = pytest.mark.browser
SIZES = [
    (320, 568), (360, 740), (390, 844), (667, 375), (740, 360), (844, 390), (640, 400), (820, 1180), (1180, 820),
    (1280, 720), (1280, 800), (1366, 768), (1920, 1080),
]  # fmt: skip
SCROLLED = [(320, 568), (640, 400)]  # where one short scroll may be needed
SHAPES = [
    (name, ruleset, players)
    for name, game in all_games().items()
    for ruleset in game.rulesets
    for players in sorted({game.facts.players[0], game.facts.players[-1]})
]
# Pieces that reach out of the board, or that are drawn smaller than anything can be told apart
STRAY = """() => {
  const board = document.querySelector(".scene .board").getBoundingClientRect();
  return [...document.querySelectorAll(".scene .board [data-key]")].filter((node) => {
    if (!node.checkVisibility({ visibilityProperty: true })) return false;
    const box = node.getBoundingClientRect();
    return box.width && box.height && (box.left < board.left - 2 || box.right > board.right + 2);
  }).map((node) => node.dataset.key);
}"""
# The share of the board's part of the window on which nothing lies
EMPTY = """() => {
  const box = document.querySelector(".scene .board").getBoundingClientRect();
  const bottom = Math.min(box.bottom, innerHeight, document.querySelector(".scene .bar").getBoundingClientRect().top);
  const top = Math.max(0, box.top), STEPS = 40;
  let empty = 0;
  for (let i = 0; i < STEPS; i++) for (let j = 0; j < STEPS; j++) {
    const x = box.left + ((i + 0.5) / STEPS) * box.width, y = top + ((j + 0.5) / STEPS) * (bottom - top);
    const at = document.elementFromPoint(x, y);
    if (!at || at.matches("html, body, main, .scene, .board, .board > .places, .board .group")) empty++;
  }
  return empty / STEPS ** 2;
}"""


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(reduced_motion="reduce")
    yield context.new_page()
    context.close()


def faults(page: Page, width: int, height: int, source: str) -> list[tuple[str, object]]:
    """Return what is wrong with the board that the page shows, in a window of this size."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("scrollTo(0, 0)")
    page.evaluate(FITTED, source)
    scrolls = (width, height) in SCROLLED
    found: list[tuple[str, object]] = [
        ("overlaps", page.evaluate(OVERLAPS)),
        ("is cut off", page.evaluate(CUT, NAMES)),
        ("is smaller than 12 px", page.evaluate(LETTERS)),
        ("is squeezed", page.evaluate(SQUEEZED)),
        ("leaves the board", page.evaluate(STRAY)),
    ]
    for key, hit, wide, high, left, right, top, bottom in page.evaluate(PRESSES.replace("SCROLL", str(scrolls).lower())):
        if not hit or left < -1 or right > width + 1 or top < -1 or bottom > height + 1:
            found.append(("cannot be pressed", (key, hit, left, right, top, bottom)))
        elif min(wide, high) < 24:
            found.append(("is too small to press", (key, wide, high)))
    page.evaluate("scrollTo(0, 0)")
    if (sideways := page.evaluate("document.documentElement.scrollWidth")) > width:
        found.append(("scrolls sideways", sideways))
    if (long := page.evaluate("document.documentElement.scrollHeight")) > (2 if scrolls else 1) * height + 1:
        found.append(("scrolls", long))
    if (empty := page.evaluate(EMPTY)) > 0.5:
        found.append(("cloth is empty", round(empty, 2)))
    return [one for one in found if one[1]]


@pytest.mark.parametrize(("name", "ruleset", "players"), SHAPES)
def test_the_board_at_every_size(
    page: Page, size: Callable[[int, int], int], name: str, ruleset: str, players: int
) -> None:
    source = files.SOURCES["fit.js"].read_text("utf-8")
    wrong = []
    for number, scene in enumerate(positions(name, ruleset, players, size(130, 20))):
        page.set_content(boards.document(find(name), scene, boards.ALIKE))
        for width, height in SIZES[number % 3 :: size(3, 1)]:
            wrong += [(number, width, height, *one) for one in faults(page, width, height, source)]
    assert not wrong, "\n".join(map(str, wrong))
