"""Threads that play one batch together, each of them a stretch of its lanes."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable, Sequence
from itertools import pairwise
from queue import SimpleQueue
from typing import Any, NamedTuple, TypeVar

from parlour.core.struct import GameState
from parlour.engine.interpreted import Engine
from parlour.engine.work import Buffers, Stretch

HEAD = 96  # lanes that the first thread has more than the others, which begin later: to wake one takes some 30 µs
T = TypeVar("T")  # what a job is done with
R = TypeVar("R")


class Section(NamedTuple):
    """What one thread plays with: its lanes, and the buffers of the bots in them (None: there are no bots)."""

    stretch: Stretch
    buffers: Buffers | None


def sections(engine: Engine, start: GameState, shape: tuple[int, int], threads: int, *, bots: bool) -> list[Section]:
    """Return a section for each thread, as equal as possible. `shape`: the numbers of lanes and of seats."""
    n, players = shape
    rules = engine.game.rules
    head = min(HEAD, n // 8) if threads > 1 else 0
    ends = [0, *(head + (n - head) * number // threads for number in range(1, threads)), n]
    return [
        Section(
            Stretch(
                first, last, engine.integers(max(rules.MAX_LEGAL, rules.OBSERVATION_SIZE)), engine.integers(players)
            ),
            engine.buffers(start) if bots else None,
        )
        for first, last in pairwise(ends)
    ]


class Helper(NamedTuple):
    """A thread, with the queue from which it takes jobs, and the one for its answers."""

    thread: threading.Thread
    jobs: SimpleQueue[Any]
    answers: SimpleQueue[Any]


class Threads:
    """Do one job with several items at the same time: the thread that asks takes the first, helpers the others.

    Helpers start with the first job and end with this object. A fork starts helpers of its own.
    """

    def __init__(self) -> None:
        self._helpers: list[Helper] = []
        self._process = os.getpid()
        weakref.finalize(self, _dismiss, self._helpers)

    def do(self, job: Callable[[T], R], items: Sequence[T]) -> list[R]:
        """Return what `job` returns for each item, when all are done. Raises what it raises."""
        if len(items) == 1:
            return [job(items[0])]
        helpers = self._ready(len(items) - 1)
        try:
            for helper, item in zip(helpers, items[1:], strict=True):
                helper.jobs.put((job, item))
            found = [job(items[0])]
            for helper in helpers:
                answer, error = helper.answers.get()
                if error is not None:
                    raise error
                found.append(answer)
        except BaseException:  # also Ctrl-C: nothing may still write to the lanes, and no answer may be left over
            _dismiss(self._helpers)
            for helper in helpers:
                helper.thread.join()
            raise
        return found

    def _ready(self, count: int) -> list[Helper]:
        """Return this number of running helpers."""
        if self._process != os.getpid():
            self._process = os.getpid()
            self._helpers.clear()
        while len(self._helpers) < count:
            jobs, answers = SimpleQueue[Any](), SimpleQueue[Any]()
            thread = threading.Thread(target=_help, args=(jobs, answers), name="batch", daemon=True)
            thread.start()
            self._helpers.append(Helper(thread, jobs, answers))
        return self._helpers[:]


def _dismiss(helpers: list[Helper]) -> None:
    """Let these helpers end after what they are doing."""
    for helper in helpers:
        helper.jobs.put(None)
    helpers.clear()


def _help(jobs: SimpleQueue[Any], answers: SimpleQueue[Any]) -> None:
    """Do jobs until there is None."""
    while (given := jobs.get()) is not None:
        answer = _done(*given)
        del given  # it knows the batch, which would otherwise never be let go
        answers.put(answer)
        del answer


def _done(job: Callable[[T], R], item: T) -> tuple[R | None, BaseException | None]:
    """Return what a job returns, and what it raises."""
    try:
        return job(item), None
    except BaseException as error:
        return None, error
