"""The printed rulebooks as fingerprints: enough to notice a copied run of words, but not readable.

`printed.txt` has a hash of each run of `RUN` words of them, 32 bits each: sorted, differences, compressed, base 64.
`python -m tests.docs.printed` writes it from `shared/rulebooks`, beside the checkout, for those who have the books.
"""

from __future__ import annotations

import re
import struct
import zlib
from base64 import b64decode, encodebytes
from functools import cache
from hashlib import blake2b
from itertools import accumulate, pairwise
from pathlib import Path

RUN = 8  # this many equal words in a row are not an accident
FILE = Path(__file__).with_name("printed.txt")
SHARED = Path(__file__).parents[3] / "shared"  # the printed books and the clauses, where they are at hand


def words(text: str) -> list[str]:
    """Return the words of a text: letters and digits, in lower case."""
    return re.findall(r"[a-z0-9]+", re.sub(r"(?<=\d),(?=\d)", "", text.lower().replace("’", "'")))


def fingerprints(text: str) -> list[int]:
    """Return a hash of each run of words."""
    said = words(text)
    runs = (" ".join(said[i : i + RUN]) for i in range(len(said) - RUN + 1))
    return [int.from_bytes(blake2b(run.encode(), digest_size=4).digest(), "little") for run in runs]


@cache
def known() -> frozenset[int]:
    """Return the fingerprints of the printed books."""
    steps = zlib.decompress(b64decode(FILE.read_bytes()))
    return frozenset(accumulate(number for (number,) in struct.iter_unpack("<I", steps)))


def copied(text: str) -> list[str]:
    """Return the runs of words of a text that are also in a printed book, each as long as possible."""
    said, found = words(text), [mark in known() for mark in fingerprints(text)]
    starts = [i for i, (before, now) in enumerate(pairwise([False, *found])) if now and not before]
    ends = [next((j for j in range(i, len(found)) if not found[j]), len(found)) for i in starts]
    return [" ".join(said[i : j + RUN - 1]) for i, j in zip(starts, ends, strict=True)]


def main() -> None:
    """Write `printed.txt`."""
    books = sorted((SHARED / "rulebooks").glob("*.txt"))
    marks = sorted({mark for book in books for mark in fingerprints(book.read_text("utf-8"))})
    steps = b"".join(struct.pack("<I", mark - before) for before, mark in pairwise([0, *marks]))
    FILE.write_bytes(encodebytes(zlib.compress(steps, 9)))
    print(f"{len(marks):,} runs of {RUN} words of {len(books)} books, {FILE.stat().st_size:,} bytes.")


if __name__ == "__main__":
    main()
