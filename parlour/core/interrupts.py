"""Ctrl-C in a program with threads and processes: it is held back where it would do harm.

KeyboardInterrupt can be raised between any two steps of Python, also just after `with lock` has taken the lock: then
nothing releases it. A future has such a lock, in `result`, `cancel` and `concurrent.futures.wait` alike. If the main
thread leaves it locked, the thread that has the result waits for it for ever, and Python waits for that thread at its
end.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Collection, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from typing import TypeVar

R = TypeVar("R")


@contextmanager
def undisturbed() -> Iterator[None]:
    """Hold back Ctrl-C inside this context; a process started in it never sees one, not even before it has handlers."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _frame: came.append(number))
    blocked = hasattr(signal, "pthread_sigmask")  # processes started here inherit the blocked signals
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if blocked else set()
    try:
        yield
    finally:
        if blocked:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, before)
    if came and callable(before):
        before(came[0], None)


def wait(futures: Collection[Future[R]], seconds: float | None = None) -> set[Future[R]]:
    """Wait until a future is done, or the time is over, and return all that are done.

    Ctrl-C ends the wait, and leaves no future locked.
    """
    done: SimpleQueue[Future[R]] = SimpleQueue()  # its `get` is not Python: Ctrl-C leaves it whole
    with undisturbed():
        for future in futures:
            future.add_done_callback(done.put)
    with suppress(Empty):
        done.get(timeout=seconds)
    with undisturbed():
        return {future for future in futures if future.done()}
