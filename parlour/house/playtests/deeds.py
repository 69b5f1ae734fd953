"""What designers and players do with playtests, with the bodies of their requests.

A player is asked once whether we may take notes, and plays the same without. Of players who did not agree nothing is
noted, not even that they were asked: their browser remembers it.
"""

from __future__ import annotations

import secrets
import time
from functools import partial
from typing import Annotated

import msgspec

from parlour.core import fields
from parlour.core.changes import as_toml
from parlour.core.clauses import clauses
from parlour.core.edition import Edition, named
from parlour.core.errors import BadSetup, UnknownName
from parlour.core.game import Game
from parlour.games import find
from parlour.house.accounts.guests import Guest, clean_name, clean_report
from parlour.house.editions.deeds import Changes, chosen
from parlour.house.errors import (
    AlreadyStarted,
    BadLink,
    Forbidden,
    NotFound,
    NotOver,
    NotSeated,
    SeatTaken,
    UnknownTable,
)
from parlour.house.house import House
from parlour.house.playtests import rows
from parlour.house.playtests.rows import TITLE, Answers, EditionRow, Kind, Note, Playtest
from parlour.house.table.live.journal import committed
from parlour.house.table.live.table import Table
from parlour.house.table.play import seating
from parlour.house.table.play.seating import MOST_OPTIONS, MOST_SEATS, Body, SitBody, begun, new_id
from parlour.house.table.storage.rows import SeatRow, TableRow

MOST_WORDS = 500  # characters of an answer
ARMS = "AB"

Token = Annotated[str, msgspec.Meta(max_length=64)]
OneToFive = Annotated[int, msgspec.Meta(ge=1, le=5)]
OneToThree = Annotated[int, msgspec.Meta(ge=1, le=3)]


class EditionWish(Body, frozen=True):
    """An edition of the game, and changed values by path, as for a table."""

    edition: Annotated[str, msgspec.Meta(max_length=64)] | None = None
    changes: Changes = msgspec.field(default_factory=dict)


class PlaytestBody(Body, frozen=True):
    """A new playtest: the game, with one edition, or two that are compared; and for how many players."""

    name: Annotated[str, msgspec.Meta(max_length=200)]
    game: str
    editions: Annotated[list[EditionWish], msgspec.Meta(min_length=1, max_length=2)]
    options: Annotated[dict[str, str | bool | int], msgspec.Meta(max_length=MOST_OPTIONS)] = msgspec.field(
        default_factory=dict
    )
    seats: Annotated[int, msgspec.Meta(ge=1, le=MOST_SEATS)] | None = None


class OpenBody(Body, frozen=True):
    """Whether the link opens further tables."""

    open: bool


class JoinBody(Body, frozen=True):
    """The token of the link; and whether the player agrees to notes now."""

    token: Token
    agree: bool = False


class ConsentBody(Body, frozen=True):
    """Whether the player agrees to notes; if not, all notes of them are deleted."""

    agree: bool


class NoteBody(Body, frozen=True):
    """The page showed that a clause forbids something (`refused`), or the player opened the clause (`opened`)."""

    kind: Kind
    clause: Annotated[str, msgspec.Meta(max_length=16)]


class AnswersBody(Body, frozen=True):
    """The answers after a game: how much fun it was and how clear the rules were (1 to 5), how long it felt (1 too
    short, 2 right, 3 too long), whether they would play it again (1 no, 2 perhaps, 3 yes), and what they would
    change."""

    fun: OneToFive
    clear: OneToFive
    length: OneToThree
    again: OneToThree
    words: Annotated[str, msgspec.Meta(max_length=4 * MOST_WORDS)] = ""


# Of designers --------------------------------------------------------------------------------------
async def make(house: House, guest: Guest, body: PlaytestBody) -> Playtest:
    """Make a playtest. Errors: UnknownName, BadSetup (BadParts names each wrong value), BadInput, TooMany."""
    game = find(body.game)
    options, seats = game.options(body.options), body.seats or max(2, game.facts.players[0])
    arms = []
    for arm, wish in zip(ARMS, body.editions, strict=False):
        edition = _edition(game, wish, among=len(body.editions))
        game.start(seats, edition, options)
        arms.append(EditionRow(arm, edition.base or edition.name, _lines(game, edition), edition.parts))
    if len(arms) == 2 and arms[0].parts == arms[1].parts:
        raise BadSetup("The two editions are the same. Change a value of one, or compare nothing.")
    row = Playtest(
        new_id(), secrets.token_urlsafe(9), guest.id, clean_name(body.name), game.name, options, seats, time.time()
    )
    await house.store.do(partial(rows.make, row=row, editions=arms))
    return row


def _edition(game: Game, wish: EditionWish, among: int) -> Edition:
    """Return the wished edition. Where two are compared both have the same name. Errors: UnknownName, BadInput,
    BadParts."""
    edition = chosen(game, wish.edition, wish.changes)
    return named(game.named(wish.edition), edition.parts, TITLE) if among > 1 else edition


def _lines(game: Game, edition: Edition) -> str:
    """Return what differs in an edition, a line for each value: `deck.gold = 5`."""
    base = game.named(edition.base or edition.name)
    return "\n".join(f"{one.entry.path} = {as_toml(one.after)}" for one in fields.differences(base, edition))


async def owned(house: House, playtest: str, guest: Guest) -> Playtest:
    """Return a guest's own playtest. Of others it doesn't say whether they exist. Raises NotFound."""
    found = await house.store.look(partial(rows.playtest, playtest=playtest))
    if found.guest != guest.id:
        raise NotFound("There is no such playtest. It may have been deleted.")
    return found


async def set_open(house: House, playtest: str, guest: Guest, body: OpenBody) -> None:
    """Let the link open further tables, or no longer (designer only). Raises NotFound."""
    await owned(house, playtest, guest)
    await house.store.do(partial(rows.set_open, playtest=playtest, on=body.open))


async def delete(house: House, playtest: str, guest: Guest) -> None:
    """Delete a playtest with all notes (designer only). Its tables stay as ordinary ones. Raises NotFound."""
    await owned(house, playtest, guest)
    for table in await house.store.do(partial(rows.delete_one, playtest=playtest)):
        await house.learn(table)


# Of players ----------------------------------------------------------------------------------------
async def join(house: House, guest: Guest, body: JoinBody) -> str:
    """Seat a guest at a table of a playtest: one that waits for players, else a new one; return its id. Errors:
    BadLink, Forbidden (the link is closed; a player has blocked them), TooMany, TooManyTables."""
    try:
        found = await house.store.look(partial(rows.playtest, token=body.token))
    except NotFound:
        raise BadLink("This link isn't valid here, or its playtest was deleted.") from None
    if body.agree:
        await house.store.do(partial(rows.agree, playtest=found.id, guest=guest.id))
    for table in await house.store.look(partial(rows.waiting, playtest=found.id, guest=guest.id)):
        try:
            await seating.sit(house, table, guest, SitBody())
        except (AlreadyStarted, Forbidden, SeatTaken, UnknownTable):  # others were faster, or blocked this guest
            continue
        return table
    if not found.open:
        raise Forbidden("This playtest opens no further tables. Ask the person who sent you the link.")
    return await _open(house, guest, found)


async def _open(house: House, guest: Guest, playtest: Playtest) -> str:
    """Open a table of a playtest, with the edition that the fewest of its tables have, and seat the guest there."""
    game = find(playtest.game)
    arm, among = await house.store.look(partial(rows.next_arm, playtest=playtest.id))
    edition = named(game.named(arm.edition), arm.parts, TITLE if among > 1 else "")
    row = TableRow(
        id=new_id(), game=game.name, rules=game.rules.VERSION, edition=edition.name, parts=arm.parts,
        options=playtest.options, public=False, pace=seating.PACES["normal"], status="waiting", host=guest.id, seed="",
        commitment="", names=[], words=[], rematch="", created=time.time(), touched=time.time(),
        playtest=playtest.id, arm=arm.arm,
    )  # fmt: skip
    row = committed(row, playtest.seats)
    seats = [
        SeatRow(row.id, i, "open") if i else SeatRow(row.id, 0, "guest", guest_id=guest.id, name=guest.name)
        for i in range(playtest.seats)
    ]
    row, steps = begun(row, seats)
    await seating.room_for(house, guest, row)
    also = partial(rows.must_have_room, playtest=playtest.id)
    await house.store.create(row, seats, steps, also)
    await seating.opened(house, row.id, guest)
    return row.id


async def consent(house: House, playtest: str, guest: Guest, body: ConsentBody) -> None:
    """Agree to notes, or withdraw that, which deletes them. Errors: NotSeated (to agree), NotFound, TooMany."""
    work = rows.agree_seated if body.agree else rows.withdraw
    await house.store.do(partial(work, playtest=playtest, guest=guest.id))


async def note(house: House, table_id: str, guest: Guest, body: NoteBody) -> bool:
    """Note what a player's page refused, or a clause that they opened; return whether it was stored. Errors:
    UnknownTable, NotFound (no playtest), NotSeated, UnknownName (clause)."""
    table = await _playing(house, table_id, guest)
    if body.clause not in clauses(table.game):
        raise UnknownName(f"The rules of {table.game.text.TITLE} have no clause {body.clause!r}.")
    row = Note(table_id, 0, body.kind, body.clause, time.time())
    return await house.store.do(partial(rows.note, playtest=table.row.playtest, guest=guest.id, row=row))


async def answer(house: House, table_id: str, guest: Guest, body: AnswersBody) -> bool:
    """Store a player's answers after a game; return whether they were stored. Errors: UnknownTable, NotFound (no
    playtest), NotSeated, NotOver, BadInput."""
    table = await _playing(house, table_id, guest)
    if not (table.over or table.closed):
        raise NotOver("The game is not over yet.")
    words = clean_report(body.words, MOST_WORDS)
    row = Answers(table_id, 0, body.fun, body.clear, body.length, body.again, words, time.time())
    return await house.store.do(partial(rows.answer, playtest=table.row.playtest, guest=guest.id, row=row))


async def _playing(house: House, table_id: str, guest: Guest) -> Table:
    """Return a table of a playtest at which a guest plays. Notes never wait for a move, nor a move for them."""
    table = await house.table(table_id)
    if not table.row.playtest:
        raise NotFound("This table belongs to no playtest.")
    if all(seat.guest_id != guest.id for seat in table.seats):
        raise NotSeated("You don't play at this table.")
    return table
