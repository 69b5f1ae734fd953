"""The API's answers: data about a table as one guest sees it."""

from __future__ import annotations

import re

import msgspec
from msgspec.structs import replace

from parlour.core.scene import Scene
from parlour.house.errors import BadInput, NotOver
from parlour.house.house import House
from parlour.house.site import drawing
from parlour.house.table.live.deciding import as_asked, deciding
from parlour.house.table.live.eyes import Eyes
from parlour.house.table.live.journal import kept_record
from parlour.house.table.live.sealed import sealed
from parlour.house.table.live.showing import frame_at, log_to, scene_at
from parlour.house.table.live.signs import named_html, named_json
from parlour.house.table.live.table import Table
from parlour.house.table.pages.views import TableView, table_view
from parlour.house.table.web.updates import FrameData

MOST_STEPS = 12  # of a replay in one answer


class Made(msgspec.Struct, frozen=True):
    """A new table's id and address."""

    id: str
    url: str


class Moved(msgspec.Struct, frozen=True):
    """The version after a request."""

    version: int


class Seated(msgspec.Struct, frozen=True):
    """The seat that was taken."""

    seat: int


class Said(msgspec.Struct, frozen=True):
    """The number of a chat message."""

    id: int


class Done(msgspec.Struct, frozen=True):
    """The request was carried out."""

    done: bool = True


class TableState(msgspec.Struct, frozen=True):
    """Everything about a table for one guest. `legal` contains the moves on their turn. `scene` has signs for names
    until it is sent."""

    table: TableView
    scene: Scene | None
    legal: tuple[str, ...]


class ReplayStep(msgspec.Struct, frozen=True):
    """A position of a finished game, drawn, with the log up to there; `last` is the number of steps. `ahead` contains
    the later positions that were also requested, each with only its own lines of the log."""

    last: int
    frame: FrameData
    ahead: tuple[FrameData, ...] = ()


def table_state(table: Table, eyes: Eyes, shared_url: str) -> TableState:
    """Return the answer of `GET /api/tables/ID`."""
    viewer = eyes.viewer
    return TableState(
        table=table_view(table, eyes, shared_url),
        scene=scene_at(table, viewer, table.known.version(viewer)) if table.match else None,
        legal=_legal(table, viewer),
    )


def in_parts(state: TableState) -> list[tuple[bytes, bool]]:
    """Return the same as JSON, in parts that are compressed separately: what others wrote, the links to seats, the
    scene."""
    table = msgspec.json.encode(state.table)
    links = [re.escape(msgspec.json.encode(seat.invite)) for seat in state.table.seats if seat.invite]
    parts = re.split(b"(" + b"|".join(links) + b")", table) if links else [table]
    scene = named_json(msgspec.json.encode(state.scene).decode(), [seat.name for seat in state.table.seats])
    shown = b',"scene":%b,"legal":%b}' % (scene.encode(), msgspec.json.encode(state.legal))
    return [(part, False) for part in (b'{"table":', *parts, shown)]


def replay_step(table: Table, viewer: int, step: int, until: int) -> ReplayStep:
    """Return the answer of `GET /api/tables/ID/replay?step=N&until=M`, for steps that exist."""
    first, *ahead = (_past(table, viewer, number) for number in range(step, until + 1))
    assert table.match is not None  # it is over
    log = named_html(drawing.lines_html(_rules(table), log_to(table, viewer, step)), table.match.names)
    return ReplayStep(table.known.version(viewer), replace(first, log=log), tuple(ahead))


def _legal(table: Table, viewer: int) -> tuple[str, ...]:
    """Return the moves that the viewer may make now; in a lesson, the one with which it continues."""
    if viewer not in deciding(table):
        return ()
    due = table.course.due(table.match)
    return tuple(as_asked(table, viewer).legal_actions()) if due is None else (due[2],)


def _rules(table: Table) -> str:
    return drawing.rules_address(table.game, table.row.options)


def _past(table: Table, viewer: int, number: int) -> FrameData:
    """Return a position of a finished game, with its own lines of the log."""
    assert table.match is not None
    frame = frame_at(table, viewer, number)
    own = drawing.lines_html(_rules(table), frame.told)
    scene, log = (named_html(one, table.match.names) for one in (drawing.past_html(_rules(table), frame), own))
    return FrameData(number, scene, log, frame.moment, frame.sounds)


def steps_asked(table: Table, viewer: int, step: int | None, until: int | None) -> tuple[int, int]:
    """Return the first and the last requested step of a finished game. Errors: NotOver, BadInput."""
    first = step_number(table, viewer, step)
    if until is None:
        return first, first
    if not first <= until < first + MOST_STEPS:
        raise BadInput(f"`until` must be at least `step`, and you can ask for at most {MOST_STEPS} steps at a time.")
    return first, step_number(table, viewer, until)


def step_number(table: Table, viewer: int, step: int | None) -> int:
    """Return the requested step of a finished game; None means the last. Errors: NotOver, BadInput."""
    table.must_be_over()
    last = table.known.version(viewer)
    if step is None:
        return last
    if not 0 <= step <= last:
        raise BadInput(f"There is no step {step}. Steps are numbered 0 to {last}.")
    return step


async def record_text(house: House, table_id: str) -> tuple[str, str, bool]:
    """Return a table's record, the name of its game, and whether it is over. Before the end the record lacks the seed,
    and a game with hidden information has none (NotOver). Finished or closed games of other rules still have one."""
    async with house.hold(table_id) as table:
        pass
    if sealed(table.row):
        raise NotOver("Everyone plays this game today. You can get its record when the day is over, at midnight UTC.")
    if table.closed:
        return kept_record(await house.store.load(table_id)).to_text(), table.row.game, True
    if not table.over and table.hidden_information:
        raise NotOver("The record contains hidden information. You can get it when the game is over.")
    return table.record(reveal=table.over).to_text(), table.row.game, table.over
