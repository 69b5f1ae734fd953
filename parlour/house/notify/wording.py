"""The texts of notifications: what happened, with whom, how the game stands, what to decide and by when.

Everything in them is public, or what the reader sees of their own game: the game's prompt and plates, as that viewer
sees them. Others may read along at a webhook, so it gets what observers see. Nothing counts steps: others' answers to
secret questions are steps too.
"""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from parlour.core.errors import ParlourError
from parlour.core.scene import SPECTATOR, listed, number
from parlour.games import find
from parlour.house.errors import UnknownTable
from parlour.house.house import House
from parlour.house.notify.kinds import KINDS, OF_TURN
from parlour.house.notify.outbox import Notice
from parlour.house.notify.senders import Words
from parlour.house.table.live.closing import why_closed
from parlour.house.table.live.showing import scene_at
from parlour.house.table.live.signs import named
from parlour.house.table.live.table import Table
from parlour.house.table.live.tempo import LAG, shown
from parlour.house.table.storage.rows import AGREED, WITHOUT

SHORT_ID = 4  # characters of a table's id that distinguish it from others with the same people


class Position(NamedTuple):
    """What a notification says of a game: what to decide, the scores, by when, and how it ended."""

    asked: str = ""
    stands: str = ""
    due: float | None = None
    first: bool = False  # the reader has not decided anything yet
    end: str = ""


async def in_words(house: House, one: Notice) -> Words | None:
    """Return a notification in words, None if it is outdated. Raises StoreFailed."""
    position = Position()
    if one.kind in (*OF_TURN, "over"):
        try:
            async with house.hold(one.table_id) as table:
                found = _position(table, one)
        except UnknownTable:
            return None
        if found is None:
            return None
        position = found
    title, text, path = fill(one, position)
    if one.alike:
        title += f" (table {one.table_id[:SHORT_ID]})"
        text += f" This is table {one.table_id[:SHORT_ID]}, opened on {moment(one.begun, one.zone)}."
    return Words(title, text, path, f"{one.kind}-{one.table_id}", key(one), KINDS[one.kind].button)


def key(one: Notice) -> str:
    """Return the unique key of a notification, the same when it is sent again."""
    # The turn's number in the record is not in it: others' answers to secret questions are steps too, and the
    # reader could try numbers until the key matches. `made` distinguishes the turns.
    at = 0 if one.kind in OF_TURN else one.at
    said = f"{one.channel.id} {one.kind} {one.table_id} {at} {one.made}"
    return hashlib.sha256(said.encode()).hexdigest()[:24]


def moment(seconds: float, zone: str) -> str:
    """Return a moment to the minute, with its time zone: "26 November 2026, 18:00 (Europe/Zurich)"."""
    at = datetime.fromtimestamp(seconds, ZoneInfo(zone))
    return f"{at.day} {at:%B %Y, %H:%M} " + ("UTC" if zone == "UTC" else f"({zone})")


# A table --------------------------------------------------------------------------------------------
def _position(table: Table, one: Notice) -> Position | None:
    """Return what to say of a table; None if it has moved on since the notification was noted."""
    names = table.row.names
    if table.closed or table.match is None:
        return Position(end=_closed(table)) if one.kind == "over" and table.closed else None
    eyes = SPECTATOR
    if one.kind in OF_TURN:
        seat = table.match.current_player
        moved = table.match.version != one.at or table.questions.open is not None
        if moved or seat not in table.seats_of(one.channel.guest_id):
            return None
        eyes = SPECTATOR if one.channel.kind == "hook" and table.hidden_information else seat
    elif not table.over:
        return None
    scene = scene_at(table, eyes, table.known.version(eyes))
    public = scene if eyes == SPECTATOR else scene_at(table, SPECTATOR, table.known.version(SPECTATOR))
    stands = listed([f"{plate.name} {number(plate.value)}" for plate in public.seats if plate.value is not None])
    prompt = named(scene.prompt, names)
    if one.kind == "over":
        return Position(end=prompt, stands=named(stands, names))
    first = all(actor != table.match.current_player for actor, _, _ in table.match.steps)
    return Position(prompt, named(stands, names), table.row.due, first)


def _closed(table: Table) -> str:
    if table.row.ended == AGREED:
        return "The players agreed to end this game without a result."
    if table.row.ended == WITHOUT:
        return "The players who were present ended this game without a result."
    return why_closed(table.row, table.game)


# Words ----------------------------------------------------------------------------------------------
def _game(one: Notice) -> str:
    """Return the game and its other players."""
    try:
        title = find(one.game).text.TITLE
    except ParlourError:  # the game is no longer here
        title = one.game
    return f"{title} with {listed(one.seats)}" if one.seats else title


def fill(one: Notice, position: Position) -> tuple[str, str, str]:
    """Return a notification's title and text, and the path where it leads."""
    kind, when = KINDS[one.kind], moment(position.due - LAG, one.zone) if position.due else ""
    mails = one.channel.kind == "mail"
    words = {
        "game": _game(one), "table": one.table_id, "channel": one.channel.token, "token": one.token,
        "by": one.by or "Someone", "who": listed(one.seats) or "Someone",
        "started": "The game has started. " if position.first else "", "asked": position.asked, "end": position.end,
        "score": f" The score: {position.stands}." if position.stands else "",
        "please": f" Please move by {when}." if when else "", "until": f", until {when}" if when else "",
        "starts": moment(one.starts, one.zone), "more": one.more,
        "left": shown(one.left + 60),  # the time until it is delivered
        "purpose": "to email you about games" if mails else f"to use this address to reset {one.by}'s password",
    }  # fmt: skip
    return kind.title.format_map(words), kind.text.format_map(words), kind.path.format_map(words)
