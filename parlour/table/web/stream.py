"""The stream of a table: whole positions, of which only the newest matters, so that missing one
does no harm."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import msgspec

from parlour.core.scene import SPECTATOR
from parlour.table.house.guests import Guest
from parlour.table.house.house import House
from parlour.table.live.eyes import Eyes, eyes_of, same_story
from parlour.table.live.showing import Frame, frame_at
from parlour.table.live.table import Table
from parlour.table.pages import drawing
from parlour.table.pages.views import table_view

MOST_FRAMES = 12
HEARTBEAT = 15.0  # seconds


class FrameData(msgspec.Struct, frozen=True):
    """One position, drawn: see docs/architecture.md."""

    version: int
    html: str
    log: str
    moment: str


class Update(msgspec.Struct, frozen=True):
    """One message: the steps since the last, and the rest of the page."""

    version: int
    frames: list[FrameData]
    table: str
    title: str
    fresh: bool = False  # what the page has is of other eyes, or unknown: this replaces it, log and all
    eyes: int = SPECTATOR


def update(table: Table, eyes: Eyes, guest: Guest, since: int, share_url: str) -> Update:
    """Everything that is new to a page that has seen the first `since` steps (-1: nothing). A
    player who is asked in secret, or has answered, always gets the present position: their
    answer changes it but is no step."""
    viewer = eyes.viewer
    version, fresh = table.version_for(viewer), since < 0
    if table.match is None or (since == version and not table.is_asked(viewer)):
        wanted: list[int] = []
    elif since == version or since < 0 or since > version or version - since > MOST_FRAMES:
        wanted = [version]
    else:
        wanted = list(range(since + 1, version + 1))
    since = min(max(since, 0), version)
    # One frame for many steps brings the log of all of them.
    frames = [frame_at(table, viewer, number, since if len(wanted) == 1 else None) for number in wanted]
    view = table_view(table, eyes, share_url)
    last = frames[-1] if frames else frame_at(table, viewer, version) if table.match else None
    return Update(
        version=version,
        frames=[
            FrameData(
                frame.version,
                drawn(table, viewer, frame),
                drawing.lines_html(table.game, frame.lines, frame.first),
                frame.moment if frame.version != since else "",
            )
            for frame in frames
        ],
        table=drawing.table_html(view, guest, table.game),
        title=drawing.title(view, last),
        fresh=fresh,
        eyes=viewer,
    )


def drawn(table: Table, viewer: int, frame: Frame) -> str:
    """The position as HTML."""
    if table.is_asked(viewer):  # what they answer changes it
        return drawing.scene_html(table.game, frame)
    return table.rendered(viewer, frame.version, lambda: drawing.scene_html(table.game, frame))


def message(what: Update) -> bytes:
    """An update as a server-sent event."""
    return b"event: update\nid: %d\ndata: %s\n\n" % (what.version, msgspec.json.encode(what))


async def events(
    house: House, table: Table, guest: Guest, since: int, share_url: str, seen_by: int | None = None
) -> AsyncIterator[bytes]:
    """The stream for one open page. The first message always comes, later ones when something has
    changed for it.

    `seen_by` says whose eyes the page has used up to `since`, if it knows. A page that reads slowly
    holds up nobody: when it is ready it gets the newest state in one message.
    """
    with house.listening(table, guest.id) as listener:
        yield b"retry: 1000\n\n"
        shown, viewer = ("", ""), eyes_of(table, guest.id).viewer if seen_by is None else seen_by
        clock = asyncio.get_running_loop().time
        beat = clock() + HEARTBEAT  # not put off by what this guest is not told: that could be noticed
        while not (house.closing or table.gone):
            listener.news.clear()
            guest = await house.guests.guest(guest.id)
            eyes = eyes_of(table, guest.id)
            if await table.ready(eyes.viewer):  # others had their turn meanwhile
                eyes = eyes_of(table, guest.id)
            if not same_story(table, viewer, eyes.viewer):  # sat down, left, or passed the device
                since = -1
            viewer = eyes.viewer
            news = update(table, eyes, guest, since, share_url)
            now = news.table, news.frames[-1].html if news.frames and table.is_asked(viewer) else ""
            if (news.frames and news.version != since) or now != shown:
                yield message(news)
                since, shown = news.version, now
                beat = clock() + HEARTBEAT
            while not listener.news.is_set():
                try:
                    await asyncio.wait_for(listener.news.wait(), max(0.0, beat - clock()))
                except TimeoutError:
                    yield b": still here\n\n"
                    beat = clock() + HEARTBEAT
