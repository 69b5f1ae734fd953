"""The addresses under /api: JSON in, JSON out. See docs/architecture.md."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Annotated, Any

import msgspec
from litestar import Router, get, post
from litestar.params import FromPath, FromQuery, QueryParameter
from litestar.response import Stream

from parlour.core.scene import Scene
from parlour.table.errors import BadInput, UnknownTable
from parlour.table.house.guests import Guest
from parlour.table.live.eyes import Eyes
from parlour.table.live.room import Room
from parlour.table.live.showing import frame_at, log_to, scene_at
from parlour.table.pages import drawing, graph
from parlour.table.pages.views import TableView, table_view
from parlour.table.play import hinting, moving, passing, seating, talk, undoing
from parlour.table.staff.analysing import Analyst
from parlour.table.web.requests import Asked, base_url, guest_of, house_of, same_site, sent, share_url
from parlour.table.web.stream import FrameData, events


class NameBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A name to be known by."""

    name: Annotated[str, msgspec.Meta(max_length=200)]


class TableState(msgspec.Struct, frozen=True):
    """Everything about a table for one guest: `legal` holds the moves when the decision is his."""

    table: TableView
    scene: Scene | None
    legal: tuple[str, ...]


class ReplayStep(msgspec.Struct, frozen=True):
    """A position of a finished game, drawn, with the log up to there; `last` is the number of steps."""

    last: int
    frame: FrameData


def table_state(room: Room, eyes: Eyes, base: str) -> TableState:
    """What `GET /api/tables/ID` says."""
    viewer = eyes.viewer
    return TableState(
        table=table_view(room, eyes, base),
        scene=scene_at(room, viewer, room.version_for(viewer)) if room.match else None,
        legal=tuple(room.as_asked(viewer).legal_actions()) if viewer in room.deciding() else (),
    )


def replay_step(room: Room, viewer: int, step: int | None) -> ReplayStep:
    """What `GET /api/tables/ID/replay?step=N` says. Errors: NotOver, BadInput."""
    number = step_number(room, viewer, step)
    frame = frame_at(room, viewer, number)
    log = drawing.lines_html(room.game, log_to(room, viewer, number))
    drawn = FrameData(number, drawing.past_html(room.game, frame), log, frame.moment)
    return ReplayStep(room.version_for(viewer), drawn)


def step_number(room: Room, viewer: int, step: int | None) -> int:
    """The step of a finished game that is meant; the last for None. Errors: NotOver, BadInput."""
    room.must_be_over()
    last = room.version_for(viewer)
    if step is None:
        return last
    if not 0 <= step <= last:
        raise BadInput(f"There is no step {step}; they are 0 to {last}.")
    return step


@get("/me")
async def me(request: Asked) -> Guest:
    return await guest_of(request)


@post("/me", status_code=200)
async def rename(request: Asked) -> Guest:
    house, guest = house_of(request), await guest_of(request)
    renamed = await house.guests.rename(guest.id, (await sent(request, NameBody)).name)
    for table in await house.store.waiting_at(guest.id):
        with contextlib.suppress(UnknownTable):  # it was closed meanwhile; the name is taken
            async with house.hold(table) as room:
                await house.refresh(room)
                house.announce(room)
    return renamed


@post("/tables")
async def create(request: Asked) -> dict[str, str]:
    body = await sent(request, seating.TableBody)
    table = await seating.create(house_of(request), await guest_of(request), body)
    return {"id": table, "url": f"{base_url(request)}/t/{table}"}


@get("/tables/{table:str}")
async def read(request: Asked, table: FromPath[str]) -> TableState:
    guest = await guest_of(request)
    room, eyes = await house_of(request).look(table, guest.id)
    return table_state(room, eyes, share_url(request))


@get("/tables/{table:str}/events")
async def follow(
    request: Asked, table: FromPath[str], since: FromQuery[int | None] = None, eyes: FromQuery[int | None] = None
) -> Stream:
    house, guest = house_of(request), await guest_of(request)
    last = request.headers.get("last-event-id", "")
    seen = int(last) if last.isascii() and last.isdigit() and len(last) < 10 else -1 if since is None else since
    room, _ = await house.look(table, guest.id)
    stream = events(house, room, guest, seen, share_url(request), eyes)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Stream(stream, media_type="text/event-stream", headers=headers)


@post("/tables/{table:str}/moves", status_code=200)
async def move(request: Asked, table: FromPath[str]) -> dict[str, int]:
    guest, body = await guest_of(request), await sent(request, moving.MoveBody)
    return {"version": await moving.move(house_of(request), table, guest.id, body)}


@post("/tables/{table:str}/undo", status_code=200)
async def undo(request: Asked, table: FromPath[str]) -> dict[str, int]:
    guest, body = await guest_of(request), await sent(request, undoing.UndoBody)
    return {"version": await undoing.undo(house_of(request), table, guest.id, body)}


@post("/tables/{table:str}/hint", status_code=200)
async def hint(request: Asked, table: FromPath[str]) -> hinting.Hint:
    guest, body = await guest_of(request), await sent(request, hinting.HintBody)
    return await hinting.hint(house_of(request), table, guest.id, body)


@post("/tables/{table:str}/sit", status_code=200)
async def sit(request: Asked, table: FromPath[str]) -> dict[str, int]:
    guest, body = await guest_of(request), await sent(request, seating.SitBody)
    return {"seat": await seating.sit(house_of(request), table, guest, body)}


@post("/tables/{table:str}/leave", status_code=200)
async def leave(request: Asked, table: FromPath[str]) -> dict[str, bool]:
    guest, _ = await guest_of(request), await sent(request, seating.Body)
    await seating.leave(house_of(request), table, guest)
    return {"done": True}


@post("/tables/{table:str}/lift", status_code=200)
async def lift(request: Asked, table: FromPath[str]) -> dict[str, bool]:
    guest, body = await guest_of(request), await sent(request, passing.LiftBody)
    await passing.lift(house_of(request), table, guest.id, body)
    return {"done": True}


@post("/tables/{table:str}/seats", status_code=200)
async def set_seat(request: Asked, table: FromPath[str]) -> dict[str, bool]:
    guest, body = await guest_of(request), await sent(request, seating.SeatBody)
    await seating.set_seat(house_of(request), table, guest, body)
    return {"done": True}


@post("/tables/{table:str}/pace", status_code=200)
async def set_pace(request: Asked, table: FromPath[str]) -> dict[str, bool]:
    guest, body = await guest_of(request), await sent(request, seating.PaceBody)
    await seating.set_pace(house_of(request), table, guest, body)
    return {"done": True}


@post("/tables/{table:str}/start", status_code=200)
async def start(request: Asked, table: FromPath[str]) -> dict[str, bool]:
    guest, body = await guest_of(request), await sent(request, seating.StartBody)
    await seating.start(house_of(request), table, guest, body)
    return {"done": True}


@post("/tables/{table:str}/rematch", status_code=200)
async def rematch(request: Asked, table: FromPath[str]) -> dict[str, str]:
    guest, _ = await guest_of(request), await sent(request, seating.Body)
    made = await seating.rematch(house_of(request), table, guest)
    return {"id": made, "url": f"{base_url(request)}/t/{made}"}


@post("/tables/{table:str}/chat", status_code=200)
async def chat(request: Asked, table: FromPath[str]) -> dict[str, int]:
    guest, body = await guest_of(request), await sent(request, talk.ChatBody)
    talker: talk.Talk = request.app.state.talk
    return {"id": await talker.say(house_of(request), table, guest, body)}


@get("/tables/{table:str}/replay")
async def replay(
    request: Asked, table: FromPath[str], step: Annotated[int | None, QueryParameter(ge=0, le=2**31)] = None
) -> ReplayStep:
    guest = await guest_of(request)
    room, eyes = await house_of(request).look(table, guest.id)
    return replay_step(room, eyes.viewer, step)


@get("/tables/{table:str}/analysis")
async def analysis(request: Asked, table: FromPath[str]) -> graph.Report:
    house, guest = house_of(request), await guest_of(request)
    room, eyes = await house.look(table, guest.id)
    analyst: Analyst = request.app.state.analyst
    found = await analyst.ask(room)  # of a finished game, so that nobody's eyes change meanwhile
    return await asyncio.to_thread(graph.report, room, eyes.viewer, found)  # long for a long game


_HANDLERS: list[Any] = [
    me, rename, create, read, follow, move, undo, hint, sit, lift, leave, set_seat, set_pace, start, rematch, chat,
    replay, analysis,
]  # fmt: skip
router = Router("/api", route_handlers=_HANDLERS, guards=[same_site])
