"""Making and revoking API tokens. A token never signs in: it works only at the addresses that name a scope, and an
account without the token's row refuses it."""

from __future__ import annotations

import secrets
import time
from functools import partial
from typing import Annotated

import msgspec

from parlour.house.accounts.guests import Guest, clean_name
from parlour.house.accounts.passkeys.challenges import Credential, Site
from parlour.house.accounts.proving import Password, Proof, must_be, must_have_claimed
from parlour.house.accounts.tokens import rows
from parlour.house.accounts.tokens.reading import PLAY, READ, written
from parlour.house.accounts.tokens.rows import TokenRow
from parlour.house.errors import BadInput
from parlour.house.house import House
from parlour.house.table.play.seating import Body, ShownName


class NewTokenBody(Body, frozen=True):
    """A token's name, what it may do, and my password or, if I have none, a passkey's answer."""

    name: ShownName
    play: bool = True
    read: bool = True
    password: Password = ""
    answer: Credential | None = None


class RevokeBody(Body, frozen=True):
    """The token to revoke: its `id` from the page You."""

    id: Annotated[str, msgspec.Meta(max_length=64)]


class NewToken(msgspec.Struct, frozen=True):
    """A new token. `secret` is the token; the house shows it only here."""

    id: str
    secret: str


async def make(house: House, guest: Guest, body: NewTokenBody, site: Site | None) -> NewToken:
    """Make a token of an account. Errors: BadInput (name, no scope, too many), and those of `must_be`."""
    must_have_claimed(guest)
    name = clean_name(body.name)
    scopes = [scope for scope, wanted in ((PLAY, body.play), (READ, body.read)) if wanted]
    if not scopes:
        raise BadInput("A token must allow something: playing, reading or both.", allowed=[PLAY, READ])
    await must_be(house, guest, Proof("token", body.password, body.answer, site))
    one, secret = written(guest.id, secrets.token_urlsafe(24))
    await house.store.do(partial(rows.add, row=TokenRow(one.session, guest.id, name, " ".join(scopes), time.time())))
    await house.known_again(guest.id)
    return NewToken(one.session, secret)


async def revoke(house: House, guest: Guest, body: RevokeBody) -> None:
    """Revoke a token of an account; its streams end at once. Errors: NotClaimed."""
    must_have_claimed(guest)
    await house.store.do(partial(rows.revoke, guest=guest.id, token=body.id))
    await house.known_again(guest.id)
