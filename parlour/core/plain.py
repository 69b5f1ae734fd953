"""Draw a `Scene` as text, for the terminal, doctests and logs."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from parlour.core.scene import Piece, Scene, number, signed

WIDTH = 78
MOST = 24  # moves listed


def render(scene: Scene) -> str:
    """The whole scene in lines of at most WIDTH characters: players, board, prompt, what can be done."""
    lines = [*_seats(scene), ""]
    for piece in scene.board.children:
        lines += _piece(piece)
    lines += ["", *textwrap.wrap(scene.prompt, WIDTH), *_acts(scene)]
    return "\n".join(line.rstrip() for line in lines)


def _seats(scene: Scene) -> list[str]:
    width = max((len(seat.name) for seat in scene.seats), default=0)
    lines = []
    for seat in scene.seats:
        sign = "*" if "winner" in seat.marks else ">" if "active" in seat.marks else " "
        value = "" if seat.value is None else f"{number(seat.value):>8}"
        lines.append(f"{sign} {seat.name:<{width}} {value}  {seat.text}")
    return lines


def _piece(piece: Piece, indent: str = "") -> list[str]:
    """One piece of the board and what lies on it."""
    if piece.kind == "track":
        return _wrap("", ". ".join(filter(None, (piece.name, piece.text))), indent)
    if piece.kind == "counter":
        parts = [" ".join(filter(None, (child.text, _value(child)))) for child in piece.children]
        head = f"{piece.name}: {signed(piece.value or 0)}"
        return _wrap("", f"{head} ({', '.join(parts)})" if parts else head, indent)
    if piece.kind == "stack":
        counted = piece.value is None or any(letter.isdigit() for letter in piece.name)
        return _wrap("", piece.name if counted else f"{number(piece.value or 0)} {piece.name or 'cards'}", indent)
    if piece.kind in ("space", "hand", "group", "board"):
        return _space(piece, indent)
    words = ". ".join(filter(None, (piece.name, piece.text)))
    lines = _wrap(f"[{piece.clause}] " if piece.clause else "", words, indent)
    return lines + [line for child in piece.children for line in _piece(child, indent + "  ")]


def _space(piece: Piece, indent: str) -> list[str]:
    """A place: its pieces on one line, with the number of the slot in which each lies; "listed" ones on their own."""
    things, apart = [], []
    for child in piece.children:
        if "listed" in child.marks:
            apart += _space(child, indent + "  ")
            continue
        inside = child.children if "slot" in child.marks else (child,)
        slot = f"{child.text}:" if child.text and "slot" in child.marks else ""
        things += [f"{slot}{_short(one)}" for one in inside]
    return _wrap(f"{piece.name}: ", "   ".join(things) or "none", indent) + apart


def _value(piece: Piece) -> str:
    return "" if piece.value is None else number(piece.value)


def _short(piece: Piece) -> str:
    """A piece in one word or two; the last roll in brackets."""
    if "air" in piece.marks:
        return "..."
    words = piece.name or piece.text or ", ".join(filter(None, map(_short, piece.children)))
    return f"[{words}]" if "rolled" in piece.marks else words


def _acts(scene: Scene) -> list[str]:
    lines = [f"  {button.action}: {button.label} {button.hint}" for button in scene.buttons if button.action]
    said = {button.action for button in scene.buttons}
    clicked = [action for action in dict.fromkeys(_clicked(scene.board)) if action not in said]
    if clicked:
        more = f" ... {len(clicked)} in all" if len(clicked) > MOST else ""
        lines += _wrap("On the board: ", ", ".join(clicked[:MOST]) + more, "  ")
    if scene.pick and scene.pick.moves:
        example = min(scene.pick.moves.values(), key=len)
        lines.append(f"  {len(scene.pick.moves)} ways to choose several, for example: {example}")
    if scene.undo:
        lines.append("  undo: Take back the last decision")
    return lines


def _clicked(piece: Piece) -> Iterator[str]:
    """The moves made by clicking the piece or what lies on it."""
    if piece.action:
        yield piece.action
    for child in piece.children:
        yield from _clicked(child)


def _wrap(head: str, text: str, indent: str) -> list[str]:
    return textwrap.wrap(head + text, WIDTH, initial_indent=indent, subsequent_indent=indent + "    ") or [indent]
