"""On an upright phone, what everyone has is above the dock: Fortune's chart, the others' gems in Facets of Fortune,
Gatsby's ledger of what is within reach. And the board reaches down to the dock for those who watch, too."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page

from parlour.core.match import Match
from parlour.core.scene import SPECTATOR
from parlour.games import find
from parlour.house.site import files
from parlour.house.table.live.signs import signs
from tests.browser import boards
from tests.browser.measures import LAPPED
from tests.browser.test_sizes import FITTED, positions
from tests.games.facets_of_fortune.table import turn

pytestmark = pytest.mark.browser
PHONES = [(360, 740), (390, 844), (412, 915)]
# How far the piece reaches below the upper edge of the dock
BELOW = """(key) => document.querySelector(`.board [data-key="${key}"]`).getBoundingClientRect().bottom
  - document.querySelector(".scene .bar").getBoundingClientRect().top"""


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(reduced_motion="reduce")
    yield context.new_page()
    context.close()


@pytest.mark.parametrize(
    ("name", "key", "players"),
    [
        ("fortune", "rope", 2), ("fortune", "rope", 4), ("facets-of-fortune", "stakes", 2),
        ("facets-of-fortune", "stakes", 3), ("facets-of-fortune", "stakes", 4), ("gatsby", "ledger", 2),
    ],
)  # fmt: skip
@pytest.mark.suite("gatsby-*", "fortune-rope-4")
def test_what_all_have_is_above_the_dock(
    page: Page, size: Callable[[int, int], int], name: str, key: str, players: int
) -> None:
    """The boards are those of a random game, for people with short names."""
    source, seen = files.SOURCES["fit.js"].read_text("utf-8"), 0
    for scene in positions(name, "", players, size(40, 5)):
        page.set_content(boards.document(find(name), scene, ("Ann", "Ben", "Cleo", "Dan")))
        for width, height in PHONES:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(FITTED, source)
            below = page.evaluate(BELOW, key)
            seen += 1
            assert below <= 1, (width, height, scene.prompt, below)
    assert seen > 5


# How high each of the ten steps of Facets' markets is, at least, and the letters of their two prices
STEPS = """() => [Math.min(...[...document.querySelectorAll(".rungs > .rung:not(.edge)")]
    .map((one) => one.getBoundingClientRect().height)),
  Math.min(...[...document.querySelectorAll(".plate > .price")]
    .map((one) => parseFloat(getComputedStyle(one).fontSize)))]"""


@pytest.mark.parametrize(("players", "least"), [(2, 26), (4, 21)])
def test_the_steps_of_facets_have_what_the_rest_leaves(page: Page, players: int, least: int) -> None:
    source = files.SOURCES["fit.js"].read_text("utf-8")
    scene = next(positions("facets-of-fortune", "", players, 60))
    page.set_content(boards.document(find("facets-of-fortune"), scene, ("Ann", "Ben", "Cleo", "Dan")))
    for width, height in PHONES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(FITTED, source)
        step, letters = page.evaluate(STEPS)
        assert step >= least, (width, height, step)
        assert letters >= 15, (width, height, letters)


# The cards of the hand whose words reach out of them, or that reach out of the hand
SPILLED = """() => {
  const hand = document.querySelector('[data-key="hand"]').getBoundingClientRect();
  return [...document.querySelectorAll('[data-key="hand"] .card')].filter((one) =>
    one.scrollHeight > one.clientHeight + 2 || one.getBoundingClientRect().bottom > hand.bottom + 1)
    .map((one) => one.textContent);
}"""


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("cards", ["exchange switch heist", "exchange switch heist free-sapphire wild-3"])
def test_the_hand_of_facets_keeps_its_words(page: Page, players: int, cards: str) -> None:
    source, scene = files.SOURCES["fit.js"].read_text("utf-8"), turn(cards, players=players).match.scene(0)
    page.set_content(boards.document(find("facets-of-fortune"), scene, ("Ann", "Ben", "Cleo", "Dan")))
    for width, height in PHONES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(FITTED, source)
        assert page.evaluate(SPILLED) == [], (width, height)


# How much felt is below the loop, and what is in it but reaches out of it
LOOP = """() => {
  const inside = document.querySelector(".inside").getBoundingClientRect().bottom;
  const shown = [...document.querySelectorAll(".inside [data-key]")].filter((one) => one.checkVisibility()
    && getComputedStyle(one).clipPath === "none" && one.getBoundingClientRect().height);
  const bar = document.querySelector(".bar").getBoundingClientRect().top;
  return [bar - document.querySelector(".loop").getBoundingClientRect().bottom,
    shown.filter((one) => one.getBoundingClientRect().bottom > inside + 2).map((one) => one.dataset.key)];
}"""


@pytest.mark.parametrize("players", [2, 4, 6])
@pytest.mark.whole
def test_the_loop_has_the_room_of_those_who_watch(page: Page, size: Callable[[int, int], int], players: int) -> None:
    """In Aces & Faces they have no hand and no buttons, so no felt is empty where these would be."""
    match, choice = Match(find("aces-and-faces"), players, names=signs(players), seed=3), random.Random(3)
    duels = 0
    while match.version < 200 and not match.over:
        if match.version % size(30, 6) == 0 or (not duels and "lost the duel" in match.scene(SPECTATOR).prompt):
            duels += "lost the duel" in match.scene(SPECTATOR).prompt
            page.set_content(boards.document(match.game, match.scene(SPECTATOR), ("Ann", "Ben", "Cleo", "Dan") * 2))
            for width, height in [(390, 844), (820, 1180)]:
                page.set_viewport_size({"width": width, "height": height})
                felt, out = page.evaluate(LOOP)
                assert 0 <= felt <= 72, (width, match.version, felt)
                assert out == [], (width, match.version)
                assert page.evaluate(LAPPED) == [], (width, match.version)
        match.play(choice.choice(match.legal_action_ids()))
    assert duels
