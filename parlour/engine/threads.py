"""Threads that play one batch together, each of them some of its lanes.

A helper that has done its part waits for the next in machine code, for SPIN at most: there a job reaches it within a
microsecond. Then it sleeps, so that no processor is busy while a network thinks; it takes some 30 microseconds to wake.
"""

from __future__ import annotations

import ctypes
import functools
import os
import threading
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

import numba
import numpy as np

from parlour.core.struct import GameState
from parlour.engine import cache, drivers, keeping, link, sharing
from parlour.engine.interpreted import Engine
from parlour.engine.jobs import WORDS
from parlour.engine.work import Buffers, Stretch

SPIN = 150e-6  # seconds that a helper looks for its next job before it sleeps
CHUNKS = 8  # in which each thread's region is cut: with fewer, the last to finish is waited for longer
SMALLEST = 16  # lanes in a chunk
FORMAT = 1  # increase when the way of compiling below changes
MEASURED = 2000  # looks, to find how long one takes


class Job(NamedTuple):
    """A call of a loop over the lanes with all its arguments (`jobs`)."""

    address: int
    block: Any
    arguments: tuple[Any, ...]  # kept, as the block borrows their arrays


class Helper(NamedTuple):
    """A thread, and the lock that it waits for when it sleeps."""

    thread: threading.Thread
    bed: Any


class Crew:
    """Does jobs on `lanes` lanes with this number of threads: the one that asks, and helpers.

    Helpers start with the first job and end with this object. A fork starts helpers of its own.
    """

    def __init__(self, lanes: int, threads: int) -> None:
        self._lanes = lanes
        self._threads = threads
        self._helpers: list[Helper] = []
        self._stop: list[bool] = []
        self._lead = _loops().lead
        self._block = np.zeros(WORDS, np.int64)  # of `once`
        self._begin()
        weakref.finalize(self, _dismiss, self._helpers, self._stop)

    def _begin(self) -> None:
        """Make the words by which threads share a job, without any helper."""
        self._process = os.getpid()
        self._helpers.clear()
        threads = self._threads
        self._words = np.zeros((threads + 1, sharing.ROW), np.int64)
        self._address = int(self._words.ctypes.data)
        self._states = memoryview(self._words.data)
        parts = 1 if threads == 1 else CHUNKS * threads
        all_of_them = self._words[threads]
        all_of_them[sharing.LANES], all_of_them[sharing.THREADS] = self._lanes, threads
        all_of_them[sharing.CHUNK] = max(-(-self._lanes // parts), SMALLEST if threads > 1 else 1)
        all_of_them[sharing.WAY] = _way()

    def bind(self, entry: Callable[..., None], *arguments: Any) -> Job:
        """Return the job that an entry of `lanes` makes of its arguments."""
        return _bound(np.zeros(WORDS, np.int64), entry, arguments)

    def once(self, entry: Callable[..., None], *arguments: Any) -> None:
        """Do the job that an entry of `lanes` makes of its arguments, without keeping it."""
        self.do(_bound(self._block, entry, arguments))

    def do(self, job: Job) -> None:
        """Do a job in all lanes. Raises what it raises, when no thread is at it any more."""
        if self._threads > 1:
            if self._process != os.getpid():
                self._begin()
            if len(self._helpers) < self._threads - 1:
                self._start()
            for number, helper in enumerate(self._helpers, 1):
                if self._states[number, sharing.STATE] == sharing.ASLEEP and helper.bed.locked():
                    helper.bed.release()
        self._lead(self._address, self._threads, job.address)  # not interrupted by Ctrl-C: that comes after it

    def _start(self) -> None:
        """Start the helpers that are missing. Where they have no processors of their own, none waits awake."""
        looks = _looks() if self._threads <= _processors() else 0
        for number in range(len(self._helpers) + 1, self._threads):
            bed = threading.Lock()
            bed.acquire()
            given = self._words, number, looks, bed, self._stop
            thread = threading.Thread(target=_help, args=given, name="batch", daemon=True)
            thread.start()
            self._helpers.append(Helper(thread, bed))


def _bound(block: Any, entry: Callable[..., None], arguments: tuple[Any, ...]) -> Job:
    entry(block, *arguments)
    return Job(int(block.ctypes.data), block, arguments)


def workplaces(engine: Engine, start: GameState, players: int, threads: int) -> tuple[Stretch, Buffers]:
    """Return what each of this many threads needs of its own: for the lanes, and for the bots in them.

    A thread's row ends a `sharing.ROW` before the next one begins: each lane writes a row from end to end, and threads
    that write to one line of the cache wait for each other.
    """
    rules = engine.game.rules

    def integers(size: int) -> Any:
        return engine.integers(threads, size + sharing.ROW)

    out = integers(max(rules.MAX_LEGAL, rules.OBSERVATION_SIZE))
    stretch = Stretch(0, 0, 0, out, engine.integers(threads, players), engine.integers(threads))
    buffers = Buffers(
        integers(rules.MAX_LEGAL),
        integers(rules.MAX_OUTCOMES),
        integers(rules.MAX_OUTCOMES),
        engine.states(start, threads * 4).reshape(threads, 4),  # three, and the gap
        engine.reals(threads, max(1, engine.policy.MEMO) + sharing.ROW, fill=drivers.UNKNOWN),
    )
    return stretch, buffers


def _help(words: Any, me: int, looks: int, bed: Any, stop: list[bool]) -> None:
    """Take part in jobs, and sleep when there have been none for this many looks, until `stop` has something in it."""
    serve, address, threads = _loops().serve, int(words.ctypes.data), len(words) - 1
    while not stop:
        serve(address, threads, me, looks)
        bed.acquire()  # a release before this thread has come here lets it pass


def _dismiss(helpers: list[Helper], stop: list[bool]) -> None:
    """Let these helpers end."""
    stop.append(True)
    for helper in helpers:
        if helper.bed.locked():
            helper.bed.release()
    helpers.clear()


class _Loops(NamedTuple):
    """The compiled loops of `sharing` that Python calls."""

    lead: Any
    serve: Any
    rest: Any


@functools.cache
def _loops() -> _Loops:
    """Return the loops, compiled when they are first called or loaded from the cache."""
    folder = cache.folder("threads", cache.fingerprint([sharing], FORMAT))

    def compiled(function: Any, **options: Any) -> Any:
        made = numba.njit(function, nogil=True, no_cfunc_wrapper=True, **options)
        if folder is not None:
            made._cache = keeping.cache_in(folder)(function)
        return made

    linker = link.Linker(compiled, lambda table: table)
    linked = linker.link(sharing)
    return _Loops(linked.lead, linked.serve, linked.rest)


@functools.cache
def _way() -> int:
    """Return the address of the system's function that lets other threads run; 0 if none is known."""
    with suppress(AttributeError, OSError):
        found = ctypes.CDLL("kernel32").SwitchToThread if os.name == "nt" else ctypes.CDLL(None).sched_yield
        return ctypes.cast(found, ctypes.c_void_p).value or 0
    return 0


def _processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@functools.cache
def _looks() -> int:
    """Return how many looks at its word a helper takes in SPIN, as this processor is."""
    words = np.zeros((2, sharing.ROW), np.int64)
    words[1, sharing.WAY] = _way()
    rest, address = _loops().rest, int(words.ctypes.data)
    rest(address, 1, 1)
    best = SPIN
    for _ in range(5):  # other programs may have the processor meanwhile: the fastest is right
        began = time.perf_counter()
        rest(address, 1, MEASURED)
        best = min(best, (time.perf_counter() - began) / MEASURED)
    return int(SPIN / best)
