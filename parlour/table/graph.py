"""The analysis of a finished game as the replay page shows it: a graph of everybody's chance to win over the steps, the
decisions that cost chance as marks on it, and a note for every decision.

Bands lie on each other, one for each player, the viewer's own at the bottom: the more of the height is his, the better
he stood. They differ in colour and carry the player's shape; marks are shapes with a word.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from parlour.analysis.evaluation import Judgement, Summary, summaries
from parlour.table import pages
from parlour.table.analysing import Progress
from parlour.table.journal import Back
from parlour.table.room import Room

APART = 0.16  # of the width: words on the graph that are nearer to each other are left out
SIGNS = {"blunder": "??", "mistake": "?", "inaccuracy": "?!"}
MOST_WORDS = 6


class Report(msgspec.Struct, frozen=True):
    """What `GET /api/tables/ID/analysis` says: how far it is, or, when it is "done", the drawing."""

    status: str
    done: int = 0
    total: int = 0
    ahead: int = 0
    html: str = ""
    decisions: tuple[Judgement, ...] = ()


class Point(NamedTuple):
    """The chances of all players at a version."""

    version: int
    chances: tuple[float, ...]


class Dot(NamedTuple):
    """A decision that is marked: where it lies on the graph, in parts of width and height (from the top)."""

    x: float
    y: float
    version: int
    judgement: Judgement
    word: bool  # there is room for its name


def report(room: Room, viewer: int, found: list[Judgement] | Progress) -> Report:
    """How far the analysis of a room is, or what it found, for this viewer."""
    if isinstance(found, Progress):
        return Report(found.status, found.done, found.total, found.ahead)
    return Report("done", len(found), len(found), html=draw(room, viewer, found), decisions=tuple(found))


def draw(room: Room, viewer: int, found: Sequence[Judgement]) -> str:
    """The graph and the notes as HTML."""
    assert room.match is not None
    names, last = room.match.names, room.version_for(viewer)
    after = versions(room, viewer)
    line = points(found, after, last, room.match.returns)
    order = [*range(max(viewer, 0), len(names)), *range(max(viewer, 0))]
    told = summaries(found, len(names))
    return pages.analysis(
        order=order, names=names, last=max(last, 1), points=line, bands=_bands(line, order),
        marks=_dots(found, after, line, order, max(last, 1)), signs=SIGNS, told=told,
        notes=[_note(one, after[one.step], names) for one in found],
        words=_words(told, names), starts=_middles(line[0], order) if line else {},
    )  # fmt: skip


def versions(room: Room, viewer: int) -> list[int]:
    """By step of the record, the viewer's version after it (after the next that he saw, where he did not see it)."""
    standing: list[int] = []
    for index, step in enumerate(room.history):
        if isinstance(step, Back):
            standing.pop()
        else:
            standing.append(index)
    last = room.version_for(viewer)
    places = [room.place(viewer, version) for version in range(last + 1)]
    return [min(last, bisect_left(places, index + 1)) for index in standing]


def points(found: Sequence[Judgement], after: Sequence[int], last: int, result: Sequence[float]) -> list[Point]:
    """The chances before each decision, after those that are marked, and at the end; versions ascend."""
    line: list[Point] = []

    def add(version: int, chances: tuple[float, ...]) -> None:
        if not line or version > line[-1].version:
            line.append(Point(version, chances))

    for one in found:
        add(after[one.step] - 1, one.chances)
        if one.mark:
            add(after[one.step], _then(one))
    if line and line[-1].version == last:
        line.pop()
    add(last, tuple(result))
    return line


def _then(one: Judgement) -> tuple[float, ...]:
    """The chances after a decision: what it cost goes to the others as they stood."""
    rest = 1 - one.before
    others = len(one.chances) - 1
    return tuple(
        one.after if seat == one.seat else (1 - one.after) * (chance / rest if rest > 0 else 1 / others)
        for seat, chance in enumerate(one.chances)
    )


def _bands(line: Sequence[Point], order: Sequence[int]) -> list[tuple[int, str, str]]:
    """Each player's band as a polygon and its upper edge as a path, x in versions and y from 0 (top) to 100."""
    bands = []
    below = [100.0] * len(line)
    for seat in order:
        above = [max(0.0, y - 100 * point.chances[seat]) for y, point in zip(below, line, strict=True)]
        xs = [0, *(point.version for point in line)]
        top = [f"{x} {y:.1f}" for x, y in zip(xs, [above[0], *above], strict=True)] if line else []
        bottom = [f"{x} {y:.1f}" for x, y in zip(xs, [below[0], *below], strict=True)] if line else []
        bands.append((seat, "M" + "L".join([*top, *reversed(bottom)]) + "Z", "M" + "L".join(top)))
        below = above
    return bands


def _middles(point: Point, order: Sequence[int]) -> dict[int, float]:
    """The middle of each player's band at a point, in parts of the height."""
    middles, y = {}, 1.0
    for seat in order:
        middles[seat] = y - point.chances[seat] / 2
        y -= point.chances[seat]
    return middles


def _dots(
    found: Sequence[Judgement], after: Sequence[int], line: Sequence[Point], order: Sequence[int], last: int
) -> list[Dot]:
    """The marked decisions: on the line between two players, in the middle of their own band where there are more."""
    at = {point.version: point for point in line}
    dots: list[Dot] = []
    named: list[float] = []
    for one in found:
        point = at.get(after[one.step])
        if not one.mark or point is None:
            continue
        x = after[one.step] / last
        y = 1 - point.chances[order[0]] if len(order) == 2 else _middles(point, order)[one.seat]
        word = one.mark == "blunder" and len(named) < MOST_WORDS and all(abs(x - other) > APART for other in named)
        if word:
            named.append(x)
        dots.append(Dot(x, y, point.version, one, word))
    return dots


def _note(one: Judgement, version: int, names: Sequence[str]) -> dict[str, Any]:
    """What is told of a decision."""
    return {
        "version": version,
        "seat": one.seat,
        "mark": one.mark,
        "name": names[one.seat],
        "move": one.move,
        "after": f"{one.after:.0%}",
        "best": one.other if one.loss > 0 else "",
        "before": f"{one.before:.0%}",
        "next": one.other if one.loss <= 0 else "",
        "next_chance": f"{min(one.after, one.other_chance):.0%}",
    }


def _words(told: Sequence[Summary], names: Sequence[str]) -> str:
    """What the graph shows, in a sentence, for who cannot see it."""
    parts = []
    for one in told:
        marks = [f"{number} {plural(mark, number)}" for mark, number in one.marks.items() if number]
        parts.append(f"{names[one.seat]} made {', '.join(marks) or 'no marked decisions'}")
    return f"Chance to win of each player over the game. {'; '.join(parts)}."


def plural(word: str, number: int) -> str:
    """1 blunder, 2 blunders, 2 inaccuracies."""
    return word if number == 1 else f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"
