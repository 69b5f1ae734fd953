"""`parlour bots`: the bots of each game."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from parlour.cli import output


def bots(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="A game; `parlour games` lists them.  [default: all of them]")
    ] = None,
    json: output.Json = False,
) -> None:
    """List the bots of a game, the best first: what each one is, and which commands have it compiled.

    Every bot can be named in `serve`, `play`, `arena`, `simulate` and `stats`. Games with one that is not compiled are
    played step by step, which takes longer.

    Examples: `parlour bots GAME`, `parlour bots --json`
    """
    from parlour.bots.listing import listing
    from parlour.games import all_games, find

    found = [find(game)] if game else list(all_games().values())
    if json:
        output.emit([asdict(entry) for one in found for entry in listing(one)])
        return
    from rich.table import Table

    for one in found:
        table = Table("bot", "what it is", "compiled in", title=f"{one.text.TITLE} ({one.name})")
        for entry in listing(one):
            usual = "; the default" if entry.default else ""
            table.add_row(entry.bot, entry.about + usual, ", ".join(entry.compiled))
        output.console().print(table)
