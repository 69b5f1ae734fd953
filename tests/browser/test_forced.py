"""The page plays an only choice after a beat, but not for players who prefer to press it themselves."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from parlour.core.match import Match
from parlour.games import find
from tests.browser.player import BARE, version, wait_past
from tests.house.serving import Nursery, Server
from tests.house.shelf import Shelf, Shelved

pytestmark = pytest.mark.browser
BEAT = 1_200  # milliseconds


def forced() -> Match:
    """Return a Family Trade in which a player can only announce one card to go, or only throw in the hand."""
    for seed in range(50):
        match, choice = Match(find("family-trade"), 2, seed=seed), random.Random(seed)
        while not match.over:
            legal = match.legal_action_ids()
            if len(legal) == 1 and not match.can_undo(match.current_player):
                return match
            match.play(choice.choice(legal))
    raise AssertionError("no such position")


async def shelve(database: Path, match: Match) -> Shelved:
    async with Shelf(f"sqlite:///{database}") as shelf:
        return await shelf.put("0" * 8, match)


@pytest.fixture
def at_the_table(visit: Callable[..., Page], nursery: Nursery, tmp_path: Path) -> Iterator[Callable[[], Page]]:
    """Yield a function that opens the page of the player with the only choice; time stands still on it."""
    match = forced()
    with ThreadPoolExecutor(1) as elsewhere:  # Playwright already runs a loop in this thread
        shelved = elsewhere.submit(asyncio.run, shelve(tmp_path / "parlour.db", match)).result()
    server: Server = nursery.start(database=f"sqlite:///{tmp_path}/parlour.db")

    def sit() -> Page:
        page = visit(BARE, base=server.url, forced=True)
        cookies = shelved.cookies[match.current_player].items()
        page.context.add_cookies([{"name": name, "value": value, "url": server.url} for name, value in cookies])
        page.clock.install(time=0)
        page.clock.pause_at(1_000)
        page.goto(f"/t/{shelved.id}")
        return page

    yield sit
    server.kill()


@pytest.mark.whole
def test_the_only_choice_makes_itself_after_a_beat(at_the_table: Callable[[], Page]) -> None:
    page = at_the_table()
    at = version(page)
    expect(page.locator(".scene .soon")).to_have_count(1)
    page.clock.run_for(BEAT - 200)
    expect(page.locator(".scene .soon")).to_have_count(1)
    assert version(page) == at
    page.clock.run_for(400)
    wait_past(page, at)


@pytest.mark.whole
def test_escape_leaves_it_to_the_person_and_so_does_the_preference(at_the_table: Callable[[], Page]) -> None:
    page = at_the_table()
    at = version(page)
    expect(page.locator(".scene .soon")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".scene .soon")).to_have_count(0)
    page.reload()
    expect(page.locator(".scene .soon")).to_have_count(1)
    page.keyboard.press("?")
    page.get_by_role("button", name="Preferences").click()
    with page.expect_response("**/api/me/preferences"):
        page.get_by_label("If only one move is possible").select_option("press")
    page.clock.run_for(3 * BEAT)
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.clock.run_for(3 * BEAT)
    expect(page.locator(".scene .soon")).to_have_count(0)
    assert version(page) == at
    page.reload()
    expect(page.locator(".scene [data-action]")).not_to_have_count(0)
    page.clock.run_for(3 * BEAT)
    assert version(page) == at
