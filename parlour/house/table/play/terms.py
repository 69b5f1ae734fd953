"""What a host chooses before anyone else joins: whether the table is rated, and its tempo. So no one plays for more, or
with less time, than they saw when they sat down. The bots' pace can change at any time."""

from __future__ import annotations

import msgspec

from parlour.core.errors import BadSetup
from parlour.house.accounts.guests import Guest
from parlour.house.errors import Forbidden, SeatTaken
from parlour.house.house import House
from parlour.house.ratings.counting import must_be_somebody, rated
from parlour.house.table.live.deciding import bot_to_move
from parlour.house.table.live.tempo import Live, Tempo, tempo_for, tempo_of
from parlour.house.table.play.seating import Body, Pace, must_host, must_wait, pace_of
from parlour.house.table.storage.change import Change
from parlour.house.table.storage.rows import PERSON


class RatedBody(Body, frozen=True):
    """Whether the game is rated."""

    rated: bool


class ProgramsBody(Body, frozen=True):
    """Whether programs may sit down."""

    programs: bool


class TempoBody(Body, frozen=True):
    """The clocks; null for no clock."""

    tempo: Tempo | Live | None


class PaceBody(Body, frozen=True):
    """How long bots take. With `once`, they take no time until you have to decide again, and the table's pace stays."""

    pace: Pace = "instant"
    once: bool = False


async def choose(house: House, table_id: str, guest: Guest, body: RatedBody) -> None:
    """Choose whether the game is rated (host only). Repeating the request does no harm. Errors: NotHost,
    AlreadyStarted, SeatTaken (another guest already sits there), Forbidden, BadSetup."""
    async with house.hold(table_id, guest.id) as table, house.change(table) as change:
        must_host(change, guest)
        must_wait(change)
        if change.table.rated == body.rated:
            return
        _must_be_alone(change, guest, "whether the game is rated")
        if not body.rated:
            await change.set(rated=False)
            return
        must_be_somebody(guest)
        row = rated(change.table, table.game, change.seats)
        await change.set(rated=True, hints=row.hints, tempo=row.tempo)


async def allow_programs(house: House, table_id: str, guest: Guest, body: ProgramsBody) -> None:
    """Choose whether programs may sit down (host only). Repeating the request does no harm. Errors: NotHost,
    AlreadyStarted, SeatTaken (another guest already sits there), BadSetup (a rated game)."""
    async with house.hold(table_id, guest.id) as table, house.change(table) as change:
        must_host(change, guest)
        must_wait(change)
        if change.table.programs == body.programs:
            return
        _must_be_alone(change, guest, "whether programs may play")
        if any(seat.program for seat in change.seats):
            raise SeatTaken("A program has already joined, so you can't change whether programs may play any more.")
        if body.programs and change.table.playtest:
            raise BadSetup("A playtest is for people, so no programs can play.")
        if body.programs and change.table.rated:
            rated(msgspec.structs.replace(change.table, programs=True), table.game, change.seats)
        await change.set(programs=body.programs)


async def set_tempo(house: House, table_id: str, guest: Guest, body: TempoBody) -> None:
    """Choose the clocks (host only). Repeating the request does no harm. Errors: NotHost, AlreadyStarted, SeatTaken
    (another guest already sits there), BadInput, BadSetup (a rated game without clocks)."""
    async with house.hold(table_id, guest.id) as table, house.change(table) as change:
        must_host(change, guest)
        must_wait(change)
        tempo = tempo_for(table.game, body.tempo)
        if tempo_of(tempo) == tempo_of(change.table.tempo):
            return
        _must_be_alone(change, guest, "the clock")
        if tempo is None and change.table.rated:
            raise BadSetup("A rated game needs clocks.")
        await change.set(tempo=tempo)


async def set_pace(house: House, table_id: str, guest: Guest, body: PaceBody) -> None:
    """Choose how fast bots move (host only), or make them hurry once (the only person at the table). Errors: NotHost,
    Forbidden, BadInput."""
    async with house.hold(table_id, guest.id) as table:
        if body.once:
            people = {seat.guest_id for seat in table.seats if seat.kind in PERSON}
            if people != {guest.id}:
                raise Forbidden("Only the one person at a table with bots can make them hurry.")
            if bot_to_move(table) is not None:
                table.work.hurry.set()
                house.let_bots_play(table)
            return
        async with house.change(table) as change:
            must_host(change, guest)
            await change.set(pace=pace_of(body.pace))


def _must_be_alone(change: Change, guest: Guest, what: str) -> None:
    if any(seat.kind in PERSON and seat.guest_id != guest.id for seat in change.seats):
        raise SeatTaken(f"Someone has already joined, so you can't change {what} any more.")
