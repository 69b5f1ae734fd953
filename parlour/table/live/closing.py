"""Why a table was closed, for its people."""

from __future__ import annotations

from parlour.core.game import Game
from parlour.table.storage.rows import AGREED, MISFIT, WITHOUT, TableRow


def why_closed(row: TableRow, game: Game) -> str:
    """What happened to a table that its people ended, or whose rules changed."""
    if row.ended == AGREED:
        return (
            "The players ended this game together, without a result. Its record can be had, and the same people can "
            "begin a new one."
        )
    if row.ended == WITHOUT:
        return (
            "Somebody was away, and all the others ended this game together, without a result. Its record can be had, "
            "and the same people can begin a new one."
        )
    if row.ended == MISFIT and row.status == "over":
        return (
            f"One step of this game doesn't fit the rules of {game.text.TITLE} on this server, so we can't show the "
            "game step by step. You can still download its record."
        )
    if row.ended == MISFIT:
        return (
            f"One step of this game doesn't fit the rules of {game.text.TITLE} on this server, so we closed the game "
            "without a result. You can download its record, and the same players can start a new game."
        )
    title, began, now = game.text.TITLE, row.rules, game.rules.VERSION
    if row.status == "over":
        return (
            f"This game was played with version {began} of the rules of {title}. The house has version {now} now, "
            "and can no longer show it step by step. Its record can be had."
        )
    rules = f"it has version {now} now" if began != now else "it had another version for a while"
    return (
        f"This game was begun with version {began} of the rules of {title}. The house changed them: {rules}. So "
        "the game was closed, without a result. Its record can be had, and the same people can begin a new one."
    )
