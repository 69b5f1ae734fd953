"""Chat at a table: short, not too fast, shown as text."""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from typing import Annotated

import msgspec

from parlour.table.errors import TooFast
from parlour.table.house.guests import MAX_CHAT, Guest, clean_chat
from parlour.table.house.house import House
from parlour.table.live.eyes import eyes_of
from parlour.table.storage.rows import ChatRow

BURST, PERIOD = 5, 10.0  # so many messages in so many seconds
_TALKERS = 2000  # guests whose pace is remembered


class ChatBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something to say; `id` makes it safe to send twice."""

    text: Annotated[str, msgspec.Meta(max_length=4 * MAX_CHAT)]
    id: Annotated[str, msgspec.Meta(max_length=64)] = ""


class Talk:
    """How fast each guest talks."""

    def __init__(self) -> None:
        self._said: OrderedDict[str, deque[float]] = OrderedDict()

    async def say(self, house: House, table_id: str, guest: Guest, body: ChatBody) -> int:
        """Say something at a table; return the line's number. Errors: BadInput, TooFast."""
        text = clean_chat(body.text)
        async with house.hold(table_id) as table:
            for line in table.chat:
                if body.id and (line.guest_id, line.sent_id) == (guest.id, body.id):
                    return line.id
            self._pace(guest.id)
            seat = eyes_of(table, guest.id).seat
            values = {"table_id": table.id, "guest_id": guest.id, "seat": seat, "name": guest.name, "text": text}
            number = await house.store.say({**values, "sent_id": body.id})
            table.hear(ChatRow(number, table.id, guest.id, seat, guest.name, text, body.id))
            house.announce(table)
            return number

    def _pace(self, guest: str) -> None:
        now = time.monotonic()
        said = self._said.setdefault(guest, deque(maxlen=BURST))
        self._said.move_to_end(guest)
        if len(said) == BURST and now - said[0] < PERIOD:
            raise TooFast(f"That was {BURST} messages in {PERIOD:.0f} seconds; please wait a moment.")
        said.append(now)
        if len(self._said) > _TALKERS:
            self._said.popitem(last=False)
