"""`parlour bench`: how fast this machine plays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from parlour.cli import output
from parlour.core.errors import BadSetup

if TYPE_CHECKING:
    from parlour.analysis.peers import Comparison
    from parlour.engine.bench import Rate


# The options of `parlour bench`, as the command line names them ---------------------------------
Game = Annotated[str | None, typer.Argument(metavar="GAME", help="A game.  [default: all]")]
Peers = Annotated[bool, typer.Option("--peers", help="Compare Parlour with other libraries instead.")]
PeersPython = Annotated[
    str | None,
    typer.Option(
        "--peers-python", metavar="PATH", help="A Python interpreter that can import them.  [default: this one]"
    ),
]


def bench(
    game: Game = None,
    players: output.Players = None,
    edition: output.EditionName = None,
    changes: output.Changes = None,
    peers: Peers = False,
    peers_python: PeersPython = None,
    json: output.Json = False,
) -> None:
    """Measure plain and compiled play on one core, search, and a move at a table; takes about a minute per game.

    --json prints one object per line: game, players, work, rate, unit, low, high (rate is the median of five runs, low
    and high the lowest and the highest). --peers compares Parlour with OpenSpiel, Pgx, RLCard, Catanatron, PettingZoo
    and Gymnasium, in turns on one core, in a few minutes: work, game, peer, theirs, unit, and [median, lowest, highest]
    of rate, peer_rate and ratio (Parlour : peer). For a library that cannot be imported it prints peer and missing.
    --edition and --set need a game, and leave out the move at a table.

    Example: `parlour bench --peers --peers-python peers/bin/python`
    """
    if (edition or changes) and (game is None or peers or peers_python):
        raise BadSetup("--edition and --set belong to one game, so name it, without --peers.")
    if peers or peers_python:
        _beside(peers_python, json)
        return
    from parlour.bots.bench import measure as measure_search
    from parlour.engine.bench import measure
    from parlour.games import all_games, find
    from parlour.house.timing import time_moves

    chosen = [find(game)] if game else list(all_games().values())
    with output.progress("measuring", "measuring"):
        for found in chosen:
            chosen_edition = output.edition_of(found, edition, changes)
            for row in measure(found, players, chosen_edition):
                _show(row._asdict(), json)
            for row in measure_search(found, players, chosen_edition):
                _show(row._asdict(), json)
            for timing in time_moves(found) if chosen_edition is None else ():
                _show(timing, json)


def _show(row: dict[str, Any], json: bool) -> None:
    if json:
        output.emit(row)
        return
    spread = f"{_number(row['low']):>9} .. {_number(row['high'])}" if "low" in row else ""
    rate = _number(row["rate"])
    print(
        f"{row['game']:<17} {row['players']} players  {row['work']:<44} {rate:>9} {row['unit']:<14}{spread}".rstrip(),
        flush=True,
    )


def _beside(python: str | None, json: bool) -> None:
    from parlour.analysis.peers import Missing, compare

    with output.progress("measuring in turns", "starting the peers") as progress:
        rows = list(compare(python, progress))
    missing = [row for row in rows if isinstance(row, Missing)]
    found = [row for row in rows if not isinstance(row, Missing)]
    if json:
        for row in found:
            output.emit(row._asdict())
        for gone in missing:
            output.emit({"peer": gone.peer, "missing": gone.why})
        return
    if found:
        _table(found)
    for gone in missing:
        print(f"{gone.peer} was not measured: {gone.why}")


def _table(rows: list[Comparison]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for name in ("work", "Parlour", "rate", "peer", "their game", "rate", "unit", "ratio", "spread"):
        table.add_column(name, justify="right" if name in ("rate", "ratio") else "left", no_wrap=True)
    for row in rows:
        table.add_row(
            row.work, row.game, _number(row.rate.median), row.peer, row.theirs, _number(row.peer_rate.median), row.unit,
            _number(row.ratio.median), _spread(row.ratio),
        )  # fmt: skip
    output.console(180).print(table)


def _spread(rate: Rate) -> str:
    return f"{_number(rate.low)} .. {_number(rate.high)}"


def _number(value: float) -> str:
    """Return a number with three legible digits: 12.3 M, 45.6 k, 789, 0.85."""
    for unit, name in ((1e6, " M"), (1e3, " k"), (1, "")):
        if value >= 0.9995 * unit:
            scaled = value / unit
            return f"{scaled:.{0 if scaled >= 99.95 else 1 if scaled >= 9.995 else 2}f}{name}"
    return f"{value:.2g}"
