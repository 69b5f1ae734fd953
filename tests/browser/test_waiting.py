"""A table that waits: words of one's own for the dice, and what a page says when its table is no more."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.player import check_access, post

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]


def test_words_for_the_dice_are_given_where_the_commitment_is_shown(visit: Visit) -> None:
    page = visit(width=390, height=844)
    page.locator("article.game-fortune").get_by_role("button", name="More choices").click()
    game = page.locator("dialog.game-fortune")
    game.get_by_label("Wait for my start").check()
    game.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/t/*")
    summary = page.get_by_text("Fair dice, with words of your own")
    summary.click()
    assert len(page.locator(".room code").inner_text()) == 64
    page.locator("[data-words] input").fill("blue herring")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator(".room")).to_contain_text("Your words: blue herring")
    check_access(page, "words")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    table = page.get_attribute("main", "data-table")
    page.get_by_role("button", name="Start").click()
    page.locator('[data-key="scene"]').wait_for()
    assert '\nwords: ["blue herring", ' in page.request.get(f"/t/{table}/record").text()


def test_a_page_whose_table_is_closed_says_so(visit: Visit) -> None:
    page = visit()
    made = post(page, "/api/tables", game="fortune", seats=[{"kind": "me"}, {"kind": "open"}])
    friend = visit(made["url"])
    expect(friend.locator(".room")).to_contain_text("Waiting for 1 more player")
    post(page, f"/api/tables/{made['id']}/leave")
    expect(friend.locator(".net")).to_contain_text("There is no table")
    expect(friend.locator(".net")).to_be_visible()
