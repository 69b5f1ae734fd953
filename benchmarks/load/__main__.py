"""`python -m benchmarks.load`, from a clone: what tables of players cost a house, over real HTTP."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from benchmarks.load.bench import Plan, measure
from parlour.cli import output
from parlour.cli.app import run
from parlour.games import all_games, find

# The options, as the command line names them ----------------------------------------------------
Game = Annotated[str | None, typer.Argument(metavar="GAME", help="A game.  [default: all, in turns]")]
Players = Annotated[
    int | None, typer.Option("--players", "-p", help="Players at each table.  [default: as many as can play, up to 4]")
]
Tables = Annotated[int, typer.Option("--tables", min=1, help="The number of tables.")]
Every = Annotated[
    float, typer.Option("--every", min=0, help="Seconds between two moves at a table; 0 for as fast as possible.")
]
Seconds = Annotated[float, typer.Option("--seconds", min=0.5, help="How many seconds to measure.")]
Spectators = Annotated[int, typer.Option("--spectators", min=0, help="Pages that watch the first table.")]
Urls = Annotated[
    list[str] | None,
    typer.Option("--url", help="The address of a running house; give one for each of its processes."),
]
Processes = Annotated[int, typer.Option("--processes", min=1, help="Server processes to start.")]
Spread = Annotated[
    bool,
    typer.Option("--spread", help="Spread a table's pages over several processes, instead of one as behind a proxy."),
]
Database = Annotated[
    str | None,
    typer.Option("--database", metavar="URL", help="The servers' database.  [default: a new SQLite file]"),
]
Redis = Annotated[str | None, typer.Option("--redis", metavar="URL", help="The servers' Redis.")]
Python = Annotated[
    str,
    typer.Option(
        "--python", metavar="PATH", help="A Python interpreter whose Parlour runs the servers.  [default: this one]"
    ),
]

app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.command()
def load(
    game: Game = None,
    players: Players = None,
    tables: Tables = 20,
    every: Every = 0.0,
    seconds: Seconds = 20.0,
    spectators: Spectators = 0,
    url: Urls = None,
    processes: Processes = 1,
    spread: Spread = False,
    database: Database = None,
    redis: Redis = None,
    python: Python = "",
    json: output.Json = False,
) -> None:
    """Measure a house under load: tables of simulated players, over real HTTP.

    The exit status is 1 if anything went wrong.

    Example: `python -m benchmarks.load fortune --tables 50 --every 5`
    """
    games = [find(game)] if game else list(all_games().values())
    serve = [part for name, value in (("--database", database), ("--redis", redis)) if value
             for part in (name, value)]  # fmt: skip
    plan = Plan(
        [(one.name, players or min(4, one.facts.players[1])) for one in games], tables, every, seconds, spectators,
        url or (), processes, spread, serve, python,
    )  # fmt: skip
    with output.progress("playing", f"playing at {tables} tables"):
        found = measure(plan)
    if json:
        output.emit(found)
    else:
        _print(found)
    if found["errors"]:
        raise typer.Exit(1)


def _print(found: dict[str, Any]) -> None:
    pace = f"a move every {found['every']:g} s" if found["every"] else "no pause between moves"
    rows = {
        "tables": f"{found['tables']} of {', '.join(found['games'])}; {found['pages']} open pages; {pace}",
        "server": f"{found['processes']} process{'es' * (found['processes'] > 1)}",
        "moves": f"{found['moves_per_second']:.1f} /s ({found['moves']} in {found['seconds']:.0f} s)",
        "time to response": f"p50 {found['answer_p50_ms']:.1f} ms, p99 {found['answer_p99_ms']:.1f} ms",
        "time to other pages": f"p50 {found['update_p50_ms']:.1f} ms, p99 {found['update_p99_ms']:.1f} ms",
        "time for a new guest": f"p50 {found['stranger_p50_ms']:.1f} ms, p99 {found['stranger_p99_ms']:.1f} ms, "
        f"at most {found['stranger_most_ms']:.1f} ms",
        "CPU time": f"{found['server_ms_per_move']:.2f} ms per move in the server, "
        f"{found['workers_ms_per_move']:.2f} in its workers, {found['client_ms_per_move']:.2f} in this client; "
        f"{found['machine_ms_per_move']:.2f} on the whole machine",
        "CPUs used": f"server {found['server_share']:.2f}, client {found['client_share']:.2f}, whole machine "
        f"{found['machine_share']:.2f}, stolen {found['stolen_share']:.2f}",
        "network": f"{found['bytes_per_move'] / 1000:.1f} KB per move, all pages together",
        "memory": f"{found['memory_per_table'] / 1000:.0f} KB per table, including its open pages and game",
        "late": f"{found['late']} answers arrived after the time limit of a secret question",
        "errors": str(found["errors"]),
    }  # fmt: skip
    output.facts(rows)
    for text in found["error_texts"]:
        print(f"  {text}")


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:], app, "python -m benchmarks.load"))
