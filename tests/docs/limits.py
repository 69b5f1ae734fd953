"""docs/limits.md: what bounds everything in Parlour that grows, written from limits.toml.

`python -m tests.docs.limits --write` renews the part between the two marks of the page. The part above it is written by
hand. `growing` finds what must be listed.
"""

from __future__ import annotations

import ast
import importlib
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import parlour
from parlour.house.database import all_tables
from tests.docs.written import Written

HERE = Path(__file__).parent
PACKAGE = Path(parlour.__file__).parent

# What grows --------------------------------------------------------------------------------------------
TO_THEIR_END = ("cli/", "conformance/")  # commands and measurements: what they hold ends with them
LOOPS = "house/"  # where endless loops are listed; elsewhere they are calculations, which the games' contract bounds
CACHES = {"cache", "lru_cache"}
QUEUES = {"LifoQueue", "PriorityQueue", "ProcessPoolExecutor", "Queue", "SimpleQueue", "ThreadPoolExecutor"}
EMPTY = {"array", "bytearray", "defaultdict", "deque"}  # which begin empty, whatever they are given
CONTAINERS = EMPTY | {
    "Counter", "dict", "list", "OrderedDict", "set", "WeakKeyDictionary", "WeakSet", "WeakValueDictionary",
}  # fmt: skip
MODULES = {"array", "collections", "weakref"}  # where they are from, if that is said
METERS = "prometheus_client"  # its counters have the names of containers, but do not grow
GROW = {"add", "append", "appendleft", "extend", "insert", "put", "put_nowait", "setdefault", "update"}


def last(node: ast.expr) -> str:
    """Return the last name of an expression such as `collections.deque`, `deque[int]` or `self.x`, "" for others."""
    match node:
        case ast.Subscript(value=value):
            return last(value)
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


def container(node: ast.expr) -> str:
    """Return the name of the container that is called, "" for anything else (such as a method `set`)."""
    match node:
        case ast.Subscript(value=value):
            return container(value)
        case ast.Attribute(value=ast.Name(id=module), attr=name) if module in MODULES and name in CONTAINERS:
            return name
        case ast.Name(id=name) if name in CONTAINERS:
            return name
    return ""


def grown(tree: ast.Module) -> set[str]:
    """Return the names and attributes of a module to which anything is added."""
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=value, attr=method)) if method in GROW:
                found.add(last(value))
            case ast.Subscript(ctx=ast.Store()):
                found.add(last(node))
            case ast.AugAssign(target=target):
                found.add(last(target))
    return found - {""}


class Finder(ast.NodeVisitor):
    """Finds what grows: containers of modules, classes and objects, if anything is added to them or they begin empty;
    caches; queues and pools, wherever they are made; and endless loops."""

    def __init__(self, source: str) -> None:
        tree = ast.parse(source)
        self.found: set[str] = set()
        self.within: list[str] = []
        self.function = False
        self.grown = grown(tree)
        every = ast.walk(tree) if METERS in source else ()
        imports = [node for node in every if isinstance(node, ast.ImportFrom) and node.module == METERS]
        self.meters = {one.name for node in imports for one in node.names}
        self.visit(tree)

    def note(self, name: str) -> None:
        if not name.startswith("__"):  # Python's own, such as `__all__`
            self.found.add(".".join((*self.within, name)))

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for one in node.decorator_list:
            if last(one.func if isinstance(one, ast.Call) else one) in CACHES:
                self.note(f"{node.name}()")
        self.inside(node, function=True)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.inside(node, function=False)

    def inside(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, *, function: bool) -> None:
        outer, self.function = self.function, function
        self.within.append(node.name)
        self.generic_visit(node)
        self.within.pop()
        self.function = outer

    def visit_Assign(self, node: ast.Assign | ast.AnnAssign) -> None:
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            match target, node.value:
                case ast.Tuple(elts=targets), ast.Tuple(elts=values):
                    for one, value in zip(targets, values, strict=True):
                        self.assigned(one, value)
                case _, ast.expr() as value:
                    self.assigned(target, value)
        self.generic_visit(node)

    visit_AnnAssign = visit_Assign

    def assigned(self, target: ast.expr, value: ast.expr) -> None:
        """Note what an assignment makes, unless it is a variable, which ends with its function."""
        own = isinstance(target, ast.Attribute) and last(target.value) == "self"
        if self.function and not own:
            return
        name, outer = last(target), self.within
        self.within = outer[:1] if own else outer
        if isinstance(value, ast.Call) and last(value.func) in CACHES:
            self.note(name)
        if self.grows(name, value, always=self.function or not outer):
            self.note(name)
        self.within = outer

    def grows(self, name: str, value: ast.expr, *, always: bool) -> bool:
        """Return whether a value is a container to which anything is added; `always`: also if nothing is added in this
        module, but it begins empty."""
        empty = False
        match value:
            case ast.List(elts=inside) | ast.Set(elts=inside) | ast.Dict(keys=inside):
                empty = not inside
            case ast.ListComp() | ast.SetComp() | ast.DictComp():
                pass
            case ast.Call(func=func, args=given) if container(func) and last(func) not in self.meters:
                empty = not given or last(func) in EMPTY
            case ast.Call(func=ast.Name(id="field"), keywords=named):  # of a dataclass
                made = next((one.value for one in named if one.arg == "default_factory"), None)
                if made is None or not container(made):
                    return False
            case _:
                return False
        return name in self.grown or (always and empty)

    def visit_Call(self, node: ast.Call) -> None:
        if last(node.func) in QUEUES:
            self.note(last(node.func))
        self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        if isinstance(node.test, ast.Constant) and node.test.value:
            self.note("while")
        self.generic_visit(node)


def growing(source: str) -> set[str]:
    """Return what grows in a module: `Class.attribute`, `name`, `function()` with a cache, `function.Queue`, and
    `function.while` for an endless loop."""
    return Finder(source).found


def everything() -> Iterator[str]:
    """Yield what must be listed: all that grows in the package, as "FILE NAME", and the tables of the database."""
    yield from all_tables.metadata.tables
    for file in sorted(PACKAGE.rglob("*.py")):
        place = file.relative_to(PACKAGE).as_posix()
        if not place.startswith(TO_THEIR_END):
            for name in sorted(growing(file.read_text("utf-8"))):
                if not name.endswith("while") or place.startswith(LOOPS):
                    yield f"{place} {name}"


# What is listed ----------------------------------------------------------------------------------------
class Limit(NamedTuple):
    """An entry of limits.toml, which says what each field means."""

    part: str
    what: str
    where: tuple[str, ...]
    limit: str = ""
    within: str = ""
    full: str = ""
    gone: str = ""
    test: str = ""

    @property
    def values(self) -> dict[str, object]:
        """Return the constants that its limit names, by how it does."""
        return {name: value_of(name) for name in PLACE.findall(self.limit + self.gone)}


PLACE = re.compile(r"\{([^}]+)\}")  # where a text has a constant
UNITS = {"days": 86400, "KB": 1024, "MB": 1 << 20}


def value_of(name: str) -> object:
    """Return a constant of the package such as `house.http.rates:MOST`, or a cache's size, as `core.scene:number()`."""
    place, _, unit = name.partition("|")
    module, _, rest = place.partition(":")
    found: Any = importlib.import_module(f"parlour.{module}")
    for one in rest.removesuffix("()").split("."):
        found = getattr(found, one)
    if rest.endswith("()"):
        return found.cache_info().maxsize
    return found / UNITS[unit] if unit else found


@cache
def listed() -> tuple[dict[str, str], tuple[Limit, ...]]:
    """Return the roots, each with its reason, and the limits."""
    data = tomllib.loads((HERE / "limits.toml").read_text("utf-8"))
    roots = data.pop("roots")
    entries = [(part, one) for part, found in data.items() for one in found]
    return roots, tuple(Limit(part, **{**one, "where": tuple(one["where"])}) for part, one in entries)


# The page ----------------------------------------------------------------------------------------------
def said(value: object) -> str:
    """Return a constant as the page says it."""
    match value:
        case bool() | str():
            return str(value)
        case int() | float():
            return f"{value:,g}" if isinstance(value, float) else f"{value:,}"
        case dict():
            return ", ".join(f"{number} of kind `{name}`" for name, number in value.items())
        case tuple():
            return f"{value[-1]:g} seconds"
    raise TypeError(value)


def filled(text: str) -> str:
    """Return a text of the list with the values of its constants."""
    return PLACE.sub(lambda found: said(value_of(found[1])), text)


def row(one: Limit) -> str:
    """Return one row of a table."""
    roots, _ = listed()
    limit = filled(one.limit)
    if one.within:
        limit += ("; " if limit else "") + (f"*{one.within}*" if one.within in roots else f"as for *{one.within}*")
    where = ", ".join(f"`{place.removeprefix('house/')}`" for place in one.where)
    test = f"`{one.test.removeprefix('tests/')}`" if one.test else ""
    gone = (filled(one.gone),) if one.gone else ()
    return f"| {' | '.join((one.what, where, limit, one.full, *gone, test))} |"


def written() -> str:
    """Return the written part of the page."""
    parts: dict[str, list[Limit]] = {}
    for one in listed()[1]:
        parts.setdefault(one.part, []).append(one)
    tables = []
    for part, found in parts.items():
        heads = ["what", "where", "limit", "at the limit", "the test beyond it"]
        if any(one.gone for one in found):
            heads.insert(4, "what deletes it")
        lines = [f"## {part}", "", f"| {' | '.join(heads)} |", "|" + "---|" * len(heads), *map(row, found)]
        tables.append("\n".join(lines))
    return "\n\n".join(tables)


PAGE = Written("limits", written)

if __name__ == "__main__":
    PAGE.main()
