"""Templates as Jinja2 has compiled them, kept from one start to the next: a house that starts again under play has
no time to compile."""

from __future__ import annotations

import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import jinja2
from jinja2.bccache import Bucket, FileSystemBytecodeCache

from parlour.engine import cache


class Kept(FileSystemBytecodeCache):
    """Each template's code beside a hash of its source: what was changed is compiled again. Where nothing can be
    written, nothing is kept."""

    def dump_bytecode(self, bucket: Bucket) -> None:
        """See `jinja2.BytecodeCache`."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


def kept() -> Kept | None:
    """The cache in the folder of compiled things, None where there can be none."""
    mark = sha256(f"{sys.version} {jinja2.__version__} {Path(__file__).parent}".encode()).hexdigest()[:24]
    place = cache.folder("templates", mark)
    return None if place is None else Kept(str(place))
