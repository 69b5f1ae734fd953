"""Bezel on the table: a brooch that everyone sees, and the viewer's own hand."""

from collections.abc import Sequence
from typing import Any

from parlour.core.contract import CHANCE, Step
from parlour.core.pieces import badge, grid
from parlour.core.scene import Line, Piece, Scene

from . import rules as r
from .text import MOVES, PLACES, STONES, why_not

LINES = ("row", "column")


def scene(state: Any, viewer: int, names: Sequence[str]) -> Scene:
    over, seat, points, legal = state.laid == r.SQUARES, state.laid % 2, [0, 0], [0] * r.MAX_LEGAL
    mine = r.current_player(state) == viewer >= 0
    legal = legal[: r.legal_actions(state, legal)] if mine else []
    r.scores(state, points)
    squares = (_square(state, square, legal, mine) for square in range(r.SQUARES))
    pays = (_pay(state, who, line, names) for who in range(2) for line in range(r.SIDE))
    brooch = grid("brooch", r.SIDE + 1, *squares, *pays, name="The brooch")
    hands = (_hand(state, who, viewer, legal, names) for who in ((1, 0) if viewer == 0 else (0, 1)))
    if not mine:
        prompt = "The brooch is full." if over else f"{names[seat]} takes a tile."
    else:
        prompt = f"Lay the {STONES[state.taken - 1]}." if state.taken else f"Take a tile. You fill {LINES[seat]}s."
    return Scene(
        game="bezel",
        viewer=viewer,
        prompt=prompt,
        clause="BE-5" if over else "BE-3",
        board=Piece("board", "board", "The table", children=(brooch, *hands)),
        seats=tuple(
            Piece(f"seat-{who}", "seat", names[who], text=f"{LINES[who]}s", value=points[who], seat=who)
            for who in range(2)
        ),
        to_move=None if over else seat,
        over=over,
        winners=tuple(who for who in range(2) if over and points[who] == max(points)),
    )


def _square(state: Any, square: int, legal: Sequence[int], mine: bool) -> Piece:
    place, action, at = PLACES[square], square + r.KINDS, (square // r.SIDE + 1, square % r.SIDE + 1)
    if stone := state.square[square]:
        gem = Piece(f"stone-{place}", "gem", STONES[stone - 1].capitalize())
        marks = ("last",) if square == state.last else ()
        return Piece(place, "space", f"{place}: {STONES[stone - 1]}", marks=marks, at=at, children=(gem,))
    if action in legal:
        return Piece(place, "space", f"{place}, empty", action=MOVES[action], at=at)
    why = why_not(state, action) if mine and state.taken else None
    return Piece(place, "space", f"{place}, empty", why=why, at=at)


def _pay(state: Any, who: int, line: int, names: Sequence[str]) -> Piece:
    """Make the mark at the end of a line with what it pays."""
    number, at = ("12345"[line], (line + 1, 6)) if who == 0 else ("abcde"[line], (6, line + 1))
    carats = r.pay(state, who, line)
    said = f"{LINES[who].capitalize()} {number} pays {names[who]} {carats}"
    return badge(f"{LINES[who]}-{number}", str(carats), said, seat=who, at=at, clause="BE-4")


def _hand(state: Any, who: int, viewer: int, legal: Sequence[int], names: Sequence[str]) -> Piece:
    """Make a hand: its owner sees stones, all others backs."""
    tiles: list[Piece] = []
    for kind in range(r.KINDS):
        for i in range(state.hand[who][kind]):
            if who == viewer:
                taken = state.taken == kind + 1 and i == 0 and state.laid % 2 == who
                action = MOVES[kind] if kind in legal else ""
                marks = ("big",) if taken else ()
                key, name, shortcut = f"tile-{kind}-{i}", STONES[kind].capitalize(), str(len(tiles) + 1)
                tiles.append(Piece(key, "gem", name, action=action, marks=marks, shortcut=shortcut))
            else:
                tiles.append(Piece(f"back-{who}-{len(tiles)}", "gem", "A tile, face down", marks=("down",)))
    return Piece(f"hand-{who}", "hand", "Your hand" if who == viewer else f"{names[who]}'s hand", children=tuple(tiles))


def tell(step: Step, viewer: int, names: Sequence[str]) -> tuple[Line, ...]:
    if step.actor == CHANCE or step.action < r.KINDS:
        return ()
    before, after = [0, 0], [0, 0]
    r.scores(step.before, before)
    r.scores(step.after, after)
    said = f"{names[step.actor]} lays the {STONES[step.before.taken - 1]} on {PLACES[step.action - r.KINDS]}."
    for who in range(2):
        if after[who] > before[who]:
            said += f" {names[who]} is paid {after[who] - before[who]}."
    lines = [Line(said, "BE-4", step.actor)]
    if step.after.laid == r.SQUARES:
        lines.append(Line(f"The brooch is full: {after[0]} to {after[1]} carats.", "BE-5", kind="end"))
    return tuple(lines)
