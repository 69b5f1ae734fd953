"""Which module imports which: no circles, and no arrow upwards, local imports and those for types only counted too.

import-linter holds the floors apart and the rooms of the table; what it lets pass is caught here: a circle between two
files of one folder, and a local import that hides one.
"""

from __future__ import annotations

import functools
from graphlib import CycleError, TopologicalSorter

import grimp
import pytest

Arrow = tuple[str, str]  # importer, imported

FLOORS = ("core", "games", "engine", "bots", "analysis", "conformance", "", "table", "cli", "__main__")
FACADE = "parlour"  # the package's own names, `import parlour`: the floor called "" above
ROOMS = ("errors", "measures", "settings", "storage", "live", "house", "play", "staff", "pages", "web", "load")


@functools.cache
def arrows() -> dict[str, set[str]]:
    """By module, the modules of the package that it imports, wherever in the file."""
    graph = grimp.build_graph("parlour", exclude_type_checking_imports=False, cache_dir=None)
    return {module: set(graph.find_modules_directly_imported_by(module)) for module in graph.modules}


def circles(graph: dict[str, set[str]]) -> set[frozenset[str]]:
    """Sets of modules that reach each other."""
    graph, found = dict(graph), set()
    while True:
        try:
            tuple(TopologicalSorter(graph).static_order())
        except CycleError as error:
            one = error.args[1][0]
            back = {name: {other for other, on in graph.items() if name in on} for name in graph}
            ring = frozenset(_reach(graph, one) & _reach(back, one))
            found.add(ring)
            graph = {name: on - ring if name in ring else on for name, on in graph.items()}
        else:
            return found


def _reach(graph: dict[str, set[str]], start: str) -> set[str]:
    seen, ahead = {start}, [start]
    while ahead:
        new = graph[ahead.pop()] - seen
        seen |= new
        ahead += new
    return seen


def upwards(graph: dict[str, set[str]], package: str, floors: tuple[str, ...]) -> set[Arrow]:
    """Return the arrows from a floor of `package` to one above it. Modules of no floor belong to the package, ""."""

    def height(module: str) -> int:
        name = module.removeprefix(package).lstrip(".").partition(".")[0]
        return floors.index(name if name in floors else "")

    inside = {name for name in graph if name.startswith(f"{package}.") or name == package}
    return {(name, other) for name in inside for other in graph[name] & inside if height(name) < height(other)}


def test_every_module_is_looked_at() -> None:
    graph = arrows()
    assert len(graph) > 200
    assert "parlour.core.struct" in graph["parlour.table.live.showing"]  # an ordinary import
    assert "parlour.bots.worker" in graph["parlour.table.house.workers"]  # a local one
    floors = {module.split(".")[1] for module in graph if module != FACADE}
    assert floors == set(FLOORS) - {""}
    rooms = {module.split(".")[2] for module in graph if module.startswith("parlour.table.")}
    assert rooms == set(ROOMS)


def test_there_are_no_circles() -> None:
    assert circles(arrows()) == set()


def test_no_arrow_points_upwards() -> None:
    assert upwards(arrows(), "parlour", FLOORS) == set()


def test_no_arrow_points_upwards_at_the_table() -> None:
    assert upwards(arrows(), "parlour.table", ("", *ROOMS)) == set()


@pytest.mark.parametrize(
    ("graph", "found"),
    [
        ({"a": {"b"}, "b": {"c"}, "c": set()}, set()),
        ({"a": {"b"}, "b": {"a"}, "c": {"a"}}, {frozenset("ab")}),
        (
            {"a": {"b", "c"}, "b": {"a"}, "c": {"a"}, "d": {"e"}, "e": {"f"}, "f": {"d", "a"}},
            {frozenset("abc"), frozenset("def")},
        ),
    ],
)
def test_circles_are_found(graph: dict[str, set[str]], found: set[frozenset[str]]) -> None:
    assert circles(graph) == found


def test_arrows_upwards_are_found() -> None:
    graph = {"p": {"p.low.a"}, "p.low.a": {"p.high"}, "p.low": set(), "p.high": {"p.low.a", "p"}}
    assert upwards(graph, "p", ("low", "", "high")) == {("p.low.a", "p.high")}
    assert upwards(graph, "p", ("high", "", "low")) == {("p", "p.low.a"), ("p.high", "p.low.a"), ("p.high", "p")}
