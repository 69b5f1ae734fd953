"""Chat at a table: short, and shown as plain text. `http/rates.py` limits its rate."""

from __future__ import annotations

import time
from functools import partial
from typing import Annotated

import msgspec
from msgspec.structs import replace

from parlour.house.accounts.guests import MAX_CHAT, Guest, clean_chat
from parlour.house.house import House
from parlour.house.notify import outbox
from parlour.house.table.live.eyes import eyes_of
from parlour.house.table.live.table import Table
from parlour.house.table.play import programs
from parlour.house.table.storage import queries
from parlour.house.table.storage.change import Change
from parlour.house.table.storage.rows import ChatRow, called

PHRASES = ("Hello!", "Good luck!", "Well played!", "Thank you!", "One moment, please.", "Good game!")  # without typing


class ChatBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A message; `id` makes it safe to send twice."""

    text: Annotated[str, msgspec.Meta(max_length=4 * MAX_CHAT)]
    id: Annotated[str, msgspec.Meta(max_length=64)] = ""


async def say(house: House, table_id: str, guest: Guest, body: ChatBody) -> int:
    """Send a message at a table; return its number. Errors: BadInput, Forbidden (a program that does not play
    there)."""
    text = clean_chat(body.text)
    async with house.hold(table_id, guest.id) as table:
        programs.may_speak(guest, table.row, table.seats)
        for line in table.chat:
            if body.id and (line.guest_id, line.sent_id) == (guest.id, body.id):
                return line.id
        line = _line(table, guest, text, body.id)
        with table.writing():
            number = await house.store.say(line.kept())
        table.hear(replace(line, id=number))
        house.announce(table)
        return number


async def say_with(
    change: Change, table: Table, guest: Guest, text: str, instead: outbox.Instead | None = None
) -> None:
    """Send a message in the same transaction as the event that it reports, so that neither exists without the other.
    `instead` is the notification that some people get in place of a chat notification."""
    await change.connection.run_sync(partial(queries.say, line=_line(table, guest, text).kept(), instead=instead))


def _line(table: Table, guest: Guest, text: str, sent_id: str = "") -> ChatRow:
    """Return a new message, which has no number yet. A program's has its mark beside the name."""
    name = called(guest.name, program=guest.program)
    return ChatRow(0, table.id, guest.id, eyes_of(table, guest.id).seat, name, text, sent_id, time.time())
