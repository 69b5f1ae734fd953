"""Tournaments in a browser: from the list to a new one, to the table, and back to the standings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.player import NO_GUIDE, check_access, post, watch
from tests.browser.test_today import KUHN, PLAYS
from tests.house.serving import Nursery, Server

pytestmark = pytest.mark.browser
SECRET = "correct horse"


@pytest.fixture
def fast(tmp_path: Path) -> Iterator[Server]:
    """Start a house that has Kuhn poker, whose games are over in a moment, and hardly a pause between rounds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PARLOUR_GAMES", str(KUHN))
        nursery = Nursery()
    try:
        yield nursery.start(database=f"sqlite:///{tmp_path}/parlour.db", deadlines={"BREAK": 0.1})
    finally:
        nursery.close()


@pytest.fixture
def person(browser: Browser, fast: Server) -> Iterator[Any]:
    """Yield a function that opens the list of tournaments for a new person with an account."""
    faults: list[str] = []
    contexts = []

    def come(name: str, path: str = "/tournaments", width: int = 390, height: int = 844) -> Page:
        context = browser.new_context(
            base_url=fast.url,
            viewport={"width": width, "height": height},
            reduced_motion="reduce",
            service_workers="block",
        )
        context.add_init_script(NO_GUIDE)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        watch(page, faults)
        page.goto("/sw.js")
        post(page, "/api/me/claim", name=name, password=SECRET)
        page.goto(path)
        return page

    yield come
    for context in contexts:
        context.close()
    assert not faults, faults


def test_two_people_play_a_tournament(person: Any) -> None:
    """One makes it with three presses and joins, by the keyboard; another joins by the link. Both are taken to their
    table when it starts, and back to the standings afterwards."""
    ann = person("Ann")
    check_access(ann, "the list of tournaments without any")
    ann.get_by_role("link", name="New tournament").press("Enter")
    ann.get_by_role("radio", name="Kuhn").focus()
    ann.keyboard.press("Space")
    ann.get_by_label("Rounds").fill("1")
    check_access(ann, "the form for a tournament")
    ann.get_by_role("button", name="Create").press("Enter")
    ann.wait_for_url(re.compile("/tournaments/(?!new)"))
    expect(ann.get_by_role("heading", name="You’re in")).to_be_visible()
    expect(ann.locator(".clock")).to_contain_text("Starts in")
    check_access(ann, "a tournament before its start")
    bob = person("Bob", ann.url, width=1280, height=800)
    bob.get_by_role("button", name="Join").click()
    expect(bob.get_by_role("heading", name="You’re in")).to_be_visible()
    expect(ann.locator(".entrants")).to_contain_text("Bob")
    ann.get_by_role("button", name="Start now").press("Enter")
    for page in (ann, bob):
        page.wait_for_url("**/t/*", timeout=60_000)  # a worker process pairs, and may have to start
        expect(page.locator(".cup-line")).to_have_text(re.compile(r"Kuhn.*Round 1 of 1"))
    both(ann, bob)
    for page in (ann, bob):
        page.get_by_role("link", name="Back to the tournament").click()
        ended = page.get_by_role("heading", name=re.compile("You won the tournament|You finished"))
        expect(ended).to_be_visible(timeout=60_000)
        expect(page.get_by_role("table", name="Standings").locator("[data-yours]")).to_contain_text("you")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    check_access(ann, "a tournament that is over")
    assert bob.locator(".stand li").count() == 2


def both(ann: Page, bob: Page) -> None:
    """Play the game of two people to its end, each at their own page."""
    path = f"/api/tables/{ann.url.rpartition('/')[2]}"
    for page in (ann, bob):  # one waits for the other, so neither can be waited for alone
        page.evaluate(f"(path) => {{ window.played = ({PLAYS})(path); }}", path)
    for page in (ann, bob):
        page.evaluate("() => window.played")
