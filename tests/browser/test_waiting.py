"""A waiting table: a player's phrase for the dice, and what a page says when its table was deleted."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.player import check_access, picked, post, table, take_a_seat

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]


@pytest.mark.whole
def test_words_for_the_dice_are_given_where_the_commitment_is_shown(visit: Visit) -> None:
    page = visit("/", width=390, height=844)
    picked(page, "fortune").get_by_role("button", name="More choices").click()
    game = page.locator("dialog.game-fortune")
    game.get_by_label("Don’t start until I press Start").check()
    game.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/t/*")
    summary = page.get_by_text("Fair dice and cards, with your own phrase")
    summary.click()
    assert len(page.locator(".room code").inner_text()) == 64
    page.locator("[data-words] input").fill("blue herring")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator(".room")).to_contain_text("Your phrase: blue herring")
    check_access(page, "words")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    made = page.get_attribute("main", "data-table")
    page.get_by_role("button", name="Start").click()
    page.locator('[data-key="scene"]').wait_for()
    assert '\nwords: ["blue herring", ' in page.request.get(f"/t/{made}/record").text()


@pytest.mark.whole
def test_a_page_whose_table_is_closed_says_so(visit: Visit) -> None:
    page = visit()
    made = post(page, "/api/tables", game="fortune", seats=[{"kind": "me"}, {"kind": "open"}])
    friend = visit(made["url"])
    expect(friend.locator(".room")).to_contain_text("Waiting for 1 more player")
    post(page, f"/api/tables/{made['id']}/leave")
    expect(friend.locator(".net")).to_contain_text("There is no table")
    expect(friend.locator(".net")).to_be_visible()


@pytest.mark.whole
def test_a_friend_who_was_invited_gets_the_seat_and_a_stranger_sees_that_it_is_kept(visit: Visit) -> None:
    ann = visit("/", width=390, height=844)
    picked(ann, "fortune").get_by_role("button", name="Invite a friend").click()
    ann.wait_for_url("**/t/*")
    invitation = ann.get_by_label("Link to seat 2").input_value()
    eve = visit(ann.url)
    expect(eve.locator(".room")).to_contain_text("The free seat is kept for a friend with the link.")
    expect(eve.get_by_role("button", name="Take a seat")).to_be_hidden()
    eve.goto(invitation[:-1] + ("A" if invitation[-1] != "A" else "B"))
    expect(eve.get_by_role("heading")).to_contain_text("This link to a seat was already used, or taken back.")
    bob = visit(invitation)
    expect(ann.locator(".chairs")).to_contain_text("kept for a friend")  # looking takes no seat
    expect(bob.get_by_role("region", name="Waiting room")).to_contain_text("20 to 35 min")
    bob.get_by_role("button", name="Take a seat").click()
    expect(bob.locator("[data-key=join-reason]")).to_contain_text("Please give a name first")
    check_access(bob, "an invited friend")
    take_a_seat(bob)
    bob.wait_for_url(ann.url)
    expect(ann.locator(".chairs")).to_contain_text("Bob")
    eve.goto(invitation)
    expect(eve.get_by_role("heading")).to_contain_text("already used")
    ann.get_by_role("button", name="Start").click()
    for page in (ann, bob):
        page.locator('[data-key="scene"] .board').wait_for()


def test_a_link_is_shared_by_the_systems_sheet_or_copied_and_shown_as_a_code(visit: Visit) -> None:
    page = visit(width=390, height=844, color_scheme="dark", permissions=["clipboard-read", "clipboard-write"])
    table(page, seats=[{"kind": "me"}, {"kind": "link"}])
    link = page.get_by_label("Link to seat 2").input_value()
    chair = page.locator(".inviting")
    share = chair.get_by_role("button", name="Share")
    page.evaluate("navigator.share = undefined")
    share.click()
    expect(chair.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == link
    page.evaluate("navigator.share = async (what) => { window.given = what; }")
    expect(share).to_be_visible()
    share.click()
    page.wait_for_function("() => window.given")
    assert page.evaluate("given") == {"title": "Fortune", "url": link}
    button = chair.get_by_role("button", name="QR code")
    expect(button).to_be_in_viewport(ratio=1)  # the card would cut off what does not fit
    button.click()
    dialog = page.get_by_role("dialog", name="Scan to open this table")
    code = dialog.get_by_role("img", name=f"QR code of {link}")
    expect(code).to_be_in_viewport(ratio=1)
    assert code.bounding_box()["width"] >= 200
    assert code.locator("rect").evaluate("(one) => getComputedStyle(one).fill") == "rgb(255, 255, 255)"
    expect(dialog.get_by_text(link)).to_be_visible()
    check_access(page, "QR code")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
@pytest.mark.suite("390-*")
def test_the_host_sees_start_at_once_and_the_chat_until_it_begins(visit: Visit, width: int, height: int) -> None:
    """On a phone the chat is in the drawer, so its tab alone is chosen."""
    host = visit("/", width=width, height=height)
    table(host, game="family-trade", options={}, seats=[{"kind": "me"}, *[{"kind": "open"}] * 3])
    start = host.get_by_role("button", name="Start with bots")
    expect(start).to_be_in_viewport(ratio=1)
    expect(host.locator("#tab-chat")).to_have_attribute("aria-selected", "true")
    start.click()
    expect(host.locator("#tab-log")).to_have_attribute("aria-selected", "true")


@pytest.mark.parametrize("seats", [4, 6])
def test_a_phone_on_its_side_shows_all_seats_above_start(visit: Visit, seats: int) -> None:
    host = visit(width=667, height=375)
    table(host, game="aces-and-faces", options={}, seats=[{"kind": "me"}, *[{"kind": "open"}] * (seats - 1)])
    start = host.get_by_role("button", name="Start with bots")
    expect(start).to_be_in_viewport(ratio=1)
    box = start.bounding_box()
    assert box
    lowest = host.locator(".chairs > li").evaluate_all(
        "(all) => Math.max(...all.map((one) => one.getBoundingClientRect().bottom))"
    )
    assert lowest <= box["y"]
