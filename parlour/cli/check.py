"""`parlour check`: the conformance kit, for a known game or for a folder that should become one."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parlour.cli import output
from parlour.core.game import Game

if TYPE_CHECKING:
    from parlour.conformance.kit import Report


def check(
    game: Annotated[str, typer.Argument(metavar="NAME|DIR", help="A game, its folder, or a folder of games.")],
    games: Annotated[
        int, typer.Option("--games", "-n", min=1, help="Random games for each part and shape.", show_default=True)
    ] = 3,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0, help="Start no further checks after this many seconds; 0 for no limit.")
    ] = 60,
    json: output.Json = False,
) -> None:
    """Check that a game keeps its contract: the conformance kit.

    It plays random games in every edition, number of players and option, and checks legal moves, notation, chance,
    records, what each viewer sees, and compiled play. For each part it prints the first fault, with the seed and the
    step. Exit status 1 if there is any fault.

    Examples: `parlour check GAME`, `parlour check ./my_game --games 20 --seconds 0`
    """
    from parlour.conformance import kit

    broken = 0
    for one in chosen(game):
        with output.progress("checks", "preparing") as progress:
            report = kit.run(one, games, seconds, progress)
        broken += not report.passed
        if json:
            output.emit(
                {
                    "game": one.name,
                    "passed": report.passed,
                    "seconds": round(report.seconds, 1),
                    "done": dict(report.done),
                    "left": dict(report.left),
                    "findings": [asdict(finding) for finding in report.findings],
                }
            )
        else:
            show(report)
    if broken:
        raise typer.Exit(1)


def chosen(named: str) -> list[Game]:
    """Return the game with this name, or the games of this folder; a path is always a folder. Raises UnknownName,
    BrokenGame."""
    from parlour.games import all_games, called, find, inside

    is_folder = Path(named).expanduser().is_dir()
    if is_folder and (os.sep in named or called(named) not in all_games()):
        return inside(named)
    return [find(named)]


def show(report: Report) -> None:
    """Print the report for people."""
    from parlour.conformance.kit import PARTS

    wrong = {finding.part: finding for finding in report.findings}
    print(f"{report.game.name} ({report.game.form}):")
    for part in PARTS:
        done, left = report.done[part], report.left[part]
        if not done and not left:
            continue
        word = "FAULT" if part in wrong else "ok" if done else "-"
        counted = f" ({done} done" * (done > 1 or left > 0) + f", {left} not begun" * (left > 0)
        print(f"  {word:<6} {part}{counted}{')' * bool(counted)}")
        if finding := wrong.get(part):
            place = ", ".join(filter(None, (finding.case, finding.spot)))
            print(f"         {place + ': ' if place else ''}{finding.why}")
    faults = len(report.findings)
    said = "Passed" if report.passed else f"{faults} fault{'s' * (faults > 1)}"
    short = " Time ran out before all checks were done; --seconds allows more." if report.left else ""
    print(f"{said}, in {report.seconds:.0f} s.{short}")
