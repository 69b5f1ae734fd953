"""The Python blocks of the pages: which of them run in the reader's browser, and on which earlier ones they build.

`mark` writes a place after each block, where parlour/site/static/blocks.js puts a button; where a block does not run,
it says why. A block runs if it imports nothing that a browser lacks, and if the names that it uses are its own or those
of earlier blocks that run.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from itertools import accumulate

BLOCK = re.compile(r"^(?P<indent>[ \t]*)```python\n(?P<code>.*?)^[ \t]*```\n", re.DOTALL | re.MULTILINE)
LACKS = {  # what a program names -> what it needs
    "numpy": "NumPy", "torch": "PyTorch", "jax": "JAX", "gymnasium": "Gymnasium", "pettingzoo": "PettingZoo",
    "pyspiel": "OpenSpiel", "parlour.gymnasium": "Gymnasium", "parlour.pettingzoo": "PettingZoo",
    "parlour.open_spiel": "OpenSpiel", "parlour.Batch": "NumPy", "parlour.simulate": "NumPy",
    "polars": "Polars", "pandas": "pandas", "duckdb": "DuckDB", "matplotlib": "Matplotlib",
    "urllib": "a server of its own", "sys.stdin": "a program that writes to it",
    "subprocess": "other processes", "parlour.analysis": "other processes", "compiled": "machine code",
}  # fmt: skip


@dataclass(frozen=True)
class Block:
    """A program of a page. `lacks`: what it needs and browsers lack; `needs`: the earlier blocks that it builds on."""

    code: str
    lacks: str
    needs: tuple[int, ...]


def blocks(text: str) -> list[Block]:
    """Return the Python blocks of a page that are programs; files of a game, which have a title, are not."""
    found: list[Block] = []
    owner: dict[str, int] = {}  # name -> the last block that binds it
    for match in BLOCK.finditer(text):
        code = re.sub(rf"^{match['indent']}", "", match["code"], flags=re.MULTILINE)
        used, bound, named = names(code)
        lacks = next((what for name, what in LACKS.items() if name in named), "")
        earlier = sorted({owner[name] for name in used - bound if name in owner})
        if not lacks:
            lacks = next((found[one].lacks for one in earlier if found[one].lacks), "")
        if not lacks and used - bound - owner.keys():
            lacks = "the rest of a program"
        needs = sorted({two for one in earlier for two in (*found[one].needs, one)})
        owner |= dict.fromkeys(bound, len(found))
        found.append(Block(code, lacks, tuple(needs)))
    return found


def names(code: str) -> tuple[set[str], set[str], set[str]]:
    """Return the names that a program uses, those that it binds, and the modules and attributes of modules in it."""
    used, bound, named = set[str](), set[str](), set[str]()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else bound).add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            named.add(f"{node.value.id}.{node.attr}")
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            bound.add(node.name)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.keyword) and node.arg:
            named.add(node.arg)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            bound.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            module = getattr(node, "module", None)
            for one in node.names:
                bound.add((one.asname or one.name).partition(".")[0])
                whole = f"{module}.{one.name}" if module else one.name
                named |= set(accumulate(whole.split("."), "{}.{}".format))
    return used - set(dir(builtins)), bound, named


def mark(text: str) -> str:
    """Return a page with a place after each block of Python that is a program."""
    found: Iterator[tuple[int, Block]] = enumerate(blocks(text))

    def marked(match: re.Match[str]) -> str:
        number, block = next(found)
        needs = " ".join(map(str, block.needs))
        after = f'<div class="parlour-run" data-block="{number}" data-needs="{needs}"></div>'
        if block.lacks:
            after = f'<p class="parlour-not">Run this on your computer: it needs {escape(block.lacks)}.</p>'
        return f"{match[0]}\n{match['indent']}{after}\n"

    return BLOCK.sub(marked, text)
