"""The rules pages for their readers: on a desk, on a phone, on paper, by screen reader; search; and the way back to the
table."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from parlour.core.book import LABELS
from parlour.games import all_games
from tests.browser.player import check_access, my_turn, picked, table

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
GAMES = tuple(all_games())
SMALL = """() => [...document.querySelectorAll('main :is(p, li, td, th, dd, dt, small, a, label, figcaption)')]
    .filter((node) => node.checkVisibility() && !node.closest('.shown'))
    .filter((node) => parseFloat(getComputedStyle(node).fontSize) < 12)
    .map((node) => node.outerHTML.slice(0, 80))"""
# Pictures of the board that are flat, or whose pieces reach out of them
CRUSHED = """() => [...document.querySelectorAll('.shown .board')].filter((board) => {
  const on = board.getBoundingClientRect();
  return Math.min(on.width, on.height) < 20 || [...board.querySelectorAll('[data-key]')].some((piece) => {
    const { left, right, top, bottom, width, height } = piece.getBoundingClientRect();
    const out = Math.max(on.left - left, right - on.right, on.top - top, bottom - on.bottom);
    return width && height && piece.checkVisibility() && out > 8;
  });
}).map((board) => board.textContent.slice(0, 60))"""
WIDTH = "(node) => node.getBoundingClientRect().width"
RULESETS = [(name, ruleset) for name, game in all_games().items() for ruleset in game.rulesets]


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.suite("family-trade-390")
def test_a_book_fits_its_window(visit: Visit, size: Callable[[int, int], int], name: str, width: int) -> None:
    """Nothing is wider than the window, no picture is crushed or wider than its place, no text smaller than 12 px; axe
    finds nothing."""
    page = visit(f"/rules/{name}", width=width, height=844)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert not page.evaluate(SMALL)
    assert not page.evaluate(CRUSHED)
    for link in page.locator(".contents ol a").all():
        assert page.locator(str(link.get_attribute("href"))).count() == 1
    if width <= size(390, 1280):
        check_access(page, name, **{"color-contrast": {"enabled": False}})  # measured from pixels elsewhere


@pytest.mark.parametrize(("name", "ruleset"), RULESETS)
@pytest.mark.suite("family-trade-market-making")
def test_a_summary_is_one_page_of_paper(visit: Visit, name: str, ruleset: str) -> None:
    page = visit(f"/rules/{name}/sheet{f'?ruleset={ruleset}' if ruleset else ''}")
    paper = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 1
    assert re.search(rb"/MediaBox\s*\[0 0 59[45][.\d]* 84[12]", paper)  # A4
    assert page.locator("main .shown").count() >= 1
    assert page.locator("main a[href^='#']").count() == 0  # its clauses link to the rules page
    of = f"/rules/{name}{f'?ruleset={ruleset}' if ruleset else ''}#"
    assert page.locator("main a[href*='#']").count() == page.locator(f"main a[href^='{of}']").count()
    small = page.locator("main article > :not(footer) small, main section small").all_inner_texts()
    named = {*small} & {*LABELS.values()}
    assert {*page.locator("main .legend small").all_inner_texts()} == named
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.whole
def test_a_book_can_be_printed(visit: Visit, name: str) -> None:
    """It prints as text without controls, on at most a dozen pages."""
    page = visit(f"/rules/{name}")
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))) <= 16
    page.emulate_media(media="print")
    expect(page.locator(".contents")).to_be_hidden()
    expect(page.locator("header.site")).to_be_hidden()


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.suite("gatsby")
def test_a_book_is_heard_in_its_order(visit: Visit, name: str) -> None:
    """A screen reader gets headings and clauses in the book's order, each once; every picture and field has a name."""
    book = all_games()[name].rulebook
    heard = visit(f"/rules/{name}").locator("main").aria_snapshot()
    headings = re.findall(r'heading "(.+?)" \[level=(\d)\]', heard)
    written = [(words, str(len(marks))) for marks, words in re.findall(r"^(#+) (.+)$", book, re.M)]
    assert headings[: len(written)] == written
    levels = [int(level) for _, level in headings]
    assert all(later <= level + 1 for level, later in pairwise(levels))
    assert re.findall(r'- strong:\n +- link "([A-Z]{2}-\d+)"', heard) == re.findall(
        r"^\*\*([A-Z]{2}-\d+)\*\*", book, re.M
    )
    assert re.findall(r"- (?:img|link|button|searchbox|checkbox)(?::|$)", heard, re.M) == []


SEARCHES = {  # words that occur together in some places of each book
    "aces-and-faces": "joker duel",
    "facets-of-fortune": "heist difference",
    "family-trade": "jackpot loan",
    "fortune": "skull captain",
    "gatsby": "swap tokens",
}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.suite("fortune")
def test_one_searches_the_rules(visit: Visit, name: str) -> None:
    """Each place that is found contains all words; hidden text is not found."""
    page = visit(f"/rules/{name}")
    sought = SEARCHES[name].split()
    page.keyboard.press("/")
    page.keyboard.type(SEARCHES[name])
    found = page.locator("#found")
    expect(found).to_have_text(re.compile(r"^\d+ match(es)?$"))
    places = int(found.inner_text().split()[0])
    for at in range(places):
        page.keyboard.press("Enter")
        expect(found).to_have_text(f"{at + 1} of {places}")
        here = page.locator(".here")
        expect(here).to_be_in_viewport()
        assert all(word in here.inner_text().lower() for word in sought)
    page.get_by_label("Printed rules only").check()
    page.locator("#find").fill("here about")
    expect(found).to_have_text("no matches")
    page.get_by_label("Printed rules only").uncheck()
    expect(found).to_have_text(re.compile(r"^\d+ match(es)?$"))
    page.locator("#find").fill("zeppelin")
    expect(found).to_have_text("no matches")
    page.locator("#find").press("Escape")
    expect(found).to_have_text("")


LEFT = """() => {
  const shown = (node) => node.checkVisibility(), head = (node) => node.innerText.slice(0, 60);
  const words = (node) => node.innerText.replace(/[A-Z]{2}-\\d+/g, "").trim();
  const all = (selector) => [...document.querySelectorAll(`main article :is(${selector})`)].filter(shown);
  const silent = (rule) => getComputedStyle(rule.querySelector("p"), "::after").content.includes("silent");
  const says = (node) => shown(node) && (node.matches("figure") || words(node) || node.closest(".rule"));
  return {
    ours: all(".ruling, .house, .outside").filter((node) => !node.closest(".legend")).map(head),
    examples: all("#examples ~ section").filter((node) => !node.querySelector(".printed")).map(head),
    empty: all("section").filter((node) => ![...node.querySelectorAll("p, li, td, dd, figure")].some(says)).map(head),
    bare: all(".rule").filter((node) => !words(node) && !silent(node)).map((node) => node.id),
    spoken: all(".rule").filter((node) => words(node) && silent(node)).map((node) => node.id),
    rows: all("tr").filter((node) => !node.innerText.trim() && !node.querySelector("svg")).length,
    silent: all(".rule").filter(silent).map((node) => node.id),
  };
}"""
SILENT = {  # the clauses without printed text; those that follow from the print stay
    "aces-and-faces": ["AF-15", "AF-16"],
    "facets-of-fortune": ["FF-12", "FF-29"],
    "family-trade": [],
    "fortune": ["FO-12", "FO-27", "FO-28"],
    "gatsby": ["GA-13", "GA-24", "GA-26"],
}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.whole
def test_only_what_the_print_says(visit: Visit, name: str) -> None:
    """The filter hides all that is ours: words, examples, pictures, components, choices. No section or box that it
    leaves is empty, and the browser remembers it."""
    page = visit(f"/rules/{name}")
    marked = page.locator("main article :is(.ruling, .house, .outside):visible")
    assert marked.count() > 10
    page.get_by_label("Printed rules only").check()
    for ruleset in page.get_by_role("radio").all() or [page.locator("#only")]:
        ruleset.check(force=True)
        left = page.evaluate(LEFT)
        assert left.pop("silent") == SILENT[name]
        assert not any(left.values()), left
        for link in page.locator(".contents ol a:visible").all():
            expect(page.locator(str(link.get_attribute("href")))).to_be_visible()
    page.reload()
    expect(page.get_by_label("Printed rules only")).to_be_checked()
    assert not any(value for key, value in page.evaluate(LEFT).items() if key != "silent")


@pytest.mark.whole
def test_the_rules_open_at_the_tables_ruleset_and_lead_back_to_the_table(visit: Visit) -> None:
    """Try every link from a table of a game with rulesets: first steps, board, log, panel. The link back survives the
    summary sheet, and the browser's way back leads to the same clause."""
    page = visit("/", guide=True)
    seats = [{"kind": "me"}, {"kind": "bot"}]
    made = page.request.post(
        "/api/tables", data={"game": "family-trade", "options": {"ruleset": "battle-royale"}, "seats": seats}
    )
    url = made.json()["url"]
    page.goto(url)
    links = page.locator("a[href^='/rules/']")
    assert links.count() > 8
    assert [link for link in links.evaluate_all("(all) => all.map((one) => one.getAttribute('href'))")
            if "?ruleset=battle-royale" not in link] == []  # fmt: skip
    link = page.locator(".scene a.clause:visible").first
    clause = str(link.get_attribute("href")).partition("#")[2]
    with page.context.expect_page() as opened:
        link.click(modifiers=["Control"])
    rules = opened.value
    expect(rules.get_by_role("radio", name="Battle Royale")).to_be_checked()
    assert not rules.locator("[data-ruleset=market-making]").first.is_visible()
    assert "#FT-" in rules.url
    rules.get_by_role("link", name="Summary sheet").click()
    rules.wait_for_url("**/sheet?ruleset=battle-royale")
    rules.get_by_role("link", name="Full rules").click()
    expect(rules.get_by_role("radio", name="Battle Royale")).to_be_checked()
    rules.get_by_role("link", name="Summary sheet").click()
    rules.get_by_role("link", name="Back to the table").click()
    rules.wait_for_url(url)
    box = rules.locator("dialog#clause")
    expect(box).to_be_visible()
    expect(box.locator(".words")).to_contain_text(clause)
    box.get_by_role("link", name="Full rulebook").click()
    rules.wait_for_url(f"**/rules/family-trade?ruleset=battle-royale#{clause}")
    rules.get_by_role("link", name="Parlour", exact=True).click()
    rules.goto("/rules/family-trade")
    expect(rules.get_by_role("link", name="Back to the table")).to_be_visible()  # even if the address was typed
    rules.goto("/")
    picked(rules, "family-trade").get_by_role("link", name="Rules", exact=True).click()
    expect(rules.get_by_role("link", name="Back to the table")).to_be_hidden()


@pytest.mark.whole
def test_the_ruleset_that_was_chosen_is_remembered(visit: Visit) -> None:
    page = visit("/rules/family-trade")
    expect(page.get_by_role("radio", name="All")).to_be_checked()
    page.get_by_role("radio", name="God of the Market").check(force=True)
    page.reload()
    expect(page.get_by_role("radio", name="God of the Market")).to_be_checked()
    page.goto("/rules/family-trade?ruleset=battle-royale")  # the address takes precedence
    expect(page.get_by_role("radio", name="Battle Royale")).to_be_checked()
    page.goto("/rules/family-trade")
    expect(page.get_by_role("radio", name="God of the Market")).to_be_checked()


@pytest.mark.whole
def test_the_lobby_shows_clauses_of_each_game_and_stays(visit: Visit) -> None:
    """It shows those of one game after another, at the ruleset chosen on its card; the form keeps its content."""
    page = visit("/")
    box = page.locator("dialog#clause")
    for name, title in ((name, game.text.TITLE) for name, game in all_games().items()):
        card = picked(page, name)
        rulesets = card.locator("[data-ruleset]")
        if rulesets.count():
            rulesets.last.check()
            last = str(rulesets.last.get_attribute("data-ruleset"))
            assert str(card.get_by_role("link", name="Rules").get_attribute("href")).endswith(f"?ruleset={last}")
            expect(card.locator(".facts")).to_contain_text(f"{all_games()[name].how_long(last)} min")
        card.get_by_role("button", name="More choices").click()
        form = page.locator(f"#more-{name}")
        form.get_by_label("Your name").fill(f"Kim of {title}")
        link = form.locator("a.clause:visible").last
        assert ("?ruleset=" in str(link.get_attribute("href"))) == bool(rulesets.count())
        link.click()
        expect(box.locator(".words")).to_contain_text(link.inner_text())
        box.get_by_role("button", name="Close").click()
        expect(form.get_by_label("Your name")).to_have_value(f"Kim of {title}")
        form.get_by_role("button", name="Cancel").click()


def test_the_number_of_a_rule_shows_on_its_line_of_the_log_and_on_its_sign(visit: Visit) -> None:
    """Without a mouse or the keyboard on it, the log has no numbers, and the question says "Rule"."""
    page = visit("/", width=1280, height=800)
    table(page)
    assert my_turn(page)
    line = page.locator('[data-key="log"] li:has(a.clause)').last
    signs = [page.locator(f"{of} a.clause").first for of in (".board", ".prompt")]
    for near, link in ((line, line.locator("a.clause")), *zip(signs, signs, strict=True)):
        number = link.locator("span")
        assert re.fullmatch(r"FO-\d+", number.inner_text())
        assert number.evaluate(WIDTH) <= 1
        near.hover()
        assert number.evaluate(WIDTH) > 20
        page.locator(".brand").hover()
        assert number.evaluate(WIDTH) <= 1
        link.focus()
        page.keyboard.press("Shift")  # from here on the focus is that of the keyboard
        assert number.evaluate(WIDTH) > 20
