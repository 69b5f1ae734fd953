"""What kind of step led to a position, for the motion of a page."""

from __future__ import annotations

from parlour.core.contract import CHANCE
from parlour.core.scene import Piece, Scene

MOMENTS = ("roll", "turn", "move", "end")


def moment(scene: Scene, actor: int | None) -> str:
    """Return what led to a scene: "roll", "turn", "move", "end" or "".

    `actor` made the step before it; None before the first step.
    """
    if scene.over:
        return "end"
    if actor is None:
        return ""
    if actor != CHANCE:
        return "move"
    marks = _marks(scene.board)
    return "roll" if "rolled" in marks else "turn" if "turned" in marks else ""


def _marks(board: Piece) -> set[str]:
    found: set[str] = set()
    ahead = [board]
    while ahead:
        piece = ahead.pop()
        found.update(piece.marks)
        ahead += piece.children
    return found
