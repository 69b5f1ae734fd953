"""`parlour advise`: what each decision of a position is worth."""

from __future__ import annotations

import re
from dataclasses import asdict
from dataclasses import replace as changed
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from parlour.cli import output

if TYPE_CHECKING:
    from parlour.core.match import Match


class Measure(StrEnum):
    """What is made as large as possible."""

    win = "win"
    points = "points"


def advise(
    source: Annotated[str, typer.Argument(metavar="FILE|fortune", help="A record (- for standard input), or fortune.")],
    step: Annotated[int | None, typer.Option("--step", min=0, help="Of a record: after this step.")] = None,
    card: Annotated[str | None, typer.Option("--card", help="Of fortune: the card turned.")] = None,
    dice: Annotated[str | None, typer.Option("--dice", help="Of fortune: eight faces, separated by spaces.")] = None,
    rolls: Annotated[
        int | None,
        typer.Option("--rolls", min=1, help="Of fortune: rolls made in this turn.  [default: 1; 2 with --helped]"),
    ] = None,
    helped: Annotated[bool, typer.Option("--helped", help="Of fortune: the Sorceress has helped already.")] = False,
    scores: Annotated[
        str | None, typer.Option("--scores", help="Of fortune: the totals, the player's own first.  [default: 0,0]")
    ] = None,
    final: Annotated[
        int | None,
        typer.Option("--final", min=1, help="Of fortune: the seat that began the final round, as in --scores."),
    ] = None,
    measure: Annotated[Measure, typer.Option("--for", help="Play the turn on for this.")] = Measure.win,
    move: Annotated[str | None, typer.Option("--move", help="Show how the turn ends after this decision.")] = None,
    edition: output.EditionName = None,
    option: output.Options = None,
    json: output.Json = False,
) -> None:
    """Every decision of a position of Fortune: expected points, chance to win, chance to be disqualified; the
    distribution of the turn's score after the best of them, or after --move.

    Examples: `parlour advise game.txt --step 12`,
    `parlour advise fortune --card captain --dice "skull sword sword gold gold gold monkey parrot"`
    """
    from parlour.analysis import positions, turns
    from parlour.games import find

    if card is not None or dice is not None or source == "fortune":
        if card is None or dice is None:
            raise typer.BadParameter("a position of fortune needs both.", param_hint="--card and --dice")
        if step is not None:
            raise typer.BadParameter("only a record has steps.", param_hint="--step")
        totals = _totals("0,0" if scores is None else scores)
        options = output.parse_options(option)
        match = positions.position(
            find(source),
            card,
            dice.split(),
            rolls=rolls,
            helped=helped,
            scores=totals,
            final=None if final is None else final - 1,
            edition=edition,
            options=options,
        )
    else:
        given = {
            "--scores": scores, "--edition": edition, "--option": option, "--helped": helped, "--rolls": rolls,
            "--final": final,
        }  # fmt: skip
        if names := [name for name, value in given.items() if value not in (None, False, [])]:
            raise typer.BadParameter("this is said by the record.", param_hint=" and ".join(names))
        match = _of_record(Path(source), step)
    told = turns.prospects(match, measure.value, move)
    if json:
        output.emit({
            "game": match.game.name, "seat": match.current_player, "for": measure.value,
            "decisions": [asdict(row) for row in told.decisions], "move": told.move,
            "scores": [{"points": points, "chance": chance} for points, chance in sorted(told.scores.items())],
            "losses": [{"points": points, "chance": chance} for points, chance in sorted(told.losses.items())],
        })  # fmt: skip
    else:
        _print(match, told)


def _totals(scores: str) -> list[int]:
    totals = [score.strip() for score in scores.split(",")]
    if not all(re.fullmatch(r"-?[0-9]{1,9}", total) for total in totals):  # `int` reads more than anybody means
        raise typer.BadParameter(
            f"{scores!r} is not totals separated by commas, as in 3000,-200.", param_hint="--scores"
        )  # fmt: skip
    return [int(total) for total in totals]


def _of_record(file: Path, step: int | None) -> Match:
    from parlour.core.errors import BadSetup
    from parlour.games import find

    record = output.read_record(file)
    record.replay(find)
    if step is not None:
        if step > len(record.steps):
            raise typer.BadParameter(f"the record has {len(record.steps)} steps.", param_hint="--step")
        record = changed(record, steps=record.steps[:step])
    match = record.replay(find)
    if match.game.solver is None:
        raise BadSetup(f"{match.game.text.TITLE} has no solver; fortune has one.")
    return match


def _print(match: Match, told: Any) -> None:
    from rich.table import Table

    from parlour.core import plain
    from parlour.core.scene import SPECTATOR

    print(plain.render(match.scene(SPECTATOR)))
    print()
    table = Table("decision", "points", "win", "disqualified")
    for column in table.columns[1:]:
        column.justify = "right"
    for row in told.decisions:
        table.add_row(row.move, f"{row.points:,.1f}", f"{row.win:.2%}", f"{row.disqualified:.1%}")
    output.console().print(table)
    print(f"How the turn ends after {told.move}:")
    for points, chance in sorted(told.scores.items()):
        print(f"{points:>8,}  {chance:7.2%}")
    for points, chance in sorted(told.losses.items()):
        print(f"  Island: every opponent loses {points:,}  {chance:7.2%}")
