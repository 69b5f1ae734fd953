"""While bots move, the one person at the table can see the rest of their moves at once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.player import GREEDY, STOP, check_access, table
from tests.house.serving import Nursery

pytestmark = pytest.mark.browser
SLOW = 25.0  # seconds that a bot takes, longer than a page is waited for
# What of the board or the dock is under the button
UNDER = """(button) => {
  const it = button.getBoundingClientRect();
  return [...document.querySelectorAll(".scene :is(.board, .prompt, .seat, .acts > *)")].filter((one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    return left < it.right - 1 && right > it.left + 1 && top < it.bottom - 1 && bottom > it.top + 1;
  }).map((one) => one.className);
}"""


@pytest.mark.whole
@pytest.mark.parametrize("size", [(1280, 800), (390, 844), (844, 390)], ids=lambda size: f"{size[0]}")
def test_faster_shows_the_rest_of_the_bots_moves_and_is_gone_on_my_turn(
    visit: Callable[..., Page], nursery: Nursery, tmp_path: Path, size: tuple[int, int]
) -> None:
    base = nursery.start(database=f"sqlite:///{tmp_path}/parlour.db", pace=SLOW).url
    page = visit(base=base, reduced_motion="no-preference", width=size[0], height=size[1])
    table(page, seats=[{"kind": "me"}, GREEDY, GREEDY])
    faster, mine = page.get_by_role("button", name="Faster"), page.locator(".scene[data-turn=mine]")
    for _ in range(2):  # the second time, bots take their time again
        page.locator(".scene .board").wait_for()
        page.wait_for_function("document.querySelector('main').dataset.version !== '0'")
        if mine.count():
            expect(faster).to_be_hidden()
            page.locator(STOP).click()
        expect(faster).to_be_visible()
        if size != (1280, 800):  # on a phone it covers nothing
            assert faster.evaluate(UNDER) == []
        check_access(page, "while bots move")
        faster.click()
        expect(mine).to_have_count(1)
        expect(faster).to_be_hidden()
