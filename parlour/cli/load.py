"""What `parlour bench --table` prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import typer

from parlour.cli import output


class Wish(NamedTuple):
    """The options of `parlour bench --table`."""

    tables: int
    every: float
    seconds: float
    spectators: int
    urls: Sequence[str]
    processes: int
    spread: bool
    database: str | None
    redis: str | None
    python: str


def bench_table(game: str | None, players: int | None, wish: Wish, json: bool) -> None:
    """Measure, print, and end with status 1 if anything went wrong."""
    from parlour.games import all_games, find
    from parlour.house.load.bench import Plan, measure

    games = [find(game)] if game else list(all_games().values())
    serve = [part for name, value in (("--database", wish.database), ("--redis", wish.redis)) if value
             for part in (name, value)]  # fmt: skip
    plan = Plan(
        [(one.name, players or min(4, one.facts.players[1])) for one in games], wish.tables, wish.every, wish.seconds,
        wish.spectators, wish.urls, wish.processes, wish.spread, serve, wish.python,
    )  # fmt: skip
    with output.progress("playing", f"playing at {wish.tables} tables"):
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
