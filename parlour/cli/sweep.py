"""`parlour sweep`: what other values of an edition, or other readings of a rule, do to a game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parlour.bots.own import SECONDS
from parlour.cli import output, setups, spreading

if TYPE_CHECKING:
    from parlour.analysis.sweeping import Sweep

PACE = 10.0
SHOWN = ("1st", "minutes", "shared-wins", "branching", "lead-changes")  # unless measures are named


def sweep(
    game: output.GameName,
    vary: setups.Vary = None,
    option: setups.VaryOptions = None,
    points: Annotated[
        int | None, typer.Option(min=1, help="Only this number of points, spread evenly (a Latin hypercube).")
    ] = None,
    players: output.Players = None,
    bots: output.BotNames = None,
    games: Annotated[int, typer.Option("--games", "-n", min=2, help="Games of each point.")] = 2000,
    seed: output.Seed = 1,
    edition: output.EditionName = None,
    measure: setups.Measures = None,
    pace: setups.Pace = PACE,
    clock: output.Clock = SECONDS,
    out: setups.Resumed = None,
    plot: Annotated[Path | None, typer.Option("--plot", metavar="FILE.svg", help="Draw the measures.")] = None,
    ray: spreading.Ray = None,
    audit: spreading.Audit = None,
    parquet: spreading.Parquet = None,
    json: output.Json = False,
) -> None:
    """Play a game with several values of its edition or of its options, and show the measures of each.

    Several --set or --option with more than one value make a grid of all their combinations; --points takes some of
    it. All points are played with the same seed. Without --measure it shows a few.

    Examples: `parlour sweep GAME --set card.price=50000..250000/25000 --plot prices.svg`,
    `parlour sweep GAME --option first=seat,eldest --set deck.gold=3,4,5`
    """
    from parlour.analysis import curves, sweeping
    from parlour.analysis import parquet as tables
    from parlour.games import find

    found = find(game)
    axes, changes, options = setups.varied(found, vary, option)
    setup = setups.made(found, players, edition, changes, options, bots, seed, clock)
    output.open_file(plot)
    spreading.ready(parquet, found, setup.bots)
    with spreading.playing(out, ray, audit) as how:
        result = sweeping.sweep(setup, axes, games, measures=measure or SHOWN, points=points, pace=pace, how=how)
    spreading.tables(
        parquet, lambda: tables.of_setups(sweeping.setups(result), games), ray, spreading.share(audit, ray)
    )
    if plot is not None:
        output.write(plot, curves.of_sweep(found.text.TITLE, result))
    if json:
        output.emit(result.as_dict())
    else:
        _print(found.text.TITLE, result)


def _print(title: str, result: Sweep) -> None:
    from rich.table import Table

    setup = result.setup
    about = f"{title}, {setup.shape.players} players; {result.games:,} games of each point, bots: {setup.who}"
    heads = [axis.name for axis in result.axes]
    table = Table(*heads, *(one.title for one in result.measures), title=about)
    for column in table.columns:
        column.justify = "right"
    for line in result.table():
        table.add_row(*line)
    output.console().print(table)
