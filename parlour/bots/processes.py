"""Worker processes for bots: they start clean, end with their parent, or at once on request."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.process import BaseProcess


def start(count: int, nice: int = 0) -> ProcessPoolExecutor:
    """Return a pool of `count` processes, each started when first needed.

    `nice`: how far they give way to other processes, on systems that support it.
    """
    spawn = multiprocessing.get_context("spawn")  # a fork would inherit sockets and locks
    return ProcessPoolExecutor(count, mp_context=spawn, initializer=_begin, initargs=(nice,))


def end(pool: ProcessPoolExecutor) -> None:
    """End the processes, whatever they are doing."""
    running = list((pool._processes or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for process in running:
        process.kill()
    for process in running:
        process.join(1)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Hold back Ctrl-C inside this context; a process started in it never sees one.

    It sees none even before `_begin`.
    """
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


def _begin(nice: int) -> None:
    """In a new worker: end with the parent, even if it is killed; leave Ctrl-C to the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if nice and hasattr(os, "nice"):
        os.nice(nice)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)
