"""Inviting a player from their page, by clicks, on a phone and in a wide window."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from parlour.bots import default
from parlour.games import find
from tests.browser.player import check_access, post
from tests.browser.test_me import PHONE_FIRST, SECRET, fits

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]


def named(page: Page, name: str) -> str:
    """Claim a new name that begins like this."""
    name = f"{name} {secrets.token_hex(4)}"
    post(page, "/api/me/claim", name=name, password=SECRET)
    return name


@pytest.mark.parametrize(("width", "height"), PHONE_FIRST)
@pytest.mark.whole
def test_one_invites_somebody_from_their_page_and_they_accept(visit: Visit, width: int, height: int) -> None:
    ann, bob = visit(width=width, height=height), visit(width=width, height=height)
    anns, bobs = named(ann, "Ann"), named(bob, "Bob")
    ann.goto(f"/p/{quote(bobs)}")
    part = ann.get_by_role("region", name=f"Play with {bobs}")
    expect(part.get_by_label("Other seats")).to_be_hidden()
    part.get_by_label("Players").select_option("6")
    part.get_by_label("Game").select_option("Fortune")  # which allows four at most
    expect(part.get_by_label("Players")).to_have_value("2")
    part.get_by_label("Players").select_option("3")
    part.get_by_label("Other seats").select_option("bots")
    part.get_by_label("Time").select_option("quick clocks")
    part.get_by_label("Rated").check()
    fits(ann)
    check_access(ann, "the page of a player")
    part.get_by_role("button", name=f"Invite {bobs}").click()
    ann.wait_for_url(re.compile("/t/"))
    room = ann.get_by_role("region", name="Waiting room")
    expect(room).to_contain_text(f"kept for {bobs}, who is invited")
    expect(room).to_contain_text("5 min each, 5 s more a decision")
    expect(room).to_contain_text("Rated.")
    expect(room).to_contain_text(f"{default(find('fortune')).capitalize()} bot")
    fits(ann)
    check_access(ann, "the waiting room")
    bob.goto("/")
    invitation = bob.locator('[data-key="invited"]')
    expect(invitation).to_contain_text(f"{anns} invites you to Fortune.")
    expect(invitation).to_contain_text("5 min each, 5 s more a decision")
    invitation.get_by_role("button", name="Accept").click()
    bob.wait_for_url(ann.url)
    for page in (ann, bob):
        expect(page.locator(".scene .board")).to_be_visible()


@pytest.mark.parametrize(("width", "height"), PHONE_FIRST)
@pytest.mark.whole
def test_a_refusal_is_said_in_its_part_and_a_guest_is_shown_the_way(visit: Visit, width: int, height: int) -> None:
    ann, bob, guest = visit(width=width, height=height), visit(), visit(width=width, height=height)
    named(ann, "Ann")
    bobs = named(bob, "Bob")
    seats = [{"kind": "me"}, {"kind": "link", "invite": bobs}]
    for _ in range(3):
        post(ann, "/api/tables", game="fortune", seats=seats)
    ann.goto(f"/p/{quote(bobs)}")
    part = ann.get_by_role("region", name=f"Play with {bobs}")
    part.get_by_label("Game").select_option("Fortune")
    part.get_by_role("button", name=f"Invite {bobs}").click()
    expect(part.get_by_role("alert")).to_contain_text(f"You already have 3 open invitations to {bobs}")
    fits(ann)
    check_access(ann, "a refusal")
    bob.goto(f"/p/{quote(bobs)}")
    expect(bob.get_by_role("heading", name="Results")).to_be_visible()
    expect(bob.get_by_role("region", name="Play with")).to_have_count(0)
    guest.goto(f"/p/{quote(bobs)}")
    fits(guest)
    check_access(guest, "the page of a player, for a guest")
    guest.get_by_role("region", name=f"Play with {bobs}").get_by_role("link", name="create an account").click()
    guest.wait_for_url(re.compile("/me$"))
