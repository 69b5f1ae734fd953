"""Functions of blocks for tests, which other processes import by their names."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Mapping
from pathlib import Path

from parlour.analysis.blocks import cores
from parlour.bots.own import Bot, SeatView

Given = Mapping[str, object]


def digest(common: Given, block: Given) -> bytes:
    """Return bytes that depend on all settings; half of them are text."""
    made = hashlib.sha256(repr((sorted(common.items()), sorted(block.items()))).encode()).digest()
    return made.hex().encode() if made[0] & 1 else made


def slow(common: Given, block: Given) -> bytes:
    """Do the same after `seconds` of work."""
    end = time.process_time() + float(str(common["seconds"]))
    while time.process_time() < end:
        pass
    return digest(common, block)


def fatal(common: Given, block: Given) -> bytes:
    """Do the same, but end the process, as long as the folder has fewer than `deaths` files for this block."""
    if block["first"] == common["fatal"]:
        for number in range(int(str(common["deaths"]))):
            try:
                (Path(str(common["folder"])) / str(number)).touch(exist_ok=False)
            except FileExistsError:
                continue
            os._exit(9)
    return digest(common, block)


def impure(_common: Given, _block: Given) -> bytes:
    """Return other bytes each time."""
    return os.urandom(8)


def measured(common: Given, block: Given) -> bytes:
    """Return a result with what was measured behind it."""
    return digest(common, block) + os.urandom(8)


def without_measures(data: bytes) -> bytes:
    """Return the result alone."""
    return data[:-8]


def threads(_common: Given, _block: Given) -> bytes:
    """Return how many threads a block may use here."""
    return str(cores()).encode()


def lie(common: Given, block: Given) -> bytes:
    """Do as `slow`, unless this machine's environment says that it lies."""
    data = slow(common, block)
    return b"a lie" if os.environ.get("PARLOUR_TEST_LIES") else data


def no_bytes(_common: Given, _block: Given) -> object:
    """Return what a block must not return."""
    return {}


class First(Bot):
    """Takes the first legal action."""

    def choose(self, view: SeatView) -> int:
        return view.legal_actions()[0]


class Last(Bot):
    """Takes the last legal action."""

    def choose(self, view: SeatView) -> int:
        return view.legal_actions()[-1]


class Moody(Bot):
    """Never decides."""

    def choose(self, view: SeatView) -> int:
        raise RuntimeError(f"in a mood at seat {view.seat}")
