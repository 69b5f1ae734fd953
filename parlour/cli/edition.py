"""`parlour edition`: the values of an edition, what they may be, and a file to start your own from."""

from __future__ import annotations

from typing import Annotated

import typer

from parlour.cli import output
from parlour.core import changes as changing
from parlour.core.edition import Edition


def edition(
    game: output.GameName,
    edition: output.EditionName = None,
    changes: output.Changes = None,
    toml: Annotated[
        bool, typer.Option("--toml", help="Print it as a file of TOML, to change and give to --edition.")
    ] = False,
    json: output.Json = False,
) -> None:
    """Show the values of an edition: what each is now, what it may be, where it comes from, and its clause.

    Other commands take other values by --set PATH=VALUE, or an edition of your own by --edition FILE.toml. A path is
    the name of a component, then names in its table and places in its lists, from 0.

    Examples: `parlour edition GAME`, `parlour edition GAME --toml`
    """
    from parlour.games import find

    found = find(game)
    chosen = found.edition(output.edition_of(found, edition, changes))
    if changes:
        found.start(found.min_num_players, chosen, found.options())  # refuses values that make no game together
    if toml:
        print(changing.written(chosen), end="")
    elif json:
        output.emit(_data(found.name, chosen))
    else:
        _print(found.text.TITLE, chosen)


def _data(game: str, edition: Edition) -> dict[str, object]:
    parts = {
        name: {
            "title": part.named(name), "value": part.value, "bounds": part.bounds.said(part.value), "mark": part.mark,
            "clause": part.clause, "note": part.note,
        }
        for name, part in edition.components.items()
    }  # fmt: skip
    return {"game": game, "edition": edition.name, "base": edition.base, "title": edition.title, "components": parts}


def _print(title: str, edition: Edition) -> None:
    from rich.table import Table

    table = Table("path", "value", "may be", "source", "clause")
    for name, part in edition.components.items():
        table.add_section()
        values = changing.paths(name, part.value)
        for number, (path, value) in enumerate(values):
            first = number == 0
            about = (part.bounds.said(part.value), part.mark, part.clause) if first else ("", "", "")
            table.add_row(path, changing.as_toml(value), *about)
    output.console().print(table)
    output.facts({"game": title, "edition": f"{edition.name} ({edition.title})"})
