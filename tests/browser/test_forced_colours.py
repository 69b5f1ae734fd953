"""A table in colours that the reader's system forces: nothing is told by a colour of ours alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.player import GREEDY, my_turn, table

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
STYLE = "(one, name) => getComputedStyle(one)[name]"


def test_what_is_chosen_active_and_first_remains_to_be_seen(visit: Visit) -> None:
    page = visit(forced_colors="active", reduced_motion="reduce")

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
    table(page)
    assert my_turn(page)
    dice = page.locator(".grid [data-part]")
    free = dice.first.evaluate(STYLE, "outlineWidth")
    for _ in range(2):
        page.locator('.grid [data-part][aria-pressed="false"]').first.click()
    assert style('.board [aria-pressed="true"]', "outlineWidth") != free
    sign = "(one) => getComputedStyle(one, '::after').content"
    assert page.locator('.board [aria-pressed="true"]').first.evaluate(sign) in ('"✓"', '"↻"')
    if page.locator('[data-key="b-pick"][data-action]').count():
        assert style(".act.main", "backgroundColor") != style(".act:not(.main, [aria-disabled])", "backgroundColor")
        assert style(".act.main", "backgroundColor") != style("body", "backgroundColor")
