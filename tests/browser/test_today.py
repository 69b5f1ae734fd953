"""Today's game in a browser: from the lobby to a result that is shared."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.player import NO_GUIDE, check_access
from tests.house.serving import Nursery

pytestmark = pytest.mark.browser
KUHN = Path(__file__).parents[1] / "fixtures" / "kuhn"
SHARES = """
  navigator.canShare = () => true;
  navigator.share = async ({ text, files }) => {
    const bytes = new Uint8Array(await files[0].arrayBuffer());
    window.shared = { text, type: files[0].type, bytes: bytes.length, head: [...bytes.slice(1, 4)] };
  };
"""
PLAYS = """async (path) => {
  const headers = { "Content-Type": "application/json" };
  for (;;) {
    const { legal, table: { status, version } } = await (await fetch(path)).json();
    if (status === "over") return;
    const body = JSON.stringify({ move: legal[0], version });
    if (legal.length) await fetch(`${path}/moves`, { method: "POST", headers, body });
    else await new Promise((later) => setTimeout(later, 30));
  }
}"""


@pytest.fixture
def page(browser: Browser, nursery: Nursery, tmp_path: Path) -> Iterator[Page]:
    """Open the lobby of a house that has Kuhn poker, whose games are over in a moment."""
    url = nursery.start(database=f"sqlite:///{tmp_path}/parlour.db", places=str(KUHN)).url
    context = browser.new_context(base_url=url, viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    context.add_init_script(NO_GUIDE)
    context.add_init_script(SHARES)
    made = context.new_page()
    made.goto("/")
    yield made
    context.close()


@pytest.mark.whole
def test_a_person_plays_todays_game_and_shares_the_result(page: Page) -> None:
    page.get_by_role("link", name="All of today’s games").click()
    expect(page.get_by_role("heading", name="Today’s games")).to_be_visible()
    expect(page.locator("[data-ends]")).to_contain_text("min left")
    check_access(page, "the games of the day")
    page.get_by_role("link", name="Kuhn").click()
    expect(page.get_by_text("The top step is free.")).to_be_visible()
    check_access(page, "a game of the day before it is played")
    page.get_by_role("button", name="Play today’s game").click()
    page.wait_for_url("**/t/*")
    table = page.url.rpartition("/")[2]
    page.evaluate(PLAYS, f"/api/tables/{table}")
    page.get_by_role("link", name="See how others did").click()
    expect(page.get_by_role("table", name="Results").locator("tr.mine")).to_contain_text("you")
    expect(page.locator(".verdict")).to_contain_text("1st of 1")
    check_access(page, "a game of the day with a result")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Share", exact=True).click()
    page.wait_for_function("() => window.shared")
    shared = page.evaluate("window.shared")
    assert (shared["type"], shared["head"]) == ("image/png", [ord(letter) for letter in "PNG"])
    assert shared["bytes"] > 50_000, "the picture is drawn, with the cover"
    title, marks, result, address = shared["text"].split("\n")
    assert title.startswith("Kuhn")
    assert set(marks) <= {"🟩", "🟨", "⬜"}
    assert result.endswith(", 1st of 1")
    assert address.startswith("http")
