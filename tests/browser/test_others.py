"""Chat without typing, and mute, block and report: by mouse, by keyboard, on a phone, and by screen reader."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from parlour.house.table.play.talk import PHRASES
from tests.browser.player import check_access, post

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
PHONE = {"width": 390, "height": 844}


def together(visit: Visit, **settings: int) -> tuple[Page, Page]:
    """Return Ann and Bob at a table with a game under way."""
    ann, bob = visit(**settings), visit()
    made = post(ann, "/api/tables", game="fortune", seats=[{"kind": "me"}, {"kind": "open"}])
    for page, name in ((ann, "Ann"), (bob, "Bob")):
        post(page, "/api/me", name=name)
    post(bob, f"/api/tables/{made['id']}/sit")
    post(ann, f"/api/tables/{made['id']}/start")
    for page in (ann, bob):
        page.goto(f"/t/{made['id']}")
        expect(page.locator(".scene .prompt")).to_be_visible()
    return ann, bob


def chat(page: Page) -> Locator:
    """Open the chat in the drawer; return it."""
    drawer = page.locator("[data-drawer]")
    if drawer.is_visible() and drawer.get_attribute("aria-expanded") == "false":
        drawer.click()
    page.get_by_role("tab", name="Chat").click()
    return page.locator("#panel-chat ol")


def says(page: Page, text: str) -> None:
    post(page, f"/api/tables/{page.get_attribute('main', 'data-table')}/chat", text=text)


def fits(page: Page, where: str) -> None:
    """Check that nothing is wider than the window, and that controls there are inside it and large enough for a
    thumb."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    boxes = page.locator(f"{where} :is(button, select, summary)").evaluate_all(
        "(all) => all.filter((one) => one.checkVisibility())"
        ".map((one) => [one.textContent, one.getBoundingClientRect()])"
        ".filter(([, box]) => box.height < 43.5 || box.width < 43.5 || box.right > innerWidth || box.left < 0)"
    )
    assert boxes == []


@pytest.mark.parametrize("size", [PHONE, pytest.param({}, marks=pytest.mark.whole)])
@pytest.mark.whole
def test_a_phrase_is_said_with_one_press_and_heard(visit: Visit, size: dict[str, int]) -> None:
    ann, bob = together(visit, **size)
    said = chat(ann)
    group = ann.get_by_role("group", name="Quick messages")
    assert group.get_by_role("button").all_text_contents() == [*PHRASES]
    fits(ann, "#panel-chat")
    group.get_by_role("button", name="Good luck!").click()
    expect(said).to_contain_text("Good luck!")
    expect(bob.locator("#announcements")).to_contain_text("Ann Good luck!")  # a screen reader announces it once
    assert bob.locator("#announcements").inner_text().count("Good luck!") == 1
    assert ann.locator("#say").input_value() == ""
    check_access(ann, "the chat")


@pytest.mark.whole
def test_a_phrase_is_said_by_keyboard_and_keeps_the_focus(visit: Visit) -> None:
    ann, bob = together(visit)
    chat(ann)
    ann.get_by_role("tab", name="Chat").focus()
    for _ in range(8):
        ann.keyboard.press("Tab")
        if ann.evaluate("document.activeElement.textContent") == "Hello!":
            break
    ann.keyboard.press("Enter")
    expect(chat(bob)).to_contain_text("Hello!")
    ann.wait_for_function("() => document.activeElement.textContent === 'Hello!'")
    ann.keyboard.press("Tab")
    ann.keyboard.press("Space")
    expect(chat(bob)).to_contain_text("Good luck!")


@pytest.mark.parametrize("size", [PHONE, pytest.param({}, marks=pytest.mark.whole)])
@pytest.mark.whole
def test_one_mutes_and_hears_again_on_all_ones_pages(visit: Visit, size: dict[str, int]) -> None:
    ann, bob = together(visit, **size)
    other = visit(f"/t/{ann.get_attribute('main', 'data-table')}", friend_of=ann)
    says(bob, "You play badly.")
    said = chat(ann)
    said.get_by_role("button", name="Bob: mute, block or report").click()
    box = ann.get_by_role("dialog", name="Bob")
    expect(box.locator("blockquote")).to_have_text("You play badly.")
    fits(ann, "#whom")
    check_access(ann, "the dialog")
    box.get_by_role("button", name="Mute").click()
    expect(box.get_by_role("status")).to_have_text("You no longer see messages from Bob.")
    expect(box.get_by_role("button", name="Unmute")).to_be_visible()
    box.get_by_role("button", name="Close").click()
    for page in (ann, other):
        expect(chat(page)).not_to_contain_text("You play badly.")
        expect(page.locator(".hushed")).to_contain_text("You have muted Bob.")
    says(bob, "Very badly.")
    expect(chat(bob)).to_contain_text("Very badly.")
    expect(ann.locator("#announcements")).not_to_contain_text("Very badly.")
    check_access(ann, "a person is muted")
    fits(ann, "#panel-chat")
    other.get_by_role("button", name="Unmute").click()
    for page in (ann, other):
        expect(chat(page)).to_contain_text("Very badly.")
        expect(page.locator(".hushed")).to_have_count(0)


@pytest.mark.whole
def test_one_blocks_by_keyboard_and_undoes_it_on_the_page_you(visit: Visit) -> None:
    ann, _ = together(visit, **PHONE)
    chat(ann)
    ann.get_by_role("tab", name="Table").click()
    ann.locator("#panel-about").get_by_role("button", name="Bob: mute, block or report").focus()
    ann.keyboard.press("Enter")
    box = ann.get_by_role("dialog", name="Bob")
    expect(box.locator("blockquote")).to_be_hidden()
    box.get_by_role("button", name="Block").press("Enter")
    expect(box.get_by_role("status")).to_contain_text("Bob is blocked")
    ann.keyboard.press("Escape")
    expect(ann.locator("#panel-about .present")).to_contain_text("blocked")
    ann.goto("/me")
    part = ann.locator(".fold", has=ann.get_by_role("heading", name="Muted and blocked"))
    expect(part).to_contain_text("Bob")
    fits(ann, "main")
    check_access(ann, "the page You")
    part.get_by_role("button", name="Unblock Bob").click()
    expect(part).to_have_count(0)


@pytest.mark.whole
def test_one_reports_a_line_with_a_reason(visit: Visit) -> None:
    ann, bob = together(visit, **PHONE)
    says(bob, "Boo.")
    chat(ann).get_by_role("button", name="Bob: mute, block or report").click()
    box = ann.get_by_role("dialog", name="Bob")
    box.get_by_text("Report to a moderator").click()
    box.get_by_label("They").select_option("cheats")
    box.get_by_label("What happened").fill("They look at my cards.")
    fits(ann, "#whom")
    check_access(ann, "a report")
    box.get_by_role("button", name=re.compile("^Report$")).click()
    expect(box.get_by_role("status")).to_contain_text("Reported.")
    expect(bob.locator("body")).not_to_contain_text("eported.")


def test_what_is_refused_is_said_where_it_was_pressed(visit: Visit) -> None:
    ann, bob = together(visit)
    says(bob, "Boo.")
    chat(ann).get_by_role("button", name="Bob: mute, block or report").click()
    box = ann.get_by_role("dialog", name="Bob")
    ann.context.set_offline(True)
    box.get_by_role("button", name="Mute").click()
    expect(box.get_by_role("alert").filter(has_text="can’t reach the server")).to_be_visible()
    ann.context.set_offline(False)
    box.get_by_role("button", name="Mute").click()
    expect(box.get_by_role("status")).to_contain_text("no longer see messages")


@pytest.mark.whole
def test_ones_own_lines_and_bots_have_nothing_to_press(visit: Visit) -> None:
    page = visit()
    made = post(page, "/api/tables", game="fortune")
    page.goto(made["url"])
    says(page, "Hello!")
    expect(chat(page)).to_contain_text("Hello!")
    assert page.locator(".whom").count() == 0
