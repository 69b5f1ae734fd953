"""`python -m tests.docs.designing --write`: runs the commands of docs/design-a-game.md and puts what they print there,
and its table of measures. It plays some 25,000 games. With names of questions after it, it runs these alone."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

from parlour.analysis import measures
from parlour.cli.app import run

PAGE = Path(__file__).parents[2] / "docs" / "design-a-game.md"
QUESTIONS = {
    "favoured": "parlour compare gatsby house-4 house-6 --games 2000 -m 1st -m 2nd -m shared-wins -m minutes "
    "-m branching",
    "one more": "parlour sweep gatsby --set tokens=4..28/8 --games 1000 -m 1st -m minutes -m forced "
    "--plot docs/games/gatsby-tokens.svg",
    "reading": "parlour compare gatsby setup_bonus=lost setup_bonus=taken --games 4000 -m 1st -m minutes -m closeness "
    "--until 1st",
    "best": "parlour tune gatsby --option setup_bonus=lost,taken --set tokens=4..12/4 --evaluations 12 --games 200 "
    '--final 1000 --toward "first player 50 ± 1 %, 10 ± 1 minutes"',
    "skill": "parlour compare gatsby house-4 house-6 --games 2000 -m skill -m luck",
}
FEW = {"--games": "12", "--evaluations": "2", "--final": "12"}  # for the suite


def marks(name: str) -> tuple[str, str]:
    """Return the comments around what is written under this name."""
    begin, end = (f"<!-- written by `python -m tests.docs.designing`: {name}: {word} -->" for word in ("begin", "end"))
    return begin, end


def output(command: str, change: Callable[[list[str]], list[str]] = list) -> str:
    """Run a command of the page and return what it prints. Raises AssertionError if it fails."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        status = run(change(shlex.split(command)[1:]))
    assert status == 0, command
    return "\n".join(line.rstrip() for line in said.getvalue().strip().splitlines())


def fewer(words: list[str]) -> list[str]:
    """Return a command line that plays few games."""
    return [FEW.get(before, word) for before, word in zip(["", *words], words, strict=False)]


def block(command: str, said: str) -> str:
    """Return a command and what it prints, as the page has them."""
    return f"```sh\n{wrapped(command)}\n```\n\n```text\n{said}\n```"


def wrapped(command: str) -> str:
    """Return a command in lines of at most 100 columns."""
    lines, line = [], ""
    for word in re.findall(r'"[^"]*"|\S+', command):
        if line and len(line) + len(word) > 95:
            lines.append(f"{line} \\")
            line = f"    {word}"
        else:
            line = f"{line} {word}" if line else word
    return "\n".join([*lines, line])


def table() -> str:
    """Return the table of measures."""
    rows = ["| measure | what it is | unit | formula | after |", "|---|---|---|---|---|"]
    for one in (*measures.FIXED, *measures.without_luck(1)):
        cells = (f"`{one.name}`", one.title, one.unit, one.formula, one.source)
        rows.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    return "\n".join(rows)


def put(page: str, name: str, text: str) -> str:
    """Return the page with a text between the marks of this name."""
    begin, end = marks(name)
    before, _, rest = page.partition(begin)
    assert rest, f"the page has no marks for {name}"
    return f"{before}{begin}\n\n{text}\n\n{end}{rest.partition(end)[2]}"


def section(page: str, name: str) -> str:
    """Return what the page has between the marks of this name."""
    begin, end = marks(name)
    return page.partition(begin)[2].partition(end)[0].strip()


if __name__ == "__main__" and "--write" in sys.argv:
    text = put(PAGE.read_text("utf-8"), "measures", table())
    for name, command in QUESTIONS.items():
        if name in (sys.argv[2:] or QUESTIONS):
            text = put(text, name, block(command, output(command)))
            PAGE.write_text(text, "utf-8")
    PAGE.write_text(text, "utf-8")
