"""The bench's own arithmetic, and the shape of what it tells; never how fast anything is."""

from __future__ import annotations

import itertools
from functools import partial

import pytest

from parlour.core.game import Game
from parlour.engine import bench, interpret
from parlour.engine.bench import Rate, Row

KUHN = Game("kuhn", "tests.fixtures.kuhn")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Processor time that passes only as the test says: clock[0]."""
    now = [0.0]
    monkeypatch.setattr("time.thread_time", lambda: now[0])
    return now


def test_a_rate_is_the_median_with_the_lowest_and_the_highest() -> None:
    assert Rate.of([5.0, 1.0, 3.0]) == (3.0, 1.0, 5.0)


def test_work_is_repeated_until_it_can_be_measured_and_given_by_the_second(clock: list[float]) -> None:
    speeds = itertools.chain([100.0] * 6, [50.0, 200.0, 100.0])  # the rest are the three runs
    done: list[int] = []

    def work(n: int) -> int:
        done.append(n)
        clock[0] += n * 3 / next(speeds)  # three steps a piece
        return n * 3

    rate = bench.measured(work, runs=3, seconds=1.0)
    assert done == [1, 1, 2, 4, 8, 16, 33, 33, 33]
    assert rate == pytest.approx((100.0, 50.0, 200.0))


def test_every_row_is_of_one_shape(monkeypatch: pytest.MonkeyPatch) -> None:
    starts = iter([4.0, 1.0, 2.0, 3.0, 1.5, 2.5])
    monkeypatch.setattr(bench, "_start", lambda *_: next(starts))
    monkeypatch.setattr(bench, "measured", partial(bench.measured, seconds=0.001))
    monkeypatch.setattr(bench, "shared", partial(bench.shared, turns=1))
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    for loop in ("batch", "one_position", "seen_batch"):
        monkeypatch.setattr(bench, loop, lambda *_, **__: lambda n: len(list(range(n))))
    monkeypatch.setattr("parlour.engine.compiled.compile", interpret)  # nothing need be compiled to see the shape
    rows = list(bench.measure(KUHN))
    assert [(row.work, row.unit) for row in rows] == [
        ("start, nothing compiled yet", "s"),
        ("start, compiled before", "s"),
        ("random play, compiled", "steps/s"),
        ("random play, plain", "steps/s"),
        ("one position, compiled", "steps/s"),
        ("one position, plain", "steps/s"),
        ("batch of 1024, random steps", "steps/s"),
        ("batch of 1024, actions chosen and checked", "steps/s"),
        ("batch of 1024, random steps, observed and masked", "steps/s"),
        ("batch of 1024, random steps, observed and masked, two threads : one", "ratio"),
    ]
    assert rows[0] == Row("kuhn", 2, "start, nothing compiled yet", 4.0, "s", 4.0, 4.0)
    assert rows[1] == Row("kuhn", 2, "start, compiled before", 2.0, "s", 1.0, 3.0)
    for row in rows:
        assert (row.game, row.players) == ("kuhn", 2)
        assert 0 < row.low <= row.rate <= row.high
