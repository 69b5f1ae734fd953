"""Blocks on the machines of a Ray cluster (`pip install 'parlour[ray]'`; docs/many-machines.md).

Ray decides which machine plays a block and when. Here is only what Ray cannot know: that each worker has the same
Parlour and the same rules, and which workers are not used again. A worker is a node of the cluster, with all its
processes: what is wrong with a machine is wrong with each of them.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Hashable
from contextlib import suppress
from typing import TypeAlias, cast

import ray
from ray import exceptions

from parlour.analysis.places import AHEAD, Answer, Refused
from parlour.analysis.plans import Plan
from parlour.core.errors import BadSetup, ParlourError

LOCAL = "local"  # the address of a cluster that begins on this machine, and ends with the run
MOST = 10_000  # blocks under way, however many processors there are
FRESH = 2.0  # seconds for which the list of nodes is good
NODE = "ray.io/node-id"  # the label that Ray gives each node

Reply: TypeAlias = tuple[str, str, bytes, float]  # the node, why it cannot be used, the result, and its seconds
DIED = (
    exceptions.WorkerCrashedError, exceptions.NodeDiedError, exceptions.LocalRayletDiedError,
    exceptions.ObjectLostError, exceptions.OutOfMemoryError, exceptions.TaskUnschedulableError,
    exceptions.TaskCancelledError,
)  # fmt: skip


class NoCluster(ParlourError):
    """There is no Ray cluster at an address, or it is lost."""

    code = "no-cluster"


class Cluster:
    """A Ray cluster by its address: "local" (begun here, with a process for each core), "auto" (the one of this
    machine), "HOST:6379", or "ray://HOST:10001". Use with `with`. Raises NoCluster when entered.

    A program that is connected to Ray already keeps its connection, which is used.
    """

    def __init__(self, address: str = "auto", processes: int | None = None) -> None:
        if processes is not None and address != LOCAL:
            raise BadSetup("Only a local cluster begins with a number of processes; others have their processors.")
        self.address = address
        self._processes = processes
        self._mine = False
        self._nodes: dict[str, tuple[str, int]] = {}  # the name of a worker -> the node and its processors
        self._looked = float("-inf")
        self._banned: set[str] = set()

    def __enter__(self) -> Cluster:
        if not ray.is_initialized():
            # By default Ray reports its use to its makers; those who want that can say so in the environment.
            os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
            os.environ.setdefault("RAY_IGNORE_UNHANDLED_ERRORS", "1")  # of blocks that are no longer wanted
            begun = {"num_cpus": self._processes, "include_dashboard": False} if self.address == LOCAL else {}
            try:
                ray.init(self.address, log_to_driver=False, logging_level="error", **begun)
            except (ConnectionError, RuntimeError, ValueError, TimeoutError) as error:
                raise NoCluster(f"There is no Ray cluster at {self.address!r}: {_first(error)}") from None
            self._mine = True
        self._task = ray.remote(num_cpus=1, max_retries=0, scheduling_strategy="SPREAD")(_task())
        return self

    def __exit__(self, *_: object) -> None:
        if self._mine:
            ray.shutdown()
            self._mine = False

    @property
    def room(self) -> int:
        """A few blocks for each processor of the nodes that are there now; a few in any case, so that it can grow."""
        processors = sum(number for name, (_, number) in self._alive().items() if name not in self._banned)
        return min(MOST, AHEAD * max(1, processors))

    def submit(self, plan: Plan, number: int, avoid: Collection[str]) -> Hashable | None:
        """Hand a block to Ray, for any node but these and those that earlier runs have banned; None if there is no
        other."""
        avoid = {*avoid, *self._banned}
        nodes = self._alive()
        if avoid and not nodes.keys() - avoid:
            return None
        ids = [nodes[name][0] for name in avoid if name in nodes]
        # Without blanks: Ray takes " id" for the name of another node than "id".
        task = self._task.options(label_selector={NODE: f"!in({','.join(ids)})"}) if ids else self._task
        wanted = plan.work, plan.common, plan.blocks[number], plan.games, plan.compared, plan.version
        return cast(Hashable, task.remote(*wanted))

    def wait(self, tickets: Collection[Hashable], seconds: float | None) -> Collection[Hashable]:
        """Return all blocks that are done, once there are any."""
        refs = list(tickets)
        first, rest = ray.wait(refs, num_returns=1, timeout=seconds)
        more, _ = ray.wait(rest, num_returns=len(rest), timeout=0) if first and rest else ([], [])
        return [*first, *more]

    def take(self, ticket: Hashable) -> Answer | Refused | None:
        """Return what a node has answered; None if its process or the node died. Raises what the function raised."""
        try:
            worker, refused, data, seconds = cast(Reply, ray.get(ticket))
        except DIED:
            return None
        except exceptions.RayTaskError as error:
            raise error.cause from error
        except exceptions.RayError as error:
            raise NoCluster(
                f"The Ray cluster at {self.address!r} is lost: {str(error).partition(chr(10))[0]}"
            ) from None
        return Refused(worker, refused) if refused else Answer(data, worker, seconds)

    def drop(self, tickets: Collection[Hashable]) -> None:
        """Cancel these blocks, including those that are being played."""
        with suppress(exceptions.RayError):
            for ticket in tickets:
                ray.cancel(ticket, force=True)

    def ban(self, worker: str) -> bool:
        """Use a node no more."""
        self._banned.add(worker)
        return True

    def _alive(self) -> dict[str, tuple[str, int]]:
        """Return the nodes that have processors, by name."""
        if time.monotonic() - self._looked > FRESH:
            self._nodes = {
                named(one["NodeManagerHostname"], one["NodeID"]): (one["NodeID"], int(one["Resources"]["CPU"]))
                for one in ray.nodes()
                if one["Alive"] and one["Resources"].get("CPU", 0) >= 1
            }
            self._looked = time.monotonic()
        return self._nodes


def named(host: str, node: str) -> str:
    """Return the name of a worker: its host, and the beginning of its id in the cluster, as hosts can have several."""
    return f"{host}/{node[:12]}"


def _first(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]


def _task() -> Callable[..., Reply]:
    """Return what runs on a node. Ray sends this function itself, so that a node without Parlour can say so."""

    def task(*wanted: object) -> Reply:
        import socket

        import ray

        node = f"{socket.gethostname()}/{ray.get_runtime_context().get_node_id()[:12]}"
        try:
            from parlour.analysis.places import examined
        except ImportError as error:
            return node, f"It has no Parlour, or an old one ({error}).", b"", 0.0
        return (node, *examined(*wanted))  # type: ignore[arg-type]

    return task
