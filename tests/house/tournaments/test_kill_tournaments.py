"""A tournament in real server processes that are killed: no result is lost or doubled, and no round is paired twice.

On a busy machine the long form may take longer than a test: `python -m tests.house.tournaments.killing` is the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.house.serving import Nursery
from tests.house.tournaments.killing import Figures, hold


def must_be_whole(figures: Figures, kills: int, said: Path) -> None:
    print(f"\n{figures.line()}")
    assert figures.kills == kills
    assert (figures.lost, figures.doubled, figures.wrong) == (0, 0, 0), figures.line()
    assert "Traceback" not in said.read_text(), said.read_text()
    assert figures.games == figures.rounds * (figures.players // 2)


async def test_two_kills_lose_no_result(nursery: Nursery, tmp_path: Path) -> None:
    address, said = f"sqlite:///{tmp_path}/parlour.db", tmp_path / "said"
    held = await hold(nursery, address, said, players=12, rounds=2, kills=2, between=(0.2, 1.5))
    must_be_whole(held, 2, said)


@pytest.mark.whole
async def test_thirty_kills_among_a_thousand_players_lose_no_result(
    nursery: Nursery, database: str, tmp_path: Path
) -> None:
    said = tmp_path / "said"
    held = await hold(nursery, database, said, players=1_000, rounds=2, kills=30, between=(2.0, 10.0))
    must_be_whole(held, 30, said)
