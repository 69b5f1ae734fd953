"""Read the clauses of a game, and find the code and the tests that cite each of them.

A rulebook's clause is a paragraph that begins with its number in bold, `**AB-6**`. Code cites a
clause by its number anywhere in a file of the game's folder; a test cites it in its name,
`test_ab_06_...` (or `ab_6`; one name may cite several).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from parlour.core.errors import UnknownName
from parlour.core.game import Game

_PARAGRAPH = re.compile(r"^\*\*([A-Z]+-\d+)\*\*", re.MULTILINE)
_END = re.compile(r"^(#|\*\*[A-Z]+-\d+\*\*)", re.MULTILINE)
_SOURCES = (".py", ".toml")


@dataclass(frozen=True, slots=True)
class ClauseRow:
    """One clause and where it is cited.

    `code` has entries such as "rules.py:123", `tests` such as "tests/.../test_x.py::test_ab_06_y".
    """

    clause: str
    code: tuple[str, ...]
    tests: tuple[str, ...]

    @property
    def proved(self) -> bool:
        """Whether both code and a test cite the clause."""
        return bool(self.code and self.tests)


def clauses(game: Game) -> dict[str, str]:
    """Return clause number -> its Markdown, in the order of the rulebook."""
    book = game.rulebook
    found = {}
    for start in _PARAGRAPH.finditer(book):
        end = _END.search(book, start.end())
        found[start[1]] = book[start.start() : end.start() if end else len(book)].strip()
    return found


def clause(game: Game, number: str) -> str:
    """Return the Markdown of one clause; "ab6", "AB 6" and "AB-06" all work.

    Raises UnknownName, which lists the clauses.
    """
    numbers = clauses(game)
    match = re.fullmatch(r"\s*([A-Za-z]+)[\s_-]*0*(\d{1,4})\s*", number)
    name = f"{match[1].upper()}-{match[2]}" if match else number
    if name not in numbers:
        raise UnknownName(f"The rules of {game.text.TITLE} have no clause {number[:20]!r}.", allowed=numbers)
    return numbers[name]


def coverage(game: Game, tests_root: Path | None) -> list[ClauseRow]:
    """Return one row for each clause of the rulebook, then one for each cited clause that it lacks.

    Without `tests_root`, or if it is not a folder, no row has tests.
    """
    numbers = clauses(game)
    prefixes = {number.partition("-")[0] for number in numbers}
    code: dict[str, list[str]] = {}
    for place, number in _cited_by_code(game, prefixes):
        code.setdefault(number, []).append(place)
    tests: dict[str, list[str]] = {}
    if tests_root is not None:
        for place, number in _cited_by_tests(tests_root, prefixes):
            tests.setdefault(number, []).append(place)
    every = [*numbers, *sorted((code.keys() | tests.keys()) - numbers.keys())]
    return [ClauseRow(number, tuple(code.get(number, ())), tuple(tests.get(number, ()))) for number in every]


def _cited_by_code(game: Game, prefixes: set[str]) -> Iterator[tuple[str, str]]:
    for name, file in sorted(_files(resources.files(game.package)), key=lambda item: item[0]):
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
            for cited in dict.fromkeys(re.findall(r"\b([A-Z]+)-(\d+)\b", line)):
                if cited[0] in prefixes:
                    yield f"{name}:{number}", f"{cited[0]}-{int(cited[1])}"


def _files(folder: Traversable, place: str = "") -> Iterator[tuple[str, Traversable]]:
    """Yield the game's source files with their paths, except the first steps: they prove
    nothing."""
    for file in folder.iterdir():
        if file.is_dir():
            yield from _files(file, f"{place}{file.name}/")
        elif file.name.endswith(_SOURCES) and file.name != "guide.py":
            yield f"{place}{file.name}", file


def _cited_by_tests(root: Path, prefixes: set[str]) -> Iterator[tuple[str, str]]:
    cites = re.compile(rf"_(?:{'|'.join(map(re.escape, prefixes))})_\d".lower())
    for file in sorted(root.rglob("test_*.py")):
        text = file.read_text("utf-8")
        if not cites.search(text):  # to parse a file takes far longer than to search it
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                for prefix, number in re.findall(r"(?<=_)([a-z]+)_0*(\d+)(?=_|$)", node.name):
                    if prefix.upper() in prefixes:
                        place = file.relative_to(root.parent).as_posix()
                        yield f"{place}::{node.name}", f"{prefix.upper()}-{number}"
