"""`parlour regret`: what the decisions of each bot cost, and what accuracy is said of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from parlour.cli import output, spreading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from parlour.analysis.blocks import Status
    from parlour.analysis.regret import Asked, Row, Share

Positions = Annotated[int, typer.Option("--positions", min=1, help="Decisions in which each bot is asked.")]
Simulations = Annotated[
    int, typer.Option("--simulations", min=100, help="Simulations of the search that values what they choose.")
]
Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", help="Keep what each game gave in this file; the same command continues."),
]


def regret(
    game: output.GameName,
    bots: output.BotNames = None,
    positions: Positions = 60,
    edition: Annotated[str | None, typer.Option("--edition", metavar="NAME", help="An edition of the game.")] = None,
    option: output.Options = None,
    players: output.Players = None,
    seed: output.Seed = 1,
    simulations: Simulations = 10_000,
    out: Out = None,
    jobs: spreading.Jobs = None,
    json: output.Json = False,
) -> None:
    """Ask bots in positions from games between bots of mixed levels, and say what their decisions cost.

    A long search values the choices of all bots, the best ones that it finds and some of the others equally often.
    Where hints ask a network, it plays games on from each, one for ten simulations, and its own choice is taken for the
    best. Where the game's solver is exact, its values decide. The mean error is what a decision loses against the best
    of these, in points (per cent of the wins). Accuracy is one minus all errors divided by those of random choices, as
    the analysis of a game says it. Intervals of 95 % are by game.

    Examples: `parlour regret GAME`, `parlour regret GAME --bots expert,greedy,random --positions 100`
    """
    from parlour import bots as known
    from parlour.analysis import mining, regret
    from parlour.analysis.blocks import collect
    from parlour.analysis.places import Here
    from parlour.games import find

    found = find(game)
    way = mining.way_of(
        found, edition=edition, options=found.options(output.parse_options(option)), players=players, seed=seed,
        simulations=simulations,
    )  # fmt: skip
    named = tuple(dict.fromkeys(bots.split(","))) if bots else known.choices(found)
    plan = regret.plan(way, named, positions)
    output.open_file(out)
    with Here(jobs) as where, output.progress("asking", "compiling (the first time only)") as tell:

        def told(status: Status) -> None:
            tell(status.done, status.total, "games")

        results = collect(plan, where, out, progress=told, notice=spreading.notice)
    games = [msgspec.json.decode(one, type=list[regret.Asked]) for one in results]
    rows = regret.rows(named, games)
    if json:
        output.emit(
            {"game": found.name, "positions": sum(map(len, games)), "bots": msgspec.to_builtins(rows),
             "network": regret.network(games)}
        )  # fmt: skip
    else:
        _print(rows, [one for game in games for one in game])
        off = regret.network(games)
        if off is not None:
            print(f"Hints ask a network, whose error in the difference of two decisions is {100 * off:.1f} points.")


def _print(rows: Sequence[Row], asked: Sequence[Asked]) -> None:
    from rich.table import Table

    table = Table("bot", "error a decision", "95 %", "best", "accuracy", "95 %")
    for column in table.columns[1:]:
        column.justify = "right"
    for one in rows:
        table.add_row(
            one.bot, f"{100 * one.error.value:.2f} points", _range(one.error, "{:.2f}"),
            f"{one.best / len(asked):.0%}", f"{one.accuracy.value:.0%}", _range(one.accuracy, "{:.0f} %"),
        )  # fmt: skip
    output.console().print(table)
    differ = sum(not one.agreed for one in asked)
    print(f"{len(asked)} positions. In {differ} of them the bots differ (without the random one).")


def _range(share: Share, how: str) -> str:
    """Return the ends of an interval, in per cent."""
    if not share.low > -float("inf"):
        return ""
    low, high = how.replace(" %", ""), how
    return f"{low.format(100 * share.low)} to {high.format(100 * share.high)}"
