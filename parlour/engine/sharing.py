"""Loops in which threads share one job (`jobs`), by words of memory that all of them read. Compiled only.

Each helper has a word that says what it does, and each change of it belongs to one side alone:

- ASLEEP to READY: the helper has come, and looks at its word again and again.
- READY to CALLED: the one who leads asks it to take part.
- CALLED to READY: the helper has finished, and has stopped writing.
- READY to ASLEEP: the helper has looked for long enough, and goes.

Both READY to CALLED and READY to ASLEEP compare and set in one act, so only one of them happens. A call cannot be lost:
a helper that sleeps is not called, and the one who leads does its part. It returns when no helper is CALLED any more.

The lanes are cut into a region for each thread, and each region into chunks. A thread takes the next chunk of its own
region, and when that is empty, of the others'. So a helper that comes late, or not at all, has less to do.
"""

from __future__ import annotations

from typing import Any

from parlour.engine.atomics import add, give_way, load, pause, store, swap
from parlour.engine.jobs import do_job, raise_again

ASLEEP, READY, CALLED = 0, 1, 2

# The words: ROW for each thread, then ROW that belong to all
ROW = 16  # two lines of the cache, which processors fetch together: no thread disturbs another
STATE, NEXT = 0, 8  # what the thread does; the next chunk of its region
JOB, LANES, THREADS, CHUNK, WAY, CODE, ERROR = range(7)
BYTES = 8

PATIENCE = 64  # looks at a word before other threads may have the processor


def common(words: Any, threads: int, field: int) -> int:
    """Return the address of a word that belongs to all."""
    address: int = words + (threads * ROW + field) * BYTES
    return address


def lead(words: Any, threads: int, job: int) -> None:
    """Do a job with all threads that are ready. Raise what it raises, when all have finished."""
    store(common(words, threads, JOB), job)
    store(common(words, threads, CODE), 0)
    for region in range(threads):
        store(words + (region * ROW + NEXT) * BYTES, 0)
    work(words, threads, 0)
    for helper in range(1, threads):
        state = words + (helper * ROW + STATE) * BYTES
        looks = 0
        while load(state) == CALLED:
            looks = look_again(words, threads, looks)
    raise_again(load(common(words, threads, CODE)), common(words, threads, ERROR))


def call(words: Any, threads: int) -> None:
    """Ask the helpers that are ready to take part."""
    for helper in range(1, threads):
        state = words + (helper * ROW + STATE) * BYTES
        if load(state) == READY:
            swap(state, READY, CALLED)


def work(words: Any, threads: int, me: int) -> None:
    """Take chunks until all are taken, from this thread's own region first."""
    job, lanes = load(common(words, threads, JOB)), load(common(words, threads, LANES))
    chunk = load(common(words, threads, CHUNK))
    for turn in range(threads):
        region = (me + turn) % threads
        begin, end = region * lanes // threads, (region + 1) * lanes // threads
        while True:
            if me == 0 and threads > 1:
                call(words, threads)  # also those that were asleep at first
            first = begin + add(words + (region * ROW + NEXT) * BYTES, 1) * chunk
            if first >= end:
                break
            play(words, threads, me, job, first, min(first + chunk, end))


def play(words: Any, threads: int, me: int, job: int, first: int, last: int) -> None:
    """Do a chunk; note what the first one that fails raises."""
    own = words + (me * ROW + STATE + 1) * BYTES
    code = do_job(job, first, last, me, own)
    if code != 0 and swap(common(words, threads, CODE), 0, code):
        store(common(words, threads, ERROR), load(own))


def serve(words: Any, threads: int, me: int, most: int) -> None:
    """Take part in jobs, until for `most` looks there has been none."""
    state = words + (me * ROW + STATE) * BYTES
    store(state, READY)
    looks = 0
    while True:
        if load(state) == CALLED:
            work(words, threads, me)
            store(state, READY)
            looks = 0
        elif looks >= most and swap(state, READY, ASLEEP):
            break
        else:
            looks = look_again(words, threads, looks)


def look_again(words: Any, threads: int, looks: int) -> int:
    """Wait a moment between two looks at a word; return how many there were."""
    if looks % PATIENCE == PATIENCE - 1:
        give_way(load(common(words, threads, WAY)))
    pause()
    return looks + 1


def rest(words: Any, threads: int, looks: int) -> None:
    """Do what a helper does between jobs, this many times: to measure how long that takes."""
    done = 0
    while done < looks and load(words) != CALLED:
        done = look_again(words, threads, done)
