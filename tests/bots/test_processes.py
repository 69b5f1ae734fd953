"""Worker processes: what Ctrl-C does while one is started."""

from __future__ import annotations

import os
import signal

import pytest

from parlour.bots import processes


def test_ctrl_c_waits_and_is_not_lost() -> None:
    seen = []

    def started() -> None:
        with processes.undisturbed():
            _quietly()
            seen.append("the work is done")
        seen.append("never reached")

    with pytest.raises(KeyboardInterrupt):
        started()
    assert seen == ["the work is done"]
    with pytest.raises(KeyboardInterrupt):  # and as usual afterwards
        _quietly()


def test_a_process_that_is_started_meanwhile_never_sees_one() -> None:
    with processes.undisturbed():
        pool = processes.start(1)
        waiting = pool.submit(_quietly)
    try:
        assert waiting.result(60)
    finally:
        processes.end(pool)


def _quietly() -> bool:
    os.kill(os.getpid(), signal.SIGINT)
    return True
