"""On a phone a board is longer than the window: the page scrolls to what the next decision is about."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from parlour.games import all_games
from tests.browser.player import GREEDY, my_turn, press_anything, settle, table, version, wait_past
from tests.browser.test_every_game import kinds

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
DECISIONS = (4, 7)
# How many pieces could be pressed, how many of them are in sight, and how far the page is scrolled.
SIGHT = """() => {
  const bar = document.querySelector(".bar").getBoundingClientRect();
  const end = bar.left < innerWidth / 2 ? Math.min(innerHeight, bar.top) : innerHeight;
  const boxes = [...document.querySelectorAll(".scene .board :is([data-action], [data-part])")].map(
    (one) => one.getBoundingClientRect());
  const seen = boxes.filter((box) => box.top >= -1 && box.bottom <= end + 1);
  return { pieces: boxes.length, seen: seen.length, at: scrollY };
}"""


@pytest.mark.parametrize(("game", "options"), list(kinds()), ids=lambda value: str(value).strip("{}"))
@pytest.mark.suite("*market-making*")
def test_something_that_can_be_pressed_is_in_sight(
    visit: Visit, size: Callable[[int, int], int], game: str, options: dict[str, str]
) -> None:
    page, choice = visit(width=390, height=700, has_touch=True), random.Random(5)
    most = all_games()[game].facts.players[1]
    table(page, game=game, options=options, seats=[{"kind": "me"}, *[GREEDY] * (most - 1)])
    asked = 0
    for _ in range(size(*DECISIONS)):
        if not my_turn(page):
            break
        settle(page)
        sight = page.evaluate(SIGHT)
        assert sight["seen"] or not sight["pieces"], sight
        asked += sight["pieces"] > 0
        page.evaluate("(y) => scrollTo(0, y)", choice.choice([0, 100_000]))  # the player scrolls elsewhere meanwhile
        before = version(page)
        press_anything(page, choice)
        wait_past(page, before)
    assert asked


@pytest.mark.whole
def test_who_scrolls_away_is_left_there(visit: Visit) -> None:
    page = visit(width=390, height=700)
    table(page, game="gatsby", options={}, seats=[{"kind": "me"}, GREEDY])
    assert my_turn(page)
    settle(page)
    page.evaluate("() => scrollTo(0, 100000)")
    at = page.evaluate(SIGHT)["at"]
    assert at > 0
    page.evaluate("""() => fetch(`/api/tables/${document.querySelector("main").dataset.table}/chat`, {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ text: "hm" }) })""")
    page.locator("#panel-chat li", has_text="hm").wait_for(state="attached")
    settle(page)
    assert page.evaluate(SIGHT)["at"] == at
