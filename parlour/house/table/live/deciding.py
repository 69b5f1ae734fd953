"""Who decides at a table now, in turn or asked in secret."""

from __future__ import annotations

from parlour.core import asking
from parlour.core.match import Match
from parlour.house.table.live.table import Table


def deciding(table: Table) -> tuple[int, ...]:
    """Return the seats that may decide now: the one whose turn it is, or all that are asked in secret and have not
    answered."""
    if table.match is None or table.closed:
        return ()
    if table.questions.open is not None:
        return table.questions.missing(table.match)
    player = table.match.current_player
    return (player,) if player >= 0 else ()


def as_asked(table: Table, seat: int) -> Match:
    """Return a copy of the match as a seat that may decide now sees it."""
    assert table.match is not None
    return table.fork() if table.questions.open is None else asking.as_asked(table.match, seat)


def is_asked(table: Table, viewer: int) -> bool:
    """Return whether a viewer is asked in secret now, or has answered already."""
    if table.match is None or table.course.due(table.match) is not None:
        return False
    return viewer in asking.questions(table.game, table.match.state)


def bot_to_move(table: Table) -> int | None:
    """Return the seat of the bot whose turn it is, or None. Secret questions are answered elsewhere (`asking`)."""
    seat = next(iter(deciding(table)), None) if table.questions.open is None else None
    return seat if seat is not None and table.seats[seat].kind == "bot" else None
