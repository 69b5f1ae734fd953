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
from parlour.house.notify.outbox import OF_TURN, Notice
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
    if not one.table_id:
        return _own(one)
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
    title, text = _SAYS[one.kind](one, position)
    if one.alike:
        title += f" (table {one.table_id[:SHORT_ID]})"
        text += f" This is table {one.table_id[:SHORT_ID]}, opened on {moment(one.begun, one.zone)}."
    return Words(title, text, f"/t/{one.table_id}", f"{one.kind}-{one.table_id}", key(one))


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
        if (table.match.version, table.may_ask()) != (one.at, False) or seat not in table.seats_of(
            one.channel.guest_id
        ):
            return None
        eyes = SPECTATOR if one.channel.kind == "hook" and table.hidden_information else seat
    elif not table.over:
        return None
    scene = scene_at(table, eyes, table.version_for(eyes))
    public = scene if eyes == SPECTATOR else scene_at(table, SPECTATOR, table.version_for(SPECTATOR))
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


def _turn(one: Notice, position: Position) -> tuple[str, str]:
    started = "The game has started. " if position.first else ""
    by = f" Please move by {moment(position.due - LAG, one.zone)}." if position.due else ""
    return f"Your turn: {_game(one)}", f"{started}{position.asked}{_stand(position)}{by}"


def _time(one: Notice, position: Position) -> tuple[str, str]:
    by = f", until {moment(position.due - LAG, one.zone)}" if position.due else ""
    left = shown(one.left + 60)  # the time until it is delivered
    return (
        f"Time is running out: {_game(one)}",
        f"You have {left} left{by}. Then a bot plays for you. {position.asked}{_stand(position)}",
    )


def _stand(position: Position) -> str:
    return f" The score: {position.stands}." if position.stands else ""


def _over(one: Notice, position: Position) -> tuple[str, str]:
    return f"Game over: {_game(one)}", position.end + _stand(position)


def _started(one: Notice, _: Position) -> tuple[str, str]:
    return f"Game started: {_game(one)}", "The game has started."


def _seat(one: Notice, _: Position) -> tuple[str, str]:
    return (
        f"A bot plays for you: {_game(one)}",
        "You were away on your turn, so a bot is playing in your seat. Open the table to take it back.",
    )


def _vote(one: Notice, _: Position) -> tuple[str, str]:
    return (
        f"Vote to end the game: {_game(one)}",
        f"{one.by} wants to end this game without a result. It ends if everyone present agrees.",
    )


def _joined(one: Notice, _: Position) -> tuple[str, str]:
    who = listed(one.seats) or "Someone"
    return f"A player joined: {_game(one)}", f"{who} joined your table. The game hasn't started yet."


def _declined(one: Notice, _: Position) -> tuple[str, str]:
    return f"Invitation declined: {_game(one)}", f"{one.by} can't play this time. The seat is free for someone else."


def _invitation(one: Notice, _: Position) -> tuple[str, str]:
    return f"Invitation: {_game(one)}", f"{one.by or 'Someone'} invites you to play."


def _chat(one: Notice, _: Position) -> tuple[str, str]:
    return f"New message: {_game(one)}", f"{one.by} wrote a message at your table."


_SAYS = {
    "turn": _turn, "time": _time, "over": _over, "started": _started, "seat": _seat, "vote": _vote, "joined": _joined,
    "declined": _declined, "invitation": _invitation, "chat": _chat,
}  # fmt: skip


def _own(one: Notice) -> Words:
    """Return the words of a notification that is not about a table."""
    tag = f"{one.kind}-"
    if one.kind == "report":
        return Words(
            "Your report was handled",
            "A moderator has handled your report. Thank you.",
            "/me",
            tag,
            key(one),
            "Open Parlour",
        )
    if one.kind == "lost":
        return Words(
            "Reset your password for Parlour",
            f"Someone asked to reset {one.by}'s password at Parlour. This link works once, for one hour. It signs you "
            "out everywhere else. If it wasn't you, ignore this message: your password stays the same.",
            f"/link#{one.token}", tag, key(one), "Reset my password",
        )  # fmt: skip
    what = (
        "to email you about games"
        if one.channel.kind == "mail"
        else f"to use this address to reset {one.by}'s password"
    )
    return Words(
        "Confirm your email address for Parlour",
        f"Someone (probably you) asked Parlour {what}. Confirm with the link below, or ignore this message.",
        f"/told/{one.channel.token}?yes=1", tag, key(one), "Confirm my address",
    )  # fmt: skip
