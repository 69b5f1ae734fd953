"""The game of examples/bezel, installed with pip, played in the browser: at both widths, and by keyboard."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.measures import check_board
from tests.browser.player import check_access, my_turn, over, settle, table, version, wait_past
from tests.browser.test_shifts import LEAST, shifts_of_a_game
from tests.docs.example import install_bezel
from tests.house.serving import Nursery, Server

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
RANDOM = {"kind": "bot", "bot": "random"}
SIZES = [(390, 844), (1280, 800)]
READY = ".board [data-action]"
FOCUSED = "document.activeElement.dataset.action ?? ''"
MADE = 26  # decisions of the first seat: it takes and lays 13 of 25 tiles


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start a server in an environment with the game installed."""
    folder = tmp_path_factory.mktemp("example")
    _, packages = install_bezel(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (str(packages), os.environ.get("PYTHONPATH")))))
        nursery = Nursery()
        yield nursery.start(database=f"sqlite:///{folder / 'parlour.db'}")
        nursery.close()


def begin(page: Page) -> None:
    table(page, game="bezel", options={}, seats=[{"kind": "me"}, RANDOM])


def check_end(page: Page, made: int) -> None:
    """Check that the brooch is full, and that one player or both have won."""
    assert over(page)
    assert made == MADE
    settle(page)
    check_board(page, "over")
    expect(page.locator(".board .space .gem")).to_have_count(25)
    expect(page.locator('[data-key="result"]')).to_be_visible()


@pytest.mark.parametrize(("width", "height", "scheme"), [(390, 844, "light"), (1280, 800, "dark")])
@pytest.mark.whole
def test_a_whole_game_by_real_clicks(visit: Visit, house: Server, width: int, height: int, scheme: str) -> None:
    page = visit(base=house.url, width=width, height=height, color_scheme=scheme)
    begin(page)
    choice, made = random.Random(1), 0
    while my_turn(page):
        settle(page)
        if made < 4 or made % 4 == 0:  # takings and layings at first, later takings with a fuller brooch
            check_board(page, f"decision {made}")
        if made in (0, 1):
            check_access(page, f"decision {made}")
        expect(page.locator(".board .gem.down")).to_have_count(3)
        ready, before = page.locator(READY), version(page)
        ready.nth(choice.randrange(ready.count())).click()
        wait_past(page, before)
        made += 1
    check_end(page, made)


@pytest.mark.whole
def test_a_whole_game_by_keyboard_alone(visit: Visit, house: Server) -> None:
    """Choose a tile by its number, and the square with Tab, backwards from the prompt, and Enter."""
    page = visit(base=house.url)
    begin(page)
    made = 0
    while my_turn(page):
        settle(page)
        before = version(page)
        if page.locator('.board [data-action^="take"]').count():
            page.keyboard.press(str(1 + made % 3))
        else:
            for _ in range(30):
                page.keyboard.press("Shift+Tab")
                if page.evaluate(FOCUSED):
                    break
            page.keyboard.press("Enter")
        wait_past(page, before)
        made += 1
    check_end(page, made)


@pytest.mark.whole
def test_a_tile_that_is_taken_is_put_back(visit: Visit, house: Server) -> None:
    page = visit(base=house.url)
    begin(page)
    for key in "1u":
        assert my_turn(page)
        before = version(page)
        page.keyboard.press(key)
        wait_past(page, before)
    expect(page.locator(f'{READY}[data-action^="take"]').first).to_be_visible()
    expect(page.locator(f'{READY}[data-action^="lay"]')).to_have_count(0)


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.whole
def test_it_stands_in_the_lobby_with_a_cover(visit: Visit, house: Server, width: int, height: int) -> None:
    page = visit("/", base=house.url, width=width, height=height)
    expect(page.locator("symbol#bezel-cover text")).to_have_text("Bezel")
    expect(page.locator("article.game-bezel")).to_contain_text("Two jewellers, one brooch")


@pytest.mark.whole
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_its_board_keeps_its_places(visit: Visit, house: Server, width: int, height: int) -> None:
    page = visit(base=house.url, width=width, height=height)
    found = shifts_of_a_game(page, 3, game="bezel", options={}, seats=[{"kind": "me"}, RANDOM])
    assert sum(value for value, _ in found) < LEAST, found
