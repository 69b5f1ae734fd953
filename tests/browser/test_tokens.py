"""API tokens on the page You, and programs in the waiting room, in a browser."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.browser.player import check_access
from tests.browser.test_me import SECRET, WIDTHS, claim, fits
from tests.browser.test_passkeys import Device, claim_by_passkey, come
from tests.house.serving import Server

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
__all__ = ["come"]  # a fixture


def made(page: Page, server: Server, *, password: bool) -> str:
    """Make a token on the page You; return whose it is, as a program learns it."""
    part = page.locator("#tokens")
    part.get_by_text("Make a token", exact=True).first.click()
    part.get_by_label("Name").fill("Robot")
    if password:
        part.get_by_label("Password").fill(SECRET)
    part.get_by_role("button", name="Make a token").click()
    token = part.get_by_label("Your new token")
    expect(token).to_be_visible()
    headers = {"authorization": f"Bearer {token.input_value()}"}
    who: dict[str, Any] = httpx.get(f"{server.url}/api/me", headers=headers).raise_for_status().json()
    assert who["program"]
    return str(who["name"])


@pytest.mark.whole
def test_a_token_is_made_with_the_password_shown_once_and_revoked(visit: Visit, server: Server) -> None:
    page, name = visit(), f"Ann {secrets.token_hex(3)}"
    claim(page, name)
    assert made(page, server, password=True) == name
    for width, height in WIDTHS:
        page.set_viewport_size({"width": width, "height": height})
        fits(page)
    check_access(page, "a new token")
    page.reload()
    expect(page.get_by_label("Your new token")).to_be_hidden()
    part = page.locator("#tokens")
    expect(part.get_by_role("listitem")).to_contain_text("Robot")
    part.get_by_role("button", name="Revoke the token Robot").click()
    expect(part.get_by_role("listitem")).to_have_count(0)


@pytest.mark.whole
def test_a_token_is_made_with_a_passkey(come: Callable[..., tuple[Page, Device]], server: Server) -> None:
    page, _ = come()
    name = f"Ann {secrets.token_hex(3)}"
    claim_by_passkey(page, name)
    assert made(page, server, password=False) == name


@pytest.mark.whole
def test_a_host_allows_programs_in_the_waiting_room(visit: Visit) -> None:
    page = visit()
    claim(page, f"Ann {secrets.token_hex(3)}")
    seats = [{"kind": "me"}, {"kind": "open"}]
    answer = page.request.post("/api/tables", data={"game": "fortune", "seats": seats})
    page.goto(f"/t/{answer.json()['id']}")
    page.get_by_role("button", name="Allow programs").click()
    expect(page.get_by_text("Programs may play here.").first).to_be_visible()
    check_access(page, "a table that allows programs")
    page.get_by_role("button", name="Don’t allow programs").click()
    expect(page.get_by_role("button", name="Make it rated")).to_be_visible()
