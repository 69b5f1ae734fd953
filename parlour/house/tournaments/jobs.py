"""What the house does for tournaments unasked: it starts them, pairs rounds, opens tables, decides games to which a
player does not arrive, and ends them.

A tournament says when it is due. One of several processes takes it for a few seconds, longer as it continues
(`boards`). Each step is a transaction that is done once, so if that process dies, another finds what is left to do.
Pairing runs in a worker process, unless it is quick; positions are set up in a thread.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import NamedTuple

import sqlalchemy as sa

from parlour.core.errors import BadSetup, ParlourError
from parlour.house.database.store import Conflict
from parlour.house.errors import UnknownTable
from parlour.house.house import House
from parlour.house.notify import outbox
from parlour.house.ratings.outcomes import keep_again
from parlour.house.social import rows as social_rows
from parlour.house.table.live.table import Table
from parlour.house.table.live.tempo import tempo_of
from parlour.house.table.play import absence
from parlour.house.table.storage import queries
from parlour.house.table.storage.change import Change
from parlour.house.table.storage.rows import FORFEIT, PERSON, SeatRow, StepRow, TableRow
from parlour.house.tournaments import boards, reckoning, rows
from parlour.house.tournaments.boards import Game, Result
from parlour.house.tournaments.deeds import BOT, Seated, all_games, begin, table_of
from parlour.house.tournaments.rows import Entry, Tournament
from parlour.house.workers.queue import insist

log = logging.getLogger(__name__)
BEAT = 1.0  # seconds between two looks
AT_ONCE = 8  # tournaments that a process sees to at the same time; then it takes no others
WAIT = 120.0  # seconds in which the players of a live game must come to it
BREAK = 20.0  # seconds between two live rounds, for players who have just finished
WAVE = 3.0  # seconds between two pairings of an arena
LOST = 5.0  # seconds between two beats of a process after which it was not running: the machine slept
LOOK, SLOW_LOOK = 10.0, 60.0  # seconds after which a tournament is looked at in any case, live and by post
SETTLED = 3.0  # seconds after which a finished game's result is worked out, if no process has done so
FEW = 16  # entrants up to whom a thread pairs what is quick; a worker process pairs all else
TOO_FEW = "Too few people had joined when it was to start."
NOT_STARTED = "Its organiser did not start it in time."
PIECE = 10  # tables opened in one transaction: what a process loses of its work when it dies


class Made(NamedTuple):
    """A game and its new table."""

    game: Game
    row: TableRow
    seats: list[SeatRow]
    steps: list[StepRow]


async def hold_tournaments(house: House) -> None:
    """See to the tournaments that are due, beat after beat, until the house closes. One that takes long delays no
    other."""
    busy: list[asyncio.Task[None]] = []
    since = last = time.time()
    while True:
        await asyncio.sleep(BEAT)
        busy, now = [one for one in busy if not one.done()], time.time()
        since, last = since if now - last < LOST else now, now
        try:
            if len(busy) < AT_ONCE:
                busy += [house.soon(_take(house, one, now, since)) for one in await _due(house, now)]
        except (ParlourError, Conflict) as error:
            log.warning("Could not look at the tournaments: %s", error)
        except Exception:
            log.exception("Could not look at the tournaments. Trying again.")


async def beat(house: House, now: float) -> int:
    """See to the tournaments that are due; return how many that were. Raises StoreFailed."""
    taken = await _due(house, now)
    await asyncio.gather(*(_take(house, one, now) for one in taken))
    return len(taken)


async def _due(house: House, now: float) -> list[Tournament]:
    """Take some of the tournaments that are due, if any. Raises StoreFailed."""
    if not await house.store.ask(partial(boards.is_due, now=now)):
        return []
    return await house.store.do(partial(boards.lease, now=now))


async def _take(house: House, taken: Tournament, now: float, since: float = 0.0) -> None:
    """See to one tournament that this process has taken, which has run `since` then. A failure there delays no
    other."""
    due: float | None = now + LOOK
    try:
        async with _kept(house, taken.id):
            due = await see_to(house, taken.id, now, since)
    except (ParlourError, Conflict) as error:
        log.warning("Tournament %s cannot continue: %s", taken.id, error)
    except Exception:
        log.exception("Tournament %s could not continue. Trying again.", taken.id)
    with contextlib.suppress(ParlourError, Conflict):  # else it is due again when the lease ends
        await house.store.do(partial(boards.release, taken=taken, due=due))


@asynccontextmanager
async def _kept(house: House, tournament: str) -> AsyncIterator[None]:
    """Keep a tournament that this process has taken until the block ends."""

    done = asyncio.Event()

    async def again() -> None:
        while not done.is_set():
            try:
                await asyncio.wait_for(done.wait(), boards.LEASE / 2)
            except TimeoutError:
                with contextlib.suppress(ParlourError, Conflict):
                    await house.store.do(partial(boards.keep, tournament=tournament, now=time.time()))

    keeping = asyncio.create_task(again())
    try:
        yield
    finally:
        done.set()
        await keeping


async def see_to(house: House, tournament: str, now: float, since: float = 0.0) -> float | None:
    """Do what a tournament waits for; return when it is due again, None if it has ended. `since`: when this process
    began to run, as no one can come while it does not. Errors: StoreFailed, NoAnswer (pairing failed)."""
    row = await house.store.look(partial(rows.one, tournament=tournament))
    if row.state == "announced":
        return await _start(house, row, now)
    if row.state != "running":
        return None
    by_post = _by_post(row)
    await _open(house, row)
    if by_post or now - since >= WAIT:
        await _decide(house, row, now, by_post=by_post)
    await _settle(house, row, now)
    row = await house.store.look(partial(rows.one, tournament=tournament))
    if row.state != "running":
        return None
    return await _go_on(house, row, now, by_post=by_post)


def _by_post(row: Tournament) -> bool:
    tempo = tempo_of(row.tempo)
    return tempo is not None and tempo.slow


# Starting and pairing ------------------------------------------------------------------------------
async def _start(house: House, row: Tournament, now: float) -> float | None:
    """Start a tournament, or remind its players if it starts soon. Cancel it if too few have joined, or its organiser
    has not started it in time."""
    if row.starts_at is not None and row.starts_at > now:
        if row.starts_at - rows.SOON > now:
            return row.starts_at - rows.SOON
        await house.store.do(partial(rows.remind, tournament=row.id, now=now))
        return row.starts_at
    if row.starts_at is None or not await house.store.do(begin(row, now)):
        reason = NOT_STARTED if row.starts_at is None else TOO_FEW
        await house.store.do(partial(rows.end, tournament=row.id, state="cancelled", now=now, reason=reason))
        return None
    return now


async def _go_on(house: House, row: Tournament, now: float, *, by_post: bool) -> float | None:
    """Pair what can be paired now, or end the tournament; return when it is due again."""
    stand = await house.store.look(partial(boards.stand, tournament=row.id))
    look = now + (SLOW_LOOK if by_post else LOOK)
    due = look if stand.late is None or by_post else min(look, stand.late + WAIT)
    if row.system == "arena":
        if now < (row.began or now) + row.length:
            enough = stand.free >= (1 if row.bots else row.seats)
            return now if enough and await _pair(house, row, now) else min(due, now + WAVE)
    elif not stand.open:
        if stand.last is not None and not by_post and now < stand.last + BREAK:
            return stand.last + BREAK
        if await _pair(house, row, now):
            return now
    if stand.open:
        return due
    await house.store.do(partial(rows.end, tournament=row.id, state="over", now=now))
    return None


async def _pair(house: House, row: Tournament, now: float) -> bool:
    """Pair what can be paired now; return whether there was anything. Raises NoAnswer."""
    entries = await house.store.look(partial(rows.entries, tournament=row.id))
    guests = [one.guest_id for one in entries if one.left is None]
    apart = await house.store.look(partial(social_rows.pairs_apart, guests=guests, until=row.began))
    games = await all_games(house, row.id)
    asked = await asyncio.to_thread(reckoning.asked, row, entries, games, apart, now, WAVE)
    if len(asked.entrants) <= FEW and asked.form.seats == 2 and asked.form.system != "swiss":
        found = await asyncio.to_thread(reckoning.next_games, asked)
    else:
        found = await insist(house.workers, "the pairings of a tournament", reckoning.next_games, asked)
    if not found.games:
        return False
    store = boards.add if found.again else boards.pair
    made = [game._replace(done=now) if game.state == "over" else game for game in found.games]
    return await house.store.do(partial(store, tournament=row.id, number=found.round, some=made, now=now))


# Opening tables ------------------------------------------------------------------------------------
async def _open(house: House, row: Tournament) -> None:
    """Open the tables of games that were paired, piece by piece. Raises StoreFailed."""
    while some := await house.store.look(partial(boards.paired, tournament=row.id, most=PIECE)):
        numbers = {one.entrant for game in some for one in game.places if one.entrant is not None}
        entries = await house.store.look(partial(rows.entries, tournament=row.id, numbers=numbers))
        here = {one.number: one for one in entries if one.left is None}
        ready = [game for game in some if not _is_decided(game, here)]
        made = await asyncio.to_thread(_made, row, ready, here)
        done = {(one.game.round, one.game.board) for one in made}
        rest = [game for game in some if (game.round, game.board) not in done]
        await house.store.do(partial(_opened, tournament=row.id, made=made, rest=rest, here=here, now=time.time()))
        for one in made:
            await house.learn(one.row.id)
            if any(seat.kind == "bot" for seat in one.seats):
                async with house.hold(one.row.id) as table:
                    house.announce(table)  # a bot may begin


def _is_decided(game: Game, here: Mapping[int, Entry]) -> bool:
    """Return whether a game needs no table, because its players have left the tournament since it was paired."""
    there = [one for one in game.places if one.entrant is None or one.entrant in here]
    return len(there) < 2 or all(one.entrant is None for one in there)


def _made(row: Tournament, games: Sequence[Game], here: Mapping[int, Entry]) -> list[Made]:
    """Return the tables of some games; none if they can't begin under the present rules. A bot sits where a player has
    left."""
    made = []
    for game in games:
        who = [None if one.entrant is None else here.get(one.entrant) for one in game.places]
        seated = [BOT if one is None else Seated(one.guest_id, one.name) for one in who]
        try:
            made.append(Made(game, *table_of(row, seated)))
        except (BadSetup, ParlourError) as error:
            log.error("A game of tournament %s can't begin: %s", row.id, error)
    return made


def _opened(
    connection: sa.Connection, tournament: str, made: Sequence[Made], rest: Sequence[Game], here: Mapping[int, Entry],
    now: float,
) -> None:  # fmt: skip
    """Store new tables with their games, and the results of those that need none."""
    row = rows.hold(connection, tournament)  # its pages lead to the tables
    for one in made:
        if boards.opened(connection, tournament, one.game, one.row.id, now):
            queries.create(connection, one.row, one.seats, one.steps)
            guests = [seat.guest_id for seat in one.seats if seat.kind in PERSON]
            outbox.note(connection, "paired", one.row.id, guests, now, at=1)
    for game in rest:
        if _is_decided(game, here):
            _forfeit(connection, row, game, [one.seat for one in game.places if one.entrant not in here], now)
        else:
            equal = [Result(1 / len(game.places))] * len(game.places)
            boards.settle(connection, tournament, game, equal, "void", now)


# Players who do not arrive ---------------------------------------------------------------------------------
async def _decide(house: House, row: Tournament, now: float, *, by_post: bool) -> None:
    """See to the games to which a player did not arrive in time."""
    before = now if by_post else now - WAIT
    late = partial(boards.waited_for, tournament=row.id, before=before, by_post=by_post)
    for table_id in await house.store.look(late):
        try:
            await _without(house, row, table_id, now, by_post=by_post)
        except (Conflict, UnknownTable):
            continue  # someone moved, or it is gone: looked at again
        except ParlourError as error:
            log.warning("Table %s of a tournament could not be decided: %s", table_id, error)


async def _without(house: House, row: Tournament, table_id: str, now: float, *, by_post: bool) -> None:
    """Decide a game without the players who did not arrive; where at least two others play, bots take their seats."""
    async with house.hold(table_id) as table:
        if table.over or table.closed:
            return
        async with house.change(table) as change:
            found = await change.connection.run_sync(partial(boards.tournament_at, table_id=table_id))
            if found is None or found[1].state != "playing":
                return
            game = found[1]
            late = [
                one.seat
                for one in game.places
                if one.entrant is not None
                and not (one.came or one.missed)
                and not (by_post and change.seats[one.seat].kind in PERSON)
            ]
            ended = bool(late) and await _go_without(change, table, (row, game), late, now)
        if ended:
            house.forget(table)  # open pages reconnect, and see it closed


async def _go_without(
    change: Change, table: Table, what: tuple[Tournament, Game], late: Sequence[int], now: float
) -> bool:
    """Return whether that ended the game."""
    row, game = what
    others = [one for one in game.places if one.seat not in late and not one.missed]
    if len(others) < 2 or all(one.entrant is None for one in others):
        work = partial(_forfeit, tournament=row, game=game, late=late, now=now)
        await change.connection.run_sync(work)
        await change.set(status="closed", ended=FORFEIT, touched=now, began=0.0, used=0.0, due=None, turn="")
        await change.note_over()
        return True
    await change.connection.run_sync(partial(boards.miss, tournament=row, game=game, seats=late))
    if seats := [seat for seat in late if change.seats[seat].kind in PERSON]:
        await absence.step_out(change, table, seats, "gone", now)
        await change.set(touched=now)
    return False


def _forfeit(connection: sa.Connection, tournament: Tournament, game: Game, late: Sequence[int], now: float) -> None:
    """Store the result of a game that is decided without the players who did not arrive: all others share the win."""
    here = [one.seat for one in game.places if one.seat not in late and not one.missed]
    results = [Result(1 / len(here) if seat in here else 0.0) for seat in range(len(game.places))]
    boards.settle(connection, tournament.id, game, results, "forfeit", now)
    boards.miss(connection, tournament, game, late)


# Results -------------------------------------------------------------------------------------------
async def _settle(house: House, row: Tournament, now: float) -> None:
    """Store some results of games that are over, which a process did not do before it died; the others follow at the
    next look. A game whose table was closed or deleted counts as shared. Raises StoreFailed."""
    look = partial(boards.unsettled, tournament=row.id, before=now - SETTLED, most=PIECE)
    done, broken = await house.store.look(look)
    for game in broken:
        equal = [Result(1 / len(game.places))] * len(game.places)
        work = partial(boards.settle, tournament=row.id, game=game, results=equal, how="void", now=now)
        await house.store.do(work)
    await keep_again(house.store, done)
