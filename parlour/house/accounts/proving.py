"""Confirming a person's identity: by their password, or by a passkey if they have no password."""

from __future__ import annotations

import asyncio
import time
from functools import partial
from typing import Annotated, Literal, NamedTuple

import msgspec
import sqlalchemy as sa

from parlour.house.accounts import rows
from parlour.house.accounts.guests import Guest
from parlour.house.accounts.passkeys import rows as passkey_rows
from parlour.house.accounts.passkeys.challenges import COPIED, USED, Credential, Purpose, Site, id_of, must_be_possible
from parlour.house.accounts.passkeys.rows import PasskeyRow
from parlour.house.accounts.passwords import MOST as LONGEST_PASSWORD
from parlour.house.accounts.rows import Account
from parlour.house.database.store import Conflict
from parlour.house.errors import BadPasskey, NotClaimed, WrongPassword
from parlour.house.house import House

Password = Annotated[str, msgspec.Meta(max_length=4 * LONGEST_PASSWORD)]


class Device(NamedTuple):
    """The browser that a person uses, in words, and the site for its passkeys, None without passkeys."""

    browser: str
    site: Site | None


class Proof(NamedTuple):
    """A proof of identity: a password, or a passkey's answer for this purpose."""

    purpose: Purpose
    password: str
    answer: Credential | None
    site: Site | None


async def must_be(house: House, guest: Guest, proof: Proof) -> Account:
    """Return the account of a guest who proves that it is theirs: by the password, or by a passkey if they have none.
    Errors: NotClaimed, WrongPassword, Busy, NoPasskeys, BadPasskey."""
    must_have_claimed(guest)
    found = await house.store.look(partial(rows.account, guest=guest.id))
    if found is not None and not found.password:
        if proof.answer is None:
            raise WrongPassword("You don't have a password. Confirm with a passkey.")
        await must_be_known(house, guest, proof.purpose, proof.answer, proof.site)
    elif not await house.passwords.fits(proof.password, found.password if found else None) or found is None:
        raise WrongPassword("That isn't your password. Please try again.")
    return found


async def must_be_known(
    house: House, guest: Guest, purpose: Purpose, answer: Credential, site: Site | None
) -> PasskeyRow:
    """Return the passkey that answered this guest's challenge: one of theirs, or anyone's to sign in. The answer is
    used up. Errors: NoPasskeys, BadPasskey."""
    site, key = must_be_possible(site), id_of(answer.id)
    found = await house.store.look(partial(passkey_rows.find, key=key))
    if found is not None and purpose != "sign-in" and found.guest_id != guest.id:
        found = None
    shown = await asyncio.to_thread(house.passkeys.shown, site, guest.id, purpose, answer, found)
    assert found is not None

    def work(connection: sa.Connection) -> Literal["used", "copied", ""]:
        now = time.time()
        if not passkey_rows.spend(connection, shown.asked.id, shown.asked.until, now):
            return "used"
        return "" if passkey_rows.use(connection, key, shown.signs, now) else "copied"

    try:
        trouble = await house.store.do(work)
    except Conflict:  # the same answer, at the same time
        trouble = "used"
    if trouble:
        raise BadPasskey(USED if trouble == "used" else COPIED)
    return found


def must_have_claimed(guest: Guest) -> None:
    """Raise NotClaimed unless the guest has an account."""
    if not guest.claimed:
        raise NotClaimed("You need an account for this. Create one first; then you can sign in on every device.")
