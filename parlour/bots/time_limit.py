"""A limit of time for Python code that runs here, as far as Python can keep one."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Late(BaseException):
    """The time is over. No Exception, so that `except Exception` in the code that is late does not catch it."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise Late if what runs in this context takes longer than `seconds`.

    In the main thread, on systems with SIGALRM, it is interrupted there; elsewhere it is found out afterwards. An alarm
    that was set before is set again for the time that it had left.
    """
    began = time.monotonic()
    if not hasattr(signal, "SIGALRM") or threading.current_thread() is not threading.main_thread():
        yield
    else:
        before = signal.signal(signal.SIGALRM, _ring)
        left, again = signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
            if left:
                signal.setitimer(signal.ITIMER_REAL, max(0.001, left - (time.monotonic() - began)), again)
    if time.monotonic() - began > seconds:
        raise Late


def _ring(_number: int, _frame: FrameType | None) -> None:
    raise Late
