"""The log of a house (`parlour serve --log`): a line for each request, and warnings, on standard error. A thread writes
it, so that a blocked terminal or pipe delays no request."""

from __future__ import annotations

import io
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from datetime import UTC, datetime
from logging.handlers import QueueHandler, QueueListener
from queue import SimpleQueue
from threading import Thread
from typing import Literal, NamedTuple, TextIO

import msgspec

log = logging.getLogger(__name__)
MOST = 10_000  # lines waiting to be written; more are counted and dropped
Way = Literal["text", "json"]
request_id: ContextVar[str] = ContextVar("request_id", default="")


class Line(NamedTuple):
    """An answered request; `status` is 0 if the client left before the answer."""

    method: str
    path: str
    status: int
    ms: float
    bytes: int
    id: str


class _Bounded(QueueHandler):
    """Formats what is logged, since it knows the request, and queues it for the thread; drops what is too much."""

    queue: SimpleQueue[logging.LogRecord]
    dropped = 0

    def enqueue(self, record: logging.LogRecord) -> None:
        """Queue a formatted record for writing."""
        waiting = self.queue.qsize()
        if waiting >= MOST:
            self.dropped += 1
            return
        self.queue.put(record)
        if self.dropped and waiting < MOST // 2:
            lost, self.dropped = self.dropped, 0
            log.warning("Dropped %d log lines because the log is read too slowly.", lost)


class _Writer(QueueListener):
    """Writes the queued lines in its thread. No lock is held meanwhile, which the end of the process would wait for."""

    def __init__(self, queue: SimpleQueue[logging.LogRecord], stream: TextIO) -> None:
        super().__init__(queue)
        self._stream = _unbuffered(stream)

    def handle(self, record: logging.LogRecord) -> None:
        """Write a line."""
        with suppress(OSError, ValueError):  # its reader has gone
            self._stream.write(f"{record.getMessage()}\n")
            self._stream.flush()


def _unbuffered(stream: TextIO) -> TextIO:
    """Return the file of a stream without the buffer, whose lock a thread holds while it writes; a stream without a
    file as it is."""
    try:
        number = stream.fileno()
    except OSError:
        return stream
    stream.flush()
    raw = io.FileIO(number, "w", closefd=False)
    return io.TextIOWrapper(raw, stream.encoding, stream.errors, write_through=True)


class _Text(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        if isinstance(line := record.msg, Line):
            return f"{_now()} {line.method} {line.path} {line.status} {line.ms:.1f} ms {line.bytes} B ({line.id})"
        mark = f" ({found})" if (found := request_id.get()) else ""
        return f"{_now()} {record.levelname} {super().format(record)}{mark}"


class _Json(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, object] = {"time": _now(), "level": record.levelname.lower()}
        if isinstance(line := record.msg, Line):
            entry |= {**line._asdict(), "ms": round(line.ms, 1)}
            return msgspec.json.encode(entry).decode()
        entry["message"] = record.getMessage()
        if found := request_id.get():
            entry["id"] = found
        if record.exc_info:
            entry["trace"] = self.formatException(record.exc_info)
        return msgspec.json.encode(entry).decode()


@contextmanager
def kept(way: Way, stream: TextIO) -> Iterator[Callable[[Line], None]]:
    """Keep this log while the block runs; yield the function that writes a request's line. Warnings of the whole
    program go into the same log."""
    lines: SimpleQueue[logging.LogRecord] = SimpleQueue()
    handler, writer = _Bounded(lines), _Writer(lines, stream)
    handler.setFormatter(_Json() if way == "json" else _Text())
    root = logging.getLogger()
    root.addHandler(handler)
    writer.start()

    def write(line: Line) -> None:
        handler.handle(logging.LogRecord(__name__, logging.INFO, "", 0, line, None, None))

    try:
        yield write
    finally:
        root.removeHandler(handler)
        closing = Thread(target=writer.stop, daemon=True)  # writes the remaining lines
        closing.start()
        closing.join(2.0)  # not forever: a pipe may have no reader


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
