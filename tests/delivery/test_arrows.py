"""Which module imports which: no circles, and no arrow upwards, local imports and those for types only counted too. And
the same of the pages' scripts, whose imports on demand are counted too.

import-linter holds the packages apart, and the floors inside each; what it lets pass is caught here: a circle between
two files of one folder, a local import that hides one, and an arrow upwards between the subjects of the house.
"""

from __future__ import annotations

import functools
import re
from graphlib import CycleError, TopologicalSorter

import grimp
import pytest

from parlour.house.site import files

Arrow = tuple[str, str]  # importer, imported

ADAPTERS = (
    "episodes",
    "gymnasium",
    "open_spiel",
    "pettingzoo",
    "pufferlib",
)  # for other libraries: nothing else imports them
FLOORS = (
    "core", "games", "engine", "bots", "analysis", "conformance", "solo", "", "house", "site", "cli", "__main__",
    *ADAPTERS,
)  # fmt: skip
FACADE = "parlour"  # the package's own names, `import parlour`: the floor called "" above
HOUSE = "parlour.house"
# The floors of the house. A module that is named as a floor belongs to it; for others their folder says so, or the list
# of what subjects have besides.
HOUSE_FLOORS = ("common", "schema", "rows", "live", "house", "deeds", "jobs", "pages", "api", "assembled")
FOLDERS = {
    "database": "rows", "http": "api", "news": "house", "site": "pages",
    "table.jobs": "jobs", "table.live": "live", "table.pages": "pages", "table.play": "deeds", "table.storage": "rows",
    "table.web": "api", "tournaments.pairing": "rows", "workers": "house",
}  # fmt: skip
BESIDES = {
    "common": {"errors", "measures", "settings", "tasks"},
    "rows": {
        "accounts.names", "accounts.recovery", "clubs.seasons.leagues", "notify.allowances", "notify.channels",
        "notify.gatherings", "notify.kinds", "notify.outbox", "notify.quiet", "ratings.accuracies", "ratings.results",
        "tournaments.boards", "tournaments.lists", "tournaments.reckoning",
    },
    "live": {
        "accounts.preferences.choices", "playtests.questions", "profiles.pictures",
        "today.marks",
    },
    "house": {
        "accounts.browsers", "accounts.guests", "accounts.origins", "accounts.passkeys.challenges",
        "accounts.passwords", "accounts.streams", "accounts.tokens.reading", "admin.bans", "lobby.crowd",
        "lobby.lists", "notify.mail", "notify.outgoing", "notify.public", "notify.senders", "profiles.achieving",
        "puzzles.positions", "ratings.outcomes", "social.regards",
    },
    "deeds": {
        "accounts.export", "accounts.leaving", "accounts.proving", "invitations.by_name", "puzzles.mistakes",
        "ratings.counting",
    },
    "jobs": {"notify.wording"},
    "pages": {
        "admin.gauges", "http.page", "playtests.digest", "playtests.expert", "playtests.export", "ratings.graphs",
        "ratings.ladder", "ratings.strength", "tournaments.brackets", "tournaments.export",
        "tournaments.own", "tournaments.reading", "tournaments.showing", "tournaments.viewing", "tournaments.watching",
    },
    "api": {"tournaments.stream"},
    "assembled": {"app", "openapi", "serve", "timing"},
}  # fmt: skip


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


def floor(module: str) -> str:
    """The floor of a module of the house, named from below `HOUSE`; "" if nothing says which."""
    folder, _, last = module.rpartition(".")
    listed = next((name for name, modules in BESIDES.items() if module in modules), "")
    return listed or (last if last in HOUSE_FLOORS else FOLDERS.get(folder, ""))


def of_the_house() -> dict[str, set[str]]:
    """The modules of the house with code, and what each imports there, named from below `HOUSE`."""
    graph = arrows()
    packages = {module.rpartition(".")[0] for module in graph}

    def inside(names: set[str]) -> set[str]:
        below = {name.removeprefix(f"{HOUSE}.") for name in names - packages if name.startswith(f"{HOUSE}.")}
        return {name for name in below if not name.startswith("database.migrations.")}

    return {name: inside(graph[f"{HOUSE}.{name}"]) for name in inside(set(graph))}


def test_every_module_is_looked_at() -> None:
    graph = arrows()
    assert len(graph) > 200
    assert "parlour.core.struct" in graph["parlour.house.table.live.showing"]  # an ordinary import
    assert "parlour.bots.worker" in graph["parlour.house.workers.pool"]  # a local one
    floors = {module.split(".")[1] for module in graph if module != FACADE}
    assert floors == set(FLOORS) - {""}
    assert len(of_the_house()) > 150
    assert [name for name in of_the_house() if not floor(name)] == []
    assert {name for names in BESIDES.values() for name in names} - set(of_the_house()) == set()


def test_there_are_no_circles() -> None:
    assert circles(arrows()) == set()


def test_no_arrow_points_upwards() -> None:
    assert upwards(arrows(), "parlour", FLOORS) == set()


def test_no_arrow_points_upwards_between_the_subjects_of_the_house() -> None:
    graph = of_the_house()
    heights = {name: HOUSE_FLOORS.index(floor(name)) for name in graph}
    assert {(name, on) for name, others in graph.items() for on in others if heights[on] > heights[name]} == set()


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


def scripts() -> dict[str, set[str]]:
    """By script of the pages, the scripts that it imports, at once or on demand; as they are sent, without types."""
    found = {name: files.find(name) for name in files.SOURCES if name.endswith(".js")}
    pattern = re.compile(r"""(?:^import [^;]*?|\bimport\()"\./([\w-]+\.js)"\W""", re.MULTILINE)
    return {name: {*pattern.findall(file.data.decode())} for name, file in found.items() if file}


def test_scripts_import_each_other_in_one_direction() -> None:
    graph = scripts()
    assert (graph["ui.js"], graph["note.js"]) == ({"note.js"}, set())
    assert graph["tabs.js"] == {"ui.js", "read.js"}
    assert circles(graph) == set()
    graph["ui.js"] = {"clause.js"}  # which it needs
    assert circles(graph) != set()
