"""The options of commands that can play in blocks: kept in a file, on the machines of a cluster, audited."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parlour.cli import door, output
from parlour.core.errors import BadSetup

if TYPE_CHECKING:
    from parlour.analysis.places import Where
    from parlour.analysis.plans import Plan
    from parlour.analysis.playing import How
    from parlour.core.game import Game

Ray = Annotated[
    str | None,
    typer.Option(
        "--ray",
        metavar="ADDRESS",
        help="Play on the Ray cluster there: local (begun here), auto (this machine's), HOST:6379. The results are the "
        "same.",
    ),
]
Jobs = Annotated[
    int | None, typer.Option("--jobs", min=1, help="Processes; they change nothing.  [default: one per core]")
]
Audit = Annotated[
    str | None,
    typer.Option(
        "--audit",
        metavar="SHARE",
        help="With --ray: play this share of the blocks (1%) again on another machine, and compare.",
    ),
]

Records = Annotated[
    Path | None,
    typer.Option("--records", metavar="DIR", help="Write records of games to this folder; --record says of which."),
]
Which = Annotated[
    list[str] | None,
    typer.Option(
        "--record",
        metavar="GAME",
        help="With --records: longest, closest, shortest, all, or a number; can be given several times.  [default: the "
        "first three]",
    ),
]

Parquet = Annotated[
    Path | None,
    typer.Option(
        "--parquet",
        metavar="DIR",
        help="Write all games, their decisions and their events to this folder (Parquet). Each game is played again.",
    ),
]


@contextmanager
def cluster(ray: str | None) -> Iterator[Where | None]:
    """Enter the cluster at an address; yield None without an address."""
    if ray is None:
        yield None
    else:
        from parlour.analysis.ray import Cluster

        with Cluster(ray) as entered:
            yield entered


@contextmanager
def place(ray: str | None, here: Where) -> Iterator[Where]:
    """Enter the cluster at an address, or `here` without an address."""
    with cluster(ray) as found:
        if found is not None:
            yield found
        else:
            with here as entered:
                yield entered


@contextmanager
def playing(out: Path | None, ray: str | None, audit: str | None) -> Iterator[How]:
    """Yield how the commands for designers play, with a progress bar. Raises BadSetup (`share`), NoCluster."""
    from parlour.analysis.playing import How

    audited = share(audit, ray)
    with cluster(ray) as where, output.progress("playing", "compiling (the first time only)") as tell:
        yield How(out, where, tell, audit=audited, notice=notice)


def share(audit: str | None, ray: str | None) -> float:
    """Return the share of audited blocks: "1%" and "0.01" are the same. Raises BadSetup."""
    if audit is None:
        return 0.0
    if ray is None:
        raise BadSetup("--audit needs --ray: on this machine alone there is no other to compare with.")
    text, per_cent = audit.strip(), audit.strip().endswith("%")
    try:
        found = float(text.removesuffix("%")) / (100 if per_cent else 1)
    except ValueError:
        found = -1.0
    if not 0 <= found <= 1:
        raise BadSetup(f"--audit is a share such as 1% or 0.01, at most 100%, not {audit!r}.")
    return found


def notice(sentence: str) -> None:
    """Print what happened to a worker, beside the results."""
    door.complain(sentence)


def ready(parquet: Path | None, game: Game, bots: Iterable[str]) -> None:
    """Refuse what would keep `tables` from writing games of these bots to this folder, before any is played. Does
    nothing without a folder. Raises NoLibrary, BadSetup, OSError."""
    if parquet is not None:
        from parlour.analysis import recording
        from parlour.engine import frames

        frames.load("polars")
        recording.refuse_solvers(game, bots)
        output.open_folder(parquet)


def tables(folder: Path | None, plans: Callable[[], Sequence[Plan]], ray: str | None, audit: float = 0.0) -> None:
    """Write the games of these plans (`parlour.analysis.parquet`) to a folder, on all cores here or on the cluster.
    Does nothing without a folder."""
    if folder is None:
        return
    from parlour.analysis import parquet
    from parlour.analysis.places import Here

    with place(ray, Here(None)) as where, output.progress("writing", "compiling (the first time only)") as tell:
        parquet.write(folder, plans(), where, audit=audit, progress=tell, notice=notice)


def wanted(records: Path | None, which: list[str] | None, games: int) -> tuple[str, ...]:
    """Return the names of the games whose records are wanted, before any is played; none without a folder. Raises
    BadSetup (also for a game that there will not be), OSError."""
    if records is None:
        if which:
            raise BadSetup("--record needs --records, the folder to write to.")
        return ()
    from parlour.analysis import recording

    names = tuple(which or recording.USUAL)
    recording.chosen(names, dict.fromkeys(recording.USUAL, 0), games)
    output.open_folder(records)
    return names
