"""`parlour bench`: how fast this machine plays."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from parlour.cli import output


def bench(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="A game.  [default: all]")] = None,
    players: Annotated[
        int | None, typer.Option("--players", "-p", help="Players at the table.  [default: the fewest]")
    ] = None,
    json: output.Json = False,
) -> None:
    """Measure plain and compiled play on one core, and a move at a table; it takes about a minute a game.

    With --json one object a line: game, players, work, rate, unit.

    Example: `parlour bench --json`
    """
    from parlour.engine.bench import measure
    from parlour.games import find
    from parlour.games import games as all_games
    from parlour.table.bench import bench as bench_table

    chosen = [find(game)] if game else list(all_games().values())
    with output.progress("measuring", "measuring"):
        for found in chosen:
            for row in measure(found, players):
                _show(row._asdict(), json)
            for timing in bench_table(found):
                _show(timing, json)


def _show(row: dict[str, Any], json: bool) -> None:
    if json:
        output.emit(row)
        return
    rate = f"{row['rate']:,.0f}" if row["rate"] >= 100 else f"{row['rate']:.3g}"
    print(f"{row['game']:<10} {row['players']} players  {row['work']:<40} {rate:>15} {row['unit']}", flush=True)
