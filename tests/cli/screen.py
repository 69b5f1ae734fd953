"""A person at a real terminal: starts `parlour play`, reads what is printed, types. Knows nothing else of the game."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from types import TracebackType

PATIENCE = 20.0  # seconds without a word


class Screen:
    """A pseudo-terminal with `parlour play` in it."""

    def __init__(self, folder: Path, *arguments: str, columns: int = 80) -> None:
        self.keyboard, other = pty.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        quiet = termios.tcgetattr(other)
        quiet[3] &= ~termios.ECHO
        termios.tcsetattr(other, termios.TCSANOW, quiet)
        env = {**os.environ, "PARLOUR_DATA": str(folder), "TERM": "dumb", "INPUTRC": os.devnull}
        env.pop("COLUMNS", None)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "parlour", "play", *arguments],
            stdin=other, stdout=other, stderr=other, env=env, start_new_session=True,
        )  # fmt: skip
        os.close(other)
        self.text = ""

    def __enter__(self) -> Screen:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.keyboard)

    def read(self, asks: str) -> str:
        """Return what is printed up to where it waits for an answer (`asks`, a pattern), or up to the end."""
        raw, found, begun = b"", "", time.monotonic()
        while not re.search(rf"{asks}\Z", found):
            if not select.select([self.keyboard], [], [], 1.0)[0]:
                assert time.monotonic() - begun < PATIENCE, found[-3000:]
                continue
            try:
                more = os.read(self.keyboard, 65536)
            except OSError:  # the other end is closed
                more = b""
            if not more:
                break
            raw += more  # which may end between the bytes of a character, or of the end of a line
            found = raw.decode("utf-8", "replace").replace("\r\n", "\n")
            begun = time.monotonic()
        self.text += found
        return found

    def type(self, words: str) -> None:
        os.write(self.keyboard, f"{words}\n".encode())


def offered(screen: str) -> list[str]:
    """Return the moves that the last drawing on the screen offers, as a person reads them."""
    acts = screen.split("\n\n")[-1].splitlines()
    entries: list[str] = []
    for line in acts:
        if line.startswith("   "):  # continues the entry above
            entries[-1] += " " + line.strip()
        elif line.startswith("  "):
            entries.append(line.strip())
    moves = []
    for entry in entries:
        entry = re.sub(r" of: .*| \(\d+ in all.*", "", entry)
        if single := re.match(r"([^=:|]+) = ", entry):
            moves.append(single[1])
        elif not entry.startswith("not now"):
            moves += [move.strip() for move in entry.partition(": ")[2].split("|")]
    return [move for move in moves if move != "undo"]
