"""What a moderator does. Each action is logged in the transaction that does it."""

from __future__ import annotations

import contextlib
import time
from functools import partial
from typing import Annotated, Literal, NamedTuple

import msgspec
import sqlalchemy as sa

from parlour.house.accounts import rows as account_rows
from parlour.house.accounts.deeds import new_link
from parlour.house.accounts.guests import clean_club, clean_report
from parlour.house.accounts.names import likeness, reserved
from parlour.house.admin import rows
from parlour.house.admin.rows import Ban
from parlour.house.clubs import rows as club_rows
from parlour.house.clubs.seasons import rows as season_rows
from parlour.house.errors import AlreadyStarted, BadInput, NotFound, OtherHouse, UnknownTable
from parlour.house.house import House
from parlour.house.notify import outbox
from parlour.house.ratings.matchmaking import deeds as matchmaking_deeds
from parlour.house.social import rows as social_rows
from parlour.house.table.play import seating
from parlour.house.table.play.seating import Body
from parlour.house.table.storage import queries
from parlour.house.tournaments import rows as tournament_rows

HOUR = 3600.0
LENGTHS: dict[str, tuple[str, float | None]] = {
    "hour": ("an hour", HOUR), "day": ("a day", 24 * HOUR), "week": ("a week", 7 * 24 * HOUR),
    "month": ("30 days", 30 * 24 * HOUR), "year": ("a year", 365 * 24 * HOUR), "ever": ("good", None),
}  # fmt: skip
MOST_MESSAGE = 200  # characters of the message to a banned person
MOST_NOTICE = 300
MOST_REASON, LEAST_REASON = 300, 10
REASON_LASTS = 600.0  # seconds for which a reason is valid
RESET_HOURS = 24  # hours for which a password reset link works

Number = Annotated[int, msgspec.Meta(ge=1, lt=2**31)]
Words = Annotated[str, msgspec.Meta(max_length=4 * MOST_NOTICE)]


class BanBody(Body, frozen=True):
    """A ban: of a guest's id or a network, its length, and a message to the banned person."""

    length: Literal["hour", "day", "week", "month", "year", "ever"]
    guest: Annotated[str, msgspec.Meta(max_length=32)] = ""
    network: Annotated[str, msgspec.Meta(max_length=64)] = ""
    words: Words = ""


class LiftBody(Body, frozen=True):
    """The ban to end."""

    id: Annotated[str, msgspec.Meta(max_length=10)]


class ReportBody(Body, frozen=True):
    """The report to close, or with `again` to reopen; and what was done."""

    id: Annotated[str, msgspec.Meta(max_length=10)]
    words: Words = ""
    again: Annotated[str, msgspec.Meta(max_length=3)] = ""


class NoticeBody(Body, frozen=True):
    """The notice to everyone; an empty text removes it."""

    text: Words = ""


class LookBody(Body, frozen=True):
    """Why a moderator looks at a table's hidden information."""

    table: Annotated[str, msgspec.Meta(max_length=64)]
    words: Words


class ResetBody(Body, frozen=True):
    """Whose password to reset, and how the moderator knows that it is them."""

    guest: Annotated[str, msgspec.Meta(max_length=32)]
    words: Words


class CancelBody(Body, frozen=True):
    """The tournament to cancel, and why: its players read that."""

    tournament: Annotated[str, msgspec.Meta(max_length=16)]
    words: Words


class RenameBody(Body, frozen=True):
    """The club to rename, and its new name."""

    club: Annotated[str, msgspec.Meta(max_length=16)]
    name: Words


class DissolveBody(Body, frozen=True):
    """The club to delete, and why: the players of its tournaments read that."""

    club: Annotated[str, msgspec.Meta(max_length=16)]
    words: Words


class Moderator(NamedTuple):
    """The present moderator: what is stored of their session."""

    id: str


async def ban(house: House, moderator: Moderator, body: BanBody) -> int:
    """Ban a guest or a network; return the ban's number. Their open pages end, and a bot plays on in a guest's seats.
    Errors: BadInput, NotFound, TooMany."""
    if bool(body.guest) == bool(body.network):
        raise BadInput("Ban either a guest or a network, not both.", allowed=["guest", "network"])
    now, length = time.time(), LENGTHS[body.length][1]
    network = rows.network_of(body.network) if body.network else ""
    row = Ban(
        0, body.guest, network, None if length is None else now + length, clean_report(body.words, MOST_MESSAGE), now
    )

    def work(connection: sa.Connection) -> int:
        if row.guest and rows.somebody(connection, row.guest).name is None and not _sits(connection, row.guest):
            raise NotFound("There is no guest with this id.")
        rows.act(
            connection, moderator.id, "ban", row.guest or row.network, f"for {LENGTHS[body.length][0]}. {row.words}"
        )
        return rows.ban(connection, row)

    number = await house.store.do(work)
    await house.bans_changed()
    if body.guest:
        house.soon(_put_out(house, body.guest))
    return number


def _sits(connection: sa.Connection, guest: str) -> bool:
    return bool(rows.tables(connection, "", 0, guest)[0] or rows.said_by(connection, guest, 1))


async def put_out(house: House) -> None:
    """Unseat banned guests who still sit somewhere because the house went down. Errors: StoreFailed."""
    for guest in await house.store.look(partial(rows.banned_sitting, now=time.time())):
        await _put_out(house, guest)


async def _put_out(house: House, guest: str) -> None:
    """Unseat a banned guest: a bot plays on in their seats, and they leave waiting tables. Tables that a newer Parlour
    made are left to its own processes, which call `put_out` at intervals."""
    found = await house.guests.guest(guest)
    await matchmaking_deeds.stop(house, found)
    for table in await house.store.look(partial(queries.named_at, guest=guest)):
        with contextlib.suppress(UnknownTable, OtherHouse):
            await seating.leave(house, table, found)


async def lift(house: House, moderator: Moderator, body: LiftBody) -> None:
    """End a ban. Errors: NotFound."""

    def work(connection: sa.Connection) -> None:
        found = rows.lift(connection, number_of(body.id), time.time())
        if found is None:
            raise NotFound("There is no ban with this number in force.")
        rows.act(connection, moderator.id, "lift", found.guest or found.network, "")

    await house.store.do(work)
    await house.bans_changed()


async def finish(house: House, moderator: Moderator, body: ReportBody) -> None:
    """Close or reopen a report. Errors: NotFound, BadInput."""
    words, number = clean_report(body.words, MOST_REASON), number_of(body.id)

    def work(connection: sa.Connection) -> None:
        now = time.time()
        if (found := social_rows.finish(connection, number, None if body.again else now)) is None:
            raise NotFound("There is no report with this number, or it is already in this state.")
        if not body.again:
            outbox.note(connection, "report", "", [found.guest], now)
        rows.act(connection, moderator.id, "reopen" if body.again else "done", str(number), words)

    await house.store.do(work)


async def publish(house: House, moderator: Moderator, body: NoticeBody) -> None:
    """Publish a notice to everyone, in place of the last one. Errors: BadInput."""
    text = clean_report(body.text, MOST_NOTICE)

    def work(connection: sa.Connection) -> None:
        number = rows.publish(connection, text, time.time())
        rows.act(connection, moderator.id, "notice" if text else "withdraw", str(number or ""), text)

    await house.store.do(work)
    await house.bans_changed()


async def look(house: House, moderator: Moderator, body: LookBody) -> int:
    """Log why a moderator looks at a table's hidden information; return the entry's number. Errors: BadInput,
    UnknownTable."""
    words = _reason(body.words)
    async with house.hold(body.table):
        pass
    return await house.store.do(lambda connection: rows.act(connection, moderator.id, "look", body.table, words))


def _reason(words: str) -> str:
    words = clean_report(words, MOST_REASON)
    if len(words) < LEAST_REASON:
        raise BadInput(f"Write a reason of at least {LEAST_REASON} characters. It stays in the log.")
    return words


async def reset(house: House, moderator: Moderator, body: ResetBody) -> str:
    """Create a password reset link; return the part behind its #. Errors: BadInput, NotFound."""
    words = _reason(body.words)

    def work(connection: sa.Connection) -> str:
        if account_rows.account(connection, guest=body.guest) is None:
            raise NotFound("There is no account with this id.")
        return reset_link(connection, moderator.id, body.guest, RESET_HOURS, words)

    return await house.store.do(work)


def reset_link(connection: sa.Connection, moderator: str, person: str, hours: float, words: str) -> str:
    """Create a password reset link, and log its creator ("" for the command line) and the reason; return the part
    behind its #. Anyone who opens it gets the account, so it is logged before it is returned."""
    token, row = new_link(person, "reset", time.time() + hours * HOUR)
    account_rows.make_link(connection, row)
    rows.act(connection, moderator, "reset", person, words)
    return token


# Tournaments and clubs -----------------------------------------------------------------------------
async def cancel(house: House, moderator: Moderator, body: CancelBody) -> None:
    """Cancel a tournament for a reason that its players read. Games in progress continue at their tables. Errors:
    BadInput, NotFound, AlreadyStarted (it is over)."""
    words = _reason(body.words)

    def work(connection: sa.Connection) -> None:
        if not _cancelled(connection, body.tournament, f"A moderator cancelled it: {words}"):
            raise AlreadyStarted("This tournament is over, or was cancelled.")
        rows.act(connection, moderator.id, "cancel", body.tournament, words)

    await house.store.do(work)


def _cancelled(connection: sa.Connection, tournament: str, reason: str) -> bool:
    """Cancel a tournament, and return whether it was under way."""
    sentence = reason if reason.endswith((".", "!", "?", "…")) else f"{reason}."
    return tournament_rows.end(connection, tournament, "cancelled", time.time(), sentence)


async def rename(house: House, moderator: Moderator, body: RenameBody) -> None:
    """Rename a club, and the tournaments of its seasons, which have its name. Errors: BadInput, NotFound, NameTaken."""
    name = clean_club(body.name)
    if reserved(name):
        raise BadInput(f"“{name}” is reserved. Please choose another name for the club.")

    def work(connection: sa.Connection) -> None:
        club = club_rows.club(connection, body.club, hold=True)
        club_rows.change(connection, club._replace(name=name), likeness(name))
        season_rows.rename(connection, body.club, club.name, name)
        rows.act(connection, moderator.id, "rename", body.club, f"From “{club.name}” to “{name}”")

    await house.store.do(work)


async def dissolve(house: House, moderator: Moderator, body: DissolveBody) -> None:
    """Delete a club with its members, requests and seasons. Its tournaments under way are cancelled for a reason that
    their players read; games in progress continue. Those that are over stay. Errors: BadInput, NotFound."""
    words = _reason(body.words)

    def work(connection: sa.Connection) -> None:
        club = club_rows.club(connection, body.club, hold=True)
        for tournament in tournament_rows.under_way_in(connection, body.club):
            _cancelled(connection, tournament, f"A moderator deleted its club: {words}")
        club_rows.delete(connection, body.club)
        rows.act(connection, moderator.id, "dissolve", body.club, f"“{club.name}”: {words}")

    await house.store.do(work)


async def leave(house: House, moderator: Moderator) -> None:
    """End the moderator's session."""
    await house.store.do(partial(rows.leave, moderator=moderator.id))


def number_of(text: str) -> int:
    """Return a number that a form sent. Raises BadInput."""
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 2**31):
        raise BadInput("This isn't a valid number.")
    return int(text)
