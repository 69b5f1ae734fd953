"""The updates of an open page: whole positions, or only the changes since those that it has.

An update depends only on the view (`table.pages.views.View`), and is made once for all pages with the same view and
position.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from dataclasses import dataclass
from typing import NamedTuple

import msgspec

from parlour.core.scene import SPECTATOR
from parlour.house.http.compression import segment
from parlour.house.site import drawing
from parlour.house.table.live.audience import Kept
from parlour.house.table.live.deciding import is_asked
from parlour.house.table.live.eyes import Eyes
from parlour.house.table.live.showing import frame_at, lines_since
from parlour.house.table.live.signs import named_html
from parlour.house.table.live.table import Table
from parlour.house.table.pages import endings
from parlour.house.table.pages.changes import Drawing
from parlour.house.table.pages.views import table_view

MOST_FRAMES = 12  # positions in one message; a page that missed more gets only the last
REST = b',"table":"'  # in a message: after the positions


class FrameData(msgspec.Struct, frozen=True):
    """One position, drawn: see docs/architecture.md. `sounds`: what one hears of the step (`core.stage`)."""

    version: int
    html: str
    log: str
    moment: str
    sounds: str = ""


class StreamFrame(FrameData, frozen=True):
    """One position in a stream. With `changes`, `html` contains only the changes since the position before, or since
    what the page had. `great`: whether everyone watches the step (`core.stage`)."""

    changes: bool = False
    great: bool = False


class Update(msgspec.Struct, frozen=True):
    """A message of a table's stream: the steps since the last one, and the rest of the page.

    `marks` name the page's drawings of the scene and of the rest after this message; `base` names those that its
    changes apply to ("" if the message has the whole). `table` is "" if nothing in it changed.
    """

    version: int
    frames: list[StreamFrame]
    table: str
    title: str
    # The page has another viewer's position, or an unknown one: this replaces it, including the log.
    fresh: bool = False
    eyes: int = SPECTATOR
    marks: tuple[str, str] = ("", "")
    base: tuple[str, str] = ("", "")


@dataclass(slots=True)
class Page:
    """What an open page has: the version (-1: none), the seat whose view it shows, and the marks of the two drawings
    ("": unknown).

    changes  whether it takes changes; otherwise everything is sent whole
    packed   whether it takes a gzip stream
    updated  whether it got a message before
    hidden   for how many seconds it had been out of sight when it asked
    pulse    the name of its heartbeat; "" if it needs none
    bases    the two drawings themselves, if we know them: the next are sent as differences from them
    """

    version: int = -1
    viewer: int | None = None
    scene: str = ""
    section: str = ""
    changes: bool = False
    packed: bool = False
    updated: bool = False
    hidden: int = 0
    pulse: str = ""
    bases: tuple[Drawing | None, Drawing | None] = (None, None)


class Position(NamedTuple):
    """A position as a viewer sees it, drawn. The `key` of the present one changes whenever anything in it may
    change."""

    key: Hashable
    drawing: Drawing
    moment: str
    sounds: str
    great: bool
    to_move: int | None
    asked: bool


class Message(NamedTuple):
    """An update as it is sent, and what a page has after it."""

    data: bytes
    version: int
    scene: str
    section: str
    bases: tuple[Drawing | None, Drawing]


def message(table: Table, eyes: Eyes, share_url: str, page: Page, kept: Kept) -> bytes | None:
    """Return what to send to a page next, None if there is nothing new, and note that the page has it.

    `kept` belongs to the page's view.
    """
    now, section = _now(table, eyes, kept), _section(table, eyes, share_url, kept)
    present = now and now.drawing
    if page.version < 0:  # another view, or nothing
        page.bases = None, None
    elif page.changes and not page.updated:  # what it was loaded with may be what there is now
        page.bases = _same(present, page.scene), _same(section, page.section)
    if page.updated and not _moved(table, eyes.viewer, page, now) and page.section == section.mark:
        return None

    def make() -> Message:
        made = update(table, eyes, share_url, page, kept)
        data = b"event: update\nid: %d\ndata: %s\n\n" % (made.version, msgspec.json.encode(made))
        if page.packed:
            data = b"".join(map(segment, apart(data, table)))
        scene = _same(present, made.marks[0]) or _same(page.bases[0], made.marks[0])
        return Message(data, made.version, *made.marks, (scene, section))

    known = tuple(base is not None for base in page.bases)
    key = page.packed, page.changes, known, page.version, page.scene, page.section, now and now.key, section.mark
    many = kept.pages > 1  # otherwise it will not be needed again
    sent = kept.get(("message", *key), make, lambda made: 300 + len(made.data)) if many else make()
    page.version, page.scene, page.section, page.updated = sent.version, sent.scene, sent.section, True
    if page.changes:
        page.bases = sent.bases
    return sent.data


def _same(drawing: Drawing | None, mark: str) -> Drawing | None:
    """Return the drawing if it has this mark."""
    return drawing if drawing is not None and drawing.mark == mark else None


def apart(data: bytes, table: Table) -> list[bytes]:
    """Split a message into parts that are compressed separately, so that secrets (cards, a seat's link) share no
    compression window with text that others can write (chat, names). Links are recognised by their own words, so that
    text that looks like a link adds no parts."""
    seam = data.find(REST)
    links = b"|".join(re.escape(seat.token.encode()) for seat in table.seats if seat.token)
    found: list[bytes] = []
    for part in (data[:seam], data[seam:]) if seam >= 0 else (data,):
        found += re.split(b"(%b)" % links, part) if links else [part]
    return [part for part in found if part]


def update(table: Table, eyes: Eyes, share_url: str, page: Page, kept: Kept) -> Update:
    """Return everything that is new to a page. A player with a secret question, or who has answered it, always gets the
    present position: their answer changes it but is not a step."""
    viewer = eyes.viewer
    for base, mark in zip(page.bases, (page.scene, page.section), strict=True):
        if base is not None and base.mark != mark:  # the page would put pieces into something else than they are for
            raise RuntimeError(f"A page has {mark or 'nothing'}, and would get changes to {base.mark}.")
    now, section = _now(table, eyes, kept), _section(table, eyes, share_url, kept)
    version, since = table.known.version(viewer), page.version
    wanted: list[int] = []
    if now is None or not (now.asked or _moved(table, viewer, page, now)):
        pass
    elif since < 0 or since >= version or version - since > MOST_FRAMES:
        wanted = [version]
    else:
        wanted = list(range(since + 1, version + 1))
    scene, rest = page.bases
    frames = _frames(table, viewer, page, now, wanted, scene) if now and wanted else []
    pieces = None if rest is None else section.since(rest) if rest.mark != section.mark else ""
    return Update(
        version=version,
        frames=frames,
        table=section.text if pieces is None else pieces,
        # A secret question is in no title: neighbours would see it, and hear the page's sound.
        title=drawing.title(
            table.game,
            mine=now is not None and now.to_move is not None and now.to_move == eyes.seat and not now.asked,
        ),
        fresh=since < 0,
        eyes=viewer,
        marks=(now.drawing.mark if now and frames else page.scene, section.mark),
        base=(page.scene if frames and frames[0].changes else "", "" if pieces is None else page.section),
    )


def _frames(
    table: Table, viewer: int, page: Page, now: Position, wanted: list[int], base: Drawing | None
) -> list[StreamFrame]:
    """Return the positions of these versions. For a page that takes changes and has `base`, each is the difference from
    the one before."""
    assert table.match is not None  # there is a position
    frames, names, rules = [], table.match.names, drawing.rules_address(table.game, table.row.options)
    seen = min(max(page.version, 0), wanted[-1])
    for number in wanted:
        position = now if number == wanted[-1] else _position(table, viewer, number)
        start = seen if len(wanted) == 1 else number - 1  # one frame for many steps brings the log of all of them
        log = drawing.lines_html(rules, lines_since(table, viewer, start, number))
        changes = None if base is None else position.drawing.since(base)
        html = position.drawing.text if changes is None else changes
        new = number != seen
        moment, sounds, great = (position.moment, position.sounds, position.great) if new else ("", "", False)
        html, log = named_html(html, names), named_html(log, names)
        frames.append(StreamFrame(number, html, log, moment, sounds, changes is not None, great))
        base = position.drawing if page.changes else None
    return frames


def _moved(table: Table, viewer: int, page: Page, now: Position | None) -> bool:
    """Return whether the position differs from the page's."""
    if now is None or page.version != table.known.version(viewer):
        return now is not None
    return page.scene != now.drawing.mark and bool(page.scene or now.asked)


def _now(table: Table, eyes: Eyes, kept: Kept) -> Position | None:
    """Return the present position, None before the start. It depends only on what its key contains: see
    `table.live.showing.scene_at`."""
    if table.match is None:
        return None
    version, question = table.known.version(eyes.viewer), table.questions.open
    answer = None if question is None else (question.share, table.questions.answer(eyes.viewer) is not None)
    key = version, table.version, answer
    return kept.get(
        ("position", key),
        lambda: _position(table, eyes.viewer, version)._replace(key=key),
        lambda made: made.drawing.size,
    )


def _position(table: Table, viewer: int, version: int) -> Position:
    frame = frame_at(table, viewer, version)
    drawn = drawing.scene_drawing(drawing.rules_address(table.game, table.row.options), frame.scene)
    asked = is_asked(table, viewer)
    return Position(None, drawn, frame.moment, frame.sounds, frame.great, frame.scene.to_move, asked)


def _section(table: Table, eyes: Eyes, share_url: str, kept: Kept) -> Drawing:
    """Return the rest of the page as it is now."""

    def make() -> Drawing:
        view, ending = table_view(table, eyes, share_url), endings.ending(table, eyes.viewer)
        before = kept.common.get("section")
        made = drawing.table_drawing(view, table.game, ending, before if isinstance(before, Drawing) else None)
        kept.common["section"] = made  # most of it is the same for everyone at the table
        return made

    return kept.get(("section", table.about()), make, lambda made: made.size)
