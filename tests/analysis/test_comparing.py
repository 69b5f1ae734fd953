"""Comparisons, against the list of all games and against what must be."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from parlour.analysis.comparing import Stop, compare
from parlour.analysis.estimates import Estimate
from parlour.analysis.playing import How, play
from parlour.analysis.sampling import Setup
from parlour.core.errors import BadSetup, UnknownName
from parlour.games import find
from tests.analysis import sprints

SPRINT = Path(__file__).parents[1] / "fixtures" / "sprint"


@pytest.fixture(autouse=True)
def _sprint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLOUR_GAMES", str(SPRINT))


def sprint(head: int = 0, seed: int = 1, **options: str) -> Setup:
    game = find("sprint")
    box = game.edition().changed({"head": head})
    return Setup.make(game, 2, edition=box, options=options, bots="random", seed=seed)


def test_a_setup_compared_with_itself_is_the_same_game_by_game() -> None:
    result = compare(sprint(), sprint(), 300)
    for one in result.differences:
        assert one.change is None or (one.change.value, one.change.error) == (0, 0), one.measure.name
        assert one.adjusted == 1


def test_differences_are_what_all_games_say_and_pairs_make_them_narrow() -> None:
    """A head start and a reading of ties; exact differences from the list of all games."""
    result = compare(sprint(), sprint(head=1), 6000)
    exact = [sprints.measures(list(sprints.games(2, head=head))) for head in (0, 1)]
    for name in ("seat-1", "shared-wins", "margin", "lead-changes", "forced", "drama"):
        change = result[name].change
        assert change is not None
        assert abs(change.value - (exact[1][name] - exact[0][name])) < 4.5 * change.error + 1e-12, name
    seat, first, second = result["seat-1"].change, result["seat-1"].first, result["seat-1"].second
    assert seat is not None
    assert first is not None
    assert second is not None
    assert seat.error < 0.75 * (first.error**2 + second.error**2) ** 0.5, "the same coins fall in both"
    assert result["seat-1"].adjusted < 0.001
    ties = compare(sprint(), sprint(ties="last"), 2000)
    assert ties["steps"].change is not None
    assert ties["steps"].change.error == 0, "a reading of the end changes no step before it"
    shared = ties["shared-wins"].second
    assert shared is not None
    assert shared.value == 0


def test_a_rule_for_stopping_stops_when_it_is_sure() -> None:
    clear = compare(sprint(), sprint(head=3), 20_000, measures=["seat-1"], stop=Stop("seat-1"))
    assert (clear.verdict, clear.games < 20_000) == ("less", True)
    assert "less in" in clear.sentence
    alike = compare(sprint(), sprint(), 20_000, measures=["seat-1"], stop=Stop("seat-1", precision=0.01))
    assert alike.verdict == "alike"
    open_end = compare(sprint(), sprint(ties="last"), 600, measures=["margin"], stop=Stop("1st"))
    assert open_end.games <= 600
    assert {one.measure.name for one in open_end.differences} == {"margin", "1st"}
    whole = play(sprint(head=3), clear.games, ["seat-1"]).estimate("seat-1")
    assert whole is not None
    assert clear["seat-1"].second is not None
    assert clear["seat-1"].second.value == pytest.approx(whole.value), "the games are those of one go"


def test_a_verdict_needs_more_than_one_game() -> None:
    assert Stop("x").verdict(None, 100) == ""
    assert Stop("x").verdict(Estimate(1.0, np.zeros(1)), 100) == ""
    assert Stop("x").verdict(Estimate(1.0, np.array([0.1, -0.1] * 50)), 100) == "more"


def test_games_are_kept_and_the_same_call_continues(tmp_path: Path) -> None:
    result = compare(sprint(), sprint(head=1), 400, how=How(tmp_path))
    plain = compare(sprint(), sprint(head=1), 400)
    assert result.as_dict() == plain.as_dict()
    files = sorted(tmp_path.iterdir())
    before = [file.read_bytes() for file in files]
    assert compare(sprint(), sprint(head=1), 400, how=How(tmp_path)).as_dict() == plain.as_dict()
    assert [file.read_bytes() for file in files] == before


def test_a_result_is_shown_in_a_notebook_and_written_as_json() -> None:
    result = compare(sprint(), sprint(head=1), 200, labels=("as it is", "<head>"))
    html = result._repr_html_()
    assert "&lt;head&gt;" in html
    assert html.count("<tr>") == 1 + len(result.differences)
    assert json.loads(json.dumps(result.as_dict()))["games"] == 200


def test_what_cannot_be_compared_is_refused_in_a_sentence() -> None:
    with pytest.raises(BadSetup, match="same seed"):
        compare(sprint(), sprint(seed=2), 10)
    with pytest.raises(UnknownName, match="no measure 'luk'"):
        compare(sprint(), sprint(), 10, measures=["luk"])
    with pytest.raises(UnknownName, match="was not compared"):
        compare(sprint(), sprint(), 10, measures=["1st"])["2nd"]
    with pytest.raises(BadSetup, match="at least one game"):
        compare(sprint(), sprint(), 0)
