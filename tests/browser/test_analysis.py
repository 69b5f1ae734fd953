"""The graph of a finished game, and hints, as people use them: by mouse, by keyboard, on a phone."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.player import check_access, my_turn, picked, post, table, version, wait_past
from tests.house.serving import Nursery, Server

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
STOP = '[data-key="b-stop"][data-action]'


@pytest.fixture(scope="module")
def plain(nursery: Nursery, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start a server that compiles nothing and takes little time for an analysis."""
    database = f"sqlite:///{tmp_path_factory.mktemp('analysis') / 'parlour.db'}"
    server = nursery.start(database=database, engine="plain", analysis=2.0, fixtures=["kuhn"])
    yield server
    server.kill()


def kuhn(page: Page, *moves: str) -> str:
    """Play a game of Kuhn poker on one device to its end with these moves; return its id."""
    post(page, "/api/me", name="Ann")
    seats = [{"kind": "me"}, {"kind": "here", "name": "Bob"}]
    made = post(page, "/api/tables", game="kuhn", seats=seats)
    path = f"/api/tables/{made['id']}"
    for turn, move in enumerate(moves):
        post(page, f"{path}/lift", seat=turn % 2)
        now = page.evaluate("async (path) => (await (await fetch(path)).json()).table.version", path)
        post(page, f"{path}/moves", move=move, version=now)
    return str(made["id"])


@pytest.mark.whole
def test_what_is_drawn_needs_no_inline_style(visit: Visit, plain: Server) -> None:
    """The page's policy forbids it (then `watch` fails the test); marks are at the right places of the graph."""
    page = visit(base=plain.url)
    made = kuhn(page, "bet", "pass")
    page.goto(f"/t/{made}/replay?step=0")
    graph = page.locator(".analysis .graph")
    expect(page.locator(".judgements")).to_be_visible(timeout=30_000)
    assert page.locator(".analysis [style], style").count() == 0
    box = graph.bounding_box()
    assert box
    marks = page.locator(".start-mark[data-top], .dot[data-left][data-top]").all()
    assert len(marks) >= 2
    for mark in marks:
        for side, size in (("top", box["height"]), ("left", box["width"])):
            if said := mark.get_attribute(f"data-{side}"):
                found = mark.evaluate("(one, side) => parseFloat(getComputedStyle(one)[side])", side)
                assert found == pytest.approx(size * float(said) / 100, abs=0.5)


def test_the_graph_leads_to_the_blunder(visit: Visit, plain: Server) -> None:
    page = visit(base=plain.url, width=390, height=844)
    for _ in range(30):  # until Bob folds more than the jack
        made = kuhn(page, "bet", "pass")
        page.goto(f"/t/{made}/replay?step=0")
        expect(page.locator(".judgements")).to_be_visible(timeout=30_000)
        if page.locator(".dot.blunder").count():
            break
    blunder = page.locator(".dot.blunder")
    expect(blunder).to_have_attribute("aria-label", "Step 3: blunder of Bob")
    expect(blunder).to_contain_text("blunder")
    check_access(page, "analysis", themes=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    expect(page.locator(".judgements")).to_contain_text("No decision at this step")
    expect(page.locator(".judgements .holds")).to_be_visible()
    blunder.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/replay?step=3")
    expect(page.locator(".judgements")).to_contain_text("Blunder ?? Bob passes.")
    expect(page.locator(".judgements")).to_contain_text("Best: Bob bets.")
    expect(blunder).to_have_attribute("aria-current", "")
    line = page.locator(".graph .now")
    assert line.get_attribute("x1") == "75%"
    page.keyboard.press("ArrowLeft")
    page.wait_for_url("**/replay?step=2")
    expect(page.locator(".judgements")).to_contain_text("Ann bets.")
    expect(line).to_have_attribute("x1", "50%")
    page.locator(".graph").click(position={"x": 3, "y": 30})
    page.wait_for_url("**/replay?step=0")


@pytest.mark.whole
def test_an_analysis_that_fails_says_so_and_can_be_asked_for_again(visit: Visit, plain: Server) -> None:
    page = visit(base=plain.url)
    made = kuhn(page, "pass", "pass")
    broken = json.dumps({"error": {"code": "no-answer", "message": "We couldn't analyse this game: no luck."}})
    page.route("**/analysis", lambda route: route.fulfill(status=503, body=broken, content_type="application/json"))
    page.goto(f"/t/{made}/replay?step=1")
    state = page.locator(".analysis .state")
    expect(state).to_contain_text("couldn't analyse this game: no luck.")
    check_access(page, "no analysis")
    page.unroute("**/analysis")
    state.get_by_role("button", name="Try again").click()
    expect(page.locator(".judgements")).to_be_visible(timeout=30_000)


@pytest.mark.whole
def test_a_hint_is_asked_for_with_a_key_and_gone_with_the_position(visit: Visit, plain: Server) -> None:
    page = visit(base=plain.url, width=390, height=844)
    table(page, seats=[{"kind": "me"}, {"kind": "bot", "bot": "greedy"}])
    assert my_turn(page)
    expect(page.locator(".hints li")).to_have_count(0)
    page.keyboard.press("h")
    expect(page.locator(".hints li b").first).to_contain_text("%")
    assert 1 <= page.locator(".hints li").count() <= 3
    expect(page.locator(".hints")).to_contain_text("These chances are exact between perfect players.")
    assert page.locator(".hinted").count()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    check_access(page, "hint")
    page.get_by_role("button", name="Hint").click()  # closes it, as it may cover the board's lower edge
    expect(page.locator(".hints li")).to_have_count(0)
    expect(page.locator(".prompt")).to_be_visible()
    assert page.locator(".hinted").count()
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".hints li b").first).to_contain_text("%")
    before = version(page)
    page.locator(STOP).click()
    wait_past(page, before)
    expect(page.locator(".hints li")).to_have_count(0)
    expect(page.locator(".hinted")).to_have_count(0)
    other = post(page, "/api/tables", game="fortune", seats=[{"kind": "me"}, {"kind": "open"}])
    friend = visit(other["url"], base=plain.url)
    post(friend, f"/api/tables/{other['id']}/sit")
    post(page, f"/api/tables/{other['id']}/start")
    page.goto(other["url"])
    expect(page.locator("[data-hint]")).to_have_count(0)
    page.goto("/")
    picked(page, "fortune").get_by_role("button", name="More choices").click()
    expect(page.locator("#more-fortune").get_by_label("Hints")).to_be_visible()
