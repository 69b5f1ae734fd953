"""Games as Parquet files: games.parquet, decisions.parquet and events.parquet in a folder.

The games of a batch are played once more, by plain rules and in blocks, on all cores here or on a cluster. Each block's
rows go to files of their own, which are put together at the end, so memory holds some blocks, not all games.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import msgspec

from parlour.analysis import batches, recording
from parlour.analysis.arena import Run
from parlour.analysis.batches import Batch, Part
from parlour.analysis.blocks import Notice, Plan, Status, Where, cut, run
from parlour.analysis.crew import Together, match_of, planned
from parlour.analysis.plans import Given
from parlour.analysis.rows import TABLES, Field, Rows, Told, fields, rows, setup
from parlour.analysis.sampling import Setup
from parlour.analysis.shapes import Shape
from parlour.bots import outside
from parlour.core.errors import BadSetup
from parlour.core.game import Game
from parlour.engine import frames
from parlour.games import find

if TYPE_CHECKING:
    import polars

HERE = __name__
SIZE = 25  # games of a block: plain rules take some ten milliseconds for one
TOGETHER = 256  # files that are put together at once
GROUP = 100_000  # rows of a row group

Progress = Callable[[int, int, str], object]


class Again(batches.Common, frozen=True, kw_only=True):
    """What the blocks of a batch have in common: also whether its games are played as statistics play them, and what
    their rows have in common."""

    watched: bool
    setup: dict[str, object]


class Counted(Together):
    """A block of an arena: also what its rows have in common, and the number of its first game."""

    setup: dict[str, object]
    first: int


# The plans -----------------------------------------------------------------------------------------
def of_batch(batch: Batch, games: int, *, watched: bool, name: str = "") -> Plan:
    """Return the plan that tells the first `games` games of a batch. `watched`: as statistics play them, else as a
    simulation does; `name`: of the batch in the tables. Raises BadSetup if a bot plays by a solver."""
    recording.refuse_solvers(batch.shape.game, batch.bots)
    plan = batch.plan("watched", games, SIZE)
    shape = batch.shape
    bots = tuple(map(outside.label, outside.seated(batch.bots, shape.players)))
    common = {**plan.common, "watched": watched, "setup": setup(name or batch.name, shape, bots, batch.seed)}
    return Plan(f"{HERE}:told", common, cut(games, SIZE), (shape.game.name,))


def of_setups(setups: Mapping[str, Setup], games: int) -> list[Plan]:
    """Return the plans that tell `games` games of each setup, as they are measured. The setups are named as their
    batches are in the tables. Raises as `of_batch` does."""
    return [
        of_batch(Batch(one.shape, one.bots, one.seed, one.clock), games, watched=True, name=name)
        for name, one in setups.items()
    ]


def of_arena(result: Run) -> Plan:
    """Return the plan that tells the games of an arena's whole blocks, numbered in the order in which they count.

    Raises BadSetup without a game, and for bots that other processes cannot have.
    """
    contest = result.contest
    if not result.blocks:
        raise BadSetup("No block of games is whole, so there is nothing to write.")
    if not contest.sendable:
        raise BadSetup("Its bots are objects or classes of this process, so no other can play its games again.")
    jobs = [contest.jobs(game.block)[game.number] for block in result.blocks for game in block]
    plan = planned(jobs, together=True)
    shape = Shape(contest.game, contest.edition, contest.players, contest.options)
    common = {**plan.common, "setup": setup(f"{shape} arena", shape, (), contest.seed)}
    blocks, first = [], 0
    for block, counted in zip(plan.blocks, result.blocks, strict=True):
        blocks.append({**block, "first": first})
        first += len(counted)
    return Plan(f"{HERE}:told_of_arena", common, blocks, (contest.game.name,))


# What workers do -----------------------------------------------------------------------------------
def told(common: Given, block: Given) -> bytes:
    """Play the games of a block of a batch again. Return their rows as JSON."""
    given, part = msgspec.convert(common, Again), msgspec.convert(block, Part)
    batch = Batch(given.shape, given.bots, given.seed, given.clock)
    found = []
    for number in part.numbers:
        one = recording.played(batch, number, watched=given.watched)
        found.append(Told(given.setup, number, one.match, one.returns, one.fault[1] if one.fault else None))
    return msgspec.json.encode(rows(found))


def told_of_arena(common: Given, block: Given) -> bytes:
    """Play the games of a block of an arena again. Return their rows as JSON."""
    given = msgspec.convert(dict(common) | dict(block), Counted)
    found = []
    for number, job in enumerate(given.jobs, given.first):
        match, played = match_of(job)
        of = {**given.setup, "bots": list(job.seats)}
        found.append(Told(of, number, match, played.returns, played.fault or None))
    return msgspec.json.encode(rows(found))


# The files -----------------------------------------------------------------------------------------
def write(
    folder: Path, plans: Sequence[Plan], where: Where, *, audit: float = 0.0, progress: Progress | None = None,
    notice: Notice | None = None,
) -> dict[str, int]:  # fmt: skip
    """Play the games of plans of one game, and write the three files, in place of earlier ones. Return how many rows
    each has. `audit` and `notice` as in `parlour.analysis.blocks.run`.

    Raises NoLibrary without Polars, what `blocks.run` raises, and OSError. After any error no file is changed.
    """
    frames.load("polars")
    game = find(plans[0].games[0])
    total, before = sum(len(plan.blocks) for plan in plans), 0
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder, prefix=".unfinished-") as unfinished:
        parts = Path(unfinished)
        for place, plan in enumerate(plans):

            def tell(status: Status, before: int = before) -> None:
                if progress is not None:
                    progress(before + status.done, total, "")

            for number, data in run(plan, where, audit=audit, progress=tell, notice=notice):
                _keep(parts, f"{place:04}-{number:08}", msgspec.json.decode(data, type=Rows), game)
            before += len(plan.blocks)
        whole = {table: _merged(parts, table) for table in TABLES}
        rows_of = {table: _height(file) for table, file in whole.items()}
        for table, file in whole.items():
            file.replace(folder / f"{table}.parquet")
    return rows_of


def _keep(parts: Path, name: str, found: Rows, game: Game) -> None:
    """Write the rows of a block to files, in place of those that were wrong."""
    import polars

    for table in TABLES:
        columns = fields(table, game)
        frame = polars.DataFrame(getattr(found, table), schema={one.name: dtype(one) for one in columns})
        frame.write_parquet(parts / f"{table}-{name}.parquet")


def dtype(field: Field) -> polars.DataType:
    """Return the type that Polars has for a column."""
    import polars

    kinds: dict[str, polars.DataType] = {
        "text": polars.String(), "whole number": polars.Int64(), "number": polars.Float64(),
        "yes or no": polars.Boolean(),
    }  # fmt: skip
    return kinds[field.kind] if field.kind in kinds else polars.List(kinds[field.kind.removesuffix("s")])


def _merged(parts: Path, table: str) -> Path:
    """Put the files of a table together, in the order of their names, some of them at a time."""
    import polars

    files, level = sorted(parts.glob(f"{table}-*.parquet")), 0
    while level == 0 or len(files) > 1:
        level += 1
        groups = [files[at : at + TOGETHER] for at in range(0, len(files), TOGETHER)]
        files = [parts / f"{table}.{level}-{number:08}" for number in range(len(groups))]
        for group, file in zip(groups, files, strict=True):
            polars.scan_parquet(group).sink_parquet(file, row_group_size=GROUP, maintain_order=True)
            for one in group:
                one.unlink()
    return files[0]


def _height(file: Path) -> int:
    import polars

    return int(polars.scan_parquet(file).select(polars.len()).collect().item())
