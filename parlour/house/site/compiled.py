"""Templates as Jinja2 has compiled them, kept from one start to the next: a server that restarts during games has
no time to compile."""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path

import jinja2
from jinja2.bccache import Bucket, FileSystemBytecodeCache

from parlour.engine import cache


class Kept(FileSystemBytecodeCache):
    """Each template's code beside a hash of its source: what was changed is compiled again, and so is what cannot be
    read. Where nothing can be written, nothing is kept."""

    def load_bytecode(self, bucket: Bucket) -> None:
        """See `jinja2.BytecodeCache`."""
        data = cache.load(Path(self._get_cache_filename(bucket)))
        if data is not None:
            bucket.bytecode_from_string(data)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """See `jinja2.BytecodeCache`."""
        cache.store(Path(self._get_cache_filename(bucket)), bucket.bytecode_to_string())


def kept() -> Kept | None:
    """Return the cache in the folder of compiled things, None where there can be none."""
    mark = sha256(f"{sys.version} {jinja2.__version__} {Path(__file__).parent} sealed".encode()).hexdigest()[:24]
    place = cache.folder("templates", mark)
    return None if place is None else Kept(str(place))
