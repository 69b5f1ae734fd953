"""Ctrl-C at each step of some work, and the futures that it leaves locked."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from itertools import count
from threading import Thread
from types import FrameType
from typing import Any

WITHIN = 5.0  # seconds in which a thread gets a lock, unless it never does
QUICK = ("/enum.py", "/signal.py")  # modules whose many steps hold nothing


class Pool:
    """Does no work: of the futures that it makes the first is done, and others wait until they are cancelled."""

    def __init__(self) -> None:
        self.futures: list[Future[Any]] = []

    def submit(self, *_: object) -> Future[Any]:
        future: Future[Any] = Future()
        self.futures.append(future)
        if len(self.futures) == 1:
            future.set_result(1)
        return future

    def shutdown(self, **_: object) -> None:
        """There is nothing to end."""


def first_step_that_locks(work: Callable[[Pool], object], within: float = WITHIN) -> int:
    """Do `work` with a new pool, with Ctrl-C at its first step, then with Ctrl-C at its second, and so on to its end.

    Return the first step after which another thread waits for ever for a future, or 0 if no step leads to that.
    """
    for step in count(1):
        pool = Pool()
        interrupted = _interrupt_at(step, work, pool)
        if _locked(pool.futures[1:], within):
            return step
        if not interrupted:
            return 0
    raise AssertionError


def _interrupt_at(step: int, work: Callable[[Pool], object], pool: Pool) -> bool:
    """Do `work` with Ctrl-C at this of its steps: calls, lines and returns. Return whether it was reached."""
    left = step

    def trace(frame: FrameType, _event: str, _arg: object) -> Callable[..., Any] | None:
        nonlocal left
        if frame.f_code.co_filename.endswith(QUICK) or frame.f_code.co_name == "<genexpr>":  # it may be closing: an
            return None  # exception is then ignored
        left -= 1
        if left == 0:
            sys.settrace(None)
            signal.raise_signal(signal.SIGINT)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work(pool)
    except KeyboardInterrupt:
        pass
    finally:
        sys.settrace(before)
    return left <= 0


def _locked(futures: Iterable[Future[Any]], within: float) -> bool:
    thread = Thread(target=lambda: [future.done() for future in futures], daemon=True)
    thread.start()
    thread.join(within)
    return thread.is_alive()
