"""`parlour calibrate`: whether the chances that hints and analyses show come true, and what corrects them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from parlour.cli import output, spreading

if TYPE_CHECKING:
    from parlour.analysis.blocks import Status
    from parlour.analysis.reliability import Result
    from parlour.bots.chances import Correction

PAGE = Path("docs/chances.md")
HEADING = "## Tables"

Games = Annotated[int, typer.Option("--games", min=4, help="Games to play: half of them fit, the other half test.")]
Level = Annotated[
    str | None, typer.Option("--level", metavar="BOT", help="The bot at every seat.  [default: that of a new table]")
]
Each = Annotated[int, typer.Option("--decisions", min=1, help="Decisions of each game in which a hint is asked for.")]
Simulations = Annotated[
    int | None, typer.Option("--simulations", min=100, help="Simulations of a hint.  [default: those of the game]")
]
Correct = Annotated[
    Path | None,
    typer.Option("--correct", metavar="FILE", help="Write the correction into this file, `chances.toml` of the game."),
]
Write = Annotated[bool, typer.Option("--write", help=f"Write the tables into {PAGE}, and their picture beside it.")]
Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", help="Keep what each game gave in this file; the same command continues."),
]


def calibrate(
    game: output.GameName,
    level: Level = None,
    games: Games = 200,
    decisions: Each = 6,
    edition: Annotated[str | None, typer.Option("--edition", metavar="NAME", help="An edition of the game.")] = None,
    option: output.Options = None,
    players: output.Players = None,
    seed: output.Seed = 1,
    simulations: Simulations = None,
    correct: Correct = None,
    write: Write = False,
    out: Out = None,
    jobs: spreading.Jobs = None,
    json: output.Json = False,
) -> None:
    """Say whether shown chances come true between players of one level, and fit what corrects them.

    Bots of this level play at every seat. In some decisions of each game the search of hints says its chance to win,
    before any correction, and who won is kept beside it. Half of the games fit three numbers, the other half test
    them: how often what it said happened, by tenths of the chance, with intervals of 95 % by game. The calibration
    error is the mean distance, in points (per cent of the wins). Even true chances have some in few games; it says how
    much. If the game has a correction for another level, all games test that one, unless --correct asks for a new one.

    Examples: `parlour calibrate GAME`, `parlour calibrate GAME --games 400 --correct chances.toml`
    """
    from parlour import bots as known
    from parlour.analysis import mining, reliability
    from parlour.analysis.blocks import collect
    from parlour.analysis.places import Here
    from parlour.games import find

    found = find(game)
    way = mining.way_of(
        found, edition=edition, options=found.options(output.parse_options(option)), players=players, seed=seed,
        simulations=simulations or known.plan(found, known.ADVICE).simulations,
    )  # fmt: skip
    if simulations is None:
        way = reliability.as_hinted(way)
    of = level or known.default(found)
    plan = reliability.plan(way, of, games, decisions)
    output.open_file(out)
    with Here(jobs) as where, output.progress("asking", "compiling (the first time only)") as tell:

        def told(status: Status) -> None:
            tell(status.done, status.total, "games")

        results = collect(plan, where, out, progress=told, notice=spreading.notice)
    asked = [msgspec.json.decode(one, type=list[reliability.Forecast]) for one in results]
    shipped = reliability.of_another(way, of) if correct is None else None
    result = reliability.result(way, of, asked, shipped)
    if json:
        output.emit({"game": found.name, "level": of, **msgspec.to_builtins(result)})
    else:
        _print(result)
    if correct is not None and result.correction is not None:
        _correct(correct, result.correction)
    if write:
        given = {
            "--level": level, "--games": games, "--decisions": None if decisions == reliability.A_GAME else decisions,
            "--edition": edition, "--players": players, "--seed": seed, "--simulations": simulations,
        }  # fmt: skip
        command = output.command(f"calibrate {game}", given, option, "--write")
        reliability.write(PAGE, HEADING, way, result, of, command)


def _print(result: Result) -> None:
    from rich.table import Table

    from parlour.analysis import reliability

    table = Table(*reliability.heads(result))
    for column in table.columns[1:]:
        column.justify = "right"
    for row in reliability.rows(result):
        table.add_row(*row)
    output.console().print(table)
    for sentence in reliability.words(result):
        print(sentence)


def _correct(file: Path, made: Correction) -> None:
    """Put a correction into a file, in place of an earlier one of the same setup."""
    from parlour.bots import chances

    kept = chances.read(file.read_text("utf-8")) if file.exists() else ()
    mine = (made.ruleset, made.edition, made.players)
    others = [one for one in kept if (one.ruleset, one.edition, one.players) != mine]
    order = sorted((*others, made), key=lambda one: (one.ruleset, one.edition, one.players))
    output.write(file, chances.write(order))
