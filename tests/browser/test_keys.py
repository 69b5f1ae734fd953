"""A table by keyboard alone: few presses for a decision, each choice with its own key, everything within reach."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from statistics import median

import pytest
from playwright.sync_api import ElementHandle, Locator, Page, expect

from parlour.games import all_games
from tests.browser.player import GREEDY, check_access, my_turn, settle, table, version, wait_past

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
DECISIONS = 7
ZONE = """() => ["acts:focus", "board", "bar"]
  .find((name) => document.activeElement.closest(".scene ." + name)) ?? ''"""
# The fewest arrows from the focus to `target`, as a person who sees the board would find them.
WAY = """async (target) => {
  const address = document.querySelector("script[type=module]").src;
  const {next} = await import(new URL("arrows.js", address));
  const ways = new Map([[document.activeElement, []]]);
  for (const [from, way] of ways) {
    if (from === target) return way;
    for (const key of ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp", "Home", "End"]) {
      const to = next(from, key);
      if (to && !ways.has(to)) ways.set(to, [...way, key]);
    }
  }
  return null;
}"""


def handle(found: Locator) -> ElementHandle:
    one = found.element_handle()
    assert one is not None
    return one


def reach(page: Page, target: ElementHandle) -> int:
    """Press Tab until the focus is near the target, then arrows until it is on it, then Enter; return the presses."""
    zone = target.evaluate("(one) => one.closest('.board') ? 'board' : 'bar'")
    pressed = 0
    while (now := page.evaluate(ZONE)) != zone:
        page.keyboard.press("Tab" if zone == "bar" or not now else "Shift+Tab")
        pressed += 1
        assert pressed < 30, (zone, now)
    way = page.evaluate(WAY, target)
    assert way is not None, target.get_attribute("data-key")
    for key in (*way, "Enter"):
        page.keyboard.press(key)
    return pressed + len(way) + 1


def choices(page: Page) -> tuple[Locator, list[str]]:
    """Return what makes a move when pressed, and the moves for which several pieces are chosen."""
    picks = page.locator(".scene [data-pick]")
    moves = list(json.loads(picks.get_attribute("data-pick") or "{}")["moves"]) if picks.count() else []
    return page.locator(".scene [data-action]:visible"), moves


def decide(page: Page, choice: random.Random) -> int:
    """Make one of the offered moves; return the number of presses."""
    ready, moves = choices(page)
    at = choice.randrange(ready.count() + bool(moves))
    if at < ready.count():
        return reach(page, handle(ready.nth(at)))
    pressed = 0
    for token in choice.choice(moves).split(","):
        pressed += reach(page, handle(page.locator(f'.scene [data-part="{token}"][aria-pressed="false"]').first))
    return pressed + reach(page, handle(page.locator('[data-key="b-pick"]')))


@pytest.mark.slow
@pytest.mark.parametrize("game", [*all_games()])
@pytest.mark.whole
def test_a_decision_costs_at_most_ten_presses(visit: Visit, size: Callable[[int, int], int], game: str) -> None:
    """This is the median, by Tab, arrows and Enter; and if each choice has a key, that key is enough."""
    page = visit()
    fewest = all_games()[game].facts.players[0]
    table(page, game=game, options={}, seats=[{"kind": "me"}, *[GREEDY] * (fewest - 1)])
    choice = random.Random(5)
    costs: list[int] = []
    while len(costs) < DECISIONS and my_turn(page):
        settle(page)
        before = version(page)
        ready = page.locator(".scene :is([data-action], [data-part]):visible")
        keys = ready.evaluate_all("(all) => all.map((one) => one.getAttribute('aria-keyshortcuts'))")
        assert None not in keys[:30]
        assert len(set(keys)) == len(keys)
        if len(costs) == size(-1, 1):  # on a phone, axe reads each game in test_every_game.py
            check_access(page, f"{game}, decision {len(costs)}")
        costs.append(decide(page, choice))
        wait_past(page, before)
    assert median(costs) <= 10, costs


def test_one_stop_each_and_keys_that_stay_away_from_typing(visit: Visit) -> None:
    page = visit()
    table(page)
    my_turn(page)
    for zone in (".board", ".bar"):
        stops = page.locator(f".scene {zone} :is(button, a, summary)").evaluate_all(
            "(all) => all.filter((one) => one.tabIndex >= 0).length"
        )
        assert stops == 1, zone
    assert page.locator('[data-key="log"] a').evaluate_all("(all) => all.every((one) => one.tabIndex < 0)")
    page.locator('[data-key="log"]').focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator('[data-key="log"] a').last).to_be_focused()
    shown = version(page)
    page.locator("#tab-chat").click()
    page.get_by_label("Say something").fill("")
    page.get_by_label("Say something").press_sequentially("s1?")
    expect(page.get_by_label("Say something")).to_have_value("s1?")
    expect(page.locator("#keys")).to_be_hidden()
    assert page.locator('.scene [aria-pressed="true"]').count() == 0
    assert version(page) == shown
    page.locator("#tab-log").click()
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_contain_text("move between choices")
