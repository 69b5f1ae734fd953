"""The lobby's stream: whole lists, of which only the newest matter. Lists that are the same for many pages are drawn
and compressed once."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import inf

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromQuery, JSONBody

from parlour.house.admin.rows import Notice
from parlour.house.errors import StoreFailed
from parlour.house.house import House
from parlour.house.http.answering import accepts
from parlour.house.http.compression import segment, takes_gzip
from parlour.house.http.places import Place
from parlour.house.http.rates import READING, TABLES
from parlour.house.http.refusals import refusals
from parlour.house.http.requests import PULSE_LENGTH, Asked, TableId, TheGuest, TheHouse, TheUrl, pulse_of
from parlour.house.invitations.pages import invitations
from parlour.house.lobby import deeds
from parlour.house.lobby.pages import (
    Own,
    others_cards,
    own_cards,
    own_ids,
    own_tables,
    unmet,
    wish_view,
)
from parlour.house.ratings.matchmaking import deeds as matchmaking_deeds
from parlour.house.ratings.matchmaking import rows as matchmaking_rows
from parlour.house.ratings.matchmaking.deeds import OFFER
from parlour.house.ratings.matchmaking.rows import Asker
from parlour.house.site.drawing import lobby_list
from parlour.house.table.live.audience import Kept, Listener
from parlour.house.table.play.seating import Body
from parlour.house.table.web.answers import Done
from parlour.house.table.web.stream import (
    BEAT,
    BEGIN,
    HEARTBEAT,
    PACKED,
    Following,
    asked,
    noticed,
    stream_heads,
    vanished,
)

SENT = (400, 403, 413, 415)  # what may be wrong with anything that is sent
SHARED = ("waiting", "playing", "people")  # lists that many pages see alike
AGAIN = 2.0  # seconds until the database is asked again that has not answered
HEAD, TAIL = b'event: lists\ndata: {"html":"', b'","go":"%b"}\n\n'


class Lists(msgspec.Struct, frozen=True):
    """A message of the lobby's stream: the lists that changed, each drawn whole."""

    html: str
    go: str = ""  # the address of the table that was found for a guest who asked to play now


@dataclass(slots=True)
class Seen:
    """What an open page has. `mark` is what the lobby knew of the guest's own tables when `own` was read."""

    guest: str
    packed: bool
    own: Own | None = None
    mark: Mapping[str, int] | None = None
    lists: dict[str, tuple[object, ...]] = field(default_factory=dict)


async def lobby_events(
    house: House, guest: str, hidden: int = 0, pulse: str = "", *, packed: bool
) -> AsyncGenerator[bytes, None]:
    """Stream the lobby to one open page, which has been `hidden` for this many seconds. The first message always
    contains all lists. Where the house would not notice that the page is gone, it asks for a heartbeat under the name
    `pulse` as soon as that matters: a waiting player can be paired, and a player who sees an invitation here gets no
    notification."""
    with house.lobby.listening(guest, hidden, pulse) as listener:
        house.pulses.add(listener)
        yield PACKED[BEGIN] if packed else BEGIN
        clock, page, notice = asyncio.get_running_loop().time, Seen(guest, packed), Notice()
        beat = 0.0
        while not (house.closing or vanished(house, listener)):
            listener.news.clear()
            try:
                await _learn(house, guest, page)
            except StoreFailed:
                asyncio.get_running_loop().call_later(AGAIN, listener.news.set)
            else:
                others, own = house.lobby.others, own_ids(page.own) if page.own else frozenset()
                mine = own & {one.table.id for one in others.waiting + others.playing}
                mine |= {guest} & {one.guest for one in others.asking}
                mine |= unmet(others, guest, await house.regards.of(guest))
                kept = house.lobby.audience.look(listener, mine)
                if (news := _message(house, page, mine, kept)) is not None:
                    yield news
                    if page.own and page.own.wish:
                        await _follow_up(house, guest, page.own.wish, listener)
                    beat = clock() + HEARTBEAT * random.uniform(0.75, 1)
            if house.bans.notice != notice:
                notice = house.bans.notice
                yield noticed(notice, packed=packed)
            matters = page.own is not None and (page.own.wish is not None or bool(page.own.invited))
            if matters and pulse and listener.seen and listener.lost == inf:
                listener.beat()
                yield asked(packed=packed)
            while not await listener.wait(min(beat, listener.lost)):
                if clock() >= listener.lost:
                    if vanished(house, listener):
                        await _doubt(house, guest)
                    break
                if clock() < beat:  # its heartbeat came meanwhile
                    continue
                yield PACKED[BEAT] if packed else BEAT
                beat = clock() + HEARTBEAT * random.uniform(0.75, 1)


async def _follow_up(house: House, guest: str, wish: Asker, listener: Listener) -> None:
    """Take paired players out of the queue, and offer a bot to those who have waited long enough."""
    if not wish.table_id:
        left = wish.since + OFFER - time.time()
        if left > 0:
            asyncio.get_running_loop().call_later(left + 0.05, listener.news.set)
        return
    with contextlib.suppress(StoreFailed):  # then it is sent again
        await house.store.do(partial(matchmaking_rows.stop, guest=guest))


async def _doubt(house: House, guest: str) -> None:
    """Note that a page's heartbeat has stopped: its guest soon no longer appears as waiting, and is not paired."""
    with contextlib.suppress(StoreFailed):  # then it takes a little longer
        await house.store.do(partial(matchmaking_rows.doubt, guest=guest, now=time.time()))
        asyncio.get_running_loop().call_later(matchmaking_rows.DOUBT + 0.05, house.lobby.note)


async def _learn(house: House, guest: str, page: Seen) -> None:
    """Read the guest's own tables if they may have changed. Raises StoreFailed."""
    if page.own is None:
        await house.lobby.fresh()
    mark = house.lobby.own.get(guest)
    if page.own is None or mark is not page.mark:
        page.own = await own_tables(house, guest, page.own, mark)
        page.mark = mark


def _message(house: House, page: Seen, mine: frozenset[str], kept: Kept) -> bytes | None:
    """Return what to send to a page next, None if nothing that it shows has changed."""
    others = house.lobby.others
    assert page.own is not None
    (running, past), now = own_cards(page.own, others.time, page.guest), house.lobby.version
    invited, more = invitations(page.own.invited), page.own.again
    waiting, playing, asking = kept.get(("cards", now), lambda: others_cards(others, mine), lambda _: 0)
    news: list[bytes] = []
    wish = wish_view(page.own.wish)
    go = f"/t/{page.own.wish.table_id}" if page.own.wish and page.own.wish.table_id else ""
    lists = {
        "running": (running, invited, wish),
        "past": (past, more),
        "waiting": (waiting, asking),
        "playing": (playing,),
        "people": (others.people,),
    }
    for key, cards in lists.items():
        if page.lists.get(key) == cards:
            continue
        page.lists[key] = cards
        if key in SHARED:
            news.append(kept.get((key, now, page.packed), partial(_drawn, key, cards, page.packed), len))
        else:
            news.append(_drawn(key, cards, page.packed))
    return b"".join([_sent(HEAD, page.packed), *news, _sent(TAIL % go.encode(), page.packed)]) if news or go else None


def _drawn(key: str, shown: Sequence[object], packed: bool, /) -> bytes:
    """Return a list as it is sent: the inside of a JSON string. The guest's own tables, which may be private, are
    compressed apart from those of others."""
    return b"".join(_sent(msgspec.json.encode(part.text)[1:-1], packed) for part in lobby_list(key, *shown))


def _sent(data: bytes, packed: bool) -> bytes:
    return segment(data) if packed else data


@get("/lobby/events", media_type="text/event-stream", responses=refusals(400, 403, 429), opt=READING.costs(4))
async def follow_lobby(
    request: Asked,
    house: TheHouse,
    guest: TheGuest,
    place: NamedDependency[Place],
    hidden: FromQuery[int | None] = None,
    pulse: FromQuery[str | None] = None,
) -> Following:
    """Stream server-sent events with the lists of the lobby: all at first, then each list that changes,
    drawn whole. The data of each event is a `Lists`; `go` is the address of the table that Play now found for
    you. `hidden` is for how many seconds the page has been out of sight. `pulse` is a name that you make up,
    under which you report as at a table."""
    packed = takes_gzip(accepts(request))
    stream = lobby_events(house, guest.id, hidden or 0, pulse_of(request, pulse), packed=packed)
    return Following(place.seat(stream), stream_heads(packed=packed))


@get("/lobby/here", status_code=204, responses=refusals(400), opt=READING.costs(0.5))
async def here(house: TheHouse, pulse: FromQuery[str]) -> None:
    """Report that a page of the lobby is still open. The house looks nothing up and answers nothing."""
    if len(pulse) <= PULSE_LENGTH:
        house.pulses.take(pulse)


@post("/tables/{table_id:str}/delete", status_code=200, responses=refusals(*SENT, 404, 409), opt=TABLES.costs(1))
async def delete(table_id: TableId, data: JSONBody[deeds.ClearBody], house: TheHouse, guest: TheGuest) -> Done:
    """Delete a waiting table (host only); hide a finished game from your own list, or with `back` show it again."""
    await deeds.clear(house, table_id, guest, data)
    return Done()


class Found(msgspec.Struct, frozen=True):
    """The address of the table that was found, None while no one else asks for the same."""

    url: str | None


@post("/lobby/play", status_code=200, responses=refusals(*SENT, 409), opt=TABLES.costs(3))
async def play(data: JSONBody[matchmaking_deeds.PlayBody], house: TheHouse, guest: TheGuest, own_url: TheUrl) -> Found:
    """Ask to play now. We pair by rating, and after a while by waiting time alone. The answer's `url` is null
    until another player wants the same game; then the lobby's stream sends the table as `go`. Stop with `stop`,
    or by closing all pages. Others see how many players wait for which game, without names."""
    found = await matchmaking_deeds.ask(house, guest, data)
    return Found(f"{own_url}/t/{found}" if found else None)


@post("/lobby/stop", status_code=200, responses=refusals(*SENT), opt=TABLES.costs(1))
async def stop(
    data: JSONBody[Body],  # noqa: ARG001 - nothing is asked, so nothing may be sent
    house: TheHouse,
    guest: TheGuest,
) -> Done:
    """Stop asking to play now."""
    await matchmaking_deeds.stop(house, guest)
    return Done()


HANDLERS: list[HTTPRouteHandler] = [follow_lobby, here, delete, play, stop]
