"""Programs that play on a real Ray cluster of this machine, each in a process of its own: Ray stays in one for good.

`python -m tests.analysis.cluster NAME` prints what it found as one line of JSON. tests/analysis/test_ray.py runs them.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager
from pathlib import Path

from parlour.analysis import arena, batches
from parlour.analysis.batches import Batch, Spread
from parlour.analysis.blocks import Here, Plan, Status, Where, collect, cut, run
from parlour.analysis.shapes import Shape
from parlour.core.errors import ParlourError
from parlour.engine.simulate import Simulation
from parlour.games import find
from tests.analysis import block_work

WORK = block_work.__name__
ROOT = Path(__file__).parents[2]
ENOUGH = 1000  # bytes of new results between two kills
STEPS = "tests.analysis.block_work:First,tests.analysis.block_work:Last"  # bots that need nothing compiled


def plan(blocks: int, work: str = "digest", **common: object) -> Plan:
    return Plan(f"{WORK}:{work}", {"seed": 1} | common, cut(blocks, 1))


def right(made: Plan, found: list[bytes]) -> bool:
    return found == [block_work.digest(made.common, block) for block in made.blocks]


@contextmanager
def machines(*environments: dict[str, str]) -> Iterator[str]:
    """Begin a cluster in which each node has an environment of its own and one processor. Yield its address."""
    from ray.cluster_utils import Cluster as Nodes

    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    nodes = Nodes()
    try:
        for environment in environments:
            nodes.add_node(num_cpus=1, env_vars=environment, object_store_memory=80 << 20)
        yield nodes.address
    finally:
        nodes.shutdown()


def _same(one: Simulation, other: Simulation) -> bool:
    return one == other and one.games == other.games


# In the suite --------------------------------------------------------------------------------------
def quick() -> dict[str, object]:
    """Results, an arena and a file, on a cluster of two processes and here."""
    from parlour.analysis.ray import Cluster

    began = time.monotonic()
    fortune = find("fortune")
    batch = Batch(Shape(fortune, "classic-35", 2, {"target": "5000"}), tuple(STEPS.split(",")))
    contest = arena.Contest(fortune, tuple(STEPS.split(",")), 2, "classic-35", {"target": "5000"})
    with tempfile.TemporaryDirectory() as folder, Cluster("local", 2) as where:
        started = time.monotonic() - began
        file = Path(folder) / "blocks.jsonl"
        told: list[Status] = []
        some = dict(run(plan(10), where, file, audit=1.0))
        with Here() as here:
            all_ = collect(plan(40), here, file, progress=told.append)
            alone = batches.simulate(batch, 12, Spread(here, size=4))
        spread = batches.simulate(batch, 12, Spread(where, size=4))
        together = arena.run(contest, 4, arena.Crew(None, where))
        with arena.Crew(1) as one:
            apart = arena.run(contest, 4, one)
        failed = ""
        try:
            collect(plan(5, "no_bytes"), where)
        except ParlourError as error:
            failed = str(error)
    untimed = [[[game._replace(seconds=()) for game in block] for block in one.blocks] for one in (together, apart)]
    return {
        "started": started, "some": len(some), "resumed": told[0].done, "right": right(plan(40), all_),
        "simulated": _same(alone, spread), "arena": untimed[0] == untimed[1], "failed": failed,
        "seconds": time.monotonic() - began,
    }  # fmt: skip


# By the nightly run --------------------------------------------------------------------------------
def compiled() -> dict[str, object]:
    """Compiled games, statistics and an arena of bots that search: here, on a cluster, and half in each."""
    import parlour
    from parlour.analysis import statistics
    from parlour.analysis.ray import Cluster

    fortune = find("fortune")
    shape = Shape(fortune, "classic-35", 3)
    batch = Batch(shape, ("greedy", "random", "greedy"), 5)
    contest = arena.Contest(fortune, ("greedy", "easy"), 2, "classic-35")
    here_ = parlour.simulate(
        "fortune", 3, bots=["greedy", "random", "greedy"], games=2500, seed=5, edition="classic-35"
    )  # fmt: skip
    counted = statistics.gather(shape, ["greedy", "random", "greedy"], 2500, 5)
    with tempfile.TemporaryDirectory() as folder, Cluster("local", 2) as where, Here() as here:
        file = Path(folder) / "games.jsonl"
        batches.simulate(batch, 1000, Spread(here, file, size=200))
        half = file.read_bytes().count(b"\n")
        mixed = batches.simulate(batch, 2500, Spread(where, file, size=200, audit=0.2))
        stats = batches.gather(batch, 2500, Spread(where, size=200))
        far = arena.run(contest, 8, arena.Crew(None, where, 1.0))
        with arena.Crew(1) as one:
            near = arena.run(contest, 8, one)
    untimed = [[[game._replace(seconds=()) for game in block] for block in one.blocks] for one in (far, near)]
    return {
        "half": half, "simulated": _same(here_, mixed), "statistics": counted.as_dict() == stats.as_dict(),
        "arena": untimed[0] == untimed[1],
    }  # fmt: skip


def _begin(where: Where, machines: int) -> None:
    """Play until this number of machines plays: the first could do much before the others have begun."""
    status: list[Status] = []
    while not status or len(status[-1].workers) < machines:
        collect(plan(2 * machines, "slow", seconds=0.1), where, progress=status.append)


def liar(trials: int = 60, share: float = 0.1) -> dict[str, object]:
    """Three machines of which one lies, again and again: how many blocks it plays until it is found."""
    from parlour.analysis.ray import Cluster

    plays, wrong, named = [], 0, set()
    with machines({}, {"PARLOUR_TEST_LIES": "1"}, {}) as address:
        for trial in range(trials):
            told: list[str] = []
            made = plan(400, "lie", trial=trial, seconds=0.005)
            with Cluster(address) as where:
                _begin(where, 3)
                status: list[Status] = []
                found: dict[int, bytes] = {}
                for number, data in run(made, where, audit=share, progress=status.append, notice=told.append):
                    found[number] = data
            wrong += not right(made, [found[number] for number in range(400)])
            named.add(len(told))
            lies = told[0].split()[2] if told else ""
            caught = status[-1].workers.get(lies)  # None if its first block betrayed it, before it was counted
            plays.append((caught.blocks if caught else 1) if told else 400)
    return {"trials": trials, "share": share, "plays": plays, "wrong": wrong, "named": sorted(named)}


def versions() -> dict[str, object]:
    """Three machines: one has another Parlour, one has an old one without blocks."""
    from parlour.analysis.ray import Cluster

    with tempfile.TemporaryDirectory() as folder:
        other, old = Path(folder) / "other", Path(folder) / "old"
        for place in (other, old):
            shutil.copytree(ROOT / "parlour", place / "parlour")
            shutil.copytree(ROOT / "tests" / "analysis", place / "tests" / "analysis")
            (place / "tests" / "__init__.py").touch()
        with (other / "parlour" / "core" / "errors.py").open("a") as file:
            file.write("# another\n")
        (old / "parlour" / "analysis" / "places.py").unlink()
        told: list[str] = []
        paths = [{"PYTHONPATH": str(place)} for place in (ROOT, other, old)]
        # Ray puts the folder in which a program is started before the path of all its workers: here an empty one.
        (Path(folder) / "empty").mkdir()
        with machines(*paths) as address, chdir(Path(folder) / "empty"), Cluster(address) as where:
            while len(told) < 2:  # the first machine may play all blocks before the others have begun
                collect(plan(6, "slow", seconds=0.1), where, notice=told.append)
            found = collect(plan(60), where, notice=told.append)
    return {"right": right(plan(60), found), "told": sorted(told)}


def commands() -> dict[str, object]:
    """Ask each command twice, on a cluster and here: whether it prints the same, but for times."""
    few, bots = ["--games", "6"], ["--bots", "greedy,random"]
    with tempfile.TemporaryDirectory() as folder, machines({}, {}) as address:
        asked = {
            "arena": [*few, *bots, "--records", f"{folder}/records", "--record", "all"],
            "simulate": [*few, *bots], "stats": [*few, "--players", "2"], "compare": [".", "deck.gold=5", *few],
            "sweep": ["--set", "deck.gold=4,5", *few],
            "tune": ["--set", "deck.gold=3..5", "--toward", "first player 50 %", "--evaluations", "3", *few,
                     "--final", "6"],
        }  # fmt: skip
        whole = {name: [name, "fortune", *more] for name, more in asked.items()}
        whole["analyse"] = ["analyse", f"{folder}/records", "--simulations", "20", "--bot", "greedy"]
        return {name: _printed(ask, "--ray", address, "--audit", "50%") == _printed(ask) for name, ask in whole.items()}


def _printed(ask: list[str], *more: str) -> str:
    command = [sys.executable, "-m", "parlour", *ask, "--json", *more]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return re.sub(r'"(seconds|games_per_second|milliseconds)": ?[-+.e0-9]+', "", done.stdout)


def driver(address: str, file: str, blocks: int, seconds: float) -> dict[str, object]:
    """Play blocks into a file, on a cluster that is there already."""
    from parlour.analysis.ray import Cluster

    made = plan(blocks, "slow", seconds=seconds)
    with Cluster(address) as where:
        found = collect(made, where, Path(file))
    return {"right": right(made, found)}


def _players() -> list[int]:
    """Return the processes of Ray's workers that are children of this process's raylets."""
    listed = subprocess.run(["ps", "-eo", "pid,ppid,args"], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in listed.splitlines()[1:]]
    parents = {pid: parent for pid, parent, *_ in rows}
    mine = str(os.getpid())

    def ours(pid: str) -> bool:
        while pid in parents and pid != mine:
            pid = parents[pid]
        return pid == mine

    return [int(pid) for pid, _, *args in rows if args and args[0].startswith("ray::task") and ours(pid)]


def kills(workers: int = 150, drivers: int = 50, blocks: int = 1500, seconds: float = 0.05) -> dict[str, object]:
    """Kill workers and drivers at random while blocks are played; count what is lost or there twice."""
    rng, killed, lost, doubled, runs = random.Random(1), {"worker": 0, "driver": 0}, 0, 0, 0
    began = time.monotonic()
    with machines({}, {}) as address, tempfile.TemporaryDirectory() as folder:
        while killed["worker"] < workers or killed["driver"] < drivers:
            file = Path(folder) / f"{runs}.jsonl"
            runs += 1
            command = [sys.executable, "-m", "tests.analysis.cluster", "driver", address, str(file), str(blocks)]
            process = subprocess.Popen([*command, str(seconds)], cwd=ROOT, stdout=subprocess.PIPE)
            size = 0
            while process.poll() is None or process.returncode != 0:
                if process.poll() is not None:
                    assert process.returncode == -signal.SIGKILL, "a driver failed that was not killed"
                    process = subprocess.Popen([*command, str(seconds)], cwd=ROOT, stdout=subprocess.PIPE)
                time.sleep(rng.uniform(0.1, 0.5))
                now = file.stat().st_size if file.exists() else 0
                if now < size + ENOUGH:
                    continue  # a new process needs seconds to begin: those that never play cost nothing
                size = now
                if killed["driver"] < drivers and rng.random() < 0.25:
                    process.send_signal(signal.SIGKILL)
                    process.wait()
                    killed["driver"] += 1
                elif killed["worker"] < workers and (players := _players()):
                    os.kill(rng.choice(players), signal.SIGKILL)
                    killed["worker"] += 1
            lines = [json.loads(line) for line in file.read_bytes().splitlines()[1:]]
            firsts = [line["given"]["first"] for line in lines]
            lost += blocks - len(set(firsts))
            doubled += len(firsts) - len(set(firsts))
            made = plan(blocks, "slow", seconds=seconds)
            with Here() as here:
                told: list[Status] = []
                assert right(made, collect(made, here, file, progress=told.append))
            assert told[0].done == blocks
    return {"killed": killed, "runs": runs, "lost": lost, "doubled": doubled, "seconds": time.monotonic() - began}


def node_dies(blocks: int = 200) -> dict[str, object]:
    """A whole machine is lost in the middle of a run."""
    from ray.cluster_utils import Cluster as Nodes

    from parlour.analysis.ray import Cluster

    nodes = Nodes()
    nodes.add_node(num_cpus=1)
    second = nodes.add_node(num_cpus=1)
    made = plan(blocks, "slow", seconds=0.05)
    found: dict[int, bytes] = {}
    try:
        with Cluster(nodes.address) as where:
            for number, data in run(made, where):
                found[number] = data
                if len(found) == blocks // 4:
                    nodes.remove_node(second, allow_graceful=False)
    finally:
        nodes.shutdown()
    return {"right": right(made, [found[number] for number in range(blocks)])}


NAMES: dict[str, Callable[..., dict[str, object]]] = {
    "quick": quick, "compiled": compiled, "liar": liar, "versions": versions, "driver": driver, "kills": kills,
    "node_dies": node_dies, "commands": commands,
}  # fmt: skip

if __name__ == "__main__":
    given = [int(one) if one.isdigit() else one for one in sys.argv[2:]]
    if sys.argv[1] == "driver":
        given[-1] = float(str(given[-1]))
    print(json.dumps(NAMES[sys.argv[1]](*given)))
