"""File descriptors: how many connections the system allows a process, and what happens when none are left."""

from __future__ import annotations

import asyncio
import errno
import logging
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

if sys.platform != "win32":  # there is no such limit there
    import resource

log = logging.getLogger(__name__)
RESERVED = 128  # for the database, bots' processes, files, and connections that are accepted before they are counted
MESSAGES = 100  # different ones that are remembered; then all may be logged again
FEWEST = 32  # connections, however few descriptors there are
NONE_LEFT = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}


def connections(wanted: int) -> int:
    """Ask the system for the descriptors that this many connections need; return how many connections are possible. It
    asks for no more than needed, because some programs iterate over all allowed descriptors."""
    if sys.platform == "win32":
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    enough = wanted + RESERVED
    if soft != unlimited and soft < enough:
        allowed = enough if hard == unlimited else min(enough, hard)
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
            soft = allowed
        except (OSError, ValueError):  # macOS allows fewer than it says
            pass
    if soft == unlimited or soft >= enough:
        return wanted
    log.warning(
        "The system allows %d file descriptors, so Parlour accepts at most %d connections (see `ulimit -n`).",
        soft,
        max(FEWEST, soft - RESERVED),
    )
    return max(FEWEST, soft - RESERVED)


class Seldom(logging.Filter):
    """A filter that passes the same warning once a second, with the number of omitted ones, so that a client that
    causes thousands can't fill the disk."""

    def __init__(self) -> None:
        super().__init__()
        self._said: dict[str, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the record is written."""
        if record.levelno > logging.WARNING:
            return True
        key, now = f"{record.msg} {record.args}", time.monotonic()
        when, left_out = self._said.get(key, (now - 1.0, 0))
        if now - when < 1.0:
            self._said[key] = when, left_out + 1
            return False
        if len(self._said) >= MESSAGES:
            self._said.clear()
        self._said[key] = now, 0
        if left_out:
            record.msg = f"{record.msg} (and {left_out} more times)"
        return True


@contextmanager
def seldom(*names: str) -> Iterator[None]:
    """Limit the same message of these loggers to once a second while the block runs."""
    kept = Seldom()
    loggers = [logging.getLogger(name) for name in names]
    for logger in loggers:
        logger.addFilter(kept)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(kept)


def look_after(loop: asyncio.AbstractEventLoop) -> None:
    """Log what a connection can do to the loop as one line, without a traceback."""
    loop.set_exception_handler(_said_in_a_line)


def _said_in_a_line(loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
    error = context.get("exception")
    if isinstance(error, OSError) and error.errno in NONE_LEFT:
        log.warning("No file descriptors are left. New connections wait until one is free.")
    elif isinstance(error, OSError) and ("transport" in context or "protocol" in context):
        log.info("A connection was lost: %s", error)
    else:
        loop.default_exception_handler(context)
