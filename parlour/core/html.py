"""Draw a `Scene` as HTML and inline SVG: one renderer for all games, for the page, notebooks and tests.

Everything that persists has a `data-key`; what can be done is a <button> with `data-action` (a move's text) or
`data-part` (a token of the scene's pick); what cannot be done but might be tried has `data-why`. All texts are
escaped here. Looks come from `look/*.css` and the game's own `look.css`, pictures from its `art.svg` by reference.
"""

from __future__ import annotations

import json
from html import escape
from importlib import resources

from parlour.core.game import Game
from parlour.core.scene import Button, Line, Pick, Piece, Reason, Scene, number, signed
from parlour.core.stylesheet import scoped

# Players differ in shape and colour.
SHAPES = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" aria-hidden="true" style="position:absolute"><defs>'
    + "".join(
        f'<symbol id="seat-{i}" viewBox="0 0 20 20"><path d="{path}"/></symbol>'
        for i, path in enumerate(
            (
                "M10 1.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17z",
                "M10 .5L19.500 10 10 19.500.5 10z",
                "M10 1.500L19.500 18H.5z",
                "M2.500 2.500h15v15h-15z",
                "M5.500 2h9L19 10l-4.500 8h-9L1 10z",
                "M10 .8l2.800 6 6.500.8-4.800 4.500 1.300 6.500L10 15.400l-5.800 3.200 1.300-6.500L.7 7.600l6.500-.8z",
            )
        )
    )
    + "</defs></svg>"
)
HINTS = '<div class="hints" data-key="hints" role="status"></div>'  # filled when asked for
CLICKED = ("die", "gem", "token", "card", "space", "stack")


def render(scene: Scene, rules: str = "") -> str:
    """`<section data-key="scene">`: players, board, and the bar with what can be done. `rules` is the address of the
    rulebook, to which clauses are links; without it they are words."""
    draw = _Draw(scene, rules)
    mine = [seat for seat in scene.seats if seat.seat == scene.viewer]
    others = [seat for seat in scene.seats if seat.seat != scene.viewer]
    if mine and mine[0].seat is not None:  # clockwise from the viewer
        others = [*scene.seats[mine[0].seat + 1 :], *scene.seats[: mine[0].seat]]
    turn = ' data-turn="mine"' if scene.to_move is not None and scene.to_move == scene.viewer else ""
    prompt = escape(scene.prompt) + _rule(scene, rules)
    state = f' data-hold="{scene.hold}"' + (' data-over="1"' if scene.over else "")
    return (
        f'<section class="scene game-{escape(scene.game)}" data-key="scene"{turn}{state} aria-label="The game">'
        f'<ul class="seats n{len(others)}" data-key="others" aria-label="Players">'
        f"{''.join(map(draw.piece, others))}</ul>"
        f"{draw.piece(scene.board)}"
        f'<div class="bar" data-key="bar"><ul class="seats own" data-key="own">{"".join(map(draw.piece, mine))}</ul>'
        f'<p class="prompt" data-key="prompt" role="status" tabindex="-1">{prompt}</p>'
        f'<div class="acts" data-key="acts" role="group" aria-label="What you can do">{draw.acts()}</div>'
        f'{HINTS if scene.hints else ""}<p class="reason" data-key="reason" role="alert"></p></div></section>'
    )


def lines(told: list[Line] | tuple[Line, ...], first: int = 0, rules: str = "") -> str:
    """Lines of the log as `<li>`s, keyed by their number in the whole log, of which `first` come before these."""
    return "".join(
        f'<li class="{line.kind}" data-key="log-{i}">{shape(line.seat)}<span>{escape(line.text)}</span>'
        f"{clause_link(line.clause, rules)}</li>"
        for i, line in enumerate(told, first)
    )


def theme(game: Game) -> str:
    """The game's colours, and how its board is laid out, as CSS."""
    scenes = game.scenes.THEME
    colours = "".join(
        f"{name}:light-dark({value},{scenes['dark'][name]});" for name, value in scenes.get("light", {}).items()
    )
    css = f".game-{game.name}{{{colours}}}"
    for width, query in (("narrow", "(max-width:55.99rem)"), ("wide", "(min-width:56rem)")):
        rule = "".join(f"{name}:{value};" for name, value in scenes.get(width, {}).items())
        css += f"@media {query}{{.game-{game.name} .board{{{rule}}}}}" if rule else ""
    return css


def sheets() -> tuple[str, ...]:
    """The names of the stylesheets of `look/`, the general ones first."""
    first = ("tokens", "scene")
    names = (file.name.removesuffix(".css") for file in (resources.files("parlour.core") / "look").iterdir())
    return (*first, *sorted(name for name in names if name not in first))


def look() -> str:
    """Core's look: all CSS that a scene needs beside the style of its game."""
    files = resources.files("parlour.core") / "look"
    return "".join((files / f"{name}.css").read_text("utf-8") for name in sheets())


def style(game: Game) -> str:
    """The game's theme and its own look, where it has one: nothing but its scene is changed by it. After `look()`."""
    return theme(game) + scoped(game.look, game.name)


def notebook(game: Game, scene: Scene) -> str:
    """A table in a frame of its own, so that its looks and the notebook's stay apart."""
    page = (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><style>{look()}{style(game)}'
        f"body{{margin:0;font-family:var(--sans)}}</style>{SHAPES}{game.art}{render(scene)}"
    )
    frame = "width:100%;max-width:62rem;height:38rem;border:0"
    return f'<iframe srcdoc="{escape(page)}" style="{frame}" title="{escape(game.text.TITLE)}"></iframe>'


def shape(seat: int | None) -> str:
    """The player's mark, or nothing."""
    if seat is None:
        return ""
    return f'<svg class="mark s{seat % 6}" aria-hidden="true"><use href="#seat-{seat % 6}"/></svg>'


def clause_link(clause: str, rules: str) -> str:
    """A clause as a link to the rulebook; as words where there is none to link to."""
    if not clause:
        return ""
    if not rules:
        return f' <small class="clause">{escape(clause)}</small>'
    return f' <a class="clause" href="{escape(rules)}#{escape(clause)}">{escape(clause)}</a>'


def picture(face: str) -> str:
    """A symbol of the art."""
    return f'<svg aria-hidden="true"><use href="#{escape(face)}"/></svg>' if face else ""


class _Draw:
    """Draws the pieces of one scene."""

    def __init__(self, scene: Scene, rules: str) -> None:
        self.scene, self.rules = scene, rules

    def piece(self, piece: Piece) -> str:
        method = getattr(self, f"_{piece.kind}", self._plain)
        text: str = method(piece)
        return text

    def inside(self, piece: Piece) -> str:
        return "".join(map(self.piece, piece.children))

    # Parts of elements ---------------------------------------------------------------------------
    def _open(self, tag: str, piece: Piece, more: str = "") -> str:
        marks = "".join(f" {mark}" for mark in piece.marks)
        path = f' data-path="{escape(" ".join(piece.path))}"' if piece.path else ""
        return f'<{tag} class="{piece.kind}{marks}" data-key="{escape(piece.key)}"{path}{more}>'

    def _area(self, piece: Piece) -> str:
        return f' style="grid-area:{escape(piece.key)}"' if piece in self.scene.board.children else ""

    def _clicked(self, piece: Piece) -> tuple[str, str]:
        """Tag and attributes of something that may be clicked: always a button where it might be, so that it keeps
        the keyboard's focus from position to position."""
        label = f' aria-label="{escape(_label(piece))}"'
        if piece.action:
            return "button", f'{label} data-action="{escape(piece.action)}"{_key(piece.shortcut)}'
        if piece.part:
            return "button", f'{label} data-part="{escape(piece.part)}" aria-pressed="false"{_key(piece.shortcut)}'
        if piece.why:
            return "button", f'{label} aria-disabled="true"{_why(piece.why)}{_key(piece.shortcut)}'
        if piece.kind == "die":
            return "button", f'{label} aria-disabled="true" tabindex="-1"'
        return "span", f' role="img"{label}'

    # Kinds ---------------------------------------------------------------------------------------
    def _die(self, piece: Piece) -> str:
        tag, more = self._clicked(piece)
        return f"{self._open(tag, piece, more)}{picture(piece.face)}</{tag}>"

    _gem = _die

    def _token(self, piece: Piece) -> str:
        tag, more = self._clicked(piece)
        face = picture(piece.face) if piece.face else shape(piece.seat)
        count = (
            f'<b aria-hidden="true">{number(piece.value)}</b>' if piece.value is not None and piece.seat is None else ""
        )
        return f"{self._open(tag, piece, more)}{face}{count}</{tag}>"

    def _card(self, piece: Piece) -> str:
        words = (
            f'<span class="face">{picture(piece.face)}</span><span class="words">'
            f'<b class="name">{escape(piece.name)}</b> <span class="text">{escape(piece.text)}</span>'
        )
        tokens = f'<span class="kept">{self.inside(piece)}</span>' if piece.children else ""
        link = clause_link(piece.clause, self.rules)
        if piece.action or piece.part or piece.why:
            tag, more = self._clicked(piece)
            return f"{self._open(tag, piece, more + self._area(piece))}{words}{tokens}</span></{tag}>"
        return f"{self._open('div', piece, self._area(piece))}{words}{link}{tokens}</span></div>"

    def _space(self, piece: Piece) -> str:
        area = self._area(piece)
        columns = f' style="--columns:{piece.limit}{_more_area(area)}"' if piece.limit else area
        if piece.action or piece.part or piece.why:
            tag, more = self._clicked(piece)
            return f"{self._open(tag, piece, more + columns)}{self.inside(piece)}</{tag}>"
        if "slot" in piece.marks:
            place = f'<i aria-hidden="true">{escape(piece.text)}</i>' if piece.text else ""
            return f"{self._open('div', piece, columns)}{place}{self.inside(piece)}</div>"
        return (
            f"{self._open('div', piece, columns)}{self._title(piece) if piece.name else ''}"
            f'<div class="places"{_scrolled(piece)}>{self.inside(piece)}</div></div>'
        )

    def _title(self, piece: Piece, more: str = "") -> str:
        words = f"<span>{escape(piece.name)}{clause_link(piece.clause, self.rules)}</span>"
        return f'<h2 class="title">{words}{more}</h2>'

    def _hand(self, piece: Piece) -> str:
        return self._space(piece)

    def _stack(self, piece: Piece) -> str:
        if piece.action or piece.part:
            tag, more = self._clicked(piece)
            return (
                f"{self._open(tag, piece, more + self._area(piece))}{picture(piece.face)}<b>{piece.value}</b></{tag}>"
            )
        top = (
            f'<summary><span class="top">{picture(piece.face)}<b>{piece.value}</b></span>'
            f'<span class="name">{escape(piece.name)}</span></summary>'
        )
        return (
            f"{self._open('details', piece, self._area(piece))}{top}"
            f'<ul class="notes" data-key="{escape(piece.key)}-list">{self.inside(piece)}'
            f"<li>{clause_link(piece.clause, self.rules)}</li></ul></details>"
        )

    def _counter(self, piece: Piece) -> str:
        value = piece.value or 0
        return (
            f"{self._open('div', piece, self._area(piece))}{self._title(piece)}"
            f'<output class="sum{" minus" if value < 0 else ""}" data-key="{escape(piece.key)}-sum" '
            f'data-count="{value}" data-signed="1">{signed(value)}</output>'
            f'<ul class="notes">{self.inside(piece)}</ul></div>'
        )

    def _note(self, piece: Piece) -> str:
        value = "" if piece.value is None else f"<b>{number(piece.value)}</b>"
        return f"{self._open('li', piece)}<span>{escape(piece.text)}</span>{value}</li>"

    def _seat(self, piece: Piece) -> str:
        value = "" if piece.value is None else (
            f'<output class="total{" minus" if piece.value < 0 else ""}" data-key="{escape(piece.key)}-total" '
            f'data-count="{piece.value}">{number(piece.value)}</output>'
        )  # fmt: skip
        you = ' <span class="me">you</span>' if "you" in piece.marks else ""
        return (
            f"{self._open('li', piece)}{shape(piece.seat)}"
            f'<b class="name">{escape(piece.name)}{you}</b>{value}<small class="said">{escape(piece.text)}</small></li>'
        )

    def _track(self, piece: Piece) -> str:
        """A line from `value` to `limit`, longer where a token is beyond; each token in its own lane."""
        start, goal = piece.value or 0, piece.limit or 1
        span = max(max([goal, *(token.value or 0 for token in piece.children)]) - start, 1)

        def at(value: int) -> str:
            return f"left:{100 * (value - start) / span:.2f}%"

        ticks = "".join(
            f'<i style="{at(value)}"{_goal(value, goal)}>{number(value)}</i>' for value in _ticks(start, goal)
        )
        tokens = ""
        for lane, token in enumerate(piece.children):
            place = f' role="img" aria-label="{escape(token.name)}" style="{at(token.value or 0)};--lane:{lane}"'
            tokens += f"{self._open('span', token, place)}{shape(token.seat)}</span>"
        style = f' style="--lanes:{len(piece.children)}{_more_area(self._area(piece))}"'
        when = f'<span class="when">{escape(piece.text)}</span>'
        return (
            f"{self._open('div', piece, style)}{self._title(piece, when)}"
            f'<div class="line">{tokens}<div class="ticks" aria-hidden="true">{ticks}</div></div></div>'
        )

    def _board(self, piece: Piece) -> str:
        more = f' role="group" aria-label="{escape(piece.name)}"'
        return f"{self._open('div', piece, more)}{self.inside(piece)}</div>"

    def _group(self, piece: Piece) -> str:
        """Pieces that belong together; clicked as one where there is something to click."""
        tag, more = "div", f' role="group" aria-label="{escape(piece.name)}"' if piece.name else ""
        if piece.action or piece.part or piece.why:
            tag, more = self._clicked(piece)
        words = f'<span class="words">{escape(piece.text)}</span>' if piece.text else ""
        return f"{self._open(tag, piece, more + self._area(piece))}{words}{self.inside(piece)}</{tag}>"

    def _plain(self, piece: Piece) -> str:
        return f"{self._open('div', piece, self._area(piece))}{escape(piece.text)}{self.inside(piece)}</div>"

    # The bar -------------------------------------------------------------------------------------
    def acts(self) -> str:
        buttons = "".join(self._button(button) for button in self.scene.buttons)
        back = (
            '<button class="act undo" data-key="b-undo" data-undo data-shortcut="Backspace">'
            f"<span>Take back</span>{_cap('u')}</button>"
        )
        free = "" if _uses(self.scene, "h") else "h"
        hint = f'<button class="act ask" data-key="b-hint" data-hint{_key(free)}><span>Hint</span>{_cap(free)}</button>'
        pick = self._pick(self.scene.pick) if self.scene.pick else ""
        return buttons + pick + (back if self.scene.undo else "") + (hint if self.scene.hints else "")

    def _button(self, button: Button) -> str:
        more = f' data-action="{escape(button.action)}"' if button.action else ' aria-disabled="true"'
        if button.why:
            more += _why(button.why)
        hint = f'<small data-key="h-{escape(button.key)}">{escape(button.hint)}</small>' if button.hint else ""
        main = " main" if button.main else ""
        return (
            f'<button class="act{main}" data-key="b-{escape(button.key)}"{more}{_key(button.shortcut)}>'
            f"<span>{escape(button.label)}</span>{hint}{_cap(button.shortcut)}</button>"
        )

    def _pick(self, pick: Pick) -> str:
        whys = {size: [why.text, why.clause] for size, why in pick.whys.items()}
        data = {"label": pick.label, "moves": pick.moves, "hints": pick.hints, "whys": whys}
        packed = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
        packed = packed.replace("&", "&amp;").replace("'", "&#39;").replace("<", "&lt;")
        first = pick.whys.get("0") or pick.whys.get("")
        label = escape(pick.label.replace("{n}", "").strip())
        every = (
            f'<button class="act all" data-key="b-all" data-all data-shortcut="a"><span>All</span>{_cap("a")}</button>'
            if pick.all
            else ""
        )
        return (
            f'{every}<button class="act main" data-key="b-pick" aria-disabled="true" '
            f"data-pick='{packed}'{_key(pick.shortcut)}{_why(first) if first else ''}>"
            f"<span>{label}</span>{_cap(pick.shortcut)}</button>"
        )


def _uses(scene: Scene, key: str) -> bool:
    """Whether the game has this key for something of its own just now."""

    def used(piece: Piece) -> bool:
        return piece.shortcut == key or any(map(used, piece.children))

    return used(scene.board) or any(button.shortcut == key for button in scene.buttons)


def _scrolled(piece: Piece) -> str:
    """A row that scrolls can be reached, and so scrolled, by the keyboard."""
    return f' tabindex="0" role="group" aria-label="{escape(piece.name)}"' if "strip" in piece.marks else ""


def _label(piece: Piece) -> str:
    return f"{piece.name or piece.text}. {piece.why}" if piece.why else piece.name or piece.text


def _rule(scene: Scene, rules: str) -> str:
    """The way from the prompt to its rule, or to the rulebook."""
    if scene.clause or not rules:
        return clause_link(scene.clause, rules)
    return f' <a class="book" href="{escape(rules)}" target="_blank" rel="noopener">Rules</a>'


def _why(why: Reason) -> str:
    return f' data-why="{escape(why.text)}"' + (f' data-clause="{escape(why.clause)}"' if why.clause else "")


def _key(shortcut: str) -> str:
    return f' data-shortcut="{escape(shortcut)}"' if shortcut else ""


ARROWS = {"ArrowLeft": "←", "ArrowRight": "→", "ArrowUp": "↑", "ArrowDown": "↓"}


def _cap(shortcut: str) -> str:
    return f'<kbd aria-hidden="true">{escape(ARROWS.get(shortcut, shortcut))}</kbd>' if shortcut else ""


def _more_area(area: str) -> str:
    return ";" + area.split('"')[1] if area else ""


def _goal(value: int, goal: int) -> str:
    return ' class="goal"' if value == goal else ""


def _ticks(start: int, goal: int) -> list[int]:
    """At most nine round values from `start` to `goal`, which is always among them."""
    step = next(m * 10**e for e in range(12) for m in (1, 2, 5) if (goal - start) / (m * 10**e) <= 9)
    return [*range(-(-start // step) * step, goal, step), goal]
