"""Tournaments for lists, and what pages need besides: plain functions of a connection, as in `queries`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import sqlalchemy as sa

from parlour.house.tournaments import rows
from parlour.house.tournaments import schema as s
from parlour.house.tournaments.rows import Listed, State, Tournament

_T, _E = s.tournaments.c, s.entrants.c


class Lists(NamedTuple):
    """Tournaments for their list, each with how many take part; how many are over; the ids of those that a guest takes
    part in; and their tables, by tournament."""

    running: tuple[Listed, ...]
    coming: tuple[Listed, ...]
    over: tuple[Listed, ...]
    total: int
    mine: frozenset[str]
    tables: dict[str, str]


class Glance(NamedTuple):
    """What the lobby says of tournaments: how many are in play, and when the next starts, of those that need no link;
    those that a guest takes part in; and their tables, by tournament."""

    running: int
    next: float | None
    mine: tuple[Tournament, ...]
    tables: dict[str, str]


def glance(connection: sa.Connection, guest: str) -> Glance:
    """Return what the lobby says of tournaments to a guest."""
    public = _T.token == ""
    running = connection.scalar(sa.select(sa.func.count()).where(public, _T.state == "running")) or 0
    following = connection.scalar(sa.select(sa.func.min(_T.starts_at)).where(public, _T.state == "announced"))
    mine = joined(connection, guest, rows.UNDER_WAY)
    return Glance(running, following, tuple(mine), waiting_tables(connection, guest) if mine else {})


def changes(connection: sa.Connection, tournaments: Sequence[str]) -> dict[str, int]:
    """Return how often each of these tournaments has changed."""
    query = sa.select(_T.id, _T.changes).where(_T.id.in_(tournaments))
    return {row.id: row.changes for row in connection.execute(query)}


def joined(connection: sa.Connection, guest: str, states: Collection[State]) -> list[Tournament]:
    """Return the tournaments in these states that a guest takes part in, the earliest first."""
    query = (
        sa.select(*rows.COLUMNS)
        .join(s.entrants, _E.tournament_id == _T.id)
        .where(_E.guest_id == guest, _E.left.is_(None), _T.state.in_(states))
        .order_by(sa.func.coalesce(_T.starts_at, _T.created), _T.id)
    )
    return [Tournament(*row) for row in connection.execute(query)]


def waiting_tables(connection: sa.Connection, guest: str) -> dict[str, str]:
    """Return the tables at which a guest's games of tournaments are in progress, by tournament."""
    g, p = s.games.c, s.places.c
    same = (p.tournament_id == g.tournament_id) & (p.round == g.round) & (p.board == g.board)
    mine = (_E.tournament_id == p.tournament_id) & (_E.number == p.entrant)
    query = (
        sa.select(g.tournament_id, g.table_id)
        .join(s.places, same)
        .join(s.entrants, mine)
        .where(_E.guest_id == guest, g.state == "playing", g.table_id.is_not(None))
        .order_by(g.round)
    )
    return {row.tournament_id: row.table_id for row in connection.execute(query)}


def lists(connection: sa.Connection, guest: str, page: int = 0) -> Lists:
    """Return the tournaments that a list shows to a guest: public ones, and their own. `page`: of those over."""
    _, running = rows.listing(connection, ["running"])
    _, coming = rows.listing(connection, ["announced"])
    total, over = rows.listing(connection, ["over"], page=page)
    mine = frozenset(one.id for one in joined(connection, guest, rows.UNDER_WAY))
    _, own = rows.listing(connection, rows.UNDER_WAY, guest=guest)
    known = {one.tournament.id for one in (*running, *coming)}
    hidden = [one for one in own if one.tournament.id not in known]  # joined by a link, or of a club

    def of(state: State, listed: Sequence[Listed]) -> tuple[Listed, ...]:
        found = [*listed, *(one for one in hidden if one.tournament.state == state)]
        return tuple(sorted(found, key=lambda one: one.tournament.starts_at or one.tournament.created))

    return Lists(
        of("running", running), of("announced", coming), tuple(over), total, mine, waiting_tables(connection, guest)
    )
