"""The recovery address of a person who has only a passkey: added, kept, removed."""

from __future__ import annotations

import secrets
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.player import check_access
from tests.browser.test_lost import email_to
from tests.browser.test_me import fits
from tests.browser.test_passkeys import Device, claim_by_passkey
from tests.house.receiving import Inbox
from tests.house.serving import Nursery, free_port

pytestmark = pytest.mark.browser
NONE = "You have no address for that yet."


@pytest.fixture(scope="module")
def named(nursery: Nursery, tmp_path_factory: pytest.TempPathFactory, inbox: Inbox) -> str:
    """Return the address of a house that sends mail and has a name: browsers allow no passkeys for a number."""
    port = free_port()
    database = f"sqlite:///{tmp_path_factory.mktemp('recovery')}/parlour.db"
    base = f"http://localhost:{port}"
    nursery.start(database=database, mail=inbox.url, port=port, mail_from="house@house.test", base_url=base)
    return base


@pytest.mark.whole
def test_a_recovery_address_is_removed_with_a_passkey_and_not_without(
    visit: Callable[..., Page], named: str, inbox: Inbox
) -> None:
    page = visit("/me", base=named)
    device, address = Device(page), f"{secrets.token_hex(4)}@example.org"
    claim_by_passkey(page, f"Ann {secrets.token_hex(3)}")
    recovery = page.locator("#recovery")
    expect(recovery).to_contain_text(NONE)
    recovery.get_by_text("Add an address").click()
    recovery.get_by_label("Email address").fill(address)
    recovery.get_by_role("button", name="Send confirmation").click()
    expect(recovery.locator(".places")).to_contain_text(address)
    page.goto(email_to(page, inbox, address, "Confirm your email address for Parlour"))
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("heading", name="Your email is confirmed")).to_be_visible()

    page.goto("/me")
    form = recovery.locator('[data-passkey="recovery"]')
    recovery.get_by_text("Remove the address").click()
    expect(form.get_by_label("Password")).to_have_count(0)
    check_access(page, "removing a recovery address")
    fits(page)
    device.verifies(False)
    form.get_by_role("button", name="Remove it").click()
    expect(form.get_by_role("alert")).to_contain_text("Nothing changed")
    page.reload()
    expect(recovery.locator(".places")).to_contain_text(address)
    device.verifies(True)
    recovery.get_by_text("Remove the address").click()
    form.get_by_role("button", name="Remove it").click()
    expect(recovery).to_contain_text(NONE)
    expect(recovery.locator(".places")).to_have_count(0)
    page.goto("/me")  # and the house has not stored it
    expect(recovery).to_contain_text(NONE)
    expect(page.locator("#keys li")).to_have_count(1)
