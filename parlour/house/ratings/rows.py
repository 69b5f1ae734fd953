"""The ratings of people and bots in each ruleset, from rated games: plain functions of a connection, as in `queries`.
Programs and the bots that they play are rated apart, as players of other names: no game has players of both kinds.

`rated` stores who counts in which seat of a game from its start, the order in which results came, and what each led to.
`ratings` follows from that and from `outcomes`, game by game in the order of `rated.number`.
"""

from __future__ import annotations

import secrets
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

import sqlalchemy as sa

from parlour.analysis.skill import Skill, after, results, spread
from parlour.analysis.skill import points as on_scale
from parlour.core.facts import RULESET
from parlour.house.accounts import schema as accounts
from parlour.house.database import turns
from parlour.house.profiles import schema as profiles
from parlour.house.ratings import schema as s
from parlour.house.table.storage import schema as storage
from parlour.house.table.storage.rows import SeatRow, TableRow

PAGE = 50  # players on one page of the best
POINTS = 200  # games of a graph, the last ones
SURE = 4.6  # the sigma up to which a rating is no longer provisional: 17 games against known players, 29 else
DRIFT = 25.0 / 300  # the sigma that a person's strength gains with each game, as people learn; bots do not change
START = Skill()
OFTEN, DAY = 10, 86400.0  # the games of the same two people that count, in how many seconds
BOT, GONE = "bot:", "gone:"  # prefixes for players who are not guests
PROGRAM = "program:"  # before the id of an account for all its programs, and before a bot in a game that they play
_LOCK = 7275470  # the first half of the advisory lock of a ruleset


class Rating(NamedTuple):
    """A player's rating in a ruleset, after this many games."""

    game: str
    ruleset: str
    player: str
    mu: float
    sigma: float
    games: int
    sure: bool


class Standing(NamedTuple):
    """A place in the ranking. `name` is a person's, with their `guest` and the `picture` that they chose; a bot has a
    `level` instead."""

    name: str
    level: str
    mu: float
    sigma: float
    games: int
    sure: bool
    guest: str = ""
    picture: str | None = None


class Point(NamedTuple):
    """A rating after a game."""

    table_id: str
    mu: float
    sigma: float
    at: float


_R, _G = s.ratings.c, s.rated.c
_RATING = [_R[name] for name in Rating._fields]


# A game counts ------------------------------------------------------------------------------------------
def begin(connection: sa.Connection, table: TableRow, seats: Sequence[SeatRow]) -> None:
    """Note the player who counts in each seat of a rated game that begins, even if the seat changes hands later. At a
    table that allows programs no person sits (`counting.rated`)."""
    apart = PROGRAM if table.programs else ""
    kind = {"game": table.game, "ruleset": table.options.get(RULESET, "")}
    rows = [
        {"table_id": table.id, "seat": seat.seat, "player": f"{apart}{seat.guest_id or BOT + seat.bot}", **kind}
        for seat in seats
    ]
    connection.execute(sa.insert(s.rated), rows)


def is_bot(player: str) -> bool:
    """Return whether a player is a bot of the house."""
    return player.removeprefix(PROGRAM).startswith(BOT)


def said(players: Sequence[str], shares: Sequence[float], away: Sequence[bool]) -> Iterator[tuple[str, str, bool]]:
    """Return a rated game's results of two players at a time, as `skill.results`. A player who was away at the end has
    lost; and if the bot in their seat won, they have lost to all who had stayed."""
    stayed = [share if not gone else 0.0 for share, gone in zip(shares, away, strict=True)]
    if not any(stayed):
        stayed = [float(not gone) for gone in away]
        return ((one, other, won) for one, other, won in results(players, stayed) if won)
    return results(players, stayed)


def grown(player: str, skill: Skill) -> Skill:
    """Return a player's rating with the added uncertainty of another game since the last."""
    if is_bot(player):
        return skill
    return Skill(skill.mu, min(START.sigma, (skill.sigma**2 + DRIFT**2) ** 0.5))


def count(connection: sa.Connection, table_id: str, shares: Sequence[float | None], now: float) -> None:
    """Count a finished game: if it is rated and was not counted, store its effect on its players' ratings."""
    mine = (_G.table_id == table_id) & _G.number.is_(None)
    first = connection.execute(sa.select(_G.game, _G.ruleset).where(mine).limit(1)).first()
    if first is None:
        return
    game, ruleset = first
    turns.take(connection, _LOCK, f"{game}:{ruleset}")  # one at a time counts games of a ruleset: their order is one
    rows = connection.execute(
        sa.select(_G.seat, _G.player, storage.seats.c.kind)
        .join(storage.seats, (storage.seats.c.table_id == _G.table_id) & (storage.seats.c.seat == _G.seat))
        .where(mine).order_by(_G.seat).with_for_update(of=s.rated)
    ).all()  # fmt: skip
    players = [row.player for row in rows]
    away = [row.kind == "bot" and not is_bot(row.player) for row in rows]
    known = [share for share in shares if share is not None]
    found = list(said(players, known, away)) if len(known) == len(players) else []
    counts = bool(found) and not _too_often(connection, game, ruleset, players, now)
    number = _next(connection, game, ruleset) if counts else 0
    ladder = (_R.game == game) & (_R.ruleset == ruleset)
    query = sa.select(*_RATING).where(ladder, _R.player.in_(players))
    before = {row.player: Rating(*row) for row in connection.execute(query)}
    skills = {one: Skill(before[one].mu, before[one].sigma) if one in before else START for one in players}
    if counts:
        skills = after({one: grown(one, skill) for one, skill in skills.items()}, iter(found))
        for one, skill in skills.items():
            games = before[one].games + 1 if one in before else 1
            values = {"mu": skill.mu, "sigma": skill.sigma, "games": games, "sure": skill.sigma <= SURE}
            if one in before:
                connection.execute(sa.update(s.ratings).where(ladder, _R.player == one).values(values))
            else:
                connection.execute(sa.insert(s.ratings).values(game=game, ruleset=ruleset, player=one, **values))
    for row, gone in zip(rows, away, strict=True):
        skill = skills[row.player]
        values = {"number": number, "away": gone, "mu": skill.mu, "sigma": skill.sigma, "at": now}
        connection.execute(sa.update(s.rated).where(_G.table_id == table_id, _G.seat == row.seat).values(values))


def _next(connection: sa.Connection, game: str, ruleset: str) -> int:
    last = connection.scalar(sa.select(sa.func.max(_G.number)).where(_G.game == game, _G.ruleset == ruleset))
    return int(last or 0) + 1


def _too_often(connection: sa.Connection, game: str, ruleset: str, players: Sequence[str], now: float) -> bool:
    """Return whether two of these people have already played the most games with each other that count in a day."""
    people = {player for player in players if not is_bot(player)}
    they = s.rated.alias("they")
    for player in sorted(people):
        met: dict[str, set[str]] = defaultdict(set)
        query = sa.select(they.c.player, _G.table_id).join(they, they.c.table_id == _G.table_id)
        lately = sa.and_(_G.player == player, _G.game == game, _G.ruleset == ruleset, _G.number > 0, _G.at > now - DAY)
        for other, table in connection.execute(query.where(lately, they.c.player.in_(people - {player}))):
            met[other].add(table)
        if any(len(tables) >= OFTEN for tables in met.values()):
            return True
    return False


def pending(connection: sa.Connection, most: int) -> list[str]:
    """Return finished rated games that are not counted, in the order of their ends, up to this many."""
    t = storage.tables.c
    query = sa.select(t.id).join(s.rated, _G.table_id == t.id).where(_G.number.is_(None), _G.seat == 0)
    return list(connection.scalars(query.where(t.status == "over").order_by(t.touched, t.id).limit(most)))


def part(connection: sa.Connection, guest: str) -> None:
    """Remove a person's name: their games' effects on others stay, under a random name; so do those of their
    programs."""
    gone = f"{GONE}{secrets.token_hex(16)}"
    for player, name in ((guest, gone), (f"{PROGRAM}{guest}", f"{PROGRAM}{gone}")):
        connection.execute(sa.update(s.rated).where(_G.player == player).values(player=name))
        connection.execute(sa.update(s.ratings).where(_R.player == player).values(player=name))


# Queries ------------------------------------------------------------------------------------------------
def of(connection: sa.Connection, player: str) -> list[Rating]:
    """Return a player's ratings, the most played first."""
    query = sa.select(*_RATING).where(_R.player == player).order_by(_R.games.desc(), _R.game, _R.ruleset)
    return [Rating(*row) for row in connection.execute(query)]


def exported(connection: sa.Connection, guest: str) -> dict[str, object]:
    """Return the ratings of a person and of their programs, for their export."""
    return {"ratings": _told(of(connection, guest)), "program_ratings": _told(of(connection, f"{PROGRAM}{guest}"))}


def _told(found: Sequence[Rating]) -> list[dict[str, object]]:
    return [
        {
            "game": one.game, "ruleset": one.ruleset, "rating": on_scale(one.mu),
            "sigma": spread(one.sigma), "games": one.games,
            "provisional": not one.sure,
        } for one in found
    ]  # fmt: skip


def of_bots(connection: sa.Connection, levels: Collection[str]) -> list[Rating]:
    """Return the ratings of bots of these levels, in all games."""
    players = sorted(f"{BOT}{level}" for level in levels)
    query = sa.select(*_RATING).where(_R.player.in_(players)).order_by(_R.game, _R.ruleset, _R.player)
    return [Rating(*row) for row in connection.execute(query)]


def bots_in(connection: sa.Connection, game: str, ruleset: str) -> list[Rating]:
    """Return the ratings of bots in the rated games that people played with them, the best first."""
    query = sa.select(*_RATING).where(_R.game == game, _R.ruleset == ruleset, _R.player.startswith(BOT))
    return [Rating(*row) for row in connection.execute(query.order_by(_R.mu.desc(), _R.player))]


def points(connection: sa.Connection, player: str, game: str, ruleset: str) -> list[Point]:
    """Return the ratings after each of the last games."""
    query = sa.select(_G.table_id, _G.mu, _G.sigma, _G.at).where(
        _G.player == player, _G.game == game, _G.ruleset == ruleset, _G.number > 0
    )
    rows = connection.execute(query.order_by(_G.number.desc(), _G.seat).limit(POINTS))
    return [Point(*row) for row in rows][::-1]


def moved(connection: sa.Connection, table_id: str) -> tuple[tuple[float, float], ...]:
    """Return each seat's rating before and after a game; nothing if it was not counted, or doesn't count."""
    earlier = s.rated.alias("earlier")
    before = (
        sa.select(earlier.c.mu)
        .where(earlier.c.player == _G.player, earlier.c.game == _G.game, earlier.c.ruleset == _G.ruleset)
        .where(earlier.c.number > 0, earlier.c.number < _G.number)
        .order_by(earlier.c.number.desc(), earlier.c.seat).limit(1).correlate(s.rated).scalar_subquery()
    )  # fmt: skip
    query = sa.select(before, _G.mu).where(_G.table_id == table_id, _G.number > 0).order_by(_G.seat)
    return tuple((START.mu if was is None else was, now) for was, now in connection.execute(query))


def best(
    connection: sa.Connection, game: str, ruleset: str, page: int, *, programs: bool = False
) -> tuple[int, list[Standing]]:
    """Return the number of rated people, and a page of them, from 0: the best first, provisional ratings after all
    others. `programs`: of those rated apart, named as the accounts that they play for, with the bots that they play."""
    apart = PROGRAM if programs else ""
    person = accounts.people.c.id == _R.player
    if programs:
        person = accounts.people.c.id == sa.func.substr(_R.player, len(PROGRAM) + 1)  # by the index of people
    ids = accounts.people.c.id
    listed = (
        s.ratings.outerjoin(accounts.people, person)
        .outerjoin(accounts.guests, accounts.guests.c.id == ids)
        .outerjoin(profiles.pictures, profiles.pictures.c.guest_id == ids)
    )
    there = _R.player.startswith(apart) & accounts.people.c.id.is_not(None)
    if programs:
        there |= _R.player.startswith(f"{apart}{BOT}")
    which = sa.and_(_R.game == game, _R.ruleset == ruleset, there)
    total = connection.scalar(sa.select(sa.func.count()).select_from(listed).where(which)) or 0
    columns = accounts.guests.c.name, _R.player, _R.mu, _R.sigma, _R.games, _R.sure
    query = sa.select(*columns, sa.func.coalesce(ids, ""), profiles.pictures.c.picture).select_from(listed).where(which)
    rows = connection.execute(
        query.order_by(_R.sure.desc(), _R.mu.desc(), _R.player).limit(PAGE).offset(page * PAGE)
    ).all()
    return total, [
        Standing(name or "", "" if name else player.removeprefix(apart).removeprefix(BOT), *rest)
        for name, player, *rest in rows
    ]
