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
    const out = document.querySelector('[data-key="b-out"]')?.getBoundingClientRect();
    const prompt = document.querySelector(".prompt").getBoundingClientRect();
    const acts = document.querySelector(".acts").getBoundingClientRect();
    // Other choices beside it need the room that there is.
    const more = document.querySelector('.acts .act:not(.main, .ask, .list, .keep, .brief)');
    const kept = prompt.height <= 64 && acts.height <= 92;  // rarely more: given back (fit.js)
    if (out && kept) heights.push(Math.round(acts.bottom - prompt.top));
    if (out && !more) places.push([out.left, out.width].map(Math.round).join(" "));
    requestAnimationFrame(look);
  };
  look();
}"""

# The words of the buttons that are shown, in how many rows they are, and how high the highest is
ROWS = """() => {
  const all = [...document.querySelectorAll(".acts .act")].filter((one) => one.checkVisibility());
  return [all.map((one) => (one.querySelector("span") ?? one).textContent.trim()),
    new Set(all.map((one) => Math.round(one.getBoundingClientRect().top))).size,
    Math.max(...all.map((one) => one.getBoundingClientRect().height))];
}"""
# How wide the buttons of Fortune are: Stop, Re-roll, and each that only helps
SIDES = """() => {
  const wide = (of) => [...document.querySelectorAll(`.acts ${of}`)].map((one) => one.getBoundingClientRect().width);
  return [...wide("[data-key=b-stop]"), ...wide("[data-key=b-pick]"), wide(":is(.all, .ask, .list)")];
}"""
LOW = 57  # pixels: a button with a line or two of words
# How far the visible names on plates are from the pictures before them, with the player's mark on these
GAPS = """() => [...document.querySelectorAll(".seat:has(> .likeness) > .name")]
  .filter((one) => one.getBoundingClientRect().width > 2).map((one) => {
    const words = document.createRange();
    words.selectNodeContents(one);
    const marks = [...one.parentElement.querySelectorAll(".likeness > svg")];
    return words.getBoundingClientRect().left - Math.max(...marks.map((mark) => mark.getBoundingClientRect().right));
  })"""


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


@pytest.mark.parametrize("width", [360, 390])
@pytest.mark.suite("360")
def test_facets_has_all_its_buttons_in_one_row(visit: Callable[..., Page], width: int) -> None:
    """“Take back”, a hint and all moves come and go: with them, too, no second row covers the hand."""
    page = visit("/", width=width, height=844, has_touch=True)
    table(page, game="facets-of-fortune", pace="instant", options={})
    seen = set()
    for _ in range(12):
        assert my_turn(page)
        if page.locator('[data-key="b-end"]').count() and page.locator('[data-key="b-discard"]').count():
            names, rows, height = page.evaluate(ROWS)
            seen |= set(names)
            assert rows == 1, names
            assert height <= LOW, names  # else the dock covers the last of the others' gems
        before = int(str(page.get_attribute("main", "data-version")))
        cards = page.locator(".fan .card[data-action]")
        (
            cards if cards.count() else page.locator('[data-key="b-end"][data-action], .board [data-action]')
        ).first.click()
        wait_past(page, before)
    assert {"Take back", "Hint", "Moves"} <= seen, seen


@pytest.mark.parametrize("width", [360, 390])
def test_fortune_has_all_its_buttons_in_one_row(visit: Callable[..., Page], width: int) -> None:
    """“Moves” in a row of its own would cover the race of four."""
    page = visit("/", width=width, height=740, has_touch=True)
    names: list[str] = []
    for _ in range(20):  # some first rolls leave fewer choices
        table(page)
        assert my_turn(page)
        names, rows, height = page.evaluate(ROWS)
        if "All" in names:
            break
    assert {"Stop", "All", "Hint", "Moves"} <= set(names)
    assert (rows, len(names)) == (1, 5), names
    stop, roll, others = page.evaluate(SIDES)
    assert stop >= 1.4 * max(others)  # to stop and to roll on are one decision
    assert abs(stop - roll) <= 8
    assert height <= LOW + 14, names  # three lines, as in “−1,000 to −1,000”


def test_no_picture_of_a_player_touches_their_name(visit: Callable[..., Page]) -> None:
    page = visit("/")
    table(page, game="facets-of-fortune", pace="instant", options={})
    for width, height in ((1280, 800), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        gaps = page.evaluate(GAPS)
        assert gaps
        assert min(gaps) >= 2, (width, gaps)
