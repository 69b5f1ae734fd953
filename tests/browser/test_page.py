"""The pages' behaviour: motion, connection, themes, accessibility, size."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Page, expect

from parlour.core import html
from parlour.core.colours import portable
from parlour.games import all_games
from parlour.house.http.compression import packed
from parlour.house.site import files
from tests.browser.library import Library, name_of
from tests.browser.player import (
    GREEDY,
    NO_GUIDE,
    READY,
    STOP,
    check_access,
    from_menu,
    my_turn,
    over,
    picked,
    play_to_the_end,
    settle,
    table,
    version,
    wait_past,
    wait_until,
)  # fmt: skip
from tests.house.serving import Nursery

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
PROMPT = """(all) => [...all.childNodes].filter((x) => !x.matches?.(".clause")).map((x) => x.textContent).join("")"""


BAR = 28_000  # bytes of script before the first press, as they go over the wire
NAMED = ("theme", "table", "lobby", "replay", "rules", "me", "challenge", "house", "offline", "invited", "notice")
NAMED += (  # by pages, or by what they load
    "passkeys", "picture", "pin", "site", "sw", "edition", "playtest", "playtests", "today", "tournament",
    "tournaments", "puzzle", "folds",
)  # fmt: skip
LOADED = (
    """() => performance.getEntriesByType("resource").map(({ name }) => name).filter((one) => one.endsWith(".js"))"""
)


def test_every_script_is_loaded_somewhere_and_none_knows_a_game() -> None:
    """A script counts as loaded if pages name it, or a loaded one imports it, at once or later."""
    text = {name: path.read_text("utf-8") for name, path in files.SOURCES.items() if name.endswith(".js")}
    found, ahead = set(), {f"{name}.js" for name in NAMED}
    while ahead:
        found.add(name := ahead.pop())
        imports = re.findall(r"""(?:^import .*?|\bimport\()["']\./([\w-]+\.js)["']""", text[name], re.MULTILINE)
        ahead |= {*imports} - found
    assert found == {*text}
    every = "".join(text.values()).lower()
    for name, game in all_games().items():
        assert name not in every
        assert game.text.TITLE.lower() not in every


@cache
def packed_size(script: bytes) -> int:
    """Return the size of a script as the house sends it; most pages load the same, and to pack them takes seconds."""
    return len(packed(script, "br", best=True))


def weight(page: Page, script: str) -> int:
    """Return how many bytes of script the page has loaded without a press, including `script`, and what it would load
    in the background, which tests keep from the browser."""
    addresses = {*page.evaluate(LOADED), urljoin(page.url, "/sw.js")}
    sent = {one.rpartition("/")[2]: packed_size(page.request.get(one).body()) for one in addresses}
    assert {script, "theme.js", "ui.js", "sw.js"} <= {*sent}
    print(f"\n{sum(sent.values())} bytes with {script}: {dict(sorted(sent.items(), key=lambda one: -one[1]))}")
    return sum(sent.values())


def loads(page: Page, script: str) -> None:
    """Wait until the page has loaded `script`, however busy the machine is."""
    assert wait_until(page, lambda: f"/{script}" in str(page.evaluate(LOADED))), f"{script} was not loaded"


@pytest.mark.parametrize("width", [390, pytest.param(1280, marks=pytest.mark.whole)])
def test_the_scripts_of_a_page_are_light(visit: Visit, width: int) -> None:
    """They are counted as the house serves them. At a first game the first steps open automatically; where a bot
    begins, what it does waits behind them, and is shown with its motion at any later game."""
    page = visit("/", guide=True, width=width, reduced_motion="no-preference")
    expect(page.locator(".tile").first).to_be_visible()
    assert weight(page, "lobby.js") <= BAR
    begun = set()
    while begun != {"me", "a bot"}:
        table(page)
        begun.add("me" if page.locator(".scene[data-turn=mine]").count() else "a bot")
        loads(page, "steps.js")
        expect(page.locator("#guide")).to_be_visible()
        assert weight(page, "table.js") <= BAR
        page.evaluate("localStorage.clear()")  # the next game is the first again
        assert "motion.js" not in str(page.evaluate(LOADED))
    page.evaluate(NO_GUIDE)
    table(page)
    while page.locator(".scene[data-turn=mine]").count():
        table(page)
    loads(page, "motion.js")
    assert weight(page, "table.js") <= BAR
    page.goto(f"/t/{play_to_the_end(page)}/replay")
    expect(page.locator("[data-key=analysis]")).to_be_visible()
    assert weight(page, "replay.js") <= BAR


@pytest.mark.whole
def test_the_die_that_was_tapped_is_the_one_that_tumbles(visit: Visit) -> None:
    """The rules use the first of equal dice; the page swaps them so that the tapped die is rolled."""
    page = visit(reduced_motion="no-preference")
    table(page)
    for _ in range(40):
        if not my_turn(page):
            page.goto("/")
            table(page)
            continue
        settle(page)
        dice = page.locator(".grid [data-part]")
        parts = dice.evaluate_all("(all) => all.map((one) => one.dataset.part)")
        later = [i for i, part in enumerate(parts) if part in parts[:i]]
        if later and len(set(parts)) > 1 and page.locator('[data-key="b-pick"][data-pick]').count():
            break
        before = version(page)
        page.locator(STOP).click()
        wait_past(page, before)
    other = next(i for i, part in enumerate(parts) if part != parts[later[-1]])
    for i in (later[-1], other):
        dice.nth(i).evaluate("(one) => { one.tapped = true; }")
        dice.nth(i).click()
    page.evaluate("""() => {
      const seen = (window.flown = new Set());
      new MutationObserver(() => {
        for (const one of document.querySelectorAll(".die.air")) seen.add(one.tapped === true);
      }).observe(document.querySelector(".scene"), {subtree: true, attributes: true, childList: true});
    }""")
    page.locator('[data-key="b-pick"][data-action]').click()
    page.wait_for_function("() => window.flown.size > 0")
    first = page.evaluate("[...window.flown][0]")
    assert first is True


@pytest.mark.whole
def test_under_reduced_motion_nothing_moves(visit: Visit) -> None:
    page = visit(reduced_motion="reduce")
    table(page)
    page.evaluate("""() => {
      window.moved = 0;
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (...rest) { window.moved++; return animate.apply(this, rest); };
    }""")
    for _ in range(3):
        my_turn(page)
        before = version(page)
        page.locator(STOP).click()
        wait_past(page, before)
    assert page.evaluate("window.moved") == 0


@pytest.mark.whole
def test_motion_never_holds_up_a_click(visit: Visit) -> None:
    page = visit(reduced_motion="no-preference")
    table(page, pace="normal")
    for _ in range(3):
        before = version(page)
        while not page.evaluate(READY):  # any motion can be cut short
            page.locator(".board").click(position={"x": 3, "y": 3}, force=True)  # a place without a link
            page.wait_for_timeout(30)
        page.locator(STOP).click(no_wait_after=True)
        wait_past(page, before)


@pytest.mark.whole
def test_a_restarted_server_is_announced_and_mended(visit: Visit, nursery: Nursery, tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'parlour.db'}"
    server = nursery.start(database=database)
    page = visit(base=server.url)
    table(page)
    my_turn(page)
    settle(page)
    before = version(page)
    board = page.locator(".board").inner_text()
    server.kill()
    expect(page.locator(".net")).to_be_visible()
    page.locator(STOP).click()  # without a server: it is sent again, once, when the server is back
    nursery.start(database=database, port=int(server.url.rsplit(":", 1)[1]))
    expect(page.locator(".net")).to_be_hidden()
    wait_past(page, before)
    my_turn(page)
    stops = page.locator('[data-key="log"] li', has_text="Ann stops").count()
    log = page.locator('[data-key="log"] li').all_inner_texts()
    assert len(set(page.locator('[data-key="log"] li').evaluate_all("(all) => all.map((x) => x.dataset.key)"))) == len(
        log
    )
    assert stops <= 1
    assert board


def test_the_theme_is_switched_and_kept(visit: Visit) -> None:
    page = visit("/", color_scheme="light")
    paper = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(paper)
    with page.expect_response("**/api/me/preferences"):  # it is kept at the house, and in the browser once it is
        from_menu(page, "Light or dark")
    dark = page.evaluate(paper)
    assert light != dark
    page.reload()
    assert page.evaluate(paper) == dark


@pytest.mark.slow
def test_axe_finds_nothing(visit: Visit, games: Library, size: Callable[[int, int], int]) -> None:
    page, both = visit("/", base=games.server.url), bool(size(0, 1))
    # Colours take axe as long as all the rest: in the suite it looks at those of the lobby and of a table alone.
    shapes: dict[str, Any] = {} if both else {"color-contrast": {"enabled": False}}
    check_access(page, "lobby", themes=both)
    if both:
        picked(page, "family-trade").get_by_role("button", name="More choices").click()
        check_access(page, "lobby, more choices", themes=True)
    table(page, seats=[{"kind": "me"}, {"kind": "link"}])
    check_access(page, "waiting", themes=both, **shapes)
    table(page, seats=[{"kind": "me"}, GREEDY, GREEDY])
    my_turn(page)
    check_access(page, "playing", themes=True)
    for tab in ("chat", "about") if both else ():
        page.locator(f"#tab-{tab}").click()
        check_access(page, tab, themes=True)
    page.goto(f"/t/{play_to_the_end(page) if both else name_of('fortune', {}, 2)}")
    assert over(page)
    if both:
        check_access(page, "over", themes=True)
    page.set_viewport_size({"width": 390, "height": 844})
    if both:
        check_access(page, "over, phone", themes=True)
    page.goto(page.url + "/replay?step=9")
    check_access(page, "replay", themes=both, **shapes)
    page.goto("/rules/fortune#FO-6")
    check_access(page, "rules", themes=both, **shapes)
    page.goto("/t/no-such-table")
    check_access(page, "error", themes=both, **shapes)


@pytest.mark.whole
def test_a_replay_is_only_looked_at(visit: Visit, size: Callable[[int, int], int]) -> None:
    """Positions in which the player had a decision offer no moves, and the prompt says what happened."""
    page = visit()
    finished = play_to_the_end(page)
    for step in (*range(0, 19, size(3, 1)), 19):
        page.goto(f"/t/{finished}/replay?step={step}")
        assert page.locator(".scene :is([data-action], [data-part], [data-shortcut], .act)").count() == 0
        prompt = page.locator(".prompt").evaluate(PROMPT).strip()
        assert "Your turn" not in prompt
        assert not step or prompt in page.locator('[data-key="log"] li').last.inner_text()
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**/replay?step=20")
    assert page.locator(".scene :is([data-action], [data-part], .act)").count() == 0


@pytest.mark.whole
def test_a_phone_shows_no_keys_and_is_clean_in_play(visit: Visit) -> None:
    page = visit(width=390, height=844, has_touch=True, is_mobile=True)
    table(page, seats=[{"kind": "me"}, *[GREEDY] * 3])
    my_turn(page)
    assert page.locator(".act kbd").count()
    expect(page.locator(".act kbd").first).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    check_access(page, "playing, phone")
    page.locator("[data-drawer]").tap()
    page.locator("#tab-about").tap()
    settle(page)
    check_access(page, "drawer, phone")


@pytest.mark.parametrize(
    "held", [STOP, ".acts", ""], ids=["a button has it", "the place of the buttons has it", "nothing has it"]
)
@pytest.mark.suite("a button has it")
def test_at_the_end_the_focus_goes_to_the_result(visit: Visit, games: Library, held: str) -> None:
    """Wherever the focus was, the next Tab goes to what can be done now."""
    page = visit(base=games.server.url)
    games.sit(page, "fortune", {}, 2, last=4)
    while my_turn(page):
        before = version(page)
        if held:
            page.locator(held).focus()
        page.keyboard.press("Enter" if held == STOP else page.locator(STOP).get_attribute("data-shortcut") or "")
        wait_past(page, before)
    expect(page.locator(".result h1")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator('[data-key="rematch"]')).to_be_focused()


def test_what_is_left_out_of_a_stylesheet_says_nothing(visit: Visit) -> None:
    """A browser reads the same rules from what is sent as from the source."""
    page = visit("/")
    read = """(text) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(text);
      const tight = (text) => text.replace(/\\s+/g, " ").replace(/([,:;{]) | (?=[;}])/g, "$1");
      return [...sheet.cssRules].map((rule) => tight(rule.cssText));
    }"""
    games = tuple(all_games().values())
    pairs = [(html.style(game), files.look_of(game)) for game in games]
    pairs.append(("".join(map(html.theme, games)), files.themes(games)))
    for name, path in files.SOURCES.items():
        if name.endswith(".css") and (sent := files.find(name)):
            first = html.look() if name == files.SHEET else ""
            pairs.append((first + portable(path.read_text("utf-8")), sent))
    for source, sent in pairs:
        rules = page.evaluate(read, source)
        assert rules, sent.name
        assert page.evaluate(read, sent.data.decode()) == rules, sent.name
        assert len(sent.data) < len(source), sent.name
