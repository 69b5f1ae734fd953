"""What Bezel's rulebook shows."""

from collections.abc import Mapping

from parlour.core.scene import SPECTATOR, Piece

from . import rules as r
from .scene import scene
from .text import PLACES

LAID = {"b2": 1, "c2": 1, "d2": 1, "c3": 4, "c4": 4, "e2": 2}  # three rubies, two sapphires, an amber


def pictures() -> Mapping[str, Piece]:
    state = r.State(square=[LAID.get(place, 0) for place in PLACES], laid=len(LAID))
    return {"brooch": scene(state, SPECTATOR, ("the first", "the second")).board.children[0]}
