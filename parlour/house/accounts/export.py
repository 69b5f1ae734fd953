"""All data of a person in one ZIP: finished games as records, the rest as JSON.

The ZIP is written while it is sent, game by game. About games in progress it contains only what everyone sees in the
lobby: who plays what, in which seat.
"""

from __future__ import annotations

import asyncio
import time
import zipfile
from collections.abc import AsyncGenerator
from functools import partial
from itertools import count

import msgspec

from parlour.core.errors import ParlourError
from parlour.house.accounts import rows
from parlour.house.accounts.guests import Guest, default_name
from parlour.house.accounts.passkeys import rows as passkey_rows
from parlour.house.admin import rows as admin_rows
from parlour.house.errors import Busy
from parlour.house.house import House
from parlour.house.notify import channels, quiet
from parlour.house.ratings import accuracies, results
from parlour.house.ratings import rows as rating_rows
from parlour.house.ratings.results import PAGE, Played, Wanted
from parlour.house.social import rows as social_rows
from parlour.house.table.live.journal import kept_record
from parlour.house.table.storage import timekeeping

TOGETHER = 2  # exports under way in a process
README = """This is all the data that the house has about you.

me.json   your name, your sessions, your passkeys (without their keys), your notifications, all your games, your
          messages, the people you muted, blocked and reported, and any bans
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
        self._going = 0

    def begin(self, house: House, guest: Guest) -> AsyncGenerator[bytes, None]:
        """Yield the ZIP piece by piece. Raises Busy."""
        if self._going >= TOGETHER:
            raise Busy("Others are downloading their data right now. Please try again in a minute.", wait=60)
        return self._make(house, guest)

    async def _make(self, house: House, guest: Guest) -> AsyncGenerator[bytes, None]:
        self._going += 1
        try:
            sink = _Sink()
            pack = zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED)  # type: ignore[call-overload] # it is only written to
            games = [game async for game in _games(house, guest)]
            told = msgspec.json.format(msgspec.json.encode(await _about(house, guest, games)), indent=1)
            for name, data in (("README.txt", README.encode()), ("me.json", told)):
                await asyncio.to_thread(pack.writestr, name, data)
                yield sink.take()
            for game in games:
                if (path := _path(game)) is None:
                    continue
                try:
                    kept = await house.store.load(game.id)
                except ParlourError:  # deleted meanwhile
                    continue
                await asyncio.to_thread(lambda at, one: pack.writestr(at, kept_record(one).to_text()), path, kept)
                yield sink.take()
            await asyncio.to_thread(pack.close)
            yield sink.take()
        finally:
            self._going -= 1


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


async def _about(house: House, guest: Guest, games: list[Played]) -> dict[str, object]:
    sessions = await house.store.look(partial(rows.sessions_of, guest=guest.id))
    keys = await house.store.look(partial(passkey_rows.of, guest=guest.id))
    told = await house.store.look(partial(channels.channels_of, guest=guest.id))
    hours = await house.store.look(partial(quiet.of, guest=guest.id))
    said = await house.store.look(partial(rows.said, guest=guest.id))
    marked = await house.store.look(partial(social_rows.marks, guest=guest.id))
    reported = await house.store.look(partial(social_rows.reported_by, guest=guest.id))
    kept = await house.store.look(partial(social_rows.kept_of, guest=guest.id))
    _, bans = await house.store.look(partial(admin_rows.bans, page=0, guest=guest.id))
    rated = await house.store.look(partial(rating_rows.of, player=guest.id))
    judged = await house.store.look(partial(accuracies.of, wanted=Wanted(guest.id)))
    rests = await house.store.look(partial(timekeeping.holidays, guest=guest.id))
    return {
        "name": guest.name if guest.named else None,
        "claimed": guest.claimed,
        "prefers": dict(guest.preferences),
        "written": _when(time.time()),
        "signed in": [
            {"browser": one.browser, "since": _when(one.created), "seen": _when(one.seen)} for one in sessions
        ],
        "passkeys": [
            {
                "made with": one.browser, "for": one.host, "since": _when(one.created),
                "used": None if one.used is None else _when(one.used),
            } for one in keys
        ],
        "told": [
            {
                "by": one.kind, "where": one.name if one.kind == "push" else one.address, "since": _when(one.created),
                "confirmed": one.good,
                "of": [kind for kind in ("turn", "game", "invitation", "answers", "chat") if getattr(one, kind)],
            } for one in told
        ],
        "quiet hours": hours._asdict(),
        "games": [
            {
                "table": game.id, "game": game.game, "ruleset": game.ruleset, "status": game.status,
                "listed": game.public, "last changed": _when(game.touched), "names": game.names, "seat": game.seat + 1,
                "result": game.result, "record": _path(game),
            } for game in games
        ],
        "ratings": [
            {
                "game": one.game, "ruleset": one.ruleset, "rating": one.mu, "sigma": one.sigma, "games": one.games,
                "provisional": not one.sure,
            } for one in rated
        ],
        "holidays": [{"since": _when(one.since), "until": _when(one.until)} for one in rests],
        "accuracy": [{"table": one.table_id, "accuracy": one.accuracy} for one in judged],
        "said": [{"table": table, "text": text} for table, text in said],
        "muted": [one.name or default_name(one.other) for one in marked if one.muted],
        "blocked": [one.name or default_name(one.other) for one in marked if one.blocked],
        "reported": [
            {
                "name": name or default_name(one.about), "table": one.table or None, "reason": one.reason,
                "words": one.words, "when": _when(one.created), "done": one.done is not None,
            } for one, name in reported
        ],
        "kept with reports that are done": kept,
        "bans": [
            {
                "since": _when(one.created), "until": None if one.until is None else _when(one.until),
                "told": one.words, "lifted": one.lifted is not None,
            } for one, _ in bans
        ],
    }  # fmt: skip


def _when(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
