"""How much memory a piece of work takes anew."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable


def check_allocates_nothing(play: Callable[[], object], lanes: int) -> None:
    """Check that `play`, when it is called again, takes less than a byte for each lane at any moment."""
    play()  # compiles
    tracemalloc.start()
    try:
        play()
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        play()
        assert tracemalloc.get_traced_memory()[1] - before < lanes
    finally:
        tracemalloc.stop()
