"""The addresses to create, use and remove passkeys."""

from __future__ import annotations

from typing import Any

from litestar import post
from litestar.params import JSONBody

from parlour.table.house.guests import Guest
from parlour.table.house.passkeys import site_of
from parlour.table.play import passkeys
from parlour.table.web.answers import Done
from parlour.table.web.rates import PASSWORDS
from parlour.table.web.refusals import refusals
from parlour.table.web.requests import ANYBODY, BANNED, Asked, TheGuest, TheHouse, TheSession, TheUrl, device_of, is_now

ASKING = PASSWORDS.costs(0.5) | {ANYBODY: True, BANNED: True}  # also to delete what is theirs
SENT = (400, 403, 409, 413, 415)  # what may be wrong with what is sent


@post("/me/passkeys/new", status_code=200, responses=refusals(*SENT), opt=PASSWORDS.costs(1))
async def make_one(
    data: JSONBody[passkeys.MakeBody], house: TheHouse, guest: TheGuest, own_url: TheUrl
) -> passkeys.PasskeyToMake:
    """Return what a browser needs to make a passkey for you, as `parseCreationOptionsFromJSON` reads it. Its
    challenge works once, for five minutes. To add one to an account, first prove who you are."""
    return await passkeys.make_one(house, guest, data, site_of(own_url))


@post("/me/passkeys/ask", status_code=200, responses=refusals(*SENT), opt=ASKING)
async def ask_one(
    data: JSONBody[passkeys.AskBody], house: TheHouse, guest: TheGuest, own_url: TheUrl
) -> passkeys.PasskeyToUse:
    """Return what a browser needs to use a passkey: to sign in, or to confirm an act if you have no password."""
    return await passkeys.ask_one(house, guest, data, site_of(own_url))


@post("/me/passkeys/claim", status_code=200, responses=refusals(*SENT), opt=PASSWORDS.costs(1))
async def claim(request: Asked, data: JSONBody[passkeys.ClaimByPasskeyBody], house: TheHouse, guest: TheGuest) -> Guest:
    """Claim a name with a passkey, as with a password. The cookie changes."""
    return await is_now(request, house, await passkeys.claim(house, guest, data, device_of(request)))


@post("/me/passkeys/sign-in", status_code=200, responses=refusals(*SENT), opt=PASSWORDS.costs(1) | {ANYBODY: True})
async def sign_in(
    request: Asked, data: JSONBody[passkeys.PasskeySignInBody], house: TheHouse, guest: TheGuest, session: TheSession
) -> Guest:
    """Sign in as the owner of the passkey. The cookie changes."""
    return await is_now(request, house, await passkeys.sign_in(house, guest, session, data, device_of(request)))


@post("/me/passkeys/add", status_code=200, responses=refusals(*SENT), opt=PASSWORDS.costs(1))
async def add(request: Asked, data: JSONBody[passkeys.AddBody], house: TheHouse, guest: TheGuest) -> Done:
    """Add a passkey to your account."""
    await passkeys.add(house, guest, data, device_of(request))
    return Done()


@post("/me/passkeys/remove", status_code=200, responses=refusals(*SENT), opt=PASSWORDS.costs(1))
async def remove(data: JSONBody[passkeys.RemoveBody], house: TheHouse, guest: TheGuest, own_url: TheUrl) -> Done:
    """Remove a passkey; refused if you could not sign in any more."""
    await passkeys.remove(house, guest, data, site_of(own_url))
    return Done()


HANDLERS: list[Any] = [make_one, ask_one, claim, sign_in, add, remove]
