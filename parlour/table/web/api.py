"""The addresses under /api: JSON in, JSON out. `GET /schema` describes them for programs, docs/architecture.md for
people."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Annotated, Any

import msgspec
from litestar import Router, get, post
from litestar.di import NamedDependency
from litestar.params import FromQuery, HeaderParameter, JSONBody, QueryParameter
from litestar.response import Stream

from parlour.table.errors import UnknownTable
from parlour.table.house.guests import Guest
from parlour.table.pages import graph
from parlour.table.play import hinting, moving, passing, seating, talk, undoing
from parlour.table.staff.analysing import Analyst
from parlour.table.web.answers import (
    Done,
    Made,
    Moved,
    ReplayStep,
    Said,
    Seated,
    TableState,
    replay_step,
    table_state,
)
from parlour.table.web.refusals import refusals
from parlour.table.web.requests import TableId, TheGuest, TheHouse, TheUrl, same_site
from parlour.table.web.stream import events

SENT = (400, 403, 413, 415)  # what may be wrong with anything that is sent
TABLE = (404, 409)  # there may be no such table, or it was played with other rules


class NameBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A name to be known by."""

    name: Annotated[str, msgspec.Meta(max_length=200)]


@get("/me", responses=refusals(403))
async def me(guest: TheGuest) -> Guest:
    """Who I am. A visitor without a cookie is a new guest and gets one."""
    return guest


@post("/me", status_code=200, responses=refusals(*SENT))
async def rename(data: JSONBody[NameBody], house: TheHouse, guest: TheGuest) -> Guest:
    """Take another name."""
    renamed = await house.guests.rename(guest.id, data.name)
    for table_id in await house.store.waiting_at(guest.id):
        with contextlib.suppress(UnknownTable):  # it was closed meanwhile; the name is taken
            async with house.hold(table_id) as table:
                await house.refresh(table)
                house.announce(table)
    return renamed


@post("/tables", responses=refusals(*SENT))
async def create(data: JSONBody[seating.TableBody], house: TheHouse, guest: TheGuest, own_url: TheUrl) -> Made:
    """Make a table. The game starts at once if no seat waits for anybody."""
    table_id = await seating.create(house, guest, data)
    return Made(table_id, f"{own_url}/t/{table_id}")


@get("/tables/{table_id:str}", responses=refusals(400, 403, *TABLE))
async def read(table_id: TableId, house: TheHouse, guest: TheGuest, shared_url: TheUrl) -> TableState:
    """The table as this guest sees it: its seats and settings, the scene, the moves when the
    decision is theirs."""
    table, eyes = await house.look(table_id, guest.id)
    return table_state(table, eyes, shared_url)


@get("/tables/{table_id:str}/events", media_type="text/event-stream", responses=refusals(400, 403, *TABLE))
async def follow(
    table_id: TableId,
    house: TheHouse,
    guest: TheGuest,
    shared_url: TheUrl,
    last: Annotated[str | None, HeaderParameter(name="Last-Event-ID")] = None,
    since: FromQuery[int | None] = None,
    eyes: FromQuery[int | None] = None,
) -> Stream:
    """Server-sent events: what is new at the table. `since`, or `Last-Event-ID`, is the last
    version seen, -1 for none; `eyes` the seat it was seen with, -2 a spectator. The data of each
    event is an `Update`."""
    last = last or ""
    seen = int(last) if last.isascii() and last.isdigit() and len(last) < 10 else -1 if since is None else since
    table, _ = await house.look(table_id, guest.id)
    stream = events(house, table, guest, seen, shared_url, eyes)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Stream(stream, media_type="text/event-stream", headers=headers)


@post("/tables/{table_id:str}/moves", status_code=200, responses=refusals(*SENT, *TABLE, 422))
async def move(table_id: TableId, data: JSONBody[moving.MoveBody], house: TheHouse, guest: TheGuest) -> Moved:
    """Make a move, or answer a secret question. A move that was made already gets the same
    answer again."""
    return Moved(await moving.move(house, table_id, guest.id, data))


@post("/tables/{table_id:str}/undo", status_code=200, responses=refusals(*SENT, *TABLE))
async def undo(table_id: TableId, data: JSONBody[undoing.UndoBody], house: TheHouse, guest: TheGuest) -> Moved:
    """Take back one's own last decision."""
    return Moved(await undoing.undo(house, table_id, guest.id, data))


@post("/tables/{table_id:str}/hint", status_code=200, responses=refusals(*SENT, *TABLE))
async def hint(table_id: TableId, data: JSONBody[hinting.HintBody], house: TheHouse, guest: TheGuest) -> hinting.Hint:
    """The best decisions, for the player who is to decide."""
    return await hinting.hint(house, table_id, guest.id, data)


@post("/tables/{table_id:str}/sit", status_code=200, responses=refusals(*SENT, *TABLE))
async def sit(table_id: TableId, data: JSONBody[seating.SitBody], house: TheHouse, guest: TheGuest) -> Seated:
    """Take a seat; in a game, one's own back from the bot."""
    return Seated(await seating.sit(house, table_id, guest, data))


@post("/tables/{table_id:str}/leave", status_code=200, responses=refusals(*SENT, *TABLE))
async def leave(
    table_id: TableId,
    data: JSONBody[seating.Body],  # noqa: ARG001 - nothing is asked, so nothing may be sent
    house: TheHouse,
    guest: TheGuest,
) -> Done:
    """Leave the seat; in a game, a bot plays on."""
    await seating.leave(house, table_id, guest)
    return Done()


@post("/tables/{table_id:str}/lift", status_code=200, responses=refusals(*SENT, *TABLE))
async def lift(table_id: TableId, data: JSONBody[passing.LiftBody], house: TheHouse, guest: TheGuest) -> Done:
    """Whoever plays this seat has the device now: lift its curtain."""
    await passing.lift(house, table_id, guest.id, data)
    return Done()


@post("/tables/{table_id:str}/seats", status_code=200, responses=refusals(*SENT, *TABLE))
async def set_seat(table_id: TableId, data: JSONBody[seating.SeatBody], house: TheHouse, guest: TheGuest) -> Done:
    """Say for whom a seat is (the host, before the start)."""
    await seating.set_seat(house, table_id, guest, data)
    return Done()


@post("/tables/{table_id:str}/pace", status_code=200, responses=refusals(*SENT, *TABLE))
async def set_pace(table_id: TableId, data: JSONBody[seating.PaceBody], house: TheHouse, guest: TheGuest) -> Done:
    """Say how fast bots move (the host)."""
    await seating.set_pace(house, table_id, guest, data)
    return Done()


@post("/tables/{table_id:str}/start", status_code=200, responses=refusals(*SENT, *TABLE))
async def start(table_id: TableId, data: JSONBody[seating.StartBody], house: TheHouse, guest: TheGuest) -> Done:
    """Start the game (the host)."""
    await seating.start(house, table_id, guest, data)
    return Done()


@post("/tables/{table_id:str}/rematch", status_code=200, responses=refusals(*SENT, *TABLE))
async def rematch(
    table_id: TableId,
    data: JSONBody[seating.Body],  # noqa: ARG001 - nothing is asked, so nothing may be sent
    house: TheHouse,
    guest: TheGuest,
    own_url: TheUrl,
) -> Made:
    """The table that follows a finished one, with the same people and settings."""
    made = await seating.rematch(house, table_id, guest)
    return Made(made, f"{own_url}/t/{made}")


@post("/tables/{table_id:str}/chat", status_code=200, responses=refusals(*SENT, *TABLE, 429))
async def chat(
    table_id: TableId,
    data: JSONBody[talk.ChatBody],
    house: TheHouse,
    guest: TheGuest,
    talker: NamedDependency[talk.Talk],
) -> Said:
    """Say something at the table."""
    return Said(await talker.say(house, table_id, guest, data))


@get("/tables/{table_id:str}/replay", responses=refusals(400, 403, *TABLE))
async def replay(
    table_id: TableId,
    house: TheHouse,
    guest: TheGuest,
    step: Annotated[int | None, QueryParameter(ge=0, le=2**31)] = None,
) -> ReplayStep:
    """A position of a finished game; the last, unless a `step` is named."""
    table, eyes = await house.look(table_id, guest.id)
    return replay_step(table, eyes.viewer, step)


@get("/tables/{table_id:str}/analysis", responses=refusals(400, 403, *TABLE))
async def analysis(
    table_id: TableId, house: TheHouse, guest: TheGuest, analyst: NamedDependency[Analyst]
) -> graph.Report:
    """The analysis of a finished game; begins it, and is asked again while `status` is "waiting" or
    "working"."""
    table, eyes = await house.look(table_id, guest.id)
    found = await analyst.ask(table)  # of a finished game, so that nobody's eyes change meanwhile
    return await asyncio.to_thread(graph.report, table, eyes.viewer, found)  # long for a long game


HANDLERS: list[Any] = [
    me, rename, create, read, follow, move, undo, hint, sit, lift, leave, set_seat, set_pace, start, rematch, chat,
    replay, analysis,
]  # fmt: skip
router = Router("/api", route_handlers=HANDLERS, guards=[same_site], tags=["api"])
