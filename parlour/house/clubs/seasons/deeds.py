"""Planning, entering, starting and leaving seasons, with the bodies of their requests. Each division plays a round
robin among its players, as a tournament of the club; `jobs` ends a season when they are over."""

from __future__ import annotations

import secrets
import time
from functools import partial
from typing import Annotated

import msgspec
import sqlalchemy as sa

from parlour.core.facts import RULESET
from parlour.house.accounts.guests import Guest
from parlour.house.clubs import rows as club_rows
from parlour.house.clubs.deeds import led
from parlour.house.clubs.seasons import leagues, rows
from parlour.house.clubs.seasons.rows import Season
from parlour.house.editions.deeds import Changes
from parlour.house.errors import BadInput, NotFound, SeatsFree, TooMany
from parlour.house.house import House
from parlour.house.table.live.tempo import Live, Tempo
from parlour.house.table.play.seating import MOST_OPTIONS, Body, new_id
from parlour.house.table.storage import upkeep
from parlour.house.tournaments import deeds as tournament_deeds
from parlour.house.tournaments import rows as tournament_rows
from parlour.house.tournaments.deeds import AHEAD, TournamentBody
from parlour.house.tournaments.rows import Tournament

SEATS = (2, leagues.FEWEST)  # of a game: the smallest division has enough players
TOO_FEW = "Too few players of this division can take part."
MOST_RUNNING = 200  # tournaments that the organiser of a season may have under way


class SeasonPlayBody(Body, frozen=True, kw_only=True):
    """What is played, as for a tournament."""

    game: str
    edition: str | None = None
    changes: Changes = msgspec.field(default_factory=dict)
    options: Annotated[dict[str, str | bool | int], msgspec.Meta(max_length=MOST_OPTIONS)] = msgspec.field(
        default_factory=dict
    )
    seats: Annotated[int, msgspec.Meta(ge=SEATS[0], le=SEATS[1])] = 2
    tempo: Tempo | Live = "usual"
    rated: bool = False


class SeasonBody(SeasonPlayBody, frozen=True, kw_only=True):
    """A new season: what is played, how many players a division usually has, how many rise and fall, and when it
    starts; without that, when an organiser starts it."""

    size: Annotated[int, msgspec.Meta(ge=leagues.FEWEST, le=leagues.MOST)] = 8
    movers: Annotated[int, msgspec.Meta(ge=1, le=leagues.MOST_MOVERS)] = 2
    starts: float | None = None


async def plan(house: House, club: str, guest: Guest, body: SeasonBody) -> str:
    """Plan a season (owner and organisers); return its id. Errors: NotFound, Forbidden, BadInput, AlreadyStarted (the
    club has a season that is not over), and those of `tournaments.deeds.create`."""
    await led(house, club, guest)
    now = time.time()
    if 2 * body.movers > body.size:
        raise BadInput(f"At most half of a division can rise or fall: {body.size // 2} of {body.size}.")
    if body.starts is not None and not now <= body.starts <= now + AHEAD:
        raise BadInput(f"A season can start at any time in the next {AHEAD / 86400:.0f} days.")
    play = {name: getattr(body, name) for name in SeasonPlayBody.__struct_fields__}
    row = await tournament_deeds.prepared(house, guest, _tournament(play), club=club)
    play |= {"options": row.options, "tempo": row.tempo}  # with the defaults, so that they stay what they are
    kept = dict(msgspec.to_builtins(play))
    season = Season(new_id(), club, 0, "planned", kept, body.size, body.movers, body.starts, now, now)
    await house.store.do(partial(rows.plan, row=season, planner=guest.id))
    return season.id


async def enter(house: House, club: str, season: str, guest: Guest) -> None:
    """Enter a planned season (members). Repeating it does no harm. Errors: NotFound, AlreadyStarted, Forbidden."""
    await of_club(house, club, season)
    await house.store.do(partial(rows.enter, season_id=season, guest=guest.id, now=time.time()))


async def withdraw(house: House, club: str, season: str, guest: Guest) -> None:
    """Leave a season: a planned one without a trace, and the division of a running one. Raises NotFound."""
    await of_club(house, club, season)
    await house.store.do(partial(rows.withdraw, season_id=season, guest=guest.id, now=time.time()))


async def cancel(house: House, club: str, season: str, guest: Guest) -> None:
    """Cancel a planned season (owner and organisers). Errors: NotFound, Forbidden, AlreadyStarted."""
    await led(house, club, guest)
    await of_club(house, club, season)
    await house.store.do(partial(rows.cancel, season_id=season, now=time.time()))


async def start(house: House, club: str, season: str, guest: Guest) -> None:
    """Start a planned season now (owner and organisers). Errors: NotFound, Forbidden, AlreadyStarted, SeatsFree (too
    few have entered), and those of `tournaments.deeds.create`."""
    await led(house, club, guest)
    await begin(house, await of_club(house, club, season), guest)


async def of_club(house: House, club: str, season: str) -> Season:
    """Return a season of this club. Raises NotFound."""
    row = await house.store.look(partial(rows.season, season=season))
    if row.club != club:
        raise NotFound("There is no such season. It may have been cancelled.")
    return row


# Starting ------------------------------------------------------------------------------------------
async def begin(house: House, season: Season, organiser: Guest) -> None:
    """Start a season: its divisions, the tournament of each, and who plays there, in one transaction. Errors: NotFound,
    AlreadyStarted, SeatsFree, and those of `tournaments.deeds.create`."""
    row = await tournament_deeds.prepared(house, organiser, _tournament(season.play), club=season.club)
    await house.store.do(partial(_begin, season_id=season.id, model=row, now=time.time()))


def _begin(connection: sa.Connection, season_id: str, model: Tournament, now: float) -> None:
    season = rows.planned(connection, season_id)
    try:
        divisions = rows.drawn(connection, season, model.game, model.options.get(RULESET, ""))
    except ValueError:
        fewest = leagues.FEWEST
        raise SeatsFree(f"A season needs {fewest} players to start. Ask more members to enter.") from None
    for guest in sorted({model.organiser, *(one for division in divisions for one in division)}):
        upkeep.take_turn(connection, guest)  # in one order, as others do this for the same people
    club, made = club_rows.club(connection, season.club).name, list[Tournament]()
    for number, division in enumerate(divisions, 1):
        name = f"{club}: season {season.number}, division {number}"[: rows.MOST_NAME]
        row = model._replace(id=new_id(), name=name, seed=secrets.token_hex(8), most=len(division))
        tournament_rows.make(connection, row, most=MOST_RUNNING)
        made.append(row)
    rows.begin(connection, season, divisions, [row.id for row in made], now)
    for row, division in zip(made, divisions, strict=True):
        for guest in division:
            _join(connection, season_id, row.id, guest, now)
        if not tournament_deeds.begin(row, now)(connection):  # too many play too much elsewhere
            tournament_rows.end(connection, row.id, "cancelled", now, TOO_FEW)


def _join(connection: sa.Connection, season_id: str, tournament: str, guest: str, now: float) -> None:
    """Enter a player into the tournament of their division. One who plays too many elsewhere leaves the season."""
    try:
        tournament_rows.join(connection, tournament, guest, now)
    except TooMany:
        rows.withdraw(connection, season_id, guest, now)


def _tournament(play: dict[str, object]) -> TournamentBody:
    return msgspec.convert({"name": "Season", "system": "round-robin", **play}, TournamentBody)


async def owner_of(house: House, club: str) -> Guest | None:
    """Return the owner of a club, for whom the house starts a season; None if the club is gone. StoreFailed."""
    members = await house.store.look(partial(club_rows.members, club=club))
    return await house.guests.guest(members[0].guest) if members else None
