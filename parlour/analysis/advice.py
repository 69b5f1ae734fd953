"""What a report recommends to the author of a game, by stated thresholds.

A change counts if it is large enough (SHARES, PART) and not an accident: its p-value, adjusted for all changes of the
report together, is below SURE. Only fairness makes us recommend another value: the first player must be ahead or behind
by at least UNFAIR, and the step must bring their share nearer to an equal one. All else is the author's taste; we say
what would change.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from parlour.analysis.measures import all_measures
from parlour.analysis.stepping import Change, Report
from parlour.analysis.steps import DOWN, OTHER, UP, Step, Value
from parlour.analysis.wording import Found, said

FIRST = "1st"
SURE = 0.05
UNFAIR = 0.02  # of the wins
SHARES = 0.02  # the smallest change of a share that counts
PART = 0.05  # and of another number, as a part of what it is now
MORE = {  # what a measure that goes up or down is called: "games are longer"
    FIRST: ("the first player wins more often", "the first player wins less often"),
    "decisions": ("games are longer", "games are shorter"),
    "closeness": ("the end is closer", "the end is less close"),
    "drama": ("winners come from further behind", "winners come from less far behind"),
    "lead-changes": ("the lead changes more often", "the lead changes less often"),
    "skill": ("skill counts for more", "skill counts for less"),
}


@dataclass(frozen=True)
class Advice:
    """What is said of a value: how much it matters (FAIRER, CHANGES, NOTHING or UNTRIED), in a few sentences, and in
    short ("": the same)."""

    value: Value
    kind: str
    sentence: str
    short: str = ""


FAIRER, CHANGES, NOTHING, UNTRIED = "fairer", "changes", "nothing", "untried"


def counts(report: Report, name: str, change: Change) -> bool:
    """Return whether a change is large enough and not an accident."""
    if change.adjusted >= SURE:
        return False
    share = all_measures(report.setup)[name].share
    least = SHARES if share else PART * abs(report.base[name].value)
    return abs(change.value) >= least


def counting(report: Report, value: Value, step: Step) -> dict[str, Change]:
    """Return the changes of a step that count."""
    return {name: one for name, one in report.of_step(value, step).items() if counts(report, name, one)}


# Who is favoured ---------------------------------------------------------------------------------
def unfair(report: Report) -> bool:
    """Return whether the first player is ahead or behind, by at least UNFAIR and for certain."""
    found, even = report.base.get(FIRST), 1 / report.setup.shape.players
    return found is not None and not found.low <= even <= found.high and abs(found.value - even) >= UNFAIR


def favoured(report: Report) -> str:
    """Return a sentence about the first player's share."""
    found, even = report.base.get(FIRST), 1 / report.setup.shape.players
    if found is None:
        return "The bots differ, so nothing is said about who begins."
    share, equal = said(all_measures(report.setup)[FIRST], found), f"{100 * even:.4g} %"
    if unfair(report):
        where = "ahead" if found.value > even else "behind"
        return f"The first player wins {share} of the games; an equal share is {equal}. So they are {where}."
    if found.low <= even <= found.high:
        return f"The first player wins {share} of the games. That can't be told from an equal share, {equal}."
    return f"The first player wins {share} of the games, near an equal share of {equal}."


def fairer(report: Report, value: Value, step: Step) -> bool:
    """Return whether a step brings the first player's share nearer to an equal one, and they need it."""
    change = counting(report, value, step).get(FIRST)
    if change is None or not unfair(report):
        return False
    away = report.base[FIRST].value - 1 / report.setup.shape.players
    return abs(away + change.value) < abs(away)


# What is said of each value ----------------------------------------------------------------------
def advise(report: Report) -> list[Advice]:
    """Return what is said of each value, in their order."""
    return [_advise(report, value) for value in report.values]


def _advise(report: Report, value: Value) -> Advice:
    if not value.steps:
        return Advice(value, UNTRIED, f"Not tried: {value.why_not}.")
    better = [step for step in value.steps if fairer(report, value, step)]
    effects = [text for step in value.steps if (text := effect(report, value, step))]
    if better:
        best = min(better, key=lambda step: _away(report, value, step))
        change = said(all_measures(report.setup)[FIRST], Found(*report.of_step(value, best)[FIRST][:3]), signed=True)
        share = f"the first player's share by {change}, to about {100 * _after(report, value, best):.1f} %."
        first = (
            f"Please tell us which reading is yours: “{best.label}” changes {share}"
            if value.reading
            else f"We recommend {_way(best)}: it changes {share}"
        )
        return Advice(value, FAIRER, " ".join([first, *effects]), first)
    if effects:
        ask = (
            "Please tell us which reading is yours." if value.reading else f"Keep {_now(value)}, unless you want this."
        )
        return Advice(value, CHANGES, " ".join([ask, *effects]))
    if not any(any(one[:3]) for step in value.steps for one in report.of_step(value, step).values()):
        same = "No game between these bots changes, so they can't tell one from the other."
        return Advice(value, NOTHING, same)
    keep = "" if value.reading else f" Keep {_now(value)}."
    return Advice(value, NOTHING, f"No change counts{largest(report, value)}.{keep}")


def _now(value: Value) -> str:
    """Return what a value is now, if that is a number."""
    return value.now if value.now.replace(",", "").lstrip("−").isdigit() else "it as it is"


def largest(report: Report, value: Value) -> str:
    """Return by how much the first player's share may change at most, in words; "" if that was not measured."""
    changes = [change for step in value.steps if (change := report.of_step(value, step).get(FIRST)) is not None]
    if not changes:
        return ""
    most = max(max(abs(one.low), abs(one.high)) for one in changes)
    return f"; by the intervals, the first player's share changes by {100 * most:.1f} points at most" if most else ""


def _way(step: Step) -> str:
    return f"“{step.label}”" if step.way == OTHER else f"a step {step.way}, to {step.label}"


def _after(report: Report, value: Value, step: Step) -> float:
    """Return the first player's share after a step; its interval is left to the table."""
    return report.base[FIRST].value + report.of_step(value, step)[FIRST].value


def _away(report: Report, value: Value, step: Step) -> float:
    return abs(_after(report, value, step) - 1 / report.setup.shape.players)


def effect(report: Report, value: Value, step: Step) -> str:
    """Return what counts after a step, in a sentence; "" if nothing does."""
    known = all_measures(report.setup)
    told = []
    for name, change in counting(report, value, step).items():
        more, less = MORE[name]
        number = said(known[name], Found(*change[:3]), signed=True)
        told.append(f"{more if change.value > 0 else less} ({number})")
    if not told:
        return ""
    words = {DOWN: f"A step down, to {step.label}", UP: f"A step up, to {step.label}"}.get(
        step.way, f"With “{step.label}”"
    )
    return f"{words}: {', '.join(told)}."


def recommendations(report: Report) -> Iterator[str]:
    """Yield what the author should read first: who is favoured, the readings that matter, values that are fairer."""
    yield favoured(report)
    found = advise(report)
    urgent = [one for one in found if one.value.reading and one.kind in (FAIRER, CHANGES)]
    better = [one for one in found if not one.value.reading and one.kind == FAIRER]
    for one in (*urgent, *better):
        yield f"**{one.value.title}** ({one.value.clause}). {one.short or one.sentence}"
    if not better:
        moving = sum(one.kind == CHANGES and not one.value.reading for one in found)
        fair = "Nothing shows that the start needs another value"
        why = "No step of a value makes the start fairer" if unfair(report) else fair
        many = f"{moving} of the values below are" if moving > 1 else "One of the values below is"
        taste = f" {many} a matter of taste: a step changes something else." if moving else ""
        yield f"{why}, so we recommend none.{taste}"


def thresholds(report: Report) -> str:
    """Return what counts as a change, in words."""
    return (
        f"A change counts if it is at least {100 * SHARES:g} points of a share, or {100 * PART:g} % of another number, "
        f"and its p-value is below {SURE}. P-values are adjusted for all changes of the {len(report.changes)} steps "
        "here together (Holm). We recommend another value only if the first player is at least "
        f"{100 * UNFAIR:g} points away from an equal share and a step brings them nearer. The rest is your taste, and "
        "we say only what changes."
    )
