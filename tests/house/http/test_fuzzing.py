"""Requests that schemathesis generates from the product's own document get the answers that it describes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from parlour.house import openapi
from tests.house import fuzzing
from tests.house.fuzzing import ENDLESS
from tests.house.serving import Nursery

CALLS = 70  # more in the long form: scripts/nightly --fuzz 10000


@pytest.mark.slow
def test_nothing_made_up_finds_a_fault_of_ours(nursery: Nursery, tmp_path: Path) -> None:
    server = fuzzing.start(nursery, tmp_path)
    found = fuzzing.fuzz(server.url, CALLS, seed=1)
    print(f"\n{found.line()}")
    paths = json.loads(openapi.document())["paths"]
    described = {f"{method.upper()} {path}" for path, item in paths.items() for method in item}
    assert set(found.operations) == described - {f"GET {path}" for path in ENDLESS}
    assert found.statuses.keys() >= {200, 400, 403, 404, 409}
