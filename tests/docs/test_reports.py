"""docs/reports: each ruleset has a page for its author, which says what its kept numbers say."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest

from parlour.analysis import stepping
from parlour.analysis.sampling import Setup
from parlour.analysis.steps import Value
from parlour.analysis.sweeping import at
from parlour.core.errors import BadSetup
from tests.docs import reports
from tests.docs.rulesets import rulesets

ALL = {one.page: one for one in rulesets()}
SMALL = 200_000  # bytes of the kept numbers of all pages together


def test_the_pages_are_what_the_numbers_say() -> None:
    assert reports.stale() == [], f"run `{reports.COMMAND}`"


def test_each_ruleset_has_a_page_and_its_numbers_are_small() -> None:
    assert len(ALL) == 7
    for kind, more in (("md", {"index"}), ("toml", set()), ("json", set())):
        assert {file.stem for file in reports.FOLDER.glob(f"*.{kind}")} == {*ALL, *more}
    assert sum(file.stat().st_size for file in reports.FOLDER.glob("*.json")) < SMALL
    for name, one in ALL.items():
        assert reports.numbers(one)["asked"]["games"] == reports.words(one).games, name


def test_a_page_says_its_games_its_command_and_a_recommendation() -> None:
    for name, one in ALL.items():
        page = " ".join((reports.FOLDER / f"{name}.md").read_text("utf-8").split())
        assert f"We played {reports.words(one).games:,} games of each line with seed 1." in page
        assert f"`{reports.command(one)}` plays what is new and writes this page." in page
        assert "The first player wins" in page
        assert "people may play differently" in page


@pytest.mark.parametrize("changed", ["a number", "the rules", "a step"])
def test_a_page_of_other_numbers_is_stale(changed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One number, the version of the rules, or a step that is not asked any more."""
    for file in reports.FOLDER.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    monkeypatch.setattr(reports, "FOLDER", tmp_path)
    monkeypatch.setattr(reports, "rulesets", lambda: [ALL["gatsby"]])
    file = tmp_path / "gatsby.json"
    numbers = json.loads(file.read_text("utf-8"))
    if changed == "a number":
        numbers["base"]["1st"][0] += 0.1
    elif changed == "the rules":
        numbers["asked"]["rules"] += 1
    else:
        numbers["steps"][0]["label"] = "another"
    file.write_text(json.dumps(numbers), "utf-8")
    if changed == "a number":
        assert "gatsby.md" in reports.stale()
    else:
        with pytest.raises(BadSetup):
            reports.stale()


@pytest.mark.slow
@pytest.mark.whole
@pytest.mark.parametrize("name", ALL)
def test_the_numbers_are_those_of_today(name: str) -> None:
    """The game as it is and the first and last step of each page, played again: the same games give the same numbers.
    With another seed the numbers are others, and agree within their intervals."""
    one = ALL[name]
    report = reports.report(one)
    tried = list(report.steps)
    few = [replace(value, steps=(step,)) for value, step in (tried[0], tried[-1])]
    again = stepping.play(report.setup, few, report.games)
    for measure, found in report.base.items():
        assert again.base[measure] == pytest.approx(found, rel=1e-3, abs=1e-6), measure
    other = Setup.make(one.game, report.setup.shape.players, options=one.chosen, seed=2)
    apart = stepping.play(other, _with(other, few), report.games)
    for value in few:
        key = value.path, value.steps[0].label
        for measure, change in report.changes[key].items():
            assert again.changes[key][measure][:3] == pytest.approx(change[:3], rel=1e-3, abs=1e-6), (key, measure)
            if measure in apart.changes[key]:
                assert _alike(change, apart.changes[key][measure]), (key, measure)


def _with(setup: Setup, values: list[Value]) -> list[Value]:
    """Return the values with the steps of another seed."""
    return [
        replace(value, steps=tuple(replace(step, setup=at(setup, step.point)) for step in value.steps))
        for value in values
    ]


def _alike(one: stepping.Change, other: stepping.Change) -> bool:
    """Return whether two independent estimates differ by less than 4.5 standard errors of their difference."""
    halves = [(found.high - found.low) / 2 / 1.96 for found in (one, other)]
    return abs(one.value - other.value) <= 4.5 * math.hypot(*halves) + 1e-9
