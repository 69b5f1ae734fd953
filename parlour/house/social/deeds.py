"""Muting, blocking and reporting others. Guests' ids are known only to the house, so people are named by their seat, a
chat message, an account's name, or an entry of the reporter's own list.

Mute hides their messages from me. Block does that too, and they can't join my tables, invite me or be paired with me.
They are not notified, and get only answers that anyone can get.
"""

from __future__ import annotations

import time
from functools import partial
from typing import Annotated, Literal

import msgspec

from parlour.house.accounts import rows as account_rows
from parlour.house.accounts.guests import Guest, clean_report
from parlour.house.accounts.names import likeness
from parlour.house.errors import BadInput, NotFound
from parlour.house.house import House
from parlour.house.social import rows
from parlour.house.social.rows import Report
from parlour.house.table.play.seating import Body, SeatNumber, ShownName

MOST_WORDS = 500  # characters of a report
Reason = Literal["rude", "spam", "cheating", "name", "other"]
REASONS: dict[Reason, str] = {
    "rude": "insults or threatens", "spam": "advertises or floods", "cheating": "cheats",
    "name": "has an offensive name", "other": "something else",
}  # fmt: skip


class WhomBody(Body, frozen=True):
    """One person: by a `seat` or a chat `line` at a `table`, by an account's `name`, or by an `id` from your own
    list."""

    table: Annotated[str, msgspec.Meta(max_length=64)] = ""
    seat: SeatNumber | None = None
    line: Annotated[int, msgspec.Meta(ge=1, lt=2**31)] | None = None
    name: ShownName = ""
    id: Annotated[str, msgspec.Meta(max_length=64)] = ""


class MarkBody(WhomBody, frozen=True):
    """The same; `off` undoes it."""

    off: bool = False


class ReportBody(WhomBody, frozen=True, kw_only=True):
    """The same, with the reason and the reporter's comment."""

    reason: Reason
    words: Annotated[str, msgspec.Meta(max_length=4 * MOST_WORDS)] = ""


class Marked(msgspec.Struct, frozen=True):
    """Whether the person is now muted or blocked. Blocking also mutes."""

    muted: bool
    blocked: bool


async def mute(house: House, guest: Guest, body: MarkBody) -> Marked:
    """Mute a person, or undo it. Repeating the request does no harm. Errors: those of `whom`, TooMany."""
    return await _mark(house, guest, await whom(house, guest, body), muted=not body.off)


async def block(house: House, guest: Guest, body: MarkBody) -> Marked:
    """Block a person, or undo it. Errors: those of `whom`, TooMany."""
    return await _mark(house, guest, await whom(house, guest, body), blocked=not body.off)


async def _mark(
    house: House, guest: Guest, other: str, *, muted: bool | None = None, blocked: bool | None = None
) -> Marked:
    await house.store.do(partial(rows.mark, guest=guest.id, other=other, muted=muted, blocked=blocked))
    house.between(guest.id, other)
    regard = await house.regards.of(guest.id)
    return Marked(other in regard.muted, other in regard.blocked)


async def report(house: House, guest: Guest, body: ReportBody) -> int:
    """Report a person, or one of their messages, to the moderators, with the messages around it; return the report's
    number. Errors: those of `whom`, BadInput, TooMany."""
    words = clean_report(body.words, MOST_WORDS)
    about = await whom(house, guest, body)
    row = Report(0, guest.id, about, body.table, body.line or 0, body.reason, words, time.time(), None)
    return await house.store.do(partial(rows.report, row=row))


async def whom(house: House, guest: Guest, body: WhomBody) -> str:
    """Return the id of the person. Errors: BadInput (no person, several, or the guest), NotFound, UnknownTable."""
    ways = [body.seat is not None, body.line is not None, bool(body.name), bool(body.id)]
    if sum(ways) != 1 or bool(body.table) != (ways[0] or ways[1]):
        raise BadInput(
            "Name one person in one way: a seat or a line at a table, an account's name, or an id from your list.",
            allowed=["table and seat", "table and line", "name", "id"],
        )
    found = await _at_table(house, guest, body) if body.table else await _known(house, guest, body)
    if not found:
        raise NotFound("No person matches this. Bots and free seats don't count.")
    if found == guest.id:
        raise BadInput("That's you. Please choose someone else.")
    return found


async def _at_table(house: House, guest: Guest, body: WhomBody) -> str:
    table, _ = await house.look(body.table, guest.id)
    if body.line is not None:
        return next((line.guest_id for line in table.chat if line.id == body.line), "")
    return next((seat.guest_id for seat in table.seats if seat.seat == body.seat), "")


async def _known(house: House, guest: Guest, body: WhomBody) -> str:
    if body.id:
        return await house.store.look(partial(rows.marked, guest=guest.id, token=body.id)) or ""
    return await house.store.look(partial(account_rows.owner, likeness=likeness(body.name))) or ""
