"""The rules pages, as somebody reads them: on a desk, on a phone, on paper, by ear; searched; and back to the table."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from parlour.games import all_games

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
GAMES = tuple(all_games())
SMALL = """() => [...document.querySelectorAll('main :is(p, li, td, th, dd, dt, small, a, label, figcaption)')]
    .filter((node) => node.checkVisibility() && !node.closest('.shown'))
    .filter((node) => parseFloat(getComputedStyle(node).fontSize) < 12)
    .map((node) => node.outerHTML.slice(0, 80))"""
RULESETS = [(name, ruleset) for name, game in all_games().items() for ruleset in game.rulesets]


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", GAMES)
def test_a_book_fits_its_window(visit: Visit, name: str, width: int) -> None:
    """Nothing is broader than the window, no picture than its place, no text smaller than 12 px; axe finds nothing."""
    page = visit(f"/rules/{name}", width=width, height=844)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert not page.evaluate(SMALL)
    for link in page.locator(".contents ol a").all():
        assert page.locator(str(link.get_attribute("href"))).count() == 1
    found = Axe().run(page, options={"rules": {"color-contrast": {"enabled": False}}})  # measured from pixels elsewhere
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize(("name", "ruleset"), RULESETS)
def test_a_summary_is_one_page_of_paper(visit: Visit, name: str, ruleset: str) -> None:
    page = visit(f"/rules/{name}/sheet{f'?ruleset={ruleset}' if ruleset else ''}")
    paper = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 1
    assert re.search(rb"/MediaBox\s*\[0 0 59[45][.\d]* 84[12]", paper)  # A4
    assert page.locator("main .shown").count() >= 1
    assert page.locator("main a[href^='#']").count() == 0  # its clauses are on the page of the rules
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


@pytest.mark.parametrize("name", GAMES)
def test_a_book_can_be_printed(visit: Visit, name: str) -> None:
    """Text without what is to be pressed, in at most a dozen pages."""
    page = visit(f"/rules/{name}")
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))) <= 16
    page.emulate_media(media="print")
    expect(page.locator(".contents")).to_be_hidden()
    expect(page.locator("header.site")).to_be_hidden()


def test_one_searches_the_rules(visit: Visit) -> None:
    page = visit("/rules/fortune")
    page.keyboard.press("/")
    page.keyboard.type("skull captain")
    expect(page.locator("#found")).to_have_text(re.compile(r"^\d+ places?$"))
    page.keyboard.press("Enter")
    expect(page.locator("#found")).to_have_text(re.compile(r"^1 of \d+$"))
    here = page.locator(".here")
    expect(here).to_be_in_viewport()
    assert all(word in here.inner_text().lower() for word in ("skull", "captain"))
    page.locator("#find").fill("zeppelin")
    expect(page.locator("#found")).to_have_text("nowhere")
    page.keyboard.press("Escape")
    expect(page.locator("#found")).to_have_text("")


def test_only_what_the_print_says(visit: Visit) -> None:
    """The filter hides each word that is ours, and is remembered."""
    page = visit("/rules/fortune")
    ours = page.locator("article .rule .ruling")
    assert ours.count() > 10
    page.get_by_label("Only what the print says").check()
    assert not any(one.is_visible() for one in ours.all())
    page.reload()
    expect(page.get_by_label("Only what the print says")).to_be_checked()
    assert not any(one.is_visible() for one in ours.all())


def test_the_rules_open_at_the_tables_ruleset_and_lead_back_to_the_table(visit: Visit) -> None:
    page = visit("/")
    seats = [{"kind": "me"}, {"kind": "bot"}]
    made = page.request.post(
        "/api/tables", data={"game": "family-trade", "options": {"ruleset": "battle-royale"}, "seats": seats}
    )
    url = made.json()["url"]
    page.goto(url)
    link = page.locator(".scene a.clause:visible").first
    with page.context.expect_page() as opened:
        link.click(modifiers=["Control"])
    rules = opened.value
    expect(rules.get_by_role("radio", name="Battle Royale")).to_be_checked()
    assert not rules.locator("[data-ruleset=market-making]").first.is_visible()
    assert "#FT-" in rules.url
    rules.get_by_role("link", name="Back to the table").click()
    rules.wait_for_url(url)
