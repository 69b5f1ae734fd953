"""Founding, joining and leading clubs, with the bodies of their requests.

Only accounts found and join clubs: a guest's cookie is gone with the browser, and members are to be known by a name
that no one else can have. People whom one of a club's leaders has blocked meet a club that only a link opens, and no
link that opens it.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from functools import partial
from typing import Annotated, Literal

import msgspec
import sqlalchemy as sa

from parlour.house.accounts import rows as account_rows
from parlour.house.accounts.guests import Guest, clean_club, clean_report
from parlour.house.accounts.names import likeness, reserved
from parlour.house.clubs import rows
from parlour.house.clubs.rows import LEADERS, Club, Entry
from parlour.house.clubs.seasons import rows as season_rows
from parlour.house.errors import BadInput, BadLink, Forbidden, NotClaimed, NotFound
from parlour.house.house import House
from parlour.house.profiles.deeds import PictureBody, picture_of
from parlour.house.table.play.seating import Body, ShownName, new_id

MOST_ABOUT = 300  # characters of a description

Token = Annotated[str, msgspec.Meta(max_length=64)]


class ClubBody(PictureBody, frozen=True, kw_only=True):
    """The name of a club, its description, its picture, and how people get in: `open` to every account, by
    request (`ask`), or only by its `link`, and then it is not listed."""

    name: Annotated[str, msgspec.Meta(max_length=200)]
    about: Annotated[str, msgspec.Meta(max_length=4 * MOST_ABOUT)] = ""
    entry: Entry = "ask"


class ClubTokenBody(Body, frozen=True):
    """The token of a club's link."""

    token: Token


class ClubAnswerBody(Body, frozen=True):
    """Whose request to join is accepted or, with `off`, declined."""

    name: ShownName
    off: bool = False


class ClubMemberBody(Body, frozen=True):
    """A member, by the name of their account."""

    name: ShownName


class ClubRoleBody(ClubMemberBody, frozen=True):
    """The same, and what they are from now on. A new owner takes the club over; the present one stays an organiser."""

    role: Literal["owner", "organiser", "member"]


# What a club is ------------------------------------------------------------------------------------
async def found(house: House, guest: Guest, body: ClubBody) -> str:
    """Found a club; return its id. Errors: NotClaimed, BadInput, NameTaken, TooMany."""
    _must_have_account(guest)
    row = _club(new_id(), _token(), body, time.time())
    await house.store.do(partial(rows.found, row=row, likeness=likeness(row.name), owner=guest.id))
    return row.id


async def change(house: House, club: str, guest: Guest, body: ClubBody) -> None:
    """Change what a club is called and how it looks (owner and organisers). Errors: NotFound, Forbidden, BadInput,
    NameTaken."""
    was = await led(house, club, guest)
    row = _club(was.id, was.token, body, was.created)
    await house.store.do(partial(rows.change, row=row, likeness=likeness(row.name)))


def _club(club: str, token: str, body: ClubBody, created: float) -> Club:
    name, about = clean_club(body.name), clean_report(body.about, MOST_ABOUT)
    if reserved(name):
        raise BadInput(f"“{name}” is reserved. Please choose another name for the club.")
    return Club(club, token, name, about, picture_of(body), body.entry, created)


async def renew(house: House, club: str, guest: Guest) -> str:
    """Make the link of a club anew (owner and organisers); return its token. Errors: NotFound, Forbidden."""
    await led(house, club, guest)
    token = _token()
    await house.store.do(partial(rows.renew, club=club, token=token))
    return token


async def delete(house: House, club: str, guest: Guest) -> None:
    """Delete a club (owner only). Its tournaments stay. Errors: NotFound, Forbidden."""
    await owned(house, club, guest)
    await house.store.do(partial(rows.delete, club=club))


# Joining and leaving -------------------------------------------------------------------------------
async def join(house: House, club: str, guest: Guest) -> rows.Standing:
    """Join a club that is open, or ask to join it; return what the guest is there now. Errors: NotFound, NotClaimed,
    Forbidden (only a link opens it), TooMany."""
    _must_have_account(guest)
    now = time.time()

    def enter(connection: sa.Connection) -> rows.Standing:
        row = rows.club(connection, club)
        if role := rows.role(connection, club, guest.id):
            return role
        if row.entry == "link" or rows.is_shut(connection, club, guest.id):
            raise Forbidden("This club can only be joined by its link. Ask a member for it.")
        if row.entry == "open":
            rows.join(connection, club, guest.id, now)
            return "member"
        rows.ask(connection, club, guest.id, now)
        return "asked"

    return await house.store.do(enter)


async def join_by_link(house: House, guest: Guest, body: ClubTokenBody) -> str:
    """Join a club by its link; return its id. Errors: BadLink, NotClaimed, TooMany."""
    _must_have_account(guest)

    def enter(connection: sa.Connection) -> str:
        club = linked(connection, body.token, guest.id).id
        rows.join(connection, club, guest.id, time.time())
        return club

    return await house.store.do(enter)


def linked(connection: sa.Connection, token: str, guest: str) -> Club:
    """Return the club to which a link leads this guest. Raises BadLink, including when a leader has blocked them."""
    try:
        club = rows.club(connection, token=token)
    except NotFound:
        club = None
    if club is None or rows.is_shut(connection, club.id, guest):
        raise BadLink("This link isn't valid here, or a newer one has replaced it. Ask for a new one.")
    return club


async def leave(house: House, club: str, guest: Guest) -> None:
    """Leave a club and its seasons, or withdraw a request. Errors: NotFound, Forbidden (the owner)."""

    def go(connection: sa.Connection) -> None:
        rows.leave(connection, club, guest.id)
        season_rows.withdraw_from_club(connection, club, guest.id, time.time())

    await house.store.do(go)


# Leading -------------------------------------------------------------------------------------------
async def answer(house: House, club: str, guest: Guest, body: ClubAnswerBody) -> None:
    """Accept or decline a request to join (owner and organisers). Errors: NotFound (also without a request), Forbidden,
    TooMany."""
    await led(house, club, guest)
    asker = await _account(house, body.name)
    work = rows.decline if body.off else rows.accept
    await house.store.do(partial(work, club=club, guest=asker, now=time.time()))


async def remove(house: House, club: str, guest: Guest, body: ClubMemberBody) -> None:
    """Take a member out of a club: organisers can remove members, the owner everyone else. Errors: NotFound,
    Forbidden."""
    await led(house, club, guest)
    other = await _account(house, body.name)

    def go(connection: sa.Connection) -> None:
        mine, theirs = rows.role(connection, club, guest.id), rows.role(connection, club, other)
        _must_be_member(theirs, body.name)
        if other == guest.id or (theirs in LEADERS and mine != "owner"):
            raise Forbidden("Only the owner can remove an organiser, and no one removes themselves. You can leave.")
        rows.leave(connection, club, other)
        season_rows.withdraw_from_club(connection, club, other, time.time())

    await house.store.do(go)


async def set_role(house: House, club: str, guest: Guest, body: ClubRoleBody) -> None:
    """Make a member an organiser or the owner, or end that (owner only). Errors: NotFound, Forbidden, TooMany."""
    await owned(house, club, guest)
    other = await _account(house, body.name)

    def give(connection: sa.Connection) -> None:
        rows.club(connection, club, hold=True)
        _must_be_member(rows.role(connection, club, other), body.name)
        if other == guest.id or rows.role(connection, club, guest.id) != "owner":
            raise Forbidden("You own this club. To stop, make another member the owner.")
        rows.set_role(connection, club, other, body.role)

    await house.store.do(give)


async def led(house: House, club: str, guest: Guest) -> Club:
    """Return a club that a guest leads, as its owner or an organiser. Errors: NotFound, Forbidden."""
    return await _mine(house, club, guest, lambda role: role in LEADERS, "Only the owner and organisers can do this.")


async def owned(house: House, club: str, guest: Guest) -> Club:
    """Return a club that a guest owns. Errors: NotFound, Forbidden."""
    return await _mine(house, club, guest, lambda role: role == "owner", "Only the owner of the club can do this.")


async def _mine(house: House, club: str, guest: Guest, may: Callable[[str], bool], refusal: str) -> Club:
    def look(connection: sa.Connection) -> tuple[Club, str]:
        return rows.club(connection, club), rows.role(connection, club, guest.id)

    row, role = await house.store.look(look)
    if not may(role):
        raise Forbidden(refusal)
    return row


async def _account(house: House, name: str) -> str:
    """Return the id of the account with this name. Raises NotFound."""
    found = await house.store.look(partial(account_rows.owner, likeness=likeness(name)))
    if found is None:
        raise NotFound("No account here has this name.")
    return found


def _must_be_member(role: str, name: str) -> None:
    if not role:
        raise NotFound(f"{name} is not in this club.")


def _must_have_account(guest: Guest) -> None:
    if not guest.claimed:
        raise NotClaimed("You need an account to found or join a club. Create one under You (/me).")


def _token() -> str:
    return secrets.token_urlsafe(12)
