"""A page answers at once on a slow phone: Chromium at a quarter of this processor's speed, in every ruleset.

`python -m pytest --whole -s tests/browser/test_speed.py` prints a table: how many presses, the median and the longest
milliseconds to their paint, the longest task in play, and the longest while the page opened. It is for a machine that
does nothing else, and takes at most a minute and a half for each ruleset.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from parlour.analysis.shapes import Shape
from tests.browser.player import GREEDY, my_turn, table
from tests.house.played import every_ruleset

pytestmark = pytest.mark.browser
SHAPES = list(every_ruleset(most=False))
SLOWER = 4  # times
MOST, LEAST = 30, 10  # presses
LASTS = 60.0  # seconds of play, after which a ruleset is measured by the presses until then: bots take their time
PAINT, TASK = 100, 200  # milliseconds: the median from a press to its paint, and the longest task
# From a press to the next paint, as browsers measure it (https://www.w3.org/TR/event-timing/), and all long tasks
WATCH = """() => {
  window.painted = {};
  window.tasks = [];
  new PerformanceObserver((list) => {
    for (const { interactionId: id, duration } of list.getEntries()) {
      if (id) window.painted[id] = Math.max(window.painted[id] ?? 0, duration);
    }
  }).observe({ type: "event", durationThreshold: 16, buffered: true });
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) window.tasks.push([startTime, duration]);
  }).observe({ type: "longtask", buffered: true });
}"""
SPOTS = """() => [...document.querySelectorAll(".scene :is([data-action], [data-part])")].map((one) => {
  const { left, right, top, bottom } = one.getBoundingClientRect(), at = [(left + right) / 2, (top + bottom) / 2];
  return [...at, one.contains(document.elementFromPoint(...at)), "undo" in one.dataset];
}).filter(([, , seen, undo]) => seen && !undo)"""
SCROLL = """document.querySelector(".scene :is([data-action], [data-part])")?.scrollIntoView({ block: "center" })"""


def measure(page: Page, shape: Shape) -> tuple[list[float], list[float], float]:
    """Play with the finger's speed at a quarter of the processor's; return the milliseconds from each press to its
    paint, of each long task in the game, and of the longest while the page opened."""
    page.add_init_script(f"({WATCH})()")
    session = page.context.new_cdp_session(page)
    seats = [{"kind": "me"}, *[GREEDY] * (shape.players - 1)]
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    table(page, game=shape.game.name, options=shape.options, pace="fast", seats=seats)
    assert my_turn(page)
    page.wait_for_timeout(1500)
    opened = page.evaluate("window.tasks.splice(0)")
    page.evaluate("() => { window.painted = {}; }")
    choice, made, until = random.Random(7), 0, time.monotonic() + LASTS
    while made < MOST and time.monotonic() < until and my_turn(page):
        if not (spots := page.evaluate(SPOTS)):  # all of it is scrolled away, or still on its way
            page.evaluate(SCROLL)
            page.wait_for_timeout(100)
            continue
        x, y, *_ = choice.choice(spots)
        page.mouse.click(x, y)
        made += 1
        page.wait_for_timeout(300)
    page.wait_for_timeout(500)
    painted, tasks = page.evaluate("[Object.values(window.painted), window.tasks]")
    quick = [16.0] * (made - len(painted))  # those that the browser does not report
    return [*painted, *quick], [one for _, one in tasks], max((one for _, one in opened), default=0.0)


@pytest.mark.whole
@pytest.mark.parametrize("shape", SHAPES, ids=lambda one: f"{one.game.name}-{one.ruleset}")
def test_a_press_is_painted_at_once_on_a_slow_phone(visit: Callable[..., Page], shape: Shape) -> None:
    page = visit(width=390, height=844, has_touch=True, reduced_motion="no-preference")
    painted, tasks, opening = measure(page, shape)
    median, worst, longest = statistics.median(painted), max(painted), max(tasks, default=0.0)
    print(
        f"| {shape.game.text.TITLE} {shape.ruleset} | {len(painted)} | {median:.0f} | {worst:.0f} "
        f"| {longest:.0f} | {opening:.0f} |"
    )
    assert len(painted) >= LEAST
    assert median < PAINT
    assert longest < TASK
