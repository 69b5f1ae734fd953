"""docs/reports: a page for the author of each ruleset, from the numbers that are kept beside it.

`parlour report GAME --write` plays what is new and writes a page. `python -m tests.docs.reports --write` writes all
pages again from the kept numbers, without a game, and the page that lists them.
"""

from __future__ import annotations

import json
import re
import sys
import textwrap
from pathlib import Path

from parlour.analysis import author_page, steps
from parlour.analysis.sampling import Setup
from parlour.analysis.stepping import Numbers, Report
from parlour.analysis.steps import Words
from tests.docs.rulesets import Ruleset, rulesets

FOLDER = Path(__file__).parents[2] / "docs" / "reports"
COMMAND = "python -m tests.docs.reports --write"
TEXT = (
    "Each page is for the author of a game. It tries every value that is ours a step down and a step up, and every "
    "other reading of an unclear rule. It says what changes, with intervals and pictures, and what we recommend. "
    "[Notes to the authors](../notes-to-the-authors.md) look closer at what is odd in each game. `parlour report GAME` "
    "makes such a page of any game, yours too. The first thing that each page says:"
)


def words(one: Ruleset) -> Words:
    """Return the prepared words of a ruleset."""
    return steps.read(FOLDER / f"{one.page}.toml")


def numbers(one: Ruleset) -> Numbers:
    """Return the kept numbers of a ruleset."""
    kept: Numbers = json.loads((FOLDER / f"{one.page}.json").read_text("utf-8"))
    return kept


def report(one: Ruleset) -> Report:
    """Return the report of a ruleset, of its kept numbers. Raises BadSetup if they are not those of today's setup."""
    prepared = words(one)
    setup = Setup.make(one.game, prepared.players, options=one.chosen)
    return Report.of(numbers(one), setup, steps.values(setup, prepared))


def command(one: Ruleset) -> str:
    """Return the command that writes the page of a ruleset."""
    return f"parlour report {one.game.name}{f' {one.name}' if one.name else ''} --write"


def pages() -> dict[str, str]:
    """Return every file by its name: pages, pictures and the list."""
    found: dict[str, str] = {}
    items = []
    for one in rulesets():
        page = author_page.blocks(report(one), words(one), command(one))
        found |= author_page.files(page, one.page, f"written by `{command(one)}`")
        items.append(item(one, found[f"{one.page}.md"]))
    text = textwrap.fill(TEXT, 100, break_on_hyphens=False)
    listed = "\n".join(items)
    return found | {"index.md": f"<!-- written by `{COMMAND}` -->\n\n# Reports to the authors\n\n{text}\n\n{listed}\n"}


def item(one: Ruleset, page: str) -> str:
    """Return an item of the list: a link, and the first recommendation of the page."""
    first = re.search(r"^## What we recommend\n\n\* (.+?)(?=\n\* |\n\n)", page, re.MULTILINE | re.DOTALL)
    assert first is not None, one.page
    said = f"* [{one.title}]({one.page}.md). {' '.join(first[1].split())}"
    return textwrap.fill(said, 100, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False)


def stale() -> list[str]:
    """Return the names of the files that are missing, left over, or not what the numbers say."""
    now = pages()
    there = {file.name: file.read_text("utf-8") for kind in ("md", "svg") for file in FOLDER.glob(f"*.{kind}")}
    return sorted(name for name in now.keys() | there.keys() if now.get(name) != there.get(name))


def main() -> None:
    """Write all pages, or say which are not current."""
    if "--write" in sys.argv[1:]:
        for name in stale():
            (FOLDER / name).unlink(missing_ok=True)
        for name, text in pages().items():
            (FOLDER / name).write_text(text, "utf-8")
    elif names := stale():
        raise SystemExit(f"{', '.join(names)} in docs/reports: run `{COMMAND}`.")


if __name__ == "__main__":
    main()
