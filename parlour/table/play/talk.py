"""Chat at a table: short, and shown as plain text. `web/rates.py` says how much of it there may be."""

from __future__ import annotations

from typing import Annotated

import msgspec

from parlour.table.house.guests import MAX_CHAT, Guest, clean_chat
from parlour.table.house.house import House
from parlour.table.live.eyes import eyes_of
from parlour.table.storage.rows import ChatRow

PHRASES = ("Hello!", "Good luck!", "Well played!", "Thank you!", "One moment, please.", "Good game!")  # without typing


class ChatBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something to say; `id` makes it safe to send twice."""

    text: Annotated[str, msgspec.Meta(max_length=4 * MAX_CHAT)]
    id: Annotated[str, msgspec.Meta(max_length=64)] = ""


async def say(house: House, table_id: str, guest: Guest, body: ChatBody) -> int:
    """Say something at a table; return the line's number. Errors: BadInput."""
    text = clean_chat(body.text)
    async with house.hold(table_id, guest.id) as table:
        for line in table.chat:
            if body.id and (line.guest_id, line.sent_id) == (guest.id, body.id):
                return line.id
        seat = eyes_of(table, guest.id).seat
        values = {"table_id": table.id, "guest_id": guest.id, "seat": seat, "name": guest.name, "text": text}
        with table.writing():
            number = await house.store.say({**values, "sent_id": body.id})
        table.hear(ChatRow(number, table.id, guest.id, seat, guest.name, text, body.id))
        house.announce(table)
        return number
