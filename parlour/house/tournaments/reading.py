"""Tournaments as a guest sees them, for pages and programs: what it is, who takes part, the games, and how everyone
stands."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import msgspec
import sqlalchemy as sa

from parlour.core.facts import RULESET
from parlour.house.accounts.guests import Guest
from parlour.house.accounts.names import SOMEBODY
from parlour.house.errors import BadInput
from parlour.house.house import House
from parlour.house.table.live.tempo import in_words, tempo_of
from parlour.house.tournaments import boards, reckoning, rows
from parlour.house.tournaments.boards import Game
from parlour.house.tournaments.deeds import all_games, fewest_of
from parlour.house.tournaments.pairing.kinds import Standing
from parlour.house.tournaments.pairing.standings import BREAKS
from parlour.house.tournaments.rows import Entry, State, System, Tournament

KEPT = 32  # tournaments whose standings are kept
FRESH = 2.0  # seconds for which the standings of a tournament in progress are shown to all who ask


class TournamentView(msgspec.Struct, frozen=True):
    """A tournament for a guest. `organiser` is the account's name, "" once it is deleted. `rounds` is 0 for an
    arena, and where it depends on how many join; a list does not work it out.
    Moments are seconds since 1970; `starts_at` is null if the organiser starts it by hand. `entrants` take part now, of
    at most `most`; it starts with `fewest`. `why_not` says why no one can join any more, "" if people can. `entrant` is
    your own number, null if you are not in it; `tables` are those of your games in progress. `link` is the token that
    people need to join, shown to its organiser and to those who have joined; `needs_link` says that there is one.
    `reason` says why it was cancelled."""

    id: str
    name: str
    organiser: str
    mine: bool
    club: str | None
    game: str
    ruleset: str
    edition: str
    options: dict[str, str]
    origin: str
    seats: int
    tempo: str
    system: System
    rounds: int
    minutes: float
    through: int
    third: bool
    rated: bool
    bots: bool
    bot: str
    state: State
    created: float
    starts_at: float | None
    began: float | None
    ended: float | None
    round: int
    entrants: int
    most: int
    fewest: int
    changes: int
    needs_link: bool
    reason: str
    why_not: str = ""
    entrant: int | None = None
    link: str = ""
    tables: tuple[str, ...] = ()


class Tournaments(msgspec.Struct, frozen=True):
    """A page of tournaments, and how many there are in all."""

    total: int
    page: int
    tournaments: tuple[TournamentView, ...]


class GameSeat(msgspec.Struct, frozen=True):
    """A seat of a game: the number and name of its entrant (null and the bot's level for a bot), the share of the win
    and the score, null while they are not known. `missed`: they did not arrive in time."""

    entrant: int | None
    name: str
    share: float | None = None
    score: int | None = None
    missed: bool = False


class GameView(msgspec.Struct, frozen=True):
    """A game of a tournament. `state`: paired, playing or over; `how` it ended: played, forfeit, bye (one seat, and no
    table) or void (the house could not end it, so it counts as shared). `label`, in a knock-out: final, third, replay.
    `table` is null before it is open, and where none was needed; an old table may be gone."""

    round: int
    board: int
    table: str | None
    state: str
    how: str
    label: str
    began: float | None
    done: float | None
    seats: tuple[GameSeat, ...]


class Games(msgspec.Struct, frozen=True):
    """Games of a tournament: those of a `round`, of an entrant, or the last ones, the newest first (round null)."""

    round: int | None
    games: tuple[GameView, ...]


class StandingView(msgspec.Struct, frozen=True):
    """Where an entrant stands. `breaks` are the values of the tie-breaks, in their order; `left`: they left, or the
    organiser removed them; `mine`: it is you."""

    place: int
    entrant: int
    name: str
    points: float
    breaks: tuple[float, ...]
    games: int
    left: bool = False
    mine: bool = False


class Standings(msgspec.Struct, frozen=True):
    """How everyone stands, the best first; equals share a place. `breaks` names the tie-breaks. They were worked out
    after `changes` changes of the tournament."""

    changes: int
    breaks: tuple[str, ...]
    standings: tuple[StandingView, ...]


class Known(NamedTuple):
    """A tournament with all that belongs to it, and how everyone stands."""

    tournament: Tournament
    organiser: str
    entries: list[Entry]
    games: list[Game]
    standings: list[Standing]


# One or many ---------------------------------------------------------------------------------------
async def listed(
    house: House, guest: Guest, states: Sequence[State], *, game: str = "", mine: bool = False, club: str = "",
    page: int = 0,
) -> Tournaments:  # fmt: skip
    """Return a page of tournaments in these states, from 0: the guest's own and those they have joined, if `mine`; a
    `club`'s; or all that need no link."""
    look = partial(rows.listing, states=states, game=game, guest=guest.id if mine else "", club=club, page=page)
    total, found = await house.store.look(look)
    views = (_view(one.tournament, guest, one.organiser, one.entrants, None) for one in found)
    return Tournaments(total, page, tuple(views))


async def view(house: House, guest: Guest, tournament: str) -> TournamentView:
    """Return a tournament for a guest. Raises NotFound."""

    def look(connection: sa.Connection) -> TournamentView:
        row = rows.one(connection, tournament)
        entry = rows.entry_of(connection, tournament, guest.id)
        tables = boards.tables_of(connection, tournament, guest.id) if entry else []
        there = rows.number_in(connection, tournament)
        made = _view(row, guest, rows.organiser_of(connection, row), there, entry)
        return msgspec.structs.replace(made, tables=tuple(tables))

    found = await house.store.look(look)
    if found.system == "arena" or found.rounds or found.state == "announced":
        return found
    every = await known(house, tournament)
    count = len(reckoning.entrants_of(every.entries))
    rounds = await asyncio.to_thread(reckoning.rounds_of, every.tournament, count)
    return msgspec.structs.replace(found, rounds=rounds)


def _view(row: Tournament, guest: Guest, organiser: str, entrants: int, entry: Entry | None) -> TournamentView:
    inside, mine = entry is not None and entry.left is None, bool(guest.id) and row.organiser == guest.id
    return TournamentView(
        id=row.id, name=row.name, organiser=organiser, mine=mine, club=row.club_id, game=row.game,
        ruleset=row.options.get(RULESET, ""), edition=row.edition, options=row.options, origin=row.origin,
        seats=row.seats, tempo=in_words(tempo_of(row.tempo)), system=row.system,
        rounds=row.rounds, minutes=row.length / 60, through=row.through, third=row.third,
        rated=row.rated, bots=row.bots, bot=row.bot, state=row.state, created=row.created, starts_at=row.starts_at,
        began=row.began, ended=row.ended, round=row.round, entrants=entrants, most=row.most, fewest=fewest_of(row),
        changes=row.changes, needs_link=bool(row.token), reason=row.reason, why_not=rows.may_join(row),
        entrant=entry.number if entry is not None and inside else None,
        link=row.token if mine or inside else "",
    )  # fmt: skip


# Games ---------------------------------------------------------------------------------------------
async def games(house: House, tournament: str, *, number: int | None = None, entrant: int | None = None) -> Games:
    """Return the games of round `number`, of an entrant, or the last ones. Errors: NotFound, BadInput (no such
    round)."""

    def look(connection: sa.Connection) -> tuple[Tournament, list[Entry], list[Game]]:
        row = rows.one(connection, tournament)
        if number is not None and not 1 <= number <= row.round:
            raise BadInput(
                f"There is no round {number} yet. {row.round or 'No'} round{'s' * (row.round != 1)} "
                f"{'were' if row.round != 1 else 'was'} paired."
            )
        if entrant is not None:
            found = boards.games_of(connection, tournament, entrant)
        elif number is not None:
            found = boards.games(connection, tournament, round=number)
        else:
            found = boards.last_games(connection, tournament)
        return row, rows.entries(connection, tournament), found

    row, entries, found = await house.store.look(look)
    names = {one.number: one.name for one in entries}
    return Games(number, tuple(game_view(row, one, names) for one in found))


def game_view(row: Tournament, game: Game, names: dict[int, str]) -> GameView:
    """Return a game with the names of its entrants."""
    seats = tuple(
        GameSeat(
            one.entrant, row.bot if one.entrant is None else names.get(one.entrant, SOMEBODY), one.share, one.score,
            one.missed,
        ) for one in game.places
    )  # fmt: skip
    return GameView(
        game.round, game.board, game.table_id, game.state, game.how, game.label, game.began, game.done, seats
    )


# Standings -----------------------------------------------------------------------------------------
class _Worked(NamedTuple):
    """Standings that are worked out, or will be, and when that began."""

    changes: int
    at: float
    task: asyncio.Task[Known]


_worked: OrderedDict[str, _Worked] = OrderedDict()  # by tournament, the last asked for at the end


async def known(house: House, tournament: str) -> Known:
    """Return a tournament with all that belongs to it. While it is in progress the games and standings may be FRESH
    seconds old. Raises NotFound."""
    row = await house.store.look(partial(rows.one, tournament=tournament))
    now, before = time.monotonic(), _worked.get(tournament)
    good = before is not None and not (before.task.done() and (before.task.cancelled() or before.task.exception()))
    if before is None or not good or not (before.changes == row.changes or now - before.at < FRESH):
        task = asyncio.create_task(read(house, tournament))
        before = _worked[tournament] = _Worked(row.changes, now, task)
    _worked.move_to_end(tournament)
    if len(_worked) > KEPT:
        _worked.popitem(last=False)
    found = await asyncio.shield(before.task)

    def names(connection: sa.Connection) -> tuple[str, list[Entry]]:  # as they are now: people rename, and go
        return rows.organiser_of(connection, found.tournament), rows.entries(connection, tournament)

    organiser, entries = await house.store.look(names)
    return found._replace(organiser=organiser, entries=entries)


async def read(house: House, tournament: str) -> Known:
    """Return the same as it is now, worked out anew. Raises NotFound."""

    def look(connection: sa.Connection) -> tuple[Tournament, str, list[Entry]]:
        row = rows.one(connection, tournament)
        return row, rows.organiser_of(connection, row), rows.entries(connection, tournament)

    row, organiser, entries = await house.store.look(look)
    played = await all_games(house, tournament)
    found = await asyncio.to_thread(reckoning.standings_of, row, entries, played)
    return Known(row, organiser, entries, played, found)


async def standings(house: House, guest: Guest, tournament: str) -> Standings:
    """Return how everyone stands. Raises NotFound."""
    found = await known(house, tournament)
    entries = {one.number: one for one in found.entries}
    lines = []
    for one in found.standings:
        entry = entries[int(one.id)]
        left, mine = entry.left is not None, bool(guest.id) and entry.guest_id == guest.id
        lines.append(StandingView(one.place, entry.number, entry.name, one.points, one.breaks, one.games, left, mine))
    return Standings(found.tournament.changes, BREAKS[found.tournament.system], tuple(lines))
