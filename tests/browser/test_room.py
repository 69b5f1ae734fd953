"""A page has room for every position of a game: nothing is larger than its place, and all that matters for the decision
is in the window."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from parlour.core import html
from parlour.core.game import RULESET
from parlour.core.match import Match
from parlour.games import all_games
from tests.browser.player import GREEDY, my_turn, table, version, wait_past

pytestmark = pytest.mark.browser
WINDOWS = ((1280, 800), (1280, 720), (1366, 768))  # each for a third of the positions
POSITIONS = (15, 42)  # in the suite, and in its long form

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
    ("name", "players"),
    [  # with the most people; with fewer, and so more room, for `scripts/nightly --whole`
        pytest.param(name, players, marks=[pytest.mark.whole] * (players < game.facts.players[-1]))
        for name, game in all_games().items()
        for players in sorted(set(game.facts.players))
    ],
)
@pytest.mark.suite("aces*")
def test_nothing_is_larger_than_its_place_and_the_bar_is_in_the_window(
    visit: Callable[..., Page], size: Callable[[int, int], int], name: str, players: int
) -> None:
    game, positions = all_games()[name], size(*POSITIONS)
    page = visit(width=1280, height=800)
    names = ["Ann", *(f"Player {seat}" for seat in range(2, players + 1))]
    table(page, game=name, options={}, seats=[{"kind": "me"}, *[GREEDY] * (players - 1)])
    assert my_turn(page)  # or dice in the air, which are askew and so larger, replace the scene below
    match = Match(game, names=names, seed=11)
    choice = random.Random(11)
    shown = 0
    while shown < positions:
        if match.over:
            match = Match(game, names=names, seed=shown)
        if choice.random() < 0.4:
            width, height = WINDOWS[shown * len(WINDOWS) // positions]
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
@pytest.mark.suite("gatsby")
def test_on_a_phone_on_its_side_the_board_has_the_height_and_the_bar_stands_beside_it(
    visit: Callable[..., Page], name: str
) -> None:
    game = all_games()[name]
    players = min(game.facts.players[-1], 4)
    page = visit(width=844, height=390)
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


# Moves on the board that are neither in the bar nor in its list; buttons there that are too small for a thumb.
THUMB = """async (scene) => {
  document.querySelector('[data-key="scene"]').outerHTML = scene;
  const scripts = document.querySelector("script[type=module]").src;
  (await import(new URL("keys.js", scripts))).mark();
  const bar = [...document.querySelectorAll(".acts [data-action]")];
  const brief = [...document.querySelectorAll(".acts .brief")].map((one) => one.dataset.of);
  const seen = [...document.querySelectorAll(".scene .board :is([data-action], [data-part])")];
  const button = document.querySelector(".acts .list"), sheet = document.querySelector(".sheet-of-moves");
  if (button) button.click();
  const rows = button ? [...sheet.querySelectorAll("[data-of]")] : [];
  const listed = [...rows.map((row) => row.dataset.of), ...brief];
  const inList = seen.filter((one) => listed.includes(one.dataset.key));
  const said = [...bar.map((one) => one.dataset.action), ...inList.map((one) => one.dataset.action)];
  const found = seen.filter((one) => one.checkVisibility())
    .filter((one) => one.dataset.part ? !listed.includes(one.dataset.key) : !said.includes(one.dataset.action));
  const mute = rows.filter((row) => !row.textContent.trim());
  const small = [...rows, ...document.querySelectorAll(".acts .act")].filter((one) => {
    const { width, height } = one.getBoundingClientRect();
    return Math.min(width, height) < 44;
  });
  const more = seen.length;
  const wide = document.documentElement.scrollWidth;
  if (sheet.open) sheet.close();
  return [more, [...found, ...mute, ...small].map((one) => one.dataset.key ?? one.dataset.of ?? one.className), wide];
}"""


@pytest.mark.parametrize(
    ("name", "ruleset"), [(name, ruleset) for name, game in all_games().items() for ruleset in game.rulesets]
)
@pytest.mark.suite("family-trade-market-making")
def test_every_choice_is_under_the_thumb(
    visit: Callable[..., Page], size: Callable[[int, int], int], name: str, ruleset: str
) -> None:
    """On a phone every choice on the board is in the bar, or in a list that it opens, 44 px high."""
    game = all_games()[name]
    players, options = min(game.facts.players[-1], 4), {RULESET: ruleset} if ruleset else {}
    page = visit(width=390, height=844, has_touch=True, forced=True)  # also decisions that can be kept
    table(page, game=name, options=options, seats=[{"kind": "me"}, *[GREEDY] * (players - 1)])
    assert my_turn(page)  # no more updates come from the house
    choices = 0
    match, choice = Match(game, players, options=options, seed=6), random.Random(6)
    for _ in range(120):
        if match.over:
            break
        if match.current_player >= 0 and match.version % size(9, 4) == 0:
            scene = html.render(match.scene(match.current_player), f"/rules/{name}")
            on_board, wrong, width = page.evaluate(THUMB, scene)
            choices += on_board
            assert not wrong, (match.version, wrong)
            assert width <= 390, match.version
        match.play(choice.choice(match.legal_action_ids()))
    assert choices > 10


@pytest.mark.whole
def test_a_move_is_made_from_the_list(visit: Callable[..., Page]) -> None:
    """A single piece moves at once; several pieces of one move are chosen one by one and then sent."""
    page = visit(width=390, height=844, has_touch=True)
    table(page, pace="slow", seats=[{"kind": "me"}, {"kind": "here", "name": "Bob"}])
    assert my_turn(page)
    before = version(page)
    page.get_by_role("button", name="Moves").click()
    sheet = page.get_by_role("dialog", name="All moves on the board")
    dice = sheet.get_by_role("button", name="die")
    for n in range(2):
        dice.nth(n).click()
        expect(dice.nth(n)).to_have_attribute("aria-pressed", "true")
    sheet.get_by_role("button", name="Re-roll").click()
    wait_past(page, before)
    expect(sheet).to_be_hidden()


# How much of a very small window is left for the board after scrolling to it, and how wide the page is
ENLARGED = """() => {
  const board = document.querySelector(".board");
  board.scrollIntoView({ block: "start" });
  const stands = (one) => /fixed|sticky/.test(getComputedStyle(one).position);
  const over = [...document.querySelectorAll("body *")]
    .filter((one) => stands(one) && one.checkVisibility({ visibilityProperty: true }))
   .map((one) => one.getBoundingClientRect())
    .filter((one) => one.top < innerHeight && one.bottom > 0 && one.width > innerWidth / 2);
  const taken = over.reduce((sum, one) => sum + Math.min(innerHeight, one.bottom) - Math.max(0, one.top), 0);
  const out = [...document.querySelectorAll(".acts .act")].filter((one) => {
    one.scrollIntoView({ block: "nearest" });
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return left < 0 || right > innerWidth + 1 || top < 0 || bottom > innerHeight + 1;
  });
  const wide = document.documentElement.scrollWidth;
  return [taken / innerHeight, board.clientWidth / innerWidth, wide, out.map((one) => one.textContent)];
}"""


@pytest.mark.parametrize("name", all_games())
@pytest.mark.suite("family-trade")
def test_at_four_hundred_per_cent_the_board_has_the_window(visit: Callable[..., Page], name: str) -> None:
    """With 1280 by 800 enlarged four times (WCAG 1.4.10), no fixed element covers it, and nothing is cut off."""
    players = min(all_games()[name].facts.players[-1], 4)
    page = visit(width=320, height=200)
    table(page, game=name, options={}, seats=[{"kind": "me"}, *[GREEDY] * (players - 1)])
    assert my_turn(page)
    taken, board, wide, out = page.evaluate(ENLARGED)
    assert taken <= 0.25
    assert board >= 0.85
    assert wide <= 320
    assert not out
