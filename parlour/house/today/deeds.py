"""Today's game: committing to its seed before the day, and playing it.

Each ruleset has one game a day. It is of the fewest players that the game allows: the person has the first seat, the
others are the game's default bot, which decides by the day's seed (`bots.find`, repeatable). So the same moves give
everyone the same game.
"""

from __future__ import annotations

import contextlib
import time
from functools import partial

import msgspec

from parlour import bots
from parlour.core import fair
from parlour.core.errors import UnknownName
from parlour.core.facts import RULESET
from parlour.core.game import Game
from parlour.games import all_games, find
from parlour.house.accounts.guests import Guest
from parlour.house.database.store import Conflict
from parlour.house.errors import Busy
from parlour.house.house import House
from parlour.house.table.live.journal import setup_of
from parlour.house.table.play.seating import PACES, Body, begun, new_id, opened, room_for
from parlour.house.table.play.vacancies import free_seat
from parlour.house.table.storage.rows import SeatRow, TableRow
from parlour.house.today import rows
from parlour.house.today.rows import Day, Result

AHEAD = 1  # days before which a seed is committed to
TRIES = 3  # where other requests do the same
AGAIN = "Today’s game is being prepared. Please try again."


class TodayBody(Body, frozen=True):
    """A game, and one of its rulesets (the first by default)."""

    game: str
    ruleset: str = ""


def kinds() -> list[tuple[Game, str]]:
    """Return every ruleset that has a game each day, in a steady order."""
    return [(game, ruleset) for _, game in sorted(all_games().items()) for ruleset in game.rulesets]


def featured(day: str) -> tuple[Game, str] | None:
    """Return the ruleset that the lobby shows on a day: each has its turn. None in a house without games."""
    found = kinds()
    return found[rows.ordinal(day) % len(found)] if found else None


def bare(game: Game, ruleset: str, day: str, guest: str = "") -> TableRow:
    """Return the row of a table for a ruleset's game of a day, without its seed."""
    edition, now = game.edition(), time.time()
    return TableRow(
        id=new_id(), game=game.name, rules=game.rules.VERSION, edition=edition.name, parts=edition.parts,
        options=game.options({RULESET: ruleset} if ruleset else {}), public=False, pace=PACES["normal"],
        status="waiting", host=guest, seed="", commitment="", names=[], words=[], rematch="", created=now, touched=now,
        day=day,
    )  # fmt: skip


async def prepare(house: House, now: float) -> None:
    """Commit to the seeds of today and of the days to come, where that is still to do. Raises StoreFailed."""
    which = [rows.moved(rows.day_of(now), by) for by in range(AHEAD + 1)]
    for _ in range(TRIES):
        known = {(one.game, one.ruleset, one.day) for one in await house.store.look(partial(rows.days, which=which))}
        new = [
            _fresh(game, ruleset, day, now)
            for game, ruleset in kinds()
            for day in which
            if (game.name, ruleset, day) not in known
        ]
        if not new:
            break
        with contextlib.suppress(Conflict):  # another process was faster with one of them
            await house.store.do(partial(rows.put, some=new))


def _fresh(game: Game, ruleset: str, day: str, now: float, seed: str = "") -> Day:
    """Return a ruleset's day with a new seed, or with a new commitment to an old one."""
    seed = seed or fair.new_seed()
    row = bare(game, ruleset, day)
    return Day(game.name, ruleset, day, row.rules, seed, fair.commitment(seed, _setup(game, row)), now)


def _setup(game: Game, row: TableRow) -> fair.Setup:
    return setup_of(row, game.facts.players[0])


async def day_of(house: House, game: Game, ruleset: str, now: float) -> Day:
    """Return today's seed of a ruleset, committed to under the present rules. Normally that was done yesterday; if the
    house was not open then, or has newer rules, it is done now, and the page says so. Raises StoreFailed."""
    today = rows.day_of(now)
    look = partial(rows.day_in, game=game.name, ruleset=ruleset, day=today)
    for _ in range(TRIES):
        found = await house.store.look(look)
        row = bare(game, ruleset, today)
        if found is not None and found.commitment == fair.commitment(found.seed, _setup(game, row)):
            return found
        made = _fresh(game, ruleset, today, now, found.seed if found else "")
        with contextlib.suppress(Conflict):  # another process was faster
            await house.store.do(partial(rows.put, some=[made]))
    raise Busy(AGAIN, wait=1)


def ruleset_of(game: Game, ruleset: str) -> str:
    """Return a ruleset of a game, its first for "". Raises UnknownName."""
    if ruleset and ruleset not in game.rulesets:
        raise UnknownName(f"{game.name} has no ruleset {ruleset[:64]!r}.", allowed=game.rulesets)
    return ruleset or game.rulesets[0]


async def play(house: House, guest: Guest, body: TodayBody, now: float | None = None) -> str:
    """Return the table of a guest's game of the day: the one that they have begun, or a new one. Once that is over,
    each further one is practice, with hints. Errors: UnknownName, TooManyTables, StoreFailed."""
    now = time.time() if now is None else now
    game = find(body.game)
    ruleset = ruleset_of(game, body.ruleset)
    day = await day_of(house, game, ruleset, now)
    look = partial(rows.result_of, game=game.name, ruleset=ruleset, day=day.day, guest=guest.id)
    for _ in range(TRIES):
        mine = await house.store.look(look)
        if mine is not None and mine.done is None and mine.status == "playing":
            return mine.table_id
        with contextlib.suppress(Conflict):  # they pressed twice
            return await _made(house, guest, game, day, counts=mine is None or mine.spoilt)
    raise Busy(AGAIN, wait=1)


async def _made(house: House, guest: Guest, game: Game, day: Day, *, counts: bool) -> str:
    row = msgspec.structs.replace(
        bare(game, day.ruleset, day.day, guest.id), seed=day.seed, commitment=day.commitment, hints=not counts
    )
    level = bots.default(game)
    seats = [SeatRow(row.id, 0, "guest", guest_id=guest.id, name=guest.name)]
    seats += [free_seat(game, row.id, seat, "bot", level) for seat in range(1, game.facts.players[0])]
    row, steps = begun(row, seats)
    result = Result(game.name, day.ruleset, day.day, guest.id, row.id, row.created)
    await room_for(house, guest, row)
    await house.store.create(row, seats, steps, partial(rows.begin, result=result) if counts else None)
    await opened(house, row.id, guest)
    return row.id
