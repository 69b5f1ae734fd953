"""The analysis of a finished game as the replay page shows it: a graph of every player's chance of winning by step,
with marks for decisions that cost chance, and a verdict on every decision.

A decision belongs to the position in which it is made, where its pieces still are: there the page shows the verdict,
and draws on the board what was played and what would have been better.

Each player has a band, stacked with the viewer's own at the bottom: the higher a band, the better they stood. Bands
differ in colour and carry the player's shape; marks are shapes with a word. Where the analysis has not come yet, each
player has a line instead, which shows when they had a turn; so the page shows the game at once, and nothing moves.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

import msgspec
from markupsafe import Markup

from parlour.analysis.evaluation import Judgement, Summary, bounded, gained, percent, summaries
from parlour.bots import chances
from parlour.bots.because import ground_against, ground_of
from parlour.core.contract import CHANCE, Ground, Step
from parlour.core.scene import SPECTATOR, Piece, Scene
from parlour.core.standing import headline, standings, sudden
from parlour.core.struct import copy
from parlour.house.analysis.deeds import following, in_words, words_of
from parlour.house.analysis.jobs import Analysis, Progress
from parlour.house.site import drawing
from parlour.house.site.addresses import page_of_seat
from parlour.house.table.live.signs import named_html, signs
from parlour.house.table.live.table import Table
from parlour.house.table.pages.endings import ending

WORD, SIGN = 0.21, 0.09  # of the width of the graph where it is narrow
WORST = 4  # of the costliest decisions are listed where a step has no verdict
SIGNS = {"blunder": "??", "mistake": "?", "inaccuracy": "?!"}
BETTER = ("Best", "Slightly better")  # labels of a decision that would have been better
YOU = re.compile(r"\byou(rs?)?\b")


class Turning(msgspec.Struct, frozen=True):
    """The decision that cost most: the version after it, and what it was, in a sentence or two."""

    version: int
    words: str


class Report(msgspec.Struct, frozen=True):
    """The answer of `/api/tables/ID/analysis`: the progress of the analysis, in how many seconds it should be done
    (`left`, 0: not known yet) and the graph so far; or, when it is "done", the whole drawing and the `turning`
    point."""

    status: str
    done: int = 0
    total: int = 0
    ahead: int = 0
    html: str = ""
    decisions: tuple[Judgement, ...] = ()
    turning: Turning | None = None
    left: int = 0


class Point(NamedTuple):
    """The chances of all players at a version."""

    version: int
    chances: tuple[float, ...]


class Known(NamedTuple):
    """What is known of a game before it is analysed: who won, and the step that decided it with what happened there; -1
    without one."""

    result: Markup
    step: int
    told: Markup


class Dot(NamedTuple):
    """A marked decision and its place on the graph, as fractions of the width and of the height from the top."""

    x: float
    y: float
    version: int
    seat: int
    mark: str
    word: str  # the word beside it, "" if there is no room


def report(table: Table, viewer: int, found: Analysis | Progress, since: int = 0) -> Report:
    """Return the progress of the analysis of a table's game, or its result, for this viewer. Their page has the graph
    of `since` decisions; it gets another only if that shows more."""
    if isinstance(found, Progress):
        html = draw(table, viewer, found.judged, whole=False) if found.done > max(since, 1) else ""
        return Report(found.status, found.done, found.total, found.ahead, html, left=found.left)
    judged = found.judged
    html = draw(table, viewer, judged, luck=found.luck)
    return Report(
        "done", len(judged), len(judged), html=html, decisions=tuple(judged), turning=turning(table, viewer, judged)
    )


def turning(table: Table, viewer: int, found: Sequence[Judgement]) -> Turning | None:
    """Return the decision that cost its player most; None if none was worth a mark."""
    assert table.match is not None
    worst = max((one for one in found if one.mark), key=lambda one: one.loss, default=None)
    if worst is None:
        return None
    step = list(table.history)[table.history.standing()[worst.step]]
    said = in_words(table.game, step, table.match.names)
    fell = f"The chance to win fell from {percent(worst.before)} to {percent(worst.after)}."
    return Turning(versions(table, viewer)[worst.step], f"{said} {fell}")


def draw(
    table: Table, viewer: int, found: Sequence[Judgement], *, whole: bool = True, luck: Sequence[float] = ()
) -> str:
    """Return the graph and the notes as HTML, with each seat's luck where that is known; for an analysis in progress,
    only the graph of the first decisions, and the turns after them."""
    assert table.match is not None
    names, last = table.match.names, max(1, table.known.version(viewer))
    after = versions(table, viewer)
    line = points(found, after, last, table.match.returns if whole else None)
    order = [*range(max(viewer, 0), len(names)), *range(max(viewer, 0))]
    begin = line[0] if line else Point(0, (1 / len(names),) * len(names))
    sums = [_sum(one, luck) for one in summaries(found, len(names))] if whole else _counts(table)
    return drawing.analysis(
        order=order, names=names, pages=[page_of_seat(seat) for seat in table.seats],
        last=last, points=line, bands=_bands(line, order),
        turns=() if whole else _turns(table, after, order, line[-1].version if line else 0),
        starts=_middles(begin, order), marks=_dots(found, after, line, order, last), signs=SIGNS, sums=sums,
        notes=_notes(table, viewer, found, after) if whole else None, known=None if whole else _known(table, viewer),
        worst=sorted(((one, after[one.step] - 1) for one in found if one.mark), key=lambda one: -one[0].loss)[:WORST],
        holds=chances.holds(chances.of_match(table.match), exact=all(one.exact for one in found))
        + bounded(len(found)),
        words=" ".join(
            ["Each player’s chance of winning over the game."]
            + [f"{name}: {one.accuracy}{one.marks}{one.luck}." for name, one in zip(names, sums, strict=True) if whole]
        ),
    )  # fmt: skip


def versions(table: Table, viewer: int) -> list[int]:
    """Return for each step of the record the viewer's version after it (after the next step that they
    saw, if they did not see this one)."""
    standing = table.history.standing()
    last = table.known.version(viewer)
    places = [table.known.place(viewer, version) for version in range(last + 1)]
    return [min(last, bisect_left(places, index + 1)) for index in standing]


def points(found: Sequence[Judgement], after: Sequence[int], last: int, result: Sequence[float] | None) -> list[Point]:
    """Return the chances before each decision, after each marked one, and at the end (None: not to be shown yet), by
    ascending version."""
    line: list[Point] = []

    def add(version: int, chances: tuple[float, ...]) -> None:
        if not line or version > line[-1].version:
            line.append(Point(version, chances))

    for one in found:
        add(after[one.step] - 1, one.chances)
        if one.mark:
            add(after[one.step], _then(one))
    if result is None:
        return line
    if line and line[-1].version == last:
        line.pop()
    add(last, tuple(result))
    return line


def _then(one: Judgement) -> tuple[float, ...]:
    """Return the chances after a decision: what it cost goes to the others as they stood."""
    rest = 1 - one.before
    others = len(one.chances) - 1
    return tuple(
        one.after if seat == one.seat else (1 - one.after) * (chance / rest if rest > 0 else 1 / others)
        for seat, chance in enumerate(one.chances)
    )


def _bands(line: Sequence[Point], order: Sequence[int]) -> list[tuple[int, str, str]]:
    """Return each player's band as a polygon and its upper edge as a path, x in versions and y from 0
    (top) to 100; no bands before the first point, as a path needs one."""
    bands = []
    below = [100.0] * len(line)
    for seat in order if line else ():
        above = [max(0.0, y - 100 * point.chances[seat]) for y, point in zip(below, line, strict=True)]
        xs = [0, *(point.version for point in line)]
        top = [f"{x} {y:.1f}" for x, y in zip(xs, [above[0], *above], strict=True)]
        bottom = [f"{x} {y:.1f}" for x, y in zip(xs, [below[0], *below], strict=True)]
        bands.append((seat, "M" + "L".join([*top, *reversed(bottom)]) + "Z", "M" + "L".join(top)))
        below = above
    return bands


def _middles(point: Point, order: Sequence[int]) -> dict[int, float]:
    """Return the middle of each player's band at a point, in parts of the height."""
    middles, y = {}, 1.0
    for seat in order:
        middles[seat] = y - point.chances[seat] / 2
        y -= point.chances[seat]
    return middles


def _dots(
    found: Sequence[Judgement], after: Sequence[int], line: Sequence[Point], order: Sequence[int], last: int
) -> list[Dot]:
    """Return the marked decisions: on the line between two players, in the middle of their own band where
    there are more. Words come first where there is not room for all, then signs."""
    at = {point.version: point for point in line}
    placed = []
    for one in found:
        point = at.get(after[one.step] - 1)
        if one.mark and point:
            y = 1 - point.chances[order[0]] if len(order) == 2 else _middles(point, order)[one.seat]
            placed.append(Dot(point.version / last, y, point.version, one.seat, one.mark, ""))
    taken: list[tuple[float, float]] = []  # middle and width of what is written
    named: dict[int, str] = {}
    for full in (True, False):
        for i, dot in enumerate(placed):
            word, width = (dot.mark, WORD) if full else (SIGNS[dot.mark], SIGN)
            free = all(abs(dot.x - x) > (width + other) / 2 for x, other in taken)
            if free and i not in named and (dot.mark == "blunder" or not full):
                named[i] = word
                taken.append((dot.x, width))
    return [dot._replace(word=named.get(i, "")) for i, dot in enumerate(placed)]


def _turns(table: Table, after: Sequence[int], order: Sequence[int], since: int) -> list[tuple[int, str]]:
    """Return each player's turns from the version `since` on, as a path with a piece for each, from its first decision
    to that of the next player; x in versions and y from 0 (top) to 100."""
    assert table.match is not None
    heights = _middles(Point(0, (1 / len(order),) * len(order)), order)
    acts = [(step[0], max(since, at - 1)) for step, at in zip(table.match.steps, after, strict=True) if step[0] >= 0]
    begun = [next(turn) for _, turn in groupby(acts, lambda act: act[0])]
    pieces = dict.fromkeys(order, "")
    for (seat, at), (_, end) in pairwise([*begun, (CHANCE, after[-1] if after else 0)]):
        if at < end:
            pieces[seat] += f"M{at} {100 * heights[seat]:.1f}H{end}"
    return list(pieces.items())


def _notes(table: Table, viewer: int, found: Sequence[Judgement], after: Sequence[int]) -> list[dict[str, object]]:
    """Return the verdicts on all decisions. They take every step again, so not for an unfinished graph."""
    journal = list(table.history)
    steps = [journal[place] for place in table.history.standing()]
    return [_note(table, viewer, one, steps[one.step], after[one.step] - 1) for one in found]


def _note(table: Table, viewer: int, one: Judgement, step: Step, version: int) -> dict[str, object]:
    """Return the verdict on a decision: what was done, the best alternative, why if that was better and what would
    follow, and the pieces of both on the board."""
    assert table.match is not None
    names = table.match.names
    scene = table.game.scenes.scene(step.before, one.seat, tuple(names))
    label = _label(one)
    return {
        "version": version,
        "seat": one.seat,
        "mark": one.mark,
        "made": in_words(table.game, step, names),
        "after": percent(one.after),
        "label": label,
        "other": in_words(table.game, _instead(table, step, one.other_action), names),
        "chance": "" if one.other_chance is None else percent(one.other_chance),
        "better": label in BETTER,
        "why": " ".join(_why(table, viewer, one, step)) if label in BETTER else "",
        "back": one.mark in ("mistake", "blunder") and viewer in (one.seat, SPECTATOR),
        "pieces": pieces_of(scene, one.move),
        "instead": pieces_of(scene, one.other) if label in BETTER else (),
    }


def _why(table: Table, viewer: int, one: Judgement, step: Step) -> Iterator[str]:
    """Yield what a coach says of the better decision: its reason, as a hint gives it to the player who decides; where
    that is marked, by how much it is better and the reason for what was played; and what most likely follows."""
    assert table.match is not None
    game, names = table.game, table.match.names

    def clause(ground: Ground) -> str:
        because = game.because(ground, names)
        return because if one.seat == viewer or not YOU.search(because) else f"from {names[one.seat]}’s seat, {because}"

    ground = ground_of(game, step.before, one.other_action)
    if ground is not None:
        yield f"Because {clause(ground)}."
    if one.mark:
        yield f"It wins {_margin(one)} more games in 100."
        own = ground_against(game, step.before, step.action, one.other_action)
        if own is not None and own != ground:
            yield f"The move played has a reason, too: {clause(own)}."
    then = following(game, step.before, (one.other, *one.line), names)
    if then:
        yield f"Then probably: {' '.join(then)}"


def _margin(one: Judgement) -> str:
    """Return by how many games in 100 a decision is better, and how sure that is."""
    points, within = round(100 * one.loss), round(100 * one.within)
    return f"{points} ± {max(1, within)}" if not one.exact else f"{points}"


def pieces_of(scene: Scene, move: str) -> tuple[str, ...]:
    """Return the keys of the pieces that a player presses for a move: those that make it, else those that are chosen
    for it. Empty if a button makes it."""
    made: list[str] = []
    parts = list(words_of(scene).get(move, ("", ()))[1])

    def look(piece: Piece) -> None:
        if piece.action == move:
            made.append(piece.key)
        elif piece.part in parts:
            parts.remove(piece.part)
            made.append(piece.key)
        for child in piece.children:
            look(child)

    look(scene.board)
    return tuple(made)


def _label(one: Judgement) -> str:
    """Return how the best of the other decisions compares with the one made."""
    if one.mark:
        return "Best"
    if one.other_chance is None:
        return "Barely analysed"
    if one.alike:
        return "As good"
    return "Next best" if one.other_chance < one.after else "Slightly better"


def _instead(table: Table, step: Step, action: int) -> Step:
    """Return the step that another decision would have been."""
    after = copy(step.before)
    table.game.rules.apply(after, action)
    return Step(step.before, step.actor, action, after)


class Sum(NamedTuple):
    """A seat's decisions in few words: the accuracy, the marks, and the marks where there is little room; and its luck,
    "" where that is not known."""

    accuracy: str
    marks: str
    short: str
    luck: str = ""


def _sum(one: Summary, lucks: Sequence[float]) -> Sum:
    """Return a seat's decisions and its luck in few words."""
    luck = f", luck {gained(lucks[one.seat])}" if lucks else ""
    if one.accuracy is None:
        return Sum(one.in_words, "", "", luck)
    marks = [f"{number} {plural(mark, number)}" for mark, number in one.marks.items() if number]
    marked = sum(one.marks.values())
    return Sum(
        f"accuracy {one.in_words}" if one.clear else f"{one.in_words} for an accuracy",
        f", {', '.join(marks) or 'nothing marked'}",
        f", {marked or 'nothing'} marked",
        luck,
    )


def _known(table: Table, viewer: int) -> Known:
    """Return what fills the place of the verdicts until they are there."""
    match = table.match
    assert match is not None
    at_once = sudden(table.game, match.state)
    found = standings(match.returns, match.scores, table.game.race(match.state), at_once=at_once)
    said = headline(found, match.scores, match.names).words.format(*signs(len(match.names)))
    decided = ending(table, viewer)
    step, told = (decided.step, decided.words) if decided else (-1, Markup())
    return Known(Markup(named_html(said, match.names)), step, told)


def _counts(table: Table) -> list[Sum]:
    """Return how many decisions each seat made, in words, until the analysis says more."""
    assert table.match is not None
    made = Counter(step[0] for step in table.match.steps)
    numbers = [made[seat] for seat in range(len(table.match.names))]
    return [Sum(f"{number} {plural('decision', number)}", "", "") for number in numbers]


def plural(word: str, number: int) -> str:
    """Put a word in the plural if need be: 1 blunder, 2 blunders, 2 inaccuracies."""
    return word if number == 1 else f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"
