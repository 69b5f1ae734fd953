"""The whole table fits in a wide window: the board, the seats and the bar, in any position, with readable text, with
any names, and with any words in the bar."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page

from parlour.core.match import Match
from parlour.core.scene import Scene
from parlour.games import all_games, find
from parlour.house.analysis.deeds import words_of
from parlour.house.site import files
from parlour.house.table.live.signs import signs
from tests.browser import boards
from tests.browser.measures import LETTERS, OVERLAPS
from tests.browser.test_boards import CUT

pytestmark = pytest.mark.browser
WINDOWS = [(1280, 800), (1366, 768), (1280, 720), (1920, 1080), (390, 844)]
WIDE = [f"{'W' * 23}{seat}" for seat in range(6)]
SHAPES = [  # with the most people; with the fewest, and so more room, for `scripts/nightly --whole`
    pytest.param(name, ruleset, players, marks=[pytest.mark.whole] * (players < game.facts.players[-1]))
    for name, game in all_games().items()
    for ruleset in game.rulesets
    for players in range(game.facts.players[0], game.facts.players[-1] + 1)
]
# How far the scene's content reaches beyond it, and how much smaller the board is drawn for it; and what part
# of the window the bar takes
FITTED = """async (source) => {
  window.fitted ??= import(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
  const scene = document.querySelector(".scene"), { fit } = await window.fitted;
  fit(scene);
  const bar = scene.querySelector(".bar").getBoundingClientRect();
  const board = scene.querySelector(".board").getBoundingClientRect();
  return [scene.scrollHeight - scene.clientHeight, board.bottom - bar.top, bar.bottom - innerHeight,
    Number(scene.querySelector(".board").style.zoom || 1), bar.height / innerHeight];
}"""
# A hint as table.js shows it
HINT = """(rows) => {
  const list = rows.map((words) => `<li><span>${words}</span> <b>39 %</b> as good</li>`).join("");
  const because = "<p>Because one more skull would lose all 1,300 points.</p>";
  document.querySelector('[data-key="hints"]').innerHTML = `<ol>${list}</ol>${because}`;
}"""
# Buttons of the bar that a finger would miss, that overlap, or whose words do not fit on them
SQUEEZED = """() => {
  const all = [...document.querySelectorAll(".scene .acts .act")].map((node) => [node, node.getBoundingClientRect()]);
  return all.filter(([node, a], i) => {
    const range = document.createRange();
    range.selectNodeContents(node.querySelector("span"));
    const words = range.getBoundingClientRect();
    return a.width < 44 || a.height < 44 || words.left < a.left - 1 || words.right > a.right + 1 || a.right > innerWidth
      || all.slice(i + 1).some(([, b]) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1);
  }).map(([node, a]) => [node.textContent, a.width, a.height]);
}"""
HEIGHT = """() => document.querySelector(".scene .board").getBoundingClientRect().height"""
PLATES = OVERLAPS.replace(".board, .board .places, .board .group, ", "")
NAMES = ".seat .name, .seat .said, .seat .total, .player .title"


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(reduced_motion="reduce")
    yield context.new_page()
    context.close()


def positions(name: str, ruleset: str, players: int, every: int) -> Iterator[Scene]:
    """Yield positions of a random game, as the player to move sees them when hints are allowed."""
    options = {"ruleset": ruleset} if ruleset else {}
    match = Match(find(name), players=players, names=signs(players), options=options, seed=3)
    choice = random.Random(3)
    for number in range(400):
        if match.over:
            break
        if number % every == 0:
            scene = match.scene(match.current_player)
            yield replace(scene, hints=scene.to_move == scene.viewer)
        match.play(choice.choice(match.legal_action_ids()))
    yield match.scene(0)


@pytest.mark.parametrize(("name", "ruleset", "players"), SHAPES)
@pytest.mark.suite("family-trade-market-making-*", "gatsby*")
def test_the_whole_table_is_in_the_window(
    page: Page, size: Callable[[int, int], int], name: str, ruleset: str, players: int
) -> None:
    source = files.SOURCES["fit.js"].read_text("utf-8")
    often = size(100, 9) if players in (find(name).facts.players[0], find(name).facts.players[-1]) else size(140, 25)
    for number, scene in enumerate(positions(name, ruleset, players, often)):
        windows = WINDOWS if size(0, 1) else [WINDOWS[number % 3], *WINDOWS[3:]]
        page.set_content(boards.document(find(name), scene, boards.ALIKE))
        hinted = sorted((words for words, _ in words_of(scene).values()), key=len)[-3:] if scene.hints else []
        for width, height in windows:
            page.set_viewport_size({"width": width, "height": height})
            where = (name, ruleset, players, number, width, height)
            over, under, below, zoom, _ = page.evaluate(FITTED, source)
            small = page.evaluate(LETTERS)
            assert not small, (where, zoom, small)
            assert not page.evaluate(SQUEEZED), (where, page.evaluate(SQUEEZED))
            assert width > 1000 or abs(below) <= 1, (where, "the bar is not at the window's lower edge", below)
            if width > 1000:
                assert over <= 0, (where, "one would have to scroll", over)
                assert under <= 1, (where, "the bar covers the board", under)
                assert below <= 0, (where, "the bar is below the window", below)
                assert zoom == 1, (where, zoom)
            if hinted:
                page.evaluate(HINT, hinted)
                _, under, below, zoom, high = page.evaluate(FITTED, source)
                assert below <= 0, (where, "a hint pushes the bar out of the window", below)
                assert under <= 1 or width < 1000, (where, "a hint pushes the bar over the board", under)
                assert zoom == 1, (where, zoom)
                assert high < 0.2, (where, "of the window is the bar", high)
                page.evaluate("""() => document.querySelector('[data-key="hints"]').replaceChildren()""")


@pytest.mark.parametrize(("name", "ruleset", "players"), [shape for shape in SHAPES if shape.values[2] != 3])
@pytest.mark.suite("family-trade-market-making-*")
@pytest.mark.whole
def test_the_widest_names_are_whole_and_break_nothing(
    page: Page, size: Callable[[int, int], int], name: str, ruleset: str, players: int
) -> None:
    """All seats have 24 of the widest letters without a space: no board is drawn smaller for them."""
    source = files.SOURCES["fit.js"].read_text("utf-8")
    windows = [*WINDOWS[size(2, 0) :], (844, 390)]
    for number, scene in enumerate(positions(name, ruleset, players, size(200, 30))):
        page.set_content(boards.document(find(name), scene, ("Al", "Bo", "Cy", "Di", "Ed", "Flo")))
        usual = {}
        for width, height in windows:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(FITTED, source)
            usual[width, height] = page.evaluate(HEIGHT)
        page.set_content(boards.document(find(name), scene, WIDE))
        for width, height in windows:
            page.set_viewport_size({"width": width, "height": height})
            where = (name, ruleset, players, number, width, height)
            over, under, below, zoom, _ = page.evaluate(FITTED, source)
            high = page.evaluate(HEIGHT)
            assert zoom == 1, (where, zoom)
            if width > 400 and height <= 800:  # a low window, where plates take space from the board
                assert high >= usual[width, height] - 4, (where, "the board is lower", usual[width, height], high)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, where
            assert not page.evaluate(CUT, NAMES), (where, page.evaluate(CUT, NAMES))
            assert not page.evaluate(PLATES), (where, page.evaluate(PLATES))
            if width > 1000:
                assert max(over, below) <= 0, (where, over, below)
                assert under <= 1, (where, under)
