"""The results of blocks in a file of JSON lines, so that a run continues after any end."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from parlour.analysis.json_lines import Lines, Words

SCHEME = "parlour-blocks-1"
WORDS = Words("blocks", "results of blocks", "results of other blocks")


class Kept(Lines):
    """The file of such blocks, new or continued. Use with `with`.

    A line has a block's settings (`given`), its worker, the seconds that it took there, and its result: as `text` where
    that is printable ASCII, else as `zlib` (base64 of compressed bytes). A line `distrusted` takes back everything that
    a worker has done above it. Raises OtherResults and OSError, as `Lines` does.
    """

    def __init__(self, file: Path, head: Mapping[str, object]) -> None:
        super().__init__(file, {"blocks": SCHEME} | dict(head), WORDS)

    def results(self, blocks: Sequence[Mapping[str, object]]) -> dict[int, tuple[bytes, str]]:
        """Return the results of these blocks that the file has, each with its worker, by their numbers here.

        The file may have others too: of more blocks, or of some that were cut otherwise. Raises OtherResults for a line
        that is not a result.
        """
        numbers = {_key(block): number for number, block in enumerate(blocks)}
        found: dict[int, tuple[bytes, str]] = {}
        for at, line in self.found():
            if isinstance(line, dict) and "distrusted" in line:
                found = {number: one for number, one in found.items() if one[1] != line["distrusted"]}
                continue
            given = line.get("given") if isinstance(line, dict) else None
            if not isinstance(line, dict) or not isinstance(given, dict) or (data := _read(line)) is None:
                raise self.refused(at, "this is not a result of a block.")
            if (number := numbers.get(_key(given))) is not None:
                found[number] = data, str(line.get("worker"))
        return found

    def keep(self, block: Mapping[str, object], data: bytes, worker: str, seconds: float) -> None:
        """Append a result at once."""
        self.add({"given": block, "worker": worker, "seconds": round(seconds, 4)} | _written(data))

    def distrust(self, worker: str) -> None:
        """Take back all that a worker has done so far."""
        self.add({"distrusted": worker})


def _key(block: Mapping[str, object]) -> str:
    return json.dumps(block, sort_keys=True)


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
