"""Nothing jumps: the layout shift of whole games stays below a tenth, counted as browsers count it, which leaves out
what follows a press within half a second (https://web.dev/articles/cls), but summed over the game rather than its
worst seconds."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from parlour import house
from parlour.games import all_games
from tests.browser.player import GREEDY, my_turn, press_anything, settle, table, wait_past

pytestmark = pytest.mark.browser
LEAST = 0.1
SIZES = [(390, 844), (820, 1180), (1280, 800)]
FULL = [(390, 844), (1280, 800)]  # windows in which the most players are at the table as well
SHAPES = [
    pytest.param(
        name, ruleset, players, width, height,
        id="-".join(filter(None, (name, ruleset, str(width), "full" if windows is FULL else ""))),
    )
    for name, game in all_games().items()
    for ruleset in game.rulesets
    for players, windows in ((2, SIZES), (game.facts.players[1], FULL))
    if windows is SIZES or players > 2
    for width, height in windows
]  # fmt: skip
WATCH = """() => {
  window.shifts = [];
  let pressed = 0;
  addEventListener("keydown", (event) => { pressed = event.timeStamp; }, true);
  const place = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
  const name = (node) => node?.dataset?.key ?? node?.parentElement?.closest("[data-key]")?.dataset.key
    ?? node?.nodeName;
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) if (!one.hadRecentInput) shifts.push([one.value, [
      `${Math.round(one.startTime - pressed)} ms after a press`, ...one.sources.map((source) =>
        `${name(source.node)}: ${place(source.previousRect)} -> ${place(source.currentRect)}`)]]);
  }).observe({ type: "layout-shift" });
}"""


def shifts_of_a_game(page: Page, seed: int, most: int = 400, **body: Any) -> list[tuple[float, list[str]]]:
    """Play a game by pressing anything at the page's usual pace; return each shift that no press explains, with how
    long after one it came, and what moved from where to where (left, top, width, height)."""
    table(page, **{"pace": "fast", **body})
    settle(page)
    page.evaluate(WATCH)
    choice = random.Random(seed)
    for _ in range(most):
        if not my_turn(page):
            break
        before = int(str(page.get_attribute("main", "data-version")))
        page.keyboard.press("Shift")  # the browser does not count a script's click as a press
        press_anything(page, choice)
        wait_past(page, before)
    return [(value, moved) for value, moved in page.evaluate("shifts")]


@pytest.mark.parametrize(("name", "ruleset", "players", "width", "height"), SHAPES)
@pytest.mark.suite("fortune-390")
def test_a_whole_game_keeps_its_places(
    visit: Callable[..., Page], size: Callable[[int, int], int],
    name: str, ruleset: str, players: int, width: int, height: int,
) -> None:  # fmt: skip
    """The short form plays 5 decisions. With `-s` it prints the sum for docs/looks.md."""
    page = visit("/", width=width, height=height)
    options = {"ruleset": ruleset} if ruleset else {}
    seats = [{"kind": "me"}, *[GREEDY] * (players - 1)]
    found = shifts_of_a_game(page, 3, size(5, 400), game=name, options=options, seats=seats)
    total = sum(value for value, _ in found)
    print(f"\n| {name} {ruleset} | {players} | {width}x{height} | {total:.3f} |")
    assert total < LEAST, sorted(found, reverse=True)[:6]


# A lost connection, as updates.js shows it, and the offer for a player who is away, as the house draws it
LOST = """() => { document.querySelector(".net").hidden = false; }"""
AWAY = """(html) => document.querySelector(".rest").insertAdjacentHTML("beforeend", html)"""
# As a player is asked who has not answered yet
VOTE = """() => {
  const vote = document.querySelector(".offer.vote");
  vote.querySelector("p").textContent = "Bartholomew Roberts would like to end this game without a result: "
    + "1 of 2 agree. It continues until you agree. Eve is away, so we don’t wait for them.";
  vote.querySelector("[data-key=end-not]").remove();
}"""
SECTION = Path(house.__file__).parent / "table" / "templates" / "section.html"
PLACES = """() => [".board", ".bar", ".seats"].map((one) => {
  const { x, y, width, height } = document.querySelector(`.scene ${one}`).getBoundingClientRect();
  return [x, y, width, height];
})"""


def drawn(key: str) -> str:
    """Return an offer as the house's template draws it, without what it fills in."""
    found = re.search(
        rf'<section class="hello offer[^>]*data-key="{key}".*?</section>', SECTION.read_text("utf-8"), re.S
    )
    assert found
    return re.sub(r"\{[{%].*?[%}]\}", "", found[0])


@pytest.mark.parametrize(("width", "height"), [*SIZES, (844, 390)])
@pytest.mark.suite("390-*", "1280-*")
def test_what_may_come_at_any_time_moves_nothing(visit: Callable[..., Page], width: int, height: int) -> None:
    """And neither covers the board, nor leaves the window."""
    page = visit("/", width=width, height=height)
    table(page)
    assert my_turn(page)  # nothing comes that would take the offer away again
    settle(page)
    before = page.evaluate(PLACES)
    page.evaluate(LOST)
    page.evaluate(AWAY, drawn("absent"))
    page.evaluate(AWAY, drawn("ending"))
    page.evaluate(VOTE)
    assert page.evaluate(PLACES) == before
    left, top, wide, high = before[0]
    for piece in (".net", ".offer.calm", ".offer.vote"):
        box = page.locator(piece).bounding_box()
        assert box
        assert 0 <= box["x"] <= box["x"] + box["width"] <= width, (piece, box)
        assert 0 <= box["y"] <= box["y"] + box["height"] <= height, (piece, box)
        beside = box["x"] >= left + wide or box["y"] >= top + high or box["y"] + box["height"] <= top
        assert beside, (piece, box, before[0])
