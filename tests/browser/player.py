"""What a person does at a table, by mouse or by keyboard."""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Callable
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Locator, Page

ARGS = [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--no-first-run", "--disable-dev-shm-usage",
]  # fmt: skip

PATIENCE = 60  # seconds for what takes no time on an idle machine
GREEDY = {"kind": "bot", "bot": "greedy"}  # quick, so that tests are
ENDED = re.compile("wins|won|share the win|finished|short|draw")  # the headline of a result
STOP = '[data-key="b-stop"][data-action]'
NO_GUIDE = "localStorage.setItem('parlour-guide', 'off')"  # the first steps have tests of their own
# So have automatic choices: on each page, it is as if the person preferred to press them.
NOT_FORCED = """new MutationObserver((_, seen) => {
  if (!document.documentElement) return;
  document.documentElement.dataset.forced ??= "press";
  seen.disconnect();
}).observe(document, { childList: true });"""
# And so has what is folded: on each page, it is as if the person had opened all of it.
UNFOLDED = """addEventListener("DOMContentLoaded", () => {
  for (const one of document.querySelectorAll("details.fold")) one.open = true;
});"""
POST = """async ([path, body]) => {
  const answer = await fetch(path, {
    method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body)
  });
  return [answer.status, await answer.json()];
}"""
COLOURS = ("color-contrast", "link-in-text-block")  # axe's rules about colours
DARK = """() => {  // is it light on dark?
  const [paper, ink] = ["backgroundColor", "color"].map((one) => getComputedStyle(document.body)[one]);
  const light = (text) => text.match(/[0-9.]+/g).slice(0, 3).reduce((sum, one) => sum + Number(one), 0);
  return light(paper) < light(ink);
}"""
READY = """async () => {
  const main = document.querySelector("main");
  const answer = await (await fetch("/api/tables/" + main.dataset.table)).json();
  if (Number(main.dataset.version) !== answer.table.version) return false;  // the page still shows what has passed
  return main.dataset.status === "over" || answer.legal.length > 0;
}"""


BARE = "/sw.js"  # a document that loads nothing, from which scripts of tests may ask the house


def watch(page: Page, faults: list[str]) -> None:
    """Note errors of scripts, and what the content security policy refused."""
    page.on("pageerror", lambda error: faults.append(f"{error.stack or error} at {page.url}"))

    def heard(message: Any) -> None:
        if "Content Security Policy" in message.text:
            faults.append(message.text)

    page.on("console", heard)


def post(page: Page, path: str, **body: Any) -> Any:
    """Call the API as this person; return its answer."""
    status, answer = page.evaluate(POST, [path, body])
    assert status < 300, answer
    return answer


def table(page: Page, name: str = "Ann", **body: Any) -> str:
    """Choose a name, create a table (by default against one bot, target 5,000, started) and go there."""
    post(page, "/api/me", name=name)
    usual = {"game": "fortune", "pace": "instant", "options": {"target": "5000"}, "seats": [{"kind": "me"}, GREEDY]}
    made = post(page, "/api/tables", **{**usual, **body})
    page.goto(made["url"])
    return str(made["id"])


def picked(page: Page, name: str) -> Locator:
    """Choose a game in the lobby; return its card."""
    found = page.locator(f"article.game-{name}")
    found.locator(".tile input").check()
    return found


def take_a_seat(page: Page, name: str = "Bob") -> None:
    """Sit down in the waiting room, by this name if the person has none."""
    field = page.locator(".join").get_by_label("Your name")
    page.locator(".join").wait_for()
    if field.is_visible():
        field.fill(name)
    page.get_by_role("button", name="Take a seat").click()


def from_menu(page: Page, words: str) -> None:
    """Open the menu of the page, and choose in it."""
    page.locator(".menu summary").click()
    page.locator(".menu").get_by_text(words).click()


def over(page: Page) -> bool:
    return page.get_attribute("main", "data-status") == "over"


def wait_until(page: Page, ready: Callable[[], bool]) -> bool:
    """Wait until this is true, asking ever more rarely: each time costs the house an answer. Return whether it is."""
    end, pause = time.monotonic() + PATIENCE, 20
    while not ready():
        if time.monotonic() > end:
            return False
        page.wait_for_timeout(pause)
        pause = min(2 * pause, 160)
    return True


def my_turn(page: Page) -> bool:
    """Wait until it is this person's turn; return False if the game is over instead."""
    # Playwright's wait_for_function counts any promise as true.
    assert wait_until(page, lambda: bool(page.evaluate(READY))), "the decision did not come"
    return not over(page)


def press_anything(page: Page, choice: random.Random) -> None:
    """Make a move that the page offers: press something, or choose pieces and press the button."""
    picks = page.locator(".scene [data-pick]")
    moves = list(json.loads(picks.get_attribute("data-pick") or "{}")["moves"]) if picks.count() else []
    ready = page.locator(".scene [data-action]")
    at = choice.randrange(ready.count() + bool(moves))
    if at < ready.count():
        ready.nth(at).evaluate("(one) => one.click()")  # even if scrolled away, folded in, or under another piece
        return
    for token in choice.choice(moves).split(","):
        page.locator(f'.scene [data-part="{token}"][aria-pressed="false"]').first.evaluate("(one) => one.click()")
    page.locator('[data-key="b-pick"][data-action]').evaluate("(one) => one.click()")


def check_access(page: Page, where: str, *, themes: bool = False, **rules: Any) -> None:
    """Check that axe finds no problem for people who use the page with other senses or tools. `themes`: in the dark
    theme as well, where only the colours differ, so only those are checked again. `rules`: settings of axe's rules, by
    name."""
    for dark in (False, True) if themes else (False,):
        if dark:
            page.emulate_media(color_scheme="dark")
            assert page.evaluate(DARK), (where, "the page is not dark")
            settle(page)
        found = violations(page, COLOURS if dark else (), **rules)
        report = [(one["id"], one["help"], [node["html"][:160] for node in one["nodes"][:3]]) for one in found]
        assert not report, (where, "dark" if dark else "", report)
        if dark:
            page.emulate_media(color_scheme="light")


def violations(page: Page, only: tuple[str, ...] = (), **rules: Any) -> list[Any]:
    """Return what axe finds wrong, by all its rules or `only` these, with these settings. axe is loaded only once into
    a page, and what is right, which is most, is not transferred: both took as long as axe itself."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    options = {"resultTypes": ["violations"], "rules": rules}
    if only:
        options["runOnly"] = {"type": "rule", "values": list(only)}
    found: list[Any] = page.evaluate("async (options) => (await axe.run(options)).violations", options)
    return found


def version(page: Page) -> int:
    """Return the server's version."""
    path = "/api/tables/" + str(page.get_attribute("main", "data-table"))
    return int(page.evaluate("async (path) => (await (await fetch(path)).json()).table.version", path))


def settle(page: Page) -> None:
    """Wait until the page shows what it has received, without motion."""
    page.wait_for_function("() => document.getAnimations().every((one) => one.playState !== 'running')", polling=40)


def wait_past(page: Page, shown: int) -> None:
    """Wait until the server's version is beyond `shown`."""
    if wait_until(page, lambda: version(page) > shown):
        return
    said = page.locator('[data-key="reason"]').all_inner_texts()
    raise AssertionError(f"nothing came after version {shown}; the page says {said}")


def play_to_the_end(page: Page) -> str:
    """Play a short game against a bot through the API; return its table."""
    made = post(
        page, "/api/tables", game="fortune", pace="instant", options={"target": "5000", "finish": "at_least"},
        seats=[{"kind": "me"}, GREEDY],
    )  # fmt: skip
    path = f"/api/tables/{made['id']}"
    for _ in range(2000):
        seen = page.evaluate("async (path) => (await fetch(path)).json()", path)
        if seen["table"]["status"] == "over":
            return str(made["id"])
        if seen["legal"]:
            post(page, f"{path}/moves", move=seen["legal"][0], version=seen["table"]["version"])
        else:
            page.wait_for_timeout(20)
    raise AssertionError("the game did not end")
