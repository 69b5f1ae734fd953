"""Worker processes that go from one house of a test process to the next: to start one takes longer than most tests."""

from __future__ import annotations

from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor, wait

from parlour.bots import processes

PATIENCE = 0.5  # seconds for what is being decided as a house closes: no one waits for it


class Staff:
    """Stands in for `parlour.bots.processes` where houses get it."""

    def __init__(self) -> None:
        self._idle: defaultdict[tuple[int, int, int], list[ProcessPoolExecutor]] = defaultdict(list)  # by `start`'s
        self._hired: dict[ProcessPoolExecutor, tuple[int, int, int]] = {}

    def start(self, count: int, nice: int = 0, memory: int = 0) -> ProcessPoolExecutor:
        """Return an idle pool, or a new one."""
        while idle := self._idle[count, nice, memory]:
            if _well(pool := idle.pop()):
                break
            processes.end(pool)
        else:
            pool = processes.start(count, nice, memory)
        self._hired[pool] = count, nice, memory
        return pool

    def end(self, pool: ProcessPoolExecutor) -> None:
        """Keep a pool that has nothing to do, or soon has not, and end any other."""
        kind = self._hired.pop(pool)
        wait([item.future for item in pool._pending_work_items.values()], PATIENCE)
        if _well(pool):
            self._idle[kind].append(pool)
        else:
            processes.end(pool)

    def close(self) -> None:
        """End all processes."""
        for pool in [*self._hired, *(one for idle in self._idle.values() for one in idle)]:
            processes.end(pool)


def _well(pool: ProcessPoolExecutor) -> bool:
    """Return whether nothing waits for its processes, and none has died."""
    running = (pool._processes or {}).values()
    return not pool._broken and not pool._pending_work_items and all(process.is_alive() for process in running)
