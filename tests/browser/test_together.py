"""Decisions of all people at a table: to end a game, and to play another."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.player import check_access, settle, table, take_a_seat

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
POST = """async ([path, body]) => (await fetch(path, {
  method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body),
})).status"""


def three(visit: Visit) -> tuple[Page, Page, Page]:
    """Return Ann and Bob, on a phone in the dark theme, at their game with Eve, who has left it."""
    ann = visit()
    bob = visit(width=390, height=844, color_scheme="dark")
    eve = visit()
    for page, name in ((ann, "Ann"), (bob, "Bob"), (eve, "Eve")):
        assert page.evaluate(POST, ["/api/me", {"name": name}]) == 200
    table(ann, seats=[{"kind": "me"}, {"kind": "open"}, {"kind": "open"}])
    for page in (bob, eve):
        page.goto(ann.url)
        take_a_seat(page)
        page.get_by_role("button", name="Leave").first.wait_for()
    ann.get_by_role("button", name="Start").click()
    for page in (ann, bob, eve):
        page.locator(".scene .board").wait_for()
    here = "/api/tables/" + ann.url.rsplit("/", 1)[1]
    assert eve.evaluate(POST, [here + "/leave", {}]) == 200
    return ann, bob, eve


@pytest.mark.whole
def test_those_who_are_there_end_a_game_and_are_asked_to_another(visit: Visit) -> None:
    ann, bob, eve = three(visit)
    ann.locator("#tab-about").click()
    ann.get_by_role("button", name="End it together").click()
    asked = bob.get_by_role("region", name="Vote to end the game")
    expect(asked).to_contain_text("Ann would like to end this game without a result: 1 of 2 agree.")
    expect(asked).to_contain_text("It continues until you agree. Eve is away, so we don’t wait for them.")
    expect(bob.locator("#announcements")).to_contain_text("Ann I would like to end this game without a result.")
    for page in (ann, bob):
        settle(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    check_access(bob, "an end is asked for")
    asked.get_by_role("button", name="End the game").press("Enter")
    for page in (ann, bob):
        expect(page.get_by_role("region", name="Closed")).to_contain_text("A player was away")
    closed = ann.url
    ann.get_by_role("button", name="New table").click()
    ann.wait_for_url(lambda url: url != closed)
    room = ann.get_by_role("region", name="Waiting room")
    expect(room).to_contain_text("kept for Bob, who is invited")
    expect(room).to_contain_text("kept for Eve, who is invited")
    bob.get_by_role("button", name="Join the new table").press("Enter")
    bob.wait_for_url(ann.url)
    expect(room).not_to_contain_text("kept for Bob")
    check_access(bob, "a rematch waits")
    eve.goto(ann.url)
    take_a_seat(eve)
    for page in (ann, bob, eve):
        page.locator(".scene .board").wait_for()


@pytest.mark.whole
def test_who_declines_a_rematch_is_not_kept_a_seat_by_name(visit: Visit) -> None:
    ann, bob, eve = three(visit)
    here = "/api/tables/" + ann.url.rsplit("/", 1)[1]
    for page in (ann, bob):
        assert page.evaluate(POST, [here + "/end", {}]) == 200
    bob.get_by_role("button", name="New table").click()
    bob.wait_for_url(re.compile("/t/(?!" + here.rsplit("/", 1)[1] + ")"))
    eve.goto("/")
    invitation = eve.locator('[data-key="invited"]')
    expect(invitation).to_contain_text("Bob invites you to Fortune.")
    invitation.get_by_role("button", name="Decline").click()
    room = bob.get_by_role("region", name="Waiting room")
    expect(room).to_contain_text("kept for a friend")
    expect(room).to_contain_text("kept for Ann, who is invited")
    room.get_by_role("button", name="Start with bots").click()
    bob.locator(".scene .board").wait_for()
