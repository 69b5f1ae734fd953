"""A million positions of every game, product and model side by side (`scripts/nightly --models`).

What is found names the strand, the seed and the game, so that the walk can be made again:
`Walk(strand, seed).go(50_000)`.
"""

from __future__ import annotations

import os
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from tests.models.lockstep import Disagreement, Walk, strands

EACH = 50_000


def walk(job: tuple[int, int, int]) -> tuple[int, int, Counter[str], str]:
    """Return the walk of strand number `job[0]` with the seed `job[1]`.

    Returned: positions, games ended, branches seen, and what is wrong ("" when nothing is).
    """
    number, seed, positions = job
    going = Walk(strands()[number], seed)
    try:
        going.go(positions)
    except Disagreement as error:
        return going.positions, going.ended, going.seen, str(error)
    return going.positions, going.ended, going.seen, ""


def main(names: list[str], positions: int, seed: int) -> int:
    """Walk the games named, or all, `positions` each; the number of things that are wrong."""
    broken = 0
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        for number, strand in enumerate(strands()):
            if names and strand.game.name not in names:
                continue
            first = 1 + seed * (1 + positions // EACH)
            starts = range(0, positions, EACH)
            jobs = [(number, first + i, min(EACH, positions - start)) for i, start in enumerate(starts)]
            total = ended = 0
            seen: Counter[str] = Counter()
            each = pool.map(walk, jobs) if len(jobs) > 1 else map(walk, jobs)  # a process takes longer to start
            for walked, over, met, wrong in each:
                total, ended, seen = total + walked, ended + over, seen + met
                if wrong:
                    broken += 1
                    print(f"BROKEN {wrong}", flush=True)
            print(f"{strand!s:<36} {total:>10,} positions, {ended:>8,} games ended, agreed by product and model")
            missing = [rare for rare in strand.rare if not seen[rare]]
            if missing and positions >= EACH:
                broken += 1
                print(f"BROKEN {strand}: never reached: {missing}", flush=True)
            rarest = ", ".join(f"{name} {times:,}" for name, times in seen.most_common()[:-6:-1])
            print(f"    rarest of {len(seen)} branches: {rarest}", flush=True)
    return broken
