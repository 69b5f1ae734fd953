"""Private calendars, and what calendars show: plain functions of a connection, as in `queries`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import sqlalchemy as sa

from parlour.core.facts import RULESET
from parlour.house.clubs import schema as clubs
from parlour.house.clubs.calendars import schema as s
from parlour.house.clubs.seasons import schema as seasons
from parlour.house.database.exporting import when
from parlour.house.table.storage.rows import KeptTempo
from parlour.house.tournaments import schema as tournaments

MOST_EVENTS = 200  # in a calendar: the last ones to start
PAST = 30 * 86400.0  # seconds for which a calendar shows what is over


class Event(NamedTuple):
    """What a calendar shows. `ends` is None where it is not known; `revised` is when it was last changed, as far as is
    known, and `sequence` grows with each change. `path` is its page."""

    id: str
    name: str
    game: str
    ruleset: str
    tempo: KeptTempo | None
    starts: float
    ends: float | None
    revised: float
    sequence: int
    cancelled: bool
    path: str


_C = s.calendars.c
_T, _E = tournaments.tournaments.c, tournaments.entrants.c
_N, _P = seasons.seasons.c, seasons.entrants.c
_DIVISIONS = sa.select(seasons.divisions.c.tournament_id)


# Private addresses ---------------------------------------------------------------------------------
def begin(connection: sa.Connection, guest: str, token: str, now: float) -> None:
    """Give a guest's calendar this address. An earlier one no longer works."""
    end(connection, guest)
    connection.execute(sa.insert(s.calendars).values(guest_id=guest, token=token, created=now))


def end(connection: sa.Connection, guest: str) -> None:
    """Take the address of a guest's calendar away."""
    connection.execute(sa.delete(s.calendars).where(_C.guest_id == guest))


def token_of(connection: sa.Connection, guest: str) -> str:
    """Return the token of a guest's calendar, "" without one."""
    return connection.scalar(sa.select(_C.token).where(_C.guest_id == guest)) or ""


def guest_of(connection: sa.Connection, token: str) -> str | None:
    """Return whose calendar has this token."""
    found: str | None = connection.scalar(sa.select(_C.guest_id).where(_C.token == token))
    return found


# Events -------------------------------------------------------------------------------------------
def of_house(connection: sa.Connection, now: float) -> list[Event]:
    """Return the announced tournaments that everyone can find, those under way, and those that ended lately."""
    return _tournaments(connection, (_T.token == "") & _T.club_id.is_(None), now)


def of_club(connection: sa.Connection, club: str, now: float) -> list[Event]:
    """Return a club's tournaments, and its seasons in place of the tournaments of their divisions."""
    events = _tournaments(connection, (_T.token == "") & (_T.club_id == club) & _T.id.not_in(_DIVISIONS), now)
    return _last([*events, *_seasons(connection, _N.club_id == club, now)])


def of_guest(connection: sa.Connection, guest: str, now: float) -> list[Event]:
    """Return the tournaments that a guest organises or takes part in, and the seasons that they are entered in."""
    entered = sa.select(_E.tournament_id).where(_E.guest_id == guest, _E.left.is_(None), ~_E.removed)
    mine = (_T.organiser == guest) | _T.id.in_(entered)
    played = sa.select(_P.season_id).where(_P.guest_id == guest, _P.withdrawn.is_(None))
    events = _tournaments(connection, mine & _T.id.not_in(_DIVISIONS), now)
    return _last([*events, *_seasons(connection, _N.id.in_(played), now)])


def _tournaments(connection: sa.Connection, which: sa.ColumnElement[bool], now: float) -> list[Event]:
    starts = sa.func.coalesce(_T.began, _T.starts_at)
    recent = _T.state.in_(("announced", "running")) | (_T.ended > now - PAST)
    columns = (
        _T.id, _T.name, _T.game, _T.options, _T.tempo, starts, _T.length, _T.created, _T.began, _T.ended, _T.changes,
        _T.state,
    )  # fmt: skip
    query = sa.select(*columns).where(which, starts.is_not(None), recent)
    found = connection.execute(query.order_by(starts.desc(), _T.id).limit(MOST_EVENTS))
    return [
        Event(
            row.id, row.name, row.game, row.options.get(RULESET, ""), row.tempo, row[5],
            row[5] + row.length if row.length else None, max(row.created, row.began or 0.0, row.ended or 0.0),
            row.changes, row.state == "cancelled", f"/tournaments/{row.id}",
        ) for row in found
    ]  # fmt: skip


def _seasons(connection: sa.Connection, which: sa.ColumnElement[bool], now: float) -> list[Event]:
    recent = (_N.status.in_(("planned", "running"))) | (_N.changed > now - PAST)
    query = (
        sa.select(*seasons.seasons.c, clubs.clubs.c.name)
        .join(clubs.clubs, clubs.clubs.c.id == _N.club_id)
        .where(which, recent, _N.starts.is_not(None))
        .order_by(_N.starts.desc(), _N.id)
        .limit(MOST_EVENTS)
    )
    return [
        Event(
            row.id, f"{row.name}: season {row.number}", str(row.play["game"]), _ruleset(row.play), None, row.starts,
            None, row.changed, row.changes, row.status == "cancelled", f"/clubs/{row.club_id}",
        ) for row in connection.execute(query)
    ]  # fmt: skip


def _ruleset(play: Mapping[str, object]) -> str:
    options = play.get("options")
    return str(options.get(RULESET, "")) if isinstance(options, dict) else ""


def _last(events: list[Event]) -> list[Event]:
    return sorted(events, key=lambda one: (-one.starts, one.id))[:MOST_EVENTS]


# What is theirs ------------------------------------------------------------------------------------
def exported(connection: sa.Connection, guest: str) -> dict[str, object]:
    """Return since when an account has a private calendar, for its export. Its address stays secret."""
    made = connection.scalar(sa.select(_C.created).where(_C.guest_id == guest))
    return {"private calendar since": None if made is None else when(made)}


def part(connection: sa.Connection, guest: str) -> None:
    """Delete a guest's calendar."""
    end(connection, guest)
