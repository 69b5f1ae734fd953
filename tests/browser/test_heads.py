"""The head of a page: the name in it is whole, or left out."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.player import post, table

pytestmark = pytest.mark.browser
SIZES = [(360, 740), (390, 844), (820, 1180), (1280, 800)]
# Whether the name is whole in the button of the menu, and whether it is below what the button shows
WHERE = """() => {
  const name = document.querySelector(".menu [data-me]"), box = name.getBoundingClientRect();
  const room = name.closest("summary").getBoundingClientRect(), most = Math.min(room.right, innerWidth) + 1;
  return [box.left > room.left - 1 && box.right < most && box.bottom < room.bottom + 1, box.top > room.bottom - 1];
}"""


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
