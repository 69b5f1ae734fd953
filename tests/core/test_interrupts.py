"""Ctrl-C beside threads and processes: it waits where it would do harm, and a wait that it ends locks nothing."""

from __future__ import annotations

import os
import signal
import time
from concurrent import futures
from concurrent.futures import Future
from threading import Timer

import pytest

from parlour.core import interrupts
from tests.interrupting import first_step_that_locks


def test_ctrl_c_waits_and_is_not_lost() -> None:
    seen = []

    def started() -> None:
        with interrupts.undisturbed():
            os.kill(os.getpid(), signal.SIGINT)
            seen.append("the work is done")
        seen.append("never reached")

    with pytest.raises(KeyboardInterrupt):
        started()
    assert seen == ["the work is done"]
    with pytest.raises(KeyboardInterrupt):  # and as usual afterwards
        os.kill(os.getpid(), signal.SIGINT)


def test_a_wait_returns_what_is_done() -> None:
    one, other, never = Future[int](), Future[int](), Future[int]()
    assert interrupts.wait([one, never], 0) == set()
    one.set_result(1)
    other.cancel()
    assert interrupts.wait([one, other, never]) == {one, other}
    Timer(0.05, never.set_result, (3,)).start()
    assert interrupts.wait([never]) == {never}


def test_ctrl_c_ends_a_wait() -> None:
    Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        interrupts.wait([Future()], 60)
    assert time.monotonic() - begun < 30


def test_ctrl_c_at_any_step_of_a_wait_leaves_no_future_locked() -> None:
    assert first_step_that_locks(lambda pool: interrupts.wait([pool.submit(), pool.submit()])) == 0
    theirs = first_step_that_locks(lambda pool: futures.wait([pool.submit(), pool.submit()], 0), within=0.5)
    assert theirs > 0, "Python's own would do, or this test sees nothing"
