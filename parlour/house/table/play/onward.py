"""Playing on from a position of a finished game: a new table, with a person in one seat and bots in the others.

The new game receives the steps up to there unchanged (`core.record`), and draws all later chance from its own seed. A
secret question that is open in the position is asked again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Annotated

import msgspec

from parlour.bots.offered import Offered
from parlour.house.accounts.guests import Guest
from parlour.house.errors import BadInput
from parlour.house.house import House
from parlour.house.table.live.eyes import Eyes
from parlour.house.table.live.journal import committed
from parlour.house.table.live.table import Table
from parlour.house.table.play.seating import Body, SeatNumber, alike, begun, opened, room_for
from parlour.house.table.play.vacancies import free_seat
from parlour.house.table.storage.rows import SeatRow, StepRow, TableRow

MOST_GIVEN = 5_000  # steps: what they cost is within what a guest has


class PlayOnBody(Body, frozen=True):
    """The step of the replay; the seat, by default the guest's own in that game or else that of the player to move; and
    the level of the bots in all other seats."""

    step: Annotated[int, msgspec.Meta(ge=0, le=2**31)]
    seat: SeatNumber | None = None
    bot: str = ""


async def play_on(house: House, table: Table, eyes: Eyes, guest: Guest, body: PlayOnBody) -> str:
    """Create a table that continues a finished game from one of its positions; return its id.

    Errors: NotOver, OtherRules, BadInput (the game is over there; no such seat), UnknownName (bot), TooManyTables.
    """
    place = place_of(table, eyes, body.step)
    if body.seat is not None and body.seat >= len(table.seats):
        raise BadInput(f"There is no seat {body.seat}. Seats are numbered 0 to {len(table.seats) - 1}.")
    mine = _seat(table, eyes, place) if body.seat is None else body.seat
    row, seats, steps = await asyncio.to_thread(
        _made, house.settings.bots, table, guest, body, (place, mine)
    )  # of what does not change
    await room_for(house, guest, row)
    await house.store.create(row, seats, steps)
    await opened(house, row.id, guest)
    return row.id


def place_of(table: Table, eyes: Eyes, step: int) -> int:
    """Return how many journal entries lead to a step of the replay from which a game can continue. Errors: NotOver,
    OtherRules, BadInput."""
    table.must_be_over()
    last = table.known.version(eyes.viewer)
    if step >= last:
        raise BadInput(f"You can play on only from a step before the end: 0 to {last - 1}.")
    place = table.known.place(eyes.viewer, step)
    if place > MOST_GIVEN:
        raise BadInput(f"This game is too long to play on from here: at most {MOST_GIVEN} steps can be carried over.")
    return place


def given_at(table: Table, eyes: Eyes, step: int) -> list[int]:
    """Return the actions that lead to a step of a finished game's replay, for games that begin there. Errors as for
    `place_of`."""
    return [table.history.action(at) for at in table.history.standing(place_of(table, eyes, step))]


def _seat(table: Table, eyes: Eyes, place: int) -> int:
    """Return the guest's own seat, otherwise that of the player to move."""
    if eyes.seat is not None:
        return eyes.seat
    later = (table.history.actor(at) for at in range(place, table.version))
    return next((actor for actor in later if actor >= 0), 0)


def _made(
    offers: Sequence[Offered], table: Table, guest: Guest, body: PlayOnBody, where: tuple[int, int]
) -> tuple[TableRow, list[SeatRow], list[StepRow]]:
    """Return the new table, with all steps given to it and the chance that is due. `where`: the place in the journal
    from which it continues, and the guest's seat."""
    place, mine = where
    given = [table.history.action(at) for at in table.history.standing(place)]
    row = msgspec.structs.replace(
        alike(table.row, guest), hints=True, tempo=None, rated=False, given=len(given),
        playtest="", arm="", origin=f"{table.id}/replay?step={body.step}",
    )  # fmt: skip
    seats = [
        SeatRow(row.id, seat, "guest", guest_id=guest.id, name=guest.name)
        if seat == mine
        else free_seat(table.game, row.id, seat, "bot", body.bot, offers)
        for seat in range(len(table.seats))
    ]
    row, steps = begun(committed(row, len(seats)), seats, given)
    return row, seats, steps
