"""A password reset in a browser: requested at sign-in, the email's link, a new password, signed in; expired links; and
the pages of links in emails, in every width, theme and by keyboard."""

from __future__ import annotations

import contextlib
import re
import secrets
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.player import check_access, post
from tests.browser.test_me import SECRET, a_game, claim, fits
from tests.house.receiving import Inbox, plain
from tests.house.serving import Server

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
OTHER = "battery staple"


@pytest.fixture
def name() -> str:
    """Return a name that is free in this house."""
    return f"Ann {secrets.token_hex(3)}"


def email_to(page: Page, inbox: Inbox, address: str, subject: str) -> str:
    """Wait for the email to an address; return where its link leads."""
    for _ in range(600):
        for email in inbox.got:
            if (email["To"], email["Subject"]) == (address, subject):
                found = re.search(r"^http://\S+", plain(email), re.MULTILINE)
                assert found is not None
                return found[0]
        page.wait_for_timeout(50)
    raise AssertionError("no email came")


def own_address(page: Page, inbox: Inbox) -> str:
    """Set up an account's email address, with its password, and confirm it."""
    address = f"{secrets.token_hex(4)}@example.org"
    section = page.locator("#notifications")
    section.get_by_text("By email").click()
    section.get_by_label("Email address").fill(address)
    section.get_by_label("Password").fill(SECRET)
    section.get_by_role("button", name="Send me email").click()
    expect(section.locator(".places")).to_contain_text(address)
    page.goto(email_to(page, inbox, address, "Confirm your email address for Parlour"))
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("heading", name="Notifications are on")).to_be_visible()
    return address


@pytest.mark.whole
def test_a_lost_password_is_helped_by_mail_and_the_old_session_is_gone(
    visit: Visit, house: Server, inbox: Inbox, name: str
) -> None:
    ann, bob = visit(base=house.url), visit(base=house.url)
    claim(ann, name)
    address = own_address(ann, inbox)
    table = a_game(ann, bob, stop=False)
    ann.goto(f"/t/{table}")
    expect(ann.locator('[data-key="table"]')).to_have_attribute("data-seated", "")
    phone = visit("/me", base=house.url, width=390, height=844)
    for whose in ("No such name", name):  # the answer is the same
        phone.get_by_text("Lost your password?").click()
        form = phone.locator('[data-send="/api/me/lost"]')
        form.get_by_label("Name").fill(whose)
        with phone.expect_event("load"):
            form.get_by_label("Name").press("Enter")
        expect(phone.locator("#reset-sent")).to_be_visible()
        expect(phone.locator("#reset-sent")).to_contain_text("we’ve sent it a reset link")
    check_access(phone, "a reset was requested")
    fits(phone)
    phone.goto(email_to(phone, inbox, address, "Reset your password for Parlour"))
    expect(phone.get_by_role("status")).to_contain_text(f"as {name}, with a new password")
    phone.get_by_label("New password").fill(OTHER)
    phone.get_by_role("button", name="Sign in", exact=True).click()
    expect(phone.locator("h1")).to_contain_text(name)
    expect(phone.get_by_role("heading", name="Signed in")).to_be_visible()
    expect(phone.locator("[data-session]")).to_have_count(0)  # this is her only session
    expect(ann.get_by_text("You were signed out")).to_be_visible()  # on the open page
    ann.get_by_text("I have an account").click()
    form = ann.locator('[data-send="/api/me/sign-in"]')
    form.get_by_label("Name").fill(name)
    for password, words in ((SECRET, "The name or the password is wrong."), (OTHER, "")):
        form.get_by_label("Password").fill(password)
        form.get_by_role("button", name="Sign in").click()
        if words:
            expect(form.get_by_role("alert")).to_have_text(words)
    expect(ann.locator("h1")).to_contain_text(name)


@pytest.mark.whole
def test_a_link_that_has_expired_says_so_in_plain_words(
    visit: Visit, house: Server, mailing: Path, inbox: Inbox, name: str
) -> None:
    ann = visit(base=house.url)
    claim(ann, name)
    ann.get_by_role("button", name="Create a link").click()
    expect(ann.locator(".made svg")).to_be_visible()
    links = {"5 minutes": ann.get_by_label("Link for another device").input_value()}
    address = own_address(ann, inbox)
    post(ann, "/api/me/lost", name=name)
    links["a limited time"] = email_to(ann, inbox, address, "Reset your password for Parlour")
    with contextlib.closing(sqlite3.connect(mailing, isolation_level=None)) as database:
        mine = "(SELECT id FROM guests WHERE name = ?)"
        ended = database.execute(f"UPDATE links SET until = ? WHERE guest_id IN {mine}", (time.time() - 1, name))
        assert ended.rowcount == 2
    late = visit("/me", base=house.url)
    for good, url in links.items():
        late.goto("/me")
        late.goto(url)
        expect(late.get_by_role("status")).to_have_text(
            f"This link has expired: it worked for {good}. Create a new one, or ask for one."
        )
        expect(late.get_by_role("button", name="Sign in", exact=True)).to_be_hidden()
        check_access(late, "an expired link")
    late.goto("/me")
    expect(late.locator("h1")).to_contain_text("Guest")


# What Tab reaches, in the order of the page: one of each group of radio buttons
REACHED = """() => [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")]
  .filter((one) => !one.disabled && one.type !== "hidden" && one.tabIndex >= 0 && one.checkVisibility())
  .map((one, at) => (one.dataset.order = at))"""


def tabs_through(page: Page) -> None:
    """Check that Tab reaches every control in the order of the page, and that the focus is always visible."""
    order = page.evaluate(REACHED)
    page.locator(".skip").focus()
    for at in order:
        if at:
            page.keyboard.press("Tab")
        found = page.evaluate(
            """() => {
              const one = document.activeElement, box = one.getBoundingClientRect();
              return [one.dataset.order ?? one.outerHTML.slice(0, 80), box.left >= 0 && box.right <= innerWidth];
            }"""
        )
        assert found == [str(at), True], (page.url, at, len(order), found)


@pytest.mark.whole
def test_where_links_and_emails_lead_and_where_one_signs_in(
    visit: Visit, house: Server, inbox: Inbox, name: str
) -> None:
    ann = visit(base=house.url)
    claim(ann, name)
    device = post(ann, "/api/me/device")["url"]
    address = own_address(ann, inbox)
    confirm = ann.url
    page = visit("/me", base=house.url)
    mine = f"{secrets.token_hex(4)}@example.org"
    post(page, "/api/me/told", kind="mail", address=mine)
    asked = email_to(page, inbox, mine, "Confirm your email address for Parlour")
    post(page, "/api/me/lost", name=name)
    reset = email_to(page, inbox, address, "Reset your password for Parlour")

    def is_good(what: str) -> None:
        expect(page.locator("main h1")).to_be_visible()
        for width in (390, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (what, width)
            check_access(page, f"{what}, {width}", themes=True)
            fits(page)
            tabs_through(page)

    for url, words in (
        (device, f"This signs you in on this device as {name}."), (reset, f"as {name}, with a new password."),
        (f"{house.url}/link#none", "isn't valid here"),
    ):  # fmt: skip
        page.goto("/me")
        page.goto(url)
        expect(page.get_by_role("status")).to_contain_text(words)
        is_good(words)
    for url, words in (
        (asked, "Confirm your email"), (confirm, "Notifications are on"),
        (f"{house.url}/told/none", "You’re unsubscribed"),
    ):  # fmt: skip
        page.goto(url)
        expect(page.get_by_role("heading", name=words)).to_be_visible()
        is_good(words)
    page.goto("/me")
    for summary in ("I have an account", "Lost your password?"):
        page.get_by_text(summary).click()
    form = page.locator('[data-send="/api/me/lost"]')
    form.get_by_label("Name").fill("x" * 24)
    is_good("where one signs in")
