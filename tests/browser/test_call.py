"""Calling back whoever does not look: the title, the icon, the badge, and a sound that is made here."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.player import post, table

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]

# The page is not looked at, as a browser says of a tab behind another; what sounds and what the badge says is noted.
AWAY = """() => {
  window.badge = [];
  navigator.setAppBadge = async (n) => badge.push(n);
  navigator.clearAppBadge = async () => badge.push(0);
  document.hasFocus = () => false;
  window.dispatchEvent(new Event("blur"));
}"""
BACK = "() => { delete document.hasFocus; window.dispatchEvent(new Event('focus')); }"
LISTEN = """
window.notes = [];
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (at) {
  window.notes.push(this.frequency.value);
  return start.call(this, at);
};
"""


def two(visit: Visit) -> tuple[Page, Page, str]:
    """Ann, who listens, and Bob, at a game that Bob begins or comes to decide in."""
    ann, bob = visit(), visit()
    ann.add_init_script(LISTEN)
    post(ann, "/api/me", name="Ann")
    post(bob, "/api/me", name="Bob")
    name = table(ann, seats=[{"kind": "me"}, {"kind": "open"}])
    post(bob, f"/api/tables/{name}/sit")
    post(ann, f"/api/tables/{name}/start")
    bob.goto(ann.url)
    return ann, bob, name


MOVES = """async (table) => {
  const seen = await (await fetch("/api/tables/" + table)).json();
  if (!seen.legal.length) return false;
  const move = seen.legal.includes("stop") ? "stop" : seen.legal[0];
  const answer = await fetch("/api/tables/" + table + "/moves", {
    method: "POST", headers: {"Content-Type": "application/json"},
    body: JSON.stringify({move, version: seen.table.version})
  });
  return answer.ok;
}"""


def give_turn(whose: Page, to: Page, name: str) -> None:
    """Let `whose` move until it is the other's turn."""
    for _ in range(200):
        if to.evaluate("async (t) => (await (await fetch('/api/tables/' + t)).json()).legal.length > 0", name):
            return
        whose.evaluate(MOVES, name)
    raise AssertionError("the turn did not pass")


def test_whoever_looks_elsewhere_is_called_and_is_called_once(visit: Visit) -> None:
    ann, bob, name = two(visit)
    ann.locator("h1.sr").wait_for(state="attached")
    give_turn(ann, bob, name)
    expect(ann).not_to_have_title("Your turn: Fortune")
    ann.locator(".brand").hover()
    ann.keyboard.press("Shift")  # a gesture, after which a browser lets the page sound
    ann.evaluate(AWAY)
    assert ann.evaluate("notes.length") == 0
    give_turn(bob, ann, name)
    expect(ann).to_have_title("Your turn: Fortune")
    expect(ann.locator("link[rel=icon]")).to_have_attribute("href", icon("icon-turn.svg"))
    ann.wait_for_function("() => notes.length === 3")  # the bell
    assert ann.evaluate("badge") == [1]
    post(bob, f"/api/tables/{name}/chat", text="Hello")
    ann.wait_for_function("() => notes.length === 4")  # and one note
    ann.evaluate(BACK)
    expect(ann.locator("link[rel=icon]")).to_have_attribute("href", icon("icon.svg"))
    assert ann.evaluate("badge") == [1, 0]


def test_a_sound_is_chosen_heard_and_muted(visit: Visit) -> None:
    ann, bob, name = two(visit)
    give_turn(ann, bob, name)
    ann.locator("[data-help]").click()
    ann.get_by_role("button", name="Preferences").click()
    choice = ann.get_by_label("Sound at my turn")
    expect(choice).to_have_value("bell")
    choice.select_option("harp")
    ann.wait_for_function("() => notes.length === 3")  # one hears what one chose
    with ann.expect_response(
        lambda answer: answer.url.endswith("/preferences") and "off" in (answer.request.post_data or "")
    ):
        choice.select_option("off")
    ann.reload()
    ann.keyboard.press("Shift")
    ann.evaluate(AWAY)
    give_turn(bob, ann, name)
    expect(ann).to_have_title("Your turn: Fortune")
    assert ann.evaluate("notes.length") == 0
    expect(ann.locator("[data-prefer=sound]")).to_have_value("off")


def test_who_looks_is_left_alone(visit: Visit) -> None:
    ann, bob, name = two(visit)
    give_turn(ann, bob, name)
    ann.bring_to_front()
    ann.evaluate("document.hasFocus = () => true")
    ann.keyboard.press("Shift")
    give_turn(bob, ann, name)
    expect(ann).to_have_title("Your turn: Fortune")
    assert ann.evaluate("notes.length") == 0


def test_a_phone_that_was_put_away_is_seen_as_gone_and_comes_back(visit: Visit) -> None:
    page = visit(has_touch=True, is_mobile=True, width=390, height=844)
    page.clock.install()
    with page.expect_response(lambda one: "/events" in one.url):
        table(page, seats=[{"kind": "me"}, {"kind": "open"}])
    hide = "(hidden) => { Object.defineProperty(document, 'hidden', {value: hidden, configurable: true});"
    hide += " document.dispatchEvent(new Event('visibilitychange')); }"
    page.evaluate("""() => {
      const close = EventSource.prototype.close;
      EventSource.prototype.close = function () { window.letGo = true; close.call(this); };
    }""")
    page.evaluate(hide, True)
    page.clock.run_for(29_000)
    assert not page.evaluate("window.letGo === true")
    page.clock.run_for(2_000)
    assert page.evaluate("window.letGo === true")
    with page.expect_request(lambda one: "/events" in one.url):
        page.evaluate(hide, False)


def icon(name: str) -> re.Pattern[str]:
    """The end of the address of a file."""
    return re.compile(rf"/{re.escape(name)}$")
