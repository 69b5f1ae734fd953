"""Decide which decision a player may take back, by the same rule for every game.

It is their own last one, while the play it belongs to is incomplete (they are still to decide, and
nothing has happened since), and only if it revealed nothing beyond the fact that it was made. The
rules say which decisions those are (`Undoing.may_undo`). Nothing is tried out or sampled, so luck
never lets a revealing decision slip through. docs/decisions.md gives the reasons.
"""

from __future__ import annotations

from parlour.core.contract import CHANCE, Step
from parlour.core.game import Game


def why_not(game: Game, last: Step | None, current: int, seat: int | None) -> str:
    """Return why `seat` (None: the seat to decide) cannot take back the `last` step, or "".

    `current` is the seat to decide, as in `Match.current_player`.
    """
    if last is None or last.actor == CHANCE:
        return "There is nothing to take back: dice or cards have followed." if last else "Nothing has happened yet."
    if current < 0 or current != last.actor or seat not in (None, current):
        return "There is nothing to take back: your play is complete, or it is not your turn."
    return "" if game.may_undo(last) else "You cannot take this back: it has revealed something."
