"""Pages of docs/ of which a program writes the part between two marks; the part above it is written by hand."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

DOCS = Path(__file__).parents[2] / "docs"


class Written(NamedTuple):
    """The page `docs/NAME.md`, whose part `write` returns; `python -m tests.docs.NAME --write` renews it."""

    name: str
    write: Callable[[], str]

    @property
    def file(self) -> Path:
        return DOCS / f"{self.name}.md"

    @property
    def command(self) -> str:
        return f"python -m tests.docs.{self.name} --write"

    @property
    def stale(self) -> str:
        """What to say of a page that is not current."""
        return f"docs/{self.name}.md is stale: run `{self.command}`"

    def renewed(self, page: str) -> str:
        """Return the page with its written part made anew."""
        begin, end = (f"<!-- written by `{self.command}`: {which} -->\n" for which in ("begin", "end"))
        rest = page[page.index(end) + len(end) :]
        return f"{page[: page.index(begin)]}{begin}\n{self.write()}\n\n{end}{rest}"

    def main(self) -> None:
        """Write the page, or say whether it is current."""
        page = self.file.read_text("utf-8")
        if "--write" in sys.argv[1:]:
            self.file.write_text(self.renewed(page), "utf-8")
        elif self.renewed(page) != page:
            raise SystemExit(f"{self.stale}.")
