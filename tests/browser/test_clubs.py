"""A club in browsers, on a phone: found it, let someone in by the link, and start a season of two divisions."""

from __future__ import annotations

import secrets
from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.browser.player import check_access, post
from tests.browser.test_tournaments import LOOSE_POINTS
from tests.house.serving import Server

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
PHONE = {"width": 390, "height": 844}
FITS = "document.documentElement.scrollWidth <= innerWidth"


def join(url: str, name: str, token: str, club: str, season: str) -> None:
    """Create an account, join the club and enter the season, without a page."""
    with httpx.Client(base_url=url) as other:
        for path, body in (
            ("me/claim", {"name": name, "password": "correct horse"}),
            ("clubs/join", {"token": token}),
            (f"clubs/{club}/seasons/{season}/enter", {}),
        ):
            other.post(f"/api/{path}", json=body).raise_for_status()


def test_a_club_is_founded_joined_by_link_and_plays_a_season(visit: Visit, server: Server) -> None:
    ann, bob, mark = visit(**PHONE), visit(**PHONE), secrets.token_hex(3)  # other tests use the same house
    for person, name in ((ann, f"Ada {mark}"), (bob, f"Blaise {mark}")):
        post(person, "/api/me/claim", name=name, password="correct horse")
    ann.goto("/clubs")
    check_access(ann, "the list of clubs")
    ann.locator("#found").get_by_label("Name", exact=True).fill(f"The Analytical Table {mark}")
    ann.get_by_label("Description").fill("We meet on Thursdays.")
    ann.get_by_text("Picture", exact=True).click()
    ann.get_by_role("radio", name="owl", exact=True).check()
    ann.get_by_role("button", name="Found the club").click()
    expect(ann.get_by_role("heading", name=f"The Analytical Table {mark}")).to_be_visible()
    link = ann.get_by_label("Link of the club").input_value()

    bob.goto(link)
    bob.get_by_role("button", name="Join").click()
    expect(bob.get_by_text("2 members")).to_be_visible()
    assert bob.evaluate(LOOSE_POINTS) == []
    assert "·" not in bob.locator(".hero").inner_text()

    ann.reload()
    expect(ann.get_by_role("button", name="Plan the season")).to_be_hidden()
    ann.get_by_text("Plan a season", exact=True).click()
    ann.get_by_label("Players per division").select_option("4")
    ann.get_by_label("Rise and fall").select_option("1")
    ann.get_by_role("button", name="Plan the season").click()
    expect(ann.get_by_text("0 entered.")).to_be_visible()
    club = ann.url.rpartition("/")[2]
    season = ann.locator("[data-send$='/start']").get_attribute("data-send") or ""
    for number in range(6):
        join(server.url, f"Player {mark} {number}", link.rpartition("/")[2], club, season.split("/")[5])
    for person in (ann, bob):
        person.reload()
        person.get_by_role("button", name="Play this season").click()
        expect(person.get_by_role("button", name="Don’t play")).to_be_visible()
    ann.reload()
    ann.get_by_role("button", name="Start the season").click()
    expect(ann.get_by_role("heading", name="Division 2")).to_be_visible()
    for division in ann.locator(".division").all():
        expect(division.locator("tbody tr")).to_have_count(4)
    check_access(ann, "a season", themes=True)
    assert ann.evaluate(FITS)
