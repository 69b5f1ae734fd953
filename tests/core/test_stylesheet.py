"""A game's look is held to its own scene, and the folder of the game is where it lies."""

from __future__ import annotations

import re

import pytest

from parlour.core import html
from parlour.core.stylesheet import scoped
from parlour.games import all_games


def test_every_rule_stands_below_the_scene_of_its_game() -> None:
    css = '/* } */ .die { content: "}"; color: red } @media (width > 1px) { .card { gap: 0; } }'
    assert scoped(css, "pig") == (
        ':where(.scene.game-pig) {\n.die { content: "}"; color: red }\n@media (width > 1px) { .card { gap: 0; } }\n}\n'
    )


def test_frames_stand_outside_as_they_must() -> None:
    assert scoped("@keyframes shake { 50% { rotate: 9deg; } } .die { color: red; }", "pig") == (
        "@keyframes shake { 50% { rotate: 9deg; } }\n:where(.scene.game-pig) {\n.die { color: red; }\n}\n"
    )


def test_a_game_without_a_look_of_its_own_has_none() -> None:
    assert scoped("", "pig") == scoped("/* nothing yet */\n", "pig") == ""


@pytest.mark.parametrize(
    ("css", "why"),
    [
        (".die {} } body { display: none; } .a { color: red", "line 1: a brace is closed that was not opened."),
        (".die {\n color: red;", "a rule is not ended"),
        (".die { color: red; } .card", "a rule is not ended"),
        (".die {}\nbody:has(&) { display: none; }", "line 2: & reaches out of the scene"),
        ("@import url(//elsewhere/x.css);", "line 1: @import cannot stand here"),
        ("\n\n@font-face { }", "line 3: @font-face cannot stand here"),
        (".a { @keyframes x { } }", "line 1: @keyframes cannot stand here"),
        ("@layer a { }", "line 1: @layer cannot stand here"),
        ("/* never closed .die { }", "line 1: /\\* is opened and not closed."),
        ('.die { content: "}; }\n.a { }', 'line 1: " is opened and not closed.'),
    ],
)
def test_what_would_reach_out_is_refused_with_its_line(css: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        scoped(css, "pig")


@pytest.mark.parametrize("name", list(all_games()))
def test_the_look_of_each_game_is_in_its_style_alone(name: str) -> None:
    style = html.style(all_games()[name])
    outside = re.sub(r":where\(\.scene\.game-[a-z-]+\) \{.*\n\}\n", "", style, flags=re.DOTALL)
    for rule in re.findall(r"([^{}]+)\{", re.sub(r"@keyframes \w+ \{([^{}]*\{[^{}]*\})*[^{}]*\}", "", outside)):
        assert rule.startswith((f".game-{name}", "@media ")), rule
    assert not [word for other in all_games() if other != name for word in (f"game-{other}",) if word in style]


def test_core_names_no_game_and_no_mark_of_one() -> None:
    """What core's look says, it says of the vocabulary."""
    assert html.sheets()[:2] == ("tokens", "scene")
    for mark in ("deco", "market-stall", "loop", "rungs", "stamped", "chest", "fan"):
        assert not re.search(rf"\.{mark}\b", html.look()), mark
