"""`parlour solve`: Fortune's turn for every card, and the whole game for two."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from parlour.cli import output
from parlour.core.errors import BadSetup


def solve(
    game: output.GameName,
    exact: Annotated[bool, typer.Option("--exact", help="Exact fractions; some seconds.")] = False,
    duel: Annotated[
        bool, typer.Option("--duel", help="Solve the game for two players and write the table; some minutes.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--out", help="Where --duel writes (.npz).  [default: GAME-EDITION.npz]")
    ] = None,
    threads: Annotated[
        int | None, typer.Option("--threads", min=1, help="Threads for --duel.  [default: one a core]")
    ] = None,
    edition: output.EditionName = None,
    option: output.Options = None,
    json: output.Json = False,
) -> None:
    """The best turn with each card, by expected points; or, with --duel, the chance to win for every pair of totals.

    --duel keeps its work in OUT.part after each round: interrupted (Ctrl-C), the same command goes on from there.

    Examples: `parlour solve fortune --exact --json`, `parlour solve fortune --duel --edition classic-35`
    """
    from parlour.games import find

    found = find(game)
    if found.solver is None:
        raise BadSetup(f"{found.text.TITLE} has no solver; fortune has one.")
    options = output.parse_options(option)
    if duel:
        _duel(found, edition, options, out, threads, json)
    elif exact:
        _exact(found, edition, options, json)
    else:
        _cards(found, edition, options, json)


def _cards(found: Any, edition: str | None, options: dict[str, str], json: bool) -> None:
    from parlour.analysis import turns

    with output.progress("solving", "compiling (the first time only)"):
        worths = turns.cards(found, edition, options)
    if json:
        output.emit({name: worth.points for name, worth in worths.items()})
        return
    from rich.table import Table

    table = Table("card", "points", "disqualified", "Island", "each opponent loses")
    for column in table.columns[1:]:
        column.justify = "right"
    for name, worth in worths.items():
        table.add_row(
            name,
            f"{worth.points:,.2f}",
            f"{worth.disqualified:.1%}",
            f"{worth.island:.1%}",
            f"{worth.loss:,.1f}",
        )
    output.console().print(table)


def _exact(found: Any, edition: str | None, options: dict[str, str], json: bool) -> None:
    from parlour.analysis import turns

    with output.progress("solving", "solving"):
        values = turns.fractions(found, edition, options)
    if json:
        output.emit({
            name: {"numerator": value.numerator, "denominator": value.denominator} for name, value in values.items()
        })  # fmt: skip
        return
    for name, value in values.items():
        print(f"{name}: {value.numerator}/{value.denominator}")


def _duel(
    found: Any, edition: str | None, options: dict[str, str], out: Path | None, threads: int | None, json: bool
) -> None:  # fmt: skip
    from parlour.bots import duels

    usual = found.options()
    changed = [f"-{name}={value}" for name, value in options.items() if value != usual.get(name)]
    file = out or Path(f"{found.name}-{found.edition(edition).name}{''.join(changed)}.npz")
    if file.suffix != ".npz":
        raise BadSetup(f"--out names a file that ends in .npz, and {file} does not.")
    file.parent.mkdir(parents=True, exist_ok=True)
    kept, beside = Path(f"{file}.part"), Path(f"{file}.tmp")
    try:
        with output.progress("solving", "compiling (the first time only)") as tell:
            table = duels.solve(found, edition, options, kept, tell, threads)
        with beside.open("wb") as written:
            table.save(written)
        os.replace(beside, file)
        kept.unlink(missing_ok=True)
    except KeyboardInterrupt:
        rounds = f"the rounds that are done are in {kept}" if kept.exists() else "no round was done yet"
        print(f"Interrupted: {rounds}. The same command goes on from there.", file=sys.stderr)
        raise typer.Exit(output.INTERRUPTED) from None
    told = {"file": str(file), "bytes": file.stat().st_size, "places": table.places, **table.facts}
    if json:
        output.emit(told)
    else:
        output.facts({name: str(value) for name, value in told.items()})
