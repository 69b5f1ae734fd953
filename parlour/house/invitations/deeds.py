"""Rematches, a table that follows another one, to which its players are invited; and declining an invitation."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Sequence
from functools import partial

import msgspec

from parlour import bots
from parlour.bots.offered import Offered
from parlour.core.errors import ParlourError
from parlour.core.game import Game
from parlour.house.accounts.guests import Guest
from parlour.house.editions.deeds import of_today
from parlour.house.errors import AlreadyStarted, BadLink, NotSeated, SeatTaken
from parlour.house.house import House
from parlour.house.invitations import rows
from parlour.house.notify.outbox import Instead
from parlour.house.table.live.journal import committed
from parlour.house.table.play import programs
from parlour.house.table.play.seating import SitBody, alike, begun, opened, room_for, sit
from parlour.house.table.play.talk import say_with
from parlour.house.table.play.vacancies import bot_names, free_seat
from parlour.house.table.storage import queries
from parlour.house.table.storage.rows import PERSON, SeatRow, TableRow

DECLINED = "I can't make it this time."  # what a guest who declines says at the table


async def rematch(house: House, table_id: str, guest: Guest) -> str:
    """Return the id of the table that follows a finished or closed one, with the same settings. The first to ask
    creates it and sits down. Bots stay as they were, and the game begins at once if no one else played. All other
    people are invited to a reserved seat, which they take by asking for a rematch too. When that game is over, the next
    request creates another table. Errors: NotOver, NotSeated, TooManyTables, BadSetup, Forbidden (a rated table; a
    program whose owner played)."""
    regard = await house.regards.of(guest.id)
    async with house.hold(table_id, guest.id) as table:
        if not table.closed:
            table.must_be_over()
        if all(seat.guest_id != guest.id for seat in table.seats) and (guest.program or table.row.host != guest.id):
            raise NotSeated("Only players of this game can ask for another one.")
        programs.may_act(guest, table.row, table.seats)
        made = table.row.rematch
        mine = not made or not await house.store.look(partial(queries.is_under_way, table=made))
        if mine:
            row = alike(table.row, guest)
            if row.programs and not guest.program:  # a person would play in it
                row = msgspec.structs.replace(row, rated=False)
            if table.closed:
                row = _with_rules_of_today(table.game, row)
            seats, invited = _asked(table.game, house.settings.bots, row.id, guest, table.seats, regard.blocked)
            row, steps = begun(committed(row, len(seats)), seats)
            await room_for(house, guest, row)
            invite = partial(rows.invite, host=guest.id, invited=invited)
            with table.writing():
                made = await house.store.follow(table_id, row, seats, steps, invite)
                await house.changed(table)
            mine = made == row.id  # another guest may have been faster
    if mine:
        await opened(house, made, guest)
    elif token := await house.store.ask(partial(rows.token_for, guest=guest.id, table_id=made)):
        with contextlib.suppress(AlreadyStarted, BadLink, SeatTaken):  # it is no longer kept: they can watch
            await sit(house, made, guest, SitBody(token=token))
    return made


def _asked(
    game: Game,
    offers: Sequence[Offered],
    table_id: str,
    guest: Guest,
    played: Sequence[SeatRow],
    blocked: Collection[str],
) -> tuple[list[SeatRow], dict[str, SeatRow]]:
    """Return the seats of the next table, and those to which people are invited, by guest. People who played on a
    guest's device come along: the same link reserves their seats. Phrases for the dice are not carried over, because
    the house knew them before it chose the seed."""
    seats: list[SeatRow] = []
    asked: dict[str, SeatRow] = {}
    rotated = [*played[1:], *played[:1]]  # other neighbours
    own: dict[str, SeatRow] = {}
    for seat in rotated:
        if seat.guest_id not in own or (own[seat.guest_id].kind, seat.kind) == ("here", "guest"):
            own[seat.guest_id] = seat
    for i, seat in enumerate(rotated):
        whose, made = seat.guest_id, free_seat(game, table_id, i, "open")
        if whose == guest.id:
            first = seat == own[whose]
            name = guest.name if first else seat.name
            made = SeatRow(table_id, i, "guest" if first else "here", guest_id=whose, name=name, program=guest.program)
        elif whose and whose not in blocked:
            made = free_seat(game, table_id, i, "link")
            if whose in asked:  # people on the same device get the other name if theirs comes first
                name = seat.name if seat != own[whose] else next(s.name for s in rotated if s.guest_id == whose)
                made = msgspec.structs.replace(made, name=name, token=asked[whose].token)
            else:
                made = asked[whose] = msgspec.structs.replace(made, name=own[whose].name)
        elif not whose and seat.kind not in PERSON:  # else they put the closed table away
            known = bots.standing(game, seat.bot) in (*bots.names(game), *bot_names(game, offers))
            made = free_seat(game, table_id, i, "bot", seat.bot if known else "", offers)
        seats.append(made)
    return seats, asked


def _with_rules_of_today(game: Game, row: TableRow) -> TableRow:
    """Return a closed table's settings, as far as they still exist."""
    edition = of_today(game, row.edition, row.parts)
    options: dict[str, str | bool | int] = {}
    for name, value in row.options.items():
        with contextlib.suppress(ParlourError):
            game.options({name: value})
            options[name] = value
    return msgspec.structs.replace(
        row, rules=game.rules.VERSION, edition=edition.name, parts=edition.parts, options=game.options(options)
    )


async def decline(house: House, table_id: str, guest: Guest) -> None:
    """Decline an invitation: it is removed, the seat is no longer reserved by name, and the table is notified. Raises
    BadLink if there is no invitation; Forbidden for a program where none may play."""
    async with house.hold(table_id) as table, house.change(table) as change:
        programs.may_act(guest, change.table, change.seats)
        gone = partial(rows.decline, guest=guest.id, table_id=table_id)
        if not (token := await change.connection.run_sync(gone)):
            raise BadLink("You don't have an invitation to this table. It may have been taken back.")
        for seat in change.seats:
            if seat.kind == "link" and seat.token == token:
                await change.set_seat(seat.seat, name="")
        await say_with(change, table, guest, DECLINED, Instead("declined", [change.table.host]))
    house.lobby.moved(guest.id)
