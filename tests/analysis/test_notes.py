"""Questions about other values: played, counted, kept, told."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import parlour
from parlour.analysis import notes
from parlour.analysis.notes import Figure
from parlour.analysis.shapes import shapes
from parlour.analysis.statistics import gather
from parlour.core.errors import BadSetup, UnknownName
from parlour.engine import survey

FORTUNE = parlour.find("fortune")
ASKED = """
[[question]]
name = "start"
game = "fortune"
edition = "classic-35"
players = [2]
measures = ["1st to play", "rounds", "Full Chest", "decisions"]
plays = { greedy = 70 }

[[question.values]]
label = "as it is"

[[question.values]]
label = "half way"
options.target = "5000"
plays = { greedy = 70, easy = 2 }
parts.deck = { gold = 0, diamond = 8 }
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "asked.toml").write_text(ASKED, "utf-8")
    return tmp_path / "asked.toml"


def test_a_value_changes_what_it_names_and_nothing_else(file: Path) -> None:
    (question,) = notes.read(file)
    usual, changed, searched = question.trials
    assert (usual.label, usual.parts, usual.options, usual.bots, usual.games) == ("as it is", {}, {}, "greedy", 70)
    assert (changed.options, searched.bots, searched.games) == ({"target": "5000"}, "easy", 2)
    before, after = FORTUNE.edition("classic-35").parts, changed.changed().parts
    assert after["deck"] == before["deck"] | {"gold": 0, "diamond": 8}
    assert after | {"deck": 0} == before | {"deck": 0}
    assert FORTUNE.edition("classic-35").parts["deck"]["gold"] == 4
    assert changed.start().target == 5000


def test_what_is_counted_is_what_statistics_count(file: Path) -> None:
    (question,) = notes.read(file)
    figures = notes.play(question.trials[0])
    found = gather(shapes(FORTUNE, 2, "classic-35")[0], "greedy", 70, seed=1)
    assert figures["1st to play"][:3] == pytest.approx(found.order[0])
    assert figures["rounds"].value == pytest.approx(found.counts["rounds"].mean)
    assert figures["Full Chest"].value == pytest.approx(found.events["Full Chest"].games)
    assert figures["decisions"].value == pytest.approx(found.decisions.mean)


def test_bots_that_search_are_counted_alike(file: Path) -> None:
    (question,) = notes.read(file)
    trial = question.trials[2]
    returns, rows = notes._searched(trial, lambda _done, _games: None)
    assert rows.shape == (2, survey.EVENTS + len(FORTUNE.events.EVENTS) + len(FORTUNE.events.COUNTS))
    assert (returns.sum(axis=1) == 1).all()
    assert set(rows[:, survey.STARTER]) <= {0, 1}
    assert (rows[:, survey.DECISIONS] < rows[:, survey.STEPS]).all()
    assert (rows[:, -1] > 5).all(), "rounds to 5,000 points"
    assert notes.play(trial) == notes.play(trial), "the same seed gives the same games"


def test_moves_that_are_always_made(file: Path) -> None:
    """A rule that leaves no choice: who may stop stops, so that each turn has its first roll only."""
    file.write_text(
        ASKED.replace("plays = { greedy = 70, easy = 2 }", 'plays = { greedy = 3 }\nalways = ["stop"]'), "utf-8"
    )
    usual, changed = notes.read(file)[0].trials
    assert (usual.always, changed.always) == ((), ("stop",))
    assert "always" not in usual.asked()
    assert changed.asked()["always"] == ["stop"]
    forced, free = notes.play(changed), notes.play(notes.replace(changed, always=()))
    assert forced["decisions"].value / forced["rounds"].value < free["decisions"].value / free["rounds"].value
    assert forced["decisions"].value / forced["rounds"].value <= 2, "one decision a turn, for two players"


def test_measures_by_hand() -> None:
    columns = {"turns": ("count", 4), "crash": ("event", 5), "draw": ("ending", 1)}
    #                 decisions steps starter ending turns crash
    rows = np.array([[10, 20, 0, 0, 3, 0], [20, 40, 1, 1, 3, 2], [30, 60, 1, 0, 5, 1], [60, 120, 0, 0, 9, 0]])
    returns = np.array([[1, 0], [0.5, 0.5], [1, 0], [0, 1]])

    def measured(name: str) -> Figure:
        return notes._measure(name, rows, returns, columns | {"decisions": ("count", 0)}, 1)

    assert measured("1st to play").value == (1 + 0.5 + 0 + 0) / 4
    assert measured("2nd to play").value == 1 - measured("1st to play").value
    assert measured("win shared").value == 1 / 4
    assert measured("turns").value == 5
    assert measured("turns").high - 5 == pytest.approx(1.96 * np.std([3, 3, 5, 9]) / 2)
    assert measured("turns, 95 %")[:3] == (9, 9, 9)
    assert measured("turns = 3")[0::3] == (0.5, True)
    assert measured("crash").value == 0.5
    assert measured("crash, times a game").value == 0.75
    assert measured("draw")[0::3] == (0.25, True)
    seconds = measured("seconds for each decision in 30 minutes")
    assert seconds.value == 30 * 60 / 30
    assert seconds.low < 60 < seconds.high
    for name in ("3rd to play", "turn", "crash = 1", "draw, times a game", "decisions, mean"):
        with pytest.raises(UnknownName, match=name):
            measured(name)


def test_figures_are_given_with_their_interval() -> None:
    assert notes.text(Figure(0.5, 0.45, 0.55, True)) == "50.0 ± 5.0 %"
    assert notes.text(Figure(0.001, 0.0006, 0.0014, True)) == "0.10 ± 0.04 %"
    assert notes.text(Figure(0.0003, 0, 0.002, True)) == "0.03 ± 0.10 %"
    assert notes.text(Figure(0.0, 0.0, 0.0123, True)) == "0 (< 1.2 %)"
    assert notes.text(Figure(1.0, 0.99, 1.0, True)) == "100 % (> 99 %)"
    assert notes.text(Figure(1234.5, 1200, 1269)) == "1,234 ± 34"
    assert notes.text(Figure(13.92, 13.8, 14.04)) == "13.9 ± 0.1"
    assert notes.text(Figure(0.0083, 0.001, 0.0156)) == "0.008 ± 0.007"
    assert notes.text(Figure(258, 258, 258)) == "258"


def test_a_part_that_the_edition_lacks_is_refused(file: Path) -> None:
    file.write_text(ASKED.replace("parts.deck", "parts.dice"), "utf-8")
    with pytest.raises(BadSetup, match="no component 'dice'"):
        notes.read(file)[0].trials[1].start()
