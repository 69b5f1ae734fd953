"""What people do with tournaments, with the bodies of their requests. `tournaments.jobs` has what the house does."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Sequence
from functools import partial
from typing import Annotated, NamedTuple

import msgspec

from parlour import bots
from parlour.bots.offered import Offered
from parlour.core.errors import BadSetup, UnknownName
from parlour.core.game import Game
from parlour.games import find
from parlour.house.accounts.guests import Guest, clean_name
from parlour.house.clubs import rows as club_rows
from parlour.house.database.connections import Work
from parlour.house.editions.deeds import Changes, chosen
from parlour.house.errors import BadInput, BadLink, Forbidden, NotClaimed, NotFound, SeatsFree
from parlour.house.house import House
from parlour.house.ratings import counting
from parlour.house.table.live.journal import committed
from parlour.house.table.live.tempo import Live, Tempo, tempo_for
from parlour.house.table.play.onward import given_at
from parlour.house.table.play.seating import MOST_OPTIONS, PACES, Body, begun, new_id
from parlour.house.table.play.vacancies import free_seat
from parlour.house.table.storage.rows import SeatRow, StepRow, TableRow
from parlour.house.tournaments import boards, rows
from parlour.house.tournaments.pairing.kinds import MOST_AT_LARGER, MOST_OF_TWO, SEATS
from parlour.house.tournaments.reckoning import form_of, rounds_of
from parlour.house.tournaments.rows import MOST_ENTRANTS, MOST_ORGANISED, Entry, System, Tournament

ROUNDS = (1, 20)  # of a Swiss tournament
LENGTH = (5.0, 30 * 1440.0)  # minutes of an arena
AHEAD = 60 * 86400.0  # seconds from now on in which a tournament can start; then the house cancels it
READ = 300  # games that are read in one transaction
MOST_SIMULTANEOUS = 100  # entrants, as the bot plays all of them at once

Token = Annotated[str, msgspec.Meta(max_length=64)]
EntrantNumber = Annotated[int, msgspec.Meta(ge=1, le=2**31)]


class PositionBody(Body, frozen=True):
    """A position: the table of a finished game, and a step of its replay."""

    table: Annotated[str, msgspec.Meta(max_length=16)]
    step: Annotated[int, msgspec.Meta(ge=0, le=2**31)]


class TournamentBody(Body, frozen=True):
    """A new tournament. What is played is said as for a table; with `position`, every game begins there, with the game,
    edition and options of its table."""

    name: Annotated[str, msgspec.Meta(max_length=200)]
    system: System
    game: str = ""
    edition: str | None = None
    changes: Changes = msgspec.field(default_factory=dict)
    options: Annotated[dict[str, str | bool | int], msgspec.Meta(max_length=MOST_OPTIONS)] = msgspec.field(
        default_factory=dict
    )
    position: PositionBody | None = None
    seats: Annotated[int, msgspec.Meta(ge=SEATS[0], le=SEATS[1])] = 2
    tempo: Tempo | Live = "usual"  # every tournament has clocks, so that every game ends
    rounds: Annotated[int, msgspec.Meta(ge=ROUNDS[0], le=ROUNDS[1])] | None = None  # of a Swiss tournament
    minutes: Annotated[float, msgspec.Meta(ge=LENGTH[0], le=LENGTH[1])] | None = None  # of an arena
    through: Annotated[int, msgspec.Meta(ge=1, le=2)] | None = None  # how many of a knock-out table advance; one
    third: bool = False  # a knock-out of tables of two has a game for third place
    starts_at: float | None = None  # seconds since 1970; None: when the organiser starts it
    link: bool = False  # only people who have its link can join, and lists don't show it
    rated: bool = False
    bots: bool = False  # fill missing seats, so that there are no byes
    bot: str = ""  # the level of bots; the game's default by default
    most: Annotated[int, msgspec.Meta(ge=2, le=MOST_ENTRANTS)] | None = None  # entrants


class EnterBody(Body, frozen=True):
    """The token of the link, for a tournament that needs one."""

    token: Token = ""


class EntrantBody(Body, frozen=True):
    """The number of the entrant to remove."""

    entrant: EntrantNumber


class What(NamedTuple):
    """What is played: the game, the edition's name and parts, the options, the given actions and where they are
    from."""

    game: Game
    edition: str
    parts: dict[str, object]
    options: dict[str, str]
    given: list[int]
    origin: str


# Of organisers -------------------------------------------------------------------------------------
async def create(
    house: House, guest: Guest, body: TournamentBody, *, club: str | None = None, most: int = MOST_ORGANISED
) -> Tournament:
    """Announce a tournament, or one of a `club`, whose members alone may join; `most` is how many its organiser may
    have under way. Errors: UnknownName, BadSetup (BadParts names each wrong value), BadInput, NotClaimed, TooMany; for
    a position those of `onward.given_at`."""
    row = await prepared(house, guest, body, club=club)
    await house.store.do(partial(rows.make, row=row, most=most))
    return row


async def prepared(house: House, guest: Guest, body: TournamentBody, *, club: str | None = None) -> Tournament:
    """Return a tournament that could be announced, without storing it. Errors as for `create`, except TooMany."""
    must_have_account(guest)
    row = (await _row(house, guest, body))._replace(club_id=club)
    await asyncio.to_thread(must_be_playable, row)
    return row


async def _row(house: House, guest: Guest, body: TournamentBody) -> Tournament:
    what, now = await _what(house, guest, body), time.time()
    game = what.game
    level = body.bot or bots.default(game)
    if level not in bots.names(game):
        raise UnknownName(f"There is no bot {level[:64]!r} for {game.text.TITLE}.", allowed=bots.names(game))
    if body.system != "swiss" and body.rounds is not None:
        raise BadInput("Only a Swiss tournament has a number of rounds of your choice.", allowed=["swiss"])
    if body.system != "arena" and body.minutes is not None:
        raise BadInput("Only an arena has a length in minutes.", allowed=["arena"])
    if body.system != "knock-out" and (body.through is not None or body.third):
        raise BadInput(
            "Only a knock-out lets players of a table advance, and only it has a game for third place.",
            allowed=["knock-out"],
        )
    if body.starts_at is not None and not now - 60 <= body.starts_at <= now + AHEAD:
        raise BadInput(f"A tournament can start at any time in the next {AHEAD / 86400:.0f} days.")
    of_all = MOST_OF_TWO if body.seats == 2 else MOST_AT_LARGER  # as each meets all others
    most = {"round-robin": of_all, "simultaneous": MOST_SIMULTANEOUS}.get(body.system, MOST_ENTRANTS)
    if body.most is not None and body.most > most:
        raise BadInput(f"A tournament of this system can have at most {most} players.")
    return Tournament(
        id=new_id(), name=clean_name(body.name), organiser=guest.id, club_id=None,
        token=secrets.token_urlsafe(9) if body.link else "", game=game.name, edition=what.edition, parts=what.parts,
        options=what.options, given=what.given, origin=what.origin, seats=body.seats,
        tempo=tempo_for(game, body.tempo),
        system=body.system, rounds=body.rounds or 0,
        length=60 * (body.minutes or 60) if body.system == "arena" else 0.0, through=body.through or 1,
        third=body.third, rated=body.rated,
        bots=body.bots or body.system == "simultaneous", bot=level, most=min(body.most or most, most),
        seed=secrets.token_hex(8), state="announced", created=now, starts_at=body.starts_at,
        due=now + AHEAD if body.starts_at is None else body.starts_at - rows.SOON,
    )  # fmt: skip


async def _what(house: House, guest: Guest, body: TournamentBody) -> What:
    """Return what is played. Errors: those of `editions.chosen` and `onward.given_at`, BadInput, BadSetup."""
    if body.position is None:
        game = find(body.game)
        edition = chosen(game, body.edition, body.changes)
        return What(game, edition.name, edition.parts, game.options(body.options), [], "")
    if body.game or body.edition or body.changes or body.options:
        raise BadInput("A position says what is played, so leave out the game, the edition, changes and options.")
    table, eyes = await house.look(body.position.table, guest.id)
    given = given_at(table, eyes, body.position.step)
    if len(table.seats) != body.seats:
        seats = str(len(table.seats))
        raise BadSetup(f"This position is from a game with {seats} players.", allowed=[seats])
    origin = f"{table.id}/replay?step={body.position.step}"
    return What(table.game, table.row.edition, table.row.parts, table.row.options, given, origin)


async def start(house: House, guest: Guest, tournament: str) -> None:
    """Start an announced tournament now (organiser only). Repeating it does no harm. Errors: NotFound, Forbidden,
    AlreadyStarted, SeatsFree (too few have joined)."""
    found = await organised(house, guest, tournament)
    fewest = fewest_of(found)
    if not await house.store.do(begin(found, time.time())):
        raise SeatsFree(f"This tournament needs at least {fewest} player{'s' * (fewest > 1)} to start.")


async def cancel(house: House, guest: Guest, tournament: str) -> None:
    """Cancel a tournament (organiser only). Games in progress continue at their tables. Repeating it does no harm.
    Errors: NotFound, Forbidden."""
    await organised(house, guest, tournament)
    end = partial(rows.end, tournament=tournament, state="cancelled", reason="Its organiser cancelled it.")
    await house.store.do(partial(end, now=time.time()))


async def remove(house: House, guest: Guest, tournament: str, body: EntrantBody) -> None:
    """Remove an entrant for good (organiser only). A game that they play continues. Errors: NotFound, Forbidden."""
    await organised(house, guest, tournament)
    found = await house.store.look(partial(rows.entries, tournament=tournament, numbers={body.entrant}))
    if not found:
        raise NotFound(f"No one in this tournament has the number {body.entrant}.")
    await house.store.do(partial(rows.leave, tournament=tournament, guest=found[0].guest_id, removed=True))


async def organised(house: House, guest: Guest, tournament: str) -> Tournament:
    """Return a tournament that a guest organises. Errors: NotFound, Forbidden."""
    found = await house.store.look(partial(rows.one, tournament=tournament))
    if found.organiser != guest.id or not guest.id:
        raise Forbidden("Only the organiser of the tournament can do this.")
    return found


def begin(tournament: Tournament, now: float) -> Work[bool]:
    """Return what starts a tournament, if enough have joined (`rows.begin`)."""
    rounds = partial(rounds_of, tournament)
    return partial(rows.begin, tournament=tournament.id, fewest=fewest_of(tournament), rounds=rounds, now=now)


def fewest_of(tournament: Tournament) -> int:
    """Return the number of entrants with whom a tournament can start."""
    if tournament.system == "simultaneous":
        return 1
    return 2 if tournament.bots else tournament.seats


# Of players ----------------------------------------------------------------------------------------
async def join(house: House, guest: Guest, tournament: str, body: EnterBody) -> Entry:
    """Enter a tournament, or come back after leaving; return the entry. Errors: NotFound, NotClaimed, BadLink,
    Forbidden (removed; not a member of its club), AlreadyStarted, TooMany."""
    must_have_account(guest)
    found = await house.store.look(partial(rows.one, tournament=tournament))
    regard = await house.regards.of(guest.id)
    mine = await house.store.look(partial(rows.entry_of, tournament=tournament, guest=guest.id))
    member = await house.store.look(partial(club_rows.role, club=found.club_id or "", guest=guest.id)) != ""
    if mine is None and found.club_id is not None and not member:
        raise Forbidden("Only members of its club can join this tournament.")
    shut = found.organiser in regard.shut  # which looks like a tournament that needs a link
    if mine is None and (shut or (found.token and not member and body.token != found.token)):
        raise BadLink("You need the link of this tournament to join it. Ask the organiser.")
    return await house.store.do(partial(rows.join, tournament=tournament, guest=guest.id, now=time.time()))


async def leave(house: House, guest: Guest, tournament: str) -> bool:
    """Leave a tournament; return whether the guest was in it. A game that they play continues: without them a bot plays
    when their time is up, and they have lost. Raises NotFound."""
    return await house.store.do(partial(rows.leave, tournament=tournament, guest=guest.id))


def must_have_account(guest: Guest) -> None:
    """Raise NotClaimed for a guest without an account, and for a program."""
    if not guest.claimed or guest.program:
        raise NotClaimed("You need an account to take part in tournaments. Create one under You (/me).")


# All of it -----------------------------------------------------------------------------------------
async def all_games(house: House, tournament: str) -> list[boards.Game]:
    """Return all games of a tournament, read some hundreds at a time, so that no other request waits for long."""
    spans: list[tuple[int, int]] = []
    count = 0
    for number, games in await house.store.look(partial(boards.sizes, tournament=tournament)):
        if spans and count + games <= READ:
            spans[-1], count = (spans[-1][0], number), count + games
        else:
            spans.append((number, number))
            count = games
    found: list[boards.Game] = []
    for first, last in spans:
        found += await house.store.look(partial(boards.games_between, tournament=tournament, first=first, last=last))
    return found


# Their tables --------------------------------------------------------------------------------------
class Seated(NamedTuple):
    """The player of a seat at a new table: a guest and their name, or a bot."""

    guest: str = ""
    name: str = ""


BOT = Seated()


def table_of(
    tournament: Tournament, seated: Sequence[Seated], offers: Sequence[Offered] = ()
) -> tuple[TableRow, list[SeatRow], list[StepRow]]:
    """Return a new table at which a game of a tournament begins, with these players. It has no host. Raises BadSetup
    (BadParts), including when it can't be rated."""
    game, now, table_id = find(tournament.game), time.time(), new_id()
    row = TableRow(
        id=table_id, game=game.name, rules=game.rules.VERSION, edition=tournament.edition, parts=tournament.parts,
        options=tournament.options, public=not tournament.token and tournament.club_id is None, pace=PACES["normal"],
        status="waiting", host="", seed="", commitment="", names=[], words=[], rematch="", created=now, touched=now,
        tempo=tournament.tempo, given=len(tournament.given), origin=tournament.origin, tournament=tournament.id,
    )  # fmt: skip
    seats = [
        SeatRow(table_id, seat, "guest", guest_id=one.guest, name=one.name)
        if one.guest
        else free_seat(game, table_id, seat, "bot", tournament.bot, offers)
        for seat, one in enumerate(seated)
    ]
    if tournament.rated:
        row = counting.rated(row, game, seats)
    row, steps = begun(committed(row, len(seats)), seats, tournament.given)
    return row, seats, steps


def must_be_playable(tournament: Tournament) -> None:
    """Raise BadInput for a form of tournaments that there isn't, BadSetup (BadParts) if games could not begin."""
    form_of(tournament)
    table_of(tournament, [Seated("guest", f"Player {seat + 1}") for seat in range(tournament.seats)])
