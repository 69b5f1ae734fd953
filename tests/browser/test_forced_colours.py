"""A table in colours that the reader's system forces: nothing is shown only by a colour of ours."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from parlour.core.match import Match
from parlour.games import all_games
from tests.browser import boards
from tests.browser.player import GREEDY, my_turn, table

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
STYLE = "(one, name) => getComputedStyle(one)[name]"


@pytest.mark.whole
def test_what_is_chosen_active_and_first_remains_to_be_seen(visit: Visit) -> None:
    page = visit(forced_colors="active")

    def style(selector: str, name: str) -> Any:
        return page.locator(selector).first.evaluate(STYLE, name)

    table(page, game="family-trade", options={}, seats=[{"kind": "me"}, GREEDY, GREEDY])
    my_turn(page)
    assert page.evaluate("matchMedia('(forced-colors: active)').matches")
    tabs = [style(f'[role=tab][aria-selected="{on}"]', "borderBottomWidth") for on in ("true", "false")]
    assert tabs == ["5px", "3px"]
    chosen, other = (
        style(f'[role=tab][aria-selected="{on}"]', "borderBottomColor") + style("body", "backgroundColor")
        for on in ("true", "false")
    )
    assert chosen != other
    assert style(".seat.active", "borderTopWidth") == "3px"
    assert style(".seat:not(.active)", "borderTopWidth") == "1px"
    assert style(".board [data-action]", "outlineStyle") == "solid"
    assert style(".board [data-action]", "outlineColor") != style(".board", "backgroundColor")
    dice = page.locator(".grid [data-part]")
    for _ in range(9):  # after some first rolls no die can be chosen
        table(page)
        if my_turn(page) and dice.count():
            break
    free = dice.first.evaluate(STYLE, "outlineWidth")
    for _ in range(2):
        page.locator('.grid [data-part][aria-pressed="false"]').first.click()
    assert style('.board [aria-pressed="true"]', "outlineWidth") != free
    sign = "(one) => getComputedStyle(one, '::after').content"
    assert page.locator('.board [aria-pressed="true"]').first.evaluate(sign) in ('"✓"', '"↻"')


# The colours of the main button and of its surroundings, and what can be chosen but has no ring
MAIN = """() => {
  const colour = (one) => getComputedStyle(one).backgroundColor;
  const [main, other] = [".act.main:not([aria-disabled])", ".act:not(.main, [aria-disabled])"].map((one) => {
    return document.querySelector(`.acts ${one}`);
  });
  const ringed = [...document.querySelectorAll(".board :is([data-action], [data-part])")].filter((one) => {
    const { outlineStyle, outlineColor } = getComputedStyle(one), shown = one.checkVisibility() && one.clientWidth;
    const svg = one.querySelector("svg"), inside = svg ? getComputedStyle(svg).outlineStyle : "none";
    return shown && outlineStyle === "none" && inside === "none";
  }).map((one) => one.dataset.key);
  return [main && colour(main), other && colour(other), colour(document.body), ringed];
}"""


@pytest.mark.whole
def test_in_every_game_the_main_button_and_what_can_be_chosen_stand_out(browser: Browser) -> None:
    """Only the style is checked, in positions of random games."""
    context, shown = browser.new_context(forced_colors="active", reduced_motion="reduce"), 0
    page = context.new_page()
    for name, game in all_games().items():
        match, choice = Match(game, game.facts.players[0], seed=8), random.Random(8)
        for number in range(120):
            if match.over:
                break
            if number % 12 == 0 and match.current_player >= 0:
                page.set_content(boards.document(game, match.scene(match.current_player)))
                main, other, paper, bare = page.evaluate(MAIN)
                assert main is None or main not in (other, paper), (name, number)
                assert not bare, (name, number, bare)
                shown += main is not None
            match.play(choice.choice(match.legal_action_ids()))
    assert shown > 5
    context.close()
