"""No page needs what its content security policy forbids: inline styles and scripts. A real browser checks it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from parlour.core import html
from parlour.core.match import Match
from parlour.games import all_games
from tests.browser.player import GREEDY, from_menu, table
from tests.house.serving import Server

pytestmark = pytest.mark.browser

LISTEN = """document.addEventListener("securitypolicyviolation", (event) => {
  const refused = `${event.violatedDirective} ${event.sourceFile}:${event.lineNumber} ${event.sample}`;
  sessionStorage.setItem("refused", (sessionStorage.getItem("refused") ?? "") + refused + "\\n");
});"""
PLACED = ".guide, .board, .acts, .faster"  # scripts may: the policy forbids styles in what the house sends
REFUSED = "() => sessionStorage.getItem('refused') ?? ''"


def clean(page: Page, where: str) -> None:
    """Check that nothing was refused so far, and that the page has its styles."""
    assert page.evaluate(REFUSED) == "", where
    assert page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--paper') !== ''"), where
    assert page.evaluate(f"document.querySelectorAll('style, main [style]:not({PLACED})').length") == 0, where


@pytest.mark.parametrize("name", list(all_games()))
@pytest.mark.suite("family-trade")
def test_no_page_of_a_game_asks_for_what_its_policy_forbids(visit: Callable[..., Page], name: str) -> None:
    page = visit("/static/now/none.js")  # a page without any of our scripts
    page.context.add_init_script(LISTEN)
    answer = page.goto("/")
    assert answer is not None
    assert "unsafe" not in answer.headers["content-security-policy"]
    clean(page, "lobby")
    seats = [{"kind": "me"}, *[GREEDY] * (all_games()[name].facts.players[0] - 1)]
    table(page, game=name, options={}, seats=seats)
    page.wait_for_selector(".scene .board")
    clean(page, "table")
    page.set_viewport_size({"width": 390, "height": 844})
    clean(page, "table on a phone")
    page.goto(f"/rules/{name}")
    clean(page, "rules")


@pytest.mark.whole
def test_pieces_lie_where_they_belong_before_any_script_has_run(browser: Browser, server: Server) -> None:
    """Check the ring of the loop and the rope, in a browser that runs no scripts."""
    context = browser.new_context(
        viewport={"width": 1280, "height": 900}, base_url=server.url, java_script_enabled=False
    )
    page = context.new_page()
    for name, pieces in (("aces-and-faces", ".loop [data-row][data-column]"), ("fortune", ".line [data-left]")):
        body = {"game": name, "seats": [{"kind": "me"}, GREEDY]}
        made = context.request.post("/api/tables", data=body).json()
        page.goto(made["url"])
        placed = page.locator(pieces)
        assert placed.count() > 3
        for one in placed.all():
            where = {side: one.get_attribute(f"data-{side}") for side in ("row", "column", "left")}
            box, around = one.bounding_box(), one.locator("xpath=..").bounding_box()
            assert box
            assert around
            if where["left"]:
                middle = (box["x"] + box["width"] / 2 - around["x"]) / around["width"]
                assert middle == pytest.approx(float(where["left"]) / 100, abs=0.02)
            else:
                side = one.locator("xpath=..").get_attribute("data-columns")
                across = (box["x"] + box["width"] / 2 - around["x"]) / around["width"]
                assert int(across * int(side or 0)) + 1 == int(where["column"] or 0)
    context.close()


def test_a_page_from_before_an_upgrade_loads_scripts_that_fit_each_other(visit: Callable[..., Page]) -> None:
    """It requests the old scripts, whose hash is gone; their imports come from the same place. A press counts once,
    though two versions of the script are loaded."""
    page = visit("/")
    found = page.evaluate("""async () => {
      await import("/static/0123456789abcdef/motion.js");
      await import("/static/0123456789abcdef/lobby.js");
      return performance.getEntriesByType("resource").map((one) => new URL(one.name).pathname);
    }""")
    assert "/static/now/ui.js" in found
    assert "/static/0123456789abcdef/ui.js" not in found
    page.emulate_media(color_scheme="light")
    from_menu(page, "Light or dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_a_notebook_has_all_of_it_in_itself(browser: Browser) -> None:
    """There it is one file, with its styles, in its own frame."""
    match: Any = Match(all_games()["fortune"], 2, seed=1)
    page = browser.new_page()
    page.set_content(html.notebook(match.game, match.scene(0)))
    line = page.frame_locator("iframe").locator(".line")
    token = line.locator(".token").first
    assert token.evaluate("(one) => getComputedStyle(one).position") == "absolute"
    assert token.evaluate("(one) => getComputedStyle(one).left !== 'auto'")
    page.close()
