"""The log of a house (`parlour serve --log`): a line for each request, and warnings, on standard error. A thread writes
it, so that a blocked terminal or pipe delays no request."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from datetime import UTC, datetime
from queue import SimpleQueue
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


class Writer:
    """Writes lines in its own thread, in the order in which they came."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._queue: SimpleQueue[str | None] = SimpleQueue()
        self._dropped = 0
        self._thread = threading.Thread(target=self._run, daemon=True, name="log")
        self._thread.start()

    def write(self, line: str) -> None:
        """Queue a line for writing."""
        if self._queue.qsize() >= MOST:
            self._dropped += 1
            return
        self._queue.put(line)
        if self._dropped and self._queue.qsize() < MOST // 2:
            lost, self._dropped = self._dropped, 0
            log.warning("Dropped %d log lines because the log is read too slowly.", lost)

    def close(self) -> None:
        """Write the remaining lines, but don't wait forever for a pipe that is not read."""
        self._queue.put(None)
        self._thread.join(2.0)

    def _run(self) -> None:
        with suppress(OSError, ValueError):  # its reader has gone
            while (line := self._queue.get()) is not None:
                self._stream.write(line + "\n")
                if self._queue.empty():
                    self._stream.flush()
            self._stream.flush()


class _Handler(logging.Handler):
    def __init__(self, writer: Writer) -> None:
        super().__init__()
        self._writer = writer

    def emit(self, record: logging.LogRecord) -> None:
        self._writer.write(self.format(record))


class _Text(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        told = f" ({found})" if (found := request_id.get()) else ""
        return f"{_now()} {record.levelname} {super().format(record)}{told}"


class _Json(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        told: dict[str, object] = {"time": _now(), "level": record.levelname.lower(), "message": record.getMessage()}
        if found := request_id.get():
            told["id"] = found
        if record.exc_info:
            told["trace"] = self.formatException(record.exc_info)
        return msgspec.json.encode(told).decode()


@contextmanager
def kept(way: Way, stream: TextIO) -> Iterator[Callable[[Line], None]]:
    """Keep this log while the block runs; yield the function that writes a request's line. Warnings of the whole
    program go into the same log."""
    writer = Writer(stream)
    handler = _Handler(writer)
    handler.setFormatter(_Json() if way == "json" else _Text())
    root = logging.getLogger()
    root.addHandler(handler)
    write = _write_json if way == "json" else _write_text
    try:
        yield lambda line: writer.write(write(line))
    finally:
        root.removeHandler(handler)
        writer.close()


def _write_text(line: Line) -> str:
    return f"{_now()} {line.method} {line.path} {line.status} {line.ms:.1f} ms {line.bytes} B ({line.id})"


def _write_json(line: Line) -> str:
    told = {"time": _now(), "level": "info", **line._asdict(), "ms": round(line.ms, 1)}
    return msgspec.json.encode(told).decode()


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
