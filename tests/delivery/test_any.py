"""`Any` in signatures, fields and aliases: only in the compiled seam, and what is listed here, each with its reason.

The seam is the engine with the rules and studies of the games: compiled functions take a state as a record of NumPy or
as an object, and a buffer as an array or a list. Elsewhere a state is a `GameState`, in a game's own code its `State`,
and an engine is an `Engine`.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import parlour

PACKAGE = Path(parlour.__file__).parent
SEAM = re.compile(r"engine/|games/\w+/(rules|study)[/.]")
OWN = "the game's own code reads the fields of its own State"
PARTS = "the game's own code reads its parts, whose kinds only it knows"
BUFFERS = "a list when plain, an array of one or two dimensions when compiled"
TINYCSS = "tinycss2 has no types"
COLUMNS = "a row that is made of columns by their names, which SQLAlchemy's types cannot follow"
VALUES = "as SQLAlchemy itself has it: what a column holds depends on the statement"
DECLARED = "the handler declares what the JSON holds, for the OpenAPI document; what is sent are its bytes"
QUEUED = "writes with results of different kinds wait in one queue"
LITESTAR = "handed on to Litestar as it came"
LEFT = {  # file, function and parameter, or class and field -> why it is Any
    "analysis/notes.py _question given": "a question as TOML has it; its keys are read one by one",
    "cli/bench.py _show row": "rows of several measurements by name, two of which have no low and high",
    "core/contract.py Step before": OWN,
    "core/contract.py Step after": OWN,
    "core/changes.py _values data": "a file as TOML has it; its keys are read one by one",
    "core/edition.py Edition.parts return": PARTS,
    "core/edition.py _part table": "a component as TOML has it; its keys are read one by one",
    "core/game.py Game.start return": OWN,
    "core/stylesheet.py _check tokens": TINYCSS,
    "core/stylesheet.py _read return": TINYCSS,
    "core/stylesheet.py _refused token": TINYCSS,
    "core/stylesheet.py _written rule": TINYCSS,
    "core/stylesheet.py _wrong node": TINYCSS,
    "core/solving.py Engine.solver return": "compiled functions of the game's own",
    "core/solving.py Engine.states return": BUFFERS,
    "core/solving.py Engine.integers return": BUFFERS,
    "core/solving.py Engine.reals return": BUFFERS,
    "core/solving.py Question given": "the game's own code reads the options that it declared, with their kinds",
    "games/aces_and_faces/show/book.py component value": PARTS,
    "games/facets_of_fortune/show/book.py component value": PARTS,
    "games/family_trade/show/book.py component value": PARTS,
    "games/fortune/show/book.py component value": PARTS,
    "games/gatsby/show/book.py component value": PARTS,
    "house/database/connections.py Connection.scalar return": VALUES,
    "house/database/sqlite.py Sqlite._commit together": QUEUED,
    "house/database/sqlite.py Sqlite._commit return": QUEUED,
    "house/http/answering.py apart return": DECLARED,
    "house/http/answering.py open_data return": DECLARED,
    "house/http/door.py ANSWERED": "stands where uvicorn has a request's scope, and has nothing in it",
    "house/ratings/matchmaking/rows.py _ASKER": COLUMNS,
    "house/table/live/made.py state_at return": OWN,
    "house/table/storage/change.py Change.set values": VALUES,
    "house/table/storage/change.py Change.set_seat values": VALUES,
    "house/table/storage/queries.py SEATS": COLUMNS,
    "house/table/web/stream.py Following.to_asgi_response args": LITESTAR,
    "house/table/web/stream.py Following.to_asgi_response more": LITESTAR,
}


def holds(annotation: ast.expr | None) -> bool:
    """Return whether an annotation has `Any` anywhere in it, even if it is quoted. `Coroutine[Any, Any, T]` is
    Python's own name of what an `async def` returns: only its T counts."""
    for node in ast.walk(annotation) if annotation else ():
        if isinstance(node, ast.Subscript) and ast.unparse(node).startswith("Coroutine[Any, Any, "):
            assert isinstance(node.slice, ast.Tuple)
            node.slice.elts = node.slice.elts[2:]
    for node in ast.walk(annotation) if annotation else ():
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.search(r"\bAny\b", node.value):
            return True
        if (isinstance(node, ast.Name) and node.id == "Any") or (
            isinstance(node, ast.Attribute) and node.attr == "Any"
        ):
            return True
    return False


class Finder(ast.NodeVisitor):
    """Finds `Any` in parameters, results, fields of classes and aliases of types; variables of functions may be Any."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self.within: list[str] = []
        self.inside = False  # a function

    def note(self, what: str) -> None:
        self.found.append(f"{'.'.join(self.within)} {what}".strip())

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        given, outer = node.args, self.inside
        self.within.append(node.name)
        for one in (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg):
            if one and holds(one.annotation):
                self.note(one.arg)
        if holds(node.returns):
            self.note("return")
        self.inside = True
        self.generic_visit(node)
        self.inside = outer
        self.within.pop()

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        outer, self.inside = self.inside, False
        self.within.append(node.name)
        self.generic_visit(node)
        self.within.pop()
        self.inside = outer

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if not self.inside and holds(node.annotation):
            self.note(ast.unparse(node.target))

    def visit_Assign(self, node: ast.Assign) -> None:
        if not self.inside and holds(node.value):
            self.note(ast.unparse(node.targets[0]))


def places(source: str) -> list[str]:
    """Return where a module has `Any`: a function with its parameter or "return", a class with its field, an alias."""
    finder = Finder()
    finder.visit(ast.parse(source))
    return finder.found


def test_any_is_in_no_signature_without_a_reason() -> None:
    """What is listed must still be there: a place that needs no Any any more leaves the list."""
    found = {
        f"{name} {place}"
        for file in PACKAGE.rglob("*.py")
        if not SEAM.match(name := file.relative_to(PACKAGE).as_posix())
        if "Any" in (source := file.read_text("utf-8"))
        for place in places(source)
    }
    assert found == set(LEFT)


def test_every_place_of_a_module_is_found() -> None:
    source = """
from typing import Any
import typing
Alias = dict[str, Any]
there: list[Any] = []
def f(a, b: Any, *c: int, d: "Any", **e: typing.Any) -> list[Any]:
    inside: Any = b
    other = cast(Any, b)
    async def g(x: int) -> Any: ...
class A:
    field: Any
    def h(self, anything: Anything) -> None: ...
    class B:
        other: dict[str, Any]
def work(a: Coroutine[Any, Any, None], b: Callable[[], Coroutine[Any, Any, Any]]) -> None: ...
"""
    assert places(source) == [
        "Alias", "there", "f b", "f d", "f e", "f return", "f.g return", "A field", "A.B other", "work b",
    ]  # fmt: skip
