"""A house whose tournaments continue when a test says so, and a game that is over in a moment."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
from litestar import Litestar

from parlour.core.game import Game
from parlour.house.settings import Settings
from tests.found import added
from tests.house.clock import Clock, by_hand


@pytest.fixture(autouse=True)
def _kuhn() -> Iterator[None]:
    with added(Game("kuhn", "tests.fixtures.kuhn")):
        yield


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(database=f"sqlite:///{tmp_path}/parlour.db", pace=0, limits=False, engine="plain", outside="any")


@pytest.fixture
def clock(clock: Clock) -> Clock:
    """Stop the clock, so that on a busy machine no time passes."""
    now = clock()
    clock._real = lambda: now
    return clock


@pytest.fixture
async def app(settings: Settings, create: Callable[[Settings], Litestar], clock: Clock) -> AsyncIterator[Litestar]:  # noqa: ARG001
    async with by_hand(create(settings)) as made:
        yield made
