"""All data of a person in one ZIP: finished games as records, the rest as JSON.

The ZIP is written while it is sent, game by game. About games in progress it contains only what everyone sees in the
lobby: who plays what, in which seat.
"""

from __future__ import annotations

import asyncio
import time
import zipfile
from collections.abc import AsyncGenerator, Callable, Sequence
from functools import partial
from itertools import count

import msgspec
import sqlalchemy as sa

from parlour.core.errors import ParlourError
from parlour.house.accounts import rows
from parlour.house.accounts.guests import Guest
from parlour.house.accounts.passkeys import rows as passkey_rows
from parlour.house.accounts.tokens import rows as token_rows
from parlour.house.admin import rows as admin_rows
from parlour.house.clubs import rows as club_rows
from parlour.house.clubs.calendars import rows as calendar_rows
from parlour.house.clubs.seasons import rows as season_rows
from parlour.house.database.exporting import when
from parlour.house.errors import Busy
from parlour.house.house import House
from parlour.house.invitations import rows as invitation_rows
from parlour.house.notify import rows as notify_rows
from parlour.house.playtests import rows as playtest_rows
from parlour.house.profiles import rows as profile_rows
from parlour.house.puzzles import rows as puzzle_rows
from parlour.house.ratings import accuracies, results
from parlour.house.ratings import rows as rating_rows
from parlour.house.ratings.results import PAGE, Played, Wanted
from parlour.house.social import rows as social_rows
from parlour.house.table.live.journal import kept_record
from parlour.house.table.live.sealed import sealed
from parlour.house.table.storage import belongings, timekeeping
from parlour.house.table.storage.rows import Snapshot
from parlour.house.today import rows as today_rows
from parlour.house.tournaments import rows as tournament_rows

Exported = Callable[[sa.Connection, str], dict[str, object]]  # takes a guest's id
TOGETHER = 2  # exports under way in a process
README = """This is all the data that the house has about you.

me.json   your name, your sessions, your passkeys (without their keys), your tokens (without what programs send), your
          notifications, all your games, your messages, the people you muted, blocked and reported, your open
          invitations, your results in games of the day, your tournaments, your playtests and what was noted of you
          in those of others, your picture, moments and achievements, your clubs and seasons, and any
          bans
games/    your finished games, each as a record: `parlour replay FILE`, `parlour verify FILE`
closed/   games that ended early, without a result, as records

Games in progress have no record yet, because it would reveal what is hidden.
"""


class _Sink:
    """The bytes written since the last call, for a ZIP that is sent as it grows."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._parts.append(bytes(data))
        return len(data)

    def flush(self) -> None: ...

    def take(self) -> bytes:
        found, self._parts = b"".join(self._parts), []
        return found


class Exports:
    """The exports of a process, limited in number."""

    def __init__(self) -> None:
        self._under_way = asyncio.Semaphore(TOGETHER)

    def begin(self, house: House, guest: Guest) -> AsyncGenerator[bytes, None]:
        """Yield the ZIP piece by piece. Raises Busy."""
        if self._under_way.locked():
            raise Busy("Others are downloading their data right now. Please try again in a minute.", wait=60)
        return self._make(house, guest)

    async def _make(self, house: House, guest: Guest) -> AsyncGenerator[bytes, None]:
        async with self._under_way:
            sink = _Sink()
            pack = zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED)  # type: ignore[call-overload] # it is only written to
            games = [game async for game in _games(house, guest)]
            about = msgspec.json.format(msgspec.json.encode(await _about(house, guest, games)), indent=1)
            for name, data in (("README.txt", README.encode()), ("me.json", about)):
                await asyncio.to_thread(pack.writestr, name, data)
                yield sink.take()
            for game in games:
                if (path := _path(game)) is None:
                    continue
                try:
                    kept = await house.store.load(game.id)
                except ParlourError:  # deleted meanwhile
                    continue
                await asyncio.to_thread(lambda at, one: pack.writestr(at, _record(one)), path, kept)
                yield sink.take()
            await asyncio.to_thread(pack.close)
            yield sink.take()


async def _games(house: House, guest: Guest) -> AsyncGenerator[Played, None]:
    for page in count():
        _, found = await house.store.look(partial(results.games, wanted=Wanted(guest.id), page=page))
        for game in found:
            yield game
        if len(found) < PAGE:
            return


def _path(game: Played) -> str | None:
    """Return where a game's record is in the ZIP, None for a game in progress."""
    folder = {"over": "games", "closed": "closed"}.get(game.status)
    return folder and f"{folder}/{game.game}-{game.id}.txt"


def _record(kept: Snapshot) -> str:
    """Return a record as text; without its seed while others play the same game today."""
    return kept_record(kept, reveal=not sealed(kept.table)).to_text()


async def _about(house: House, guest: Guest, games: list[Played]) -> dict[str, object]:
    first, last = [await house.store.look(partial(_stored, guest=guest.id, parts=parts)) for parts in (FIRST, LAST)]
    return {
        "name": guest.name if guest.named else None,
        "claimed": guest.claimed,
        "prefers": dict(guest.preferences),
        "written": when(time.time()),
        **first,
        "games": [
            {
                "table": game.id, "game": game.game, "ruleset": game.ruleset, "status": game.status,
                "listed": game.public, "last changed": when(game.touched), "names": game.names, "seat": game.seat + 1,
                "result": game.result, "record": _path(game),
            } for game in games
        ],
        **last,
    }  # fmt: skip


def _stored(connection: sa.Connection, guest: str, parts: Sequence[Exported]) -> dict[str, object]:
    """Return what some subjects store of a guest."""
    found: dict[str, object] = {}
    for part in parts:
        found |= part(connection, guest)
    return found


FIRST: tuple[Exported, ...] = (rows.exported, passkey_rows.exported, token_rows.exported, notify_rows.exported)
LAST: tuple[Exported, ...] = (
    rating_rows.exported, today_rows.exported, puzzle_rows.exported, tournament_rows.exported, timekeeping.exported,
    accuracies.exported, belongings.exported, social_rows.exported, invitation_rows.exported, playtest_rows.exported,
    profile_rows.exported, club_rows.exported, season_rows.exported, calendar_rows.exported,
    admin_rows.exported,
)  # fmt: skip
