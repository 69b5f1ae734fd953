"""Core's default look, without an author's styles: all text can be read, and all controls can be pressed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import product
from types import SimpleNamespace
from typing import Any, cast

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page

from parlour.core import colours, html
from parlour.core.game import RULESET, Game
from parlour.core.match import Match
from parlour.core.scene import SPECTATOR, Scene
from parlour.games import all_games, find
from tests.browser import boards, sampler
from tests.browser.measures import CONTRASTS, OVERLAPS, PRESSES, pale

pytestmark = pytest.mark.browser
CLOTHS = {"": {}, "one colour, light": {"--cloth": "#f0e2c0"}, "one colour, middling": {"--cloth": "#7f8a5a"}}


def game(theme: dict[str, str] | None = None) -> Game:
    """Return a game that declares no look, or one colour."""
    both = {"light": theme, "dark": theme} if theme else {}
    said = SimpleNamespace(name="pig", theme=both, look="", art="", text=SimpleNamespace(TITLE="Pig"))
    return cast(Game, said)


def document(shown: Game, scene: Scene) -> str:
    """Return a page with this scene, styled like a table's page."""
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<style>{html.look()}{boards.page_look()}{html.style(shown)}</style><body>{html.SHAPES}{html.art(shown)}"
        f'<main class="table game-pig">{html.render(scene, "/rules/pig")}</main>'
    )


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    yield context.new_page()
    context.close()


def choose(page: Page) -> None:
    """Choose all that can be chosen, as the page does."""
    page.evaluate("() => document.querySelectorAll('[data-part]').forEach(n => n.setAttribute('aria-pressed', 'true'))")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("theme", CLOTHS.values(), ids=["no THEME", *list(CLOTHS)[1:]])
@pytest.mark.suite("no THEME*")
def test_every_kind_in_every_state_can_be_read(page: Page, scheme: Any, theme: dict[str, str]) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_content(document(game(theme), sampler.whole()))
    choose(page)
    found = page.evaluate(CONTRASTS)
    pale = [(key, words, round(worst, 2)) for key, words, worst, _ in found if worst < 4.5]
    assert not pale, pale
    small = [(key, words, size) for key, words, _, size in found if size < 12]
    assert not small, small
    written = {words for _, words, *_ in found}
    assert {"fish", "12", "Opal", "Wood", "Sheep 3", "Q♥", "Harvest", "Take all", "Rain", "×3", "a1"} <= written


@pytest.mark.parametrize("cloth", colours.CLOTHS)
@pytest.mark.suite("#6b3140", "#2f6650")
def test_every_cloth_that_core_gives_can_be_read_on(page: Page, cloth: str) -> None:
    for scheme in ("light", "dark"):
        theme = {"--cloth": cloth if scheme == "light" else colours.mix(cloth, "#000000", 0.5)}
        page.emulate_media(color_scheme=cast(Any, scheme))
        page.set_content(document(game(theme), sampler.scene(tuple(sampler.resting()))))
        pale = [(key, words, round(worst, 2)) for key, words, worst, _ in page.evaluate(CONTRASTS) if worst < 4.5]
        assert not pale, (scheme, pale)


@pytest.mark.parametrize(
    ("name", "ruleset"), [(name, ruleset) for name, game in all_games().items() for ruleset in game.rulesets]
)
@pytest.mark.suite("family-trade-market-making")
def test_all_words_can_be_read_on_the_pixels_behind_them(
    page: Page, size: Callable[[int, int], int], name: str, ruleset: str
) -> None:
    """They are measured as the browser paints them: under the lamp, on gradients, pictures and each other; early and
    later in a game."""
    options = {RULESET: ruleset} if ruleset else {}
    match = Match(find(name), min(find(name).facts.players[-1], 4), options=options, seed=3)
    choice, wrong = random.Random(4), []
    ways = list(product(((390, 844), (1280, 800)), ("light", "dark")))
    for number, later in enumerate(sorted((0, 125, 50)[: size(2, 3)])):
        while not match.over and (match.version < later or match.current_player < 0):
            match.play(choice.choice(match.legal_action_ids()))
        page.set_content(boards.document(match.game, match.scene(max(0, match.current_player))))
        for (width, height), scheme in ways if size(0, 1) else (ways[number], ways[3 - number]):
            page.set_viewport_size({"width": width, "height": height})
            page.emulate_media(color_scheme=cast(Any, scheme))
            page.evaluate("() => scrollTo(0, 0)")
            wrong += [(match.version, width, scheme, *one) for one in pale(page)]
            if page.evaluate("() => { scrollTo(0, 1e6); return scrollY; }"):  # what is below, too
                wrong += [(match.version, width, scheme, *one) for one in pale(page)]
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.parametrize("name", list(all_games()))
def test_a_board_in_a_low_window_keeps_its_height_and_is_scrolled(page: Page, name: str) -> None:
    """This happens at the end of a game and in a replay, where a result or a graph takes part of the window."""
    match = Match(find(name), find(name).facts.players[1], seed=3)
    for _ in range(20):
        match.play(match.legal_action_ids()[0])
    page.set_viewport_size({"width": 1280, "height": 500})
    page.set_content(document(match.game, match.scene(SPECTATOR)))
    spilt, hidden = page.evaluate(
        "() => ['.board', '.scene'].map((at) => document.querySelector(at)).map((n) => n.scrollHeight - n.clientHeight)"
    )
    assert spilt <= 0, f"{spilt} px of the board lie outside it"
    assert hidden > 0 or page.evaluate("document.querySelector('.bar').getBoundingClientRect().bottom") <= 500


@pytest.mark.parametrize("width", [390, 768, 1280, 1920])
@pytest.mark.suite("390", "1280")
def test_what_lies_on_a_board_flows(page: Page, width: int) -> None:
    """No piece overlaps another, is outside the window, is too small to be pressed, or is covered by another."""
    page.set_viewport_size({"width": width, "height": 900})
    page.set_content(document(game(), sampler.whole()))
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert not page.evaluate(OVERLAPS)
    presses = page.evaluate(PRESSES.replace("SCROLL", "true"))
    assert len(presses) > 50
    assert not [key for key, hit, *_ in presses if not hit]
    assert not [(key, wide, high) for key, _, wide, high, *_ in presses if min(wide, high) < 24]
    assert not [(key, left, right) for key, _, _, _, left, right, *_ in presses if left < 0 or right > width]


@pytest.mark.whole
def test_a_piece_is_no_larger_than_it_is_sensible(page: Page) -> None:
    """A die without a declared width was once 540 pixels wide."""
    for piece in sampler.bare():
        page.set_content(document(game(), sampler.scene((piece,))))
        for width in (390, 1920):
            page.set_viewport_size({"width": width, "height": 1000})
            box = page.locator(f'[data-key="{piece.key}"]').bounding_box()
            assert box
            assert 12 <= box["height"] <= 260, (piece.key, box)
            assert 12 <= box["width"] <= 260, (piece.key, box)


def test_a_chosen_piece_has_the_sign_of_its_game(page: Page) -> None:
    shown = game()
    sign = """() => getComputedStyle(document.querySelector('[aria-pressed="true"]'), "::after").content"""
    for look, expected in (("", '"✓"'), ('.board { --chosen: "↻"; }', '"↻"')):
        cast(Any, shown).look = look
        page.set_content(document(shown, sampler.whole()))
        choose(page)
        assert page.evaluate(sign) == expected


def test_a_look_changes_nothing_but_the_scene_of_its_game(page: Page) -> None:
    """It has a rule for all buttons, paragraphs and boards: another game's scene and the rest of the page don't
    change."""
    colour = """() => ["main .prompt", "body > p", ".game-kuhn .prompt"].map((selector) => {
      const node = document.querySelector(selector);
      return node && getComputedStyle(node).color;
    })"""
    shown, other = game(), sampler.scene(())
    beside = "<p>outside</p>" + html.render(replace(other, game="kuhn"))
    page.set_content(document(shown, other) + beside)
    plain = page.evaluate(colour)
    cast(
        Any, shown
    ).look = "p { color: rgb(1, 2, 3) !important; } :root, body, main { color: rgb(1, 2, 3) !important; }"
    page.set_content(document(shown, other) + beside)
    changed = page.evaluate(colour)
    assert changed == ["rgb(1, 2, 3)", plain[1], plain[2]]
    assert plain[2] != "rgb(1, 2, 3)"
