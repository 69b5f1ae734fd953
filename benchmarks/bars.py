"""The bars of a house under load, this Parlour compared with another, by turns: a table for docs/performance.md.

    .venv/bin/python -m benchmarks.bars --before /path/to/an/older/.venv/bin/python --turns 3

PostgreSQL and Redis are those of PARLOUR_TEST_POSTGRESQL and PARLOUR_TEST_REDIS, or the usual addresses; each run has a
database of its own, dropped afterwards. Nothing else should run on the machine. It takes some six minutes a turn and
side. The exit status is 1 if the medians of this Parlour miss a bar, or a run gave up.

To measure what two processes can do on a machine that they do not fill, each is limited to a part of a core
(benchmarks/capped, as root, with cgroup v1):

    .venv/bin/python -m benchmarks.bars --turns 3 --only capped-one capped-two
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.scratch import scratch

POSTGRESQL = os.environ.get("PARLOUR_TEST_POSTGRESQL", "postgresql+asyncpg://postgres@127.0.0.1:5432/test")
REDIS = os.environ.get("PARLOUR_TEST_REDIS", "redis://127.0.0.1:6379/0")
CAPPED = str(Path(__file__).with_name("capped"))
Found = dict[str, Any]


class Bar(NamedTuple):
    """A bar to meet, and how it is computed from the numbers of one run."""

    name: str
    bar: float | None
    run: str  # the name of the run
    show: Callable[[dict[str, Found]], float]
    unit: str = ""
    least: bool = False  # whether the bar is a minimum, else a maximum
    beside: str = ""  # another run that it needs

    def met(self, values: list[float]) -> bool:
        """Return whether the median of the turns is within the bar."""
        if self.bar is None:
            return True
        if not values:
            return False
        middle = statistics.median(values)
        return middle >= self.bar if self.least else middle <= self.bar


RUNS = {
    "full": ["--tables", "24", "--seconds", "30"],
    "slow": ["--tables", "300", "--every", "5", "--seconds", "30"],
    "watched": ["--tables", "10", "--every", "1", "--seconds", "30", "--spectators", "1000"],
    "one": ["--tables", "24", "--seconds", "30", "--processes", "1"],
    "two": ["--tables", "24", "--seconds", "30", "--processes", "2"],
    "spread": ["--tables", "24", "--seconds", "30", "--processes", "2", "--spread"],
    "capped-one": ["--tables", "48", "--seconds", "20", "--processes", "1", "--python", CAPPED],
    "capped-two": ["--tables", "48", "--seconds", "20", "--processes", "2", "--python", CAPPED],
}
SHARED = ("one", "two", "spread", "capped-one", "capped-two")  # these need PostgreSQL and Redis
USUAL = [name for name, options in RUNS.items() if CAPPED not in options]


def _of(run: str, number: str, scale: float = 1.0) -> Callable[[dict[str, Found]], float]:
    return lambda runs: runs[run][number] * scale


def _ratio(two: str, one: str) -> Callable[[dict[str, Found]], float]:
    return lambda runs: runs[two]["moves_per_second"] / runs[one]["moves_per_second"]


# With one process a core can be full of its work, with two the machine: so on this machine the second makes at most
# 2 s/m of the moves of the first, with s and m the milliseconds of the server with one and of the machine with two.
BARS = [
    Bar("moves a second, as many as go, one process, SQLite", 100, "full", _of("full", "moves_per_second"), "", True),
    Bar("processor time of the server for each", None, "full", _of("full", "server_ms_per_move"), "ms"),
    Bar("bytes on the wire for each, all four pages", 10, "full", _of("full", "bytes_per_move", 0.001), "KB"),
    Bar("300 tables, a move each 5 s: answered, p99", 100, "slow", _of("slow", "answer_p99_ms"), "ms"),
    Bar("the other pages told, p99", None, "slow", _of("slow", "update_p99_ms"), "ms"),
    Bar("errors", 0, "slow", _of("slow", "errors")),
    Bar("memory a table", 300, "slow", _of("slow", "memory_per_table", 0.001), "KB"),
    Bar("1,000 spectators: a stranger's request, p99", 50, "watched", _of("watched", "stranger_p99_ms"), "ms"),
    Bar("and the worst one", 50, "watched", _of("watched", "stranger_most_ms"), "ms"),
    Bar("moves a second, one process on PostgreSQL", None, "one", _of("one", "moves_per_second")),
    Bar("two processes", None, "two", _of("two", "moves_per_second")),
    Bar("two : one, on this machine", None, "two", _ratio("two", "one"), beside="one"),
    Bar("the most that it can be where both are full", None, "two",
        lambda runs: 2 * runs["one"]["server_ms_per_move"] / runs["two"]["machine_ms_per_move"], beside="one"),
    Bar("the whole machine for each, one process", None, "one", _of("one", "machine_ms_per_move"), "ms"),
    Bar("of it the server", None, "one", _of("one", "server_ms_per_move"), "ms"),
    Bar("cores that were busy", None, "one", _of("one", "machine_share")),
    Bar("the whole machine for each, two processes", None, "two", _of("two", "machine_ms_per_move"), "ms"),
    Bar("of it the servers", None, "two", _of("two", "server_ms_per_move"), "ms"),
    Bar("cores that were busy", None, "two", _of("two", "machine_share")),
    Bar("the servers, pages of a table spread", None, "spread", _of("spread", "server_ms_per_move"), "ms"),
    Bar("moves a second, one process, held to a part of a core", None, "capped-one",
        _of("capped-one", "moves_per_second")),
    Bar("two, each held so", None, "capped-two", _of("capped-two", "moves_per_second")),
    Bar("two : one, observed", 1.7, "capped-two", _ratio("capped-two", "capped-one"), "", True, "capped-one"),
    Bar("cores of which the server had, one process", None, "capped-one", _of("capped-one", "server_share")),
    Bar("cores of which the servers had, two", None, "capped-two", _of("capped-two", "server_share")),
    Bar("cores that were busy, all in all, two", None, "capped-two", _of("capped-two", "machine_share")),
]  # fmt: skip


def bench(name: str, python: str) -> Found:
    """Run `python -m benchmarks.load` once."""
    command = [sys.executable, "-m", "benchmarks.load", "--json", *RUNS[name]]
    command += ["--python", python] if python else []
    if name not in SHARED:
        return _found(command)
    with scratch(POSTGRESQL) as address:
        return _found([*command, "--database", address, "--redis", REDIS])


def _found(command: list[str]) -> Found:
    """Run the command; return its numbers or, if it has none, the reason."""
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    found: Found = json.loads(done.stdout or "{}")
    print(json.dumps(found), file=sys.stderr, flush=True)
    return found


def main() -> int:
    """Run, and print the table; return 1 if a bar is not met."""
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--before", default="", metavar="PYTHON", help="an interpreter with another Parlour")
    reader.add_argument("--turns", type=int, default=3)
    reader.add_argument("--only", nargs="*", choices=RUNS, default=USUAL, help="these runs")
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
    status = 0
    for bar in BARS:
        if bar.run not in asked.only or (bar.beside and bar.beside not in asked.only):
            continue
        values = {side: [bar.show(turn) for turn in found[side] if _complete(turn, bar)] for side in sides}
        wanted = "" if bar.bar is None else f"{bar.bar:g} {bar.unit}".strip()
        print(f"| {bar.name} | {wanted} | {' | '.join(_cell(values[side], bar.unit) for side in sides)} |")
        if not bar.met(values[""]):
            print(f"not met: {bar.name}", file=sys.stderr)
            status = 1
    return status


def _complete(turn: dict[str, Found], bar: Bar) -> bool:
    return bool(turn[bar.run] and (not bar.beside or turn[bar.beside]))


def _cell(values: list[float], unit: str) -> str:
    """Return the median, with the lowest and the highest."""

    def number(value: float) -> str:
        return (
            f"{value:.0f}" if value >= 100 or value == int(value) else f"{value:.1f}" if value >= 10 else f"{value:.2f}"
        )

    if not values:
        return "gave up"
    middle = f"**{number(statistics.median(values))}** {unit}".strip()
    return middle if len(values) == 1 else f"{middle} ({number(min(values))} to {number(max(values))})"


if __name__ == "__main__":
    sys.exit(main())
