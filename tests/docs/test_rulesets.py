"""docs/rulesets: each ruleset has its page, which says what the game says now, and whose program runs."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

import parlour
from parlour.core.game import Game
from tests.docs import rulesets

ALL = {one.page: one for one in rulesets.rulesets()}


def page(name: str) -> str:
    return (rulesets.FOLDER / f"{name}.md").read_text("utf-8")


def test_the_pages_are_current() -> None:
    assert rulesets.stale() == [], f"run `{rulesets.COMMAND}`"


def test_each_ruleset_has_a_page() -> None:
    assert len(ALL) == 7
    assert {file.stem for file in rulesets.FOLDER.glob("*.md")} == {*ALL, "index"}


@pytest.mark.parametrize("name", ALL)
def test_the_program_of_a_page_plays_its_ruleset(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    (program,) = re.findall(r"^```python\n(.*?)^```", page(name), re.DOTALL | re.MULTILINE)
    random.seed(1)
    names: dict[str, object] = {}
    exec(program, names)
    state = names["state"]
    assert isinstance(state, parlour.State)
    assert (state.game, state.options.get("ruleset", "")) == (ALL[name].game, ALL[name].name)
    assert sum(state.returns()) == 1
    assert capsys.readouterr().out.startswith(str(len(state.history())))


@pytest.mark.parametrize("name", ALL)
def test_the_table_of_the_observation_has_the_numbers_of_a_position(name: str) -> None:
    """Read back from the page: the rows follow each other without a gap, and a real observation is within them."""
    state = ALL[name].start(ALL[name].game.facts.players[1])
    rows = re.findall(r"^\| (\d+) \| .+? \| (any|from \S+|\S+ to \S+) \| (?:number|name|mask) \|", page(name), re.M)
    starts = [int(start) for start, _ in rows] + [ALL[name].game.facts.observation_size]
    numbers = state.observation(0)
    assert starts[0] == 0
    for start, after, (_, limits) in zip(starts, starts[1:], rows, strict=False):
        assert start < after
        words = limits.replace("\u2212", "-").replace(",", "").split()
        least = None if words == ["any"] else int(words[1] if words[0] == "from" else words[0])
        most = int(words[2]) if len(words) == 3 else None
        for value in numbers[start:after]:
            assert least is None or value >= least, (start, limits, value)
            assert most is None or value <= most, (start, limits, value)


def test_a_changed_fact_makes_its_pages_stale(monkeypatch: pytest.MonkeyPatch) -> None:
    game = parlour.find("gatsby")
    first, *others = game.facts.observed
    monkeypatch.setitem(game.__dict__, "facts", replace(game.facts, observed=(replace(first, clause="GA-1"), *others)))
    monkeypatch.setattr(rulesets, "rulesets", lambda: [rulesets.Ruleset(game, "")])
    assert isinstance(game, Game)
    assert "gatsby.md" in rulesets.stale()
