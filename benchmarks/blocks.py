"""What blocks cost beside their play: here in one process and in two, and on a Ray cluster of this machine.

    .venv/bin/python -m benchmarks.blocks             # two minutes; `--json` for programs; needs parlour[ray]
    .venv/bin/python -m benchmarks.blocks --quick     # blocks of 1 s instead of 10 s

Nothing else should run on the machine. The overhead of a block is measured with blocks that do nothing, so it needs no
quiet machine to be small; the gain of a second core does. docs/many-machines.md has what this printed.
"""

from __future__ import annotations

import argparse
import importlib
import json
import time
from collections.abc import Mapping
from statistics import median

from parlour.analysis.blocks import Here, Plan, collect
from parlour.analysis.places import Where

HERE = "benchmarks.blocks"
EMPTY = 2000  # blocks that do nothing
TURNS = 5


def nothing(_common: Mapping[str, object], _block: Mapping[str, object]) -> bytes:
    """Return a result of the size that many results have."""
    return bytes(4096)


def busy(common: Mapping[str, object], _block: Mapping[str, object]) -> bytes:
    """Work for a time of the processor, as a block of games does."""
    end = time.process_time() + float(str(common["seconds"]))
    total = 0
    while time.process_time() < end:
        total += sum(range(1000))
    return b"done"


def plan(work: str, blocks: int, **common: object) -> Plan:
    """Return a plan of equal blocks."""
    return Plan(f"{HERE}:{work}", common, [{"number": number} for number in range(blocks)])


def spent(made: Plan, where: Where) -> float:
    """Return the seconds that all blocks took here."""
    began = time.perf_counter()
    collect(made, where)
    return time.perf_counter() - began


def overhead(where: Where) -> list[float]:
    """Return the milliseconds of a block that does nothing, several times; the first blocks begin the processes."""
    collect(plan("nothing", 20), where)
    return [1000 * spent(plan("nothing", EMPTY), where) / EMPTY for _ in range(TURNS)]


def messages() -> dict[str, int]:
    """Return the bytes that Ray sends for a block of games and that come back."""
    from parlour.analysis.batches import Batch
    from parlour.analysis.shapes import Shape
    from parlour.games import all_games

    pickle = importlib.import_module("ray.cloudpickle")
    game = next(iter(all_games().values()))
    made = Batch(Shape(game, game.edition().name, game.facts.players[0]), ("random",)).plan("simulated", 5000, 5000)
    wanted = made.work, made.common, made.blocks[0], made.games, made.compared, made.version
    return {"sent": len(pickle.dumps(wanted)), "returned": len(made.play(0))}


def measure(seconds: float) -> dict[str, object]:
    """Return all measurements, with blocks of this many seconds."""
    found: dict[str, object] = {"seconds of a block": seconds}
    began = time.perf_counter()
    importlib.import_module("ray")
    found["import of Ray, s"] = time.perf_counter() - began
    from parlour.analysis.ray import Cluster  # which imports Ray

    with Here() as one, Here(2) as two:
        found["overhead here, ms"] = overhead(one)
        found["overhead of two processes, ms"] = overhead(two)
        alone = spent(plan("busy", 4, seconds=seconds), one)
        both = spent(plan("busy", 4, seconds=seconds), two)
    found["two processes over one"] = alone / both
    began = time.perf_counter()
    with Cluster("local", 2) as where:
        found["start of a local cluster, s"] = time.perf_counter() - began
        found["overhead of Ray, ms"] = overhead(where)
        spread = spent(plan("busy", 4, seconds=seconds), where)
    found["two workers of Ray over one process"] = alone / spread
    found["overhead of Ray, share of a block"] = 2 * spread / 4 / seconds - 1
    return found | messages()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = measure(1.0 if given.quick else 10.0)
    if given.json:
        print(json.dumps(found))
        return
    for name, value in found.items():
        if isinstance(value, list):
            print(f"{name:40} {median(value):.3g} ({min(value):.3g} to {max(value):.3g})")
        else:
            print(f"{name:40} {value:.4g}")


if __name__ == "__main__":
    main()
