"""Pig, as in docs/add-a-game.md, and Kuhn: games without their own look, played in the browser."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from parlour.games import outside
from tests.browser.measures import check_board
from tests.browser.player import ENDED, check_access, my_turn, over, settle, table, version, wait_past
from tests.browser.test_shifts import LEAST, shifts_of_a_game
from tests.docs.pig import write_pig
from tests.house.serving import Nursery, Server

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
FIXTURES = Path(__file__).parents[1] / "fixtures"
PLACE = Path(__file__).parents[2] / "build" / "tests" / "small"
RANDOM = {"kind": "bot", "bot": "random"}
SIZES = [(390, 844), (1280, 800)]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start a server with Pig and Kuhn, in a folder that PARLOUR_GAMES names."""
    write_pig(PLACE)
    shutil.copytree(FIXTURES / "kuhn", PLACE / "kuhn", dirs_exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(outside.VARIABLE, str(PLACE))
        nursery = Nursery()
        database = f"sqlite:///{tmp_path_factory.mktemp('small') / 'parlour.db'}"
        yield nursery.start(database=database)
        nursery.close()


def press(page: Page, name: str) -> None:
    """Click where a person would click, and wait for the result."""
    before = version(page)
    page.locator(f'.acts [data-key="b-{name}"]').click()
    wait_past(page, before)


@pytest.mark.parametrize(
    ("width", "height", "scheme"),
    [(*size, scheme) for size, scheme in zip(SIZES, ("light", "dark"), strict=True)]
    + [
        pytest.param(*size, scheme, marks=pytest.mark.whole)
        for size, scheme in zip(SIZES, ("dark", "light"), strict=True)
    ],
)
@pytest.mark.whole
def test_a_whole_game_of_pig(visit: Visit, house: Server, width: int, height: int, scheme: str) -> None:
    page = visit(base=house.url, width=width, height=height, color_scheme=scheme)
    others = [RANDOM] * (3 if scheme == "light" else 1)
    table(page, game="pig", options={"target": "50"}, seats=[{"kind": "me"}, *others])
    expect(page.locator('[data-key="b-hold"]')).to_have_attribute("aria-disabled", "true")
    made = 0
    while my_turn(page):
        settle(page)
        if made < 12:
            check_board(page, f"decision {made}")
        if made in (0, 3):
            check_access(page, f"decision {made}")
        total = int(page.locator('[data-key="turn-sum"]').inner_text())
        shown = page.locator('[data-key="die"] use')
        if total:
            assert shown.get_attribute("href") in {f"#pips-{face}" for face in range(2, 7)}
        press(page, "hold" if total >= 8 else "roll")
        made += 1
    assert over(page)
    assert made > 5
    settle(page)
    check_board(page, "over")
    expect(page.locator('[data-key="result"] h1')).to_contain_text(ENDED)


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.whole
def test_a_hand_of_kuhn(visit: Visit, house: Server, width: int, height: int) -> None:
    page = visit(base=house.url, width=width, height=height)
    for move in ("bet", "pass"):
        table(page, game="kuhn", options={}, seats=[{"kind": "me"}, RANDOM])
        while my_turn(page):
            settle(page)
            check_board(page, move)
            check_access(page, move)
            assert page.locator(".card.down").count() == 1  # the other player's
            press(page, move)
        assert over(page)
        settle(page)
        check_board(page, "over")


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.whole
def test_games_without_a_cover_have_one_in_the_lobby(visit: Visit, house: Server, width: int, height: int) -> None:
    page = visit("/", base=house.url, width=width, height=height)
    for name, title in (("pig", "Pig"), ("kuhn", "Kuhn poker")):
        drawn = page.locator(f"symbol#{name}-cover")
        expect(drawn).to_have_count(1)
        expect(drawn.locator("text")).to_have_text(title)
        box = page.locator(f".game-{name} .cover").bounding_box()
        assert box
        least = 250 if width > 600 else 110  # on a phone it is beside the words
        assert box["width"] > least
        assert box["height"] > 0.6 * least - 1
    expect(page.locator("symbol#fortune-cover")).to_have_count(1)


@pytest.mark.whole
@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize(("game", "players"), [("pig", 2), ("pig", 4), ("kuhn", 2)])
def test_the_default_board_keeps_its_places(
    visit: Visit, house: Server, game: str, players: int, width: int, height: int
) -> None:
    page = visit(base=house.url, width=width, height=height)
    seats = [{"kind": "me"}, *[RANDOM] * (players - 1)]
    found = shifts_of_a_game(page, 3, 60, game=game, options={}, seats=seats)
    assert sum(value for value, _ in found) < LEAST, found
