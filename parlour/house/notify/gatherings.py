"""What notifications say of tournaments and clubs: plain functions of a connection, as in `queries`."""

from __future__ import annotations

from typing import NamedTuple

import sqlalchemy as sa

from parlour.house.accounts import schema as accounts
from parlour.house.clubs import schema as clubs
from parlour.house.clubs.seasons import schema as seasons
from parlour.house.social import schema as social
from parlour.house.tournaments import schema as tournaments

UNKNOWN = "It was cancelled by its organiser, or because too few people had joined."  # before reasons were stored
NAMED = 5  # people who ask to join a club that a notification names


class Said(NamedTuple):
    """What a notification says: the name of the tournament or club, the game, people, a sentence, and a moment."""

    by: str
    game: str = ""
    seats: tuple[str, ...] = ()
    more: str = ""
    starts: float = 0.0


def said(connection: sa.Connection, kind: str, place: str, guest: str, now: float) -> Said | None:
    """Return what a notification says of a tournament or club to a guest; None if it is outdated."""
    if kind == "soon":
        return _soon(connection, place, guest, now)
    if kind in ("ended", "cancelled"):
        name = tournament(connection, place)
        return None if name is None else Said(name, more=_reason(connection, place) or UNKNOWN)
    c, m = clubs.clubs.c, clubs.members.c
    name = connection.scalar(sa.select(c.name).where(c.id == place))
    role = connection.scalar(sa.select(m.role).where(m.club_id == place, m.guest_id == guest))
    if name is None:
        return None
    if kind == "asked":
        return _asked(connection, Said(name), place, guest) if role in ("owner", "organiser") else None
    if kind == "season":
        return _season(connection, Said(name), place, guest) if role else None
    return Said(name) if (kind == "admitted") == bool(role) else None


# Tournaments ---------------------------------------------------------------------------------------
def tournament(connection: sa.Connection, tournament: str | None) -> str | None:
    """Return the name of a tournament, None if it is gone."""
    c = tournaments.tournaments.c
    name: str | None = connection.scalar(sa.select(c.name).where(c.id == tournament))
    return name


def _reason(connection: sa.Connection, tournament: str) -> str:
    c = tournaments.tournaments.c
    return connection.scalar(sa.select(c.reason).where(c.id == tournament)) or ""


def _soon(connection: sa.Connection, tournament: str, guest: str, now: float) -> Said | None:
    """Return what to say of a tournament that has not started yet, to someone who is in it."""
    t, e = tournaments.tournaments.c, tournaments.entrants.c
    joined = tournaments.tournaments.join(tournaments.entrants, e.tournament_id == t.id)
    query = sa.select(t.name, t.starts_at).select_from(joined)
    query = query.where(t.id == tournament, t.state == "announced", t.starts_at > now)
    found = connection.execute(query.where(e.guest_id == guest, e.left.is_(None))).first()
    return None if found is None else Said(found.name, starts=found.starts_at)


# Clubs ---------------------------------------------------------------------------------------------
def _asked(connection: sa.Connection, one: Said, club: str, guest: str) -> Said | None:
    """Return who waits for an answer, without those whom the reader has blocked."""
    r, g, mark = clubs.requests.c, accounts.guests.c, social.marks.c
    shut = sa.select(mark.other_id).where(mark.guest_id == guest, mark.blocked)
    query = sa.select(g.name).join(clubs.requests, r.guest_id == g.id).where(r.club_id == club, r.guest_id.not_in(shut))
    names = tuple(connection.scalars(query.order_by(r.asked, r.guest_id)))
    rest = f"{len(names) - NAMED} more"
    return one._replace(seats=names if len(names) <= NAMED else (*names[:NAMED], rest)) if names else None


def _season(connection: sa.Connection, one: Said, club: str, guest: str) -> Said | None:
    """Return what to say of the season that is planned."""
    n, e = seasons.seasons.c, seasons.entrants.c
    planned = sa.select(n.id, n.play).where(n.club_id == club, n.status == "planned")
    found = connection.execute(planned).first()
    if found is None:
        return None
    entered = sa.select(e.guest_id).where(e.season_id == found.id, e.guest_id == guest)
    inside = connection.scalar(entered) is not None
    more = "You're entered already, as you played the last one." if inside else "You can enter it on the club's page."
    return one._replace(game=str(found.play["game"]), more=more)
