"""Passkeys: creating an account with one, signing in, adding and removing them.

A browser first learns what to ask of a passkey (`make_one`, `ask_one`), then sends the passkey's answer. To add a
passkey, people confirm who they are before it is created, so that none is created in vain.
"""

from __future__ import annotations

import asyncio
import time
from functools import partial
from typing import Literal

import msgspec
import sqlalchemy as sa

from parlour.house.accounts import deeds as names
from parlour.house.accounts.guests import Guest, Pass
from parlour.house.accounts.passkeys import rows
from parlour.house.accounts.passkeys.challenges import (
    ALGORITHMS,
    GOOD_FOR,
    USED,
    Credential,
    New,
    Purpose,
    Site,
    handle_of,
    id_of,
    must_be_possible,
)
from parlour.house.accounts.passkeys.rows import PasskeyRow
from parlour.house.accounts.proving import Device, Password, Proof, must_be, must_be_known, must_have_claimed
from parlour.house.database.store import Conflict
from parlour.house.errors import BadPasskey, LastPasskey
from parlour.house.house import House
from parlour.house.table.play.seating import Body, ShownName

KNOWN = "This passkey is already in use here. Sign in with it, or create another."
LAST = "This is your only way to sign in. Add another passkey or set a password before you remove it."


# What is sent ----------------------------------------------------------------------------------------
class MakeBody(Body, frozen=True):
    """The purpose of a new passkey: to `claim` a name for a new account, or to `add` it to mine. Adding needs my
    password or, if I have none, a passkey's answer."""

    why: Literal["claim", "add"]
    name: ShownName = ""
    password: Password = ""
    answer: Credential | None = None


class AskBody(Body, frozen=True):
    """The purpose for which a passkey is used."""

    why: Literal["sign-in", "add", "remove", "password", "mail", "token", "delete"]
    id: names.Token = ""  # of the passkey that is to be removed


class ClaimByPasskeyBody(Body, frozen=True):
    """The name of a new account, and its passkey."""

    name: ShownName
    made: Credential


class AddBody(Body, frozen=True):
    """A new passkey."""

    made: Credential


class PasskeySignInBody(Body, frozen=True):
    """A passkey's answer. With `bring`, the data of this browser's guest moves to the account."""

    answer: Credential
    bring: bool = True


class RemoveBody(Body, frozen=True):
    """The passkey to remove, and my password or the answer of a passkey of mine."""

    id: names.Token
    password: Password = ""
    answer: Credential | None = None


# What is answered: as `PublicKeyCredential.parseCreationOptionsFromJSON()` and its like read it ------------
class PasskeyHouse(msgspec.Struct, frozen=True):
    """The house that a passkey is for."""

    id: str
    name: str = "Parlour"


class PasskeyOwner(msgspec.Struct, frozen=True, rename="camel"):
    """The owner of a passkey."""

    id: str
    name: str
    display_name: str


class PasskeyKind(msgspec.Struct, frozen=True):
    """A kind of key that the house can check."""

    alg: int
    type: str = "public-key"


class PasskeyNamed(msgspec.Struct, frozen=True):
    """An existing passkey."""

    id: str
    type: str = "public-key"


class PasskeyChoice(msgspec.Struct, frozen=True, rename="camel"):
    """What the device must be able to do: find the passkey without a name, and verify its user."""

    resident_key: str = "required"
    require_resident_key: bool = True
    user_verification: str = "required"


class PasskeyToMake(msgspec.Struct, frozen=True, rename="camel"):
    """What a browser needs to create a passkey."""

    challenge: str
    rp: PasskeyHouse
    user: PasskeyOwner
    exclude_credentials: tuple[PasskeyNamed, ...] = ()
    pub_key_cred_params: tuple[PasskeyKind, ...] = tuple(map(PasskeyKind, ALGORITHMS))
    authenticator_selection: PasskeyChoice = PasskeyChoice()
    timeout: int = GOOD_FOR * 1000
    attestation: str = "none"


class PasskeyToUse(msgspec.Struct, frozen=True, rename="camel"):
    """What a browser needs to use a passkey. Without `allowCredentials` it can use any that it has for this house."""

    challenge: str
    rp_id: str
    allow_credentials: tuple[PasskeyNamed, ...] = ()
    user_verification: str = "required"
    timeout: int = GOOD_FOR * 1000


# What is asked ---------------------------------------------------------------------------------------
async def make_one(house: House, guest: Guest, body: MakeBody, site: Site | None) -> PasskeyToMake:
    """Return what a browser needs to create a passkey. Errors: NoPasskeys, those of `names.may_claim`, and of
    `must_be`."""
    site, others = must_be_possible(site), tuple[PasskeyNamed, ...]()
    if body.why == "claim":
        name = await names.may_claim(house, guest, body.name)
    else:
        await must_be(house, guest, Proof("add", body.password, body.answer, site))
        name, others = guest.name, await _named(house, guest, site)
    challenge = house.passkeys.ask(guest.id, "make to claim" if body.why == "claim" else "make to add")
    owner = PasskeyOwner(handle_of(guest.id), name, name)
    return PasskeyToMake(challenge, PasskeyHouse(site.host), owner, others)


async def ask_one(house: House, guest: Guest, body: AskBody, site: Site | None) -> PasskeyToUse:
    """Return what a browser needs to use a passkey. Errors: NoPasskeys, NotClaimed, LastPasskey."""
    site, mine = must_be_possible(site), tuple[PasskeyNamed, ...]()
    if body.why != "sign-in":
        must_have_claimed(guest)
        mine = await _named(house, guest, site)
    if body.why == "remove" and await house.store.look(partial(rows.is_last, guest=guest.id, key=body.id)):
        raise LastPasskey(LAST)
    return PasskeyToUse(house.passkeys.ask(guest.id, body.why), site.host, mine)


async def _named(house: House, guest: Guest, site: Site) -> tuple[PasskeyNamed, ...]:
    """Return a guest's passkeys that work at this address."""
    mine = await house.store.look(partial(rows.of, guest=guest.id))
    return tuple(PasskeyNamed(one.credential) for one in mine if one.host == site.host)


# What is done ----------------------------------------------------------------------------------------
async def claim(house: House, guest: Guest, body: ClaimByPasskeyBody, device: Device) -> Pass:
    """Create an account with a new passkey; return the content of its cookie. Errors: those of `names.may_claim`,
    NoPasskeys, BadPasskey."""
    name = await names.may_claim(house, guest, body.name)
    row, new = await _made(house, guest, "make to claim", body.made, device)
    begun = names.Claim(name, "", device.browser, partial(_keep, row=row, new=new))
    return await names.take(house, guest, begun)


async def sign_in(house: House, guest: Guest, session: str, body: PasskeySignInBody, device: Device) -> Pass:
    """Sign in as the passkey's owner; return the content of the cookie. Errors: NoPasskeys, BadPasskey."""
    found = await must_be_known(house, guest, "sign-in", body.answer, device.site)
    return await names.enter(house, guest, session, found.guest_id, device.browser, bring=body.bring)


async def add(house: House, guest: Guest, body: AddBody, device: Device) -> None:
    """Add a passkey. Errors: NotClaimed, BadInput (too many), NoPasskeys, BadPasskey."""
    must_have_claimed(guest)
    row, new = await _made(house, guest, "make to add", body.made, device)
    try:
        await house.store.do(partial(_keep, row=row, new=new))
    except Conflict:
        raise await _why_not(house, new) from None


async def remove(house: House, guest: Guest, body: RemoveBody, site: Site | None) -> None:
    """Remove a passkey, which no longer signs anyone in. Errors: LastPasskey, and those of `must_be`."""
    await must_be(house, guest, Proof("remove", body.password, body.answer, site))
    if not await house.store.do(partial(rows.remove, guest=guest.id, key=body.id)):
        raise LastPasskey(LAST)


async def _made(
    house: House, guest: Guest, purpose: Purpose, made: Credential, device: Device
) -> tuple[PasskeyRow, New]:
    """Return a new passkey as it is stored. Errors: NoPasskeys, BadPasskey."""
    site = must_be_possible(device.site)
    new = await asyncio.to_thread(house.passkeys.new, site, guest.id, purpose, made)
    at = (site.host, device.browser, time.time())
    return PasskeyRow(id_of(new.credential), guest.id, new.credential, new.public, new.signs, *at), new


def _keep(connection: sa.Connection, row: PasskeyRow, new: New) -> None:
    """Store a new passkey and use up its answer. Errors: BadPasskey, BadInput (too many); IntegrityError."""
    if not rows.spend(connection, new.asked.id, new.asked.until, time.time()):
        raise BadPasskey(USED)
    if rows.find(connection, row.id) is not None:
        raise BadPasskey(KNOWN)
    rows.add(connection, row)


async def _why_not(house: House, new: New) -> BadPasskey:
    """Return why a passkey could not be stored after another process stored it at the same time."""
    known = await house.store.look(partial(rows.find, key=id_of(new.credential)))
    return BadPasskey(USED if known is None else KNOWN)
