"""A site as any web server would send it: plain files, nothing else."""

from __future__ import annotations

import functools
import http.server
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Any

PART = 16_384  # bytes sent at once
LATE = 0.05  # seconds that a sender may be late and still make up for it


class Quiet(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    delay = 0.0  # seconds before each answer
    speed = 0.0  # bytes per second, for all answers together; 0 for no limit
    line = threading.Lock()  # held while something is sent
    free = 0.0  # when the line is free again; time that a busy machine overslept is made up for

    def do_GET(self) -> None:
        """See `http.server`."""
        time.sleep(self.delay)
        super().do_GET()

    def copyfile(self, source: Any, outputfile: Any) -> None:
        """Send a file, as slowly as `speed` says."""
        if not self.speed:
            return super().copyfile(source, outputfile)
        while part := source.read(PART):
            kind = type(self)
            with self.line:
                kind.free = max(kind.free, time.monotonic() - LATE) + len(part) / self.speed
                time.sleep(max(0.0, kind.free - time.monotonic()))
            outputfile.write(part)

    def log_message(self, format: str, *args: object) -> None:
        pass


class Files:
    """Serves a folder until it is closed; `url` ends with a slash."""

    def __init__(self, folder: Path, megabits: float = 0, delay: float = 0) -> None:
        self.folder = folder
        kind = type("Slow", (Quiet,), {"speed": megabits * 125_000, "delay": delay})
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(kind, directory=str(folder)))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_port}/"

    def close(self) -> None:
        """End the server."""
        if not self._thread.is_alive():
            return
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> Files:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
