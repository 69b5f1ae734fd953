"""A rulebook as a page: sections, contents, clauses with anchors, marked sources, pictures of pieces.

`parlour.core.book` says how it is written.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from itertools import count

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from markupsafe import Markup
from mdit_py_plugins.attrs import attrs_block_plugin, attrs_plugin

from parlour.core import book, clauses, html
from parlour.core.edition import DERIVED, STATED, Part
from parlour.core.facts import RULESET
from parlour.core.game import Game

CLAUSE = re.compile(r"\b([A-Z]{2}-\d+)\b")
SHEET = "sheet"  # the class of sections on the summary sheet
EXAMPLES = "Examples"  # the heading below which only marked text is printed
OURS = "ours"  # the class of what is not printed
PRINTED = frozenset({STATED, DERIVED})
MAY_BE_OURS = (
    "section_open", "rule_open", "paragraph_open", "table_open", "tr_open", "bullet_list_open", "ordered_list_open",
    "list_item_open",
)  # fmt: skip
_BEGINS = re.compile(rf"\*\*{CLAUSE.pattern}\*\*")


@dataclass(frozen=True)
class Heading:
    """An entry of the contents."""

    level: int
    anchor: str
    words: str
    ruleset: str
    ours: bool  # whether nothing below it is printed


@dataclass(frozen=True)
class Book:
    """A rulebook, drawn. `lead` is everything before the first section."""

    lead: Markup
    text: Markup
    contents: tuple[Heading, ...]


@cache
def drawn(game: Game) -> Book:
    """Return the whole rulebook of a game."""
    tokens = _parsed(game.rulebook)
    start = next((i for i, token in enumerate(tokens) if _level(token) == 2), len(tokens))
    lead, rest = tokens[:start], list(_sections(tokens[start:]))
    divided(rest)
    return Book(_html(game, lead), _html(game, rest), tuple(_contents(rest)))


@cache
def sheet(game: Game, ruleset: str, rules: str = "") -> Markup:
    """Return the summary sheet of a ruleset ("" in a game that has one): the lead, and the sections that
    the book marks for it. `rules` is the rulebook's address, where that is not the house's."""
    base = rules or f"/rules/{game.name}" + (f"?{RULESET}={ruleset}" if ruleset else "")
    return _html(game, _sections(_for_sheet(_parsed(game.book(ruleset)), ruleset)), base)


def sheet_sources(game: Game, ruleset: str) -> dict[str, str]:
    """Return the legend of a summary sheet: the sources that it names, and what each means."""
    found = str(sheet(game, ruleset))
    return {source: words for source, words in book.SOURCES.items() if f">{book.LABELS[source]}</small>" in found}


def editions(game: Game) -> list[dict[str, object]]:
    """Return the contents of each edition, in the game's words where it has any."""

    def component(name: str, part: Part) -> dict[str, object]:
        return {
            "title": part.title or name.replace("_", " ").capitalize(),
            "text": _html(game, _parsed(game.component(name, part.value) or book.as_markdown(part.value))),
            "source": "" if part.mark == STATED else part.mark,
            "clause": part.clause,
            "note": part.note,
        }

    return [
        {"name": edition.name, "title": edition.title, "note": edition.note,
         "components": [component(name, part) for name, part in edition.components.items()],
         "ours": not any(part.mark in PRINTED for part in edition.components.values())}
        for edition in game.editions.values()
    ]  # fmt: skip


def rulesets(game: Game) -> dict[str, str]:
    """Return the names of the rulesets, of a game that has several."""
    option = next((option for option in game.facts.options if option.name == RULESET), None)
    return {value: option.said(value) for value in option.values} if option else {}


# Reading -------------------------------------------------------------------------------------------
@cache
def _reader() -> MarkdownIt:
    reader = MarkdownIt("js-default", {"html": False, "linkify": False}, renderer_cls=_Drawing)
    reader.use(attrs_plugin, spans=True, allowed=["class"])
    return reader.use(attrs_block_plugin, allowed=["class", RULESET])


def _parsed(text: str) -> list[Token]:
    """Return the tokens: each heading with an anchor, each clause in a box, a picture alone as a figure."""
    tokens, found = _reader().parse(text), []
    anchors: set[str] = set()
    within = False  # a clause
    for i, token in enumerate(tokens):
        inline = tokens[i + 1] if i + 1 < len(tokens) else token
        children = inline.children or []
        number = _BEGINS.match(inline.content) if token.type == "paragraph_open" and not token.level else None
        if within and (number or _level(token)):
            found.append(Token("rule_close", "div", -1, block=True))
            within = False
        if number:
            found.append(Token("rule_open", "div", 1, {"id": number[1], "class": "rule"}, block=True))
            within = True
        elif token.type == "paragraph_open" and [child.type for child in children] == ["image"]:
            token.tag = tokens[i + 2].tag = "figure"
            children[0].meta["alone"] = True
            if source := next((name for name in _classes(children[0]) if name in book.SOURCES), ""):
                token.attrSet("class", source)
        elif _level(token):
            anchor = re.sub(r"\W+", "-", inline.content.lower()).strip("-")
            token.attrSet("id", next(name for n in count() if (name := f"{anchor}{'-' * n}") not in anchors))
            anchors.add(str(token.attrGet("id")))
        found.append(token)
    return [*found, Token("rule_close", "div", -1, block=True)] if within else found


def _level(token: Token) -> int:
    """Return the level of the heading that begins here, or 0."""
    return int(token.tag[1]) if token.type == "heading_open" else 0


def _classes(token: Token) -> list[str]:
    return str(token.attrGet("class") or "").split()


def _ruleset(token: Token) -> str:
    return str(token.attrGet(RULESET) or "")


def _sections(tokens: Iterable[Token]) -> Iterator[Token]:
    """Yield the tokens with a <section> round each heading but the title, and all that is below it."""
    opened: list[int] = []
    for token in tokens:
        if (level := _level(token)) > 1:
            while opened and opened[-1] >= level:
                opened.pop()
                yield Token("section_close", "section", -1, block=True)
            opened.append(level)
            about = {"data-ruleset": _ruleset(token)} if _ruleset(token) else {}
            yield Token("section_open", "section", 1, {"class": f"h{level}", **about}, block=True)
        yield token
    yield from (Token("section_close", "section", -1, block=True) for _ in opened)


def _contents(tokens: Sequence[Token]) -> Iterator[Heading]:
    rulesets: dict[int, str] = {}  # of the sections round the present one, by level
    ours: list[bool] = []  # whether they are ours, the outermost first
    for i, token in enumerate(tokens):
        if token.type == "section_open":
            ours.append(OURS in _classes(token))
        elif token.type == "section_close":
            ours.pop()
        if level := _level(token):
            rulesets = {one: name for one, name in rulesets.items() if one < level} | {level: _ruleset(token)}
            words = "".join(child.content for child in tokens[i + 1].children or [])
            yield Heading(level, str(token.attrGet("id")), words, next(filter(None, rulesets.values()), ""), any(ours))


def _for_sheet(tokens: Sequence[Token], ruleset: str) -> Iterator[Token]:
    """Yield the title, what precedes the first section, and the sheet's sections without those of other rulesets."""
    taken, left = 1, 0  # levels of the section that is on the sheet, and of the one in it that is not; 0 for none
    for token in tokens:
        if level := _level(token):
            taken = 0 if level <= taken or (taken == 1 and level == 2) else taken
            left = 0 if level <= left else left
            if not taken and (level == 1 or SHEET in _classes(token)):
                taken = level
            if not left and _ruleset(token) not in ("", ruleset):
                left = level
        if taken and not left:
            yield token


# What is printed, what is ours ---------------------------------------------------------------------
@dataclass
class _Within:
    """A block that is open: whether it is all ours, and what was found in it."""

    token: Token
    ours: bool
    printed: bool = False
    marked: bool = False


def divided(tokens: Sequence[Token]) -> None:
    """Give the class `ours` to each section, paragraph, figure, list, table and row in which nothing is printed.

    What follows from the print counts as printed. Examples are ours, words and pictures, unless they are marked as
    printed; and a clause keeps its number: the page says that the print is silent.
    """
    opened: list[_Within] = []
    examples = False
    for i, token in enumerate(tokens):
        if _level(token) == 2:
            examples = tokens[i + 1].content == EXAMPLES
        if token.type == "inline":
            printed, marked = _found(token, opened[-1].token if opened else token)
            opened[-1].printed |= printed
            opened[-1].marked |= marked
        elif token.nesting == 1:
            opened.append(_Within(token, examples and _is_ours(tokens, i)))
        elif token.nesting == -1:
            block = opened.pop()
            kind = block.token.type
            block.printed &= not block.ours
            all_ours = not block.printed and (block.marked or block.ours or kind == "section_open")
            first = bool(opened) and opened[-1].token.type == "rule_open" and kind == "paragraph_open"
            if all_ours and kind in MAY_BE_OURS and not (first and _BEGINS.match(tokens[i - 1].content)):
                block.token.attrJoin("class", OURS)
            if opened and kind not in ("heading_open", "thead_open"):
                opened[-1].printed |= block.printed or kind == "rule_open"
                opened[-1].marked |= block.marked or block.ours


def _found(inline: Token, block: Token) -> tuple[bool, bool]:
    """Return whether it has words that are printed or follow from the print, and whether it has others."""
    printed = marked = False
    ours: list[bool] = []  # of the marks round the present words
    for child in inline.children or []:
        if child.type == "span_open":
            ours.append(not {*_classes(child)} <= PRINTED)
        elif child.type == "span_close":
            ours.pop()
        elif child.type == "image" and child.meta.get("alone"):
            ours_too = not {*_classes(block)} <= PRINTED
            printed, marked = printed or not ours_too, marked or ours_too
        elif any(ours):
            marked = marked or bool(child.content.strip())
        elif child.type in ("text", "code_inline"):
            printed = printed or bool(re.search(r"\w", CLAUSE.sub("", child.content)))
    return printed, marked


def _is_ours(tokens: Sequence[Token], i: int) -> bool:
    """Return whether the block that begins here, among the examples, is an example of ours, or text about one."""
    if tokens[i].type == "section_open":
        level = _level(tokens[i + 1])
        inside = itertools.takewhile(lambda token: not 0 < _level(token) <= level, tokens[i + 2 :])
        return level == 3 and not any("printed" in _classes(token) for token in inside)
    return (
        tokens[i].type in ("paragraph_open", "table_open", "bullet_list_open", "ordered_list_open")
        and tokens[i].level == 0
        and tokens[i].tag != "figure"
        and "printed" not in _classes(tokens[i])
    )


# Drawing -------------------------------------------------------------------------------------------
class _Drawing(RendererHTML):
    """What is drawn otherwise than in other Markdown; `env` has what `_html` puts there."""

    def text(self, tokens: Sequence[Token], idx: int, _options: OptionsDict, env: EnvType) -> str:
        """Draw text, with a link for each clause number."""

        def link(found: re.Match[str]) -> str:
            return f'<a href="{env["base"]}#{found[1]}">{found[1]}</a>' if found[1] in env["known"] else found[1]

        return CLAUSE.sub(link, escape(tokens[idx].content, quote=False))

    def heading_open(self, tokens: Sequence[Token], idx: int, _options: OptionsDict, _env: EnvType) -> str:
        return f'<{tokens[idx].tag} id="{tokens[idx].attrGet("id")}">'

    def th_open(self, tokens: Sequence[Token], idx: int, _options: OptionsDict, _env: EnvType) -> str:
        """Return a cell of the head; one without words is not the head of anything."""
        return "<th>" if tokens[idx + 1].content else "<td>"

    def th_close(self, tokens: Sequence[Token], idx: int, _options: OptionsDict, _env: EnvType) -> str:
        return "</th>" if tokens[idx - 1].content else "</td>"

    def span_close(self, tokens: Sequence[Token], idx: int, _options: OptionsDict, _env: EnvType) -> str:
        """Return the end of words that do not come from the print: where they come from."""
        level = tokens[idx].level
        opening = next(one for one in reversed(tokens[:idx]) if one.type == "span_open" and one.level == level)
        return f" <small>{' '.join(book.LABELS[one] for one in _classes(opening) if one in book.LABELS)}</small></span>"

    def image(self, tokens: Sequence[Token], idx: int, _options: OptionsDict, env: EnvType) -> str:
        """Draw a piece as on the table, but not to press; a picture that stands alone has its words below it."""
        game, words = env["game"], escape(tokens[idx].content)
        piece = game.pictures[str(tokens[idx].attrGet("src"))]  # `parlour.core.loading` has looked
        alone = tokens[idx].meta.get("alone")
        said = 'aria-hidden="true"' if alone or not words else f'role="img" aria-label="{words}"'
        source = next((name for name in _classes(tokens[idx]) if name in book.SOURCES), "")
        size = " ".join(("shown", *(name for name in _classes(tokens[idx]) if name != source)))
        shown = f'<span class="{size}" {said}>{html.picture(game, piece)}</span>'
        badge = f' <small class="source">{book.LABELS[source]}</small>' if source else ""
        return f"{shown}<figcaption>{words}{badge}</figcaption>" if alone else shown


def _html(game: Game, tokens: Iterable[Token], base: str = "") -> Markup:
    """Draw the tokens. `base` is the page with the clauses, "" for this one."""
    reader = _reader()
    env = {"game": game, "known": clauses.clauses(game), "base": base}
    return Markup(reader.renderer.render(list(tokens), reader.options, env))
