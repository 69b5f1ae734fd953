"""Playtests, who agreed to notes, and the notes: plain functions of a connection, as in `queries`."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import sqlalchemy as sa

from parlour.house.analysis import schema as analysis
from parlour.house.database.exporting import when
from parlour.house.errors import NotFound, NotSeated, TooMany
from parlour.house.playtests import schema as s
from parlour.house.table.storage import schema as storage
from parlour.house.table.storage import upkeep

MOST = 20  # playtests of one designer
MOST_TABLES = 50  # of one playtest, which its page reads; its link opens no more
MOST_PLAYERS = 200  # who agreed, of one playtest
MOST_NOTES = 200  # of one player at one table
MOST_LINES = 500  # of chat that a page or an export has
KEPT = 400 * 86400.0  # seconds after which a playtest is deleted
UNUSED = 30 * 86400.0  # and after which one is that has no table: anyone may make them
TRIED = 5  # waiting tables at which a friend is seated, before another is opened
TITLE = "Playtest"  # what an edition is called at tables of a playtest that compares two

Kind = Literal["refused", "opened"]


class Playtest(NamedTuple):
    """What a designer tries out. `open`: its link opens further tables."""

    id: str
    token: str
    guest: str
    name: str
    game: str
    options: dict[str, str]
    seats: int
    created: float
    open: bool = True


class Tally(NamedTuple):
    """A playtest with numbers of it: its tables, those that are over, the players who agreed to notes, its editions."""

    playtest: Playtest
    tables: int
    over: int
    players: int
    editions: int


class EditionRow(NamedTuple):
    """One of its editions: the game's edition, the changes as they were written, and all values."""

    arm: str
    edition: str
    changes: str
    parts: dict[str, object]


class PlayerRow(NamedTuple):
    """A guest who agreed that we take notes, the number that replaces their name, and since when."""

    guest: str
    number: int
    agreed: float


class Note(NamedTuple):
    """A player was refused something that a clause forbids, or opened the clause."""

    table: str
    number: int
    kind: Kind
    clause: str
    at: float


class Answers(NamedTuple):
    """A player's answers after a game: from 1 to 5 how much fun and how clear, from 1 to 3 too short or too long and
    whether again, and free words."""

    table: str
    number: int
    fun: int
    clear: int
    length: int
    again: int
    words: str
    at: float


class Said(NamedTuple):
    """A message that a player sent at a table."""

    table: str
    number: int
    text: str
    at: float


class Opened(NamedTuple):
    """A table of a playtest: which edition is played, and its status."""

    id: str
    arm: str
    status: str


class Stand(NamedTuple):
    """What a guest's page at a table of a playtest has to ask."""

    id: str
    agreed: bool
    answered: bool


class Found(NamedTuple):
    """All that was noted in a playtest."""

    players: list[PlayerRow]
    notes: list[Note]
    answers: list[Answers]
    said: list[Said]


_P, _PLAYER, _NOTE, _ANSWER = s.playtests.c, s.players.c, s.notes.c, s.answers.c
_T, _SAT = storage.tables.c, storage.seats.c
_PLAYTEST = [_P[name] for name in ("id", "token", "guest_id", *Playtest._fields[3:])]


# What a designer makes -----------------------------------------------------------------------------
def make(connection: sa.Connection, row: Playtest, editions: Sequence[EditionRow]) -> None:
    """Store a playtest. Raises TooMany."""
    upkeep.take_turn(connection, row.guest)
    have = connection.scalar(sa.select(sa.func.count()).where(_P.guest_id == row.guest)) or 0
    if have >= MOST:
        raise TooMany(f"You already have {MOST} playtests, which is the limit. Delete one first.")
    values = row._asdict()
    values["guest_id"] = values.pop("guest")
    connection.execute(sa.insert(s.playtests).values(values))
    connection.execute(sa.insert(s.editions), [{"playtest_id": row.id, **one._asdict()} for one in editions])


def playtest(connection: sa.Connection, *, playtest: str = "", token: str = "") -> Playtest:
    """Return a playtest by its id or by the token of its link. Raises NotFound."""
    which = _P.id == playtest if playtest else _P.token == token
    found = connection.execute(sa.select(*_PLAYTEST).where(which)).first()
    if found is None:
        raise NotFound("There is no such playtest. It may have been deleted.")
    return Playtest(*found)


def of_designer(connection: sa.Connection, guest: str) -> list[Tally]:
    """Return a designer's playtests with their numbers, the newest first."""
    which = (
        _T.playtest == _P.id, (_T.playtest == _P.id) & (_T.status == "over"),
        _PLAYER.playtest_id == _P.id, s.editions.c.playtest_id == _P.id,
    )  # fmt: skip
    numbers = [sa.select(sa.func.count()).where(one).scalar_subquery() for one in which]
    query = sa.select(*_PLAYTEST, *numbers).where(_P.guest_id == guest).order_by(_P.created.desc(), _P.id)
    known = len(_PLAYTEST)
    return [Tally(Playtest(*row[:known]), *row[known:]) for row in connection.execute(query)]


def editions(connection: sa.Connection, playtest: str) -> list[EditionRow]:
    """Return its editions, A first."""
    c = s.editions.c
    query = sa.select(*[c[name] for name in EditionRow._fields]).where(c.playtest_id == playtest).order_by(c.arm)
    return [EditionRow(*row) for row in connection.execute(query)]


def trial(connection: sa.Connection, playtest: str, rules: int, way: str) -> object:
    """Return what bots did in its editions, as `keep_trial` stored it, None without that."""
    c = s.bots.c
    return connection.scalar(sa.select(c.found).where(c.playtest_id == playtest, c.rules == rules, c.way == way))


def keep_trial(connection: sa.Connection, playtest: str, rules: int, way: str, found: object) -> None:
    """Store what bots did in its editions, in place of what they did before. Raises IntegrityError if it is gone."""
    connection.execute(sa.delete(s.bots).where(s.bots.c.playtest_id == playtest))
    row = {"playtest_id": playtest, "rules": rules, "way": way, "found": found}
    connection.execute(sa.insert(s.bots).values(row))


def set_open(connection: sa.Connection, playtest: str, *, on: bool) -> None:
    """Let its link open further tables, or no longer."""
    connection.execute(sa.update(s.playtests).where(_P.id == playtest).values(open=on))


def delete(connection: sa.Connection, which: sa.ColumnElement[bool]) -> list[str]:
    """Delete playtests with all notes; return the ids of their tables, which stay as ordinary ones."""
    some = sa.select(_P.id).where(which)
    freed = sa.update(storage.tables).where(_T.playtest != "", _T.playtest.in_(some))
    tables = list(connection.scalars(freed.values(playtest="", arm="", changes=_T.changes + 1).returning(_T.id)))
    connection.execute(sa.delete(s.playtests).where(which))
    return tables


def delete_one(connection: sa.Connection, playtest: str) -> list[str]:
    """Delete a playtest, as `delete`."""
    return delete(connection, _P.id == playtest)


def clear(connection: sa.Connection, now: float) -> None:
    """Delete old playtests, and those without a table earlier."""
    used = sa.exists().where(_T.playtest == _P.id).correlate(s.playtests)
    old = (_P.created < now - KEPT) | ((_P.created < now - UNUSED) & ~used)
    if connection.scalar(sa.select(_P.id).where(old).limit(1)) is not None:
        delete(connection, old)


# Its tables ----------------------------------------------------------------------------------------
def tables(connection: sa.Connection, playtest: str) -> tuple[int, list[Opened]]:
    """Return how many tables it has, and the first MOST_TABLES."""
    query = sa.select(_T.id, _T.arm, _T.status).where(_T.playtest == playtest).order_by(_T.created, _T.id)
    found = [Opened(*row) for row in connection.execute(query)]
    return len(found), found[:MOST_TABLES]


def must_have_room(connection: sa.Connection, playtest: str) -> None:
    """Raise TooMany if a playtest has too many tables, with the one that this transaction has stored; NotFound if it is
    gone. Until the end of the transaction it gets no other."""
    if _locked(connection, playtest) is None:
        raise NotFound("There is no such playtest. It may have been deleted.")
    if tables(connection, playtest)[0] > MOST_TABLES:
        raise TooMany(f"This playtest has {MOST_TABLES} tables, which is the limit.")


def next_arm(connection: sa.Connection, playtest: str) -> tuple[EditionRow, int]:
    """Return the edition that the fewest of its tables have, and of how many."""
    played = Counter(connection.scalars(sa.select(_T.arm).where(_T.playtest == playtest)))
    arms = editions(connection, playtest)
    return min(arms, key=lambda one: (played[one.arm], one.arm)), len(arms)


def waiting(connection: sa.Connection, playtest: str, guest: str) -> list[str]:
    """Return waiting tables of a playtest, that of the guest first, then those that wait longest."""
    mine = sa.exists().where(_SAT.table_id == _T.id, _SAT.guest_id == guest)
    free = sa.exists().where(_SAT.table_id == _T.id, _SAT.kind == "open")
    query = sa.select(_T.id).where(_T.playtest == playtest, _T.status == "waiting", free | mine)
    return list(connection.scalars(query.order_by(mine.desc(), _T.created, _T.id).limit(TRIED)))


def judged(connection: sa.Connection, playtest: str, way: str) -> list[tuple[str, bool]]:
    """Return the finished tables at which a player who agreed sat, of the first MOST_TABLES, and whether the house has
    an analysis of this `way` of each."""
    c = analysis.analyses.c
    has = sa.exists().where(c.table_id == _T.id, c.rules == _T.rules, c.way == way)
    sat = sa.exists().where(_SAT.table_id == _T.id, _SAT.guest_id == _PLAYER.guest_id, _PLAYER.playtest_id == playtest)
    query = sa.select(_T.id, _T.status, has, sat).where(_T.playtest == playtest).order_by(_T.created, _T.id)
    first = connection.execute(query.limit(MOST_TABLES))
    return [(table, bool(done)) for table, status, done, agreed in first if status == "over" and agreed]


# Consent -------------------------------------------------------------------------------------------
def agree(connection: sa.Connection, playtest: str, guest: str) -> None:
    """Note that a guest agreed to notes, and give them a number, unless they did before. Errors: NotFound, TooMany."""
    given = _locked(connection, playtest)
    if given is None:
        raise NotFound("There is no such playtest. It may have been deleted.")
    if number_of(connection, playtest, guest):
        return
    have = connection.scalar(sa.select(sa.func.count()).where(_PLAYER.playtest_id == playtest)) or 0
    if have >= MOST_PLAYERS:
        raise TooMany(f"{MOST_PLAYERS} players take part already, which is the limit. You can play without notes.")
    connection.execute(sa.update(s.playtests).where(_P.id == playtest).values(players=given + 1))
    values = {"playtest_id": playtest, "guest_id": guest, "number": given + 1, "agreed": time.time()}
    connection.execute(sa.insert(s.players).values(values))


def _locked(connection: sa.Connection, playtest: str) -> int | None:
    """Let others who change what belongs to a playtest wait; return how many numbers it has given, None if it is
    gone."""
    given: int | None = connection.scalar(sa.select(_P.players).where(_P.id == playtest).with_for_update())
    return given


def sits(connection: sa.Connection, playtest: str, guest: str) -> bool:
    """Return whether a guest has a seat at one of its tables."""
    query = sa.select(_T.id).join(storage.seats, _SAT.table_id == _T.id)
    return connection.execute(query.where(_T.playtest == playtest, _SAT.guest_id == guest).limit(1)).first() is not None


def agree_seated(connection: sa.Connection, playtest: str, guest: str) -> None:
    """Do as `agree`, for a guest who plays there. Errors: those, NotSeated."""
    if not sits(connection, playtest, guest):
        raise NotSeated("You don't play at a table of this playtest.")
    agree(connection, playtest, guest)


def withdraw(connection: sa.Connection, playtest: str, guest: str) -> None:
    """Delete all that was noted of a guest, and their consent."""
    number = number_of(connection, playtest, guest, hold=True)
    for column, at in ((_NOTE.number, _NOTE.playtest_id), (_ANSWER.number, _ANSWER.playtest_id)):
        connection.execute(sa.delete(column.table).where(at == playtest, column == number))
    connection.execute(sa.delete(s.players).where(_PLAYER.playtest_id == playtest, _PLAYER.guest_id == guest))


def number_of(connection: sa.Connection, playtest: str, guest: str, *, hold: bool = False) -> int:
    """Return the number of a guest who agreed, 0 for others. `hold`: until the end of this transaction no other changes
    what is noted of them; SQLite has one writer anyway."""
    query = sa.select(_PLAYER.number).where(_PLAYER.playtest_id == playtest, _PLAYER.guest_id == guest)
    return connection.scalar(query.with_for_update() if hold else query) or 0


def stand(connection: sa.Connection, playtest: str, table: str, guest: str) -> Stand:
    """Return whether a guest agreed, and answered the questions after the game at this table."""
    number = number_of(connection, playtest, guest)
    mine = sa.select(_ANSWER.number).where(_ANSWER.table_id == table, _ANSWER.number == number)
    return Stand(playtest, number > 0, number > 0 and connection.scalar(mine) is not None)


def taking_part(connection: sa.Connection, guest: str) -> list[tuple[Playtest, float]]:
    """Return the playtests to whose notes a guest agreed, and since when."""
    query = sa.select(*_PLAYTEST, _PLAYER.agreed).join(s.players, _PLAYER.playtest_id == _P.id)
    query = query.where(_PLAYER.guest_id == guest).order_by(_PLAYER.agreed.desc(), _P.id)
    return [(Playtest(*row), agreed) for *row, agreed in connection.execute(query)]


# Notes ---------------------------------------------------------------------------------------------
def note(connection: sa.Connection, playtest: str, guest: str, row: Note) -> bool:
    """Store a note of a guest who agreed; return whether it was stored: nothing of others, and at most MOST_NOTES."""
    number = number_of(connection, playtest, guest, hold=True)
    mine = sa.select(sa.func.count()).where(_NOTE.table_id == row.table, _NOTE.number == number)
    if not number or (connection.scalar(mine) or 0) >= MOST_NOTES:
        return False
    values = row._asdict() | {"number": number, "playtest_id": playtest}
    values["table_id"] = values.pop("table")
    connection.execute(sa.insert(s.notes).values(values))
    return True


def answer(connection: sa.Connection, playtest: str, guest: str, row: Answers) -> bool:
    """Store a guest's answers in place of earlier ones; return whether they were stored, as `note`."""
    _locked(connection, playtest)
    if not (number := number_of(connection, playtest, guest)):
        return False
    connection.execute(sa.delete(s.answers).where(_ANSWER.table_id == row.table, _ANSWER.number == number))
    values = row._asdict() | {"number": number, "playtest_id": playtest}
    values["table_id"] = values.pop("table")
    connection.execute(sa.insert(s.answers).values(values))
    return True


def found(connection: sa.Connection, playtest: str) -> Found:
    """Return all that was noted in a playtest: of guests who agreed, and since they did."""
    c = storage.chat.c
    query = sa.select(_PLAYER.guest_id, _PLAYER.number, _PLAYER.agreed).where(_PLAYER.playtest_id == playtest)
    players = [PlayerRow(*row) for row in connection.execute(query.order_by(_PLAYER.number))]
    noted = sa.select(*[_NOTE["table_id" if name == "table" else name] for name in Note._fields])
    notes = connection.execute(noted.where(_NOTE.playtest_id == playtest).order_by(_NOTE.id))
    given = sa.select(*[_ANSWER["table_id" if name == "table" else name] for name in Answers._fields])
    answers = connection.execute(given.where(_ANSWER.playtest_id == playtest).order_by(_ANSWER.at, _ANSWER.number))
    said = sa.select(c.table_id, _PLAYER.number, c.text, c.at).join(storage.tables, _T.id == c.table_id)
    said = said.join(s.players, (_PLAYER.playtest_id == _T.playtest) & (_PLAYER.guest_id == c.guest_id))
    said = said.where(_T.playtest == playtest, c.at >= _PLAYER.agreed).order_by(c.id.desc()).limit(MOST_LINES)
    return Found(
        players,
        [Note(*row) for row in notes],
        [Answers(*row) for row in answers],
        [Said(*row) for row in connection.execute(said)][::-1],
    )


# What is theirs ------------------------------------------------------------------------------------
def exported(connection: sa.Connection, guest: str) -> dict[str, object]:
    """Return a guest's playtests, and what was noted of them in those of others, for their export."""
    return {
        "playtests": [
            {"name": one.name, "game": one.game, "made": when(one.created), "tables": number}
            for one, number, *_ in of_designer(connection, guest)
        ],
        "noted in playtests": [
            {"game": one.game, "since": when(agreed), **_noted(connection, one.id, guest)}
            for one, agreed in taking_part(connection, guest)
        ],
    }


def _noted(connection: sa.Connection, playtest: str, guest: str) -> Mapping[str, object]:
    number, all_of_it = number_of(connection, playtest, guest), found(connection, playtest)
    return {
        "number": number,
        "notes": [
            {"table": one.table, "what": one.kind, "clause": one.clause, "when": when(one.at)}
            for one in all_of_it.notes
            if one.number == number
        ],
        "answers": [
            {name: value for name, value in one._asdict().items() if name not in ("number", "at")}
            for one in all_of_it.answers
            if one.number == number
        ],
    }


def hand_on(connection: sa.Connection, guest: str, person: str) -> None:
    """Move a guest's playtests and consents to a person's account. Where both agreed, the person's number counts."""
    connection.execute(sa.update(s.playtests).where(_P.guest_id == guest).values(guest_id=person))
    for playtest, number in connection.execute(
        sa.select(_PLAYER.playtest_id, _PLAYER.number).where(_PLAYER.guest_id == guest)
    ).all():
        mine = (_PLAYER.playtest_id == playtest) & (_PLAYER.guest_id == guest)
        if not (theirs := number_of(connection, playtest, person)):
            connection.execute(sa.update(s.players).where(mine).values(guest_id=person))
            continue
        same = sa.select(_ANSWER.table_id).where(_ANSWER.playtest_id == playtest, _ANSWER.number == theirs)
        old = (_ANSWER.playtest_id == playtest) & (_ANSWER.number == number)
        connection.execute(sa.delete(s.answers).where(old, _ANSWER.table_id.in_(same)))
        connection.execute(sa.update(s.answers).where(old).values(number=theirs))
        noted = (_NOTE.playtest_id == playtest) & (_NOTE.number == number)
        connection.execute(sa.update(s.notes).where(noted).values(number=theirs))
        connection.execute(sa.delete(s.players).where(mine))


def part(connection: sa.Connection, guest: str) -> list[str]:
    """Delete a guest's playtests, and all that was noted of them in others; return the ids of the tables of the
    former."""
    for playtest, _ in taking_part(connection, guest):
        withdraw(connection, playtest.id, guest)
    return delete(connection, _P.guest_id == guest)
