"""Worker processes: what Ctrl-C does while one is started."""

from __future__ import annotations

import os
import signal

from parlour.bots import processes
from parlour.core.interrupts import undisturbed


def test_a_process_that_is_started_meanwhile_never_sees_one() -> None:
    with undisturbed():
        pool = processes.start(1)
        waiting = pool.submit(_quietly)
    try:
        assert waiting.result(60)
    finally:
        processes.end(pool)


def _quietly() -> bool:
    os.kill(os.getpid(), signal.SIGINT)
    return True
