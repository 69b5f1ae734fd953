"""Every game of the lobby, in every ruleset, played to its end in the browser by somebody who presses what can be
pressed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from parlour.games import all_games
from tests.browser.player import GREEDY, check_access, my_turn, over, press_anything, table, version, wait_past

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]


def kinds() -> Iterator[tuple[str, dict[str, str]]]:
    """Each game with each of its rulesets."""
    for name, game in all_games().items():
        rulesets = [value for option in game.facts.options if option.name == "ruleset" for value in option.values]
        yield from ((name, {"ruleset": ruleset}) for ruleset in rulesets)
        if not rulesets:
            yield name, {}


@pytest.mark.slow
@pytest.mark.parametrize(("game", "options"), list(kinds()), ids=lambda value: str(value).strip("{}"))
def test_a_whole_game(visit: Visit, game: str, options: dict[str, str]) -> None:
    page = visit(width=390, height=844, reduced_motion="reduce")
    most = all_games()[game].facts.players[1]
    table(page, game=game, options=options, seats=[{"kind": "me"}, *[GREEDY] * (most - 1)])
    choice = random.Random(7)
    made = 0
    while my_turn(page):
        before = version(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        if made in (0, 5):
            check_access(page, f"decision {made}")
        press_anything(page, choice)
        wait_past(page, before)
        made += 1
    assert over(page)
    assert made
    expect(page.locator('[data-key="result"] h1')).to_contain_text("win")
