"""`parlour simulate`: many games between bots, compiled."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from parlour.analysis.intervals import interval
from parlour.bots.own import SECONDS
from parlour.cli import output

if TYPE_CHECKING:
    from parlour.engine.simulate import Simulation, Summary


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
    json: output.Json = False,
) -> None:
    """Let bots play many games, and count: wins (95 % confidence interval), scores, lengths.

    Name one bot for each seat, or one for all; without --bots all play at random. A bot of your own is `module:Class`
    or `program:COMMAND`; games with one are played step by step. Ctrl-C stops and shows the results so far.

    Example: `parlour simulate GAME --players 3 --bots greedy,random,random --games 10000 --seed 1`
    """
    import parlour
    from parlour.games import find

    found = find(game)
    chosen = found.edition(output.edition_of(found, edition, changes))
    wanted: dict[str, Any] = {
        "bots": output.bot_list(bots) if bots else None,
        "seed": seed,
        "edition": chosen,
        "options": output.parse_options(option),
        "threads": threads,
        "clock": clock,
    }
    with output.progress("playing", "compiling (the first time only)") as tell:
        parlour.simulate(found, players, games=0, **wanted)  # compiles; what follows is play alone
        result, interrupted, seconds = _timed(
            lambda: parlour.simulate(found, players, games=games, progress=tell, **wanted)
        )
    if not result.games:
        print("Interrupted before a game was over.", file=sys.stderr)
        raise typer.Exit(output.INTERRUPTED)
    summary = result.summary()
    shares = [interval(seat["wins"], result.games) for seat in summary["seats"]]
    if json:
        seats = [
            {**seat, "wins_low": low, "wins_high": high}
            for seat, (low, high) in zip(summary["seats"], shares, strict=True)
        ]
        output.emit({
            **summary, **output.changed(chosen), "seats": seats, "options": result.options,
            "interrupted": interrupted, "seconds": seconds,
            "games_per_second": result.games / seconds,
            "faults": [{"game": game, "seat": seat + 1, "why": why} for game, seat, why in result.faults],
        })  # fmt: skip
    else:
        _print(found.text.TITLE, summary, shares, seconds, interrupted)
        if result.faults:
            output.facts(output.faults([why for _, _, why in result.faults]))
    if interrupted:
        raise typer.Exit(output.INTERRUPTED)


def _timed(work: Callable[[], Simulation]) -> tuple[Simulation, bool, float]:
    """Return the simulation, whether Ctrl-C ended it, and the seconds it took."""
    from parlour.engine.simulate import Interrupted

    began = time.perf_counter()
    try:
        return work(), False, time.perf_counter() - began
    except Interrupted as stop:
        return stop.result, True, time.perf_counter() - began


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
