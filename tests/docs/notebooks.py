"""The notebooks of docs/notebooks: run without a kernel, and as Markdown for the site."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "docs/notebooks"


def cells(file: Path) -> Iterator[tuple[str, str]]:
    """Yield kind and text of each cell."""
    for cell in json.loads(file.read_text("utf-8"))["cells"]:
        yield cell["cell_type"], "".join(cell["source"])


def run(file: Path) -> list[object]:
    """Run all cells in one namespace, and return what a notebook would show below each: its last expression."""
    names: dict[str, object] = {"__name__": "notebook"}
    shown = []
    for kind, text in cells(file):
        if kind != "code":
            continue
        tree = ast.parse(text)
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, file.name, "exec"), names)
        shown.append(eval(compile(ast.Expression(last.value), file.name, "eval"), names) if last else None)
    return shown


def markdown(file: Path) -> str:
    """Return a notebook as Markdown."""
    return "\n\n".join(text if kind == "markdown" else f"```python\n{text}\n```" for kind, text in cells(file)) + "\n"
