"""The bars of a house under load, this Parlour beside another, in turns: a table in Markdown for docs/performance.md.

    .venv/bin/python benchmarks/bars.py --before /path/to/an/older/.venv/bin/python --turns 3

PostgreSQL and Redis are those of PARLOUR_TEST_POSTGRESQL and PARLOUR_TEST_REDIS, or the usual addresses; each run has a
database of its own, dropped afterwards. Nothing else should run on the machine. It takes some six minutes a turn and
side.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

from parlour.table.load.scratch import scratch

POSTGRESQL = os.environ.get("PARLOUR_TEST_POSTGRESQL", "postgresql+asyncpg://postgres@127.0.0.1:5432/test")
REDIS = os.environ.get("PARLOUR_TEST_REDIS", "redis://127.0.0.1:6379/0")
Found = dict[str, Any]


class Bar(NamedTuple):
    """What is wanted, and how the numbers of one run say it."""

    name: str
    bar: str
    run: str  # the name of the run
    show: Callable[[dict[str, Found]], float]
    unit: str


RUNS = {
    "full": ["--tables", "24", "--seconds", "30"],
    "slow": ["--tables", "300", "--every", "5", "--seconds", "30"],
    "watched": ["--tables", "10", "--every", "1", "--seconds", "30", "--spectators", "1000"],
    "one": ["--tables", "24", "--seconds", "30", "--processes", "1"],
    "two": ["--tables", "24", "--seconds", "30", "--processes", "2"],
    "spread": ["--tables", "24", "--seconds", "30", "--processes", "2", "--spread"],
}
SHARED = ("one", "two", "spread")  # these need PostgreSQL and Redis
BARS = [
    Bar(
        "moves a second, as many as go, one process, SQLite", "100", "full", lambda r: r["full"]["moves_per_second"], ""
    ),
    Bar("processor time of the server for each", "", "full", lambda r: r["full"]["server_ms_per_move"], "ms"),
    Bar("bytes on the wire for each, all four pages", "10", "full", lambda r: r["full"]["bytes_per_move"] / 1000, "KB"),
    Bar("300 tables, a move each 5 s: answered, p99", "100", "slow", lambda r: r["slow"]["answer_p99_ms"], "ms"),
    Bar("the other pages told, p99", "", "slow", lambda r: r["slow"]["update_p99_ms"], "ms"),
    Bar("errors", "0", "slow", lambda r: r["slow"]["errors"], ""),
    Bar("memory a table", "300", "slow", lambda r: r["slow"]["memory_per_table"] / 1000, "KB"),
    Bar(
        "1,000 spectators: a stranger's request, p99", "50", "watched", lambda r: r["watched"]["stranger_p99_ms"], "ms"
    ),
    Bar("and the worst one", "50", "watched", lambda r: r["watched"]["stranger_most_ms"], "ms"),
    Bar("moves a second, one process on PostgreSQL", "", "one", lambda r: r["one"]["moves_per_second"], ""),
    Bar("two processes", "", "two", lambda r: r["two"]["moves_per_second"], ""),
    Bar("two : one", "1.7", "two", lambda r: r["two"]["moves_per_second"] / r["one"]["moves_per_second"], ""),
    Bar("the whole machine for each, one process", "", "one", lambda r: r["one"]["machine_ms_per_move"], "ms"),
    Bar("of it the server", "", "one", lambda r: r["one"]["server_ms_per_move"], "ms"),
    Bar("the whole machine for each, two processes", "", "two", lambda r: r["two"]["machine_ms_per_move"], "ms"),
    Bar("of it the servers", "", "two", lambda r: r["two"]["server_ms_per_move"], "ms"),
    Bar("the servers, pages of a table spread", "", "spread", lambda r: r["spread"]["server_ms_per_move"], "ms"),
]


def bench(name: str, python: str) -> Found:
    """One run of `parlour bench --table`."""
    command = [sys.executable, "-m", "parlour", "bench", "--table", "--json", *RUNS[name]]
    command += ["--python", python] if python else []
    if name not in SHARED:
        return _found(command)
    with scratch(POSTGRESQL) as address:
        return _found([*command, "--database", address, "--redis", REDIS])


def _found(command: list[str]) -> Found:
    """Its numbers; where there are none, why."""
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    found: Found = json.loads(done.stdout or "{}")
    print(json.dumps(found), file=sys.stderr, flush=True)
    return found


def main() -> None:
    """Run, and print the table."""
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--before", default="", metavar="PYTHON", help="an interpreter with another Parlour")
    reader.add_argument("--turns", type=int, default=3)
    reader.add_argument("--only", nargs="*", choices=RUNS, default=list(RUNS), help="these runs")
    asked = reader.parse_args()
    sides = ([asked.before] if asked.before else []) + [""]
    found: dict[str, list[dict[str, Found]]] = {side: [] for side in sides}
    for _ in range(asked.turns):
        turn: dict[str, dict[str, Found]] = {side: {} for side in sides}
        for name in asked.only:
            for side in sides:
                turn[side][name] = bench(name, side)
        for side in sides:
            found[side].append(turn[side])
    heads = (["before"] if asked.before else []) + ["now"]
    print(f"| | bar | {' | '.join(heads)} |\n|---|--:|{'--:|' * len(heads)}")
    for bar in BARS:
        if bar.run in asked.only and (bar.name != "two : one" or "one" in asked.only):
            cells = [_cell([bar.show(turn) for turn in found[side] if turn[bar.run]], bar.unit) for side in sides]
            print(f"| {bar.name} | {f'{bar.bar} {bar.unit}'.strip() if bar.bar else ''} | {' | '.join(cells)} |")


def _cell(values: list[float], unit: str) -> str:
    """The median, with the lowest and the highest."""

    def number(value: float) -> str:
        return (
            f"{value:.0f}" if value >= 100 or value == int(value) else f"{value:.1f}" if value >= 10 else f"{value:.2f}"
        )

    if not values:
        return "gave up"
    middle = f"**{number(statistics.median(values))}** {unit}".strip()
    return middle if len(values) == 1 else f"{middle} ({number(min(values))} to {number(max(values))})"


if __name__ == "__main__":
    main()
