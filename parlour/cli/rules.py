"""`parlour rules`: the rulebook in the terminal, and the code and tests that cite its clauses."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parlour.cli import output
from parlour.core.errors import ParlourError

if TYPE_CHECKING:
    from parlour.core.clauses import ClauseRow


class Unproved(ParlourError):
    """A clause without code or without a test."""

    code = "clause-unproved"


def rules(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="A game; `parlour games` lists them.")] = None,
    clause: Annotated[str | None, typer.Argument(metavar="CLAUSE", help="A clause, by its number.")] = None,
    coverage: Annotated[
        bool, typer.Option("--coverage", help="List each clause with the code and the tests that cite it.")
    ] = False,
    json: output.Json = False,
) -> None:
    """Read the rules of a game, or one clause of them.

    --coverage lists clause, code and tests, of one game or of all; exit status 1 if a clause lacks either.
    It counts tests only if Parlour runs from its source.

    Examples: `parlour rules GAME`, `parlour rules GAME CLAUSE`, `parlour rules --coverage`
    """
    if coverage:
        if clause:
            raise typer.BadParameter("--coverage is about all clauses.", param_hint="CLAUSE")
        _coverage(game, json)
        return
    if game is None:
        raise typer.BadParameter("name a game (`parlour games` lists them), or use --coverage.", param_hint="GAME")

    from parlour.core import book, clauses
    from parlour.games import find

    found = find(game)
    texts = clauses.clauses(found)
    if clause:
        wanted = clauses.clause(found, clause)
        texts = {number: text for number, text in texts.items() if text == wanted}
    if json:
        output.emit({"game": found.name, "clauses": texts})
        return
    text = book.plain("\n\n".join(texts.values()) if clause else found.rulebook)
    if not clause and (choices := book.choices(found.facts.options)):
        text += f"\n\n## What a table can choose\n\nThe default value comes first.\n\n{choices}"
    if legend := book.legend(text):
        text += f"\n\n{legend}" if clause else f"\n\n## What is printed, what is ours\n\n{legend}"
    output.markdown(text)


def _coverage(name: str | None, json: bool) -> None:
    import parlour
    from parlour.core.clauses import clauses, coverage
    from parlour.games import all_games, find

    folder = Path(parlour.__file__).parents[1] / "tests"
    tests = folder if folder.is_dir() else None
    found = [find(name)] if name else list(all_games().values())
    rows = [(game, row) for game in found for row in coverage(game, tests)]
    bad = [
        row.clause for game, row in rows if not row.code or (tests and not row.tests) or row.clause not in clauses(game)
    ]
    if json:
        for game, row in rows:
            output.emit({"game": game.name, "clause": row.clause, "code": row.code, "tests": row.tests})
    else:
        _table([row for _, row in rows], tests is not None)
    if bad:
        raise Unproved(f"These clauses lack code, a test or a place in the rulebook: {', '.join(bad)}.")


def _table(rows: list[ClauseRow], tested: bool) -> None:
    from rich.table import Table

    table = Table("clause", "code", "tests")
    for row in rows:
        table.add_row(row.clause, ", ".join(row.code) or "-", "\n".join(row.tests) or "-")
    output.console().print(table)
    print(f"{len(rows)} clauses." if tested else f"{len(rows)} clauses. Tests are not installed with Parlour.")
