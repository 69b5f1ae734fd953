"""The addresses to create, use and remove passkeys."""

from __future__ import annotations

from litestar import post
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody

from parlour.house.accounts.guests import Guest
from parlour.house.accounts.passkeys import deeds
from parlour.house.accounts.passkeys.challenges import site_of
from parlour.house.http.rates import PASSWORDS
from parlour.house.http.refusals import refusals
from parlour.house.http.requests import (
    ANYBODY,
    BANNED,
    Asked,
    TheGuest,
    TheHouse,
    TheSession,
    TheUrl,
    device_of,
    is_now,
)
from parlour.house.table.web.answers import Done

ASKING = PASSWORDS.costs(0.5) | {ANYBODY: True, BANNED: True}  # also to delete what is theirs
SENT = (400, 403, 409, 413, 415)  # what may be wrong with what is sent


@post("/me/passkeys/new", status_code=200, responses=refusals(*SENT), opt=PASSWORDS.costs(1))
async def make_one(
    data: JSONBody[deeds.MakeBody], house: TheHouse, guest: TheGuest, own_url: TheUrl
) -> deeds.PasskeyToMake:
    """Return what a browser needs to make a passkey for you, as `parseCreationOptionsFromJSON` reads it. Its
    challenge works once, for five minutes. To add one to an account, first prove who you are."""
    return await deeds.make_one(house, guest, data, site_of(own_url))


@post("/me/passkeys/ask", status_code=200, responses=refusals(*SENT), opt=ASKING)
async def ask_one(
    data: JSONBody[deeds.AskBody], house: TheHouse, guest: TheGuest, own_url: TheUrl
) -> deeds.PasskeyToUse:
    """Return what a browser needs to use a passkey: to sign in, or to confirm an act if you have no password."""
    return await deeds.ask_one(house, guest, data, site_of(own_url))


@post("/me/passkeys/claim", status_code=200, responses=refusals(*SENT), opt=PASSWORDS.costs(1))
async def claim(request: Asked, data: JSONBody[deeds.ClaimByPasskeyBody], house: TheHouse, guest: TheGuest) -> Guest:
    """Claim a name with a passkey, as with a password. The cookie changes."""
    return await is_now(request, house, await deeds.claim(house, guest, data, device_of(request)))


@post("/me/passkeys/sign-in", status_code=200, responses=refusals(*SENT), opt=PASSWORDS.costs(1) | {ANYBODY: True})
async def sign_in(
    request: Asked, data: JSONBody[deeds.PasskeySignInBody], house: TheHouse, guest: TheGuest, session: TheSession
) -> Guest:
    """Sign in as the owner of the passkey. The cookie changes."""
    return await is_now(request, house, await deeds.sign_in(house, guest, session, data, device_of(request)))


@post("/me/passkeys/add", status_code=200, responses=refusals(*SENT), opt=PASSWORDS.costs(1))
async def add(request: Asked, data: JSONBody[deeds.AddBody], house: TheHouse, guest: TheGuest) -> Done:
    """Add a passkey to your account."""
    await deeds.add(house, guest, data, device_of(request))
    return Done()


@post("/me/passkeys/remove", status_code=200, responses=refusals(*SENT), opt=PASSWORDS.costs(1))
async def remove(data: JSONBody[deeds.RemoveBody], house: TheHouse, guest: TheGuest, own_url: TheUrl) -> Done:
    """Remove a passkey; refused if you could not sign in any more."""
    await deeds.remove(house, guest, data, site_of(own_url))
    return Done()


HANDLERS: list[HTTPRouteHandler] = [make_one, ask_one, claim, sign_in, add, remove]
