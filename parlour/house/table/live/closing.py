"""Why a table was closed, for its people."""

from __future__ import annotations

from parlour.core.game import Game
from parlour.house.table.storage.rows import AGREED, FORFEIT, MISFIT, WITHOUT, TableRow


def why_closed(row: TableRow, game: Game) -> str:
    """Return why a table was closed: its players ended it, or the rules changed."""
    if row.ended == AGREED:
        return (
            "The players ended this game together, without a result. You can download its record, and the same players "
            "can start a new game."
        )
    if row.ended == WITHOUT:
        return (
            "A player was away, and the others ended this game together, without a result. You can download its "
            "record, and the same players can start a new game."
        )
    if row.ended == FORFEIT:
        return (
            "A player did not arrive in time, so this game of a tournament was decided without them. Its result is "
            "on the page of the tournament."
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
            f"This game was played with version {began} of the rules of {title}. This server now has version {now}, so "
            "we can no longer show the game step by step. You can still download its record."
        )
    rules = f"now has version {now}" if began != now else "had another version for a while"
    return (
        f"This game began with version {began} of the rules of {title}. This server {rules}, so we closed the game "
        "without a result. You can download its record, and the same players can start a new game."
    )
