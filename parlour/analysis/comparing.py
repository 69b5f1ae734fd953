"""Two setups of a game compared: the same games of both, and the difference of each measure.

Game `number` of a seed has the same stream of chance in both setups, and the differences are those of these pairs, with
their interval. Where the games ask for the same dice and cards, pairs are alike, which makes the interval narrower.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape

from parlour.analysis.estimates import Estimate, difference, holm, p_value, wide
from parlour.analysis.measures import PACE, Measure, chosen
from parlour.analysis.playing import How, Played, play
from parlour.analysis.sampling import Setup
from parlour.analysis.wording import of, said, said_p
from parlour.core.errors import BadSetup, UnknownName
from parlour.engine.frames import Columns, Framed

GAMES = 10_000
LOOK = 500  # games of each setup between two looks at a rule for stopping


@dataclass(frozen=True, eq=False)
class Difference:
    """A measure in both setups (None where the games say nothing about it), and how much more it is in the second.

    `p`: the two-sided p-value of "no difference". `adjusted`: Holm's, for all measures of the comparison together.
    """

    measure: Measure
    first: Estimate | None
    second: Estimate | None
    change: Estimate | None
    p: float = 1.0
    adjusted: float = 1.0

    def as_dict(self) -> dict[str, object]:
        """Return plain values, for JSON."""

        def plain(one: Estimate | None) -> dict[str, float | None] | None:
            if one is None:
                return None
            low, high = (end if math.isfinite(end) else None for end in one.interval)
            return {"value": one.value, "low": low, "high": high}

        one = self.measure
        return {
            "measure": one.name, "title": one.title, "unit": one.unit, "first": plain(self.first),
            "second": plain(self.second), "change": plain(self.change), "p": self.p, "adjusted_p": self.adjusted,
        }  # fmt: skip


@dataclass(frozen=True, eq=False)
class Stop:
    """A rule for stopping: look at one measure until it is decided.

    It is decided when the interval of its difference, which holds for all looks together (`estimates.wide`), leaves out
    0, or when half of it is below `precision`.
    """

    measure: str
    precision: float = 0.0

    def verdict(self, change: Estimate | None, planned: int) -> str:
        """Return "more", "less" or "alike" (as far as `precision` goes); "" if it is not decided yet."""
        if change is None or change.games < 2:
            return ""
        half = wide(change, planned)
        if abs(change.value) > half:
            return "more" if change.value > 0 else "less"
        return "alike" if half < self.precision else ""


@dataclass(frozen=True, eq=False)
class Comparison(Framed):
    """The result of `compare`. `verdict` is that of the rule for stopping, "" without one, or if it was not decided."""

    first: Setup
    second: Setup
    labels: tuple[str, str]
    games: int
    differences: tuple[Difference, ...]
    stop: Stop | None = None
    verdict: str = ""

    def __getitem__(self, name: str) -> Difference:
        """Return the difference of a measure, by its name. Raises UnknownName."""
        for one in self.differences:
            if one.measure.name == name:
                return one
        raise UnknownName(f"{name!r} was not compared.", allowed=[one.measure.name for one in self.differences])

    def as_dict(self) -> dict[str, object]:
        """Return plain values, for JSON."""
        return {
            "first": {"label": self.labels[0], **self.first.asked()},
            "second": {"label": self.labels[1], **self.second.asked()},
            "games": self.games,
            "differences": [one.as_dict() for one in self.differences],
            "until": None if self.stop is None else {"measure": self.stop.measure, "precision": self.stop.precision},
            "verdict": self.verdict,
        }  # fmt: skip

    def columns(self) -> Columns:
        """Return a row for each measure: its name, title and unit, then the value of each setup and of the change, each
        with the ends of its interval, and the p-values."""
        rows = [_flat(one.as_dict()) for one in self.differences]
        return {name: [row[name] for row in rows] for name in (rows[0] if rows else ())}

    @property
    def sentence(self) -> str:
        """What the rule for stopping found, in a sentence; "" without a rule."""
        if self.stop is None:
            return ""
        title = self[self.stop.measure].measure.title
        return {
            "more": f"{title}: more in {self.labels[1]} than in {self.labels[0]}, after {self.games:,} games of each.",
            "less": f"{title}: less in {self.labels[1]} than in {self.labels[0]}, after {self.games:,} games of each.",
            "alike": f"{title}: alike within {self.stop.precision:g}, after {self.games:,} games of each.",
            "": f"{title}: not decided after {self.games:,} games of each.",
        }[self.verdict]

    def table(self) -> list[tuple[str, str, str, str, str]]:
        """Return the lines of a table: measure, first, second, difference, adjusted p-value."""
        return [
            (
                one.measure.title, said(one.measure, of(one.first)), said(one.measure, of(one.second)),
                said(one.measure, of(one.change), signed=True), said_p(one.adjusted) if one.change is not None else "",
            )
            for one in self.differences
        ]  # fmt: skip

    def _repr_html_(self) -> str:
        heads = ("", *self.labels, "difference", "p, adjusted")
        lines = ["".join(f"<td>{escape(cell)}</td>" for cell in line) for line in self.table()]
        head = "".join(f"<th>{escape(cell)}</th>" for cell in heads)
        about = f"{self.games:,} games of each, bots: {self.first.who}. {self.sentence}"
        return (
            f"<table><caption>{escape(about)}</caption><thead><tr>{head}</tr></thead>"
            f"<tbody>{''.join(f'<tr>{line}</tr>' for line in lines)}</tbody></table>"
        )


def compare(
    first: Setup, second: Setup, games: int = GAMES, *, measures: Iterable[str] | None = None,
    labels: tuple[str, str] | None = None, stop: Stop | None = None, pace: float = PACE, how: How | None = None,
) -> Comparison:  # fmt: skip
    """Play `games` games of two setups, or fewer if `stop` is decided before, and compare their measures.

    `measures`: names, see `parlour.analysis.measures.chosen`; `pace`: seconds for each decision; `how.file`: a
    folder for the games of both. Raises BadSetup, UnknownName; `simulate.Interrupted` on
    Ctrl-C.
    """
    names = _common(first, second, measures, stop)
    if first.seed != second.seed:
        raise BadSetup("Two setups are compared with the same seed, so that their games are pairs.")
    ways = _ways(how or How())
    size = min(games, LOOK) if stop else games
    done, verdict, found = 0, "", None
    while done < games and not verdict:
        done = min(games, done + size)
        found = [
            play(one, done, names, pace=pace, how=way, before=before)
            for one, way, before in zip((first, second), ways, found or (None, None), strict=True)
        ]
        if stop is not None:
            verdict = stop.verdict(_difference(stop.measure, *found).change, games)
    if found is None:
        raise BadSetup("A comparison needs at least one game.")
    told = adjusted(differences(names, *found))
    return Comparison(first, second, labels or _labels(first, second), done, told, stop, verdict)


def _flat(difference: dict[str, object]) -> dict[str, object]:
    """Return a difference as a row: the three estimates become three columns each, None where it is missing."""
    row: dict[str, object] = {}
    for name, value in difference.items():
        if name in ("first", "second", "change"):
            ends = value if isinstance(value, dict) else {}
            row |= {name: ends.get("value"), f"{name}_low": ends.get("low"), f"{name}_high": ends.get("high")}
        else:
            row[name] = value
    return row


def _ways(how: How) -> tuple[How, How]:
    """Return how the two setups are played: each has a file of its own in the folder."""
    if how.file is None:
        return how, how
    return replace(how, file=how.file / "first.jsonl"), replace(how, file=how.file / "second.jsonl")


def _common(first: Setup, second: Setup, measures: Iterable[str] | None, stop: Stop | None) -> list[str]:
    """Return the names of the measures that both setups have, in order; refuse one that was asked for and is not
    common."""
    asked = None if measures is None else list(measures)
    one, two = ([measure.name for measure in chosen(setup, asked)] for setup in (first, second))
    names = [name for name in one if name in two]
    if stop is not None and stop.measure not in names:
        names += [measure.name for measure in chosen(first, [stop.measure])]
        chosen(second, [stop.measure])
    return names


def differences(names: Iterable[str], first: Played, second: Played) -> list[Difference]:
    """Return the difference of each of these measures in games that were played. Their p-values are not adjusted."""
    return [_difference(name, first, second) for name in names]


def _difference(name: str, first: Played, second: Played) -> Difference:
    one, two = first.estimate(name), second.estimate(name)
    change = difference(one, two) if one is not None and two is not None else None
    return Difference(first.measure(name), one, two, change, 1.0 if change is None else p_value(change))


def adjusted(found: Sequence[Difference]) -> tuple[Difference, ...]:
    """Return those that say something, with p-values adjusted for all of them."""
    told = [one for one in found if one.first is not None or one.second is not None]
    tested = [one for one in told if one.change is not None]
    of_all = dict(zip(map(id, tested), holm([one.p for one in tested]), strict=True))
    return tuple(
        Difference(one.measure, one.first, one.second, one.change, one.p, of_all.get(id(one), 1.0)) for one in told
    )


def _labels(first: Setup, second: Setup) -> tuple[str, str]:
    one, two = str(first.shape), str(second.shape)
    return (one, two) if one != two else (f"{one}, {first.who}", f"{two}, {second.who}")
