"""A change of the page costs the browser what has changed, and not the whole page. Counted, not timed."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from parlour.analysis.shapes import Shape
from tests.browser.player import GREEDY, my_turn, press_anything, table, version, wait_past
from tests.house.played import every_ruleset

pytestmark = pytest.mark.browser
SHAPES = list(every_ruleset(most=False))
MOST = 60  # elements that are styled: a bar and a plate, not a board, which may have thousands with its drawings
LINES = 12  # of text that are laid out; a board of Family Trade has a hundred
LITTLE = """() => {  // one word more: in the bar, in the page
  for (const place of [document.querySelector(".scene .prompt"), document.body]) {
    document.body.offsetHeight;
    const word = document.createElement("span");
    word.textContent = "word";
    place.append(word);
    document.body.offsetHeight;
    word.remove();
    document.body.offsetHeight;
  }
}"""
HELD = """() => {  // a board has its height, or the page scrolls
  const board = document.querySelector(".scene .board"), scrolls = document.documentElement.scrollHeight > innerHeight;
  return scrolls || Math.abs(parseFloat(board.style.minHeight) - board.getBoundingClientRect().height) < 0.01;
}"""
WORK = ("UpdateLayoutTree", "Layout")
LINE = "InlineNode::ShapeTextIncludingFirstLine"  # what Chromium calls it
HIGH = """async (more) => {  // how high board and page are when there is more in the bar
  const bar = document.querySelector(".scene .bar"), word = document.createElement("p");
  word.style.height = `${more}px`;
  word.style.gridColumn = "1 / -1";
  bar.append(word);
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  const high = [document.querySelector(".scene .board").getBoundingClientRect().height, document.body.offsetHeight];
  word.remove();
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  return high;
}"""
# Shows three positions that repeat the one on the screen; returns how many are queued, and shown within this task.
REPEAT = """async () => {
  const load = (name) => import(new URL(name, document.querySelector("script[type=module]").src));
  const [{ add, queue, run }, { main, part }] = await Promise.all(["queue.js", "received.js"].map(load));
  const one = () => {
    const tree = part("scene").cloneNode(true);
    tree.dataset.mark = "new";
    return { version: Number(main.dataset.version), tree, log: "", sounds: "", moment: "" };
  };
  add([one(), one(), one()]);
  const ended = new Promise(run), queued = queue.length, { mark } = part("scene").dataset;
  await ended;
  return [queued, mark ?? null, part("scene").dataset.mark];
}"""
# How many symbols have boxes where they are defined, of those without a gradient or the like; and how many these are.
LAID = """() => {
  const all = [...document.querySelectorAll("body > svg symbol")].filter((one) => {
    return !one.querySelector("linearGradient, radialGradient, pattern, clipPath, mask, marker, filter");
  });
  return [all.filter((one) => [...one.children].some((child) => child.checkVisibility())).length, all.length];
}"""
# Patches a dock with other words and a button that has the focus, whose stop of Tab is the page's own.
FOCUSED = """async () => {
  const { patch } = await import(new URL("patch.js", document.querySelector("script[type=module]").src));
  const scene = document.querySelector(".scene"), tree = scene.cloneNode(true);
  const node = scene.querySelector(".act[tabindex]");
  node.focus();
  for (const one of tree.querySelectorAll("[tabindex]")) one.removeAttribute("tabindex");
  tree.querySelector(".prompt").textContent = "Other words";
  document.body.offsetHeight;
  performance.mark("patch-begins");
  patch(scene, tree);
  performance.mark("patch-ends");
  return document.activeElement === node;
}"""
# Queues more positions than are shown one by one, as from several messages; says how many wait at the end of the task
# and soon after, and how many were passed.
BEHIND = """async () => {
  const load = (name) => import(new URL(name, document.querySelector("script[type=module]").src));
  const [{ add, pass, queue }, { main, part }] = await Promise.all(["queue.js", "received.js"].map(load));
  const scene = part("scene"), before = Number(main.dataset.version);
  for (let i = 1; i <= 30; i++) {
    add([{ version: before + i, tree: scene.cloneNode(true), log: "", sounds: "", moment: "" }]);
    pass();
  }
  const queued = queue.length;
  await new Promise((resolve) => setTimeout(resolve, 50));
  return [queued, queue.length, Number(main.dataset.version) - before];
}"""
# Shows nothing, as nothing is queued; returns whether what follows was called in the same task, and whether at all.
FOLLOWS = """async () => {
  const { run } = await import(new URL("queue.js", document.querySelector("script[type=module]").src));
  let called = false;
  const ended = new Promise((resolve) => run(() => resolve(called = true)));
  for (let i = 0; i < 50; i++) await null;
  return [called, await ended];
}"""
# Collects the drawings that are put into the board from now on; returns those on pieces that refuse a decision.
COLLECT = """() => {
  window.built = new Set();
  new MutationObserver((records) => {
    for (const { addedNodes } of records) for (const node of addedNodes) {
      for (const one of node.querySelectorAll?.("use") ?? []) window.built.add(one);
    }
  }).observe(document.querySelector(".scene .board"), { childList: true, subtree: true });
}"""
REFUSING = """() => {
  const found = [...window.built].filter((one) => one.closest("[data-why]"));
  window.built.clear();
  return found.length;
}"""
# The drawings on the board whose style depends on whether their piece can be pressed
POINTED = """() => {
  const drawings = [...document.querySelectorAll(".scene .board use")];
  const seen = (one) => ["cursor", "pointerEvents"].map((name) => getComputedStyle(one)[name]).join(" ");
  return [drawings.length, drawings.filter((one) => seen(one) !== "default none").length];
}"""
A, C, D, E, X = (f'<i data-key="{key}"></i>' for key in "acdex")
BEFORE = f'{A}<span data-key="b"><em>words</em></span>{C}{D}{E}'
AFTER = f'{A}<button data-key="b"><em>words</em></button>{D}{X}{E}'
# Patches one tree like another; returns what it is then, and what was put into it.
PATCH = """async ([before, after]) => {
  const { patch, parse } = await import(new URL("patch.js", document.querySelector("script[type=module]").src));
  const root = document.createElement("div"), fresh = document.createElement("div"), put = [];
  root.append(parse(before));
  fresh.append(parse(after));
  const observer = new MutationObserver(() => {});
  observer.observe(root, { childList: true, subtree: true });
  const words = root.querySelector("em");
  patch(root, fresh);
  for (const { addedNodes, target } of observer.takeRecords()) {
    for (const one of addedNodes) if (target === root) put.push(one.dataset.key);
  }
  return [root.innerHTML, put.sort(), words === root.querySelector("em")];
}"""


@pytest.mark.parametrize("shape", SHAPES, ids=lambda one: f"{one.game.name}-{one.ruleset}")
@pytest.mark.suite("aces-and-faces-*", "family-trade-market-making")
def test_one_word_more_styles_little(visit: Callable[..., Page], browser: Browser, shape: Shape) -> None:
    """`:has()` of an ancestor, followed by `*`, would have the browser style all that is below it with each change; one
    of the root, the body or the table, followed by anything, whatever any `:has()` is about. And a board that has
    another height before it is stretched would be laid out twice."""
    page = visit(width=390, height=844)
    seats = [{"kind": "me"}, *[GREEDY] * (shape.players - 1)]
    table(page, game=shape.game.name, options=shape.options, seats=seats)
    assert my_turn(page)
    page.wait_for_function(HELD)
    browser.start_tracing(page=page, categories=["devtools.timeline", "blink"])
    page.evaluate(LITTLE)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    styled = [one["args"]["elementCount"] for one in events if "elementCount" in one.get("args", {})]
    assert max(styled) < MOST
    assert len(styled) >= 4
    assert 2 <= sum(one["name"] == LINE for one in events) < LINES


@pytest.mark.parametrize("shape", SHAPES, ids=lambda one: f"{one.game.name}-{one.ruleset}")
@pytest.mark.suite("aces-and-faces-*")
def test_drawings_are_laid_out_only_where_a_piece_shows_them(visit: Callable[..., Page], shape: Shape) -> None:
    """Else a browser styles and lays out all that a game can show when its table opens, and again in a dialog."""
    page = visit(width=390, height=844)
    seats = [{"kind": "me"}, *[GREEDY] * (shape.players - 1)]
    table(page, game=shape.game.name, options=shape.options, seats=seats)
    laid, known = page.evaluate(LAID)
    assert laid == 0
    assert known > 20


def work(page: Page, browser: Browser, script: str, name: str) -> tuple[Any, list[str]]:
    """Run a script; return its result, and the styles and layouts between its marks `name-begins` and `name-ends`."""
    browser.start_tracing(page=page, categories=["devtools.timeline", "blink.user_timing"])
    result = page.evaluate(script)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    begins, ends = (next(one["ts"] for one in events if one["name"] == f"{name}-{when}") for when in ("begins", "ends"))
    return result, [one["name"] for one in events if begins < one["ts"] < ends and one["name"] in WORK]


def test_a_patch_of_the_focused_button_lays_nothing_out(visit: Callable[..., Page], browser: Browser) -> None:
    page = visit(width=390, height=844)
    table(page)
    assert my_turn(page)
    page.wait_for_function(HELD)
    assert work(page, browser, FOCUSED, "patch") == (True, [])


def test_pieces_that_refuse_a_decision_are_not_built_anew(visit: Callable[..., Page]) -> None:
    """As the sixteen cards of the loop, whose drawings have thirty elements each, while you choose between two ways."""
    page, choice = visit(width=390, height=844), random.Random(1)
    table(page, game="aces-and-faces", options={}, seats=[{"kind": "me"}, GREEDY])
    assert my_turn(page)
    page.evaluate(COLLECT)
    found = []
    while len(found) < 3 and my_turn(page):
        built = page.evaluate(REFUSING)
        if page.locator('.scene [data-key="ways"]').count():
            found.append(built)
            assert page.locator(".scene .board span[role=button][data-why]").count() >= 8
        shown = version(page)
        press_anything(page, choice)
        wait_past(page, shown)
    assert len(found) == 3
    assert max(found) < 8  # some cards came back since; all that refuse were built anew


@pytest.mark.parametrize("shape", SHAPES, ids=lambda one: f"{one.game.name}-{one.ruleset}")
@pytest.mark.suite("aces-and-faces-*", "gatsby-*")
def test_a_drawing_has_the_same_style_when_it_can_be_pressed(visit: Callable[..., Page], shape: Shape) -> None:
    """A cursor is inherited: of a piece that has another, all elements of the drawing would be styled anew."""
    page = visit(width=390, height=844)
    seats = [{"kind": "me"}, *[GREEDY] * (shape.players - 1)]
    table(page, game=shape.game.name, options=shape.options, seats=seats)
    assert my_turn(page)
    drawings, pointed = page.evaluate(POINTED)
    assert drawings > 3
    assert pointed == 0


def test_positions_that_are_passed_are_passed_once_in_a_task_of_their_own(visit: Callable[..., Page]) -> None:
    """As when you watch quick bots on a slow phone: a browser hands over several messages at once."""
    page = visit(width=390, height=844)
    table(page)
    assert my_turn(page)
    assert page.evaluate(BEHIND) == [30, 12, 18]


def test_what_follows_a_position_is_a_task_of_its_own(visit: Callable[..., Page]) -> None:
    """As the result and the rest of the page, which a browser would lay out once more before it paints the position."""
    page = visit(width=390, height=844)
    table(page)
    assert my_turn(page)
    assert page.evaluate(FOLLOWS) == [False, True]


def test_a_new_tree_moves_nothing_that_stays(visit: Callable[..., Page]) -> None:
    """What follows a piece that goes, or that becomes a button, is not taken out and put in again."""
    page = visit("/")
    after, put, kept = page.evaluate(PATCH, [BEFORE, AFTER])
    assert after == AFTER
    assert put == ["b", "x"]
    assert kept  # what is in a piece that becomes a button stays the same
    assert page.evaluate(PATCH, [AFTER, BEFORE])[:2] == [BEFORE, ["b", "c"]]


def test_a_board_gives_room_to_what_is_beside_it(visit: Callable[..., Page]) -> None:
    """The height that it got is its least only until the page would have to be scrolled."""
    page = visit(width=390, height=844)
    table(page, game="family-trade", options={})
    assert my_turn(page)
    page.wait_for_function(HELD)
    high, _ = page.evaluate(HIGH, 0)
    lower, whole = page.evaluate(HIGH, 60)
    assert 50 < high - lower < 80
    assert whole == 844
    assert page.evaluate(HIGH, 0)[0] == high


def test_positions_that_repeat_one_are_shown_once_and_in_a_task_of_their_own(visit: Callable[..., Page]) -> None:
    """As when several players answer a question at about the same time, and the page is slow."""
    page = visit(width=390, height=844)
    table(page)
    assert my_turn(page)
    assert page.evaluate(REPEAT) == [1, None, "new"]
