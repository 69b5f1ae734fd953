"""Every ruleset of every game, begun and ended in the browser by a player who presses whatever can be pressed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from parlour.games import all_games
from tests.browser.library import Library, name_of
from tests.browser.player import (
    ENDED,
    GREEDY,
    check_access,
    my_turn,
    press_anything,
    table,
    version,
    wait_past,
)

pytestmark = pytest.mark.browser
FIRST, LAST = 1, 5  # decisions of a game from its beginning, and before its end
MORE = 8  # decisions that are pressed, at most, even where these do not lead to the end
CHECKED = 0  # the decision before which axe checks the page
Visit = Callable[..., Page]


def kinds() -> Iterator[tuple[str, dict[str, str]]]:
    """Yield each game with each of its rulesets."""
    for name, game in all_games().items():
        rulesets = [value for option in game.facts.options if option.name == "ruleset" for value in option.values]
        yield from ((name, {"ruleset": ruleset}) for ruleset in rulesets)
        if not rulesets:
            yield name, {}


def play(page: Page, most: int = 10_000, checked: int = -1, **rules: Any) -> int:
    """Play at most this number of decisions; return how many. `checked`: the one before which axe checks the page, with
    these settings of its rules."""
    choice = random.Random(7)
    for made in range(most):
        if not my_turn(page):
            return made
        before = version(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        if made == checked:
            check_access(page, f"decision {made}", **rules)
        press_anything(page, choice)
        wait_past(page, before)
    return most


@pytest.mark.slow
@pytest.mark.parametrize(("game", "options"), list(kinds()), ids=lambda value: str(value).strip("{}"))
@pytest.mark.suite("fortune-*", "aces-*", "facets-*", "gatsby-*", "*market-making*")
def test_a_game(visit: Visit, games: Library, game: str, options: dict[str, str]) -> None:
    """Play its first and its last decisions with the fewest players; with `scripts/nightly --whole`, all of them with
    the most."""
    page = visit(width=390, height=844, base=games.server.url)
    players = all_games()[game].facts.players[games.whole]
    if not games.whole:
        table(page, game=game, options=options, seats=[{"kind": "me"}, *[GREEDY] * (players - 1)])
        # Colours take axe as long as all the rest; tests/browser/test_look.py measures them.
        assert play(page, FIRST, checked=CHECKED, **{"color-contrast": {"enabled": False}}) == FIRST
    games.sit(page, game, options, players, last=LAST)
    if games.whole:
        play(page, checked=CHECKED)
    elif play(page, MORE) == MORE:
        page.goto(f"/t/{name_of(game, options, players)}")  # the finished game itself
    page.locator("main[data-status=over]").wait_for()
    expect(page.locator('[data-key="result"] h1')).to_contain_text(ENDED)
