"""Whatever a game comes to, its page has room for it: nothing is larger than its place, and all that one decides with
is in the window."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from parlour.core import html
from parlour.core.match import Match
from parlour.games import all_games
from tests.browser.player import GREEDY, table

pytestmark = pytest.mark.browser
WINDOWS = ((1280, 800), (1280, 720), (1366, 768))  # each for a third of the positions
POSITIONS = 42

SHOW = """(scene) => { document.querySelector('[data-key="scene"]').outerHTML = scene; }"""
TOO_LARGE = """() => {
  const found = [];
  const size = (one) => one.getBoundingClientRect();
  const round = Math.round, key = (one) => one.dataset.key || one.tagName;
  const name = (one) => `${key(one)} ${round(size(one).width)}x${round(size(one).height)}`;
  for (const one of document.querySelectorAll(".scene .token, .gem, .die, .token:not(.held) > svg")) {
    const within = one.parentElement, anchored = getComputedStyle(one).position === "absolute";
    const anchor = getComputedStyle(within).position === "static" ? within.offsetParent : within;
    const place = anchored && anchor ? anchor : within, mine = size(one), room = size(place);
    if (!mine.width || getComputedStyle(place).display === "contents") continue;
    if (mine.width > room.width + 2 || mine.height > room.height + 2) found.push(`${name(one)} in ${name(place)}`);
  }
  for (const one of document.querySelectorAll(".bar, .bar button, .scene [data-action], .scene [data-part]")) {
    const mine = size(one);
    if (!mine.width) continue;
    if (mine.top < -1 || mine.left < -1 || mine.bottom > innerHeight + 1 || mine.right > innerWidth + 1)
      found.push(`${name(one)} at ${round(mine.top)}..${round(mine.bottom)} leaves the window`);
  }
  const bar = size(document.querySelector(".bar"));
  for (const one of document.querySelectorAll(".board [data-action], .board [data-part]")) {
    const mine = size(one), middle = (mine.top + mine.bottom) / 2;
    if (mine.width && middle > bar.top) found.push(`${name(one)} lies under the bar, at ${round(mine.top)}`);
  }
  return found;
}"""


@pytest.mark.parametrize(
    ("name", "players"), [(name, n) for name, game in all_games().items() for n in sorted(set(game.facts.players))]
)
def test_nothing_is_larger_than_its_place_and_the_bar_is_in_the_window(
    visit: Callable[..., Page], name: str, players: int
) -> None:
    game = all_games()[name]
    page = visit(width=1280, height=800, reduced_motion="reduce")
    names = ["Ann", *(f"Player {seat}" for seat in range(2, players + 1))]
    table(page, game=name, options={}, seats=[{"kind": "me"}, *[GREEDY] * (players - 1)])
    page.locator('[data-key="scene"]').wait_for()
    match = Match(game, names=names, seed=11)
    choice = random.Random(11)
    shown = 0
    while shown < POSITIONS:
        if match.over:
            match = Match(game, names=names, seed=shown)
        if choice.random() < 0.4:
            width, height = WINDOWS[shown * len(WINDOWS) // POSITIONS]
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(SHOW, html.render(match.scene(match.current_player), f"/rules/{name}"))
            found = page.evaluate(TOO_LARGE)
            assert not found, (match.version, width, height, found)
            shown += 1
        match.play(choice.choice(match.legal_action_ids()))


SIDEWAYS = """() => {
  const size = (one) => one.getBoundingClientRect();
  const board = size(document.querySelector(".board"));
  const out = [...document.querySelectorAll(".bar, .bar button, .seat")].filter((one) => {
    const mine = size(one);
    return mine.width && (mine.bottom > innerHeight + 1 || mine.right > innerWidth + 1 || mine.left < board.right);
  });
  return [Math.min(board.bottom, innerHeight) - board.top, document.documentElement.scrollWidth,
    out.map((one) => one.dataset.key ?? one.className)];
}"""


@pytest.mark.parametrize("name", all_games())
def test_on_a_phone_on_its_side_the_board_has_the_height_and_the_bar_stands_beside_it(
    visit: Callable[..., Page], name: str
) -> None:
    game = all_games()[name]
    players = min(game.facts.players[-1], 4)
    page = visit(width=844, height=390, reduced_motion="reduce")
    table(page, game=name, options={}, seats=[{"kind": "me"}, *[GREEDY] * (players - 1)])
    page.locator('[data-key="scene"] .board').wait_for()
    match, choice = Match(game, names=[f"Player {seat}" for seat in range(players)], seed=5), random.Random(5)
    for _ in range(60):
        if match.current_player >= 0 and match.version % 5 == 0:
            page.evaluate(SHOW, html.render(match.scene(match.current_player), f"/rules/{name}"))
            height, width, out = page.evaluate(SIDEWAYS)
            assert height > 0.8 * 390, match.version
            assert width <= 844, match.version
            assert not out, (match.version, out)
        match.play(choice.choice(match.legal_action_ids()))
