"""A game's look is held to its own scene, and the folder of the game is where it lies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
import tinycss2
from hypothesis import example, given
from hypothesis import strategies as st

import parlour
from parlour.core import html, html_pieces
from parlour.core.match import Match
from parlour.core.scene import MARKS, Kind, Piece
from parlour.core.stylesheet import scoped
from parlour.core.symbols import CUTS
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


def test_comments_are_left_out_and_never_make_one_token_of_two() -> None:
    assert scoped(".a { //* } */* { /* { */ } } body { color: red; } /* end */", "pig") == (
        ":where(.scene.game-pig) {\n.a { //**/* {  } }\nbody { color: red; }\n}\n"
    )


@pytest.mark.parametrize(
    ("css", "page"),
    [
        (".die { background: url(#shade), url('data:image/png;base64,AA=='); }", None),
        (".a:has(+ .b, ~ .c) > .d + .e { width: calc(1px + 2px); }", None),
        ('.five[data-key="plates"], .rung:not(.a, .b) { grid-area: a / b; }', None),
        ("@container (width < 3rem) and (height > 2px) { .card { gap: 0; } }", None),
        ("@MEDIA (width > 1px) { .card { gap: 0; } }", None),
        (r'.a::before { content: "\201C & { url(x) @import"; }', '.a::before { content: "“& { url(x) @import"; }'),
        (r".a\.b\{ { color: r\65 d; }", r".a\.b\{ { color: red; }"),
        (r".a { --x: \3c \2f style; }", r".a { --x: \<\/style; }"),
    ],
)
def test_what_stays_in_the_scene_says_the_same(css: str, page: str | None) -> None:
    page = css.replace("'", '"') if page is None else page
    assert scoped(css, "pig") == f":where(.scene.game-pig) {{\n{page}\n}}\n"


def test_a_game_without_a_look_of_its_own_has_none() -> None:
    assert scoped("", "pig") == scoped("/* nothing yet */\n", "pig") == ""


FILES = 'a look cannot load files; url() takes a text that begins with "# or "data:.'


@pytest.mark.parametrize(
    ("css", "why"),
    [
        (".die {} } body { display: none; } .a { color: red", "line 1: } closes nothing here; a bracket before it may"),
        ("\n.die {\n color: red;", "line 2: a rule, bracket, text or comment has no end."),
        (".die { color: red; } .card", "line 1: a rule has no end: words that no braces follow."),
        ("/* never closed .die { }", "a rule, bracket, text or comment has no end."),
        (".a { } /* } */ \\", "line 1: a rule, bracket, text or comment has no end."),
        (
            ".die {}\nbody:has(&) { display: none; }",
            "line 2: & reaches out of the scene; begin selectors with a class.",
        ),
        (
            "@import url(//elsewhere/x.css);",
            "line 1: @import is not allowed here; @media, @supports, @container are, and ",
        ),
        (r"@\69mport '//elsewhere/x.css';", "line 1: @import is not allowed here"),
        (".a { @import '//elsewhere/x.css'; }", "line 1: @import is not allowed here"),
        ("@IMPORT 'x.css';", "line 1: @IMPORT is not allowed here"),
        ("\n\n@font-face { }", "line 3: @font-face is not allowed here"),
        (".a { @keyframes x { } }", "line 1: @keyframes is not allowed here"),
        ("@layer a { }", "line 1: @layer is not allowed here"),
        ('.die { content: "}; }\n.a { }', "line 1: a text has no end on its line."),
        ('.die { content: "\f} } body { } .a { content: "; }', "line 1: a text has no end on its line."),  # as in CSS
        ("@keyframes x; body { display: none; }", "line 1: ; does not end a rule here."),
        ("color: red; .a { }", "line 1: ; does not end a rule here."),
        (".a { background: url({) } } body { display: none; }", f"line 1: {FILES}"),
        (r".a { background: u\72l({) } } body { display: none; }", f"line 1: {FILES}"),
        (".a { background: url(x'y); }", f"line 1: {FILES}"),
        (".a { background: url(//elsewhere.example/x.png); }", f"line 1: {FILES}"),
        ('.a { background: URL( "https://elsewhere.example/x.png" ); }', f"line 1: {FILES}"),
        ('.a { --x: url("#a" "https://elsewhere.example/x.png"); }', f"line 1: {FILES}"),
        ('.a { background: -webkit-image-set("x.png" 1x); }', f"line 1: -webkit-image-set() is not allowed; {FILES}"),
        ('.a { background: image-set("data:," 1x, "//x/y.png" 2x); }', f"line 1: image-set() is not allowed; {FILES}"),
        ('.a { --x: "//x/y.png"; background: src(var(--x)); }', f"line 1: src() is not allowed; {FILES}"),
        (".a { width: calc(expression(1)); }", f"line 1: expression() is not allowed; {FILES}"),
        (".die { color: rgb(0 0 0; }\n.a { }", "line 1: } closes nothing here; a bracket before it may be open."),
        (".die { color: rgb(0 { ) }", "line 1: ) closes nothing here"),
        (".die { color: 0) }", "line 1: ) closes nothing here"),
        ("+ * { display: none; }", "line 1: a selector that begins with + reaches out of the scene; begin selectors "),
        (".die { }\n.a,\n/* */ ~ .b { }", "line 3: a selector that begins with ~ reaches out of the scene"),
        (".die { color: red; + .b { } }", "line 1: a selector that begins with + reaches out of the scene"),
        ('.die { content: "</style>"; }', "line 1: </ would end the style of the page."),
        (r'.die { content: "\3c/style>"; }', "line 1: </ would end the style of the page."),
        (".a { }\n.die </style> { }", "line 2: </ would end the style of the page."),
        (r'.die { content: "\d800"; }', r"line 1: \d800 to \dfff are not characters."),
    ],
)
def test_what_would_reach_out_is_refused_with_its_line(css: str, why: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(why)}"):
        scoped(css, "pig")


WORDS = st.sampled_from(
    (
        *"{}()[];:,+~>&@\\\n \"'#<!-*/.1", ".a", "u+a", "/*", "*/", "</", "<!--", "-->", "@media", "@keyframes", "url(",
        "#a", 'url("#a")', "color:red", "{color:red}", ".a{}", r"\7d", r"\22 ", r"\a ", "é", "--x:", "\f", "\0",
    )
)  # fmt: skip


RULES = st.builds("{}{{{}}}".format, WORDS, st.lists(WORDS, max_size=3).map("".join))


STRINGS = re.compile(r"""("|')(?:\\.|(?!\1)[^\\])*\1""", re.DOTALL)


@given(st.lists(RULES | WORDS, max_size=4).map("".join))
@example(':{"}&{"}')
def test_whatever_is_let_in_stays_in_the_scene(css: str) -> None:
    """Read again, nothing but frames is beside the scene, and no token became another one."""
    try:
        page = scoped(css, "pig")
    except ValueError:
        return
    rules = tinycss2.parse_stylesheet(page, skip_whitespace=True)
    *frames, scene = rules or [None]
    assert all(rule.type == "at-rule" and rule.at_keyword == "keyframes" for rule in frames)
    assert scene is None or tinycss2.serialize(scene.prelude) == ":where(.scene.game-pig) "
    assert "</" not in page
    assert "&" not in STRINGS.sub("", page)  # in a string it is a character like others
    assert page == "".join((*(f"{rule.serialize()}\n" for rule in rules),))


def _heads(css: str) -> Iterator[str]:
    """Yield the selectors of a style sheet's rules, including of those in `@media`; what is nested in a rule is below
    it."""
    for rule in tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True):
        if rule.type == "qualified-rule":
            yield tinycss2.serialize(rule.prelude).strip()
        elif rule.at_keyword == "media":
            yield from _heads(tinycss2.serialize(rule.content))
        else:
            assert rule.at_keyword == "keyframes", rule


@pytest.mark.parametrize("name", list(all_games()))
def test_the_look_of_each_game_is_in_its_style_alone(name: str) -> None:
    style = html.style(all_games()[name])
    scene = rf"(:where\((\.scene)?\.game-{name}\)|\.game-{name}(-style-\d)?( [^,]+)?)"
    heads = list(_heads(style))
    assert [head for head in heads if not re.fullmatch(scene, head)] == []
    assert f":where(.scene.game-{name})" in heads
    assert not [word for other in all_games() if other != name for word in (f"game-{other}",) if word in style]


def test_cores_look_knows_no_class_but_those_of_the_vocabulary() -> None:
    """Its kinds, the marks that it lists, and the parts that the renderer draws; nothing that only one game says."""
    drawn = "".join(Path(module.__file__ or "").read_text("utf-8") for module in (html, html_pieces))
    script = "".join(file.read_text("utf-8") for file in (Path(parlour.__file__).parent / "house").rglob("*.js"))
    rules = re.sub(r"/\*.*?\*/", "", html.look(), flags=re.DOTALL)
    classes = {name for head in re.findall(r"([^{}]*)\{", rules) for name in re.findall(r"\.([a-z][\w-]*)", head)}
    known = {*get_args(Kind), *MARKS, *(f"n{i}" for i in range(7)), *(f"s{i}" for i in range(6))}
    known |= {f"g{i}" for i in range(CUTS)}
    unknown = {name for name in classes - known if not re.search(rf'["\' ]{name}["{{ ]', drawn + script)}
    assert not unknown
    assert len(classes) > 60


def test_what_a_game_marks_its_own_look_draws() -> None:
    """A mark that neither core's look nor the game's knows does nothing: it is a class name for its own sake."""
    counted = {f"{family}{n}" for family in ("p", "n", "h", "s") for n in range(7)}  # a look names some of them
    found = {}
    for game in all_games().values():
        match = Match(game, game.facts.players[1], seed=2)
        idle: set[str] = set()
        while not match.over and match.version < 150:
            legal = match.legal_action_ids()
            match.play(legal[match.version % len(legal)])
            idle |= {mark for piece in _all(match.scene(0).board) for mark in piece.marks}
        found[game.name] = {mark for mark in idle - set(MARKS) - counted if f".{mark}" not in game.look}
    assert not any(found.values()), found


def _all(piece: Piece) -> Iterator[Piece]:
    yield piece
    for child in piece.children:
        yield from _all(child)
