"""Worker processes: what Ctrl-C does while one is started, and how much memory it has."""

from __future__ import annotations

import os
import signal
import sys
from multiprocessing.context import SpawnProcess

import pytest

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


def test_what_was_cancelled_is_forgotten_before_a_process_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or the pool's thread would fail of it, and print that. It gets no turn here unless `end` waits."""
    pool, waiting, kill = processes.start(1), [], SpawnProcess.kill
    futures = [pool.submit(_quietly) for _ in range(20)]
    manager, usual = pool._executor_manager_thread, sys.getswitchinterval()

    def killed(process: SpawnProcess) -> None:
        waiting.append(processes._cancelled(manager))
        kill(process)

    monkeypatch.setattr(SpawnProcess, "kill", killed)
    sys.setswitchinterval(30)
    try:
        assert sum(one.cancel() for one in futures)
        assert processes._cancelled(manager)
        processes.end(pool)
    finally:
        sys.setswitchinterval(usual)
    assert waiting == [False]


def _memory() -> int:
    import resource

    return resource.getrlimit(resource.RLIMIT_AS)[0]


def _quietly() -> bool:
    os.kill(os.getpid(), signal.SIGINT)
    return True
