"""Taking back: which decision a player may take back, the same rule for every game.

Their own last one, while the play it belongs to is not complete (they are still to decide, nobody and nothing came
after it), and only when nobody learnt anything from it but that it was made. The rules say which those are
(`Undoing.may_undo`): nothing is tried out or sampled, so no chance lets a decision slip through that has shown
something. docs/decisions.md tells why so.
"""

from __future__ import annotations

from parlour.core.contract import CHANCE, Step
from parlour.core.game import Game


def why_not(game: Game, last: Step | None, current: int, seat: int | None) -> str:
    """Why `seat` (None: whoever is to decide) cannot take back the `last` step while `current` is to decide; "" when
    they can."""
    if last is None or last.actor == CHANCE:
        return "There is nothing to take back: dice or cards have spoken since." if last else "Nothing was done yet."
    if current < 0 or current != last.actor or seat not in (None, current):
        return "There is nothing to take back: your play is complete, or it is not your turn."
    return "" if game.may_undo(last) else "It cannot be taken back: it has shown something."
