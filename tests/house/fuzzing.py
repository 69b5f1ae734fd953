"""Requests made up by schemathesis from the product's own document (`GET /schema`), against a real server.

    python -m tests.house.fuzzing [--calls N] [--seed N]

Some requests follow the document, others break it on purpose; about half are for an existing table, from a guest who
sits there. No answer may be an error of ours, and every answer must be one that the document names, with a body as it
describes.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import hypothesis
import schemathesis
from hypothesis import Phase
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS

from tests.house.people import ME, OPEN, Person, play_on
from tests.house.serving import Nursery, Server

# Their answers have no end: tests/house/table/test_stream.py, lobby/test_lobby.py.
ENDLESS = ("/api/tables/{table_id}/events", "/api/tables/{table_id}/positions", "/api/lobby/events")
WANTED = ("status_code_conformance", "content_type_conformance", "response_schema_conformance")
HEALTHY = (
    hypothesis.HealthCheck.too_slow,
    hypothesis.HealthCheck.filter_too_much,
    hypothesis.HealthCheck.data_too_large,
)


class Fuzzed:
    """How many requests each operation got, and which statuses were answered."""

    def __init__(self, there: int) -> None:
        self.there = there  # operations in the document, including streams
        self.operations: Counter[str] = Counter()
        self.statuses: Counter[int] = Counter()

    def line(self) -> str:
        """Return the line for SECURITY.md."""
        kinds = ", ".join(f"{number:,} x {status}" for status, number in sorted(self.statuses.items()))
        return (
            f"{self.operations.total():,} requests made up by schemathesis to {len(self.operations)} of the "
            f"{self.there} operations of GET /schema (the others are streams): no fault of ours, "
            f"every answer as described ({kinds})"
        )


async def furnish(url: str) -> tuple[list[str], list[dict[str, str]]]:
    """Create tables in each state; return them, and the cookies of their players."""
    async with Person(base_url=url, timeout=60) as ann, Person(base_url=url, timeout=60) as bob:
        tables = [await ann.make(ME, OPEN, hints=True)]
        for game, moves in (("fortune", 6), ("kuhn", 10)):  # one is under way, the other over
            made = await ann.do("tables", game=game, seats=[ME, OPEN], hints=True)
            await bob.do(f"tables/{made['id']}/sit")
            await ann.do(f"tables/{made['id']}/start")
            await play_on(made["id"], moves, ann, bob)
            tables.append(str(made["id"]))
        return tables, [{}, dict(ann.cookies), dict(bob.cookies)]


def fuzz(url: str, calls: int, seed: int) -> Fuzzed:
    """Send about this number of requests, equally many to each operation; if they are too few for both, half of the
    operations get requests that follow the document, and the others broken ones. Raises AssertionError, or
    schemathesis's own error, that says what was wrong."""
    schema = schemathesis.openapi.from_url(f"{url}/schema")
    tables, cookies = asyncio.run(furnish(url))
    operations = [result.ok() for result in schema.get_all_operations()]
    found = Fuzzed(len(operations))
    wanted = [operation for operation in operations if operation.path not in ENDLESS]
    few = calls < 2 * len(wanted)
    for number, operation in enumerate(wanted):
        modes = list(GenerationMode) if _can_be_broken(operation) else [GenerationMode.POSITIVE]
        for mode in modes[number % len(modes) :][:1] if few else modes:
            _fuzz_one(operation, mode, (tables, cookies), (max(2, calls // len(wanted)), seed), found)
    return found


def _can_be_broken(operation: Any) -> bool:
    """Return whether a request for it can have a wrong form: any text is as good as another in a path."""
    return bool(list(operation.body)) or any(one.location != "path" for one in operation.iter_parameters())


def _fuzz_one(operation: Any, mode: GenerationMode, known: Any, how: tuple[int, int], found: Fuzzed) -> None:
    tables, cookies = known
    examples, seed = how
    checks = [CHECKS.get_one(name) for name in WANTED]

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=examples // 2, deadline=None, database=None, phases=[Phase.generate],
        suppress_health_check=HEALTHY,
    )  # fmt: skip
    @hypothesis.given(
        case=operation.as_strategy(generation_mode=mode),
        table=st.sampled_from([None, *tables]),
        cookie=st.sampled_from(cookies),
    )
    def one(case: Any, table: str | None, cookie: dict[str, str]) -> None:
        if table is not None and "table_id" in (case.path_parameters or {}):
            case.path_parameters["table_id"] = table
        answer = case.call(cookies=cookie, timeout=60, allow_redirects=False)
        found.operations[operation.label] += 1
        found.statuses[answer.status_code] += 1
        assert answer.status_code != 500, f"{case.as_curl_command()}\n{answer.text}"
        case.validate_response(answer, checks=checks)

    one()


def start(nursery: Nursery, folder: Path) -> Server:
    """Start a house that has the game of `furnish`."""
    return nursery.start(database=f"sqlite:///{folder}/parlour.db", fixtures=["kuhn"])


def run(calls: int, seed: int) -> Fuzzed:
    """Send about this number of requests in all, to a new house."""
    with tempfile.TemporaryDirectory() as folder:
        nursery = Nursery()
        try:
            return fuzz(start(nursery, Path(folder)).url, calls, seed)
        finally:
            nursery.close()


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.house.fuzzing", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(run(options.calls, options.seed).line())


if __name__ == "__main__":
    main()
