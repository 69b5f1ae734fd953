"""Threads that share the lanes of a batch, and arrays that each step writes: the games are always the same."""

from __future__ import annotations

import _thread
import gc
import os
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from parlour.core.errors import BadSetup, IllegalMove
from parlour.core.game import Game
from parlour.engine import Batch, threads
from parlour.engine.batch import Moved
from parlour.engine.compiled import compile
from parlour.engine.sharing import ASLEEP, READY, STATE
from parlour.engine.threads import Crew, workplaces
from tests.engine.allocating import check_allocates_nothing

KUHN = Game("kuhn", "tests.fixtures.kuhn")
N = 50  # no multiple of 3


def shown(batch: Batch) -> dict[str, Any]:
    """Arrays that the batch writes at each step."""
    kept = {
        "observations": np.full((N, batch.game.rules.OBSERVATION_SIZE), 7, np.int32),
        "tensors": np.full(batch.tensors().shape, 7, np.float32),
        "legal_mask": np.full((N, batch.game.rules.N_ACTIONS), 7, np.uint8),
    }
    batch.write_to(**kept)
    return kept


def fresh(batch: Batch) -> list[bytes]:
    """What the arrays of `shown` should have."""
    seen = batch.observations().astype(np.int32), batch.tensors(), batch.legal_mask()
    return [array.tobytes() for array in seen]


@pytest.mark.parametrize("bots", [None, ["random", None]], ids=["all seats", "a bot"])
def test_any_number_of_threads_plays_the_same_games_and_shows_the_same(bots: Any) -> None:
    made = [
        Batch(KUHN, N, seed=3, auto_reset=True, bots=bots, max_decisions=2, threads=threads) for threads in (1, 2, 3, N)
    ]
    arrays = [shown(batch) for batch in made]
    for turn in range(12):
        for batch in made:
            if turn % 4 == 3:
                batch.restart(np.arange(N) % 3 == 0)
            elif turn % 2:
                batch.random_step()
            else:
                batch.step(batch.random_actions(), check=turn % 4 == 0)
        first, *others = (
            [
                *(part.tobytes() for part in batch._lanes), *(part.tobytes() for part in batch._moved),
                *(part.tobytes() for part in batch.legal()), batch.tensors(final=True).tobytes(),
            ]
            for batch in made
        )  # fmt: skip
        assert all(other == first for other in others)
        for batch, kept in zip(made, arrays, strict=True):
            assert [array.tobytes() for array in kept.values()] == fresh(batch) == fresh(made[0])
    for batch in made:
        batch.reset(5)
    assert len({kept["tensors"].tobytes() for kept in arrays}) == 1
    assert arrays[3]["tensors"].tobytes() == made[0].tensors().tobytes()


def test_each_array_is_written_alone_and_none_is_written_any_more() -> None:
    batch = Batch(KUHN, N, seed=1, auto_reset=True, threads=2)
    for name, array in shown(batch).items():
        array[:] = 7
        batch.write_to(**{name: array})
        batch.random_step()
        assert array.tobytes() == dict(zip(("observations", "tensors", "legal_mask"), fresh(batch), strict=True))[name]
    batch.write_to()
    before = array.copy()
    batch.random_step()
    assert (array == before).all()
    for wrong in ({"observations": np.zeros((N, 1))}, {"tensors": np.zeros(N)}, {"legal_mask": np.zeros((N, 9))}):
        with pytest.raises(BadSetup, match=f"`{next(iter(wrong))}` is an array of shape"):
            batch.write_to(**wrong)


def test_the_first_illegal_action_of_all_lanes_is_named_and_nothing_moves() -> None:
    batch = Batch(KUHN, N, seed=1, threads=3)
    actions = batch.random_actions()
    actions[[20, 30, 49]] = 99
    before = batch.states.tobytes()
    with pytest.raises(IllegalMove, match="Lane 20: there is no action 99"):
        batch.step(actions)
    assert batch.states.tobytes() == before


def test_with_threads_too_a_step_into_arrays_of_the_caller_allocates_nothing() -> None:
    n = 20_000
    batch = Batch(KUHN, n, seed=1, auto_reset=True, threads=2)
    out = Moved(np.zeros((n, 2), np.float32), np.zeros(n, np.bool_), np.zeros(n, np.uint8))
    actions, seen = np.zeros(n, np.int64), np.zeros((n, batch.game.rules.OBSERVATION_SIZE), np.int32)
    batch.write_to(observations=seen, legal_mask=np.zeros((n, batch.game.rules.N_ACTIONS), np.uint8))

    def play() -> None:
        batch.random_actions(out=actions)
        batch.step(actions, out=out)
        batch.random_step(out=out)

    check_allocates_nothing(play, n)


def soon(happened: Callable[[], bool]) -> None:
    """Wait until something has happened; on a busy machine another thread may take its time."""
    end = time.monotonic() + 60
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.001)


@pytest.fixture
def wakeful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let helpers sleep later, after 30 milliseconds. On a busy machine it takes longer than they usually wait until
    they and the one who leads have processors at the same time."""
    looks = threads._looks()
    monkeypatch.setattr(threads, "_looks", lambda: 200 * looks)


def helps(batch: Batch) -> None:
    """Check that the first helper takes part in steps, which is seen by what is in its buffer."""
    batch._stretch.outs[1] = -1

    def seen() -> bool:
        for _ in range(50):
            batch.random_step()
        return bool((batch._stretch.outs[1] != -1).any())

    soon(seen)


@pytest.mark.usefixtures("wakeful")
def test_a_helper_takes_part_sleeps_after_a_while_and_is_woken() -> None:
    batch = Batch(KUHN, 5000, seed=1, auto_reset=True, threads=2)
    for _ in range(3):
        helps(batch)
        soon(lambda: batch._crew._words[1, STATE] == ASLEEP)


def test_without_a_helper_the_thread_that_asks_does_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    alone, helped = (Batch(KUHN, N, seed=1, auto_reset=True, threads=threads) for threads in (1, 3))
    monkeypatch.setattr(Crew, "_start", lambda _crew: None)
    never = Batch(KUHN, N, seed=1, auto_reset=True, threads=3)
    for batch in (alone, helped, never):
        for _ in range(20):
            batch.random_step()
    assert never._crew._helpers == []
    assert alone.states.tobytes() == helped.states.tobytes() == never.states.tobytes()


@pytest.mark.parametrize("right", [0, 10, 49])
def test_what_a_job_raises_in_any_thread_comes_out_when_all_have_finished(right: int) -> None:
    batch, engine, crew = Batch(KUHN, N, seed=1), compile(KUHN, checked=True), Crew(N, 3)
    stretch, _ = workplaces(engine, batch.game.start(2, KUHN.edition(), KUHN.options()), 2, 3)
    actions = np.zeros(N, np.int64)
    given = batch.states, batch.current, batch._lanes.rngs, stretch
    for _ in range(20):  # whichever thread gets there
        with pytest.raises(IndexError, match="out of bounds"):
            crew.once(engine.lanes.random_job, *given, actions[:right])
        assert not (crew._words[1:3, STATE] > READY).any()
        crew.once(engine.lanes.random_job, *given, actions)


def test_after_an_interrupt_nothing_writes_to_the_lanes_and_the_next_step_is_whole() -> None:
    made = [Batch(KUHN, 20_000, seed=1, auto_reset=True, threads=threads) for threads in (1, 2)]
    steps = 0

    def play() -> None:
        nonlocal steps
        for _ in range(1_000_000):
            made[1].random_step()
            steps += 1

    threading.Timer(0.05, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        play()
    after = made[1].states.tobytes()
    time.sleep(0.01)
    assert made[1].states.tobytes() == after
    for _ in range(steps):
        made[0].random_step()
    if after != made[0].states.tobytes():  # it came between the last step and its count
        made[0].random_step()
    assert after == made[0].states.tobytes()
    for batch in made:
        batch.random_step()
    assert made[0].states.tobytes() == made[1].states.tobytes()


def test_helpers_end_with_their_batch() -> None:
    batch = Batch(KUHN, N, seed=1, threads=3)
    helpers = [helper.thread for helper in batch._crew._helpers]
    assert [helper.is_alive() for helper in helpers] == [True, True]
    del batch
    gc.collect()
    for helper in helpers:
        helper.join(60)
        assert not helper.is_alive()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
@pytest.mark.usefixtures("wakeful")
def test_a_forked_process_has_helpers_of_its_own() -> None:
    batch = Batch(KUHN, 5000, seed=1, auto_reset=True, threads=2)
    helps(batch)
    child = os.fork()
    if child == 0:  # the thread of the parent is not here: who called it would wait for ever
        signal.alarm(60)
        batch._crew._words[1, STATE] = READY  # as it is if the parent has just made a step
        try:
            helps(batch)
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    helps(batch)


def test_a_number_of_threads_that_does_not_fit_is_refused() -> None:
    for number in (0, 4, -1):
        with pytest.raises(BadSetup, match=f"`threads` is from 1 to the number of lanes, 3, not {number}"):
            Batch(KUHN, 3, threads=number)
