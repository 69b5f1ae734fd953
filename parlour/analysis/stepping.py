"""A report of a game: each measure as it is, and what one step of each value, or another reading, changes.

All setups are played with the same seed, so the games of a step and those without it are pairs
(`estimates.difference`). The numbers can be kept as JSON; a report is made of them again without a game (`Report.of`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypedDict

from parlour.analysis import playing
from parlour.analysis.comparing import Difference, differences
from parlour.analysis.estimates import Estimate, holm
from parlour.analysis.measures import Measure, all_measures
from parlour.analysis.playing import How, Played
from parlour.analysis.sampling import Asked, Setup
from parlour.analysis.steps import Step, Value
from parlour.analysis.wording import Found, of
from parlour.core.errors import BadSetup

SCHEME = "parlour-report-1"
GAMES = 2000
MEASURES = ("1st", "decisions", "closeness", "drama", "lead-changes", "skill")
DIGITS = 5  # significant ones that are kept


class Change(NamedTuple):
    """How much more a measure is after a step, its 95 % interval, and the p-value of "no change": as found alone, and
    adjusted for all changes of the report together (Holm)."""

    value: float
    low: float
    high: float
    p: float
    adjusted: float = 1.0


class Question(TypedDict):
    """All that decides the numbers of a report, for JSON. `rules`: their version."""

    report: str
    rules: int
    setup: Asked
    games: int
    measures: list[str]


class Stepped(TypedDict):
    """What a step changed: the path of its value, its words, its values, and [value, low, high, p] by measure."""

    of: str
    label: str
    point: dict[str, object]
    changes: dict[str, list[float]]


class Numbers(TypedDict):
    """The numbers of a report, for JSON. `base`: [value, low, high] by measure."""

    asked: Question
    base: dict[str, list[float]]
    steps: list[Stepped]


@dataclass(frozen=True, eq=False)
class Report:
    """What was found about a setup. `changes` has a mapping by measure for each step, by its value's path and label."""

    setup: Setup
    games: int
    values: tuple[Value, ...]
    base: Mapping[str, Found]
    changes: Mapping[tuple[str, str], Mapping[str, Change]]

    @property
    def measures(self) -> list[Measure]:
        """The measures that the games say something about."""
        known = all_measures(self.setup)
        return [known[name] for name in MEASURES if name in self.base]

    @property
    def steps(self) -> Iterator[tuple[Value, Step]]:
        """Yield every step with its value."""
        for value in self.values:
            for step in value.steps:
                yield value, step

    def of_step(self, value: Value, step: Step) -> Mapping[str, Change]:
        """Return the changes of a step, by measure."""
        return self.changes[value.path, step.label]

    def numbers(self) -> Numbers:
        """Return the numbers alone, for JSON."""
        return {
            "asked": asked(self.setup, self.games),
            "base": {name: list(found) for name, found in self.base.items()},
            "steps": [
                {
                    "of": value.path, "label": step.label, "point": dict(step.point),
                    "changes": {name: list(one[:4]) for name, one in self.of_step(value, step).items()},
                }
                for value, step in self.steps
            ],
        }  # fmt: skip

    @staticmethod
    def of(numbers: Numbers, setup: Setup, values: Sequence[Value]) -> Report:
        """Return the report of kept numbers. Raises BadSetup if they are not those of this setup and its steps now."""
        games = numbers["asked"]["games"]
        kept = Kept(numbers)
        if numbers["asked"] != asked(setup, games):
            raise BadSetup("The numbers are of another setup, of other rules or of another version of this report.")
        found = {}
        for value in values:
            for step in value.steps:
                if (changes := kept.of(value, step)) is None:
                    raise BadSetup(f"{value.path}: {step.label} has not been played.")
                found[value.path, step.label] = changes
        base = {name: Found(*told) for name, told in numbers["base"].items()}
        return Report(setup, games, tuple(values), base, _adjusted(found))


def asked(setup: Setup, games: int) -> Question:
    """Return all that decides the numbers of a report, as JSON has it."""
    given: Question = {
        "report": SCHEME, "rules": setup.shape.game.rules.VERSION, "setup": setup.asked(), "games": games,
        "measures": list(MEASURES),
    }  # fmt: skip
    plain: Question = json.loads(json.dumps(given))
    return plain


class Kept:
    """Numbers from before, by step."""

    def __init__(self, numbers: Numbers) -> None:
        self.numbers = numbers
        self._steps = {(one["of"], one["label"], _key(one["point"])): one["changes"] for one in numbers["steps"]}

    def of(self, value: Value, step: Step) -> dict[str, Change] | None:
        """Return what a step changed, None if it has not been played as it is now."""
        found = self._steps.get((value.path, step.label, _key(step.point)))
        return None if found is None else {name: Change(*told) for name, told in found.items()}


def _key(point: Mapping[str, object]) -> str:
    return json.dumps(point, sort_keys=True)


# Playing -----------------------------------------------------------------------------------------
def play(
    setup: Setup, values: Sequence[Value], games: int = GAMES, how: How | None = None, kept: Numbers | None = None,
    keep: Callable[[Report], object] | None = None,
) -> Report:  # fmt: skip
    """Play the setup and every step. `kept`: numbers from before, of which those asked alike are not played again.

    `how.file`: a folder for the games; `keep` receives the report so far after each step. Raises
    `simulate.Interrupted` on Ctrl-C; BadSetup, UnknownName.
    """
    how, known = how or How(), all_measures(setup)
    names = [name for name in MEASURES if name in known]
    before = Kept(kept) if kept is not None and kept["asked"] == asked(setup, games) else None
    plan = [(value, step) for value in values for step in value.steps]
    found = {}
    for value, step in plan:
        if before is not None and (changes := before.of(value, step)) is not None:
            found[value.path, step.label] = changes
    if before is not None and len(found) == len(plan):
        return Report.of(before.numbers, setup, values)
    first = _played(setup, games, names, _way(how, 0, len(plan) + 1, games))
    base = {name: rounded(one) for name in names if (one := of(first.estimate(name))) is not None}

    def report() -> Report:
        done = tuple(
            replace(value, steps=tuple(step for step in value.steps if (value.path, step.label) in found))
            for value in values
        )
        return Report(setup, games, done, base, _adjusted(found))

    for number, (value, step) in enumerate(plan, 1):
        if (value.path, step.label) not in found:
            other = _played(step.setup, games, names, _way(how, number, len(plan) + 1, games))
            found[value.path, step.label] = _changes(differences(list(base), first, other))
            if keep is not None:
                keep(report())
    return report()


def _played(setup: Setup, games: int, names: Sequence[str], how: How) -> Played:
    return playing.play(setup, games, names, how=how)


def _way(how: How, number: int, plays: int, games: int) -> How:
    """Return how one of the plays is played: with a file of its own, and its part of the progress."""

    def told(done: int, _games: int, words: str) -> None:
        if how.progress is not None:
            how.progress(number * games + done, plays * games, words)

    file = how.file / f"{number:03}.jsonl" if how.file is not None else None
    return replace(how, file=file, progress=told)


def _changes(found: Sequence[Difference]) -> dict[str, Change]:
    told = {}
    for one in found:
        if one.change is not None:
            told[one.measure.name] = Change(*rounded(Found(*_ends(one.change))), _digits(one.p))
    return told


def _ends(change: Estimate) -> tuple[float, float, float]:
    return change.value, *change.interval


def rounded(found: Found) -> Found:
    """Return numbers with DIGITS significant digits, as they are kept."""
    return Found(*map(_digits, found))


def _digits(number: float) -> float:
    return float(f"{number:.{DIGITS}g}")


def _adjusted(
    found: Mapping[tuple[str, str], Mapping[str, Change]],
) -> dict[tuple[str, str], dict[str, Change]]:
    """Return the changes with their p-values adjusted, all together."""
    flat = [(key, name, one) for key, changes in found.items() for name, one in changes.items()]
    p = holm([one.p for _, _, one in flat])
    told: dict[tuple[str, str], dict[str, Change]] = {key: {} for key in found}
    for (key, name, one), adjusted in zip(flat, p, strict=True):
        told[key][name] = one._replace(adjusted=adjusted)
    return told
