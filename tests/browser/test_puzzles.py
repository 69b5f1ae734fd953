"""Puzzles in a browser: a press or a key is an answer, and the page says at once what it was worth."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from parlour.core.puzzle import Collection, Puzzle, puzzles_of
from parlour.games import find
from tests.browser.player import check_access

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]


def every() -> Collection:
    found = puzzles_of(find("fortune"))
    assert found is not None
    return found


def one_with(best: str) -> Puzzle:
    """Return a puzzle whose best decision begins so."""
    return next(one for one in every().puzzles if one.best.startswith(best))


def at(one: Puzzle) -> str:
    return f"/puzzles/fortune?key={one.key}"


def test_from_the_lobby_to_the_daily_puzzle_and_the_next(visit: Visit) -> None:
    page = visit("/", width=390, height=844)
    page.get_by_role("link", name="Daily puzzle").click()
    expect(page.get_by_role("heading", name="Daily puzzle")).to_be_visible()
    page.get_by_role("link", name="Puzzles", exact=True).click()
    expect(page.get_by_role("heading", name="Puzzles", exact=True)).to_be_visible()
    check_access(page, "the list of puzzles")
    page.locator(".dailies").get_by_role("link", name="Fortune", exact=True).click()
    page.wait_for_url("**/puzzles/fortune?key=*")


APART = """() => {
  const [head, plates, board] = [".puzzle-head", ".seats", ".board"]
    .map((one) => document.querySelector(one).getBoundingClientRect());
  return head.bottom <= plates.top + 1 && (head.bottom <= board.top + 1 || head.left >= board.right - 1);
}"""


@pytest.mark.parametrize(("width", "height"), [(360, 740), (1280, 800), (844, 390), (667, 375)])
@pytest.mark.suite("360-740")
def test_a_press_is_an_answer_and_what_it_was_worth_is_said(visit: Visit, width: int, height: int) -> None:
    one = one_with("stop")
    page = visit(at(one), width=width, height=height)
    expect(page.get_by_role("button", name="Stop")).to_be_in_viewport()
    assert page.evaluate(APART), "the head is over neither a player nor the board"
    assert one.values[1].move not in json.dumps(page.evaluate("document.body.dataset"))
    if width == 360:
        check_access(page, "a puzzle, phone")
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("heading", name="Right!")).to_be_in_viewport()
    expect(page.locator(".changes")).to_contain_text("(+")
    expect(page.get_by_role("link", name="Next puzzle")).to_be_in_viewport()
    expect(page.locator(".worth tr.best")).to_contain_text("yours")
    expect(page.locator(".scene [data-action]")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if width == 360:
        check_access(page, "a solved puzzle, phone")
    page.reload()  # the address has the key
    expect(page.get_by_text("You have solved it before")).to_be_visible()


@pytest.mark.whole
def test_the_better_decision_is_ringed_on_the_board(visit: Visit) -> None:
    one = one_with("re-roll")
    page = visit(at(one), width=1280, height=800)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("heading", name="Not the best")).to_be_visible()
    expect(page.locator(".board .better")).to_have_count(len(one.best.split()) - 1)
    page.get_by_role("link", name="Next puzzle").click()
    page.wait_for_url("**/puzzles/fortune?key=*")
    assert one.key not in page.url


@pytest.mark.whole
def test_parts_are_chosen_and_sent_together_with_the_keys_of_the_table(visit: Visit) -> None:
    one = one_with("re-roll")
    page = visit(at(one), width=1280, height=800)
    for die in one.best.split()[1:]:
        page.keyboard.press(die)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Right!")).to_be_visible()
    page.keyboard.press("n")
    page.wait_for_url(lambda url: one.key not in url)


@pytest.mark.whole
def test_show_the_answer_and_what_happened_before(visit: Visit) -> None:
    one = one_with("stop")
    page = visit(at(one), width=1280, height=800)
    expect(page.get_by_text("What happened before")).to_be_visible()
    page.get_by_role("button", name="Show answer").click()
    expect(page.get_by_role("heading", name="The answer")).to_be_visible()
    expect(page.get_by_role("button", name="Show answer")).to_be_hidden()
    page.keyboard.press("s")  # nothing can be pressed any more
    expect(page.locator(".worth tr.best")).not_to_contain_text("yours")


def test_a_move_that_is_not_possible_says_why_and_does_not_count(visit: Visit) -> None:
    one = one_with("re-roll")
    page = visit(at(one), width=1280, height=800)
    page.locator("[data-key=b-pick]").click(force=True)  # it is disabled, and says why
    expect(page.locator(".scene .reason")).not_to_be_empty()
    expect(page.locator(".verdict")).to_be_hidden()


def test_on_a_phone_on_its_side_its_head_is_beside_the_board(visit: Visit) -> None:
    page = visit(at(one_with("stop")), width=667, height=375)
    page.locator(".scene .board").wait_for()
    for width, height in ((667, 375), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        board, head = (page.locator(one).bounding_box() for one in (".scene .board", ".puzzle-head"))
        assert board
        assert head
        assert head["x"] >= board["x"] + board["width"], (width, board, head)


COVERED = """() => {
  const [board, bar] = [".board", ".bar"].map((one) => document.querySelector(one).getBoundingClientRect());
  return document.documentElement.scrollHeight > innerHeight || board.bottom > bar.top + 1;
}"""


@pytest.mark.parametrize("game", ["fortune", "gatsby"])
def test_on_a_phone_the_board_is_whole_and_the_head_says_who_you_are(visit: Visit, game: str) -> None:
    page = visit(f"/puzzles/{game}", width=390, height=844)
    expect(page.locator(".puzzle-head")).to_contain_text("You are Player")
    for width, height in ((390, 844), (360, 740)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function("() => document.querySelector('.board').getBoundingClientRect().height > 0")
        assert not page.evaluate(COVERED), (width, height)
