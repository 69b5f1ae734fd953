"""Draw a `Scene` as HTML and inline SVG: one renderer of all games for page, notebooks and tests.

Everything that persists has a `data-key`. Whatever the viewer can do is a <button> with
`data-action` (a move's text) or `data-part` (a token of the scene's pick). Whatever they might try
but cannot do has `data-why`, and that role. This module escapes all texts. Looks come from `look/*.css` and the
game's own `look.css`, pictures from its `art.svg` by reference.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from html import escape
from importlib import resources
from itertools import zip_longest

from parlour.core import book, colours, placing, pruning
from parlour.core.artwork import unstyled
from parlour.core.game import Game
from parlour.core.html_pieces import Parts, Pieces, clause_link, shape, shortcut, why
from parlour.core.scene import Button, Keep, Line, Pick, Piece, Scene, plates
from parlour.core.stylesheet import scoped
from parlour.core.symbols import SHAPES, apart, chosen, cover

__all__ = [
    "SHAPES", "art", "clause_link", "lines", "look", "notebook", "picture", "render", "shape", "style", "theme",
]  # fmt: skip

SHEETS = ("tokens", "scene", "layout", "pieces")  # the files of `look/`, the general ones first
FLOW = "flow"  # the one for boards that place nothing
LAID = "display:grid;place-items:normal;justify-content:normal;font-size:1rem;min-height:auto;"  # replaces core's flow
HINTS = '<div class="hints" data-key="hints"></div>'  # filled on request


def render(scene: Scene, rules: str = "", parts: Parts | None = None) -> str:
    """Return `<section data-key="scene">`: players, board, and the bar of possible actions.

    `rules` is the address of the rulebook, to which clauses link; without it they are plain text.
    `parts`: see `Pieces`.
    """
    draw = _Draw(scene, rules, parts)
    seats = plates(scene)
    mine = [seat for seat in seats if seat.seat == scene.viewer]
    others = [seat for seat in seats if seat.seat != scene.viewer]
    if mine and mine[0].seat is not None:  # clockwise from the viewer
        others = [*seats[mine[0].seat + 1 :], *seats[: mine[0].seat]]
    turn = ' data-turn="mine"' if scene.to_move is not None and scene.to_move == scene.viewer else ""
    state = f' data-hold="{scene.hold}"' + (' data-over="1"' if scene.over else "")
    state += " data-lesson" if scene.lesson else ""
    return (
        f'<section class="scene game-{escape(scene.game)}" data-key="scene"{turn}{state} aria-label="The game">'
        f"{draw.element(partial(draw.others, others))}{draw.piece(scene.board)}"
        f"{draw.element(partial(draw.bar, mine))}</section>"
    )


def picture(game: Game, piece: Piece) -> str:
    """Return pieces on their game's cloth, to be looked at: a board as it is, others side by side.

    There are no clauses to follow and nothing to press, so whatever is round it can say what it is.
    """
    draw = Pieces("")
    inner = draw.piece(piece) if piece.kind == "board" else f'<div class="board few">{draw.piece(piece)}</div>'
    return f'<div class="scene game-{escape(game.name)}" inert>{inner}</div>'


def lines(log: list[Line] | tuple[Line, ...], first: int = 0, rules: str = "", times: Sequence[float] = ()) -> str:
    """Return lines of the log as `<li>`s, keyed by their number in the whole log.

    `first` is the number of lines that come before these. `times` holds a moment (epoch) for each line, 0 for none.
    """
    return "".join(
        f'<li class="{line.kind}" data-key="log-{i}">{shape(line.seat)}<span>{escape(line.text)}</span>'
        f"{clause_link(line.clause, rules)}{moment(at)}</li>"
        for i, (line, at) in enumerate(zip_longest(log, times, fillvalue=0.0), first)
        if isinstance(line, Line)
    )


def sourced(text: str, sources: Sequence[tuple[str, str]]) -> str:
    """Return a text in which the words that are not printed are marked with their source, as in the rules.

    `sources` has these words in their order: `book.marked`.
    """
    found: list[str] = []
    for source, words in sources:
        before, _, text = text.partition(words)
        found += escape(before), f'<span class="{source}">{escape(words)} <small>{book.LABELS[source]}</small></span>'
    return "".join(found) + escape(text)


def step(words: str) -> str:
    """Return a first step (`guide.py`), in which the words that are not printed are marked with their source."""
    return sourced(book.unmarked(words), book.marked(words))


def moment(at: float) -> str:
    """Return a moment (epoch) as `<time>`, to the minute in UTC, "" for 0. A page may show it in its reader's zone."""
    if not at:
        return ""
    utc = datetime.fromtimestamp(at, UTC)
    return f'<time datetime="{utc:%Y-%m-%dT%H:%MZ}">{utc.day} {utc:%b %Y, %H:%M} UTC</time>'


def theme(game: Game) -> str:
    """Return the game's colours, its board's layout if it defines one, and its art's own rules.

    A game need not have a THEME. Its cloth then follows from its name, and its other colours follow
    from the cloth.
    """
    said = game.theme
    cloth = _cloth(game)
    light, dark = (
        colours.board(said.get("light", {}), cloth),
        colours.board(said.get("dark", {}), colours.mix(cloth, "#000000", 0.5)),
    )
    each = "".join(f"{name}:light-dark({value},{dark.get(name, value)});" for name, value in light.items())
    css = f".game-{game.name}{{{each}}}"
    flow = f":where(.game-{game.name}){{{_sheet(FLOW)}}}"
    for width, query in (("narrow", "(max-width:55.99rem)"), ("wide", "(min-width:56rem)")):
        rule = "".join(f"{name}:{value};" for name, value in said.get(width, {}).items())
        if areas := placing.areas(said.get(width, {}).get("grid-template-areas", "")):  # it places everything itself
            rule = f"{LAID}{rule}"
            board = f".game-{game.name} .board>"
            places = "".join(f'{board}:where([data-key="{area}"]){{grid-area:{area}}}' for area in areas)
            css += f"@media {query}{{{places}}}"
        else:
            css += f"@media {query}{{{flow}}}"
        if rule:
            css += f"@media {query}{{.game-{game.name} .board{{{rule}}}}}"
    return colours.portable(css + unstyled(game.art, game.name)[1])


def _cloth(game: Game) -> str:
    """Return the colour of the game's board in the light theme, as #rrggbb."""
    said = game.theme.get("light", {}).get("--cloth", "")
    return said if colours.is_plain(said) else colours.CLOTHS[chosen(game.name, len(colours.CLOTHS))]


def art(game: Game) -> str:
    """Return the game's symbols; if it has no cover, draw one from its title and colours."""
    pictures, _ = unstyled(game.art, game.name)
    if f'id="{game.name}-cover"' in pictures:
        return apart(pictures)
    drawn = cover(game.name, game.text.TITLE, game.theme.get("light", {}))
    root = '<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" aria-hidden="true">'
    return apart(f"{pictures}{root}{drawn}</svg>")


def look() -> str:
    """Return core's look: all the CSS that a scene needs apart from its game's style."""
    return colours.portable("".join(map(_sheet, SHEETS))) + placing.sheet()


def _sheet(name: str) -> str:
    """Return a file of `look/`."""
    return (resources.files("parlour.core") / "look" / f"{name}.css").read_text("utf-8")


def style(game: Game) -> str:
    """Return the game's theme and its own look, which only affect its own scene.

    Goes after `look()`.
    """
    return theme(game) + colours.portable(scoped(game.look, game.name))


def notebook(game: Game, scene: Scene) -> str:
    """Return a table in a frame of its own, so that its styles and the notebook's do not mix.

    It has only what this scene uses of styles and pictures: a notebook stores each cell whole.
    """
    body = render(scene)
    css = f"{look()}{style(game)}body{{margin:0;font-family:var(--sans)}}"
    pictures = pruning.symbols(f"{SHAPES}{art(game)}", body, css)
    page = f"{pictures}{body}"
    frame = "width:100%;max-width:62rem;height:38rem;border:0"
    whole = f'<!doctype html><html lang="en"><meta charset="utf-8"><style>{pruning.style(css, page)}</style>{page}'
    quoted = whole.replace("&", "&amp;").replace("'", "&#39;")  # as it has few of these, and many of the others
    return f"<iframe srcdoc='{quoted}' style='{frame}' title='{escape(game.text.TITLE)}'></iframe>"


class _Draw(Pieces):
    """Draw one scene: its pieces, and the bar of possible actions."""

    def __init__(self, scene: Scene, rules: str, parts: Parts | None) -> None:
        super().__init__(rules, parts)
        self.scene = scene

    def others(self, seats: Sequence[Piece]) -> str:
        return (
            f'<ul class="seats n{len(seats)}" data-key="others" aria-label="Players">'
            f"{''.join(map(self.piece, seats))}</ul>"
        )

    # The bar -------------------------------------------------------------------------------------
    def bar(self, seats: Sequence[Piece]) -> str:
        return (
            f'<div class="bar" data-key="bar">{self.element(partial(self._own, seats))}{self.element(self._prompt)}'
            f"{self.element(self._acts)}"
            f'{HINTS if self.scene.hints else ""}<p class="reason" data-key="reason" data-note role="alert"></p></div>'
        )

    def _own(self, seats: Sequence[Piece]) -> str:
        return f'<ul class="seats own" data-key="own">{"".join(map(self.piece, seats))}</ul>'

    def _prompt(self) -> str:
        words = sourced(self.scene.prompt, self.scene.sourced) + _rule(self.scene, self.rules)
        return f'<p class="prompt" data-key="prompt">{words}</p>'

    def _acts(self) -> str:
        group = 'class="acts" data-key="acts" role="group" aria-label="What you can do" tabindex="-1"'
        return f"<div {group}>{self._buttons()}</div>"

    def _buttons(self) -> str:
        known = self._button if self.parts is None else partial(self._known, self.parts)
        buttons = "".join(map(known, self.scene.buttons))
        back = (
            '<button class="act undo" data-key="b-undo" data-undo data-shortcut="Backspace">'
            f"<span>Take back</span>{_cap('u')}</button>"
        )
        pick = self._choose(self.scene.pick) if self.scene.pick else ""
        keep = self._keep(self.scene.keep) if self.scene.keep else ""
        return keep + buttons + pick + (back if self.scene.undo else "") + (self._hint() if self.scene.hints else "")

    def _keep(self, keep: Keep) -> str:
        return (
            f'<button class="act keep" data-key="b-keep" data-keep="{escape(keep.same)}" '
            f'data-action="{escape(keep.action)}"{shortcut(keep.shortcut)}><span>{escape(keep.label)}</span>'
            f'<small data-key="h-keep">{escape(keep.hint)}</small>{_cap(keep.shortcut)}</button>'
        )

    def _hint(self) -> str:
        free = "" if _uses(self.scene, "h") else "h"
        return (
            f'<button class="act ask" data-key="b-hint" data-hint{shortcut(free)}><span>Hint</span>'
            f"{_cap(free)}</button>"
        )

    def _known(self, parts: Parts, button: Button) -> str:
        return parts.known(button, self._button)

    def _button(self, button: Button) -> str:
        more = f' data-action="{escape(button.action)}"' if button.action else ' aria-disabled="true"'
        if button.why:
            more += why(button.why)
        if button.ends:
            more += " data-ends"
        hint = f'<small data-key="h-{escape(button.key)}">{escape(button.hint)}</small>' if button.hint else ""
        main = " main" if button.main else ""
        return (
            f'<button class="act{main}" data-key="b-{escape(button.key)}"{more}{shortcut(button.shortcut)}>'
            f"<span>{escape(button.label)}</span>{hint}{_cap(button.shortcut)}</button>"
        )

    def _choose(self, pick: Pick) -> str:
        whys = {size: [why.text, why.clause] for size, why in pick.whys.items()}
        data = {"label": pick.label, "moves": pick.moves, "hints": pick.hints, "whys": whys}
        packed = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
        packed = packed.replace("&", "&amp;").replace("'", "&#39;").replace("<", "&lt;")
        first = pick.whys.get("0") or pick.whys.get("")
        label = escape(pick.label.replace("{n}", "").strip())
        missing = escape(pick.hints.get("0") or pick.hints.get("") or "")
        every = (
            f'<button class="act all" data-key="b-all" data-all data-shortcut="a"><span>All</span>{_cap("a")}</button>'
            if pick.all
            else ""
        )
        return (
            f'{every}<button class="act main" data-key="b-pick" aria-disabled="true" '
            f"data-pick='{packed}'{shortcut(pick.shortcut)}{why(first) if first else ''}>"
            f'<span>{label}</span><small data-key="h-pick">{missing}</small>{_cap(pick.shortcut)}</button>'
        )


def _uses(scene: Scene, key: str) -> bool:
    """Return whether the game itself uses this key in the current scene."""

    def used(piece: Piece) -> bool:
        return piece.shortcut == key or any(map(used, piece.children))

    return used(scene.board) or any(button.shortcut == key for button in scene.buttons)


def _rule(scene: Scene, rules: str) -> str:
    """Return a link from the prompt to its rule, or to the rulebook. A lesson shows no numbers of clauses."""
    if scene.lesson and scene.clause and rules:
        place, number = escape(rules), escape(scene.clause)
        return f' <a class="book" href="{place}#{number}" title="{number}" target="_blank" rel="noopener">Rule</a>'
    if scene.clause or not rules:
        return clause_link(scene.clause, rules)
    return f' <a class="book" href="{escape(rules)}" target="_blank" rel="noopener">Rules</a>'


ARROWS = {"ArrowLeft": "←", "ArrowRight": "→", "ArrowUp": "↑", "ArrowDown": "↓"}


def _cap(shortcut: str) -> str:
    return f'<kbd aria-hidden="true">{escape(ARROWS.get(shortcut, shortcut))}</kbd>' if shortcut else ""
