"""Games in a real browser: a whole one by mouse, the last parts of others by keyboard and on a phone, with friends."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.library import Library
from tests.browser.player import ENDED, my_turn, over, picked, post, settle, table, take_a_seat, version, wait_past
from tests.house.forging import ROYALE_SEATS, forge, royale
from tests.house.serving import Nursery

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
STOP, ROLL = '[data-key="b-stop"][data-action]', '[data-key="b-pick"][data-action]'
DICE = '.grid [data-part][aria-pressed="false"]'


def roll_two(page: Page) -> bool:
    """Choose two dice and roll them, if possible; return whether it was."""
    if page.locator(DICE).count() < 2 or page.locator('[data-key="b-pick"][data-pick]').count() == 0:
        return False
    for _ in range(2):
        page.locator(DICE).first.click()
    if page.locator(ROLL).count() == 0:
        return False
    page.locator(ROLL).click()
    return True


def play_on(page: Page, *, rolls: int = 4) -> int:
    """Play to the end with the mouse, rolling two dice again the first few times; return the number of decisions."""
    made = 0
    while my_turn(page):
        before = version(page)
        if made >= rolls or not roll_two(page):
            page.locator(STOP).click()
        made += 1
        wait_past(page, before)
        assert made < 200
    return made


@pytest.mark.slow
@pytest.mark.whole
def test_a_whole_game_by_mouse(visit: Visit) -> None:
    page = visit()
    table(page)
    assert play_on(page) > 3
    result = page.locator('[data-key="result"]')
    expect(result).to_contain_text(ENDED)
    expect(page.locator('[data-key="log"] li').last).to_contain_text(re.compile("wins|share"))
    page.get_by_text("Were the dice and cards fair?").click()
    expect(result).to_contain_text("parlour verify fortune-")
    finished = page.url.rsplit("/", 1)[1]
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_url(re.compile(f"/t/(?!{finished})"))
    assert not over(page)


@pytest.mark.slow
def test_a_game_by_keyboard_alone(visit: Visit, games: Library) -> None:
    page = visit(base=games.server.url)
    games.sit(page, "fortune", {}, 2, last=5)
    made = 0
    while my_turn(page):
        before = version(page)
        if made < 2 and page.locator('.grid [data-part][data-shortcut="7"]').count():
            for key in "78":
                page.keyboard.press(key)
        if page.locator(ROLL).count() and made < 2:
            page.keyboard.press(" " if made % 2 else "Enter")
        else:
            page.keyboard.press("s")
        made += 1
        wait_past(page, before)
    for _ in range(60):  # from here Tab leads to the replay, and there the arrows work
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "Analyse":
            break
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/replay"))
    page.keyboard.press("End")
    expect(page.locator("#at")).to_have_text(re.compile(r"(\d+) of \1"))
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#at")).to_have_text(re.compile("^1 of"))
    assert page.url.endswith("step=1")


def test_two_clicks_from_the_lobby_to_a_game(visit: Visit) -> None:
    page = visit("/")
    page.keyboard.press("Tab")
    for _ in range(20):
        if page.evaluate("document.activeElement.textContent.trim()") == "Play a bot":
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/t/"))
    expect(page.locator(".scene .board")).to_be_visible()


@pytest.mark.whole
def test_an_option_that_makes_no_difference_in_a_ruleset_is_not_offered_there(visit: Visit) -> None:
    page = visit("/")
    picked(page, "family-trade").get_by_role("button", name="More choices").click()
    game = page.locator("dialog.game-family-trade")
    honour, ruleset = game.locator('[name="option:honour_calls"]'), game.locator('[name="option:ruleset"]')
    expect(honour).to_be_visible()
    honour.select_option("on")
    ruleset.select_option("battle-royale")
    expect(honour).to_be_hidden()
    ruleset.select_option("god-of-the-market")
    expect(honour).to_be_visible()
    ruleset.select_option("battle-royale")
    game.get_by_role("button", name="Open the table").click()
    page.wait_for_url(re.compile("/t/"))
    expect(page.locator("dl.options").first).not_to_contain_text("false")


@pytest.mark.slow
@pytest.mark.whole
def test_a_game_on_a_phone(visit: Visit, games: Library) -> None:
    settings = {"has_touch": True, "is_mobile": True, "base": games.server.url}
    page = visit(width=390, height=844, **settings)
    games.sit(page, "fortune", {}, 2, last=5)
    my_turn(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    sizes = page.evaluate("[...document.querySelectorAll('.board .die, .acts .act')].map((x) => x.offsetHeight)")
    assert min(sizes) >= 40, sizes
    bar = page.locator(".bar").bounding_box()
    assert bar is not None
    assert bar["y"] + bar["height"] <= 845
    play_on(page, rolls=1)
    expect(page.locator('[data-key="result"]')).to_be_in_viewport()
    page.get_by_role("button", name="See the board").click()
    page.get_by_role("button", name="Log").click()
    expect(page.locator("#panel-log")).to_be_in_viewport()
    page.get_by_role("button", name="Close").click()
    expect(page.locator("#panel-log")).not_to_be_in_viewport()


@pytest.mark.whole
def test_a_friend_joins_by_the_link_and_a_stranger_watches(visit: Visit) -> None:
    ann, bob, eve = (visit() for _ in range(3))
    table(ann, seats=[{"kind": "me"}, {"kind": "open"}])
    expect(ann.locator('[data-key="room"]')).to_contain_text("Waiting for 1 more player")
    post(bob, "/api/me", name="Bob")
    bob.goto(ann.url)
    take_a_seat(bob)
    expect(ann.locator('[data-key="room"]')).to_contain_text("Bob")
    ann.get_by_role("button", name="Start").click()
    eve.goto(ann.url)
    for _ in range(4):
        for page in (ann, bob):
            expect(page.locator('[data-key="room"]')).to_have_count(0)
        page = ann if _decides(ann) else bob
        my_turn(page)
        before = version(page)
        page.locator(STOP).click()
        wait_past(page, before)
    logs = []
    for page in (ann, bob, eve):
        page.wait_for_function("(n) => document.querySelectorAll('[data-key=log] li').length >= n", arg=12, polling=40)
        settle(page)
        logs.append(page.locator('[data-key="log"] li').all_inner_texts()[:12])
    assert logs[0] == logs[1] == logs[2]
    expect(eve.locator(".acts button")).to_have_count(0)
    assert eve.locator(".board [data-part]").count() == 0
    bob.locator("#tab-chat").click()
    bob.get_by_label("Say something").fill("<b>well played</b>")
    bob.keyboard.press("Enter")
    ann.locator("#tab-chat").click()
    expect(ann.locator("#panel-chat")).to_contain_text("<b>well played</b>")


def _decides(page: Page) -> bool:
    """Return whether it is this person's turn by the server."""
    path = "/api/tables/" + str(page.get_attribute("main", "data-table"))
    return bool(page.evaluate("async (path) => (await (await fetch(path)).json()).legal.length > 0", path))


@pytest.mark.whole
def test_two_tabs_of_one_person_agree(visit: Visit) -> None:
    first = visit()
    table(first)
    second = visit(first.url, friend_of=first)
    for page, other in ((first, second), (second, first)):
        my_turn(page)
        before = version(page)
        page.locator(STOP).click()
        wait_past(page, before)
        my_turn(other)
        my_turn(page)
        settle(page)
        settle(other)
        assert page.locator(".board").inner_text() == other.locator(".board").inner_text()


def test_a_name_is_text_never_markup(visit: Visit) -> None:
    page = visit()
    table(page, name="<b id=x>Bo</b>&amp;")
    expect(page.locator('[data-key="own"] .name')).to_contain_text("<b id=x>Bo</b>&amp;")
    assert page.locator("#x").count() == 0
    post(page, "/api/tables", game="fortune", seats=[{"kind": "me"}, {"kind": "open"}], public=True)
    other = visit()
    other.goto("/")
    expect(other.locator("main")).to_contain_text("<b id=x>Bo</b>&amp;")
    assert other.locator("#x").count() == 0


def test_what_cannot_be_used_says_why_with_the_clause(visit: Visit) -> None:
    page = visit()
    table(page)
    my_turn(page)
    if page.locator(ROLL).count() == 0 and page.locator('[data-key="b-pick"][data-pick]').count():
        page.locator('[data-key="b-pick"]').click(force=True)
        reason = page.locator('[data-key="reason"]')
        expect(reason).to_contain_text("FO-")
        reason.locator("a.clause").click()
        expect(page.locator("#clause")).to_be_visible()
        expect(page.locator("#clause .words")).not_to_be_empty()
        page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_contain_text("Stop")


@pytest.mark.whole
def test_who_is_asked_in_secret_sees_the_question_its_time_and_then_their_answer(
    visit: Visit, nursery: Nursery, tmp_path: Path
) -> None:
    """All their windows show it at once, though it is not a step of the game; and its result when the time is over."""
    settings: dict[str, Any] = {"database": f"sqlite:///{tmp_path}/parlour.db", "patience": 5.0}
    server = nursery.start(**settings)
    ann, bob = visit(base=server.url), visit(base=server.url)
    game = table(ann, **ROYALE_SEATS, seats=[{"kind": "me"}, {"kind": "open"}])
    post(bob, "/api/me", name="Bob")
    post(bob, f"/api/tables/{game}/sit")
    post(ann, f"/api/tables/{game}/start")
    server.kill()
    match = royale("1 oil 1 shrimp", "2 gold")
    forge(tmp_path / "parlour.db", game, match)
    again = nursery.start(**settings)
    for page in (ann, bob):
        page.goto(f"{again.url}/t/{game}")
    tab = visit(f"{again.url}/t/{game}", friend_of=bob)
    post(ann, f"/api/tables/{game}/moves", move="discard gold", version=match.version)
    for page in (bob, tab):
        expect(page.locator(".prompt")).to_contain_text("Take Ann's Gold? You have 5 seconds.")
    expect(bob).to_have_title("Family Trade")  # a neighbour may see it
    before = version(bob)
    bob.keyboard.press("p")
    for page in (bob, tab):
        expect(page.locator(".prompt")).to_contain_text("You let it lie. The game continues in a moment.")
        expect(page.locator('[data-action="take"]')).to_have_count(0)
    assert version(bob) == before
    expect(ann.locator(".prompt")).to_contain_text("Bob draws a card.")
    wait_past(bob, before)
    expect(bob.locator('[data-key="log"]')).to_contain_text("You let it lie.")
    expect(bob.locator(".prompt")).to_contain_text("Your turn")
    assert "let it lie" not in ann.content()
