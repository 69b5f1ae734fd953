"""Tournaments in a browser: from the list to a new one, to the table, and back to the standings."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.player import NO_GUIDE, PATIENCE, check_access, post, watch
from tests.browser.test_today import KUHN, PLAYS
from tests.house.serving import Nursery, Server

pytestmark = pytest.mark.browser
SECRET = "correct horse"
PAIRED = "() => location.pathname.startsWith('/t/') || document.querySelector('[data-kind=play]')"


@pytest.fixture
def fast(nursery: Nursery, tmp_path: Path) -> Server:
    """Start a house that has Kuhn poker, whose games are over in a moment, and hardly a pause between rounds."""
    database = f"sqlite:///{tmp_path}/parlour.db"
    return nursery.start(database=database, deadlines={"BREAK": 0.1}, places=str(KUHN))


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
        page.set_default_timeout(1000 * PATIENCE)
        watch(page, faults)
        page.goto("/sw.js")
        post(page, "/api/me/claim", name=name, password=SECRET)
        page.goto(path)
        return page

    yield come
    for context in contexts:
        context.close()
    assert not faults, faults


# The points between facts that a line begins or ends with, of all that the page shows
LOOSE_POINTS = """() => [...document.querySelectorAll(".listed")].flatMap((all) => {
  const facts = [...all.querySelectorAll(":scope > span > span")], { left } = all.getBoundingClientRect();
  const begins = (one) => one.getBoundingClientRect().left < left;  // so its point is outside, and cut off
  const wraps = (one, before) => one.getBoundingClientRect().top > before.getBoundingClientRect().top + 4;
  const loose = facts.filter((one, i) => i > 0 && wraps(one, facts[i - 1]) !== begins(one));
  return [...loose, ...facts.filter((one) => one.textContent.includes("·"))].map((one) => one.textContent);
})"""


def test_a_desk_shows_what_belongs_together_side_by_side(person: Any) -> None:
    ann, *others = (person(name, "/tournaments", 1280, 800) for name in ("Ann", "Bob", "Cid", "Dee"))
    slow = {"bank": 0, "increment": 0, "delay": 86_400}
    body = {"name": "Monday", "system": "swiss", "game": "kuhn", "rounds": 2, "tempo": slow}
    held = post(ann, "/api/tournaments", **body)["id"]
    for page in (ann, *others):
        post(page, f"/api/tournaments/{held}/join")
    post(ann, f"/api/tournaments/{held}/start")
    post(ann, "/api/tournaments", **(body | {"name": "Tuesday"}))
    watcher = person("Watcher", f"/tournaments/{held}", 1280, 800)
    expect(watcher.locator("[data-key=round-1]")).to_be_visible(timeout=30_000)
    standings, games = (watcher.locator(f"[data-key={key}]").bounding_box() for key in ("standings", "round-1"))
    assert standings
    assert games
    assert games["y"] == standings["y"]
    assert games["x"] > standings["x"] + standings["width"]
    assert watcher.locator(".standing .medal").count() == 0  # no one has won anything yet
    watcher.goto("/tournaments")
    tops = [one.bounding_box() for one in watcher.locator(".cup-shelves h2").all()]
    assert len({one["y"] for one in tops if one}) == 1
    assert [one.inner_text() for one in watcher.locator(".cup-shelves h2").all()] == [
        "Running now", "Coming up", "Finished"
    ]  # fmt: skip
    expect(watcher.get_by_text("Results appear here")).to_be_visible()
    for width in (1280, 390, 360):
        watcher.set_viewport_size({"width": width, "height": 800})
        assert watcher.evaluate(LOOSE_POINTS) == [], width
    expect(watcher.get_by_text("Results appear here")).to_be_hidden()
    check_access(watcher, "the list on a phone", themes=True)


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


@pytest.mark.whole
def test_a_wrong_field_says_what_is_wrong(person: Any) -> None:
    ann = person("Ann", "/tournaments/new")
    ann.get_by_label("Rounds").fill("99")
    ann.get_by_role("button", name="Create").click()
    expect(ann.locator("#wrong-rounds")).to_contain_text("20")
    expect(ann.get_by_label("Rounds")).to_be_focused()
    expect(ann.get_by_label("Rounds")).to_have_attribute("aria-invalid", "true")
    ann.get_by_label("Rounds").fill("3")
    ann.get_by_role("radio", name="At a time").check()
    ann.get_by_label("Day and time").fill("2020-01-01T10:00")
    ann.get_by_role("button", name="Create").click()
    expect(ann.locator("#wrong-begins")).to_have_text("This time has passed. Choose a later one.")
    expect(ann.locator("#zone")).to_contain_text("Your time zone: ")
    ann.get_by_role("radio", name="When I start it").check()
    ann.get_by_role("radio", name="Knock-out").check()
    expect(ann.get_by_label("Rounds")).to_be_hidden()
    ann.get_by_label("A game for third place").check()
    ann.get_by_role("button", name="Create").click()
    expect(ann.locator(".clock")).to_contain_text("Not started")
    expect(ann.get_by_text("The losers of the semi-finals play for third place.")).to_be_visible()


@pytest.mark.whole
def test_the_pages_fit_and_can_be_read_by_everyone(person: Any) -> None:
    """At all widths, in the dark and in forced colours; and what stops them all asks first."""
    ann = person("Ann")
    kuhn = {"game": "kuhn", "tempo": {"bank": 60}, "starts_at": time.time() + 1800}
    cups = [
        post(ann, "/api/tournaments", name="Wwwwwwwwwwwwwwwwwwwwwwww", system=system, **kuhn)["id"]
        for system in ("swiss", "knock-out", "round-robin", "arena")
    ]
    others = [person(name, f"/tournaments/{cups[1]}") for name in ("Bob", "Cleo", "Hana Okonkwo-Lindqvist")]
    for page in (ann, *others):
        for cup in cups:
            post(page, f"/api/tournaments/{cup}/join")
    for cup in cups:
        post(ann, f"/api/tournaments/{cup}/start")
    for cup in cups:
        ann.goto(f"/tournaments/{cup}")
        ann.wait_for_function(PAIRED, timeout=60_000)
    for path in ("/tournaments", "/tournaments/new", *(f"/tournaments/{cup}" for cup in cups)):
        ann.goto(path)
        for width in (320, 390, 640, 820, 1280, 1920):
            ann.set_viewport_size({"width": width, "height": 844})
            assert ann.evaluate("document.documentElement.scrollWidth <= innerWidth"), (path, width)
        for scheme, forced in (("dark", "none"), ("light", "active")):
            ann.emulate_media(color_scheme=scheme, forced_colors=forced)
            check_access(ann, f"{path}, {scheme}, forced colours {forced}")
        ann.emulate_media(color_scheme="light", forced_colors="none")
    ann.get_by_role("button", name="Cancel the tournament").click()
    ann.get_by_role("button", name="No").click()
    expect(ann.get_by_role("button", name="Cancel the tournament")).to_be_visible()
    ann.get_by_role("button", name="Cancel the tournament").click()
    ann.get_by_role("button", name="Yes").click()
    expect(ann.get_by_role("heading", name="This tournament was cancelled")).to_be_visible()


@pytest.mark.whole
def test_a_tournament_that_starts_soon_leads_the_lobby_and_fits_its_screen(person: Any) -> None:
    ann = person("Ann", "/", width=360, height=740)
    expect(ann.get_by_role("link", name="Tournaments", exact=True)).to_be_visible()
    kuhn = {"game": "kuhn", "system": "swiss", "starts_at": time.time() + 1500}
    cup = post(ann, "/api/tournaments", name="Soon", **kuhn)["id"]
    post(ann, f"/api/tournaments/{cup}/join")
    for width, height in ((390, 844), (360, 740)):
        ann.set_viewport_size({"width": width, "height": height})
        ann.goto("/")
        expect(ann.locator(".cup-first")).to_contain_text("Your tournament starts in 25 min")
        bottom = ann.locator(".shelf-tabs").evaluate("(node) => node.getBoundingClientRect().bottom")
        assert bottom <= height, "one screen"
    ann.locator(".cup-first a").click()
    expect(ann.get_by_role("heading", name="You’re in")).to_be_visible()
