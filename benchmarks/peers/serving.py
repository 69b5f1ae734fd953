"""What every adapter does: announce what it can measure, then measure what it is asked to.

Run by the peer's own interpreter, so nothing here imports Parlour. It prints lines of JSON. First either
{"peer", "version", "works": [{"kind", "game", "near", "unit"}, ...]}, or {"peer", "missing"} if the peer cannot be
imported; then for each line "INDEX SECONDS" on standard input {"count", "seconds"}, processor time of all threads.
"""

import json
import os
import sys
import time
from importlib import import_module
from importlib.metadata import version

LANES = (1, 64, 1024)  # with observations and masks: the works "seen-1", "seen-64", "seen-1024"


def serve(peer, module, make):
    """Serve requests to measure the works that `make()` yields: (kind, game, nearest of Parlour, unit, piece).

    piece() does some work and returns how much.
    """
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # the reader must not get what libraries print

    def tell(**line):
        print(json.dumps(line), file=answers, flush=True)

    try:
        import_module(module)
    except ImportError as error:
        tell(peer=peer, missing=str(error))
        return
    works = list(make())
    names = ("kind", "game", "near", "unit")
    tell(peer=peer, version=version(peer), works=[dict(zip(names, work, strict=False)) for work in works])
    for line in sys.stdin:
        index, seconds = line.split()
        piece = works[int(index)][4]
        piece()
        count, began = 0, time.process_time()
        while time.process_time() - began < float(seconds):
            count += piece()
        tell(count=count, seconds=time.process_time() - began)
