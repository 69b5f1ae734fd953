"""Worker processes for bots: they start clean, end with their parent, or at once on request."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from concurrent.futures.process import _ExecutorManagerThread

PATIENCE = 1.0  # seconds for a pool's thread to forget what was cancelled


def start(count: int, nice: int = 0, memory: int = 0) -> ProcessPoolExecutor:
    """Return a pool of `count` processes, each started when first needed.

    `nice`: how far they give way to other processes; `memory`: the most bytes of address space that each can have, 0
    for no limit. Both on systems that support it.
    """
    spawn = multiprocessing.get_context("spawn")  # a fork would inherit sockets and locks
    return ProcessPoolExecutor(count, mp_context=spawn, initializer=_begin, initargs=(nice, memory))


def end(pool: ProcessPoolExecutor) -> None:
    """End the processes, whatever they are doing."""
    running = list((pool._processes or {}).values())
    manager = cast("_ExecutorManagerThread | None", pool._executor_manager_thread)
    pool.shutdown(wait=False, cancel_futures=True)
    # Until its thread has forgotten what was cancelled, a process that ends can make it fail with an InvalidStateError,
    # which would be printed (Python 3.11).
    until = time.monotonic() + PATIENCE
    while manager is not None and _cancelled(manager) and time.monotonic() < until:
        time.sleep(0.001)
    for process in running:
        process.kill()
    for process in running:
        process.join(1)


def _cancelled(manager: _ExecutorManagerThread) -> bool:
    """Return whether something that was cancelled still waits."""
    return manager.is_alive() and any(one.future.cancelled() for one in list(manager.pending_work_items.values()))


def _begin(nice: int, memory: int) -> None:
    """In a new worker: end with the parent, even if it is killed; leave Ctrl-C to the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if nice and hasattr(os, "nice"):
        os.nice(nice)
    if memory:
        _limit(memory)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _limit(memory: int) -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    with contextlib.suppress(OSError, ValueError):  # a stricter limit of the system stays
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def _end_with(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)
