"""The queue of "Play now": plain functions of a connection, as in `queries`. One transaction at a time, across all
processes, pairs players."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from parlour.house.database import turns
from parlour.house.notify import outbox
from parlour.house.ratings import rows as rating_rows
from parlour.house.ratings import schema as ratings
from parlour.house.ratings.matchmaking import schema as s
from parlour.house.ratings.rows import START, Rating
from parlour.house.social import rows as social_rows
from parlour.house.table.storage import queries, upkeep
from parlour.house.table.storage.rows import SeatRow, StepRow, TableRow

STALE = 8.0  # seconds after which who has no page open any more asks no more
DOUBT = 3.0  # the same for a guest whose page was given up after a long silence; an open page soon reconnects
LISTED = 200  # waiting guests who are shown to others
_LOCK = 7275469  # the advisory lock for pairing


class Asker(NamedTuple):
    """A guest who asks to play a ruleset ("" if a game has one) with this many players, and since when. `table_id`: the
    table for which they were paired, "" until then."""

    guest: str
    name: str
    game: str
    ruleset: str
    players: int
    since: float
    table_id: str = ""
    rated: bool = False
    tempo: str = ""  # one of `table.live.tempo.LIVE`, "" for no clocks
    mu: float = START.mu
    sigma: float = START.sigma


class Waits(NamedTuple):
    """A guest who waits for others, and what they want to play."""

    guest: str
    game: str
    ruleset: str
    players: int
    rated: bool
    tempo: str


class Pairing(NamedTuple):
    """Guests who play with each other, and their new table."""

    guests: tuple[str, ...]
    table: TableRow
    seats: Sequence[SeatRow]
    steps: Sequence[StepRow]


Match = Callable[[Sequence[Asker], frozenset[frozenset[str]]], Sequence[Pairing]]  # and pairs who are kept apart
_KEPT = Asker._fields[: Asker._fields.index("mu")]  # what is stored; the rest is looked up for each guest
_C, _R = s.askers.c, ratings.ratings.c
_ASKER: sa.Select[Any] = sa.select(
    *[_C[name] for name in ("guest_id", *_KEPT[1:])],
    sa.func.coalesce(_R.mu, START.mu), sa.func.coalesce(_R.sigma, START.sigma),
).select_from(
    s.askers.outerjoin(
        ratings.ratings, (_R.player == _C.guest_id) & (_R.game == _C.game) & (_R.ruleset == _C.ruleset)
    )
)  # fmt: skip


def ask(connection: sa.Connection, mine: Asker, now: float, match: Match) -> list[str]:
    """Join the queue, or change the request, which means a new place; then pair everyone possible. Return the ids of
    the new tables. Raises TooManyTables."""
    turns.take(connection, _LOCK)
    upkeep.must_have_room(connection, mine.guest)
    c = s.askers.c
    connection.execute(sa.delete(s.askers).where(c.seen < now - STALE))
    found = connection.execute(_ASKER.where(c.guest_id == mine.guest)).first()
    before = None if found is None else Asker(*found)
    same = before is not None and _what(before) == _what(mine)
    if before is not None and same and before.table_id:  # pressed twice, and paired in between
        return []
    connection.execute(sa.delete(s.askers).where(c.guest_id == mine.guest))
    since = before.since if before is not None and same else mine.since
    values = mine._replace(since=since)._asdict()
    row = {"guest_id": mine.guest, **{name: values[name] for name in _KEPT[1:]}, "seen": now}
    connection.execute(sa.insert(s.askers).values(row))
    return _pair(connection, match)


def pair(connection: sa.Connection, now: float, match: Match) -> list[str]:
    """Pair those whose waiting time now allows it; return the ids of the new tables."""
    turns.take(connection, _LOCK)
    connection.execute(sa.delete(s.askers).where(_C.seen < now - STALE))
    return _pair(connection, match)


def several(connection: sa.Connection) -> bool:
    """Return whether any two wait for the same."""
    kind = (_C.game, _C.ruleset, _C.players, _C.rated, _C.tempo)
    query = sa.select(sa.literal(1)).where(_C.table_id == "").group_by(*kind).having(sa.func.count() > 1).limit(1)
    return connection.scalar(query) is not None


def _what(one: Asker) -> tuple[object, ...]:
    return one.guest, one.game, one.ruleset, one.players, one.rated, one.tempo


def _pair(connection: sa.Connection, match: Match) -> list[str]:
    c = s.askers.c
    waiting = [Asker(*found) for found in connection.execute(_ASKER.where(c.table_id == ""))]
    made = match(waiting, social_rows.pairs_apart(connection, [one.guest for one in waiting]))
    for one in made:
        queries.create(connection, one.table, one.seats, one.steps)
        outbox.note(connection, "started", one.table.id, one.guests, one.table.created)
        connection.execute(sa.update(s.askers).where(c.guest_id.in_(one.guests)).values(table_id=one.table.id))
    return [one.table.id for one in made]


def stop(connection: sa.Connection, guest: str) -> None:
    """Leave the queue."""
    connection.execute(sa.delete(s.askers).where(s.askers.c.guest_id == guest))


def askers(connection: sa.Connection) -> list[str]:
    """Return the ids of all in the queue, now or lately."""
    return list(connection.scalars(sa.select(s.askers.c.guest_id)))


def waiting(connection: sa.Connection, now: float) -> list[Waits]:
    """Return those who wait, the longest wait first, up to this many."""
    query = sa.select(_C.guest_id, *[_C[name] for name in Waits._fields[1:]])
    query = query.where(_C.table_id == "", _C.seen >= now - STALE).order_by(_C.since, _C.guest_id).limit(LISTED)
    return [Waits(*row) for row in connection.execute(query)]


def opponents(connection: sa.Connection, now: float, levels: Collection[str]) -> tuple[list[Waits], list[Rating]]:
    """Return those who wait, and the ratings of bots of these levels."""
    return waiting(connection, now), rating_rows.of_bots(connection, levels)


def keep(connection: sa.Connection, here: Collection[str], now: float) -> bool:
    """Keep those who are `here` in the queue, and remove those who have been gone for long; return whether there were
    any."""
    c = s.askers.c
    connection.execute(sa.update(s.askers).where(c.guest_id.in_(here), c.table_id == "").values(seen=now))
    return bool(connection.execute(sa.delete(s.askers).where(c.seen < now - STALE)).rowcount)


def doubt(connection: sa.Connection, guest: str, now: float) -> None:
    """Note that a guest's page is gone: unless they come back soon, they leave the queue."""
    c = s.askers.c
    connection.execute(sa.update(s.askers).where(c.guest_id == guest).values(seen=now - STALE + DOUBT))


def wish(connection: sa.Connection, guest: str, now: float) -> Asker | None:
    """Return a guest's request, None without one."""
    c = s.askers.c
    found = connection.execute(_ASKER.where(c.guest_id == guest, c.seen >= now - STALE)).first()
    return None if found is None else Asker(*found)
