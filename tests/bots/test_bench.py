"""What the bench of searches counts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from parlour.bots import bench, levels
from parlour.bots.search import Searcher
from parlour.core.game import Game
from parlour.engine import interpret
from parlour.games import find

KUHN = Game("kuhn", "tests.fixtures.kuhn")


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """An expert of 30 simulations, plain."""
    monkeypatch.setattr(bench, "plan", lambda game, level: replace(levels.plan(game, level), simulations=30))
    monkeypatch.setattr("parlour.engine.compiled.compile", interpret)


def test_a_piece_is_the_whole_budget_in_every_position(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    search = Searcher._search

    def counted(self: Searcher, *rest: Any) -> None:
        made.append(self.plan.simulations)
        search(self, *rest)

    monkeypatch.setattr(Searcher, "_search", counted)
    assert bench.searching(KUHN, 2, bench.plan(KUHN, "expert"))(3) == sum(made) == 3 * bench.POSITIONS * 30


def test_the_row_is_of_the_shape_that_the_others_have() -> None:
    (row,) = bench.measure(KUHN)
    assert (row.game, row.players, row.work, row.unit) == ("kuhn", 2, "search, expert", "simulations/s")
    assert 0 < row.low <= row.rate <= row.high


def test_where_the_expert_plays_on_the_tree_alone_is_measured_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "POSITIONS", 2)
    assert [row.work for row in bench.measure(find("fortune"))] == ["search, expert", "search, no rollouts"]
