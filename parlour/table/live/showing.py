"""What a viewer of a table sees: scenes, frames, lines of the log. A viewer is a seat, or SPECTATOR."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from parlour.core import asking, struct, undo
from parlour.core.contract import CHANCE
from parlour.core.scene import Line, Piece, Scene
from parlour.table.live.room import Room


@dataclass(frozen=True, slots=True)
class Frame:
    """One position as one viewer sees it, and what the log says of the step that led to it.

    `moment` says what kind of step that was, for the page's motion: "roll", "turn", "move", "end" or "".
    """

    version: int
    scene: Scene
    lines: tuple[Line, ...] = ()
    moment: str = ""
    first: int = 0  # how many lines of the log come before these


def scene_at(room: Room, viewer: int, version: int) -> Scene:
    """What `viewer` sees at their `version`."""
    assert room.match is not None
    current = version == room.version_for(viewer)
    state = room.match.state if current else room.state_at(room.place(viewer, version))
    state = asking.questions(room.game, state).get(viewer, state)
    if not current:
        return room.game.scenes.scene(state, viewer, room.match.names)
    scene = _asked(room, state, viewer) if room.is_asked(viewer) else None
    scene = scene or room.game.scenes.scene(state, viewer, room.match.names)
    return replace(scene, undo=may_undo(room, viewer), hints=_may_hint(room, viewer))


def _asked(room: Room, state: Any, viewer: int) -> Scene:
    """What a seat sees that is asked in secret in `state`: the question and its time, or what it has answered."""
    assert room.match is not None
    assert room.question is not None
    assert room.game.asking is not None
    names, share = room.match.names, room.question.share
    answer = room.answers.get((room.question.idx, viewer))
    if answer is None:
        scene = room.game.scenes.scene(state, viewer, names)
        return scene if share is None else replace(scene, prompt=f"{scene.prompt} You have {share:g} seconds.")
    after = struct.copy(state)
    room.game.rules.apply(after, room.game.asking.PASS)
    said = room.game.answered(state, answer.action, names)
    return replace(room.game.scenes.scene(after, viewer, names), prompt=f"{said} The game goes on in a moment.")


def may_undo(room: Room, seat: int) -> bool:
    """Whether the seat may take back its last decision now."""
    if room.match is None or seat < 0 or room.may_ask():
        return False
    last = room.history.last_standing()
    return not undo.why_not(room.game, last, room.match.current_player, seat)


def _may_hint(room: Room, seat: int) -> bool:
    """Whether the seat may ask what to do now."""
    return room.row.hints and seat in room.deciding()


def frame_at(room: Room, viewer: int, version: int, since: int | None = None) -> Frame:
    """The viewer's position `version`, with the lines of the log since `since` (the one before)."""
    scene = scene_at(room, viewer, version)
    told = room.lines(viewer)
    start, end = room.place(viewer, max(0, version - 1) if since is None else since), room.place(viewer, version)
    lines = tuple(line for step in told[start:end] for line in step)
    first = sum(len(step) for step in told[:start])
    return Frame(version, scene, lines, _moment(room, end, scene), first)


def log_to(room: Room, viewer: int, version: int) -> list[Line]:
    """The log up to the viewer's `version` as they may read it."""
    return [line for step in room.lines(viewer)[: room.place(viewer, version)] for line in step]


def _moment(room: Room, place: int, scene: Scene) -> str:
    if scene.over:
        return "end"
    if not place:
        return ""
    if room.history.actor(place - 1) != CHANCE:
        return "move"
    marks = _marks(scene.board)
    return "roll" if "rolled" in marks else "turn" if "turned" in marks else ""


def _marks(piece: Piece) -> set[str]:
    return set(piece.marks).union(*map(_marks, piece.children))
