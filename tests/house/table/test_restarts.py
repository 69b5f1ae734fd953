"""A house restarted during games, gracefully and by kill -9: nothing is lost, and every page continues unaided."""

from __future__ import annotations

import pytest

from tests.house.restarts import run

TABLES, RESTARTS = 3, 2  # of both kinds; 50 and 30 in the long form: scripts/nightly --restarts


@pytest.mark.slow
async def test_a_restart_loses_nothing_and_everybody_goes_on() -> None:
    figures = await run(TABLES, RESTARTS, every=1.0, pause=0.1)
    print(f"\n{figures.line()}")
    assert figures.restarts == len(figures.ready) == RESTARTS
    assert figures.moves > 10 * RESTARTS
    pages = sum((2, 2, 1)[number % 3] for number in range(TABLES))
    assert len(figures.resumed) >= pages * RESTARTS  # every page, every time, unaided
    assert max(figures.worked) < 6  # seconds of processor time: usually one; this catches what would make it many
