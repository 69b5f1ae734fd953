"""The replay of a finished game of every kind: what is visible in windows of each size."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from parlour.analysis.shapes import Shape
from parlour.house.analysis.jobs import WAY
from parlour.house.analysis.rows import keep_analysis
from tests.browser.measures import LAPPED, OVERLAPS
from tests.browser.player import BARE, check_access, post
from tests.browser.test_drawing import LINE
from tests.house.played import every_ruleset, made_up, played
from tests.house.serving import Nursery, Server
from tests.house.shelf import Shelf

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
SHAPES = list(every_ruleset())
SUITE = [one for one in SHAPES if one is SHAPES[0] or one.game.name == "gatsby"]  # which the suite looks at
BY_ROOM = ("gatsby", "aces-and-faces")  # games whose board is laid out by the height that a replay has for it
READABLE = 0.7  # how much smaller an upright phone may draw a board, with the most players

# The boxes of the page's main parts, and whether anything on the board is outside the window or its own scroll.
LOOK = """() => {
  const PARTS = ["main", ".scene", ".board", ".bar", ".controls", ".graph", ".judgements"];
  const box = (selector) => {
    const { left, top, right, bottom, width, height } = document.querySelector(selector).getBoundingClientRect();
    return { left, top, right, bottom, width, height };
  };
  const scene = document.querySelector(".scene"), root = document.documentElement;
  const pieces = [...document.querySelectorAll(".board, .board [data-key]")].filter((one) => one.checkVisibility());
  return {
    ...Object.fromEntries(PARTS.map((one) => [one, box(one)])),
    hidden: Math.max(scene.scrollHeight - scene.clientHeight, scene.scrollWidth - scene.clientWidth),
    page: [root.scrollWidth - innerWidth, root.scrollHeight - innerHeight],
    outside: pieces.filter((one) => {
      const { right, bottom, width, height } = one.getBoundingClientRect();
      return width && height && (right > innerWidth + 1 || bottom > innerHeight + 1);
    }).map((one) => one.dataset.key ?? "board"),
  };
}"""

# The lengths of a step's words at which its rule covers some of them
COVERED = """() => {
  const prompt = document.querySelector(".prompt"), rule = prompt.querySelector(".clause");
  const range = document.createRange();
  for (const one of [...prompt.childNodes]) if (one !== rule) one.remove();
  const words = new Text();
  prompt.prepend(words);
  range.selectNodeContents(rule);
  return Array.from({ length: 70 }, (_, i) => i + 20).filter((long) => {
    words.data = "Anne Bonny rallies ".repeat(9).slice(0, long);
    const lines = document.createRange(), on = range.getBoundingClientRect();
    lines.selectNodeContents(words);
    return [...lines.getClientRects()].some((line) => Math.min(line.right, on.right) - Math.max(line.left, on.left) > 1
      && Math.min(line.bottom, on.bottom) - Math.max(line.top, on.top) > 1);
  });
}"""
# Whether the board fits its scene, or is as small as it may be, and scrolls
FITS = """() => {
  const scene = document.querySelector(".scene"), board = document.querySelector(".board");
  const tall = document.querySelector("main").getBoundingClientRect().width === innerWidth;
  return tall && (scene.scrollHeight - scene.clientHeight <= 1 || board.style.zoom === "0.5");
}"""
# One word more on the board
WORD = """() => {
  const place = document.querySelector(".scene .board .words"), word = document.createElement("span");
  document.body.offsetHeight;
  word.textContent = "w";
  place.append(word);
  document.body.offsetHeight;
  word.remove();
}"""
LINES = 12  # of text that are laid out for it at most; a board that is laid out in two sizes has all of its lines


# Where the parts of the page are that an analysis may not move
PLACES = """() => Object.fromEntries([".scene", ".controls", ".players", ".graph", ".drawer"].map((one) => {
  const { left, top, width, height } = document.querySelector(one).getBoundingClientRect();
  return [one, [left, top, width, height].map(Math.round)];
}))"""
# By how much what one reads ends below its box
CUT = "(one) => one.getBoundingClientRect().bottom - one.closest('.judgements').getBoundingClientRect().bottom - 1"
FULL = {"error": {"code": "busy", "message": "Many games are being analysed right now. Please try again in a minute."}}


def name_of(shape: Shape) -> str:
    return f"{shape.game.name}-{shape.ruleset}".strip("-")


@pytest.fixture(scope="module")
def library(
    nursery: Nursery, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Server]:
    """Start a server with a finished and analysed game of every ruleset that is looked at."""
    database = f"sqlite:///{tmp_path_factory.mktemp('replay') / 'parlour.db'}"

    async def fill() -> None:
        async with Shelf(database) as shelf:
            for shape in SHAPES if request.config.getoption("--whole") else SUITE:
                match = played(shape)
                await shelf.put(name_of(shape), match)
                judged = msgspec.to_builtins(made_up(match))
                work = partial(keep_analysis, table_id=name_of(shape), rules=match.game.rules.VERSION, way=WAY)
                await shelf.store.do(partial(work, judgements=judged))

    with ThreadPoolExecutor(1) as elsewhere:  # Playwright already runs a loop in this thread
        elsewhere.submit(asyncio.run, fill()).result()
    server = nursery.start(database=database, engine="plain")
    yield server
    server.kill()


def shown(page: Page) -> None:
    """Wait for the board and its analysis."""
    expect(page.locator(".judgements")).to_be_visible()
    expect(page.locator(".scene .board")).to_be_visible()


@pytest.mark.whole
def test_all_that_leads_to_the_rules_opens_them_at_the_ruleset(visit: Visit, library: Server) -> None:
    """Check a finished table with its result, and its replay."""
    page = visit("/", base=library.url)
    for shape in SHAPES:
        opens = f"/rules/{shape.game.name}{f'?ruleset={shape.ruleset}' if shape.ruleset else ''}"
        for path in ("", "/replay?step=40"):
            html = page.request.get(f"/t/{name_of(shape)}{path}").text()
            links = re.findall(r'href="(/rules/[^"#]*)', html)
            assert {*links} == {opens}, (name_of(shape), path)
        assert '<p class="why">' in page.request.get(f"/t/{name_of(shape)}").text()


@pytest.mark.parametrize("shape", SHAPES, ids=name_of)
@pytest.mark.suite("gatsby*")
def test_the_board_and_the_graph_are_seen_together(visit: Visit, library: Server, shape: Shape) -> None:
    page = visit(f"/t/{name_of(shape)}/replay?step=40", base=library.url)
    shown(page)
    last = int(page.get_attribute("main", "data-last") or 0)
    for step in (40, last):
        if step == last:
            page.keyboard.press("End")
            page.wait_for_url(f"**/replay?step={last}")
        for width, height in ((1280, 800), (1920, 1080)):
            page.set_viewport_size({"width": width, "height": height})
            seen: dict[str, Any] = page.evaluate(LOOK)
            where = name_of(shape), step, width, seen
            assert max(seen["page"]) <= 0, where
            assert seen["hidden"] <= 1, where
            assert not seen["outside"], where
            for part in seen.keys() - {"hidden", "page", "outside"}:
                assert seen[part]["bottom"] <= height, where
                assert seen[part]["right"] <= width, where
                assert min(seen[part]["left"], seen[part]["top"]) >= 0, where
            assert seen["main"]["width"] == width, where
            assert seen[".board"]["width"] >= 0.65 * width, where
            assert seen[".board"]["height"] >= 0.7 * height, where
        for width, height in ((390, 844), (360, 740), (844, 390)):
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("scrollTo(0, 0)")
            page.wait_for_function(FITS)  # soon after the window has changed
            seen = page.evaluate(LOOK)
            where = name_of(shape), step, width, seen
            assert seen["page"][0] <= 0, where
            least = page.locator(".board").evaluate("(one) => one.style.zoom === '0.5'")  # it scrolls instead
            assert seen["hidden"] <= 1 or least, where
            assert not seen["outside"] or least, where
            for part in (".scene", ".graph", ".judgements", ".controls"):
                assert seen[part]["bottom"] <= height, (part, where)
                assert min(seen[part]["left"], seen[part]["top"]) >= 0, (part, where)
            assert seen[".board"]["width"] >= (0.45 if width > height else 0.5) * width, where
            zoom = page.locator(".board").evaluate("(one) => Number(one.style.zoom || 1)")
            assert zoom >= READABLE or width > height, (zoom, where)
            if shape.game.name == "facets-of-fortune" and width < height:
                assert zoom >= 0.85, (zoom, where)  # with four players; with three it is full size
            if name_of(shape) in BY_ROOM and width < height:
                assert page.locator(".board").evaluate("(one) => one.style.zoom") == "", where
                assert not page.evaluate(LAPPED), where
                assert not page.evaluate(OVERLAPS), where
            page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
            if width < height:
                page.locator("[data-step=next], [data-step=back]").first.click(trial=True)  # in reach from the log
    if shape is min(SHAPES, key=lambda one: one.game.facts.longest):  # the page is the same, and axe reads every line
        check_access(page, name_of(shape))


@pytest.mark.parametrize("shape", [one for one in SHAPES if name_of(one) in BY_ROOM], ids=name_of)
@pytest.mark.suite("gatsby*")
def test_a_board_that_has_its_size_from_its_room_is_laid_out_once(
    visit: Visit, library: Server, browser: Browser, shape: Shape
) -> None:
    """And still grows and shrinks with its room."""
    page = visit(f"/t/{name_of(shape)}/replay?step=40", base=library.url, width=390, height=844)
    shown(page)
    heights = []
    for high in (844, 780, 844):
        page.set_viewport_size({"width": 390, "height": high})
        page.wait_for_function(f"() => innerHeight === {high}")
        page.wait_for_function("() => document.querySelector('.board').style.height !== ''")
        page.wait_for_function(FITS)
        heights.append(page.locator(".board").evaluate("(one) => Math.round(one.getBoundingClientRect().height)"))
        assert page.locator(".scene").evaluate("(one) => one.scrollHeight - one.clientHeight") <= 1
    assert heights[0] == heights[2] > heights[1] + 50
    browser.start_tracing(page=page, categories=["blink"])
    page.evaluate(WORD)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    assert 1 <= sum(one["name"] == LINE for one in events) < LINES


@pytest.mark.parametrize("shape", [max(SHAPES, key=lambda one: one.game.facts.longest)], ids=name_of)
@pytest.mark.whole
def test_a_step_asks_for_nothing_that_was_fetched_ahead(visit: Visit, library: Server, shape: Shape) -> None:
    page = visit(f"/t/{name_of(shape)}/replay?step=30", base=library.url)
    asked: list[str] = []
    came: list[str] = []
    page.on("request", lambda request: "/api/tables/" in request.url and asked.append(request.url))
    page.on("requestfinished", lambda request: came.append(request.url))
    page.goto(f"/t/{name_of(shape)}/replay?step=30")
    shown(page)

    def fetched(*firsts: int) -> None:
        for first in firsts:
            while not any(f"replay?step={first}&until=" in url for url in came):
                page.wait_for_timeout(10)

    fetched(24, 36, 12)
    asked.clear()
    steps = [*range(31, 36), *range(34, 23, -1)]
    for before, at in pairwise([30, *steps]):
        page.keyboard.press("ArrowRight" if at > before else "ArrowLeft")
        expect(page.locator("#at")).to_have_text(re.compile(rf"^{at} of"))
    assert not asked  # so no step needed a request
    page.keyboard.press("ArrowLeft")  # into prefetched steps; now the steps before them are fetched
    page.wait_for_url("**/replay?step=23")
    fetched(0)
    assert all("&until=" in url for url in asked), asked
    lines = page.locator("#panel-log li").count()
    page.goto(f"/t/{name_of(shape)}/replay?step=23")
    assert page.locator("#panel-log li").count() == lines  # lines are removed one by one, to the same as a new log


def test_the_rule_of_a_step_covers_none_of_its_words(visit: Visit, library: Server) -> None:
    page = visit(f"/t/{name_of(SUITE[-1])}/replay?step=40", base=library.url)
    shown(page)
    for width in (1280, 1920):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(COVERED) == [], width


@pytest.mark.whole
def test_keys_and_speed(visit: Visit, library: Server) -> None:
    path = f"/t/{name_of(SHAPES[0])}/replay?step=0"
    page = visit(path, base=library.url)
    shown(page)
    marks = sorted(int(dot.get_attribute("data-go") or 0) for dot in page.locator("[data-go]").all())
    here = page.locator("#at")
    for key, wanted in (("n", marks[0]), ("n", marks[1]), ("p", marks[0]), ("Home", 0), ("ArrowRight", 1)):
        page.keyboard.press(key)
        expect(here).to_have_text(re.compile(rf"^{wanted} of"))
    page.keyboard.press("+")
    page.keyboard.press("+")
    page.keyboard.press("+")
    expect(page.locator("#speed")).to_have_value("4")
    page.goto(path)
    expect(page.locator("#speed")).to_have_value("4")  # stored
    page.keyboard.press("-")
    expect(page.locator("#speed")).to_have_value("2")
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_contain_text("next, previous error (?!, ? or ??)")
    page.keyboard.press("ArrowRight")  # belongs to the dialog
    page.keyboard.press("Escape")
    expect(here).to_have_text(re.compile("^0 of"))
    page.keyboard.press(" ")
    expect(page.locator("[data-play]")).to_have_attribute("aria-pressed", "true")
    expect(here).to_have_text(re.compile(r"^([3-9]|\d\d+) of"))
    page.keyboard.press(" ")
    expect(page.locator("[data-play]")).to_have_attribute("aria-pressed", "false")


@pytest.mark.parametrize(("width", "height"), [(390, 844), (667, 375)])
def test_a_long_verdict_is_whole_with_a_press(visit: Visit, library: Server, width: int, height: int) -> None:
    page = visit(BARE, base=library.url, width=width, height=height)
    table = name_of(SUITE[-1])
    post(page, f"/api/tables/{table}/analysis")
    page.goto(f"/t/{table}/replay?step=0")
    said = page.locator(".judgements")
    note = said.locator("[data-at]").first
    note.locator("p").last.evaluate("(one) => one.append(' word'.repeat(70))")
    at = str(note.get_attribute("data-at"))
    while page.locator("#at").inner_text().split()[0] != at:
        page.keyboard.press("ArrowRight")
    page.locator(".judgements[data-long]").wait_for()
    places = page.evaluate(PLACES)
    box = said.bounding_box()
    assert box
    page.mouse.click(box["x"] + 20, box["y"] + 10)
    assert said.evaluate("(one) => one.scrollHeight <= one.clientHeight + 1")
    whole = said.bounding_box()
    assert whole
    assert 0 <= whole["y"] < box["y"]
    assert page.evaluate(PLACES) == places, "it is over the rest"
    page.locator(".replay .board").click(position={"x": 5, "y": 5})
    assert said.bounding_box() == box


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844), (667, 375)])
def test_an_analysis_moves_nothing_when_it_comes(visit: Visit, library: Server, width: int, height: int) -> None:
    """The turns of the game are there before it is analysed, while others are, and if it is refused."""
    page = visit(BARE, base=library.url, width=width, height=height)
    table = name_of(SUITE[-1])
    whole = post(page, f"/api/tables/{table}/analysis")
    waits = {"status": "waiting", "done": 0, "total": 0, "ahead": 2, "html": "", "decisions": []}
    answers: list[dict[str, Any]] = []
    page.route("**/analysis*", lambda route: route.fulfill(**answers[0]))
    seen = []
    for answer, words in (
        ({"json": waits}, "Waiting for 2 other analyses."),
        ({"json": waits | {"total": 40, "done": 1, "ahead": 0, "left": 31}}, "1 of 40. About 40 s left."),
        ({"json": FULL, "status": 503}, FULL["error"]["message"]),
    ):
        answers[:] = [answer]
        page.goto(f"/t/{table}/replay?step=40")
        expect(page.locator(".analysis .state")).to_contain_text(words)
        assert page.locator(".graph path.turns").count() == 2
        assert page.locator(".graph .now").get_attribute("x1") != "0%"
        seen.append(page.evaluate(PLACES))
    again = page.get_by_role("button", name="Try again")
    expect(again).to_be_in_viewport(ratio=1)
    answers[:] = [{"json": whole}]
    again.evaluate("(one) => one.click()")
    expect(page.locator(".judgements")).to_be_visible()
    assert page.locator(".graph path.turns").count() == 0
    assert seen == [page.evaluate(PLACES)] * 3
    if width == 1280:  # a verdict with its reason needs no scrolling
        assert page.locator(".judgements li:not([hidden])").first.evaluate(CUT) <= 0


# Whether a line is in the place of those that happened, and whether only a part of it is
IN_PLACE = "(one) => one.getBoundingClientRect().left < one.parentElement.getBoundingClientRect().right - 1"
HALF = "(one) => one.getBoundingClientRect().bottom > one.parentElement.getBoundingClientRect().bottom + 4"


def waits_for_analysis(page: Page, step: int) -> Callable[[], None]:
    """Open a replay whose analysis waits for another; return what lets it be there."""
    table = name_of(SUITE[-1])
    whole = post(page, f"/api/tables/{table}/analysis")
    answers: list[dict[str, Any]] = [{"status": "waiting", "done": 0, "total": 0, "ahead": 1, "html": ""}]
    page.route("**/analysis*", lambda route: route.fulfill(json=answers[-1]))
    page.goto(f"/t/{table}/replay?step={step}")
    return lambda: answers.append(whole)


def test_a_phone_says_what_happened_and_which_errors_there_are(visit: Visit, library: Server) -> None:
    page = visit(BARE, base=library.url, width=390, height=844)
    done = waits_for_analysis(page, 40)
    last = page.locator("[data-key=log] > li").last.locator(":scope > span").inner_text()
    lines = page.locator(".doing .happened > span")
    expect(lines.first).to_have_text(last)
    shown = [one for one in range(lines.count()) if lines.nth(one).evaluate(IN_PLACE)]
    assert len(shown) > 1  # what happened before has the room of the verdicts that are still to come
    assert not any(lines.nth(one).evaluate(HALF) for one in shown)
    after, note = page.get_by_role("button", name="Next error"), page.locator(".controls .reason")
    after.dispatch_event("click")
    expect(note).to_have_text("Errors are marked when the analysis is done.")
    done()
    page.locator(".judgements").wait_for()
    marked = page.locator(".graph [data-go]").count()
    page.locator("#step").press("Home")
    for _ in range(marked):
        expect(after).not_to_have_attribute("aria-disabled", "true")
        at = page.locator("#at").inner_text()
        after.click()
        expect(page.locator("#at")).not_to_have_text(at)
    expect(after).to_have_attribute("aria-disabled", "true")
    after.dispatch_event("click")
    expect(note).to_have_text("No error is marked after this step.")
    page.locator("#step").press("End")
    last = page.locator("[data-key=log] > li").last.locator(":scope > span").inner_text()
    expect(page.locator(".none .happened")).to_have_text(last)


@pytest.mark.whole
def test_the_graph_grows_while_it_is_worked_out(visit: Visit, library: Server) -> None:
    """The test sends the server's intermediate answers, because the games here are already analysed."""
    page = visit(BARE, base=library.url)
    table = name_of(SHAPES[0])
    whole = post(page, f"/api/tables/{table}/analysis")
    part = whole | {
        "status": "working", "done": 5, "total": 9, "left": 5, "decisions": [],
        "html": whole["html"].partition('<div class="judgements"')[0] + '<p class="state" role="status"></p>',
    }  # fmt: skip
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(json=part if len(asked) < 3 else whole)

    page.route("**/analysis*", answer)
    page.goto(f"/t/{table}/replay?step=3")
    expect(page.locator(".analysis .state")).to_have_text("Decisions analysed: 5 of 9. A few seconds left.")
    expect(page.locator(".analysis .graph")).to_be_visible()
    expect(page.locator("[data-chance]").first).to_contain_text("%")
    expect(page.locator(".judgements")).to_be_visible()
    expect(page.locator(".analysis .state")).to_have_count(0)
    assert [url.partition("?")[2] for url in asked] == ["", "since=5", "since=5"]


def test_what_is_known_is_there_before_the_analysis_and_the_log_with_a_press(visit: Visit, library: Server) -> None:
    """On a desk: who won and the step that decided it, then what cost most. On a phone the log is over the analysis."""
    page = visit(BARE, base=library.url, width=1280, height=800)
    done = waits_for_analysis(page, 0)
    expect(page.locator(".known")).to_contain_text(re.compile("win"))
    decided = page.locator(".known a")
    at = decided.inner_text().removeprefix("Step ")
    decided.click()
    expect(page.locator("#at")).to_have_text(re.compile(f"^{at} of "))
    page.locator("#step").press("Home")
    done()
    page.locator(".judgements").wait_for()
    assert page.locator(".worst a").count() == min(4, page.locator(".graph .dot").count())
    for width, height in ((390, 844), (667, 375)):
        page.set_viewport_size({"width": width, "height": height})
        log, button = page.locator("#panel-log"), page.get_by_role("button", name="Log", exact=True)
        button.click()
        expect(log).to_be_in_viewport(ratio=1)
        expect(page.locator("[data-play]")).to_be_in_viewport(ratio=1)
        page.keyboard.press("Escape")
        expect(button).to_have_attribute("aria-expanded", "false")
