"""A refusal appears at what was pressed: for mouse, finger and key, in every ruleset, and it is read out once."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from parlour.analysis.shapes import Shape
from parlour.core.facts import RULESET
from tests.browser.player import GREEDY, my_turn, post, press_anything, table, version, wait_past
from tests.house.played import every_ruleset

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
GAP = 16  # pixels between a refusal and what it is about, at most
SHAPES = list(every_ruleset(most=False))
BESIDE = 48  # the same for a refusal that is written beside a button, as in a form
# What says why it can't be used, and can be pressed here: its key, and the middle of it that is in view
REFUSING = """() => [...document.querySelectorAll(".scene :is([data-why])")].map((one) => {
  const { left, right, top, bottom } = one.getBoundingClientRect(), at = [(left + right) / 2, (top + bottom) / 2];
  return { key: one.dataset.key, why: one.dataset.why, at, seen: one.contains(document.elementFromPoint(...at)) };
}).filter(({ seen }) => seen)"""
# How far the refusal is from what was pressed, whether it is in the window, what else of the page moved, and who reads
# it out how often
SAID = """async (key) => {
  await import(new URL("note.js", document.querySelector("script[type=module]").src));  // loaded with the first press
  const box = (one) => one.getBoundingClientRect(), note = document.querySelector('.scene [data-key="reason"]');
  const it = box(document.querySelector(`.scene [data-key="${CSS.escape(key)}"]`)), there = box(note);
  const gap = Math.max(there.top - it.bottom, it.top - there.bottom, there.left - it.right, it.left - there.right, 0);
  const inside = there.left >= 0 && there.top >= 0 && there.right <= innerWidth && there.bottom <= innerHeight;
  const [x, y] = [there.left + there.width / 2, there.top + there.height / 2];
  const seen = note.contains(document.elementFromPoint(x, y));
  return { gap, inside, seen, board: window.boxes(), words: note.innerText,
    spoken: window.spoken.splice(0) };
}"""
# Where the board and its bar are; and what live regions say from now on
LISTEN = """() => {
  const live = "[role=alert], [role=status], [role=log], [aria-live]:not([aria-live=off])";
  window.boxes = () => [".scene .board", ".scene .acts", ".scene .prompt"].map((one) => {
    const { left, top, width, height } = document.querySelector(one).getBoundingClientRect();
    return [left, top, width, height].map(Math.round).join(" ");
  }).join(", ");
  window.spoken = [];
  for (const region of document.querySelectorAll(live)) new MutationObserver(() => {
    const words = region.innerText.trim();
    if (words) window.spoken.push(words);
  }).observe(region, { childList: true, characterData: true, subtree: true });
  return window.boxes();
}"""


def refusing(page: Page, choice: random.Random, *, decisions: int = 12) -> list[dict[str, str]]:
    """Play on until something in view says why it can't be used; return all that does."""
    for _ in range(decisions):
        if not my_turn(page):
            break
        if found := page.evaluate(REFUSING):
            return list(found)
        before = version(page)
        press_anything(page, choice)
        wait_past(page, before)
    return []


@pytest.mark.parametrize("kind", ["mouse", "finger", "key"])
@pytest.mark.parametrize("shape", SHAPES, ids=lambda one: f"{one.game.name}-{one.ruleset}")
@pytest.mark.suite("fortune*mouse", "gatsby*finger", "facets*key")
def test_a_refusal_appears_at_what_was_pressed(visit: Visit, shape: Shape, kind: str) -> None:
    wide = kind != "finger"
    page = visit(width=1280 if wide else 390, height=800 if wide else 844, has_touch=not wide)
    seats = [{"kind": "me"}, *[GREEDY] * (shape.players - 1)]
    table(page, game=shape.game.name, options=shape.options, pace="instant", seats=seats)
    choice = random.Random(2)
    found = refusing(page, choice)
    if not found:  # in a lesson all refuses but its next move
        options = {RULESET: shape.ruleset} if shape.ruleset else {}
        table(page, game=shape.game.name, options=options, lesson=True, seats=[])
        found = refusing(page, choice)
    assert found
    places = page.evaluate(LISTEN)
    for one in choice.sample(found, min(4, len(found))):
        node = page.locator(f'.scene [data-key="{one["key"]}"]')
        if kind == "key":
            node.focus()
            page.keyboard.press("Enter")
        elif kind == "finger":
            page.touchscreen.tap(*one["at"])
            if page.locator(".which[open]").count():  # pieces that are close together
                page.locator(f'.which [data-of="{one["key"]}"]').click()
        else:
            page.mouse.click(*one["at"])
        expect(page.locator('[data-key="reason"]')).to_contain_text(one["why"])
        said = page.evaluate(SAID, one["key"])
        assert said["gap"] <= GAP, (one, said)
        assert said["inside"], (one, said)
        assert said["seen"], (one, said)
        assert said["board"] == places, (one, said)
        assert [words for words in said["spoken"] if one["why"] in words] == [said["words"]], (one, said)
        page.keyboard.press("Escape")
        expect(page.locator('[data-key="reason"]')).to_be_empty()


def test_what_the_house_refuses_is_said_at_the_button(visit: Visit) -> None:
    """Another window of the same player has moved, and this one has not heard of it."""
    page = visit()
    other = ""
    while not other:  # the first dice may leave no choice
        name = table(page, options={"target": "8000"}, seats=[{"kind": "me"}, {"kind": "here", "name": "Bob"}])
        assert my_turn(page)
        legal = page.evaluate("async (path) => (await (await fetch(path)).json()).legal", f"/api/tables/{name}")
        other = next((move for move in legal if move.startswith("re-roll") and "stop" in legal), "")
    page.route("**/events*", lambda route: route.abort())
    page.reload()
    post(page, f"/api/tables/{name}/moves", move=other, version=version(page))
    page.evaluate(LISTEN)
    page.locator('[data-key="b-stop"]').click()
    reason = page.locator('[data-key="reason"]')
    expect(reason).not_to_be_empty()
    expect(reason).to_be_in_viewport(ratio=1)
    said = page.evaluate(SAID, "acts")
    assert said["gap"] <= GAP, said
    assert said["inside"], said
    assert [words for words in said["spoken"] if "Reconnecting" not in words] == [said["words"]], said


def test_a_refusal_elsewhere_on_a_page_appears_at_its_button(visit: Visit) -> None:
    """The waiting room is long; its place for refusals is at its end."""
    page = visit("/", width=390, height=844)
    host = visit()
    made = post(host, "/api/tables", game="fortune", seats=[{"kind": "open"}, {"kind": "open"}])
    page.goto(made["url"])
    page.route("**/sit", lambda route: route.abort())  # the connection is lost just then
    page.locator(".join").get_by_label("Your name").fill("Bob")
    button = page.get_by_role("button", name="Sit here").first
    button.click()
    note = page.locator(".reason").filter(has_text="can’t reach the server")
    expect(note).to_be_in_viewport(ratio=1)
    one, other = note.bounding_box(), button.bounding_box()
    assert one
    assert other
    assert max(one["y"] - other["y"] - other["height"], other["y"] - one["y"] - one["height"]) <= BESIDE
