"""The first steps cover nothing that a player presses or needs, in any window, at any stage of the game."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from parlour.core import html
from parlour.core.game import RULESET
from parlour.core.match import Match
from parlour.games import all_games
from tests.browser.player import GREEDY, my_turn, press_anything, table, version, wait_past

pytestmark = pytest.mark.browser
SIZES = ((1280, 800), (1366, 768), (1280, 720), (844, 390), (390, 844))
LATER = {0: SIZES, 70: SIZES[2::2]}  # steps into a game at which a player opens them again; windows

SHOW = """(scene) => { document.querySelector('[data-key="scene"]').outerHTML = scene; }"""
# Walk through all steps; [step, what it covers or what is wrong, by how many pixels]
WALK = """() => {
  const guide = document.querySelector("#guide"), found = [];
  const size = (one) => one.getBoundingClientRect();
  const lap = (a, b) => [
    Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top),
  ];
  const scrolls = [document.documentElement, ...document.querySelectorAll(".scene, .board")];
  const rolled = () => scrolls.map((one) => one.scrollTop).join();
  const start = document.querySelector('#keys [data-guide="start"]');
  const was = rolled();
  start.click();
  for (let step = 1; !guide.hidden; step++) {
    const mine = size(guide), item = guide.querySelector("li:not([hidden])");
    const note = (what, by = []) => found.push([step, item.dataset.at, what, by.map(Math.round)]);
    const inside = mine.top > -1 && mine.left > -1 && mine.right < innerWidth + 1 && mine.bottom < innerHeight + 1;
    if (!inside) note("leaves the window");
    const thing = document.querySelector(`.scene [data-key="${item.dataset.at}"]`);
    const bar = size(document.querySelector(".bar"));
    if (bar.bottom > innerHeight + 1) note("pushes the bar out", [bar.bottom - innerHeight]);
    const needed = [...document.querySelectorAll("header :is(a, button), .scene :is(button, summary, .hand), .bar")];
    if (thing) needed.push(thing);
    for (const one of needed) {
      const [wide, high] = lap(mine, size(one));
      // what is only scrolled under the sheet can be scrolled out again, so it does not count
      const away = guide.matches(".docked") && one !== thing && rolled() !== was && !one.closest(".bar");
      if (size(one).width && Math.min(wide, high) > 1 && !away) note(`covers ${one.dataset.key}`, [wide, high]);
    }
    if (thing && size(thing).width && !thing.closest(".bar")) {
      const it = size(thing), board = size(document.querySelector(".board")), aside = bar.left > innerWidth / 2;
      const ceiling = aside && thing.closest(".board") ? board.top : guide.matches(".docked") ? mine.bottom : 0;
      const floor = aside ? Math.min(board.bottom, innerHeight) : bar.top;
      const seen = Math.min(it.bottom, floor) - Math.max(it.top, ceiling), could = Math.min(it.height, floor - ceiling);
      if (seen < could - 16) note("is not seen", [seen, could]);
    }
    guide.querySelector("[data-guide=next]").click();
  }
  if (rolled() !== was) found.push([0, "", `scrolled: ${was} -> ${rolled()}`, []]);
  return found;
}"""


@pytest.mark.parametrize(
    ("name", "ruleset"), [(name, ruleset) for name, game in all_games().items() for ruleset in game.rulesets]
)
@pytest.mark.suite("family-trade-market-making")
def test_no_step_covers_what_one_presses_or_needs(visit: Callable[..., Page], name: str, ruleset: str) -> None:
    game = all_games()[name]
    players, options = min(game.facts.players[-1], 4), {RULESET: ruleset} if ruleset else {}
    page = visit(guide=True)
    table(page, game=name, options=options, seats=[{"kind": "me"}, *[GREEDY] * (players - 1)], pace="slow")
    guide = page.locator("#guide")
    expect(guide).to_be_visible()
    page.keyboard.press("Escape")
    expect(guide).to_be_hidden()
    wrong = []
    for steps, sizes in LATER.items():
        match, choice = Match(game, players, options=options, seed=7), random.Random(7)
        while not match.over and (match.version < steps or match.current_player < 0):
            match.play(choice.choice(match.legal_action_ids()))
        page.evaluate(SHOW, html.render(match.scene(match.current_player), f"/rules/{name}"))
        for width, height in sizes:
            page.set_viewport_size({"width": width, "height": height})
            wrong += [(steps, width, height, *found) for found in page.evaluate(WALK)]
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.whole
def test_a_page_with_first_steps_open_follows_what_the_same_person_plays_elsewhere(visit: Callable[..., Page]) -> None:
    """The steps must not explain a decision that the player has already made on their phone."""
    desk = visit(guide=True)
    table(desk)
    expect(desk.locator("#guide")).to_be_visible()
    phone = visit(desk.url, friend_of=desk)
    phone.keyboard.press("Escape")
    for _ in range(3):
        assert my_turn(phone)
        before = version(phone)
        press_anything(phone, random.Random(3))
        wait_past(phone, before)
        assert my_turn(desk)  # it shows the newest position
