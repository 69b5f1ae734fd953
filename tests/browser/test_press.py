"""A press during motion counts: by mouse, finger or key, at any moment, if the move is still possible."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.player import GREEDY, PATIENCE, my_turn, post, table, version, wait_past

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
# Notes what each press and key is aimed at when it comes, before the page does anything, and what the stream has
# brought; while `slow` is set what has landed moves until it is cut short, and what moves while the page is `hurry`
# positions behind is cut short
NOTED = """() => {
  const note = (one) => {
    const { key, action, part } = one?.dataset ?? {};
    return { key, action, part, on: one?.ariaPressed, moving: document.getAnimations().length };
  };
  addEventListener("pointerdown", ({ target, isTrusted }) => {
    if (isTrusted) window.aimed = note(target.closest(".scene button"));
  }, true);
  addEventListener("keydown", ({ key }) => {
    window.aimed = note(document.querySelector(`.scene [data-shortcut="${CSS.escape(key)}"]`));
  }, true);
  const animate = Element.prototype.animate, later = window.setTimeout;
  Element.prototype.animate = function (frames, options) {
    const slow = window.slow && !document.querySelector(".scene .air");
    return animate.call(this, frames, slow ? { ...options, duration: 1e5 } : options);
  };
  window.setTimeout = (call, time, ...more) => later(call, window.slow && time >= 1000 ? 1e5 : time, ...more);
  setInterval(() => {
    const behind = Math.max(0, (window.received ?? 0) - document.querySelector("main")?.dataset.version);
    if (window.slow || !(behind >= window.hurry)) return;
    document.querySelector(".board")?.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
  }, 50);
  const Native = window.EventSource;
  window.EventSource = class extends Native {
    constructor(...more) {
      super(...more);
      this.addEventListener("update", ({ data }) => (window.received = JSON.parse(data).version));
    }
  };
}"""
# The place of something that can be pressed at this moment, and its key on a keyboard
SPOT = """(random) => {
  const all = [...document.querySelectorAll(".scene :is([data-action], [data-part])")].map((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect(), at = [(left + right) / 2, (top + bottom) / 2];
    return { one, at, shortcut: one.dataset.shortcut };
  }).filter(({ one, at }) => one.contains(document.elementFromPoint(...at)));
  return all.length ? all[Math.floor(random * all.length)] : null;
}"""
# Two rolls, and a press on Stop while the page still shows the first, slowly: the version after them, 0 if the dice do
# not allow it. A roll that ends the turn may be followed by the bot's turn at once
BEHIND = """async (path) => {
  const look = async () => (await fetch(path)).json(), main = document.querySelector("main");
  const until = async (is) => { while (!is()) await new Promise((resolve) => setTimeout(resolve, 5)); };
  const end = (node) => node.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, pointerType: "mouse" }));
  const shown = () => Number(main.dataset.version);
  const roll = async ({ legal, table: { version } }) => {
    const move = legal.find((one) => one.startsWith("re-roll") && one.split(" ").length === 3);
    if (!move || !legal.includes("stop")) return null;
    const body = JSON.stringify({ move, version });
    await fetch(`${path}/moves`, { method: "POST", headers: { "Content-Type": "application/json" }, body });
    const now = await look();
    await until(() => window.received >= now.table.version);
    return now.legal.includes("stop") && now.table.version === version + 2 ? now : null; // in the air, and landed
  };
  let last = 0;
  window.slow = true;
  const first = await roll(await look());
  if (first) {
    await until(() => shown() === first.table.version);
    const second = await roll(first);
    const stop = document.querySelector('[data-key="b-stop"][data-action]');
    if (second && stop && shown() === first.table.version) {
      last = second.table.version;
      end(stop);
      stop.click();
    }
  }
  window.slow = false;
  if (!last) end(document.querySelector(".board"));
  return last;
}"""
REASON = '[data-key="reason"]'


def test_no_press_is_lost_while_pieces_move(visit: Visit, size: Callable[[int, int], int]) -> None:
    page = visit(has_touch=True, reduced_motion="no-preference")
    page.add_init_script(f"({NOTED})()")
    path, choice, moving = f"/api/tables/{table(page, options={'target': '8000'})}", random.Random(4), 0
    page.evaluate("window.hurry = 2")  # only the end of the bot's moves matters
    for number in range(65):
        if not my_turn(page) or (moving and number >= size(6, 65)):
            break
        page.wait_for_timeout(choice.randrange(300) if number < 12 or moving else 0)
        before, spot = version(page), page.evaluate(SPOT, choice.random())
        page.locator(REASON).evaluate_all("(all) => all.forEach((one) => (one.textContent = ''))")
        if number % 3 == 0:
            page.mouse.click(*spot["at"])
        elif number % 3 == 1:
            page.touchscreen.tap(*spot["at"])
        else:
            page.keyboard.press(spot["shortcut"])
        aimed = page.evaluate("window.aimed")
        moving += aimed["moving"] > 0
        made = bool(aimed.get("action")) and _goes_on(page, before)
        if aimed.get("part"):  # the browser sends a click once it knows that the tap is not a double tap
            piece = page.locator(f'.scene [data-key="{aimed["key"]}"]')
            expect(piece, f"press {number}: {aimed}").not_to_have_attribute("aria-pressed", aimed["on"])
        expect(page.locator(REASON)).not_to_contain_text("moved on")
        if not made and version(page) == before:
            post(page, f"{path}/moves", move=choice.choice(["stop", *_rolls(page, path)]), version=before)
    assert moving  # the number depends on the dice and the machine


def _goes_on(page: Page, before: int) -> bool:
    """Return whether a press made a move: if new dice make it impossible, the pressed thing says why not."""
    end = time.monotonic() + PATIENCE
    while not any(page.locator(REASON).all_inner_texts()):
        if version(page) > before:
            return True
        assert time.monotonic() < end, "a press was lost"
        page.wait_for_timeout(20)
    expect(page.locator(REASON)).to_contain_text("FO-")
    return False


def _rolls(page: Page, path: str) -> list[str]:
    legal = page.evaluate("async (path) => (await (await fetch(path)).json()).legal", path)
    return [move for move in legal if move.startswith("re-roll")][:1] * 3


@pytest.mark.whole
def test_a_press_before_positions_that_were_not_seen_is_made_where_it_still_can_be(visit: Visit) -> None:
    page = visit(reduced_motion="no-preference")
    page.add_init_script(f"({NOTED})()")
    path = f"/api/tables/{table(page, options={'target': '8000'})}"
    page.evaluate("window.hurry = 0")
    for _ in range(40):
        assert my_turn(page)
        if last := page.evaluate(BEHIND, path):
            wait_past(page, last)
            return
        seen = page.evaluate("async (path) => (await fetch(path)).json()", path)
        if "stop" in seen["legal"]:
            post(page, f"{path}/moves", move="stop", version=seen["table"]["version"])
        elif seen["legal"]:
            post(page, f"{path}/moves", move=seen["legal"][0], version=seen["table"]["version"])
    raise AssertionError("no two rolls came together")


@pytest.mark.whole
def test_who_clicks_the_cloth_to_see_the_end_gets_no_message(visit: Visit, size: Callable[[int, int], int]) -> None:
    page = visit(reduced_motion="no-preference")
    table(page, pace="normal", seats=[{"kind": "me"}, GREEDY])
    for _ in range(size(1, 3)):
        assert my_turn(page)
        before = version(page)
        page.keyboard.press("s")
        wait_past(page, before)
        page.mouse.click(
            *page.evaluate("""() => {
          const box = document.querySelector(".board").getBoundingClientRect();
          return [box.left + 9, box.bottom - 9];
        }""")
        )
        assert my_turn(page)
        expect(page.locator(REASON)).to_have_text("")
