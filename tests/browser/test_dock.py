"""On a phone, what asks and what can be pressed keep their places from decision to decision."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.player import my_turn, press_anything, table, wait_past

pytestmark = pytest.mark.browser
WATCH = """() => {
  window.places = [];
  window.heights = [];
  const look = () => {
    const out = document.querySelector('[data-key="b-out"]')?.getBoundingClientRect(), words = document.createRange();
    const prompt = document.querySelector(".prompt"), acts = document.querySelector(".acts").getBoundingClientRect();
    words.selectNodeContents(prompt);
    const first = words.getClientRects()[0];
    // Other choices beside it need the room that there is.
    const more = document.querySelector('.acts .act:not(.main, .ask, .list, .keep, .brief)');
    const kept = prompt.getBoundingClientRect().height <= 64 && acts.height <= 92;  // rarely more: given back (fit.js)
    if (out && first && kept) heights.push(Math.round(acts.bottom - first.top));
    if (out && !more) places.push([out.left, out.width].map(Math.round).join(" "));
    requestAnimationFrame(look);
  };
  look();
}"""


@pytest.mark.whole
@pytest.mark.parametrize("width", [360, 390])
def test_going_out_keeps_its_place_between_turns(visit: Callable[..., Page], width: int) -> None:
    page = visit("/", width=width, height=844)
    table(page, game="family-trade", pace="instant", options={"ruleset": "battle-royale"})
    choice = random.Random(4)
    for number in range(30):
        if not my_turn(page) or (number >= 18 and page.evaluate("places.length")):
            break
        if number == 9:  # until then all kinds of decisions were there, and their places are known
            page.evaluate(WATCH)
        before = int(str(page.get_attribute("main", "data-version")))
        press_anything(page, choice)
        wait_past(page, before)
    seen: list[str] = page.evaluate("[...new Set(places)]")
    assert len(seen) == 1, seen
    heights: list[int] = page.evaluate("heights")
    assert heights == sorted(heights)  # it may grow, and then stays so
