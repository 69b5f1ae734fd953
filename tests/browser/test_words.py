"""The table in words: its text for reading, and typed moves."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.player import GREEDY, check_access, my_turn, table, version, wait_past

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
LEGAL = (
    """async () => (await (await fetch("/api/tables/" + document.querySelector("main").dataset.table)).json()).legal"""
)


def test_the_table_is_read_and_a_move_is_typed(visit: Visit) -> None:
    page = visit()
    table(page)
    my_turn(page)
    drawn = page.locator("#tab-words").bounding_box()
    assert drawn
    assert drawn["width"] <= 1, "three tabs are enough, but for those who ask for this one"
    page.keyboard.press("?")
    page.get_by_role("button", name="Board in words").click()
    expect(page.locator("#panel-words")).to_be_visible()
    page.keyboard.press("/")
    field, reason, read = page.get_by_label("Type a move"), page.locator("#panel-words .reason"), page.locator(".read")
    expect(field).to_be_focused()
    for title in ("Last move", "The position", "My moves", "The players"):
        expect(read.get_by_role("heading", name=title)).to_be_visible()
    expect(read).to_contain_text("Ann (you), ")
    expect(read).to_contain_text(re.compile(r"Skulls: \d of 3|Island of Skulls: \d"))
    check_access(page, "words")
    field.fill("jump")
    page.keyboard.press("Enter")
    expect(reason).to_contain_text("You can’t play “jump” now. You can play: “stop”")
    before = version(page)
    field.fill("st")
    page.keyboard.press("Enter")
    expect(reason).to_contain_text("Press Enter again to play “stop”.")
    assert version(page) == before
    page.keyboard.press("Enter")
    wait_past(page, before)
    expect(field).to_have_value("")
    page.keyboard.press("Escape")
    expect(page.locator(".acts")).to_be_focused()
    for key, words in (("L", "Last move: "), ("P", "The position: "), ("M", "My moves: "), ("O", "The players: ")):
        page.keyboard.press(f"Shift+{key}")
        expect(page.locator("#announcements")).to_contain_text(words)


@pytest.mark.parametrize("game", ["fortune", "family-trade"])
@pytest.mark.suite("fortune")
def test_every_move_can_be_typed_as_the_house_writes_it(visit: Visit, game: str) -> None:
    """This includes moves for which several pieces are chosen."""
    page = visit()
    table(page, game=game, options={}, seats=[{"kind": "me"}, *[GREEDY] * (1 if game == "fortune" else 2)])
    for at in (0, -1, 0):
        assert my_turn(page)
        before = version(page)
        move = page.evaluate(LEGAL)[at]
        page.keyboard.press("/")
        page.keyboard.type(str(move).upper())
        page.keyboard.press("Enter")
        wait_past(page, before)
        page.keyboard.press("Escape")
