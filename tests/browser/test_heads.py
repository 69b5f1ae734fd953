"""Names and notes in the head of a page and on players' plates: whole, or left out, and over nothing else."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from parlour.core.match import Match
from parlour.games import find
from tests.browser import boards
from tests.browser.player import post, table

pytestmark = pytest.mark.browser
SIZES = [(360, 740), (390, 844), (820, 1180), (1280, 800)]
# Whether the name is whole in the button of the menu, and whether it is below what the button shows
WHERE = """() => {
  const name = document.querySelector(".menu [data-me]"), box = name.getBoundingClientRect();
  const room = name.closest("summary").getBoundingClientRect(), most = Math.min(room.right, innerWidth) + 1;
  return [box.left > room.left - 1 && box.right < most && box.bottom < room.bottom + 1, box.top > room.bottom - 1];
}"""
LOW = [(667, 375), (844, 390), (640, 400)]
# Put one of these notes on every other player's plate, as clock.js does. Which cover a name or a number
NOTED = """([style, words]) => [...document.querySelectorAll(".scene .seats:not(.own) > .seat")].filter((plate) => {
  const note = plate.appendChild(document.createElement("span"));
  [note.className, note.textContent] = [style, words];
  const a = note.getBoundingClientRect();
  return [...plate.querySelectorAll(":scope > :is(.name, .total)")].some((one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return [...range.getClientRects()].some((b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
      && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1);
  });
}).map((plate) => plate.textContent)"""
NOTES = (("clock", "1:28:45"), ("gone", "away"), ("gone", "on holiday"))


@pytest.mark.parametrize(("game", "players"), [("fortune", 2), ("family-trade", 4), ("aces-and-faces", 6)])
@pytest.mark.suite("family-trade-*")
def test_notes_on_low_plates_cover_nothing(visit: Callable[..., Page], game: str, players: int) -> None:
    match = Match(find(game), players, names=boards.ALIKE[:players], seed=1)
    page = visit()
    for width, height in LOW:
        page.set_viewport_size({"width": width, "height": height})
        for note in NOTES:
            page.set_content(boards.document(match.game, match.scene(0), boards.ALIKE))
            assert page.evaluate(NOTED, note) == [], (width, note)


@pytest.mark.parametrize("name", [pytest.param("Ann", marks=pytest.mark.whole), "W" * 24])
def test_a_name_in_the_head_is_whole_or_left_out(visit: Callable[..., Page], name: str) -> None:
    page = visit()
    post(page, "/api/me", name=name)
    for path in ("/", "/puzzles/fortune", ""):
        if path:
            page.goto(path)
        else:
            table(page, name)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            whole, below = page.evaluate(WHERE)
            assert whole or below, (path, width, "the name is cut")
            if name == "Ann" or width > 1000:
                assert whole, (path, width, "there is room for the name")
