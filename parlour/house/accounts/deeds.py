"""Creating an account, signing in and out, sessions, and links that sign in another device.

An account is the guest who claimed its name, with a password or a passkey (`accounts.passkeys.deeds`): they keep
everything they had, under the same id. Anyone who signs in elsewhere is that guest there. What the guest of that
browser had comes along if they wish (see `accounts.rows.join`); otherwise the browser is that guest again after signing
out.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import Annotated, NamedTuple

import msgspec
import sqlalchemy as sa

from parlour.house.accounts import recovery, rows
from parlour.house.accounts.guests import Guest, Pass, clean_name
from parlour.house.accounts.names import likeness, reserved
from parlour.house.accounts.passkeys.challenges import Credential
from parlour.house.accounts.proving import Device, Password, Proof, must_be, must_have_claimed
from parlour.house.accounts.rows import LinkKind, LinkRow, SessionRow
from parlour.house.database.keys import link_id
from parlour.house.database.store import Conflict
from parlour.house.errors import AlreadyClaimed, BadInput, BadLink, TooFast, WrongPassword
from parlour.house.house import House
from parlour.house.notify import channels
from parlour.house.social import rows as social_rows
from parlour.house.table.live import clocks
from parlour.house.table.play.seating import Body, ShownName

MINUTES = 5  # for which a link to another device works
Token = Annotated[str, msgspec.Meta(max_length=64)]


class ClaimBody(Body, frozen=True):
    """The name and password of a new account."""

    name: ShownName
    password: Password


class SignInBody(Body, frozen=True):
    """An account's name and password. With `bring`, the data of this browser's guest moves to the account."""

    name: ShownName
    password: Password
    bring: bool = True


class PasswordBody(Body, frozen=True):
    """The new password, and the present one, or a passkey's answer if the account has no password."""

    new: Password
    password: Password = ""
    answer: Credential | None = None


class PreferenceBody(Body, frozen=True):
    """A setting and its new value, as `GET /me` shows them."""

    name: Annotated[str, msgspec.Meta(max_length=16)]
    value: Annotated[str, msgspec.Meta(max_length=16)]


class EndSessionBody(Body, frozen=True):
    """The session to end; "" for all but this one."""

    id: Annotated[str, msgspec.Meta(max_length=32)] = ""


class TokenBody(Body, frozen=True):
    """The part of a link behind its #."""

    token: Token


class LostBody(Body, frozen=True):
    """The name whose password is lost."""

    name: ShownName


class LinkBody(TokenBody, frozen=True):
    """The same, to sign in with. `password` is the new one, if the link resets a password."""

    password: Password = ""
    bring: bool = True


class LinkTarget(msgspec.Struct, frozen=True):
    """Whom a link signs in, and its purpose: another `device`, or a password `reset`."""

    name: str
    kind: LinkKind


class Link(NamedTuple):
    """A new link: the part behind its #, and when it expires (seconds since 1970)."""

    token: str
    until: float


# A name --------------------------------------------------------------------------------------------
class Claim(NamedTuple):
    """How a name is claimed: with a hashed password, "" for none, and what else to write in the same transaction."""

    name: str
    password: str
    browser: str
    also: Callable[[sa.Connection], None] = lambda _: None


async def claim(house: House, guest: Guest, body: ClaimBody, browser: str) -> Pass:
    """Create an account for the guest; return the content of its cookie. Errors: AlreadyClaimed, BadInput (name,
    password), NameTaken, Busy."""
    name = await may_claim(house, guest, body.name)
    return await take(house, guest, Claim(name, await house.passwords.hash(body.password), browser))


async def may_claim(house: House, guest: Guest, wish: str) -> str:
    """Return the name that a guest may claim. Errors: AlreadyClaimed, BadInput, NameTaken."""
    if guest.claimed:
        raise AlreadyClaimed("You already have an account. You can change its name.")
    name = clean_name(wish)
    if not any(one.isalnum() for one in name):  # its page must have an address
        raise BadInput("An account's name needs at least one letter or digit.")
    if reserved(name):
        raise BadInput(f"“{name}” is reserved. Please choose another name.")
    if await house.store.look(partial(rows.taken, likenesses=[likeness(name)])):
        raise await house.guests.taken(name)
    return name


async def take(house: House, guest: Guest, claim: Claim) -> Pass:
    """Claim a name for the guest, as `claim` does. Errors: AlreadyClaimed, NameTaken, and those of `claim.also`."""
    name = claim.name
    row = _session(guest.id, claim.browser)

    def work(connection: sa.Connection) -> None:
        rows.claim(connection, guest.id, name, likeness(name), claim.password)
        claim.also(connection)
        rows.begin_session(connection, row)
        channels.bind(connection, guest.id, "", row.id)

    try:
        await house.store.do(work)
    except Conflict:  # another tab or another guest was faster
        if (await house.store.ask(partial(rows.who, guest=guest.id))).claimed:
            await house.known_again(guest.id)
            raise AlreadyClaimed("You've already created an account in another window.") from None
        raise await house.guests.taken(name) from None
    await house.known_again(guest.id)
    await _tell_tables(house, guest.id)
    return Pass(guest.id, row.id)


async def sign_in(house: House, guest: Guest, session: str, body: SignInBody, browser: str) -> Pass:
    """Sign in with name and password; return the content of the cookie. Errors: WrongPassword, Busy."""
    alike = likeness(body.name)
    found = await house.store.look(partial(rows.account, likeness=alike))
    # An account without a password is treated like none, and takes as long.
    kept = found.password or None if found else None
    if not await house.passwords.fits(body.password, kept) or found is None:
        raise WrongPassword("The name or the password is wrong.")
    return await enter(house, guest, session, found.id, browser, bring=body.bring)


async def sign_out(house: House, guest: Guest, session: str) -> Pass:
    """Sign out here; return who this browser is from now on. Errors: NotClaimed."""
    must_have_claimed(guest)
    ended = await house.store.do(partial(rows.end_sessions, guest=guest.id, only=session))
    await house.known_again(guest.id)
    before = ended[0].before if ended else ""
    if before and not (await house.guests.who(before)).claimed:
        return Pass(before)
    return Pass(house.guests.new())


async def change_password(house: House, guest: Guest, session: str, body: PasswordBody, device: Device) -> Pass:
    """Change the password, or set a first one. All sessions end, including this one; return the new one. Errors:
    BadInput, and those of `must_be`."""
    await must_be(house, guest, Proof("password", body.password, body.answer, device.site))
    return await _with_password(house, guest.id, body.new, session, device.browser)


async def _with_password(house: House, person: str, password: str, session: str, browser: str) -> Pass:
    kept = await house.passwords.hash(password)
    row = _session(person, browser)

    def work(connection: sa.Connection) -> None:
        rows.set_password(connection, person, kept)
        browsers = channels.of_session(connection, session)
        ended = rows.end_sessions(connection, person)
        before = next((one.before for one in ended if one.id == session), "")
        rows.begin_session(connection, row._replace(before=before))
        channels.keep(connection, browsers, row.id)

    await house.store.do(work)
    await house.known_again(person)
    return Pass(person, row.id)


# Sessions ------------------------------------------------------------------------------------------
async def end_sessions(house: House, guest: Guest, session: str, body: EndSessionBody) -> None:
    """End a session, or all but this one. Their pages are signed out within seconds. Errors: NotClaimed, BadInput (the
    current session, which signing out ends)."""
    must_have_claimed(guest)
    if body.id == session:
        raise BadInput("This is your current session. Sign out instead.")
    await house.store.do(partial(rows.end_sessions, guest=guest.id, only=body.id, but=session))
    await house.known_again(guest.id)


# Links ---------------------------------------------------------------------------------------------
async def device_link(house: House, guest: Guest) -> Link:
    """Create a link that signs in another device, once. Errors: NotClaimed."""
    must_have_claimed(guest)
    token, row = new_link(guest.id, "device", time.time() + MINUTES * 60)
    await house.store.do(partial(rows.make_link, row=row))
    return Link(token, row.until)


async def say_lost(house: House, body: LostBody) -> None:
    """Note that a name's password is lost. Nothing is looked up here: the house does that later (`notify.jobs`), so
    the answer and its time don't depend on whether the name and an email address exist. Errors: BadInput (this house
    sends no mail), TooFast."""
    if house.post is None:
        raise BadInput("This house doesn't send email. Ask its operator for a reset link.")
    if not await house.store.do(partial(recovery.ask, likeness=likeness(body.name))):
        raise TooFast("Too many password resets were requested. Please try again in a minute.", wait=60, kind="mail")


def new_link(person: str, kind: LinkKind, until: float) -> tuple[str, LinkRow]:
    """Return the part behind the # of a new link, and its row, which is of no use to anyone who reads the database."""
    token = secrets.token_urlsafe(24)
    return token, LinkRow(link_id(token), person, kind, until)


async def look_at_link(house: House, body: TokenBody) -> LinkTarget:
    """Return whom a link would sign in, without using it up. Errors: BadLink."""
    found = _must_be_good(await house.store.look(partial(rows.link, link_id=link_id(body.token))))
    return LinkTarget((await house.guests.guest(found.guest_id)).name, found.kind)


async def use_link(house: House, guest: Guest, session: str, body: LinkBody, browser: str) -> Pass:
    """Sign in with a link, which is used up; return the content of the cookie. Errors: BadLink, BadInput (password),
    Busy."""
    key = link_id(body.token)
    found = _must_be_good(await house.store.look(partial(rows.link, link_id=key)))
    kept = await house.passwords.hash(body.password) if found.kind == "reset" else ""

    def use(connection: sa.Connection) -> None:
        if rows.use_link(connection, key, time.time()) is None:  # another request was faster
            _must_be_good(rows.link(connection, key))
            raise BadLink(USED)
        if kept:
            rows.set_password(connection, found.guest_id, kept)
            rows.end_sessions(connection, found.guest_id)

    # Anyone holding the device may create such a link; their own email address must not become the recovery address.
    return await enter(
        house, guest, session, found.guest_id, browser, bring=body.bring, first=use, email=found.kind == "reset"
    )


USED = (
    "This link has already been used, and each link works once. Create a new one on a device where you're signed in, "
    "or ask for one."
)


def _must_be_good(found: LinkRow | None) -> LinkRow:
    if found is None:
        raise BadLink("This link isn't valid here, or a newer one has replaced it. Please ask for a new one.")
    if found.used:
        raise BadLink(USED)
    if found.until <= time.time():
        good = f"{MINUTES} minutes" if found.kind == "device" else "a limited time"
        raise BadLink(f"This link has expired: it worked for {good}. Create a new one, or ask for one.")
    return found


# ---------------------------------------------------------------------------------------------------
def _session(person: str, browser: str, before: str = "") -> SessionRow:
    now = time.time()
    return SessionRow(secrets.token_hex(16), person, browser, now, now, before)


async def enter(
    house: House, guest: Guest, session: str, person: str, browser: str, *, bring: bool,
    first: Callable[[sa.Connection], None] = lambda _: None, email: bool = True,
) -> Pass:  # fmt: skip
    """Begin a person's session in place of the browser's present one; return the content of its cookie. `first` runs in
    the same transaction, so that a link is used up only if it signs in. The caller decides whether the guest's email
    address moves to the account too. Errors: those of `first`."""
    stranger = not guest.claimed
    row = _session(person, browser, guest.id if stranger and not bring else "")

    def work(connection: sa.Connection) -> list[str]:
        first(connection)
        if session:
            rows.end_sessions(connection, guest.id, only=session)
        rows.begin_session(connection, row)
        if not (stranger and bring):
            return []
        return rows.join(connection, guest.id, person, rested=clocks.rested, email=email)

    tables = await house.store.do(work)
    await house.known_again(guest.id)
    if person != guest.id:
        await house.known_again(person)
    if stranger and bring:
        house.between(person, *await house.store.look(partial(social_rows.known_to, guest=person)))
        await learn_all(house, guest.id, tables)
    return Pass(person, row.id)


async def learn_all(house: House, guest: str, tables: Iterable[str]) -> None:
    """Reload these tables, and all tables in memory that know this guest."""
    here = [
        table for table in house.tables.values() if guest in (table.row.host, *(one.guest_id for one in table.seats))
    ]
    for table in {*tables, *(table.id for table in here)}:
        await house.learn(table)


async def _tell_tables(house: House, guest: str) -> None:
    """Update a person's name at the tables where they sit."""
    for table in await house.store.named_at(guest):
        await house.learn(table)
