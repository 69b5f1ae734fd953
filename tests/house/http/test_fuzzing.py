"""Requests that schemathesis generates from the product's own document get the answers that it describes."""

from __future__ import annotations

import json

import pytest

from parlour.house import openapi
from tests.house import fuzzing
from tests.house.fuzzing import ENDLESS

PATHS = json.loads(openapi.document())["paths"]
CALLS = 270  # more in the long form: scripts/nightly --fuzz 10000


@pytest.mark.slow
def test_nothing_made_up_finds_a_fault_of_ours() -> None:
    found = fuzzing.run(CALLS, seed=1)
    print(f"\n{found.line()}")
    described = {f"{method.upper()} {path}" for path, item in PATHS.items() for method in item}
    assert set(found.operations) == described - {f"GET {path}" for path in ENDLESS}
    assert found.statuses.keys() >= {200, 400, 403, 404, 409}
