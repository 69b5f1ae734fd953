"""What a viewer of a table sees: scenes, frames, lines of the log. A viewer is a seat, or SPECTATOR."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from parlour.core import asking, struct, undo
from parlour.core.contract import CHANCE
from parlour.core.scene import Line, Piece, Scene
from parlour.table.live.table import Table


@dataclass(frozen=True, slots=True)
class Frame:
    """One position as one viewer sees it, and what the log says of the step that led to it.

    `moment` says what kind of step that was, for the page's motion: "roll", "turn", "move", "end"
    or "".
    """

    version: int
    scene: Scene
    lines: tuple[Line, ...] = ()
    moment: str = ""
    first: int = 0  # how many lines of the log come before these


def scene_at(table: Table, viewer: int, version: int) -> Scene:
    """What `viewer` sees at their `version`."""
    assert table.match is not None
    current = version == table.version_for(viewer)
    state = table.match.state if current else table.state_at(table.place(viewer, version))
    state = asking.questions(table.game, state).get(viewer, state)
    if not current:
        return table.game.scenes.scene(state, viewer, table.match.names)
    scene = _asked(table, state, viewer) if table.is_asked(viewer) else None
    scene = scene or table.game.scenes.scene(state, viewer, table.match.names)
    return replace(scene, undo=may_undo(table, viewer), hints=_may_hint(table, viewer))


def _asked(table: Table, state: Any, viewer: int) -> Scene:
    """What a seat sees that is asked in secret in `state`: the question and its time, or its own
    answer."""
    assert table.match is not None
    assert table.question is not None
    assert table.game.asking is not None
    names, share = table.match.names, table.question.share
    answer = table.answers.get((table.question.idx, viewer))
    if answer is None:
        scene = table.game.scenes.scene(state, viewer, names)
        return scene if share is None else replace(scene, prompt=f"{scene.prompt} You have {share:g} seconds.")
    after = struct.copy(state)
    table.game.rules.apply(after, table.game.asking.PASS)
    said = table.game.answered(state, answer.action, names)
    return replace(table.game.scenes.scene(after, viewer, names), prompt=f"{said} The game goes on in a moment.")


def may_undo(table: Table, seat: int) -> bool:
    """Whether the seat may take back its last decision now."""
    if table.match is None or seat < 0 or table.may_ask():
        return False
    last = table.history.last_standing()
    return not undo.why_not(table.game, last, table.match.current_player, seat)


def _may_hint(table: Table, seat: int) -> bool:
    """Whether the seat may ask what to do now."""
    return table.row.hints and seat in table.deciding()


def frame_at(table: Table, viewer: int, version: int, since: int | None = None) -> Frame:
    """The viewer's position `version`, with the lines of the log since `since` (the one before)."""
    scene = scene_at(table, viewer, version)
    told = table.lines(viewer)
    start, end = table.place(viewer, max(0, version - 1) if since is None else since), table.place(viewer, version)
    lines = tuple(line for step in told[start:end] for line in step)
    first = sum(len(step) for step in told[:start])
    return Frame(version, scene, lines, _moment(table, end, scene), first)


def log_to(table: Table, viewer: int, version: int) -> list[Line]:
    """The log up to the viewer's `version` as they may read it."""
    return [line for step in table.lines(viewer)[: table.place(viewer, version)] for line in step]


def _moment(table: Table, place: int, scene: Scene) -> str:
    if scene.over:
        return "end"
    if not place:
        return ""
    if table.history.actor(place - 1) != CHANCE:
        return "move"
    marks = _marks(scene.board)
    return "roll" if "rolled" in marks else "turn" if "turned" in marks else ""


def _marks(piece: Piece) -> set[str]:
    return set(piece.marks).union(*map(_marks, piece.children))
