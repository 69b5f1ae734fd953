"""The worker: answers at once, and compiled when that is ready."""

from __future__ import annotations

import multiprocessing
import sys
import time
from concurrent.futures import ProcessPoolExecutor

import pytest

import parlour
from parlour.bots import View, worker
from parlour.core.errors import UnknownName
from parlour.games import find


def loaded() -> bool:
    return "numba" in sys.modules


def ready() -> bool:
    return worker.ready(find("fortune"))


@pytest.mark.slow
def test_in_a_process_of_its_own() -> None:
    match = parlour.new("fortune", players=2, seed=3)
    view = View.of(match, match.current_player)
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert not pool.submit(loaded).result()
        plain = pool.submit(worker.choose, view, "greedy", "plain").result()
        assert not pool.submit(loaded).result()  # asked to be plain, it stays plain
        assert pool.submit(worker.choose, view, "greedy").result() == plain
        began = time.monotonic()
        while not pool.submit(ready).result() and time.monotonic() - began < 120:
            assert pool.submit(worker.choose, view, "greedy").result() == plain  # answers all the while
            time.sleep(0.2)
        assert pool.submit(ready).result()
        assert pool.submit(worker.choose, view, "greedy").result() == plain
        with pytest.raises(UnknownName, match="Allowed: optimal, points, expert, medium"):
            pool.submit(worker.choose, view, "genius").result()


def test_an_engine_that_cannot_be_made_is_logged_and_does_not_matter(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_game: object) -> None:
        raise RuntimeError("no compiler today")

    monkeypatch.setattr(worker, "warm", broken)
    worker._load(find("fortune"))
    assert "bots stay with the plain one" in caplog.text
