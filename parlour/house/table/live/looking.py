"""The guests who are looking at a table: those with an open page, in any process; and for a minute, anyone who
made a request, since programs need no page.

Bots wait at a table that no one is looking at (`table.jobs.bots`). This depends on nothing secret: only on
whose turn it is, outside of secret questions, and on who is looking.
"""

from __future__ import annotations

import time

from parlour.house.table.live import clocks
from parlour.house.table.live.table import Table
from parlour.house.table.live.tempo import by_post
from parlour.house.table.storage.rows import PERSON, Rests

ABSENT = 60.0  # seconds without looking after which a player counts as absent, at a table without clocks
LASTS = 60.0  # seconds for which a request counts as looking


def note(table: Table, guest: str) -> None:
    """Note that this guest reads or does something at the table."""
    now, audience = time.monotonic(), table.audience
    audience.asked.anybody = now
    if table.seats_of(guest):
        audience.asked.player = audience.seen[guest] = now


def first_watched_by(table: Table, guest: str) -> bool:
    """Return whether this guest is the first without a seat to look at the table, if that matters."""
    strange = all(seat.guest_id != guest for seat in table.seats)
    return strange and table.game.asking is not None and not (table.row.watched or table.over)


def looked_at(table: Table) -> bool:
    """Return whether anyone is looking at the table, or it has clocks: then bots don't wait for viewers."""
    if table.row.tempo is not None:
        return True
    audience = table.audience
    return time.monotonic() - audience.asked.anybody < LASTS or bool(audience.listeners or audience.present())


def waited_for(table: Table) -> bool:
    """Return whether a player is looking at the table, and so waits for its bots."""
    if time.monotonic() - table.audience.asked.player < LASTS:
        return True
    here = table.audience.present()
    return any(seat.kind in PERSON and here[seat.guest_id] for seat in table.seats)


def missing(table: Table) -> tuple[int, ...]:
    """Return the seats of people who have been away for so long that the others need not wait for them, no matter whose
    turn it is. With clocks it returns no seats, because their time runs out."""
    if table.status != "playing" or table.row.tempo is not None:
        return ()
    people = (seat for seat in table.seats if seat.kind in PERSON)
    gone = tuple(seat.seat for seat in people if table.audience.away(seat.guest_id) >= ABSENT)
    if not gone or table.row.absent <= ABSENT:
        return gone
    seat = None if table.match is None else clocks.decides(table, table.match)
    return (seat,) if seat in gone and waited(table, seat) >= table.row.absent else ()


def waited(table: Table, seat: int) -> float:
    """Return for how many seconds the table has waited for the decision of a seat, without its player's holidays if the
    game is by post."""
    times = table.history.times
    since = (times[-1] if times else 0) or table.row.touched  # older Parlours noted no times
    now = time.time()
    return now - since - (_away(table.seats[seat].rests, since, now) if by_post(table.row) else 0.0)


def _away(rests: Rests, since: float, until: float) -> float:
    """Return the seconds of holiday between two moments. Holidays that a guest brought along on signing in may overlap
    with the account's own; the overlap counts once."""
    total = 0.0
    for rest in rests:  # by `since`
        begin, end = max(since, rest.since), min(until, rest.until)
        if end > begin:
            total, since = total + end - begin, end
    return total


def absent(table: Table) -> tuple[int, ...]:
    """Return the seat of the player to decide, if they are away: a bot may take over. Secret questions don't
    show here."""
    gone = missing(table)
    seat = clocks.decides(table, table.match) if gone and table.match is not None else None
    return (seat,) if seat in gone else ()


def next_absent(table: Table) -> float | None:
    """Return in how many seconds a player may next count as absent, or None if no page waits for them."""
    if table.status != "playing" or table.row.tempo is not None or not table.audience.listeners:
        return None
    away = [table.audience.away(player) for player in table.players()]
    return min((ABSENT - long + 0.1 for long in away if 0 < long < ABSENT), default=None)
