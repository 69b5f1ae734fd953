"""The measured server processes, started here or found by their address, and their cost to the machine."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks.load.errors import HouseFailed

OPEN = "Parlour is open at "
STOP_WITHIN = 20.0  # seconds


class Server:
    """`parlour serve` in a process of its own, on a free port of this computer."""

    def __init__(self, options: Sequence[str], python: str = sys.executable) -> None:
        """Start it, and wait until it responds. Raises HouseFailed if it does not start. `python` is an interpreter
        with the Parlour to measure."""
        command = [python, "-P", "-m", "parlour", "serve", "--host", "127.0.0.1", "--port", "0", "--no-open", *options]
        free = {**os.environ, "PARLOUR_LIMITS": "0"}  # all our people come from one address
        try:
            with _uninterrupted():  # otherwise we could lose track of a started process
                self.process = subprocess.Popen(
                    command, stdout=subprocess.PIPE, text=True, start_new_session=True, env=free
                )
            self.url = self._address()
        except BaseException:  # also Ctrl-C meanwhile
            self._kill()
            raise

    def _address(self) -> str:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith(OPEN):
                return line.removeprefix(OPEN).strip()
        raise HouseFailed(f"The server didn't start: it exited with status {self.process.wait()}.")

    def _kill(self) -> None:
        assert self.process.stdout is not None
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def stop(self) -> None:
        """End it as Ctrl-C does; by force if it doesn't end. Raises HouseFailed if it did not end cleanly."""
        self.process.send_signal(signal.SIGINT)
        try:
            status = self.process.wait(STOP_WITHIN)
        except subprocess.TimeoutExpired:
            raise HouseFailed(f"The server didn't stop within {STOP_WITHIN:.0f} seconds.") from None
        finally:
            self._kill()
        if status:
            raise HouseFailed(f"The server exited with status {status}.")

    @property
    def pid(self) -> int:
        return self.process.pid


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Delay Ctrl-C, or a request to end, while the block runs."""
    sent: list[int] = []
    before = {one: signal.signal(one, lambda number, _: sent.append(number)) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
    for number in sent:
        signal.raise_signal(number)


def seconds(pid: int) -> float:
    """Return the CPU time of a process, 0 if the system doesn't report it."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> int:
    """Return a process's memory in bytes, 0 if the system doesn't report it."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def children(pid: int) -> list[int]:
    """Return the processes that a process has started, and theirs."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            own = [int(word) for word in task.read_text().split()]
        except OSError:
            continue
        for one in own:
            found += [one, *children(one)]
    return found


def machine() -> tuple[float, float]:
    """Return the CPU time of the whole machine, and the time that others took from it (steal), in seconds of one
    CPU."""
    try:
        fields = [int(word) for word in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    except OSError:
        return 0.0, 0.0
    user, nice, system, _, _, hard, soft, stolen = fields
    tick = os.sysconf("SC_CLK_TCK")
    return (user + nice + system + hard + soft) / tick, stolen / tick
