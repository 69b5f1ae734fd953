"""The results of blocks in a file of JSON lines, so that a run continues after any end."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from parlour.analysis.lines import Lines, Words

SCHEME = "parlour-blocks-1"
WORDS = Words("blocks", "results of blocks", "results of other blocks")


class Kept(Lines):
    """The file of these blocks, new or continued. Use with `with`.

    A line has a block's number and settings, its worker, the seconds that it took there, and its result: as `text`
    where that is printable ASCII, else as `zlib` (base64 of compressed bytes). A line `distrusted` takes back
    everything that a worker has done above it. Raises OtherResults and OSError, as `Lines` does.
    """

    def __init__(self, file: Path, head: Mapping[str, object], blocks: Sequence[Mapping[str, object]]) -> None:
        self._blocks = blocks
        super().__init__(file, {"blocks": SCHEME} | dict(head), WORDS)

    def results(self) -> dict[int, tuple[bytes, str]]:
        """Return the results in the file, and who played them, by number. Blocks beyond these are left out.

        Raises OtherResults for a line that is no result of these blocks.
        """
        found: dict[int, tuple[bytes, str]] = {}
        for at, line in self.found():
            if not isinstance(line, dict):
                raise self.refused(at, "this is no result of a block.")
            if "distrusted" in line:
                found = {number: one for number, one in found.items() if one[1] != line["distrusted"]}
                continue
            number, data = line.get("block"), _read(line)
            if not isinstance(number, int) or data is None or number < 0:
                raise self.refused(at, "this is no result of a block.")
            if number < len(self._blocks):
                if line.get("given") != self._blocks[number]:
                    raise self.refused(at, f"block {number} has other settings there than here. Name another file.")
                found[number] = data, str(line.get("worker"))
        return found

    def keep(self, number: int, data: bytes, worker: str, seconds: float) -> None:
        """Append a result at once."""
        line: dict[str, object] = {"block": number, "given": self._blocks[number], "worker": worker}
        self.add(line | {"seconds": round(seconds, 4)} | _written(data))

    def distrust(self, worker: str) -> None:
        """Take back all that a worker has done so far."""
        self.add({"distrusted": worker})


def _written(data: bytes) -> dict[str, str]:
    if data.isascii() and (text := data.decode("ascii")).isprintable():
        return {"text": text}
    return {"zlib": base64.b64encode(zlib.compress(data, 1)).decode("ascii")}


def _read(line: Mapping[str, object]) -> bytes | None:
    text, packed = line.get("text"), line.get("zlib")
    try:
        if isinstance(text, str):
            return text.encode("ascii")
        return zlib.decompress(base64.b64decode(packed, validate=True)) if isinstance(packed, str) else None
    except (binascii.Error, zlib.error, UnicodeEncodeError):
        return None
