"""`parlour compare`: two setups of a game, measure by measure."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parlour.bots.own import SECONDS
from parlour.cli import output, setups, spreading

if TYPE_CHECKING:
    from parlour.analysis.comparing import Comparison, Stop

PACE = 10.0


def compare(
    game: output.GameName,
    first: Annotated[str, typer.Argument(metavar="A", help="A setup: an edition, changes, options; `.` as it is.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Another.")],
    players: output.Players = None,
    bots: output.BotNames = None,
    games: Annotated[int, typer.Option("--games", "-n", min=2, help="Games of each.")] = 10_000,
    seed: output.Seed = 1,
    edition: output.EditionName = None,
    changes: output.Changes = None,
    option: output.Options = None,
    measure: setups.Measures = None,
    until: Annotated[
        str | None, typer.Option("--until", metavar="MEASURE", help="Stop as soon as this measure is decided.")
    ] = None,
    precision: Annotated[
        float, typer.Option(min=0, help="With --until: also stop when half its interval is below this.")
    ] = 0.0,
    pace: setups.Pace = PACE,
    clock: output.Clock = SECONDS,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Keep the games here; the same command continues.")
    ] = None,
    ray: spreading.Ray = None,
    audit: spreading.Audit = None,
    parquet: spreading.Parquet = None,
    json: output.Json = False,
) -> None:
    """Play the same games of two setups, and show how much each measure differs.

    A and B are written alike: the name of an edition or FILE.toml, PATH=VALUE for its values, NAME=VALUE for options,
    with blanks between. What --edition, --set and --option say holds for both. Games of the same number have the same
    chance, so they are pairs; differences come with half of their 95 % confidence interval. The last column is the
    p-value of "no difference", adjusted for all measures shown (Holm). --until looks again and again while it plays,
    and allows for it; a precision of a share is written as 0.01.

    Examples: `parlour compare GAME . deck.gold=5`, `parlour compare GAME first-edition my.toml --bots greedy`
    """
    from parlour.analysis import comparing
    from parlour.analysis import parquet as tables
    from parlour.engine.simulate import Interrupted
    from parlour.games import find

    found = find(game)
    base = setups.made(found, players, edition, changes, output.parse_options(option), bots, seed, clock)
    one, two = setups.changed(base, first), setups.changed(base, second)
    stop: Stop | None = comparing.Stop(until, precision) if until else None
    spreading.ready(parquet, found, base.bots)
    if out is not None:
        output.open_folder(out)
    try:
        with spreading.playing(out, ray, audit) as how:
            result = comparing.compare(
                one, two, games, measures=measure, labels=(first, second), stop=stop, pace=pace,
                how=how,
            )  # fmt: skip
    except Interrupted:
        print("Interrupted before both setups were played.", file=sys.stderr)
        raise typer.Exit(output.INTERRUPTED) from None
    named = {f"A: {first}": one, f"B: {second}": two}
    spreading.tables(parquet, lambda: tables.of_setups(named, result.games), ray, spreading.share(audit, ray))
    if json:
        output.emit(result.as_dict())
    else:
        _print(found.text.TITLE, result)


def _print(title: str, result: Comparison) -> None:
    from rich.table import Table

    about = f"{title}, {result.first.shape.players} players; {result.games:,} games of each, bots: {result.first.who}"
    table = Table("", *result.labels, "difference", "p, adjusted", title=about)
    for column in table.columns[1:]:
        column.justify = "right"
    for line in result.table():
        table.add_row(*line)
    output.console().print(table)
    if result.sentence:
        print(result.sentence)
