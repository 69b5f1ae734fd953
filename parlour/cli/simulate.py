"""`parlour simulate`: many games between bots, compiled."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parlour.analysis.intervals import interval
from parlour.bots.own import SECONDS
from parlour.cli import output, spreading

if TYPE_CHECKING:
    from parlour.analysis.batches import Batch
    from parlour.core.edition import Edition
    from parlour.core.game import Game
    from parlour.engine.simulate import Simulation, Summary

Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", help="Save the games to this file, or continue the games in it."),
]


def simulate(
    game: output.GameName,
    players: Annotated[
        int | None, typer.Option("--players", "-p", help="Players at the table.  [default: the number of bots]")
    ] = None,
    bots: output.BotNames = None,
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="How many games.")] = 1000,
    seed: output.Seed = 1,
    threads: Annotated[
        int | None, typer.Option("--threads", min=1, help="Threads; the games stay the same.  [default: one per core]")
    ] = None,
    edition: output.EditionName = None,
    changes: output.Changes = None,
    option: output.Options = None,
    clock: output.Clock = SECONDS,
    out: Out = None,
    ray: spreading.Ray = None,
    audit: spreading.Audit = None,
    records: spreading.Records = None,
    record: spreading.Which = None,
    parquet: spreading.Parquet = None,
    json: output.Json = False,
) -> None:
    """Let bots play many games, and count: wins (95 % confidence interval), scores, lengths.

    Name one bot for each seat, or one for all; without --bots all play at random. A bot of your own is `module:Class`
    or `program:COMMAND`; games with one are played step by step. Ctrl-C stops and shows the results so far.

    Example: `parlour simulate GAME --players 3 --bots greedy,random,random --games 10000 --seed 1`
    """
    from parlour.analysis import parquet as tables
    from parlour.games import find

    audited, which = spreading.share(audit, ray), spreading.wanted(records, record, games)
    found = find(game)
    chosen = found.edition(output.edition_of(found, edition, changes))
    batch = _batch(found, players, bots, chosen, option)
    batch = replace(batch, seed=seed, clock=clock)
    spreading.ready(parquet, found, batch.bots)
    if ray or out:
        result, interrupted, seconds = _spread(batch, games, threads, (ray, out, audited))
    else:
        result, interrupted, seconds = _here(batch, games, threads)
    if result is None or not result.games:
        print("Interrupted before a game was over.", file=sys.stderr)
        raise typer.Exit(output.INTERRUPTED)
    if records:
        _record(batch, result, which, records)
    if not interrupted:
        spreading.tables(parquet, lambda: [tables.of_batch(batch, games, watched=False)], ray, audited)
    summary = result.summary()
    shares = [interval(seat["wins"], result.games) for seat in summary["seats"]]
    if json:
        _emit(result, chosen, shares, interrupted, seconds)
    else:
        _print(found.text.TITLE, summary, shares, seconds, interrupted)
        if result.faults:
            output.facts(output.faults([why for _, _, why in result.faults]))
    if interrupted:
        raise typer.Exit(output.INTERRUPTED)


def _batch(game: Game, players: int | None, bots: str | None, edition: Edition, option: list[str] | None) -> Batch:
    from parlour.analysis.batches import Batch
    from parlour.analysis.shapes import Shape

    named = tuple(output.bot_list(bots) if bots else ["random"])
    seats = players if players is not None else len(named) if len(named) > 1 else game.facts.players[0]
    return Batch(Shape(game, edition, seats, output.parse_options(option)), named)


def _here(batch: Batch, games: int, threads: int | None) -> tuple[Simulation | None, bool, float]:
    """Play at once on this machine."""
    import parlour

    shape = batch.shape
    play = partial(
        parlour.simulate, shape.game, shape.players, bots=batch.bots, seed=batch.seed, edition=shape.edition,
        options=shape.options, threads=threads, clock=batch.clock,
    )  # fmt: skip
    with output.progress("playing", "compiling (the first time only)") as tell:
        play(games=0)  # compiles; what follows is play alone
        return _timed(lambda: play(games=games, progress=tell))


def _spread(
    batch: Batch, games: int, threads: int | None, how: tuple[str | None, Path | None, float]
) -> tuple[Simulation | None, bool, float]:
    """Play in blocks, on the cluster and with the file and the audit of `how`."""
    from parlour.analysis import batches
    from parlour.analysis.places import Here

    ray, out, audit = how
    here = Here(1, cores=threads)
    with spreading.place(ray, here) as where, output.progress("playing", "compiling (the first time only)") as tell:
        spread = batches.Spread(where, out, audit=audit, notice=spreading.notice, told=tell)
        return _timed(lambda: batches.simulate(batch, games, spread))


def _record(batch: Batch, result: Simulation, which: Sequence[str], folder: Path) -> None:
    from parlour.analysis import recording

    named = recording.chosen(which, recording.usual(result), result.games)
    recording.write(folder, batch.name, {name: recording.again(batch, number) for name, number in named.items()})


def _timed(work: Callable[[], Simulation]) -> tuple[Simulation | None, bool, float]:
    """Return the simulation, whether Ctrl-C ended it, and the seconds it took."""
    from parlour.engine.simulate import Interrupted

    began = time.perf_counter()
    try:
        return work(), False, time.perf_counter() - began
    except Interrupted as stop:
        return stop.result, True, time.perf_counter() - began


def _emit(
    result: Simulation, edition: Edition, shares: Sequence[tuple[float, float]], interrupted: bool, seconds: float
) -> None:
    summary = result.summary()
    seats = [
        {**seat, "wins_low": low, "wins_high": high} for seat, (low, high) in zip(summary["seats"], shares, strict=True)
    ]
    output.emit({
        **summary, **output.changed(edition), "seats": seats, "options": result.options,
        "interrupted": interrupted, "seconds": seconds,
        "games_per_second": result.games / seconds,
        "faults": [{"game": game, "seat": seat + 1, "why": why} for game, seat, why in result.faults],
    })  # fmt: skip


def _print(
    title: str, summary: Summary, shares: Sequence[tuple[float, float]], seconds: float, interrupted: bool
) -> None:
    from rich.table import Table

    table = Table("seat", "bot", "wins", "95 %", "mean score", "spread")
    for column in table.columns[2:]:
        column.justify = "right"
    for seat, (low, high) in zip(summary["seats"], shares, strict=True):
        table.add_row(
            str(seat["seat"]),
            seat["bot"],
            f"{seat['wins']:.2%}",
            f"{low:.2%} to {high:.2%}",
            f"{seat['score']:,.0f}",
            f"{seat['score_spread']:,.0f}",
        )
    output.console().print(table)
    facts = {
        "game": f"{title}, edition {summary['edition']}",
        "games": f"{summary['games']:,} in {seconds:.2f} s: {summary['games'] / seconds:,.0f} a second"
        + (", interrupted" if interrupted else ""),
        "decisions": f"{summary['decisions']:,.1f} a game",
    }
    if summary["turns"] is not None:
        facts["turns"] = f"{summary['turns']:,.1f} a game"
    if summary["unfinished"]:
        facts["cut short"] = f"{summary['unfinished']:,} games (too long)"
    output.facts(facts)
