"""The oldest browsers that pages promise to run in (README.md): Chrome and Edge 120, Firefox 121, Safari 17.2."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from parlour.games import all_games
from parlour.house.site import files
from tests.browser.player import GREEDY, STOP, my_turn, table, version, wait_past

pytestmark = pytest.mark.browser
# What one of them lacks by MDN's compatibility tables (2026-11-25), if its absence would matter.
NEWER = {
    ".css": r"""light-dark\( | @starting-style | @scope | @property | @view-transition | @position-try | field-sizing
        | interpolate-size | calc-size\( | anchor\( | position-anchor | ::details-content | text-box | reading-flow
        | rgb\(from | hsl\(from | oklch\(from | \bif\( | sibling-(index|count) | :open\b | :popover-open""",
    ".js": r"""withResolvers | groupBy | startViewTransition | moveBefore | AbortSignal\.any | Promise\.try
        | RegExp\.escape
        | \.(union|intersection|difference|isSubsetOf)\( | Iterator\. | scrollend | popover | fromBase64 | toBase64
        | Array\.fromAsync | \.checkVisibility\( | Float16""",
}
TAKEN = """
delete Element.prototype.checkVisibility;
delete Promise.withResolvers;
delete Object.groupBy;
delete AbortSignal.any;
delete self.BroadcastChannel;
for (const name of ["union", "intersection", "difference"]) delete Set.prototype[name];
"""
COLOURS = """() => [".seat", ".act", ".bar", "dialog", "body", ".chip", ".log li"].map((one) => {
  const style = getComputedStyle(document.querySelector(one) ?? document.body);
  return [one, style.color, style.backgroundColor, style.borderTopColor];
})"""


def unguarded(text: str) -> str:
    """Return a style sheet without what only browsers that support it read (`@supports`)."""
    while (begin := text.find("@supports")) >= 0:
        end, depth = text.index("{", begin) + 1, 1
        while depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        text = text[:begin] + text[end:]
    return text


def test_nothing_newer_is_sent() -> None:
    assert unguarded("a{b:c}@supports selector(::x){d{e:f}}g{h:i}") == "a{b:c}g{h:i}"
    names = [*files.SOURCES, *(f"game-{game}.css" for game in all_games()), "themes.css"]
    looked = 0
    for name in names:
        pattern = NEWER.get(name[name.rindex(".") :])
        if pattern is None:
            continue
        file = files.find(name)
        assert file is not None
        text = file.data.decode()
        found = re.search(pattern, unguarded(text) if name.endswith(".css") else text, re.VERBOSE)
        assert found is None, (name, found)
        looked += 1
    assert looked > 50


@pytest.mark.whole
def test_a_game_is_played_and_has_its_colours_without_what_is_newest(visit: Callable[..., Page]) -> None:
    new, old = (visit(color_scheme="dark") for _ in range(2))
    old.add_init_script(TAKEN)

    def without(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("light-dark(", "unknown("))

    old.route("**/*.css", without)
    for page in (new, old):
        table(page, seats=[{"kind": "me"}, GREEDY])
        assert my_turn(page)
    assert not old.evaluate("'checkVisibility' in Element.prototype")
    dark = old.evaluate(COLOURS)
    assert new.evaluate(COLOURS) == dark
    for page in (new, old):
        page.emulate_media(color_scheme="light")
    assert new.evaluate(COLOURS) == old.evaluate(COLOURS) != dark
    before = version(old)
    old.locator(STOP).click()
    wait_past(old, before)
    assert my_turn(old)
    old.keyboard.press("?")
    expect(old.locator("#keys")).to_be_visible()
    assert old.evaluate("getComputedStyle(document.querySelector('#keys')).backgroundColor") != "rgba(0, 0, 0, 0)"
