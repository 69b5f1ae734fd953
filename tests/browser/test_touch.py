"""Taps on pieces: in every ruleset a tap in the 44 px around the middle of a piece presses it, unless another is
nearer; a tap far from all does nothing, and a drag is not a tap."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route

from parlour.games import all_games
from tests.browser.player import GREEDY, my_turn, press_anything, settle, table, version, wait_past
from tests.browser.test_every_game import kinds

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
HALF = 22
DECISIONS = 16  # among which the test looks for phases
PHASES = (1, 3)  # of each ruleset, in the suite and in its long form
TAPS = (1, 3)  # for each piece
OWN = 17  # px: browsers themselves move a tap to a control within 16 px
ANSWERS = "button, a, summary, input, .bar"  # these answer without our script
# What on the board answers to a press, in the window and uncovered; what covers the board, or answers beside it.
BOARD = """() => {
  const box = (node) => { const b = node.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]; };
  const seen = (node) => {
    const [left, top, right, bottom] = box(node);
    return right > left && node.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
  };
  const ANSWERS = ".scene .board :is([data-action], [data-part], [data-why])";
  return {
    board: box(document.querySelector(".scene .board")), bar: box(document.querySelector(".scene .bar")),
    pieces: [...document.querySelectorAll(ANSWERS)].filter(seen).map((node) => (
      { key: node.dataset.key, box: box(node), makes: node.dataset.action ?? node.dataset.part ?? null }
    )),
  };
}"""
UNDER = """([x, y]) => {
  const node = document.elementFromPoint(x, y), own = node?.closest("ANSWERS");
  return { scene: !!node?.closest(".scene"), answers: own ? own.dataset.key ?? own.className : null };
}""".replace("ANSWERS", ANSWERS)
# What the browser itself gave the last tap to: it chooses one of the controls within a finger's width by its own rule,
# even if another is under the middle of the finger.
NOTE_TOUCHED = """() => addEventListener("pointerdown", (event) => {
  const own = event.target.closest("ANSWERS");
  window.touched = own ? own.dataset.key ?? own.className : null;
}, true)""".replace("ANSWERS", ANSWERS)
TOUCHED = "() => window.touched"
PRESSED = """() => [...document.querySelectorAll('.scene [aria-pressed="true"]')].map((node) => node.dataset.key)"""
LET_GO = """() => document.querySelectorAll('.scene .board [aria-pressed="true"]').forEach((one) => one.click())"""
ANSWERED = "async () => { await fetch('/health'); await new Promise((done) => setTimeout(done)); }"
Piece = dict[str, Any]


def owner(pieces: list[Piece], x: float, y: float) -> Piece | None:
    """Return the piece that a tap there belongs to, computed without the page's script: of those within reach the one
    with the nearest edge, then the one with the nearest middle."""
    found = []
    for piece in pieces:
        left, top, right, bottom = piece["box"]
        middle = (left + right) / 2, (top + bottom) / 2
        reach = max(HALF, (right - left) / 2), max(HALF, (bottom - top) / 2)
        if abs(x - middle[0]) <= reach[0] and abs(y - middle[1]) <= reach[1]:
            edge = max(left - x, 0, x - right), max(top - y, 0, y - bottom)
            found.append(
                (edge[0] ** 2 + edge[1] ** 2, (x - middle[0]) ** 2 + (y - middle[1]) ** 2, piece["key"], piece)
            )
    return min(found, key=lambda one: one[:3])[3] if found else None


class Finger:
    """A person with a phone, whose moves are noted but not made."""

    def __init__(self, page: Page) -> None:
        self.page, self.made, self.holding = page, list[str](), False
        page.route("**/moves", self._note)
        page.evaluate(NOTE_TOUCHED)

    def _note(self, route: Route) -> None:
        if not self.holding:
            return route.continue_()
        body = route.request.post_data_json
        self.made.append(body["move"])
        route.fulfill(status=201, json={"version": body["version"]})

    def tap(self, x: float, y: float, *, something: bool) -> tuple[list[str], list[str]]:
        """Return what a tap there sends, and the keys of pieces that it chooses; then undo it. If `something` is
        expected, wait for it."""
        self.made.clear()
        self.page.touchscreen.tap(x, y)
        chosen = self._chosen()
        for _ in range(100 * something):
            if self.made or chosen:
                break
            self.page.wait_for_timeout(20)
            chosen = self._chosen()
        self.page.evaluate(LET_GO)
        return list(self.made), chosen

    def _chosen(self) -> list[str]:
        self.page.evaluate(ANSWERED)  # by now every sent move has its answer
        found: list[str] = self.page.evaluate(PRESSED)
        return found


def phone(visit: Visit, game: str, options: dict[str, str], players: int) -> Page:
    page = visit(width=390, height=844, has_touch=True)
    table(page, game=game, options=options, seats=[{"kind": "me"}, *[GREEDY] * (players - 1)])
    return page


@pytest.mark.parametrize(("game", "options"), list(kinds()), ids=lambda value: str(value).strip("{}"))
@pytest.mark.suite("fortune*")
def test_a_tap_beside_a_piece_is_a_press_on_it(
    visit: Visit, size: Callable[[int, int], int], game: str, options: dict[str, str]
) -> None:
    phases, taps = size(*PHASES), size(*TAPS)
    page, choice = phone(visit, game, options, size(*all_games()[game].facts.players)), random.Random(3)
    finger, seen, beside, nothing = Finger(page), set[frozenset[str]](), 0, 0
    for _ in range(DECISIONS):
        if not my_turn(page) or len(seen) == phases:
            break
        settle(page)
        shown = page.evaluate(BOARD)
        kind = frozenset(str(piece["key"]).rstrip("0123456789-") for piece in shown["pieces"] if piece["makes"])
        if kind and kind not in seen:
            seen.add(kind)
            finger.holding = True
            beside += around(finger, shown, choice, taps)
            nothing += elsewhere(finger, shown, choice)
            finger.holding = False
        before = version(page)
        press_anything(page, choice)
        wait_past(page, before)
    assert seen
    assert nothing
    print(game, options, len(seen), "phases", beside, "taps beside", nothing, "taps far away")


def whole(at: float) -> float:
    """Return the nearest place that a browser reports without rounding, which could cross a border of two pieces."""
    return float(round(at))


def around(finger: Finger, shown: dict[str, Any], choice: random.Random, taps: int) -> int:
    """Tap `taps` times in the square around each piece; return how many taps were outside of the piece itself."""
    outside = 0
    for piece in [one for one in shown["pieces"] if one["makes"]]:
        left, top, right, bottom = piece["box"]
        x, y = (left + right) / 2, (top + bottom) / 2
        for _ in range(taps):
            at = whole(x + choice.uniform(1 - HALF, HALF - 1)), whole(y + choice.uniform(1 - HALF, HALF - 1))
            meant, under = owner(shown["pieces"], *at), finger.page.evaluate(UNDER, at)
            if meant is not piece or not under["scene"] or under["answers"] not in (None, piece["key"]):
                continue  # it belongs to another piece, or to another control there
            sent, chosen = finger.tap(*at, something=True)
            if finger.page.evaluate(TOUCHED) not in (None, piece["key"]):
                continue
            assert [*sent, *chosen] == ([piece["makes"]] if sent else [piece["key"]]), (piece, at, sent, chosen)
            outside += not (left <= at[0] <= right and top <= at[1] <= bottom)
    return outside


def elsewhere(finger: Finger, shown: dict[str, Any], choice: random.Random) -> int:
    """Tap on the board where no piece is within reach, so that nothing happens; return the number of such places."""
    left, top, right, bottom = shown["board"]
    bottom, tried = min(bottom, shown["bar"][1], 844), 0
    for _ in range(40):
        at = whole(choice.uniform(left, right)), whole(choice.uniform(max(0, top), bottom))
        under = finger.page.evaluate(UNDER, at)
        about = [(at[0] + x, at[1] + y) for x in (-OWN, 0, OWN) for y in (-OWN, 0, OWN)]
        if tried == 6 or any(owner(shown["pieces"], *spot) for spot in about) or not under["scene"] or under["answers"]:
            continue
        assert finger.tap(*at, something=False) == ([], []), at
        tried += 1
    return tried


def test_a_drag_that_begins_on_a_piece_or_beside_it_is_no_press(visit: Visit) -> None:
    page = phone(visit, "facets-of-fortune", {}, 4)
    finger, touch = Finger(page), page.context.new_cdp_session(page)
    assert my_turn(page)
    settle(page)
    finger.holding = True
    pieces = [one for one in page.evaluate(BOARD)["pieces"] if one["makes"]][:4]
    assert pieces
    for left, _, right, bottom in (piece["box"] for piece in pieces):
        for x, y in (((left + right) / 2, bottom - 5), ((left + right) / 2, bottom + 3)):
            for kind, points in (("touchStart", [(x, y)]), ("touchMove", [(x, y - 60)]), ("touchEnd", [])):
                event = {"type": kind, "touchPoints": [{"x": right, "y": down} for right, down in points]}
                touch.send("Input.dispatchTouchEvent", event)
            page.evaluate(ANSWERED)
            assert (finger.made, page.evaluate(PRESSED)) == ([], [])
            page.evaluate("() => scrollTo(0, 0)")


@pytest.mark.whole
def test_a_mouse_presses_what_it_points_at(visit: Visit) -> None:
    """A mouse needs no tolerance: beside a piece it does nothing."""
    page = visit(width=390, height=844)
    table(page, game="facets-of-fortune", options={}, seats=[{"kind": "me"}, GREEDY])
    finger = Finger(page)
    finger.holding = True
    assert my_turn(page)
    settle(page)
    shown = page.evaluate(BOARD)
    tried = 0
    for piece in shown["pieces"]:
        left, top, right, bottom = piece["box"]
        for at in (((left + right) / 2, bottom + 3), ((left + right) / 2, top - 3)):
            under = page.evaluate(UNDER, at)
            if under["scene"] and not under["answers"]:
                page.mouse.click(*at)
                assert (finger.made, page.evaluate(PRESSED)) == ([], [])
                tried += 1
    assert tried


@pytest.mark.whole
def test_the_page_stays_where_it_was_scrolled_to_when_an_own_move_redraws_the_board(visit: Visit) -> None:
    page = visit(width=390, height=568, has_touch=True)
    table(page, game="gatsby", options={}, seats=[{"kind": "me"}, GREEDY])
    choice = random.Random(2)
    for _ in range(5):
        assert my_turn(page)
        settle(page)
        page.evaluate("() => scrollTo(0, 90)")
        before, scrolled = version(page), page.evaluate("scrollY")
        assert scrolled == 90
        press_anything(page, choice)
        wait_past(page, before)
        assert my_turn(page)
        settle(page)
        assert page.evaluate("scrollY") == scrolled
