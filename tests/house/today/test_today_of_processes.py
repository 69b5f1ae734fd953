"""Today's game in real server processes: a restart in its midst, with either database."""

from __future__ import annotations

import random
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from benchmarks.scratch import scratch
from tests.house.serving import Nursery

KUHN = str(Path(__file__).parents[2] / "fixtures" / "kuhn")


def moves(person: httpx.Client, table: str, most: int) -> str:
    """Make up to this number of moves in a game against bots; return its status then."""
    for _ in range(4000):
        seen = person.get(f"/api/tables/{table}").json()
        if seen["table"]["status"] != "playing" or (seen["legal"] and not most):
            return str(seen["table"]["status"])
        if seen["legal"]:
            most -= 1
            version = seen["table"]["version"]
            move = random.Random(version).choice(seen["legal"])
            person.post(f"/api/tables/{table}/moves", json={"move": move, "version": version}).raise_for_status()
        else:
            time.sleep(0.01)
    raise AssertionError("the bots do not move")


def results(person: httpx.Client) -> Any:
    return person.get("/api/games/kuhn/today").raise_for_status().json()


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.whole)])
def test_a_restart_in_the_midst_loses_nothing(
    kind: str, nursery: Nursery, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Two people play; the house is killed after Ann's first move; and both end with the same result."""
    if kind == "sqlite":
        _restarted(nursery, f"sqlite:///{tmp_path}/parlour.db")
        with closing(sqlite3.connect(tmp_path / "parlour.db")) as file:
            (record,) = file.execute("SELECT count(*) FROM today_results WHERE ranked").fetchone()
        assert record == 2
    else:
        with scratch(request.getfixturevalue("postgresql")) as address:
            _restarted(nursery, address)


def _restarted(nursery: Nursery, database: str) -> None:
    server = nursery.start(database=database, places=KUHN)
    with httpx.Client(base_url=server.url, timeout=60) as ann, httpx.Client(base_url=server.url, timeout=60) as bob:
        table = ann.post("/api/today", json={"game": "kuhn"}).raise_for_status().json()["id"]
        assert moves(ann, table, 0) == "playing"
        before = results(ann)["commitment"]
        server.kill()
        again = nursery.start(database=database, places=KUHN)
        for person in (ann, bob):
            person.base_url = again.url
        assert ann.post("/api/today", json={"game": "kuhn"}).raise_for_status().json()["id"] == table
        his = bob.post("/api/today", json={"game": "kuhn"}).raise_for_status().json()["id"]
        for person, one in ((ann, table), (bob, his)):
            assert moves(person, one, 100) == "over"
        for _ in range(400):
            if (found := results(bob))["players"] == 2:
                break
            time.sleep(0.01)
        assert found["commitment"] == before
        first, second = found["results"]
        assert {key: value for key, value in first.items() if key != "mine"} == {
            key: value for key, value in second.items() if key != "mine"
        }
        assert ann.get(f"/t/{his}").status_code == 409
        again.kill()
