"""A table's announcements for screen readers: all that happens, once, in order, from one place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.library import Library
from tests.browser.player import my_turn, post, table, version, wait_past
from tests.house.serving import Nursery

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]

# The text of a prompt, without the link to its rule
WORDS = "(x) => [...x.childNodes].filter((y) => !y.matches?.('a')).map((y) => y.textContent).join('').trim()"
RECORD = """() => {
  window.announced = [];
  window.times = 0;
  window.prompts = new Set();
  const prompt = () => window.prompts.add((WORDS)(document.querySelector(".scene .prompt")));
  prompt();
  const all = {subtree: true, childList: true, characterData: true};
  new MutationObserver(prompt).observe(document.querySelector(".scene"), all);
  new MutationObserver((changes) => {
    const added = changes.flatMap((change) => [...change.addedNodes]);
    window.times += added.length > 0;
    window.announced.push(...added.map((node) => node.textContent));
  }).observe(document.querySelector("#announcements"), {childList: true});
}""".replace("WORDS", WORDS)
LINES = "(all) => all.map((one) => one.querySelector('span').textContent.trim())"
MOVE = """async () => {
  const path = "/api/tables/" + document.querySelector("main").dataset.table;
  const {table, legal} = await (await fetch(path)).json();
  if (!legal.length) return;
  const move = legal.includes("stop") ? "stop" : legal[Math.floor(legal.length / 2)];
  await fetch(path + "/moves", {
    method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({move, version: table.version})
  });
}"""
LIVE = "[role=status], [role=log], output, [aria-live]:not([aria-live=off])"


def announced_once_in_order(page: Page, before: int) -> None:
    """Check that every line of the log after the first `before` was announced, once, and in order."""
    lines = page.locator('[data-key="log"] li').evaluate_all(LINES)
    page.wait_for_function("(last) => window.announced.slice(-2).includes(last)", arg=lines[-1], polling=40)
    prompts = set(page.evaluate("[...window.prompts]")) - set(lines)
    heard = [one for one in page.evaluate("window.announced") if one not in prompts]
    assert len(heard) >= len(lines) - before  # the last earlier ones may not have been announced when listening began
    assert heard == lines[-len(heard) :]


@pytest.mark.slow
@pytest.mark.parametrize("game", ["fortune", "gatsby"])
@pytest.mark.suite("fortune")
def test_all_that_happens_is_said_once_and_in_order(
    visit: Visit, games: Library, size: Callable[[int, int], int], game: str
) -> None:
    """The bots need no time, so several lines are announced together."""
    page = visit(base=games.server.url)
    games.sit(page, game, {}, 2, last=size(5, 24))
    page.evaluate(RECORD)
    before = page.locator('[data-key="log"] li').count()
    while my_turn(page):
        shown = version(page)
        page.evaluate(MOVE)
        wait_past(page, shown)
    announced_once_in_order(page, before)
    lines = page.locator('[data-key="log"] li').count() - before
    assert page.evaluate("window.times") < lines  # lines that came together were announced together


@pytest.mark.whole
def test_nothing_else_on_the_page_speaks(visit: Visit) -> None:
    page = visit()
    table(page, hints=True)
    my_turn(page)
    alive = page.locator(LIVE).evaluate_all("(all) => all.filter((x) => x.checkVisibility()).map((x) => x.id)")
    assert alive == ["announcements"]
    page.evaluate(RECORD)
    page.locator('[data-key="b-hint"]').click()
    expect(page.locator("#announcements")).to_contain_text("Hint: ")
    prompt = page.locator(".prompt")
    assert not prompt.get_attribute("role")
    assert not prompt.get_attribute("tabindex")
    path = "/api/tables/" + str(page.get_attribute("main", "data-table"))
    post(page, f"{path}/chat", text="well played")
    expect(page.locator("#announcements")).to_contain_text("Ann well played")


@pytest.mark.whole
def test_whoever_has_the_device_next_hears_what_happened(visit: Visit) -> None:
    """This holds even without a curtain: the next player on the device hears the new lines once, and their prompt."""
    page = visit()
    table(page, seats=[{"kind": "me"}, {"kind": "here", "name": "Bob"}])
    page.evaluate(RECORD)
    before = page.locator('[data-key="log"] li').count()
    for _ in range(4):
        assert my_turn(page)
        shown = version(page)
        page.evaluate(MOVE)
        wait_past(page, shown)
    my_turn(page)
    announced_once_in_order(page, before)
    assert page.evaluate("window.announced.at(-1)") == page.locator(".prompt").evaluate(WORDS)


@pytest.mark.whole
def test_what_was_done_behind_a_curtain_is_said_to_whoever_may_know_it(
    visit: Visit, nursery: Nursery, tmp_path: Path
) -> None:
    server = nursery.start(database=f"sqlite:///{tmp_path}/parlour.db", fixtures=["satchel"])
    page = visit(base=server.url)
    table(page, game="satchel", options={}, seats=[{"kind": "me"}, {"kind": "here", "name": "Bob"}])
    page.evaluate(RECORD)
    for name in ("Ann", "Bob"):
        page.get_by_role("button", name=f"I am {name}").click()
        page.locator(".acts").get_by_role("button", name="Coin 3").click()
        expect(page.locator("#announcements")).to_contain_text(f"{name} puts in a coin of 3.")
        page.locator(".acts").get_by_role("button", name="Close").click()
        expect(page.locator(".curtain")).to_be_visible()
    announced = page.evaluate("window.announced")
    assert announced.count("Ann puts in a coin of 3.") == 1  # to Ann
    assert announced.count("Ann puts in a coin.") == 1  # to Bob, when the curtain is lifted
    page.get_by_role("button", name="I am Ann").click()
    expect(page.locator("#announcements")).to_contain_text("Bob puts in a coin.")
