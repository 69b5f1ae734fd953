"""Working out what players achieved in finished games, in a thread: when the result is first shown, or later when a
page about a player needs it. It follows from the record alone, so doing it again changes nothing."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from functools import partial

from parlour.core.achieving import Achieved, achieved, mark
from parlour.core.errors import ParlourError
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.replay import replay
from parlour.games import all_games, find
from parlour.house.database.store import Conflict, Store
from parlour.house.errors import UnknownTable
from parlour.house.profiles import rows
from parlour.house.table.live.journal import kept_record, standing
from parlour.house.table.live.table import Table
from parlour.house.table.storage.rows import LESSON, Snapshot, TableRow

log = logging.getLogger(__name__)


def marks() -> dict[str, str]:
    """Return the mark of each game's list of achievements."""
    return {name: mark(game) for name, game in all_games().items()}


async def keep(store: Store, table: Table) -> tuple[tuple[int, str], ...]:
    """Store what was achieved in a finished game, unless it is stored; return what its players achieved for the first
    time, by seat and key. Nothing if the database refuses: then it is worked out later."""
    if not counts(table.row, table.game) or table.match is None:
        return ()
    with contextlib.suppress(Conflict, ParlourError):
        if not await store.look(partial(rows.is_judged, table_id=table.id, mark=mark(table.game))):
            found = await asyncio.to_thread(_found, table.match, table.history.standing())
            await store.do(partial(rows.keep, table_id=table.id, mark=mark(table.game), found=found))
        return tuple(await store.look(partial(rows.firsts, table_id=table.id)))
    return ()


async def work_out(store: Store, guest: str, most: int) -> bool:
    """Work out what was achieved in some of a guest's games of which that is not known, and return whether more are
    left. Raises StoreFailed."""
    known = marks()
    missing = await store.look(partial(rows.unjudged, guest=guest, marks=known, most=most + 1))
    for table_id in missing[:most]:
        try:
            kept = await store.load(table_id)
        except UnknownTable:  # deleted meanwhile
            continue
        found = await asyncio.to_thread(_again, kept)
        with contextlib.suppress(Conflict):  # another process did the same
            await store.do(partial(rows.keep, table_id=table_id, mark=known[kept.table.game], found=found))
    return len(missing) > most


def counts(row: TableRow, game: Game) -> bool:
    """Return whether something can be achieved in a game: one from its first step on, with the numbers of one of the
    game's own editions, and no lesson or playtest."""
    own = game.editions.get(row.edition)
    usual = own is not None and own.parts == row.parts
    return bool(mark(game)) and usual and not row.given and not row.playtest and row.origin != LESSON


def _again(kept: Snapshot) -> tuple[Achieved, ...]:
    """Return what was achieved in a stored game; nothing if it can't be replayed because its rules are gone."""
    try:
        match = replay(kept_record(kept), find)
    except ParlourError:
        return ()
    places = [row.idx for row in standing(kept.steps)]
    return _found(match, places) if match.over and counts(kept.table, match.game) else ()


def _found(match: Match, places: list[int]) -> tuple[Achieved, ...]:
    """Return what was achieved, by how many entries the journal had then. A fault in a game's own code loses its
    achievements, and nothing else."""
    try:
        found = achieved(match.game, match.history())
    except Exception:  # a game's own code may raise anything
        log.exception("Could not work out what was achieved in a game of %s", match.game.name)
        return ()
    return tuple(one._replace(steps=places[one.steps - 1] + 1) for one in found)
