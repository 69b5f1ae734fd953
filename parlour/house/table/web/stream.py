"""A table's stream: whole positions, of which only the newest matters, so that missing one does no harm."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from math import inf
from typing import Any

import msgspec
from litestar.response import Stream
from litestar.types import ASGIApp, Receive, Scope, Send

from parlour.house.admin.rows import Notice
from parlour.house.house import House
from parlour.house.http.compression import HEAD, segment
from parlour.house.table.live.audience import PULSE, Listener
from parlour.house.table.live.eyes import eyes_of, same_story
from parlour.house.table.live.table import Table
from parlour.house.table.pages.views import view_of
from parlour.house.table.web.updates import Page, message

STOOD_STILL = 1.0  # seconds by which this process is late if it was too busy to notice pages
HEARTBEAT = 15.0  # seconds at most
BEGIN, BEAT = b"retry: 1000\n\n", b": still here\n\n"
PACKED = {BEGIN: HEAD + segment(BEGIN), BEAT: segment(BEAT)}


async def events(house: House, table: Table, guest: str, page: Page, share_url: str) -> AsyncGenerator[bytes, None]:
    """Stream updates to one open page. The first message is always sent, later ones when something has changed for it.

    A slow page delays no other: when it is ready, it gets the newest state in one message.
    """
    with house.presence.listening(table, guest, page.hidden, page.pulse) as listener:
        yield PACKED[BEGIN] if page.packed else BEGIN
        if table.row.tempo is not None:
            yield _now(page)
        clock, notice = asyncio.get_running_loop().time, Notice()

        def later() -> float:  # spreads the keep-alives of pages that got the same message
            return clock() + HEARTBEAT * random.uniform(0.75, 1)

        beat = later()  # not delayed by what this guest doesn't get: the delay could be noticed
        while not (house.closing or table.gone or vanished(house, listener)):
            listener.news.clear()
            regard = await house.regards.of(guest)
            eyes = eyes_of(table, guest, regard)
            if await table.known.ready(eyes.viewer):  # other work ran meanwhile
                eyes = eyes_of(table, guest, regard)
            if page.viewer is not None and not same_story(table, page.viewer, eyes.viewer):
                page.version = -1  # sat down, left, or passed the device
            page.viewer = eyes.viewer
            kept = table.audience.look(listener, view_of(table, eyes, share_url))
            if (news := message(table, eyes, share_url, page, kept)) is not None:
                yield news
                news = None  # a page may wait for long, and should not keep the last message in memory
                beat = later()
            if house.bans.notice != notice:
                notice = house.bans.notice
                yield noticed(notice, packed=page.packed)
            if page.pulse and listener.here and listener.lost == inf and guest in table.players():
                listener.beat()
                yield asked(packed=page.packed)
            while not await listener.wait(min(beat, listener.lost)):
                if clock() >= listener.lost:
                    break
                if clock() < beat:  # its heartbeat came meanwhile
                    continue
                yield _now(page) if table.row.tempo is not None else PACKED[BEAT] if page.packed else BEAT
                beat = later()


def vanished(house: House, listener: Listener) -> bool:
    """Return whether a page's heartbeat has stopped. A page that is still there opens another stream at once."""
    late = asyncio.get_running_loop().time() - listener.lost
    if late < 0:
        return False
    if late < STOOD_STILL and house.pulses.heard():
        return True
    listener.beat()  # its heartbeat could not arrive
    return False


def asked(*, packed: bool) -> bytes:
    """Return the request for a heartbeat at an interval in seconds, because the proxy would not report a lost page."""
    said = b"event: pulse\ndata: %g\n\n" % PULSE
    return segment(said) if packed else said


def _now(page: Page) -> bytes:
    """Return the house's time, by which the page shows clocks, so that a wrong local clock does no harm."""
    said = b"event: now\ndata: %.3f\n\n" % time.time()
    return segment(said) if page.packed else said


def noticed(notice: Notice, *, packed: bool) -> bytes:
    """Return the moderators' notice as it is sent; an empty text withdraws it."""
    said = b"event: notice\ndata: %b\n\n" % msgspec.json.encode(notice._asdict())
    return segment(said) if packed else said


def stream_heads(*, packed: bool) -> dict[str, str]:
    """Return the headers of a stream."""
    coding = {"Content-Encoding": "gzip"} if packed else {}
    return {"X-Accel-Buffering": "no", "Vary": "Accept-Encoding", **coding}


class Following(Stream):
    """An answer that is a stream. Its request's task sends it, and only one more task waits for the page to close:
    thousands are open at once, and a task group for each takes 4 KB more."""

    def __init__(
        self, stream: AsyncGenerator[bytes, None], headers: dict[str, str], kind: str = "text/event-stream"
    ) -> None:
        super().__init__(stream, media_type=kind, headers=headers)
        self._stream = stream

    def to_asgi_response(self, *args: Any, **more: Any) -> ASGIApp:  # type: ignore[override]  # any will do
        """See `litestar.Response`."""
        head = super().to_asgi_response(*args, **more)

        async def respond(_: Scope, receive: Receive, send: Send) -> None:
            await head.start_response(send)
            await _send(self._stream, receive, send)
            await head.after_response()

        return respond


async def _send(stream: AsyncGenerator[bytes, None], receive: Receive, send: Send) -> None:
    """Send a stream to its end, or until the page is closed."""
    sending = asyncio.current_task()
    assert sending is not None
    closed = False

    def close(_: asyncio.Task[None]) -> None:
        nonlocal closed
        closed = True
        sending.cancel()

    page = asyncio.create_task(_closed(receive))
    page.add_done_callback(close)
    try:
        async with aclosing(stream):
            async for message in stream:
                await send({"type": "http.response.body", "body": message, "more_body": True})
                message = b""  # as in `events`
        await send({"type": "http.response.body", "body": b"", "more_body": False})
    except asyncio.CancelledError:
        if not closed or sending.uncancel():  # something else ends us
            raise
    finally:
        page.remove_done_callback(close)
        page.cancel()


async def _closed(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
