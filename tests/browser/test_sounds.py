"""Sounds of a table: each instrument is heard, short and below clipping; a game asks for them only after a press, and
only while the page is looked at and not muted."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from parlour.core.stage import INSTRUMENTS, SOUND
from parlour.house.site import files
from tests.browser.player import my_turn, over, play_to_the_end, table, wait_until
from tests.browser.test_call import HIDE, MOVES, wake

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
QUIET, LONGEST = 0.002, 1.8  # of full scale, below which nothing is heard; seconds
LOUD = 0.5  # band.js: of everything, at full volume
RENDER = """async ([address, quiet]) => {
  const { BAND, strike } = await import(address), rate = 44100, found = {};
  for (const name of Object.keys(BAND)) for (const tuned of ["", "-5", "+7"]) {
    const on = new OfflineAudioContext(1, 3 * rate, rate);
    strike(on, on.destination, name + tuned, 0);
    const heard = (await on.startRendering()).getChannelData(0).map(Math.abs);
    const peak = heard.reduce((most, one) => Math.max(most, one));
    found[name + tuned] = [peak, heard.findLastIndex((one) => one > quiet) / rate];
  }
  return found;
}"""
HEARD = """window.heard = [];
document.addEventListener("parlour:heard", ({ detail }) => window.heard.push(detail));"""
# Asks for a sound; returns how many were heard by the end of the task, and how many after the next.
ASKED = """async (address) => {
  const { sounds } = await import(address), before = window.heard.length;
  sounds("dice");
  for (let i = 0; i < 50; i++) await null;
  const at_once = window.heard.length - before;
  await new Promise((resolve) => setTimeout(resolve, 20));
  return [at_once, window.heard.length - before];
}"""
NOISES = """window.noises = 0;
window.AudioBuffer = class extends AudioBuffer {
  constructor(how) {
    super(how);
    window.noises++;
  }
};"""
BANDS = """() => performance.getEntriesByType("resource").filter(({ name }) => name.endsWith("/band.js")).length"""


def test_every_instrument_is_short_and_below_clipping(visit: Visit) -> None:
    page = visit("/")
    found: dict[str, Any] = page.evaluate(RENDER, [files.address("band.js"), QUIET])
    assert {*found} == {f"{name}{tuned}" for name in INSTRUMENTS for tuned in ("", "-5", "+7")}
    for name, (peak, ends) in found.items():
        assert 0.05 < peak < 1 / LOUD * 0.95, (name, peak)
        assert 0.02 < ends < LONGEST, (name, ends)


def move(page: Page) -> None:
    """Make moves until some position has been shown since, one a second at most: a page that is slow would otherwise
    miss the rest of the game."""
    name, before = page.url.rpartition("/")[2], page.locator("main").get_attribute("data-version")

    def moved() -> bool:
        page.evaluate(MOVES, name)
        for _ in range(10):
            if over(page) or page.locator("main").get_attribute("data-version") != before:
                return True
            page.wait_for_timeout(100)
        return False

    assert wait_until(page, moved), "the page shows nothing new"
    assert not over(page), "the game was too short"


@pytest.mark.whole
def test_a_game_is_heard_after_the_first_press_unless_muted_or_hidden(visit: Visit) -> None:
    page = visit()
    page.add_init_script(HEARD)
    table(page, options={"target": "8000"})
    move(page)
    assert page.evaluate("window.heard") == []
    assert page.evaluate(BANDS) == 0
    page.locator(".brand").hover()
    wake(page)
    page.wait_for_function(BANDS)
    for _ in range(20):
        move(page)
        if page.evaluate("window.heard.length"):
            break
    heard = page.evaluate("window.heard.join(' ').split(' ')")
    assert heard
    assert all(SOUND.fullmatch(sound) for sound in heard)
    mute = page.get_by_role("button", name="Mute the table")
    mute.click()
    expect(mute).to_have_attribute("aria-pressed", "true")
    page.evaluate("window.heard.length = 0")
    for _ in range(3):
        move(page)
    assert page.evaluate("window.heard") == []
    mute.click()
    expect(mute).to_have_attribute("aria-pressed", "false")
    page.evaluate(HIDE, True)
    page.wait_for_timeout(100)  # what was heard on unmuting
    page.evaluate("window.heard.length = 0")
    for _ in range(3):
        move(page)
    assert page.evaluate("window.heard") == []


def test_sounds_are_built_when_nothing_is_being_shown(visit: Visit) -> None:
    """What rustles is made with the first press, and each sound in a task of its own."""
    page = visit()
    for script in (HEARD, NOISES):
        page.add_init_script(script)
    table(page)
    assert my_turn(page)
    page.locator(".brand").hover()
    wake(page)
    page.wait_for_function("() => window.noises")
    assert page.evaluate("window.heard") == []
    page.wait_for_timeout(200)  # a sound just after another is not heard
    assert page.evaluate(ASKED, files.address("hear.js")) == [0, 1]
    assert page.evaluate("window.noises") == 1


@pytest.mark.whole
def test_a_replay_is_heard_forwards_as_the_game_was(visit: Visit) -> None:
    """Each step sounds like what happened, after the first press; a step back, a jump and a muted page are silent."""
    page = visit()
    page.add_init_script(HEARD)
    name = play_to_the_end(page)
    page.goto(f"/t/{name}/replay?step=0")
    steps = page.evaluate(
        "async (path) => (await (await fetch(path)).json()).ahead", f"/api/tables/{name}/replay?step=0&until=8"
    )
    sounds = [step["sounds"] for step in steps]
    assert page.evaluate(BANDS) == 0
    page.locator(".brand").hover()
    wake(page)
    page.wait_for_function(BANDS)
    page.wait_for_timeout(300)  # until the band is awake

    def step(key: str, to: int) -> None:
        page.keyboard.press(key)
        expect(page.locator("#at")).to_have_text(re.compile(f"^{to} of "))
        page.wait_for_timeout(100)  # what comes sooner after another sound is not heard

    for at in range(1, 9):
        step("ArrowRight", at)
    assert page.evaluate("window.heard") == [one for one in sounds if one]
    step("ArrowLeft", 7)
    step("Home", 0)
    page.get_by_role("button", name="Mute the table").click()
    step("ArrowRight", 1)
    assert page.evaluate("window.heard") == [one for one in sounds if one]
    assert any(sounds)
