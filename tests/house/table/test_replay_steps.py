"""Several positions of a finished game in one request."""

from __future__ import annotations

import re

import pytest
from litestar import Litestar

from parlour.analysis.shapes import shapes
from parlour.games import find
from parlour.house.house import House
from parlour.house.http.rates import PAST, READING, Rates
from parlour.house.table.web import answers
from tests.house.people import Person
from tests.house.played import played
from tests.house.shelf import Shelf


@pytest.fixture
async def table(house: House) -> str:
    """Create a finished game that is longer than one answer."""
    shelf = object.__new__(Shelf)
    shelf.store, shelf.guests = house.store, house.guests
    match = played(shapes(find("aces-and-faces"), players=2)[0])
    assert len(match.steps) > 2 * answers.MOST_STEPS
    return (await shelf.put("a" * 8, match)).id


def lines(html: str) -> list[str]:
    return re.findall(r'data-key="(log-\d+)"', html)


async def test_positions_together_are_those_asked_for_one_by_one(ann: Person, table: str) -> None:
    path = f"/api/tables/{table}/replay"
    answer = (await ann.get(f"{path}?step=5&until=16")).json()
    assert [one["version"] for one in answer["ahead"]] == list(range(6, 17))
    log = answer["frame"]["log"]
    for one in answer["ahead"]:
        alone = (await ann.get(f"{path}?step={one['version']}")).json()
        log += one["log"]  # their own lines continue each other
        assert alone["ahead"] == []
        assert alone["frame"] == one | {"log": log}
    assert lines(log) == [f"log-{i}" for i in range(len(lines(log)))]


async def test_what_is_refused(ann: Person, table: str) -> None:
    path = f"/api/tables/{table}/replay"
    last = (await ann.get(path)).json()["last"]
    most = answers.MOST_STEPS
    assert (await ann.get(f"{path}?step=0&until={most - 1}")).is_success
    for asked in (
        f"step=0&until={most}",
        "step=5&until=4",
        f"step={last}&until={last + 1}",
        "until=3",
        "step=0&until=-1",
    ):
        answer = await ann.get(f"{path}?{asked}")
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad-input"), asked


async def test_each_position_is_paid_for(ann: Person, table: str, app: Litestar) -> None:
    app.state.rates = Rates(clock=lambda: 0.0)
    assert READING.guest is not None
    answers_due = int(READING.guest.burst // (PAST * answers.MOST_STEPS))
    path = f"/api/tables/{table}/replay?step=0&until={answers.MOST_STEPS - 1}"
    for _ in range(answers_due):
        assert (await ann.get(path)).is_success
    assert (await ann.get(path)).status_code == 429
