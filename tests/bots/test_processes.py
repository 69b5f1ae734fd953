"""Worker processes: what Ctrl-C does while one is started, and how much memory it has."""

from __future__ import annotations

import os
import signal
import sys

from parlour.bots import processes
from parlour.bots.program import MEMORY
from parlour.core.interrupts import undisturbed


def test_a_process_that_is_started_meanwhile_never_sees_one() -> None:
    with undisturbed():
        pool = processes.start(1, memory=MEMORY)
        waiting = pool.submit(_quietly)
    try:
        assert waiting.result(60)
        if sys.platform == "linux":
            assert pool.submit(_memory).result(60) == MEMORY
    finally:
        processes.end(pool)


def _memory() -> int:
    import resource

    return resource.getrlimit(resource.RLIMIT_AS)[0]


def _quietly() -> bool:
    os.kill(os.getpid(), signal.SIGINT)
    return True
