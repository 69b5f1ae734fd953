"""What a viewer of a table sees: scenes, frames, lines of the log, with signs for names (`table.live.signs`). A viewer
is a seat, or SPECTATOR.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from msgspec.structs import replace

from parlour.core import asking, struct, undo
from parlour.core.moments import moment
from parlour.core.scene import Line, Scene
from parlour.house.table.live.deciding import deciding, is_asked
from parlour.house.table.live.made import last_made, state_at
from parlour.house.table.live.signs import signs
from parlour.house.table.live.table import Table

QUIET = 300  # seconds between two lines of the log after which the second shows its time


@dataclass(frozen=True, slots=True)
class Told:
    """Lines of the log as one viewer reads them, the number of earlier lines, and when each was written (epoch): 0 if
    the time is not shown, because the line before is about as old."""

    lines: tuple[Line, ...] = ()
    first: int = 0
    times: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Frame:
    """One position as one viewer sees it, and what the log says of the step that led to it.

    `moment` says what kind of step that was, for the page's motion: "roll", "turn", "move", "end"
    or "". `sounds` are those of the step, and a `great` one has everyone's attention (`core.stage`).
    """

    version: int
    scene: Scene
    told: Told = Told()
    moment: str = ""
    sounds: str = ""
    great: bool = False


def scene_at(table: Table, viewer: int, version: int) -> Scene:
    """Return what `viewer` sees at their `version`."""
    assert table.match is not None
    current = version == table.known.version(viewer)
    state = table.match.state if current else state_at(table, table.known.place(viewer, version))
    state = asking.questions(table.game, state).get(viewer, state)
    if not current:
        return table.game.scenes.scene(state, viewer, signs(len(table.seats)))
    scene = _asked(table, state, viewer) if is_asked(table, viewer) else None
    scene = scene or table.game.scenes.scene(state, viewer, signs(len(table.seats)))
    scene = replace(scene, undo=may_undo(table, viewer), hints=_may_hint(table, viewer))
    return table.course.taught(table.match, scene, viewer)


def _asked(table: Table, state: struct.GameState, viewer: int) -> Scene:
    """Return the view of a seat that is asked in secret in `state`: the question and its time, or its
    own answer."""
    assert table.match is not None
    assert table.questions.open is not None
    assert table.game.asking is not None
    names, share = signs(len(table.seats)), table.questions.open.share
    answer = table.questions.answer(viewer)
    if answer is None:
        scene = table.game.scenes.scene(state, viewer, names)
        return scene if share is None else replace(scene, prompt=f"{scene.prompt} You have {share:g} seconds.")
    after = struct.copy(state)
    table.game.rules.apply(after, table.game.asking.PASS)
    said = table.game.answered(state, answer.action, names)
    return replace(table.game.scenes.scene(after, viewer, names), prompt=f"{said} The game continues in a moment.")


def may_undo(table: Table, seat: int) -> bool:
    """Return whether the seat may take back its last decision now."""
    if table.match is None or seat < 0 or table.questions.open is not None:
        return False
    return not undo.why_not(table.game, last_made(table), table.match.current_player, seat)


def _may_hint(table: Table, seat: int) -> bool:
    """Return whether the seat may ask for a hint now."""
    return table.row.hints and seat in deciding(table) and table.course.due(table.match) is None


def frame_at(table: Table, viewer: int, version: int) -> Frame:
    """Return the viewer's position `version`, with the lines of the log since the one before."""
    scene, place = scene_at(table, viewer, version), table.known.place(viewer, version)
    told = lines_since(table, viewer, max(0, version - 1), version)
    by = table.history.actor(place - 1) if place else None
    which, stage = moment(scene, by), table.game.stage
    return Frame(version, scene, told, which, stage.heard(which, told.lines), stage.is_great(which, told.lines))


def lines_since(table: Table, viewer: int, since: int, version: int) -> Told:
    """Return the lines of the log from one of the viewer's versions to another."""
    told, start, end = table.known.lines(viewer), table.known.place(viewer, since), table.known.place(viewer, version)
    lines = tuple(line for step in told[start:end] for line in step)
    return Told(lines, sum(map(len, told[:start])), tuple(_times(table, viewer, start, end)))


def _times(table: Table, viewer: int, start: int, end: int) -> Iterator[int]:
    """Yield when each line was written, 0 if the line before is less than QUIET older or the time is unknown. Only
    lines that the viewer reads count, so that no time reveals a step that is hidden from them."""
    told, at = table.known.lines(viewer), table.history.times
    before = next((at[place] for place in reversed(range(start)) if told[place]), None)
    for place in range(start, end):
        for _ in told[place]:
            yield at[place] if before is None or (before and at[place] - before >= QUIET) else 0
            before = at[place]


def log_to(table: Table, viewer: int, version: int) -> Told:
    """Return the log up to the viewer's `version` as they may read it."""
    return lines_since(table, viewer, 0, version)
