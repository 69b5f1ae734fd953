"""A tournament in real server processes that are killed: no result is lost or doubled, and no round is paired twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.scratch import scratch
from tests.house.serving import Nursery
from tests.house.tournaments.killing import Figures, hold


def must_be_whole(figures: Figures, kills: int) -> None:
    print(f"\n{figures.line()}")
    assert figures.kills == kills
    assert (figures.lost, figures.doubled, figures.wrong) == (0, 0, 0), figures.line()
    assert figures.games == figures.rounds * (figures.players // 2)


async def test_two_kills_lose_no_result(nursery: Nursery, tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path}/parlour.db"
    must_be_whole(await hold(nursery, address, players=12, rounds=3, kills=2, between=(0.2, 1.5)), 2)


@pytest.mark.whole
async def test_thirty_kills_among_a_thousand_players_lose_no_result(nursery: Nursery, postgresql: str) -> None:
    with scratch(postgresql) as address:
        must_be_whole(await hold(nursery, address, players=1_000, rounds=7, kills=30, between=(2.0, 10.0)), 30)
