"""Results as data frames: a row for each game, seat, measure or number, as docs/data.md lists them."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import parlour
from parlour.analysis import ladder, statistics
from parlour.analysis.arena import Contest, Crew, run
from parlour.analysis.comparing import compare
from parlour.analysis.playing import How
from parlour.analysis.sampling import Setup
from parlour.analysis.shapes import Shape
from parlour.analysis.sprt import Running, Sprt
from parlour.analysis.sweeping import Axis, sweep
from parlour.core.errors import UnknownName
from parlour.engine.frames import Framed, NoLibrary
from parlour.engine.simulate import Simulation
from parlour.games import find

SHORT = {"target": "5000"}
FORTUNE = find("fortune")
SHAPE = Shape(FORTUNE, "classic-35", 2, SHORT)
SETUP = Setup(SHAPE, ("random",))
MEASURES = ["1st", "decisions"]


def simulated() -> Simulation:
    return parlour.simulate("fortune", 2, bots="random", games=5, edition="classic-35", options=SHORT)


def results() -> dict[str, Framed]:
    """A result of each kind, by the heading of its table in docs/data.md."""
    contest = Contest(FORTUNE, ("greedy", "random"), 2, "classic-35", SHORT)
    with Crew(1) as crew:
        met = run(contest, 4, crew)
    other = Setup(Shape(FORTUNE, FORTUNE.edition("classic-35").changed({"deck.gold": 5}), 2, SHORT), ("random",))
    return {
        "Simulation": simulated(),
        "Statistics": statistics.gather(SHAPE, "random", 5),
        "Comparison": compare(SETUP, other, 5, measures=MEASURES, how=How(threads=1)),
        "Sweep": sweep(SETUP, [Axis("deck.gold", (4, 5))], 5, measures=MEASURES),
        "Run": met,
        "Rung": ladder.Rung(SHAPE, "greedy", "random", met, Running(Sprt())),
    }


@pytest.fixture(scope="module")
def found() -> dict[str, Framed]:
    return results()


def test_each_column_has_a_value_for_each_row(found: dict[str, Framed]) -> None:
    heights = {name: {len(column) for column in one.columns().values()} for name, one in found.items()}
    assert len(heights.pop("Statistics")) == 1
    assert heights == {"Simulation": {5}, "Comparison": {2}, "Sweep": {4}, "Run": {8}, "Rung": {1}}


def test_a_simulation_has_a_row_for_each_game() -> None:
    alone = simulated()
    columns = alone.columns()
    assert np.array_equal(columns["scores"], alone.scores)
    assert list(columns["number"]) == [0, 1, 2, 3, 4]
    assert list(columns["fault"]) == [None] * 5


def test_statistics_have_every_number(found: dict[str, Framed]) -> None:
    one = found["Statistics"]
    assert isinstance(one, statistics.Statistics)
    columns = one.columns()
    rows = {(field, name, statistic): value for field, name, statistic, value in zip(*columns.values(), strict=True)}
    assert rows["decisions", "", "mean"] == one.decisions.mean
    assert rows["seats", "2", "low"] == one.seats[1].low
    assert rows["endings", "round limit", ""] == one.endings["round limit"]
    assert rows["events", "disqualified", "games"] == one.events["disqualified"].games
    numbers = 6 + 4 * 8 + 3 * 4 + 1 + len(one.endings) + 3 * len(one.events) + 8 * len(one.counts)
    assert len(rows) == len(columns["value"]) == numbers + 1, "the seed is one more"


def test_comparisons_and_sweeps_have_each_interval(found: dict[str, Framed]) -> None:
    compared = found["Comparison"].columns()
    plain = found["Comparison"].as_dict()["differences"]  # type: ignore[attr-defined]
    assert list(compared["change_low"]) == [one["change"]["low"] for one in plain]
    assert list(compared["adjusted_p"]) == [one["adjusted_p"] for one in plain]
    swept = found["Sweep"].columns()
    assert list(zip(swept["deck.gold"], swept["measure"], strict=True)) == [
        (value, name) for value in (4, 5) for name in MEASURES
    ]


def test_an_arena_has_a_row_for_each_seat(found: dict[str, Framed]) -> None:
    columns = found["Run"].columns()
    games = [game for block in found["Run"].blocks for game in block]  # type: ignore[attr-defined]
    assert list(columns["bot"]) == [bot for game in games for bot in game.seats]
    assert list(columns["return"]) == [share for game in games for share in game.returns]
    assert list(columns["seat"]) == [1, 2] * len(games)


def test_frames_of_polars_have_these_columns(found: dict[str, Framed]) -> None:
    polars = pytest.importorskip("polars", reason="Polars is not installed: pip install 'parlour[data]'")
    for one in found.values():
        frame = one.to_frame()
        assert isinstance(frame, polars.DataFrame)
        assert frame.columns == list(one.columns())
    frame = found["Simulation"].to_frame()
    assert frame.schema["scores"] == polars.List(polars.Int64)
    assert frame["returns"].list.sum().to_list() == [1.0] * 5


def test_frames_of_pandas_have_these_columns(found: dict[str, Framed]) -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed, nor in the lock")
    for one in found.values():
        frame = one.to_frame("pandas")
        assert isinstance(frame, pandas.DataFrame)
        assert list(frame.columns) == list(one.columns())


@pytest.mark.parametrize(
    ("library", "install"), [("polars", "pip install 'parlour[data]'"), ("pandas", "pip install pandas")]
)
def test_a_library_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, library: str, install: str) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(NoLibrary, match=f"This needs {library}, which is not installed; .* installs it") as error:
        simulated().to_frame(library)  # type: ignore[call-overload]
    assert install in error.value.message
    with pytest.raises(UnknownName, match="Frames are of polars or pandas, not 'numpy'"):
        simulated().to_frame("numpy")  # type: ignore[call-overload]
