"""`parlour analyse`: how good each decision of a record was."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parlour.cli import output
from parlour.core.replay import replay

if TYPE_CHECKING:
    from collections.abc import Sequence

    from parlour.analysis.evaluation import Judgement, Summary
    from parlour.core.match import Match


def analyse(
    file: Annotated[Path, typer.Argument(metavar="RECORD", help="A record; - for standard input.")],
    seat: Annotated[
        int | None, typer.Option("--seat", min=1, help="Judge only this seat's decisions; seats count from 1.")
    ] = None,
    level: Annotated[str, typer.Option("--level", help="How far to search: advice, easy ... expert.")] = "advice",
    simulations: Annotated[
        int | None, typer.Option("--simulations", min=1, help="Simulations per decision, instead of the level's.")
    ] = None,
    seconds: Annotated[
        float | None, typer.Option("--seconds", min=0.001, help="At most this many seconds per decision.")
    ] = None,
    threads: Annotated[int | None, typer.Option("--threads", min=1, help="Threads.  [default: one per core]")] = None,
    every: Annotated[bool, typer.Option("--all", help="List every decision, not only the costly ones.")] = False,
    json: output.Json = False,
) -> None:
    """Judge the decisions of a record: the chance to win before and after each, and the best alternative.

    A search estimates what each decision is worth, given what its seat could know. A loss of 5, 10 or 15 percentage
    points is an inaccuracy, a mistake or a blunder, as at lichess; losses within the noise are not marked.

    Examples: `parlour analyse game.txt`, `parlour analyse game.txt --level expert --seat 1 --json`
    """
    from parlour.analysis.evaluation import evaluate, summaries
    from parlour.engine.compiled import compile
    from parlour.games import find

    match = replay(output.read_record(file), find)
    players = len(match.names)
    if seat is not None and seat > players:
        raise typer.BadParameter(f"the record has {players} seats.", param_hint="--seat")
    with output.progress("judging", "compiling (the first time only)") as tell:
        judged = evaluate(
            match, level=level, simulations=simulations, seconds=seconds, seat=None if seat is None else seat - 1,
            engine=compile(match.game), threads=threads or os.cpu_count() or 1, progress=tell,
        )  # fmt: skip
    per_seat = [one for one in summaries(judged, players) if seat in (None, one.seat + 1)]
    if json:
        output.emit(as_dict(match, judged, per_seat))
    else:
        _print(match, judged if every else [one for one in judged if one.mark], per_seat)


def as_dict(match: Match, judged: Sequence[Judgement], per_seat: Sequence[Summary]) -> dict[str, object]:
    """Return what --json prints. Steps and seats count from 1, as people do."""
    decisions = [one.as_dict() | {"step": one.step + 1, "seat": one.seat + 1} for one in judged]
    seats = [
        {
            "seat": one.seat + 1, "name": match.names[one.seat], "decisions": one.decisions, "mean_loss": one.loss,
            "accuracy": one.accuracy, "marks": one.marks,
        }
        for one in per_seat
    ]  # fmt: skip
    result = match.returns if match.over else None
    return {"game": match.game.name, "steps": match.version, "decisions": decisions, "seats": seats, "result": result}


def _print(match: Match, listed: Sequence[Judgement], per_seat: Sequence[Summary]) -> None:
    from rich.table import Table

    if listed:
        table = Table("step", "player", "played", "chance", "best instead", "chance", "")
        for number in (0, 3, 5):
            table.columns[number].justify = "right"
        for one in listed:
            other = (one.other, f"{one.before:.0%}") if one.loss > 0 and not one.alike else ("", "")
            table.add_row(str(one.step + 1), match.names[one.seat], one.move, f"{one.after:.0%}", *other, one.mark)
        output.console().print(table)
    else:
        print("No decision lost more than the noise.")
    totals = Table("player", "decisions", "mean loss", "accuracy", "inaccuracies", "mistakes", "blunders")
    for column in totals.columns[1:]:
        column.justify = "right"
    for who in per_seat:
        loss = "" if who.loss is None else f"{100 * who.loss:.1f} points"
        accuracy = "" if who.accuracy is None else f"{who.accuracy:.0%}"
        counts = [str(who.marks[mark]) for mark in ("inaccuracy", "mistake", "blunder")]
        totals.add_row(match.names[who.seat], str(who.decisions), loss, accuracy, *counts)
    output.console().print(totals)
