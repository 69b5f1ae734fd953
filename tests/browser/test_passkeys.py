"""Passkeys in a real Chromium, with the virtual authenticator of the DevTools protocol."""

from __future__ import annotations

import gzip
import secrets
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, expect

from parlour.house.site.files import SOURCES
from tests.browser.player import check_access, post
from tests.browser.test_me import SECRET, WIDTHS, claim, fits, unfold
from tests.house.serving import Server

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
PLATFORM = {
    "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
    "isUserVerified": True, "automaticPresenceSimulation": True,
}  # fmt: skip
COME = "Sign in with a passkey"


class Device:
    """The authenticator of a page."""

    def __init__(self, page: Page) -> None:
        self.session: CDPSession = page.context.new_cdp_session(page)
        self.session.send("WebAuthn.enable")
        self.id = {"authenticatorId": self.session.send("WebAuthn.addVirtualAuthenticator", {"options": PLATFORM})[
            "authenticatorId"
        ]}  # fmt: skip

    @property
    def credentials(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.session.send("WebAuthn.getCredentials", self.id)["credentials"]
        return found

    def take(self, other: Device) -> None:
        """Add the passkeys of another device, as a password manager synchronises them."""
        for one in other.credentials:
            self.session.send("WebAuthn.addCredential", {**self.id, "credential": one})

    def forget(self) -> None:
        """Delete all its passkeys."""
        self.session.send("WebAuthn.clearCredentials", self.id)

    def verifies(self, yes: bool) -> None:
        """Choose whether finger or PIN match."""
        self.session.send("WebAuthn.setUserVerified", {**self.id, "isUserVerified": yes})


@pytest.fixture
def name() -> str:
    """Return a name that is free in this house."""
    return f"Ann {secrets.token_hex(3)}"


@pytest.fixture
def come(visit: Visit, server: Server) -> Callable[..., tuple[Page, Device]]:
    """Return a function that opens the page You at http://localhost for a new person, with a device."""

    def come(**settings: Any) -> tuple[Page, Device]:
        page = visit("/me", base=server.url.replace("127.0.0.1", "localhost"), **settings)
        return page, Device(page)

    return come


def claim_by_passkey(page: Page, name: str) -> None:
    form = page.locator('[data-send="/api/me/claim"]')
    form.get_by_label("Name").fill(name)
    form.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("heading", name="Signed in")).to_be_visible()
    page.wait_for_load_state()  # with its scripts


def sign_in(page: Page) -> None:
    page.get_by_text("I have an account").click()
    page.get_by_role("button", name=COME).click()
    expect(page.get_by_role("heading", name="Signed in")).to_be_visible()
    page.wait_for_load_state()  # with its scripts


@pytest.mark.whole
def test_the_script_is_small_and_of_the_page_you_alone(visit: Visit) -> None:
    assert len(gzip.compress(SOURCES["passkeys.js"].read_bytes(), 9)) <= 1600  # 85 of them make tokens
    page = visit()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for path in ("/", "/link"):
        page.goto(path)
    assert [one for one in asked if "passkeys" in one] == []
    page.goto("/me")
    assert len([one for one in asked if "passkeys" in one]) == 1


@pytest.mark.whole
def test_where_there_are_none_nothing_is_offered(visit: Visit, come: Callable[..., tuple[Page, Device]]) -> None:
    """The house's address is a number, or the browser does not support passkeys."""
    page = visit("/me")
    page.get_by_text("I have an account").click()
    expect(page.get_by_role("button", name="passkey")).to_have_count(0)
    page, _ = come()
    page.get_by_text("I have an account").click()
    expect(page.get_by_role("button", name="passkey")).to_have_count(2)
    page.context.add_init_script("delete window.PublicKeyCredential")
    page.reload()
    page.get_by_text("I have an account").click()
    expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="passkey")).to_have_count(0)


def test_a_name_claimed_with_a_passkey_is_signed_in_on_another_device(
    come: Callable[..., tuple[Page, Device]], name: str
) -> None:
    ann, device = come()
    claim_by_passkey(ann, name)
    expect(ann.locator("header [data-me]")).to_have_text(name)
    (made,) = device.credentials
    assert (made["isResidentCredential"], made["rpId"], made["userName"]) == (True, "localhost", name)
    listed = ann.locator("#keys li")
    expect(listed).to_have_count(1)
    expect(listed).to_contain_text("Chrome on Linux")
    expect(listed).to_contain_text("not used yet")
    ann.get_by_role("button", name="Sign out").click()
    ann.wait_for_url("**/")
    expect(ann.locator("header [data-me]")).to_contain_text("Guest")  # or the way there would end the next one
    ann.goto("/me")
    expect(ann.locator("h1")).to_contain_text("Guest")
    sign_in(ann)
    expect(ann.locator("h1")).to_contain_text(name)
    expect(ann.locator("#keys li")).to_contain_text("used just now")
    phone, other = come(width=390, height=844)
    post(phone, "/api/me", name="Stranger")
    table = post(phone, "/api/tables", game="fortune", seats=[{"kind": "me"}, {"kind": "open"}])["id"]
    other.take(device)
    phone.reload()
    sign_in(phone)
    expect(phone.locator("h1")).to_contain_text(name)
    expect(phone.locator(f'.played a[href="/t/{table}"]')).to_be_visible()  # the table moved to the account


@pytest.mark.whole
def test_passkeys_are_added_and_removed_but_never_the_last(come: Callable[..., tuple[Page, Device]], name: str) -> None:
    ann, _ = come()
    claim_by_passkey(ann, name)
    keys = ann.locator("#keys")
    keys.get_by_role("button", name="Remove the passkey").click()
    expect(keys.locator("li").get_by_role("alert")).to_contain_text("This is your only way to sign in")
    check_access(ann, "the last way in")
    keys.get_by_role("button", name="Add a passkey").click()
    expect(keys.get_by_role("alert").last).to_contain_text("This device already has a passkey of yours")
    ann.get_by_text("Set a password", exact=True).click()
    form = ann.locator('[data-passkey="password"]')
    form.get_by_label("New password").fill(SECRET)
    form.get_by_role("button", name="Set it").click()
    expect(ann.get_by_text("Your password is changed")).to_be_visible()
    ann.wait_for_load_state()
    keys.get_by_text("Remove", exact=True).click()
    form = keys.locator('[data-send="/api/me/passkeys/remove"]')
    form.get_by_label("Password").fill("wrong horse")
    form.get_by_role("button", name="Remove it").click()
    expect(form.get_by_role("alert")).to_have_text("That isn't your password. Please try again.")
    form.get_by_label("Password").fill(SECRET)
    form.get_by_role("button", name="Remove it").click()
    expect(keys.locator("li")).to_have_count(0)


@pytest.mark.whole
def test_two_devices_have_a_passkey_each(come: Callable[..., tuple[Page, Device]], name: str) -> None:
    ann, device = come()
    claim(ann, name)  # with a password
    keys = ann.locator("#keys")
    expect(keys.locator("li")).to_have_count(0)
    keys.get_by_text("Add a passkey").first.click()
    form = keys.locator('[data-passkey="add"]')
    form.get_by_label("Password").fill("wrong horse")
    form.get_by_role("button", name="Add a passkey").click()
    expect(form.get_by_role("alert")).to_have_text("That isn't your password. Please try again.")
    assert device.credentials == []  # no passkey is created in vain
    form.get_by_label("Password").fill(SECRET)
    form.get_by_role("button", name="Add a passkey").click()
    expect(keys.locator("li")).to_have_count(1)
    phone, other = come(width=390, height=844)
    other.take(device)
    sign_in(phone)
    expect(phone.locator("h1")).to_contain_text(name)
    ann.reload()
    expect(keys.locator("li")).to_contain_text("used just now")
    tablet, third = come()
    tablet.get_by_text("I have an account").click()
    form = tablet.locator('[data-send="/api/me/sign-in"]')
    form.get_by_label("Name").fill(name)
    form.get_by_label("Password").fill(SECRET)
    form.get_by_label("Password").press("Enter")  # the button for the password comes first
    keys = tablet.locator("#keys")
    keys.get_by_text("Add a passkey").first.click()
    keys.locator('[data-passkey="add"]').get_by_label("Password").fill(SECRET)
    keys.locator('[data-passkey="add"]').get_by_role("button", name="Add a passkey").click()
    expect(keys.locator("li")).to_have_count(2)
    tablet.wait_for_load_state()
    assert [one["userHandle"] for one in third.credentials] == [one["userHandle"] for one in device.credentials]
    keys.get_by_text("Remove", exact=True).first.click()
    form = keys.locator("li").first.locator("form")
    form.get_by_label("Password").fill(SECRET)
    form.get_by_label("Password").press("Enter")
    expect(keys.locator("li")).to_have_count(1)
    ann.get_by_role("button", name="Sign out").click()
    ann.wait_for_url("**/")
    ann.goto("/me")
    ann.get_by_text("I have an account").click()
    ann.get_by_role("button", name=COME).click()  # with the removed one
    said = ann.locator('[data-send="/api/me/sign-in"]').get_by_role("alert")
    expect(said).to_contain_text("We don't know this passkey.")


@pytest.mark.whole
def test_what_goes_wrong_is_said_in_its_place(come: Callable[..., tuple[Page, Device]], name: str) -> None:
    ann, device = come()
    ann.get_by_text("I have an account").click()
    form = ann.locator('[data-send="/api/me/sign-in"]')
    said = form.get_by_role("alert")
    device.verifies(False)
    form.get_by_role("button", name=COME).click()
    expect(said).to_contain_text("Nothing changed")
    device.verifies(True)
    claim_by_passkey(ann, name)
    stolen = device.credentials
    ann.get_by_text("Delete account").click()
    ann.get_by_role("button", name="Delete with a passkey").click()
    expect(ann.get_by_text("Your account is deleted")).to_be_visible()
    ann.goto("/me")
    assert [one["credentialId"] for one in device.credentials] == [one["credentialId"] for one in stolen]
    ann.get_by_text("I have an account").click()
    form.get_by_role("button", name=COME).click()
    expect(said).to_contain_text("We don't know this passkey.")
    check_access(ann, "a passkey that is not known")


@pytest.mark.whole
def test_all_of_it_by_keyboard(come: Callable[..., tuple[Page, Device]], name: str) -> None:
    page, _ = come()
    page.get_by_label("Name", exact=True).first.focus()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type(name)
    for _ in range(3):  # password, "Claim it", and this
        page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Use a passkey")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Signed in")).to_be_visible()
    page.wait_for_load_state()  # with its scripts
    page.get_by_role("button", name="Sign out").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/")
    page.goto("/me")
    page.get_by_text("I have an account").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Sign in", exact=True).focus()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name=COME)).to_be_focused()
    page.keyboard.press("Space")
    expect(page.locator("h1")).to_contain_text(name)


@pytest.mark.whole
def test_the_page_in_both_themes_and_widths(
    come: Callable[..., tuple[Page, Device]], size: Callable[[int, int], int], name: str
) -> None:
    for width, height in WIDTHS[: size(1, 2)]:
        for how in (claim_by_passkey, claim):
            ann, _ = come(width=width, height=height)
            if how is claim_by_passkey:
                unfold(ann)
                expect(ann.get_by_role("button", name=COME)).to_be_visible()
                fits(ann)
                check_access(ann, f"a guest's page with passkeys, {width}", themes=True)
            how(ann, f"{name} {width}{'p' if how is claim else ''}")
            if how is claim:
                ann.get_by_text("Add a passkey").first.click()
                form = ann.locator('[data-passkey="add"]')
                form.get_by_label("Password").fill(SECRET)
                form.get_by_role("button", name="Add a passkey").click()
                expect(ann.locator("#keys li")).to_have_count(1)
            unfold(ann)
            fits(ann)
            check_access(ann, f"Ann's page with passkeys, {how.__name__}, {width}", themes=True)
