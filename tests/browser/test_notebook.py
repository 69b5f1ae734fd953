"""A notebook's cell has only the styles and pictures that it uses, and looks as if it had all of them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from html import unescape

import pytest
from playwright.sync_api import Browser

import parlour
from parlour.core import html, pruning

pytestmark = pytest.mark.browser

RULESETS = [(name, ruleset) for name, game in parlour.all_games().items() for ruleset in game.rulesets]
MOST = 100_000  # characters of a cell; with everything in it, one has up to 264,000
SEEN = """(body) => {
    const found = [];
    for (const one of document.getAnimations()) { one.pause(); one.currentTime = 500; }
    for (const one of body.ownerDocument.querySelectorAll("body, body :not(symbol, symbol *)")) {
        for (const part of ["", "::before", "::after"]) {
            const style = getComputedStyle(one, part || null);
            if (part && ["none", "normal"].includes(style.content)) continue;
            const { x, y, width, height } = one.getBoundingClientRect();
            const all = Array.from(style).map((name) => `${name}:${style.getPropertyValue(name)}`).join(";");
            found.push(`${one.tagName}.${one.getAttribute("class")}${part} ${[x, y, width, height]} ${all}`);
        }
    }
    return found;
}"""


def played(name: str, ruleset: str, moves: int) -> parlour.Match:
    """Return a match after some random moves."""
    match = parlour.new(name, options={"ruleset": ruleset} if ruleset else None, seed=7)
    rng = random.Random(moves)
    for _ in range(moves):
        if not match.over:
            match.play(rng.choice(match.legal_actions()))
    return match


def whole(match: parlour.Match) -> str:
    """Return the page of a cell with all styles and pictures."""
    game = match.game
    css = f"{html.look()}{html.style(game)}body{{margin:0;font-family:var(--sans)}}"
    body = f"{html.SHAPES}{html.art(game)}{html.render(match.scene(-2))}"
    return f'<!doctype html><html lang="en"><meta charset="utf-8"><style>{css}</style>{body}'


def cell(match: parlour.Match) -> str:
    """Return the page inside the frame of a cell."""
    drawn = match._repr_html_()
    assert len(drawn) < MOST
    found = re.match(r"<iframe srcdoc='([^']*)'", drawn)
    assert found is not None
    return unescape(found[1])


@pytest.mark.parametrize(("name", "ruleset"), RULESETS)
@pytest.mark.suite("family-trade-market-making")
def test_a_cell_looks_the_same_without_what_it_does_not_use(
    browser: Browser, name: str, ruleset: str, size: Callable[[int, int], int]
) -> None:
    for moves in (30, 0, 200)[: size(1, 3)]:
        match = played(name, ruleset, moves)
        for width in (980, 400)[: size(1, 2)]:
            page = browser.new_page(viewport={"width": width, "height": 600})
            seen = []
            for text in (cell(match), whole(match)):
                page.set_content(text)
                seen.append(page.locator("body").evaluate(SEEN))
            page.close()
            assert len(seen[0]) > 50
            assert [one for one in zip(*seen, strict=True) if one[0] != one[1]][:1] == []


def test_a_rule_is_left_out_only_if_it_cannot_match() -> None:
    page = '<p class="a b" id="i" data-x="1">text</p>'
    kept = (
        ".a{top:0}", "p.b{top:0}", "#i{top:0}", "[data-x]{top:0}", ".a:not(.c){top:0}", ":is(.c,.a){top:0}",
        ":root{top:0}",
        "p::before{top:0}", "*{top:0}", "@media print{.a{top:0}}", "@font-face{top:0}", ".a:has(.c){top:0}",
    )  # fmt: skip
    gone = (".c{top:0}", "b{top:0}", "#j{top:0}", "[data-y]{top:0}", ".a .c{top:0}", ":where(.c,b) p{top:0}",
            "@media print{.c{top:0}}", "@keyframes never{to{top:0}}")  # fmt: skip
    assert pruning.style("".join((*kept, *gone)), page) == "".join(kept)
    assert pruning.style(".c , .a /* b */ { top : 0 }", page) == ".a{top : 0}"
    moving = "@keyframes turn{to{top:0}}p{animation:turn 1s}"
    assert pruning.style(moving, page) == moving


def test_a_symbol_is_kept_if_anything_that_is_kept_shows_it() -> None:
    inner = {"a": '<use href="#b"/>', "b": "", "c": ""}
    one, two, three = (f'<symbol id="{name}">{text}</symbol>' for name, text in inner.items())
    assert pruning.symbols(f"<svg>{one}{two}{three}</svg>", '<use href="#a"/>') == f"<svg>{one}{two}</svg>"
    assert pruning.symbols(f"<svg>{one}{two}{three}</svg>", "p{mask:url(#c)}") == f"<svg>{three}</svg>"
