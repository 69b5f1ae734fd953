"""`parlour solve`: the results of a game's own solver."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import typer

from parlour.cli import asking, output
from parlour.core import solving
from parlour.core.errors import BadSetup
from parlour.core.game import Game
from parlour.core.solving import Command, Interrupted


def solve(context: typer.Context) -> None:
    """Show the results of a game's own solver: exact values, tables."""
    game = asking.named(context.args, _solve, _declared, asking.game_called)
    asking.run("solve", _solve, context.args, _declared, game)


def _solve(
    game: output.GameName,
    *,
    edition: output.EditionName = None,
    changes: output.Changes = None,
    option: output.Options = None,
    json: output.Json = False,
    given: dict[str, object],
) -> None:
    """Show the results of a game's own solver: exact values, tables.
    Example: `parlour solve GAME`
    """
    from parlour.games import find

    found = find(game)
    solution = asking.solution(found)
    if not hasattr(solution, "solve"):
        raise BadSetup(f"The solver of {found.text.TITLE} only answers questions about positions (`parlour advise`).")
    with output.progress("solving", "solving (compiling first, if needed)") as tell:
        try:
            answer = solution.solve(
                asking.question(found, output.edition_of(found, edition, changes), option, given, tell)
            )
        except Interrupted as stop:
            print(stop, file=sys.stderr)
            raise typer.Exit(output.INTERRUPTED) from None
    if json:
        output.emit(answer.data)
    else:
        asking.show(answer)


def _declared(game: Game) -> Sequence[Command]:
    return [solving.solution(game).SOLVE] if hasattr(solving.solution(game), "SOLVE") else []
