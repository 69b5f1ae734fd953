"""The addresses for invitations: what waits for a guest, declining, and asking for a rematch."""

from __future__ import annotations

import asyncio
import time
from functools import partial

import msgspec
from litestar import get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromQuery, JSONBody

from parlour.games import all_games
from parlour.house.http.bearer import PLAYS, TAKES_TOKENS
from parlour.house.http.rates import READING, TABLES
from parlour.house.http.refusals import refusals
from parlour.house.http.requests import TableId, TheGuest, TheHouse, TheUrl
from parlour.house.invitations import deeds, rows
from parlour.house.invitations.pages import InvitationView, invitations
from parlour.house.lobby import rows as lobby_rows
from parlour.house.lobby.pages import TurnView, waiting_turns
from parlour.house.ratings.matchmaking import rows as matchmaking_rows
from parlour.house.table.play.seating import Body
from parlour.house.table.web.answers import Done, Made

SENT = (400, *TAKES_TOKENS, 413, 415)  # what may be wrong with anything that is sent


class Invitations(msgspec.Struct, frozen=True):
    """A guest's invitations, the newest first, and the tables at which everyone waits for them."""

    invitations: tuple[InvitationView, ...]
    turns: tuple[TurnView, ...] = ()
    go: str = ""  # the address of the table that was found for a guest who asked to play now


@get("/invitations", responses=refusals(400, *TAKES_TOKENS), opt=READING.costs(2) | PLAYS)
async def invited(house: TheHouse, guest: TheGuest, hidden: FromQuery[int | None] = None) -> Invitations:
    """Return your invitations and your turns: tables with a seat kept for you, and tables that wait for your
    move. To accept, send the token to `POST /api/tables/ID/sit`; to decline, use `decline`. `go` is the table
    that Play now found; with `hidden`, it is left for a page in view. A program gets the invitations to tables where
    programs may play, and nothing else: a link seats anyone."""
    found, turns = await asyncio.gather(
        house.store.look(partial(rows.of, guest=guest.id)), house.store.look(partial(lobby_rows.turns, guest=guest.id))
    )
    games = all_games()
    if guest.program:
        return Invitations(invitations(one for one in found if one.table.game in games and one.table.programs))
    wish = None if hidden else await house.store.ask(partial(matchmaking_rows.wish, guest=guest.id, now=time.time()))
    if ready := wish.table_id if wish else "":
        await house.store.do(partial(matchmaking_rows.stop, guest=guest.id))
    asked = invitations(one for one in found if one.table.game in games)
    waiting = waiting_turns((one for one in turns if one.table.game in games), guest.id)
    return Invitations(asked, waiting, f"/t/{ready}" if ready else "")


@post(
    "/tables/{table_id:str}/decline", status_code=200, responses=refusals(*SENT, 404, 409), opt=TABLES.costs(1) | PLAYS
)
async def decline(
    table_id: TableId,
    data: JSONBody[Body],  # noqa: ARG001 - nothing is asked, so nothing may be sent
    house: TheHouse,
    guest: TheGuest,
) -> Done:
    """Decline an invitation. The table is notified."""
    await deeds.decline(house, table_id, guest)
    return Done()


@post(
    "/tables/{table_id:str}/rematch", status_code=200, responses=refusals(*SENT, 404, 409), opt=TABLES.costs(3) | PLAYS
)
async def rematch(
    table_id: TableId,
    data: JSONBody[Body],  # noqa: ARG001 - nothing is asked, so nothing may be sent
    house: TheHouse,
    guest: TheGuest,
    own_url: TheUrl,
) -> Made:
    """Make the table that follows a finished or closed game, with the same settings. You and the bots sit
    there, and the other people who played are invited. An invited player takes their seat with the same
    request, and the game begins when it waits for no one."""
    made = await deeds.rematch(house, table_id, guest)
    return Made(made, f"{own_url}/t/{made}")


HANDLERS: list[HTTPRouteHandler] = [invited, decline, rematch]
