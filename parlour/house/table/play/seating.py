"""Creating a table, taking and leaving seats, and starting."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from functools import partial
from typing import Annotated, Literal

import msgspec

from parlour.bots.offered import Offered
from parlour.core.errors import BadSetup
from parlour.core.game import Game
from parlour.core.replay import replay
from parlour.games import find
from parlour.house.accounts.guests import MAX_WORDS, Guest, clean_name, clean_words
from parlour.house.editions.deeds import Changes, chosen
from parlour.house.errors import AlreadyStarted, BadInput, BadLink, Forbidden, NotHost, SeatsFree, SeatTaken
from parlour.house.house import House
from parlour.house.invitations import by_name
from parlour.house.invitations import rows as invitation_rows
from parlour.house.invitations.by_name import Inviting
from parlour.house.ratings import counting
from parlour.house.social import rows as social_rows
from parlour.house.table.live import clocks
from parlour.house.table.live.eyes import shut_out
from parlour.house.table.live.journal import committed, record_of, with_rules
from parlour.house.table.live.table import Table
from parlour.house.table.live.tempo import ABSENCES, Live, Tempo, by_post, tempo_for
from parlour.house.table.play import absence, programs
from parlour.house.table.play.vacancies import free_seat
from parlour.house.table.storage.change import Change
from parlour.house.table.storage.rows import PERSON, SeatRow, StepRow, TableRow, distinct_names

PACES = {"slow": 2.5, "normal": 1.2, "fast": 0.5, "instant": 0.0}  # seconds a bot takes for a move, at least
SLOWEST = 30.0  # seconds
MOST_SEATS = 16
MOST_OPTIONS = 64  # names of options in one request; no game has more than this

Pace = Literal["slow", "normal", "fast", "instant"] | float
Words = Annotated[str, msgspec.Meta(max_length=4 * MAX_WORDS)]
ShownName = Annotated[str, msgspec.Meta(max_length=200)]
SeatNumber = Annotated[int, msgspec.Meta(ge=0, lt=MOST_SEATS)]


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request body. An unknown field is a mistake and is reported."""


class SeatWish(Inviting, frozen=True):
    """A seat at a new table."""

    kind: Literal["me", "here", "open", "link", "bot"]
    bot: str = ""
    name: ShownName = ""  # of a player on the same device


class TableBody(Body, frozen=True):
    """A new table. Without `seats`: me and one bot, or as many as the game needs.

    It has no phrase for the dice: a phrase counts only if it is chosen after the commitment to the seed is published,
    which happens with the table (docs/notation.md). `SitBody` has one.
    """

    game: str
    edition: str | None = None
    changes: Changes = {}  # other values of the edition, by path: an edition of your own, which can't be rated
    options: Annotated[dict[str, str | bool | int], msgspec.Meta(max_length=MOST_OPTIONS)] = {}
    seats: Annotated[list[SeatWish], msgspec.Meta(min_length=1, max_length=MOST_SEATS)] | None = None
    public: bool = True
    pace: Pace = "normal"
    hints: bool | None = None  # the player to move may ask for hints; by default only one person against bots may
    tempo: Tempo | Live | None = None  # the clocks; no clock by default
    rated: bool = False  # whether the game is rated; then without hints, and with clocks
    programs: bool = False  # whether programs may sit down; if it is rated, only they and bots
    # Whether the game waits until the host presses Start, even with all seats taken: to add a phrase to the dice seed.
    wait: bool = False
    # Without clocks: seconds until the others may let a bot play on for a player who is absent on their turn.
    absent: Annotated[int, msgspec.Meta(ge=ABSENCES[0], le=30 * 86400)] = ABSENCES[0]


class SitBody(Body, frozen=True):
    """A seat: by number, by the token of its link, or any open one; for a seated player, their own. `words` is their
    phrase for the dice."""

    seat: SeatNumber | None = None
    token: Annotated[str, msgspec.Meta(max_length=64)] = ""
    words: Words = ""


class SeatBody(Body, frozen=True):
    """What the host wants a seat to be."""

    seat: SeatNumber
    kind: Literal["here", "open", "link", "bot"]
    bot: str = ""
    name: ShownName = ""


class StartBody(Body, frozen=True):
    """With `bots`, free seats become bots."""

    bots: bool = False


async def create(house: House, guest: Guest, body: TableBody) -> str:
    """Create a table, and start the game if no seat waits for anyone; return its id. Errors: UnknownName, BadSetup
    (also if only bots would play, or it can't be rated), BadInput, Forbidden (rated), TooManyTables; for invitations
    those of `by_name.kept`, and TooMany."""
    game = find(body.game)
    fewest = game.facts.players[0]
    wishes = body.seats or [SeatWish("me"), *[SeatWish("bot")] * (fewest - 1)]
    edition, options = chosen(game, body.edition, body.changes), game.options(body.options)
    game.start(len(wishes), edition, options)  # raises BadSetup for a wrong number of players
    if sum(wish.kind == "me" for wish in wishes) > 1:
        raise BadSetup("You can take one seat. For others on this device, use seats of kind here.", allowed=["here"])
    table_id = new_id()
    row = TableRow(
        id=table_id, game=game.name, rules=game.rules.VERSION, edition=edition.name, parts=edition.parts,
        options=options, public=body.public, pace=pace_of(body.pace), status="waiting", host=guest.id, seed="",
        commitment="", names=[], words=[], rematch="", created=time.time(), touched=time.time(),
        tempo=tempo_for(game, body.tempo), absent=body.absent, held=body.wait,
        programs=body.programs,
        hints=all(wish.kind in ("me", "bot") for wish in wishes) if body.hints is None else body.hints,
    )  # fmt: skip
    programs.may_open(guest, row, {wish.kind for wish in wishes}, invites=any(wish.invite for wish in wishes))
    row = committed(row, len(wishes))
    seats = [
        SeatRow(table_id, i, "guest", guest_id=guest.id, name=guest.name, program=guest.program)
        if wish.kind == "me"
        else _seat_for(game, house.settings.bots, (table_id, i), guest, wish)
        for i, wish in enumerate(wishes)
    ]
    _must_have_person(seats)
    seats, invite = await by_name.kept(house, guest, wishes, seats)
    if body.rated:
        if body.hints:
            raise BadSetup("Hints aren't allowed in a rated game.", allowed=["hints: false"])
        counting.must_be_somebody(guest)
        row = counting.rated(row, game, seats)
    row, steps = (row, []) if body.wait else begun(row, seats)
    await room_for(house, guest, row)
    await house.store.create(row, seats, steps, invite)
    await opened(house, table_id, guest)
    return table_id


def _seat_for(
    game: Game, offers: Sequence[Offered], place: tuple[str, int], guest: Guest, wish: SeatWish | SeatBody
) -> SeatRow:
    """Return the requested seat. `place`: its table and number. Raises UnknownName (bot), BadInput (name)."""
    table_id, index = place
    if wish.kind == "here" and not wish.bot:
        name = clean_name(wish.name) if wish.name else f"Player {index + 1}"
        return SeatRow(table_id, index, "here", guest_id=guest.id, name=name)
    if wish.name:
        raise BadInput("Only a seat of kind here can have a name.")
    return free_seat(game, table_id, index, wish.kind, wish.bot, offers)


@absence.again_if_slower
async def sit(house: House, table_id: str, guest: Guest, body: SitBody) -> int:
    """Take a seat, or take your own back from the bot; return its number. Repeating the request does no harm.

    Errors: BadLink, SeatTaken, Forbidden (reserved for another guest; a program), AlreadyStarted.
    """
    words = clean_words(body.words)
    async with house.hold(table_id, guest.id) as table:
        async with house.change(table) as change:
            await _as_shown(change, guest)
            programs.may_sit(guest, change.table, change.seats)
            seat, values = _choose_seat(change, guest, body, words)
            if change.table.status == "playing":
                await absence.come_back(change, table, guest.id, time.time())
            elif values:
                asked = partial(invitation_rows.token_for, guest=guest.id, table_id=table_id)
                taken = "guest_id" in values
                invited = bool(taken and body.token and await change.connection.run_sync(asked) == body.token)
                await _put(change, seat, **values)
                if "guest_id" in values:
                    await change.note("joined", {change.table.host} - {guest.id})
                if invited:
                    await _bring_along(change, guest, body.token)
                if taken and _may_begin(change, table, guest, invited=invited):
                    await _start(change, table.game, guest, fill=False)
            if values or change.table.status != "waiting":
                await change.set(touched=time.time())
        return seat


async def _put(change: Change, seat: int, **values: str | bool) -> None:
    """Change a seat, there and in `change`."""
    await change.set_seat(seat, **values)
    change.seats[seat] = msgspec.structs.replace(change.seats[seat], **values)


async def _bring_along(change: Change, guest: Guest, token: str) -> None:
    """Seat everyone whom an invited guest brings along on their device."""
    for seat in list(change.seats):
        if seat.kind == "link" and seat.token == token:
            name = seat.name or f"Player {seat.seat + 1}"  # a leaving player takes their device's names along
            await _put(change, seat.seat, kind="here", guest_id=guest.id, name=name)


def _may_begin(change: Change, table: Table, guest: Guest, *, invited: bool) -> bool:
    """Return whether the game begins now that a guest has sat down, without the host's start. It waits for every seat,
    and for a host who asked to start it by hand. Some games then begin at once (`begins_when_full`). Any other game
    begins when the last `invited` player has come; with clocks, only while all others have the page open."""
    if change.table.held or any(seat.kind in ("open", "link") for seat in change.seats):
        return False
    if begins_when_full(change.table):
        return True
    here = table.audience.present()
    others = {seat.guest_id for seat in change.seats if seat.kind in PERSON} - {guest.id}
    return invited and (change.table.tempo is None or all(here[one] for one in others))


def begins_when_full(row: TableRow) -> bool:
    """Return whether a game begins as soon as every seat is taken: by post, where players never need to be present
    together, and in a playtest, whose host did not open the table."""
    return not row.held and (by_post(row) or bool(row.playtest))


async def _as_shown(change: Change, guest: Guest) -> None:
    """Treat the seats as the guest sees them: if the host has blocked them, no seat is free and no link works."""
    there = social_rows.parties(change.table.host, change.seats)
    shut = await change.connection.run_sync(lambda connection: social_rows.shut_by(connection, guest.id, there))
    if not shut_out(change.table, change.seats, guest.id, shut):
        return
    void = change.table.host in shut
    change.seats = [
        msgspec.structs.replace(
            seat, kind="link" if seat.kind == "open" else seat.kind, token="" if void else seat.token
        )
        for seat in change.seats
    ]


def _choose_seat(change: Change, guest: Guest, body: SitBody, words: str) -> tuple[int, dict[str, str | bool]]:
    mine = next((seat for seat in change.seats if seat.guest_id == guest.id), None)
    if change.table.status != "waiting":
        if mine is None:
            raise AlreadyStarted("The game has started. You can watch it.")
        return mine.seat, {}
    taking: dict[str, str | bool] = {
        "kind": "guest", "guest_id": guest.id, "name": guest.name, "bot": "", "words": words, "program": guest.program
    }  # fmt: skip
    if body.token:
        seat = next((seat for seat in change.seats if seat.token == body.token), None)
        if seat is None:
            raise BadLink("This link to a seat isn't valid, or has been taken back.")
    elif body.seat is not None:
        if body.seat >= len(change.seats):
            raise BadInput(f"There is no seat {body.seat}. Seats are numbered 0 to {len(change.seats) - 1}.")
        seat = change.seats[body.seat]
    else:
        seat = mine or next((seat for seat in change.seats if seat.kind == "open"), None)
        if seat is None:
            raise SeatTaken("No seats are free at this table. You can watch.")
    if mine is not None:
        return mine.seat, {"words": words} if words else {}
    if seat.kind in PERSON or seat.kind == "bot":
        raise SeatTaken("Someone is already in this seat.", allowed=_open(change))
    if seat.kind == "link" and not body.token and change.table.host != guest.id:
        raise Forbidden("This seat is reserved for the person who has its link.", allowed=_open(change))
    if change.table.rated:
        counting.must_be_somebody(guest)
    return seat.seat, taking


@absence.again_if_slower
async def leave(house: House, table_id: str, guest: Guest) -> None:
    """Give up the seat. Before the game it becomes free again, and a host hands the table on or, if no one is left,
    closes it. During the game a bot plays on until the guest sits down again. A closed table leaves the guest's list,
    and is deleted when it has left all lists."""
    async with house.hold(table_id) as table, house.change(table) as change:
        programs.may_act(guest, change.table, change.seats)
        if table.closed:
            await _put_away(change, guest)
        else:
            await _leave(change, table, guest)


async def _put_away(change: Change, guest: Guest) -> None:
    """Remove a closed table from a guest's list, and delete it once it is in no guest's list."""
    for seat in change.seats:
        if seat.guest_id == guest.id:
            await change.set_seat(seat.seat, guest_id="")
    if change.table.host == guest.id:
        await change.set(host="")
    if {change.table.host, *(seat.guest_id for seat in change.seats)} <= {guest.id, ""}:
        await change.delete()


async def _leave(change: Change, table: Table, guest: Guest) -> None:
    """Leave the table; delete it if it was waiting and is now empty."""
    mine = [seat for seat in change.seats if seat.kind in PERSON and seat.guest_id == guest.id]
    if change.table.status == "playing" and mine:
        await change.set(in_hand=-1)
        if not table.over:
            await absence.step_out(change, table, [seat.seat for seat in mine], "left", time.time())
    if change.table.status != "waiting" or (not mine and change.table.host != guest.id):
        return
    if change.table.host == guest.id:
        others = [seat.guest_id for seat in change.seats if seat.kind == "guest" and seat.guest_id != guest.id]
        if not others:
            await change.delete()
            return
        await change.set(host=others[0])
    for seat in mine:
        kind = "link" if seat.token else "open"
        await change.set_seat(seat.seat, kind=kind, guest_id="", name="", bot="", words="", program=False)


async def set_seat(house: House, table_id: str, guest: Guest, body: SeatBody) -> None:
    """Make a seat open, reserved by link, or a bot's, before the start (host only). A guest with the page open keeps
    their seat. Errors: NotHost, AlreadyStarted, SeatTaken, BadInput, UnknownName (bot)."""
    async with house.hold(table_id, guest.id) as table, house.change(table) as change:
        must_host(change, guest)
        must_wait(change)
        if body.seat >= len(change.seats):
            raise BadInput(f"There is no seat {body.seat}. Seats are numbered 0 to {len(change.seats) - 1}.")
        seat = change.seats[body.seat]
        if seat.kind == "guest" and (seat.guest_id == guest.id or table.audience.present()[seat.guest_id]):
            raise SeatTaken("You can't remove a player who has this table open.")
        free = _seat_for(table.game, house.settings.bots, (table_id, body.seat), guest, body)
        if change.table.rated:
            counting.rated(change.table, table.game, [free])
        await change.set_seat(body.seat, **free.kept())


async def start(house: House, table_id: str, guest: Guest, body: StartBody) -> None:
    """Start the game (host only). Repeating the request does no harm. Errors: NotHost, SeatsFree, BadSetup (only
    bots)."""
    async with house.hold(table_id, guest.id) as table, house.change(table) as change:
        must_host(change, guest)
        programs.may_act(guest, change.table, change.seats)
        if change.table.status == "waiting":
            await _start(change, table.game, guest, fill=body.bots)


async def _start(change: Change, game: Game, guest: Guest, *, fill: bool) -> None:
    """Start the game at a waiting table, and note notifications for all but the guest who starts it."""
    seats = list(change.seats)
    free = [seat.seat for seat in seats if seat.kind in ("open", "link")]
    if free and not fill:
        raise SeatsFree(
            f"These seats are still free: {', '.join(str(i + 1) for i in free)}. Wait for players, or seat bots."
        )
    for i in free:
        seats[i] = free_seat(game, change.table.id, i, "bot")
        await change.set_seat(i, **seats[i].kept())
    row, steps = begun(change.table, seats)
    if row.rated:
        await change.rate(row, seats)
    await change.set(
        status=row.status, rules=row.rules, commitment=row.commitment, names=row.names, words=row.words,
        touched=time.time(), began=row.began, due=row.due, turn=row.turn, turn_at=row.turn_at,
    )  # fmt: skip
    await change.add_steps(steps)
    await change.note("started", {seat.guest_id for seat in seats} - {guest.id})


def alike(row: TableRow, guest: Guest) -> TableRow:
    """Return a new waiting table with another's settings, for this host; it is not `committed` yet."""
    return msgspec.structs.replace(
        row, id=new_id(), status="waiting", host=guest.id, seed="", commitment="", names=[],
        words=[], rematch="", in_hand=-1, watched=False, given=0, origin="", ended="", day="", tournament="",
        created=time.time(), touched=time.time(), began=0.0, used=0.0, due=None, turn="", turn_at=0,
        held=False,
    )  # fmt: skip


def _must_have_person(seats: list[SeatRow]) -> None:
    """Raise BadSetup if all seats are bots'."""
    if all(seat.kind == "bot" for seat in seats):
        raise BadSetup(
            "A table needs at least one person: one seat must be yours, another person's on this device, open, or "
            "reserved by link.",
            allowed=["me", "here", "open", "link"],
        )


def begun(row: TableRow, seats: list[SeatRow], given: Sequence[int] = ()) -> tuple[TableRow, list[StepRow]]:
    """Return the row and first steps of a table at which the game starts, after the actions it is `given`; unchanged
    while a seat is free or reserved. Raises BadSetup if only bots would play."""
    _must_have_person(seats)
    if any(seat.kind in ("open", "link") for seat in seats):
        return row, []
    names = distinct_names([seat.called for seat in seats])
    rules = find(row.game).rules.VERSION  # a waiting table may have been created with other rules
    row = with_rules(row, rules, len(seats))
    row = msgspec.structs.replace(row, status="playing", names=names, words=[seat.words for seat in seats])
    match = replay(record_of(row, [], reveal=True), find)
    for action in given:
        match.advance(action)
    if not match.game.may_ask(match.state):  # otherwise chance comes after the answers, as in `moving`
        match.draw()
    if match.over:
        row = msgspec.structs.replace(row, status="over")
    now = time.time()
    row = msgspec.structs.replace(row, **clocks.first(row, seats, match, now).kept())
    return row, [StepRow(i, *step, at=now) for i, step in enumerate(match.steps)]


def new_id() -> str:
    """Return the address of a new table: 64 bits that no one can guess, and one word to double-click."""
    return secrets.token_hex(8)


def pace_of(pace: Pace) -> float:
    """Return the seconds of a pace. Raises BadInput."""
    if isinstance(pace, str):
        return PACES[pace]
    if not 0 <= pace <= SLOWEST:
        raise BadInput(f"The pace must be 0 to {SLOWEST:.0f} seconds.", allowed=PACES)
    return pace


def _open(change: Change) -> list[str]:
    return [f"seat {seat.seat}" for seat in change.seats if seat.kind == "open"]


def must_host(change: Change, guest: Guest) -> None:
    """Raise NotHost unless the guest is the table's host."""
    if change.table.host != guest.id:
        raise NotHost("Only the host of the table can do this.")


def must_wait(change: Change) -> None:
    """Raise AlreadyStarted unless the table waits for players."""
    if change.table.status != "waiting":
        raise AlreadyStarted("The game has already started.")


async def room_for(house: House, guest: Guest, row: TableRow) -> None:
    """Note at the guest's address that this table is about to be created. Raises TooManyTables."""
    await house.origins.must_have_room(guest.id)
    house.origins.made(guest.id, row.id)


async def opened(house: House, table_id: str, guest: Guest) -> None:
    async with house.hold(table_id, guest.id) as table:  # its creator opens it next; a bot that begins can start now
        house.announce(table)  # to lobbies
