"""The addresses of API tokens, for the page You."""

from __future__ import annotations

from litestar import post
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody

from parlour.house.accounts.passkeys.challenges import site_of
from parlour.house.accounts.tokens import deeds
from parlour.house.http.rates import PASSWORDS, TABLES
from parlour.house.http.refusals import refusals
from parlour.house.http.requests import TheGuest, TheHouse, TheUrl
from parlour.house.table.web.answers import Done

SENT = (400, 403, 409, 413, 415)  # what may be wrong with what is sent


@post("/me/tokens/new", status_code=200, responses=refusals(*SENT), opt=PASSWORDS.costs(1))
async def make(data: JSONBody[deeds.NewTokenBody], house: TheHouse, guest: TheGuest, own_url: TheUrl) -> deeds.NewToken:
    """Make a token with which a program acts for your account: with `play` it makes tables, sits down and
    moves, with `read` it reads tables. Prove who you are as for a passkey. The answer holds the token as
    `secret`, shown only once."""
    return await deeds.make(house, guest, data, site_of(own_url))


@post("/me/tokens/revoke", status_code=200, responses=refusals(*SENT), opt=TABLES.costs(1))
async def revoke(data: JSONBody[deeds.RevokeBody], house: TheHouse, guest: TheGuest) -> Done:
    """Revoke a token by its `id`. Its open streams end at once."""
    await deeds.revoke(house, guest, data)
    return Done()


HANDLERS: list[HTTPRouteHandler] = [make, revoke]
