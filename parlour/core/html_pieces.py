"""Draw the pieces of a scene as HTML: one method for each kind, the same for every game.

If the game has no art for a piece, this module draws it from the piece's words: pips, cuts of gems,
words on cards and tokens. Such pieces have the class "drawn", and `look/pieces.css` gives them a
body. Anything to press is a <button>; a token that only says why it cannot be pressed is a <span>
with that role. Buttons do not nest: the pieces on a pressable piece can only
be looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from html import escape
from typing import Protocol, TypeVar

from parlour.core.placing import counted, shared
from parlour.core.scene import Button, Piece, Reason, number, signed
from parlour.core.symbols import stone

T = TypeVar("T", Piece, Button)


class Parts(Protocol):
    """What takes keyed elements apart: it returns what is to stand where each lies."""

    def known(self, what: T, draw: Callable[[T], str], form: str = "") -> str:
        """Take an element that follows from `what` (and `form`, where there are several ways to draw
        it) alone: it may have been drawn before."""

    def new(self, draw: Callable[[], str]) -> str:
        """Take any other element."""


class Pieces:
    """Draw pieces. `rules` is the address of the rulebook, "" for none.

    `parts`, if given, takes each keyed element that is not on a pressable piece.
    """

    def __init__(self, rules: str, parts: Parts | None = None) -> None:
        self.rules, self.parts = rules, parts
        self.on_button = False  # whether the current piece is on a pressable one

    def piece(self, piece: Piece) -> str:
        return self.drawn(piece) if self.parts is None or self.on_button else self.parts.known(piece, self.drawn)

    def element(self, draw: Callable[[], str]) -> str:
        """Draw a keyed element that does not follow from one piece alone."""
        return draw() if self.parts is None or self.on_button else self.parts.new(draw)

    def drawn(self, piece: Piece) -> str:
        """Draw a piece, even if `parts` has it already."""
        method = getattr(self, f"_{piece.kind}")
        text: str = method(piece)
        return text

    def inside(self, piece: Piece) -> str:
        return "".join(map(self.piece, piece.children))

    # Parts of elements ---------------------------------------------------------------------------
    def _open(self, tag: str, piece: Piece, more: str = "", *, drawn: bool = False) -> str:
        marks = "".join(f" {mark}" for mark in piece.marks) + (" drawn" if drawn else "")
        path = f' data-path="{escape(" ".join(piece.path))}"' if piece.path else ""
        place = "" if piece.at is None else counted(row=piece.at[0], column=piece.at[1])
        return f'<{tag} class="{piece.kind}{marks}" data-key="{escape(piece.key)}"{path}{place}{more}>'

    def _layout(self, piece: Piece) -> str:
        """Return the attributes that arrange the pieces on a piece."""
        layout, number = piece.layout, ""
        if layout == "grid" and piece.limit:
            number = counted(columns=piece.limit)
        if layout in ("rows", "columns"):
            number = counted(cells=max((len(child.children) for child in piece.children), default=1) or 1)
        return f' data-layout="{layout}"{number}' if layout else ""

    def _pressed(self, piece: Piece) -> bool:
        """Return whether a piece is drawn as something to press."""
        return not self.on_button and bool(piece.action or piece.part or piece.why)

    def _clicked(self, piece: Piece) -> tuple[str, str]:
        """Return the tag and attributes of a piece that may be clickable.

        If it is clickable in any position it is always a button, so that it keeps the keyboard's
        focus from position to position.
        """
        label = f' aria-label="{escape(_label(piece))}"'
        if self.on_button:
            return "span", ' aria-hidden="true"' if not piece.name else f' role="img"{label}'
        if piece.action:
            return "button", f'{label} data-action="{escape(piece.action)}"{shortcut(piece.shortcut)}'
        if piece.part:
            return "button", f'{label} data-part="{escape(piece.part)}" aria-pressed="false"{shortcut(piece.shortcut)}'
        if piece.why:
            refuses = f'{label} aria-disabled="true"{why(piece.why)}{shortcut(piece.shortcut)}'
            # A token stays the element that it was. What is in an element that becomes another is
            # laid out anew, and all tokens of a board may refuse one decision and not the next.
            return ("span", f' role="button"{refuses}') if piece.kind == "token" else ("button", refuses)
        if piece.kind == "die":
            return "button", f'{label} aria-disabled="true" tabindex="-1"'
        return "span", f' role="img"{label}' if piece.name or piece.text else ' aria-hidden="true"'

    def _on(self, piece: Piece) -> str:
        """Draw the pieces on a pressable piece."""
        before, self.on_button = self.on_button, True
        inside = self.inside(piece)
        self.on_button = before
        return inside

    def _title(self, piece: Piece, more: str = "") -> str:
        words = f"<span>{escape(piece.name)}{clause_link(piece.clause, self.rules)}</span>"
        return f'<h2 class="title">{words}{more}</h2>'

    # Pieces that move, turn and roll ---------------------------------------------------------------
    def _die(self, piece: Piece) -> str:
        """Draw a die: its face from the art, or pips, or its text; "?" while it shows nothing."""
        tag, more = self._clicked(piece)
        said = piece.text or ("" if piece.value is None else number(piece.value))
        if piece.face or said in tuple("123456"):
            face = picture(piece.face or f"pips-{said}")
        else:
            face = f'<b aria-hidden="true">{escape(said)}</b>' if said else '<b class="blank" aria-hidden="true">?</b>'
        return f"{self._open(tag, piece, more, drawn=not piece.face)}{face}</{tag}>"

    def _gem(self, piece: Piece) -> str:
        tag, more = self._clicked(piece)
        face = picture(piece.face)
        if not face and "down" in piece.marks:
            face = '<i class="back" aria-hidden="true"></i>'
        elif not face:
            cut = stone(piece.text or piece.name)
            face = f'<svg class="cut g{cut}" aria-hidden="true"><use href="#gem-{cut}"/></svg>'
        said = "" if piece.face else _words(piece)
        return f"{self._open(tag, piece, more, drawn=not piece.face)}{face}{said}</{tag}>"

    def _token(self, piece: Piece) -> str:
        """Draw a token: its art or its player's mark, with text and value; else its name."""
        tag, more = self._clicked(piece)
        parts = [piece.text, number(piece.value) if piece.value is not None and piece.seat is None else ""]
        said = " ".join(filter(None, parts))
        plain = not piece.face and piece.seat is None
        if plain and not said:
            said = piece.short or piece.name
        words = f'<b aria-hidden="true">{escape(said)}</b>' if said else ""
        face = picture(piece.face) if piece.face else shape(piece.seat)
        return f"{self._open(tag, piece, more, drawn=plain)}{face}{words}{self.inside(piece)}</{tag}>"

    def _card(self, piece: Piece) -> str:
        face = f'<span class="face">{picture(piece.face)}</span>' if piece.face else ""
        if not piece.face and "down" not in piece.marks:
            sign = piece.short or ("" if piece.value is None else number(piece.value))
            owner = shape(piece.seat)
            face = f'<span class="sign" aria-hidden="true">{escape(sign)}{owner}</span>' if sign or owner else ""
        text = f' <span class="text">{escape(piece.text)}</span>' if piece.text or piece.face else ""
        words = f'{face}<span class="words"><b class="name">{escape(piece.name)}</b>{text}'
        pressed = self._pressed(piece)
        inside = (self._on(piece) if pressed else self.inside(piece)) if piece.children else ""
        kept = f'<span class="kept">{inside}</span>' if inside else ""
        if pressed:
            tag, more = self._clicked(piece)
            return f"{self._open(tag, piece, more, drawn=not piece.face)}{words}{kept}</span></{tag}>"
        tag = "span" if self.on_button else "div"
        link = "" if self.on_button else clause_link(piece.clause, self.rules)
        return f"{self._open(tag, piece, drawn=not piece.face)}{words}{link}{kept}</span></{tag}>"

    def _stack(self, piece: Piece) -> str:
        count = "" if piece.value is None else f"<b>{number(piece.value)}</b>"
        top = f'<span class="top">{picture(piece.face)}{count}</span>'
        text = f" <small>{escape(piece.text)}</small>" if piece.text else ""
        name = f'<span class="name">{escape(piece.name)}{text}</span>'
        if self._pressed(piece) or self.on_button:
            tag, more = self._clicked(piece)
            return f"{self._open(tag, piece, more, drawn=not piece.face)}{top}{name}</{tag}>"
        if not (piece.children or piece.clause):
            return f"{self._open('div', piece, drawn=not piece.face)}{top}{name}</div>"
        link = f"<li>{clause_link(piece.clause, self.rules)}</li>" if piece.clause else ""
        return (
            f"{self._open('details', piece, drawn=not piece.face)}<summary>{top}{name}</summary>"
            f'<ul class="notes" data-key="{escape(piece.key)}-list">{self._notes(piece)}{link}</ul></details>'
        )

    # Places and their contents ---------------------------------------------------------------------
    def _space(self, piece: Piece) -> str:
        """Draw a place for pieces, with `text` printed on it."""
        layout = self._layout(piece)
        printed = f'<i aria-hidden="true">{escape(piece.text)}</i>' if piece.text else ""
        if self._pressed(piece):
            tag, more = self._clicked(piece)
            return f"{self._open(tag, piece, more + layout)}{printed}{self._on(piece)}</{tag}>"
        tag = "span" if self.on_button else "div"
        if piece.name and not self.on_button:
            layout += f' role="{"group" if piece.children else "img"}" aria-label="{escape(_label(piece))}"'
        return f"{self._open(tag, piece, layout)}{printed}{self.inside(piece)}</{tag}>"

    def _panel(self, piece: Piece) -> str:
        layout = self._layout(piece)
        scrolled = f' tabindex="0" role="group" aria-label="{escape(piece.name)}"' if piece.layout == "strip" else ""
        text = f'<p class="said">{escape(piece.text)}</p>' if piece.text else ""
        return (
            f"{self._open('div', piece)}{self._title(piece) if piece.name else ''}{text}"
            f'<div class="places"{layout}{scrolled}>{self.inside(piece)}</div></div>'
        )

    _hand = _panel

    def _group(self, piece: Piece) -> str:
        """Draw pieces that belong together; the group is one button if it is clickable."""
        layout = self._layout(piece)
        tag, more = "span" if self.on_button else "div", ""
        if piece.name and not self.on_button:
            more = f' role="group" aria-label="{escape(piece.name)}"' + (
                ' tabindex="0"' if piece.layout == "strip" else ""
            )
        inside = ""
        if self._pressed(piece):
            tag, more = self._clicked(piece)
            inside = self._on(piece)
        words = f'<span class="words">{escape(piece.text)}</span>' if piece.text else ""
        return f"{self._open(tag, piece, more + layout)}{words}{inside or self.inside(piece)}</{tag}>"

    def _board(self, piece: Piece) -> str:
        more = f' role="group" aria-label="{escape(piece.name)}" tabindex="-1"'
        return f"{self._open('div', piece, more)}{self.inside(piece)}</div>"

    def _track(self, piece: Piece) -> str:
        """Draw a line from `value` to `limit`, or to a token beyond it, with a lane for each
        player's tokens."""
        start, goal = piece.value or 0, piece.limit or 1
        span = max(max([goal, *(token.value or 0 for token in piece.children)]) - start, 1)

        def at(value: int) -> str:
            return shared(left=(value - start) / span)

        ticks = "".join(f"<i{at(value)}{_goal(value, goal)}>{number(value)}</i>" for value in _ticks(start, goal))
        tokens, lanes = "", list(dict.fromkeys(token.seat for token in piece.children))
        for token in piece.children:
            place = at(token.value or 0) + counted(lane=lanes.index(token.seat))
            tokens += self.element(partial(self._runner, token, place))
        when = f'<span class="when">{escape(piece.text)}</span>'
        return (
            f"{self._open('div', piece, counted(lanes=len(lanes)))}{self._title(piece, when)}"
            f'<div class="line">{tokens}<div class="ticks" aria-hidden="true">{ticks}</div></div></div>'
        )

    def _runner(self, token: Piece, place: str) -> str:
        more = f' role="img" aria-label="{escape(token.name)}"'
        key = f"{token.key}-says-{token.value}"  # words that are elsewhere are others: none move
        said = (
            f'<b class="says" data-key="{escape(key)}" aria-hidden="true">{escape(token.text)}</b>'
            if token.text
            else ""
        )
        return f"{self._open('span', token, place + more)}{shape(token.seat)}{said}</span>"

    # Words ----------------------------------------------------------------------------------------
    def _counter(self, piece: Piece) -> str:
        value = piece.value or 0
        text = f'<p class="said">{escape(piece.text)}</p>' if piece.text else ""
        notes = f'<ul class="notes">{self._notes(piece)}</ul>'
        return (
            f"{self._open('div', piece)}{self._title(piece)}"
            f'<span class="sum{" minus" if value < 0 else ""}" data-key="{escape(piece.key)}-sum" '
            f'data-count="{value}" data-signed="1">{signed(value)}</span>{text}{notes}</div>'
        )

    def _stat(self, piece: Piece) -> str:
        value = "" if piece.value is None else (
            f'<span class="sum{" minus" if piece.value < 0 else ""}" data-key="{escape(piece.key)}-sum" '
            f'data-count="{piece.value}">{number(piece.value)}</span>'
        )  # fmt: skip
        text = f'<span class="said">{escape(piece.text)}</span>' if piece.text else ""
        inner = f'<span class="name">{escape(piece.name)}</span>{value}{text}'
        if self._pressed(piece):
            tag, more = self._clicked(piece)
            return f"{self._open(tag, piece, more)}{inner}{self._on(piece)}</{tag}>"
        tag = "span" if self.on_button else "div"
        link = "" if self.on_button else clause_link(piece.clause, self.rules)
        return f"{self._open(tag, piece)}{inner}{link}{self.inside(piece)}</{tag}>"

    def _badge(self, piece: Piece) -> str:
        said = " ".join(filter(None, (piece.text or piece.name, "" if piece.value is None else number(piece.value))))
        words = f'<span class="words">{escape(said)}</span>'
        if self._pressed(piece):
            tag, more = self._clicked(piece)
            return f"{self._open(tag, piece, more)}{shape(piece.seat)}{words}{self._on(piece)}</{tag}>"
        named = piece.name and piece.name != said and not self.on_button
        more = f' role="group" aria-label="{escape(piece.name)}"' if named else ""
        return f"{self._open('span', piece, more)}{shape(piece.seat)}{words}{self.inside(piece)}</span>"

    _label = _badge

    def _note(self, piece: Piece) -> str:
        return f"{self._open('p', piece)}{_note(piece)}</p>"

    def _notes(self, piece: Piece) -> str:
        """Draw the notes on a stack or counter as a list."""
        return "".join(
            self._item(one) if one.kind == "note" else f"<li>{self.piece(one)}</li>" for one in piece.children
        )

    def _item(self, note: Piece) -> str:
        def draw(note: Piece) -> str:
            return f"{self._open('li', note)}{_note(note)}</li>"

        return draw(note) if self.parts is None or self.on_button else self.parts.known(note, draw, "item")

    def _seat(self, piece: Piece) -> str:
        unit = f"<small>&nbsp;{escape(piece.short)}</small>" if piece.short else ""
        value = "" if piece.value is None else (
            f'<span class="total{" minus" if piece.value < 0 else ""}" data-key="{escape(piece.key)}-total" '
            f'data-count="{piece.value}">{number(piece.value)}{unit}</span>'
        )  # fmt: skip
        you = ' <span class="me">you</span>' if "you" in piece.marks else ""
        return (
            f"{self._open('li', piece)}{_likeness(piece)}"
            f'<b class="name">{escape(piece.name)}{you}</b>{value}<small class="said">{escape(piece.text)}</small></li>'
        )


def shape(seat: int | None) -> str:
    """Return the player's mark, or nothing."""
    if seat is None:
        return ""
    return f'<svg class="mark s{seat % 6}" aria-hidden="true"><use href="#seat-{seat % 6}"/></svg>'


def _likeness(plate: Piece) -> str:
    """Return the player's mark, on their picture if the scene has one."""
    if not plate.face:
        return shape(plate.seat)
    return f'<span class="mark likeness">{picture(plate.face)}{shape(plate.seat)}</span>'


def clause_link(clause: str, rules: str) -> str:
    """Return a clause as a link to the rulebook; as plain text if `rules` is ""."""
    if not clause:
        return ""
    if not rules:
        return f' <small class="clause">{escape(clause)}</small>'
    return f' <a class="clause" href="{escape(rules)}#{escape(clause)}"><span>{escape(clause)}</span></a>'


def picture(face: str) -> str:
    """Return a symbol of the art."""
    return f'<svg aria-hidden="true"><use href="#{escape(face)}"/></svg>' if face else ""


def why(reason: Reason) -> str:
    """Return the attributes that explain why something is impossible."""
    return f' data-why="{escape(reason.text)}"' + (f' data-clause="{escape(reason.clause)}"' if reason.clause else "")


def shortcut(key: str) -> str:
    """Return the attribute that names the equivalent key."""
    return f' data-shortcut="{escape(key)}"' if key else ""


def _label(piece: Piece) -> str:
    named = ", ".join(filter(None, (piece.name or piece.text, piece.place)))
    return f"{named}. {piece.why}" if piece.why else named


def _note(piece: Piece) -> str:
    value = "" if piece.value is None else f"<b>{number(piece.value)}</b>"
    return f"{picture(piece.face) if piece.face else ''}<span>{escape(piece.text)}</span>{value}"


def _words(piece: Piece) -> str:
    """Draw the words on a piece that has a picture."""
    said = piece.text or ("" if piece.value is None else number(piece.value))
    return f'<b aria-hidden="true">{escape(said)}</b>' if said else ""


def _goal(value: int, goal: int) -> str:
    return ' class="goal"' if value == goal else ""


def _ticks(start: int, goal: int) -> list[int]:
    """Return at most nine round values from `start` to `goal`, always including `goal`."""
    step = next(m * 10**e for e in range(12) for m in (1, 2, 5) if (goal - start) / (m * 10**e) <= 9)
    return [*range(-(-start // step) * step, goal, step), goal]
