"""Whole games by what a screen reader has: roles, names, and what is announced."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.player import table
from tests.browser.test_told import RECORD

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
BUTTON = re.compile(r'- button "((?:[^"\\]|\\.)+)"([^\n]*)')
NOT_MOVES = ("Take back", "Hint", "All")
SCORES = "async (path) => (await (await fetch(path)).json()).table.scores"


def ended(page: Page) -> Locator:
    return page.get_by_role("region", name="Result")


def decision(page: Page) -> list[str]:
    """Wait until something can be pressed; the names of that, none at the end of the game."""
    for _ in range(400):
        if ended(page).count():
            return []
        tree = page.get_by_role("region", name="The game").aria_snapshot()
        names = [name for name, more in BUTTON.findall(tree) if "[disabled]" not in more]
        if found := [name for name in names if not name.startswith(NOT_MOVES)]:
            return found
        page.wait_for_timeout(25)
    raise AssertionError("the decision did not come")


def press(page: Page, name: str) -> None:
    """Press the first thing of this name that can be pressed."""
    game = page.get_by_role("region", name="The game")
    game.get_by_role("button", name=name, exact=True, disabled=False).first.press("Enter")


def move(page: Page, name: str) -> None:
    """Press what makes a move, and wait until the page shows what came of it."""
    shown = page.get_attribute("main", "data-version")
    press(page, name)
    page.wait_for_function("(shown) => document.querySelector('main').dataset.version !== shown", arg=shown, polling=20)


def number(said: str) -> int:
    return int(said.replace("−", "-").replace(",", ""))


def heard(page: Page) -> list[str]:
    """All that was announced, to the end of the game."""
    page.wait_for_function("() => window.told.some((one) => /wins with|share/.test(one))", polling=40)
    told: list[str] = page.evaluate("window.told")
    return told


def scores(page: Page) -> list[int]:
    """What the house counts."""
    found: list[int] = page.evaluate(SCORES, "/api/tables/" + str(page.get_attribute("main", "data-table")))
    return found


@pytest.mark.slow
def test_a_game_of_dice_is_played_and_its_score_known(visit: Visit) -> None:
    page = visit(reduced_motion="reduce")
    table(page)
    page.evaluate(RECORD)
    rolls = 0
    while names := decision(page):
        dice = [name for name in names if re.search(r", die \d$", name)]
        if rolls < 3 and len(dice) > 3:
            for name in dice[:2]:
                press(page, name)
            names = decision(page)
        roll = next((name for name in names if name.startswith("Roll 2")), "")
        rolls += bool(roll)
        move(page, roll or next(name for name in names if name.startswith("Stop")))
    assert rolls
    totals = {"Ann": 0, "Greedy bot": 0}
    for line in heard(page):
        who = next((name for name in totals if line.startswith(name)), "")
        if total := re.search(r"Total (−?[\d,]+)", line):
            totals[who] = number(total[1])
        elif loss := re.search(r"everyone else (−[\d,]+)(.*)", line):
            other = next(name for name in totals if name != who)
            totals[other] += number(loss[1])
            totals[other] = max(0, totals[other]) if "below" in loss[2] else totals[other]
    assert list(totals.values()) == scores(page)


@pytest.mark.slow
def test_a_game_of_cards_is_played_and_the_hands_are_known(visit: Visit) -> None:
    page = visit(reduced_motion="reduce")
    table(page, game="aces-and-faces", edition="loop-24", options={})
    page.evaluate(RECORD)
    choice = random.Random(3)
    squares = set()
    while names := decision(page):
        squares |= {name.rpartition(", ")[2] for name in names if ", square " in name}
        move(page, choice.choice(names))
    assert len(squares) > 4
    held = {"Ann": 0, "Greedy bot": 0}
    for line in heard(page):
        who = next((name for name in held if line.startswith(name)), "")
        other = next(name for name in held if name != who)
        if re.search(rf"takes .* from {other}", line):
            held[who] += 1
            held[other] -= 1
        elif re.search("takes .* (from its slot|for the match)", line):
            held[who] += 1
        elif "must put it back" in line:
            held[who] -= 1
        elif "loses the duel and gives" in line:
            held[who] -= 1
            held[other] += 1
    assert list(held.values()) == scores(page)
