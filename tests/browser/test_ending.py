"""The result covers the board, is complete at every size, and can be moved out of the way."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.library import Library
from tests.browser.player import BARE, check_access, settle, table, take_a_seat
from tests.browser.screenshots import finish_at_once

pytestmark = pytest.mark.browser
CUT = """() => [...document.querySelectorAll(".ending .sheet :is(h1, p, output, .act, b)")].filter((one) => {
  const box = one.getBoundingClientRect();
  return box.width && (one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== "inline"
    || box.left < 0 || box.right > innerWidth + 1);
}).map((one) => one.outerHTML.slice(0, 80))"""
TITLE = """(one) => {
  const words = document.createRange();
  words.selectNodeContents(one);
  const lines = new Set([...words.getClientRects()].map((box) => Math.round(box.bottom)));
  return [lines.size, parseFloat(getComputedStyle(one).fontSize)];
}"""  # its number of lines, and the size of its letters
STOPPING = """async (table) => {
  const path = "/api/tables/" + (table ?? document.querySelector("main").dataset.table);
  const headers = {"Content-Type": "application/json"};
  for (;;) {
    const seen = await (await fetch(path)).json();
    if (seen.table.status === "over") return;
    const body = JSON.stringify({move: "stop", version: seen.table.version});
    await fetch(path + "/moves", {method: "POST", headers, body});
  }
}"""
FIRST = STOPPING.replace('"stop"', "seen.legal[0]").replace(
    "if (seen.table.status",
    """if (!seen.legal.length) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (seen.table.status !== "over") continue;
    }
    if (seen.table.status""",
)  # always the first legal move
CHEER = """window.cheers = 0;
const attach = Element.prototype.attachShadow;
Element.prototype.attachShadow = function (how) { return window.still = attach.call(this, how); };
new MutationObserver((all) => {
  for (const { addedNodes } of all) for (const node of addedNodes) window.cheers += node.className === "cheer";
}).observe(document, { childList: true, subtree: true });"""
PICTURE = """() => {
  const place = document.querySelector(".moment .still"), board = window.still?.querySelector(".board");
  if (!board || getComputedStyle(board.closest(".scene")).visibility !== "visible") return null;
  const [outer, inner] = [place, board].map((one) => one.getBoundingClientRect());
  const inside = inner.width <= outer.width + 1 && inner.height <= outer.height + 1;
  const large = Math.max(inner.width / outer.width, inner.height / outer.height);
  const refer = (one) => [...one.querySelectorAll("use")].map((use) => use.getAttribute("href"));
  const there = new Set([...window.still.querySelectorAll("symbol")].map((one) => `#${one.id}`));
  const missing = refer(board).filter((one) => document.querySelector(`body > svg ${one}`) && !there.has(one));
  const spare = [...there].filter((one) => !refer(window.still).includes(one));
  return { inside, large, keys: document.querySelectorAll("[data-key=board]").length, missing, spare };
}"""
PAINTS = """() => [[".garland", "backgroundImage"], ["h1", "color"], [".sheet", "borderTopColor"]].map(([one, what]) =>
  getComputedStyle(document.querySelector(`.ending ${one}`))[what])"""  # of a result's head
ABOVE = """() => {  // the step that decided the game, above the buttons
  const [step, acts] = [".moment", ".start"].map((one) => document.querySelector(`.ending ${one}`));
  return step.offsetTop < acts.offsetTop;
}"""
ROWS = """() => new Set([...document.querySelectorAll(".ending .start > *")].filter((one) => one.checkVisibility())
  .map((one) => Math.round(one.getBoundingClientRect().top))).size"""
INSIDE = """() => [...document.querySelectorAll(".ending .start > *")].filter((one) => {
  const box = one.getBoundingClientRect();
  return box.width && (box.top < 0 || box.bottom > innerHeight);
}).length"""


NUMBERS = """() => {  // of the graph, from the top; its marks, and those that are out of it or on another
  const race = document.querySelector(".ending .race"), box = race.getBoundingClientRect();
  const marks = [...race.querySelectorAll(".ends .mark")].map((one) => one.getBoundingClientRect());
  const lost = marks.filter((a, i) => a.top < box.top - 4 || a.bottom > box.bottom + 4 || a.right > box.right + 1
    || marks.slice(i + 1).some((b) => Math.abs(a.top - b.top) < Math.min(a.height / 2, box.height / 8)));
  const numbers = [...race.querySelectorAll(":scope > span:not(.ends)")].map((one) => one.textContent);
  return [numbers, marks.length, lost.length];
}"""
READABLE = """() => {  // whether the picture is beside the standings, and how much of the sheet's width it has
  const [still, totals, sheet] = [".moment .still", ".totals", ".sheet"]
    .map((one) => document.querySelector(`.ending ${one}`).getBoundingClientRect());
  return [still.left >= totals.right, still.width / sheet.width];
}"""


def _whole_on_its_side(page: Page) -> None:
    """Check that on a phone on its side the result may scroll, but its buttons stay, and nothing is cut off."""
    before = page.viewport_size
    page.set_viewport_size({"width": 844, "height": 390})
    settle(page)
    assert page.evaluate(CUT) == []
    assert page.evaluate(INSIDE) == 0
    assert page.evaluate(ABOVE)
    assert page.evaluate("document.documentElement.scrollWidth") <= 844
    assert before
    page.set_viewport_size(before)


@pytest.mark.whole
def test_leaving_asks_is_announced_and_can_be_undone(visit: Callable[..., Page]) -> None:
    """The first chat message is marked too, even on a phone, where no tab is visible."""
    ann, bob = visit(), visit(width=390, height=844)
    table(ann, seats=[{"kind": "me"}, {"kind": "open"}])
    bob.goto(ann.url)
    take_a_seat(bob)
    ann.get_by_role("button", name="Start").click()
    bob.locator(".scene .board").wait_for()
    drawer, news = bob.locator("[data-drawer]"), re.compile("news")
    expect(drawer).not_to_have_class(news)
    ann.locator("#tab-chat").click()
    ann.get_by_placeholder("Say something").fill("Good luck")
    ann.get_by_role("button", name="Send").click()
    expect(drawer).to_have_class(news)
    drawer.click()
    bob.locator("#tab-chat").click()
    expect(drawer).not_to_have_class(news)
    ann.locator("#tab-about").click()
    leave = ann.get_by_role("dialog", name="Leave this table?")
    ann.get_by_role("button", name="Leave the game").click()
    check_access(ann, "leaving")
    leave.get_by_role("button", name="Stay").click()
    expect(leave).to_be_hidden()
    address = ann.url
    ann.get_by_role("button", name="Leave the game").click()
    leave.get_by_role("button", name="Leave", exact=True).click()
    ann.wait_for_url(re.compile("/$"))
    expect(bob.locator("[data-key=log]")).to_contain_text("Ann has left; a bot plays on.")
    expect(bob.locator('[data-key="seat-0"] > .clock')).to_have_text("bot plays")  # while it does
    ann.goto(address)
    ann.get_by_role("button", name="Sit down again").click()
    expect(ann.locator('[data-key="back"]')).to_have_count(0)
    expect(bob.locator("[data-key=log]")).to_contain_text("Ann is back.")
    expect(bob.locator(".seat > .clock")).to_have_count(0)


def test_the_result_over_the_board(visit: Callable[..., Page]) -> None:
    page = visit()
    name = table(page, name="W" * 24, seats=[{"kind": "me"}, {"kind": "here", "name": "W" * 23 + "M"}])
    page.goto(BARE)  # to follow a whole game takes a page some seconds
    page.evaluate(STOPPING, name)
    page.goto(f"/t/{name}")
    result = page.locator(".ending")
    expect(result.locator(".race")).to_be_visible()
    expect(result.locator(".why .clause")).to_have_count(0)  # the standings say who won with what
    for width, height in ((1920, 1080), (1280, 800), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        settle(page)
        assert page.evaluate(CUT) == []
        assert page.evaluate(INSIDE) == 0
        assert page.evaluate(ROWS) == (2 if width == 390 else 1)
        lines, letters = result.locator("h1").evaluate(TITLE)
        assert lines == 1
        assert letters >= (12 if width == 390 else 16)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        (high, low), marks, lost = page.evaluate(NUMBERS)
        assert int(high.replace(",", "")) > int(low.replace(",", "").replace("−", "-"))
        assert (marks, lost) == (2, 0)
        if width >= 1280:
            beside, part = page.evaluate(READABLE)
            assert beside
            assert part > 0.45
    _whole_on_its_side(page)
    check_access(page, "result over the board")
    page.get_by_role("button", name="See the board").click()
    expect(result.locator(".race")).to_be_hidden()
    expect(result.get_by_role("button", name="Rematch")).to_be_visible()
    page.get_by_role("button", name="Result", exact=True).click()
    expect(result.locator(".race")).to_be_visible()
    page.get_by_role("link", name="Analyse").click()
    page.wait_for_url("**/replay?step=0")


@pytest.mark.whole
def test_the_result_of_six(visit: Callable[..., Page]) -> None:
    """It has all six with their scores, complete at every size; the buttons are in the window."""
    page = visit()
    seats = [{"kind": "me"}, *({"kind": "bot", "bot": "random"} for _ in range(5))]
    table(page, name="W" * 24, game="aces-and-faces", options={}, seats=seats)
    page.evaluate(FIRST)
    expect(page.locator(".ending .totals li")).to_have_count(6)
    for width, height in ((1920, 1080), (1280, 720), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        settle(page)
        assert page.evaluate(CUT) == []
        assert page.evaluate(INSIDE) == 0
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(NUMBERS)[1:] == [6, 0]
    _whole_on_its_side(page)


@pytest.mark.whole
def test_the_winner_sees_a_celebration_and_all_see_what_decided_it(visit: Callable[..., Page], games: Library) -> None:
    page = visit(base=games.server.url, reduced_motion="no-preference")
    page.add_init_script(CHEER)
    games.sit(page, "fortune", {}, 2, last=3)
    name = page.url.rpartition("/")[2]
    page.route("**/replay?step=*", lambda route: route.fulfill(status=503), times=1)  # the picture is asked for again
    page.evaluate(STOPPING, name)
    result = page.locator(".result.ending")
    expect(result).to_be_visible(timeout=60_000)  # the last moves have their motion
    page.wait_for_function(PICTURE)
    shown = page.evaluate(PICTURE)
    assert shown["inside"]  # all of it: a hand is at its lower edge
    assert shown["large"] > 0.9
    assert shown["keys"] == 1  # the page's own board
    assert shown["missing"] == shown["spare"] == []  # it has the drawings that it shows, and no others
    mood = result.get_attribute("data-mood")
    assert mood in ("won", "lost", "drawn")
    assert page.evaluate("window.cheers") == (mood == "won")


def test_those_who_won_and_those_who_lost_have_heads_of_their_own(visit: Callable[..., Page]) -> None:
    """A garland of the game's objects on its cloth, or one that has fallen. On a phone a press makes the picture as
    wide as the sheet, and another small."""
    people = [visit(width=390, height=844) for _ in range(2)]
    for page in people:
        page.goto(BARE)
    name, heads = finish_at_once(*people), {}
    for page in people:
        page.add_init_script(CHEER)
        page.goto(f"/t/{name}")
        result = page.locator(".result.ending")
        expect(result.locator(".race")).to_be_visible()
        assert result.locator("h1").evaluate(TITLE)[0] == 1
        heads[result.get_attribute("data-mood")] = [result.locator(".garland use").count(), *page.evaluate(PAINTS)]
    assert [heads["won"][0], heads["lost"][0]] == [10, 1]
    assert all(one != other for one, other in zip(heads["won"], heads["lost"], strict=True))
    page.wait_for_function(PICTURE)
    enlarge = page.get_by_role("button", name="Large board")
    for wide in (True, False):
        enlarge.click()
        expect(enlarge).to_have_attribute("aria-expanded", str(wide).lower())
        assert (page.evaluate(READABLE)[1] > 0.85) == wide
        assert page.evaluate(PICTURE)["inside"]
        assert page.evaluate(CUT) == []
    page.set_viewport_size({"width": 320, "height": 568})  # what is below the buttons there takes no press
    page.get_by_role("link", name="Another game").click(trial=True)
    page.get_by_role("link", name="See it in the replay").click()
    page.wait_for_url("**/replay?step=*")
