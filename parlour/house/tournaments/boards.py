"""The games of tournaments: plain functions of a connection, as in `queries`.

A round is paired by one transaction, which also counts it. A game of it is `paired` until the transaction that creates
its table, which makes it `playing`, and that which stores its result makes it `over`. So whatever a process was doing
when it died, another finds what is left to do, and nothing is done twice.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

import sqlalchemy as sa

from parlour.house.table.storage import schema as storage
from parlour.house.tournaments import rows
from parlour.house.tournaments import schema as s
from parlour.house.tournaments.rows import COLUMNS, Tournament

LEASE = 3.0  # seconds for which one process works on a tournament, unless it continues
TOGETHER = 5  # tournaments that a process takes at the same time
PAGE = 100  # games in one answer, where they are not those of one round

How = Literal["", "played", "forfeit", "bye", "void"]
Stage = Literal["paired", "playing", "over"]


class Place(NamedTuple):
    """A seat of a game: the number of the entrant there, None for a bot. `came`: they opened the table; `missed`: not
    in time. `share` of the win and `score` are None until the game is over."""

    seat: int
    entrant: int | None
    came: bool = False
    missed: bool = False
    share: float | None = None
    score: int | None = None


class Game(NamedTuple):
    """A game of a tournament, or a bye, which has one place and no table. `label`, in a knock-out: "final", "third" (a
    game for third place), "replay" (after a draw)."""

    round: int
    board: int
    table_id: str | None
    state: Stage
    label: str = ""
    how: How = ""
    began: float | None = None
    done: float | None = None
    places: tuple[Place, ...] = ()


class Stand(NamedTuple):
    """What a tournament waits for: whether any game is not over; when the last one ended, None before; when the first
    began to which a player has not come yet, None without one; and how many entrants are in no game."""

    open: bool
    last: float | None
    late: float | None
    free: int


class Result(NamedTuple):
    """The outcome of a seat: its share of the win, and its score."""

    share: float | None
    score: int | None = None


_T, _G, _P = s.tournaments.c, s.games.c, s.places.c
_GAME = [_G[name] for name in Game._fields[:-1]]
_PLACE = [_P[name] for name in Place._fields]
_SAME = (_P.tournament_id == _G.tournament_id) & (_P.round == _G.round) & (_P.board == _G.board)


# Reading -------------------------------------------------------------------------------------------
def games(connection: sa.Connection, tournament: str, *, round: int | None = None) -> list[Game]:
    """Return the games of a tournament, or of one round, in order."""
    which = _G.tournament_id == tournament
    return _found(connection, which if round is None else which & (_G.round == round))


def sizes(connection: sa.Connection, tournament: str) -> list[tuple[int, int]]:
    """Return each round that was paired, and how many games it has."""
    query = sa.select(_G.round, sa.func.count()).where(_G.tournament_id == tournament)
    return [(number, count) for number, count in connection.execute(query.group_by(_G.round).order_by(_G.round))]


def games_between(connection: sa.Connection, tournament: str, first: int, last: int) -> list[Game]:
    """Return the games of some rounds, in order."""
    return _found(connection, (_G.tournament_id == tournament) & _G.round.between(first, last))


def games_of(connection: sa.Connection, tournament: str, entrant: int) -> list[Game]:
    """Return the games of an entrant, in order."""
    theirs = sa.select(_P.round).where(_SAME, _P.entrant == entrant).correlate(s.games).exists()
    return _found(connection, (_G.tournament_id == tournament) & theirs)


def last_games(connection: sa.Connection, tournament: str) -> list[Game]:
    """Return the last games that were paired, the newest first."""
    query = sa.select(_G.round, _G.board).where(_G.tournament_id == tournament)
    keys = connection.execute(query.order_by(_G.round.desc(), _G.board.desc()).limit(PAGE)).all()
    if not keys:
        return []
    first = keys[-1]
    late = (_G.round > first[0]) | ((_G.round == first[0]) & (_G.board >= first[1]))
    return _found(connection, (_G.tournament_id == tournament) & late)[::-1]


def _found(connection: sa.Connection, which: sa.ColumnElement[bool]) -> list[Game]:
    places: dict[tuple[int, int], list[Place]] = defaultdict(list)
    seats = sa.select(_P.round, _P.board, *_PLACE).join(s.games, _SAME).where(which).order_by(_P.seat)
    for number, board, *place in connection.execute(seats):
        places[number, board].append(Place(*place))
    query = sa.select(*_GAME).where(which).order_by(_G.round, _G.board)
    found = [Game(*row) for row in connection.execute(query)]
    return [one._replace(places=tuple(places[one.round, one.board])) for one in found]


def tables_of(connection: sa.Connection, tournament: str, guest: str) -> list[str]:
    """Return the tables at which a guest's games of a tournament are in progress, the last one first."""
    e = s.entrants.c
    mine = (_P.entrant == e.number) & (_P.tournament_id == e.tournament_id)
    query = (
        sa.select(_G.table_id)
        .join(s.places, _SAME)
        .join(s.entrants, mine)
        .where(_G.tournament_id == tournament, e.guest_id == guest, _G.state == "playing")
    )
    return list(connection.scalars(query.order_by(_G.round.desc(), _G.board)))


def tournament_at(connection: sa.Connection, table_id: str) -> tuple[Tournament, Game] | None:
    """Return the tournament that a table belongs to, and its game there; None for others."""
    found = _found(connection, _G.table_id == table_id)
    query = sa.select(*COLUMNS).join(s.games, _T.id == _G.tournament_id).where(_G.table_id == table_id)
    row = connection.execute(query).first()
    return None if row is None or not found else (Tournament(*row), found[0])


# What the house has to do ---------------------------------------------------------------------------
def is_due(connection: sa.Connection, now: float) -> bool:
    """Return whether any tournament waits for the house."""
    query = sa.select(_T.id).where(_T.due <= now, _T.leased <= now).limit(1)
    return connection.execute(query).first() is not None


def lease(connection: sa.Connection, now: float) -> list[Tournament]:
    """Take some of the tournaments that wait for the house, for LEASE seconds in which no other process takes them.
    What happens meanwhile makes them due again."""
    query = sa.select(*COLUMNS).where(_T.due <= now, _T.leased <= now).order_by(_T.due).limit(TOGETHER)
    found = [Tournament(*row) for row in connection.execute(query.with_for_update(skip_locked=True))]
    for one in found:
        rows.set_values(connection, one.id, leased=now + LEASE, due=now + LEASE)
    return [one._replace(due=now + LEASE) for one in found]


def keep(connection: sa.Connection, tournament: str, now: float) -> None:
    """Go on with a tournament for LEASE more seconds."""
    rows.set_values(connection, tournament, leased=now + LEASE)


def release(connection: sa.Connection, taken: Tournament, due: float | None) -> None:
    """Let a tournament be looked at again when it is `due`, or earlier if anything happened since it was `taken`."""
    rows.set_values(connection, taken.id, leased=0.0)
    connection.execute(sa.update(s.tournaments).where(_T.id == taken.id, _T.due == taken.due).values(due=due))


# Pairing -------------------------------------------------------------------------------------------
def pair(connection: sa.Connection, tournament: str, number: int, some: Sequence[Game], now: float) -> bool:
    """Store the games of round `number`, and count it; return False, and store nothing, if it was paired before or the
    tournament is not running. Byes are over."""
    which = (_T.id == tournament) & (_T.state == "running") & (_T.round == number - 1)
    values = {"round": number, "changes": _T.changes + 1, "due": now}
    if not connection.execute(sa.update(s.tournaments).where(which).values(values)).rowcount:
        return False
    _store(connection, tournament, number, some)
    return True


def add(connection: sa.Connection, tournament: str, number: int, some: Sequence[Game], now: float) -> bool:
    """Store further games of the last round, because some were drawn; return False, and store nothing, if another was
    paired since. Raises IntegrityError if they are stored already."""
    held = rows.hold(connection, tournament)
    if (held.state, held.round) != ("running", number):
        return False
    _store(connection, tournament, number, some)
    rows.set_values(connection, tournament, due=now)
    return True


def _store(connection: sa.Connection, tournament: str, number: int, some: Sequence[Game]) -> None:
    key = {"tournament_id": tournament, "round": number}
    shown = ("board", "state", "label", "how", "done")
    made = [{**key, **{name: getattr(one, name) for name in shown}} for one in some]
    connection.execute(sa.insert(s.games), made)
    seats = [{**key, "board": one.board, **place._asdict()} for one in some for place in one.places]
    connection.execute(sa.insert(s.places), seats)


def paired(connection: sa.Connection, tournament: str, most: int) -> list[Game]:
    """Return games whose tables are not open yet, up to this many."""
    query = sa.select(_G.round, _G.board).where(_G.tournament_id == tournament, _G.state == "paired")
    keys = connection.execute(query.order_by(_G.round, _G.board).limit(most)).all()
    which = sa.tuple_(_G.round, _G.board).in_([tuple(key) for key in keys])
    return _found(connection, (_G.tournament_id == tournament) & which) if keys else []


def opened(connection: sa.Connection, tournament: str, game: Game, table_id: str, now: float) -> bool:
    """Give a paired game its table, in the transaction that creates it; return False if it has one."""
    which = (_G.tournament_id == tournament) & (_G.round == game.round) & (_G.board == game.board)
    values = {"table_id": table_id, "state": "playing", "began": now}
    return bool(connection.execute(sa.update(s.games).where(which, _G.state == "paired").values(values)).rowcount)


# Coming --------------------------------------------------------------------------------------------
def came(connection: sa.Connection, table_id: str, guest: str) -> None:
    """Note that a guest has come to their game."""
    e = s.entrants.c
    there = sa.select(_G.tournament_id, _G.round, _G.board).where(_G.table_id == table_id, _G.state == "playing")
    found = connection.execute(there).first()
    if found is None:
        return
    mine = sa.select(e.number).where(e.tournament_id == found.tournament_id, e.guest_id == guest)
    place = (_P.tournament_id == found.tournament_id) & (_P.round == found.round) & (_P.board == found.board)
    which = place & (_P.entrant == mine.scalar_subquery())
    connection.execute(sa.update(s.places).where(which, ~_P.came).values(came=True))


def waited_for(connection: sa.Connection, tournament: str, before: float, *, by_post: bool) -> list[str]:
    """Return the tables of games that began before then, at which a player has not come. By post only those where a
    bot plays for them, because their time was up."""
    late = (_G.tournament_id == tournament) & (_G.state == "playing") & (_G.began <= before)
    query = sa.select(_G.table_id).join(s.places, _SAME).where(late, ~_P.came, ~_P.missed, _P.entrant.is_not(None))
    if by_post:
        sat = storage.seats.c
        query = query.join(storage.seats, (sat.table_id == _G.table_id) & (sat.seat == _P.seat))
        query = query.where(sat.kind == "bot")
    return list(connection.scalars(query.distinct().order_by(_G.table_id)))


def miss(connection: sa.Connection, tournament: Tournament, game: Game, seats: Iterable[int]) -> None:
    """Note that the players of these seats did not arrive in time. They get no more games, unless they join again."""
    place = (_P.tournament_id == tournament.id) & (_P.round == game.round) & (_P.board == game.board)
    late = [one.entrant for one in game.places if one.seat in set(seats)]
    connection.execute(sa.update(s.places).where(place, _P.seat.in_(list(seats))).values(missed=True))
    e = s.entrants.c
    gone = (e.tournament_id == tournament.id) & e.number.in_(late) & e.left.is_(None)
    connection.execute(sa.update(s.entrants).where(gone).values(left=game.round))


# Results -------------------------------------------------------------------------------------------
def settle(
    connection: sa.Connection, tournament: str, game: Game, results: Sequence[Result], how: How, now: float
) -> bool:
    """Store the result of a game by seat, once; return False if it has one. The house then looks at the tournament.

    The tournament's row is locked before anything that belongs to it, as in `rows`, so that no two transactions wait
    for each other."""
    sooner = sa.case((_T.due.is_(None) | (_T.due > now), now), else_=_T.due)
    noted = sa.update(s.tournaments).where(_T.id == tournament)
    connection.execute(noted.values(changes=_T.changes + 1, due=sooner))
    which = (_G.tournament_id == tournament) & (_G.round == game.round) & (_G.board == game.board)
    over = sa.update(s.games).where(which, _G.state != "over").values(state="over", how=how, done=now)
    if not connection.execute(over).rowcount:
        return False
    place = (_P.tournament_id == tournament) & (_P.round == game.round) & (_P.board == game.board)
    for seat, one in enumerate(results):
        connection.execute(sa.update(s.places).where(place, _P.seat == seat).values(one._asdict()))
    return True


def finish(connection: sa.Connection, table_id: str, outcomes: Sequence[tuple[float | None, int | None]]) -> None:
    """Store the result of a table's game that is over, if it belongs to a tournament. `outcomes` are (share, score) by
    seat; where they are not known, everyone gets an equal share."""
    found = _found(connection, (_G.table_id == table_id) & (_G.state == "playing"))
    if not found:
        return
    game, sat = found[0], storage.seats.c
    tournament = connection.scalar(sa.select(_G.tournament_id).where(_G.table_id == table_id))
    assert tournament is not None
    kinds = dict(connection.execute(sa.select(sat.seat, sat.kind).where(sat.table_id == table_id)).all())
    away = [one.entrant is not None and kinds.get(one.seat) == "bot" for one in game.places]
    at = connection.scalar(sa.select(sa.func.max(storage.steps.c.at)).where(storage.steps.c.table_id == table_id))
    known = [share for share, _ in outcomes if share is not None]
    if len(known) < len(game.places):
        settle(connection, tournament, game, [Result(1 / len(game.places))] * len(game.places), "void", at or 0.0)
        return
    shares = counted(known, away)
    results = [Result(share, score) for share, (_, score) in zip(shares, outcomes, strict=True)]
    settle(connection, tournament, game, results, "played", at or 0.0)


def counted(shares: Sequence[float], away: Sequence[bool]) -> list[float]:
    """Return the shares of the win that count for the tournament. A player who was away at the end has lost, and the
    others share the win as they did; if the bot of one who was away won, all others share it equally."""
    stayed = [0.0 if gone else share for share, gone in zip(shares, away, strict=True)]
    if not any(stayed):
        stayed = [float(not gone) for gone in away]
    total = sum(stayed)
    return [share / total for share in stayed] if total else stayed


def unsettled(connection: sa.Connection, tournament: str, before: float, most: int) -> tuple[list[str], list[Game]]:
    """Return the tables of games that were over before then and whose result is not stored, up to this many, in the
    order in which they ended; and games whose tables were closed or deleted without a result."""
    t = storage.tables.c
    playing = (_G.tournament_id == tournament) & (_G.state == "playing")
    over = sa.select(t.id).join(s.games, _G.table_id == t.id).where(playing, t.status == "over", t.touched < before)
    lost = sa.select(_G.table_id).outerjoin(storage.tables, t.id == _G.table_id)
    broken = connection.scalars(lost.where(playing, t.id.is_(None) | (t.status == "closed"))).all()
    done = list(connection.scalars(over.order_by(t.touched, t.id).limit(most)))
    return done, _found(connection, _G.table_id.in_(broken)) if broken else []


def stand(connection: sa.Connection, tournament: str) -> Stand:
    """Return what a tournament waits for."""
    e = s.entrants.c
    of = _G.tournament_id == tournament
    going = sa.select(_G.board).where(of, _G.state != "over").limit(1)
    last: float | None = connection.scalar(sa.select(sa.func.max(_G.done)).where(of))
    playing = sa.select(sa.func.min(_G.began)).join(s.places, _SAME).where(of, _G.state == "playing")
    late: float | None = connection.scalar(playing.where(~_P.came, ~_P.missed, _P.entrant.is_not(None)))
    busy = sa.select(_P.entrant).join(s.games, _SAME).where(of, _G.state != "over", _P.entrant.is_not(None))
    free = sa.select(sa.func.count()).where(e.tournament_id == tournament, e.left.is_(None), e.number.not_in(busy))
    return Stand(connection.execute(going).first() is not None, last, late, connection.scalar(free) or 0)
