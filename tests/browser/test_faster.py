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


@pytest.mark.whole
def test_faster_shows_the_rest_of_the_bots_moves_and_is_gone_on_my_turn(
    visit: Callable[..., Page], nursery: Nursery, tmp_path: Path
) -> None:
    page = visit(
        base=nursery.start(database=f"sqlite:///{tmp_path}/parlour.db", pace=SLOW).url, reduced_motion="no-preference"
    )
    table(page, seats=[{"kind": "me"}, GREEDY, GREEDY])
    faster, mine = page.get_by_role("button", name="Faster"), page.locator(".scene[data-turn=mine]")
    for _ in range(2):  # the second time, bots take their time again
        page.locator(".scene .board").wait_for()
        page.wait_for_function("document.querySelector('main').dataset.version !== '0'")
        if mine.count():
            expect(faster).to_be_hidden()
            page.locator(STOP).click()
        expect(faster).to_be_visible()
        check_access(page, "while bots move")
        faster.click()
        expect(mine).to_have_count(1)
        expect(faster).to_be_hidden()
