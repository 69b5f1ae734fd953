"""Answer what programs ask of a table: its position as data, and a stream of such positions, one line each. Moving and
sitting down are the same addresses as for pages (`api`)."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncGenerator, Hashable
from typing import Annotated

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.params import QueryParameter

from parlour.core.errors import ParlourError
from parlour.house.accounts.guests import Guest
from parlour.house.house import House
from parlour.house.http.bearer import READS, TAKES_TOKENS
from parlour.house.http.places import Place
from parlour.house.http.rates import READING
from parlour.house.http.refusals import refusals
from parlour.house.http.requests import Asked, TableId, TheGuest, TheHouse
from parlour.house.table.live import looking
from parlour.house.table.live.deciding import deciding
from parlour.house.table.live.eyes import Eyes, eyes_of
from parlour.house.table.live.table import Table
from parlour.house.table.pages.views import view_of
from parlour.house.table.web.position import Position, must_be_shown, position
from parlour.house.table.web.stream import Following

HEARTBEAT = 15.0  # seconds at most
NDJSON = "application/x-ndjson"
TABLE = (404, 409)  # there may be no such table, or it was played with other rules


class TableNews(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of a table's stream: a position, with the lines of the log since the one before; or `beat`, the house's
    time in seconds since 1970, when nothing was new for a while."""

    position: Position | None = None
    beat: float | None = None


@get("/tables/{table_id:str}/position", responses=refusals(400, *TAKES_TOKENS, *TABLE), opt=READING.costs(4) | READS)
async def read(
    table_id: TableId,
    house: TheHouse,
    guest: TheGuest,
    since: Annotated[int, QueryParameter(ge=0, le=2**31)] = 0,
) -> Position:
    """Return the position as a program needs it: your legal decisions with their numbers and texts, the mask,
    the numbers that you see, the position as text, and the log since the position `since`. A program sees
    nothing of a game that the owner of its token plays as a person, until it is over."""
    table, eyes = await house.look(table_id, guest.id)
    must_be_shown(table, eyes, program=guest.program)
    return position(table, eyes, since)  # not compressed: it has names beside what their owners may not know


@get(
    "/tables/{table_id:str}/positions",
    media_type=NDJSON,
    responses=refusals(400, *TAKES_TOKENS, *TABLE),
    opt=READING.costs(5) | READS,
)
async def follow(
    request: Asked,
    table_id: TableId,
    house: TheHouse,
    guest: TheGuest,
    place: NamedDependency[Place],
    since: Annotated[int, QueryParameter(ge=0, le=2**31)] = 0,
) -> Following:
    """Stream positions, one JSON object a line (`TableNews`): first the present one, with the log since the
    position `since`, then each new one. If you are slow, you get the newest, and its `log` has all lines since
    your last one. A line with `beat` comes every 15 seconds at least. The stream ends after the last position of
    the game; if it ends before, ask again with `since`."""
    del request
    table, eyes = await house.look(table_id, guest.id)
    must_be_shown(table, eyes, program=guest.program)
    stream = news(house, table, guest, since)
    return Following(place.seat(stream), {"X-Accel-Buffering": "no"}, NDJSON)


async def news(house: House, table: Table, guest: Guest, since: int) -> AsyncGenerator[bytes, None]:
    """Stream a table's positions to one program, which counts as an open page of its guest."""
    with house.presence.listening(table, guest.id) as listener:
        clock, seen, shown = asyncio.get_running_loop().time, since, None

        def later() -> float:
            return clock() + HEARTBEAT * random.uniform(0.75, 1)

        beat = later()  # not delayed by what this guest doesn't get, as in `stream`
        while not (house.closing or table.gone):
            listener.news.clear()
            regard = await house.regards.of(guest.id)
            await table.known.ready(eyes_of(table, guest.id, regard).viewer)
            eyes = eyes_of(table, guest.id, regard)  # other work ran meanwhile
            try:
                must_be_shown(table, eyes, program=guest.program)
            except ParlourError:  # its owner sat down as a person
                return
            kept = table.audience.look(listener, view_of(table, eyes, ""))
            if (key := _what(table, eyes)) != shown:
                start = seen if shown is None or shown[0] == key[0] else 0  # of another view: the whole log

                def make(eyes: Eyes = eyes, start: int = start) -> tuple[int, bytes]:
                    now = position(table, eyes, start)
                    return now.version, msgspec.json.encode(TableNews(now)) + b"\n"

                seen, line = kept.get(("line", start, key), make, lambda made: 100 + len(made[1]))
                shown, beat = key, later()
                yield line
            if table.over or table.closed:
                return
            if not await listener.wait(beat):  # a player may count as away now
                yield msgspec.json.encode(TableNews(beat=round(time.time(), 3))) + b"\n"
                beat = later()


def _what(table: Table, eyes: Eyes) -> tuple[Hashable, ...]:
    """Return what decides whether a program has seen this position: nothing in it tells of a secret question to anyone
    else."""
    viewer = eyes.viewer
    seats = tuple((seat.kind, seat.name, seat.bot, seat.program, seat.left, seat.wish) for seat in table.seats)
    said = table.chat[-1].id if table.chat else 0
    decides = viewer in deciding(table)
    return viewer, eyes.seat, table.known.version(viewer), table.status, decides, seats, said, looking.absent(table)


HANDLERS: list[HTTPRouteHandler] = [read, follow]
