"""The watchdog: notices when something blocks the event loop, so that everyone at every table waits, and names it.

The loop beats every few hundredths of a second. A separate thread checks the beat; when it is late, the thread notes
what the loop's thread is doing. A late beat is a stall. Its `busy` part is what the loop's own thread computed
meanwhile; the rest is either a machine without a free processor, which Linux reports (`_Queue`), or a call that waited
outside the loop. Whatever computes or waits for a tenth of a second is logged, at most once a second, and counted each
time under our innermost function (`held`). A machine busy with something else is not.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
import time
import traceback
from collections import defaultdict, deque
from pathlib import Path
from types import FrameType
from typing import NamedTuple

log = logging.getLogger(__name__)
BEAT = 0.02  # seconds
LIMIT = 0.1  # seconds that a beat may be late
WAITED = 1.0  # seconds of waiting worth a line if the machine's load is unknown
KEPT = 100  # stalls remembered
FRAMES = 6  # innermost functions named
QUIET = 1.0  # seconds between two lines in the log
PLACES = 40  # places counted separately; everything else counts as OTHER
OTHER = "other"
OURS = f"{Path(__file__).parents[2]}{os.sep}"


class Stall(NamedTuple):
    """A time for which the loop did not turn: `seconds`, of which its thread computed `busy`; `where` is what it did,
    `place` our innermost function in that; `at` is its end on the clock `monotonic`."""

    seconds: float
    busy: float
    where: str
    place: str
    at: float


class Held:
    """How often something blocked the loop, and for how many seconds in total."""

    def __init__(self) -> None:
        self.times, self.seconds = 0, 0.0


class _Queue:
    """The time for which the creating thread has waited for a processor."""

    def __init__(self) -> None:
        try:
            self._file = os.open("/proc/thread-self/schedstat", os.O_RDONLY)
        except OSError:  # not Linux
            self._file = -1
        self.known = self._file >= 0

    def seconds(self) -> float:
        """Return that time since it began to run; 0 if unknown."""
        return int(os.pread(self._file, 100, 0).split()[1]) / 1e9 if self.known else 0.0

    def close(self) -> None:
        """Stop watching."""
        if self.known:
            os.close(self._file)
        self.known = False


class Watchdog:
    """Watches the running event loop between `start` and `stop`."""

    def __init__(self) -> None:
        self.stalls: deque[Stall] = deque(maxlen=KEPT)
        self.count, self.lost = 0, 0.0  # stalls, and their seconds together
        self.held: defaultdict[str, Held] = defaultdict(Held)  # by place
        self.worst = 0.0  # seconds between two beats, beyond the beat itself
        self.busiest = 0.0  # seconds that the loop's thread computed between two beats
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._watched = 0
        self._last = self._last_busy = self._last_queued = 0.0
        self._queue: _Queue
        self._caught: tuple[str, str] | None = None  # `where` and `place` of a stall
        self._said = 0.0

    def start(self) -> None:
        """Begin to watch the loop that calls this."""
        self._watched = threading.get_ident()
        self._queue = _Queue()
        self._last, self._last_busy, self._last_queued = time.monotonic(), time.thread_time(), self._queue.seconds()
        self._beat()
        self._thread = threading.Thread(target=self._watch, daemon=True, name="watchdog")
        self._thread.start()

    def stop(self) -> None:
        """Stop watching."""
        self._stopped.set()
        if self._timer is not None:
            self._timer.cancel()
        if self._thread is not None:
            self._thread.join()
            self._queue.close()

    def _beat(self) -> None:
        now, computed = time.monotonic(), time.thread_time()
        late, busy = max(0.0, now - self._last - BEAT), computed - self._last_busy
        self.worst, self.busiest = max(self.worst, late), max(self.busiest, busy)
        queued = self._queue.seconds()
        if late > LIMIT:
            waited = late - busy - (queued - self._last_queued)
            self._note(Stall(late, busy, *(self._caught or ("too short to locate", OTHER)), now), waited)
        self._caught = None
        self._last, self._last_busy, self._last_queued = now, computed, queued
        self._timer = asyncio.get_running_loop().call_later(BEAT, self._beat)

    def worst_since(self, begin: float) -> float:
        """Return the longest stall that ended after this time of the clock `monotonic`, or 0."""
        return max((stall.seconds for stall in self.stalls if stall.at > begin), default=0.0)

    def _note(self, stall: Stall, waited: float) -> None:
        self.stalls.append(stall)
        self.count, self.lost = self.count + 1, self.lost + stall.seconds
        waits = waited > (LIMIT if self._queue.known else WAITED) and not _idle(stall.where)
        if not (waits or stall.busy > LIMIT / 2):
            return
        named = stall.place in self.held or len(self.held.keys() - {OTHER}) < PLACES
        held = self.held[stall.place if named else OTHER]
        held.times, held.seconds = held.times + 1, held.seconds + stall.seconds
        if stall.at - self._said >= QUIET:
            self._said = stall.at
            log.warning(
                "The event loop was blocked for %.0f ms, of which %.0f ms were computation, in: %s",
                1000 * stall.seconds, 1000 * stall.busy, stall.where,
            )  # fmt: skip

    def _watch(self) -> None:
        while not self._stopped.wait(BEAT):
            last = self._last
            if not self._caught and time.monotonic() - last > LIMIT:
                frame = sys._current_frames().get(self._watched)
                caught = ("a thread that has ended", OTHER) if frame is None else (_named(frame), _place(frame))
                if self._last == last:  # otherwise the beat has come meanwhile, and this would belong to the next stall
                    self._caught = caught


def _idle(where: str) -> bool:
    """Return whether the loop itself was waiting for work: asyncio's in selectors.py; uvloop's wait is not a Python
    function, so the innermost one is the function that runs the loop."""
    return where.partition(" < ")[0].partition(":")[0].endswith(("selectors.py", "runners.py"))


def _named(frame: FrameType) -> str:
    """Return a stack's innermost functions in words: file, line and name, the innermost first, without Python's own."""
    found = [one for one in traceback.extract_stack(frame) if not one.filename.startswith("<")][-FRAMES:]
    return " < ".join(f"{one.filename.rpartition('/parlour/')[2]}:{one.lineno} {one.name}" for one in reversed(found))


def _place(frame: FrameType | None) -> str:
    """Return our innermost function in a stack, as `house/table/play/moving.py:make_move`, or OTHER."""
    while frame is not None:
        code = frame.f_code
        if code.co_filename.startswith(OURS):
            return f"{Path(code.co_filename[len(OURS) :]).as_posix()}:{code.co_name}"
        frame = frame.f_back
    return OTHER
