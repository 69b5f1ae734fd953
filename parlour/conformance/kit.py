"""The conformance kit: run all parts on a game, in all its shapes, for a limited time, and report
what is wrong.

The tests of Parlour's own games (tests/conformance) make the same checks with more games, and some
that need the repository: for example, that a test is named after each clause.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from parlour.analysis.shapes import Shape
from parlour.analysis.shapes import shapes as every_shape
from parlour.conformance import editions, inspecting, parts, teaching
from parlour.conformance.calibration import check_calibration
from parlour.conformance.cases import Case, of_each_ruleset, shapes, short
from parlour.conformance.faults import Fault, require
from parlour.conformance.parts import Spot
from parlour.conformance.puzzles import check_puzzles
from parlour.core.game import Game
from parlour.core.loading import explained, fault
from parlour.core.puzzle import puzzles_of
from parlour.engine import compile, guarded, interpret
from parlour.engine.compiled import require_compiler

GAMES, SECONDS = 3, 60.0
DRAWN = 4  # editions within the bounds
COMPILED = 64  # random games of each shape to inspect compiled
GUARDED = 1.5  # seconds of guarded play

LOADS = "the folder has all that a game needs"
ABOUT = "it describes itself"
RULEBOOK = "rulebook and code cite the same clauses"
GUIDE = "first steps"
LESSONS = "lessons"
PUZZLES = "puzzles"
PLAY = "random play ends, positions are sound, moves are written and read back"
VIEWS = "viewers see only what they may know, and are offered every legal move"
RECORD = "records replay and verify"
CHANCE = "chance draws outcomes as often as their weights say"
CALIBRATED = "new deals of what is hidden are as likely as the truth"
UNDO = "decisions that can be taken back have revealed nothing"
DECLARED = "it declares whether it hides anything"
HELD = "its state and the buffers hold what the rules put into them"
MACHINE = "it compiles, and plays the same compiled"
BOUNDS = "editions within the stated bounds can be played"
SOME = 10  # of this many puzzles of a file, one is checked
PARTS = (
    LOADS, ABOUT, RULEBOOK, GUIDE, LESSONS, PUZZLES, HELD, PLAY, VIEWS, RECORD, CHANCE, CALIBRATED, UNDO, DECLARED,
    MACHINE, BOUNDS,
)  # fmt: skip


@dataclass(frozen=True)
class Finding:
    """A fault: its part, its case and the spot in it ("" if it concerns the whole game), and the
    sentence that explains it."""

    part: str
    case: str
    spot: str
    why: str


@dataclass
class Report:
    """How a game did. `done` counts each part's checks, `left` those for which time ran out."""

    game: Game
    findings: list[Finding] = field(default_factory=list)
    done: Counter[str] = field(default_factory=Counter)
    left: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    @property
    def passed(self) -> bool:
        """Whether there are no findings."""
        return not self.findings


@dataclass(frozen=True)
class _Job:
    part: str
    case: str
    run: Callable[[Spot], object]


def run(
    game: Game,
    games: int = GAMES,
    seconds: float = SECONDS,
    tell: Callable[[int, int, str], object] = lambda _done, _all, _what: None,
) -> Report:
    """Check a game with `games` random games of each part and shape, and return a report.

    Nothing starts after `seconds` (0: no limit). A part ends with its first fault, which the report
    names. `tell` receives the progress. Raises CompilerOff where nothing can be compiled.
    """
    require_compiler()
    began = time.monotonic()
    report = Report(game)
    report.done[LOADS] = 1
    if why := fault(game):
        report.findings.append(Finding(LOADS, "", "", why))
        return report
    jobs = list(_jobs(game, games))
    for number, job in enumerate(jobs):
        if any(job.part == finding.part for finding in report.findings):
            continue
        if seconds and time.monotonic() - began > seconds:
            report.left[job.part] += 1
            continue
        tell(number, len(jobs), job.part)
        report.done[job.part] += 1
        spot = Spot()
        try:
            job.run(spot)
        except Fault as error:
            report.findings.append(Finding(job.part, job.case, str(spot), str(error)))
        except Exception as error:
            report.findings.append(Finding(job.part, job.case, str(spot), explained(error, "Parlour", game)))
    report.seconds = time.monotonic() - began
    return report


def _jobs(game: Game, games: int) -> Iterator[_Job]:
    """Yield the jobs, the most revealing first: each part once in a shape of each edition, then
    compiled play, then the rest."""
    yield _Job(ABOUT, "", lambda _: parts.about(game))
    yield _Job(RULEBOOK, "", lambda _: parts.rulebook(game))
    yield _Job(RULEBOOK, "", lambda _: teaching.check_book(game))
    if game.guide():
        yield _Job(GUIDE, "", lambda _: teaching.check_guide(game))
    if game.lessons:
        yield _Job(LESSONS, "", lambda _: teaching.check_lessons(game))
    if any(puzzles_of(game, ruleset) for ruleset in game.rulesets):
        yield _Job(PUZZLES, "", lambda _: check_puzzles(game, SOME))
    yield _Job(HELD, "", lambda _: held(game))
    few = short(game)
    rest = [case for case in shapes(game) if case not in few]
    for case in few:
        yield from _once(case, 0)
        yield _Job(CHANCE, str(case), lambda spot, case=case: parts.chance(case, spot=spot))  # type: ignore[misc]
        yield _declared(case)
    for case in of_each_ruleset(game) if game.facts.hidden_information else ():
        yield _Job(CALIBRATED, str(case), lambda spot, case=case: check_calibration(case, spot))  # type: ignore[misc]
    machine = [_compiled(game, number) for number in range(len(every_shape(game)))]
    yield machine[0]
    for number in range(DRAWN if editions.changeable(game) else 0):
        yield _bounds(game, number)
    for case in rest:
        yield _play(case, 0)
        yield _declared(case)
    yield from machine[1:]
    for seed in range(1, games):
        for case in few:
            yield from _once(case, seed)
        for case in rest:
            yield _play(case, seed)


def _once(case: Case, seed: int) -> Iterator[_Job]:
    """Yield one random game for each part that inspects positions closely."""
    yield _play(case, seed)
    yield _Job(VIEWS, str(case), lambda spot: parts.views(case, seed, spot))
    yield _Job(RECORD, str(case), lambda spot: parts.record(case, seed, spot))
    yield _Job(UNDO, str(case), lambda spot: parts.undo(case, seed, spot))


def _play(case: Case, seed: int) -> _Job:
    return _Job(PLAY, str(case), lambda spot: parts.play(case, seed, spot))


def _bounds(game: Game, number: int) -> _Job:
    return _Job(BOUNDS, f"edition {number}", lambda spot: parts.play(editions.drawn_case(game, number), number, spot))


def _declared(case: Case) -> _Job:
    return _Job(DECLARED, str(case), lambda spot: parts.declared(case, spot=spot))


def _compiled(game: Game, number: int) -> _Job:
    shape = every_shape(game)[number]
    return _Job(MACHINE, str(shape), lambda _: compiled(shape))


def held(game: Game) -> None:
    """Play for a while in states and buffers that refuse what compiled ones could not hold."""
    try:
        guarded.look(game, GUARDED)
    except guarded.Unplayable as error:
        raise Fault(error.why) from error


def compiled(shape: Shape) -> None:
    """Play random games of the shape compiled and inspect each step; play a few again plain and
    compare them."""
    try:
        fast = inspecting.inspect(shape, COMPILED, engine=compile(shape.game, checked=True))
    except guarded.Unplayable as error:
        raise Fault(error.why) from error
    plain = inspecting.inspect(shape, inspecting.ENDS, engine=interpret(shape.game), threads=1)
    for number, (one, other) in enumerate(zip(plain.rows, fast.rows, strict=False)):
        same = one == other and plain.ends[number] == fast.ends[number]
        require(same, f"rules.py or events.py: game {number} of seed 1 plays differently when compiled.")
