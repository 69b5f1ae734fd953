"""Grids of values: how they are written, which points they have, and what is measured there."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from parlour.analysis import curves
from parlour.analysis.playing import How
from parlour.analysis.sampling import Setup
from parlour.analysis.sweeping import MOST, Axis, grid, hypercube, sweep
from parlour.core.errors import BadSetup, UnknownName
from parlour.games import find
from tests.analysis import sprints

SPRINT = Path(__file__).parents[1] / "fixtures" / "sprint"


@pytest.fixture(autouse=True)
def _sprint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLOUR_GAMES", str(SPRINT))


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("card.price=50000..250000/50000", (50000, 100000, 150000, 200000, 250000)),
        ("gold=2..4", (2, 3, 4)),
        ("gold=0..1/0.25", (0.0, 0.25, 0.5, 0.75, 1.0)),
        ("gold=1..6/2", (1, 3, 5)),
        ("gold=-2..2/2", (-2, 0, 2)),
        ("gold=3, 5, 8", (3, 5, 8)),
        ("place=peek,force", ("peek", "force")),
    ],
)
def test_an_axis_is_read(text: str, values: tuple[object, ...]) -> None:
    found = Axis.read(text)
    assert (found.path, found.values) == (text.partition("=")[0], values)
    assert [type(one) for one in found.values] == [type(one) for one in values]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("gold", "PATH=LOW..HIGH/STEP"),
        ("gold=", "PATH=LOW..HIGH/STEP"),
        ("gold=1..x", "is not a range"),
        ("gold=5..1", "the range must go up"),
        ("gold=1..5/0", "steps above 0"),
        ("gold=1..nan", "the range must go up"),
        ("gold=1..9999999", f"at most {MOST:,} are possible"),
        ("gold=3,3", "names a value twice"),
    ],
)
def test_an_axis_that_is_none_is_refused_in_a_sentence(text: str, why: str) -> None:
    with pytest.raises(BadSetup, match=why):
        Axis.read(text)


def test_a_grid_has_every_combination_and_a_limit() -> None:
    axes = [Axis("a", (1, 2)), Axis("b", ("x", "y", "z"))]
    assert len({tuple(point.items()) for point in grid(axes)}) == len(grid(axes)) == 6
    with pytest.raises(BadSetup, match="Ask for fewer with --points"):
        grid([Axis("a", tuple(range(100))), Axis("b", tuple(range(100)))])


def test_a_hypercube_has_each_value_equally_often_on_each_axis() -> None:
    axes = [Axis("a", tuple(range(10))), Axis("b", tuple(range(20))), Axis("c", ("x", "y"))]
    points = hypercube(axes, 20, seed=1)
    assert sorted(point["b"] for point in points) == list(range(20))
    assert sorted(point["a"] for point in points) == sorted([*range(10)] * 2)
    assert [point["c"] for point in points].count("x") == 10
    assert points == hypercube(axes, 20, seed=1) != hypercube(axes, 20, seed=2)
    assert len(hypercube([Axis("a", (1, 2))], 20, seed=1)) == 2, "the same point is measured once"
    with pytest.raises(BadSetup, match="number of points"):
        hypercube(axes, MOST + 1, seed=1)


def test_each_point_is_what_all_its_games_say_and_the_same_call_continues(tmp_path: Path) -> None:
    setup = Setup.make(find("sprint"), 2, bots="random")
    axes = [Axis("head", (0, 1, 3)), Axis("ties", ("shared", "last"), option=True)]
    names = ["seat-1", "shared-wins", "margin"]
    file = tmp_path / "sweep.jsonl"
    result = sweep(setup, axes, 4000, measures=names, how=How(file))
    assert [(point["head"], point["option ties"]) for point in result.points] == [
        (head, ties) for head in (0, 1, 3) for ties in ("shared", "last")
    ]
    for point, found in zip(result.points, result.found, strict=True):
        told = list(sprints.games(2, head=int(str(point["head"]))))
        last = point["option ties"] == "last"
        exact = float(sum(one.chance * one.shares(last)[0] for one in told))
        half = (found["seat-1"].high - found["seat-1"].low) / 2
        assert abs(found["seat-1"].value - exact) < 2.5 * half
        assert not last or found["shared-wins"].value == 0
    lines = file.read_text("utf-8").splitlines()
    file.write_text("\n".join(lines[:4]) + "\n", "utf-8")
    assert sweep(setup, axes, 4000, measures=names, how=How(file)).as_dict() == result.as_dict()
    picture = curves.of_sweep("Sprint", result)
    root = ET.fromstring(picture)
    words = [element.text for element in root.iter() if element.text]
    assert any("seat 1 wins" in one for one in words)
    assert sum(element.tag.endswith("circle") for element in root.iter()) == 3 * 6
    assert [len(line) for line in result.table()] == [5] * 6


def test_what_cannot_be_swept_is_refused_before_a_game() -> None:
    setup = Setup.make(find("sprint"), 2, bots="random")
    with pytest.raises(BadSetup, match="at least one value"):
        sweep(setup, [], 10)
    with pytest.raises(BadSetup, match="head is varied twice"):
        sweep(setup, [Axis("head", (0, 1)), Axis("head", (2, 3))], 10)
    with pytest.raises(BadSetup, match="head"):
        sweep(setup, [Axis("head", (0, 99))], 10)
    with pytest.raises(BadSetup, match="hed"):
        sweep(setup, [Axis("hed", (0, 1))], 10)
    with pytest.raises(UnknownName, match="ties cannot be"):
        sweep(setup, [Axis("ties", ("first",), option=True)], 10)


def test_a_picture_of_few_values_and_of_words_is_whole() -> None:
    """Panels with one point, with values that are all the same, and with many curves."""
    one = curves.Panel("wins", "%", {"": [curves.Place(0.5, "a", 50.0, 50.0, 50.0)]})
    many = {f"curve {i}": [curves.Place(j / 2, str(j), i + j, i, i + 2 * j) for j in range(3)] for i in range(8)}
    root = ET.fromstring(curves.draw("<title>", "a & b", [one, curves.Panel("turns", "", many)]))
    assert sum(element.tag.endswith("circle") for element in root.iter()) == 1 + 24
