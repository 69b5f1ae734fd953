"""`parlour analyse`: how good each decision of a record was, and what a bot would have decided."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from parlour.bots.own import SECONDS
from parlour.cli import output
from parlour.core.replay import replay

if TYPE_CHECKING:
    from collections.abc import Sequence

    from parlour.analysis.evaluation import Judgement, Summary
    from parlour.analysis.opinion import Choice, Opinion
    from parlour.core.match import Match

MARKS = ("inaccuracy", "mistake", "blunder")


# The options of `parlour analyse`, as the command line names them --------------------------------
RecordFile = Annotated[Path, typer.Argument(metavar="RECORD", help="A record; - for standard input.")]
Seat = Annotated[
    int | None, typer.Option("--seat", min=1, help="Judge only this seat's decisions; seats count from 1.")
]
Level = Annotated[str, typer.Option("--level", help="How far to search: advice, easy ... expert.")]
Simulations = Annotated[
    int | None, typer.Option("--simulations", min=1, help="Simulations per decision, instead of the level's.")
]
Seconds = Annotated[float | None, typer.Option("--seconds", min=0.001, help="At most this many seconds per decision.")]
Threads = Annotated[int | None, typer.Option("--threads", min=1, help="Threads.  [default: one per core]")]
All = Annotated[bool, typer.Option("--all", help="List every decision, not only the costly ones.")]
OtherBot = Annotated[
    str | None,
    typer.Option(
        "--bot",
        metavar="BOT",
        help="Ask this bot what it would decide: a known one, `module:Class`, `program:COMMAND`.",
    ),
]


class Asked(NamedTuple):
    """What a bot says of the same game: its choices and the judgements on them, by step; it in the place of each
    seat's player; and a sentence for each decision that it failed to make."""

    name: str
    choices: dict[int, Choice]
    judged: dict[int, Judgement]
    per_seat: list[Opinion]
    faults: list[str]


def analyse(
    file: RecordFile,
    seat: Seat = None,
    level: Level = "advice",
    simulations: Simulations = None,
    seconds: Seconds = None,
    threads: Threads = None,
    every: All = False,
    bot: OtherBot = None,
    clock: output.Clock = SECONDS,
    json: output.Json = False,
) -> None:
    """Judge the decisions of a record: the chance to win before and after each, and the best alternative.

    A search estimates what each decision is worth, given what its seat could know. A loss of 5, 10 or 15 percentage
    points is an inaccuracy, a mistake or a blunder, as at lichess; losses within the noise are not marked. With --bot,
    what that bot would decide is judged in the same way, and compared with the player's decision and with the best.

    Examples: `parlour analyse game.txt`, `parlour analyse game.txt --level expert --seat 1 --json`, `parlour analyse
    game.txt --bot mybots:Careful`
    """
    from parlour import bots
    from parlour.analysis import evaluation, opinion
    from parlour.bots import outside
    from parlour.engine.compiled import compile
    from parlour.games import find

    match = replay(output.read_record(file), find)
    players = len(match.names)
    if seat is not None and seat > players:
        raise typer.BadParameter(f"the record has {players} seats.", param_hint="--seat")
    adviser = partial(bots.adviser, match.game, level, simulations=simulations, seconds=seconds)
    adviser()  # refuses a wrong level before anything is compiled, and the next line a wrong bot
    outside.chooser(match.game, bot or "random")
    asked = None
    with output.progress("judging", "compiling (the first time only)") as tell:
        engine, cores = compile(match.game), threads or os.cpu_count() or 1
        found = evaluation.decisions(match, None if seat is None else seat - 1)
        judge = partial(evaluation.each, match.game, adviser=adviser, engine=engine, threads=cores, progress=tell)
        judged = judge(found)
        if bot:
            choices = opinion.ask(match.game, found, bot, engine, clock, partial(tell, what=f"by {bot}"))
            said = opinion.judged(choices, judged, judge)
            faults = [one.fault for one in choices if one.fault]
            by_step = {one.decision.step: one for one in choices}
            asked = Asked(bot, by_step, said, opinion.opinions(choices, said, judged, players), faults)
    per_seat = [one for one in evaluation.summaries(judged, players) if seat in (None, one.seat + 1)]
    if json:
        output.emit(as_dict(match, judged, per_seat, asked))
    else:
        marked = [one for one in judged if every or one.mark or (asked and _mark(asked, one.step))]
        _print(match, marked, per_seat, asked)


def _mark(asked: Asked, step: int) -> str:
    """Return how the bot's choice in a step of the record is marked, "" if it is not."""
    one = asked.judged.get(step)
    return one.mark if one else ""


def as_dict(
    match: Match, judged: Sequence[Judgement], per_seat: Sequence[Summary], asked: Asked | None = None
) -> dict[str, object]:
    """Return what --json prints. Steps and seats count from 1, as people do."""
    decisions = [one.as_dict() | {"step": one.step + 1, "seat": one.seat + 1} for one in judged]
    seats = [_totals(match, one) for one in per_seat]
    result = match.returns if match.over else None
    data = {"game": match.game.name, "steps": match.version, "decisions": decisions, "seats": seats, "result": result}
    if asked is None:
        return data
    shown = {one.seat for one in per_seat}
    choices = [
        {
            "step": step + 1, "move": one.move, "same": not asked.choices[step].differs, "after": one.after,
            "loss": one.loss, "mark": one.mark,
        }
        for step, one in sorted(asked.judged.items())
    ]  # fmt: skip
    places = [
        _totals(match, one.summary) | {"same": one.same, "best": one.best, "player_best": one.player_best}
        for one in asked.per_seat
        if one.summary.seat in shown
    ]
    return data | {"bot": {"name": asked.name, "decisions": choices, "seats": places, "faults": asked.faults}}


def _totals(match: Match, one: Summary) -> dict[str, object]:
    return {
        "seat": one.seat + 1, "name": match.names[one.seat], "decisions": one.decisions, "mean_loss": one.loss,
        "accuracy": one.accuracy, "marks": one.marks,
    }  # fmt: skip


def _print(match: Match, listed: Sequence[Judgement], per_seat: Sequence[Summary], asked: Asked | None) -> None:
    from rich.table import Table

    if listed:
        heads = ["step", "player", "played", "chance", "best instead", "chance", ""]
        table = Table(*heads, *([f"by {asked.name}", "chance", ""] if asked else []))
        for number in (0, 3, 5, *([8] if asked else [])):
            table.columns[number].justify = "right"
        for one in listed:
            other = (one.other, f"{one.before:.0%}") if one.loss > 0 and not one.alike else ("", "")
            row = [str(one.step + 1), match.names[one.seat], one.move, f"{one.after:.0%}", *other, one.mark]
            table.add_row(*row, *(_bot_cells(asked, one.step) if asked else ()))
        output.console().print(table)
    else:
        print("No decision lost more than the noise.")
    totals = Table("player", "decisions", "mean loss", "accuracy", "inaccuracies", "mistakes", "blunders")
    for head in ("best or alike", "as the player") if asked else ():
        totals.add_column(head)
    for column in totals.columns[1:]:
        column.justify = "right"
    totals.columns[0].overflow = "fold"
    for who in per_seat:
        name = match.names[who.seat]
        if asked is None:
            totals.add_row(name, *_cells(who))
        else:
            bot = asked.per_seat[who.seat]
            shares = _share(bot.best, bot.summary.decisions), _share(bot.same, bot.summary.decisions)
            totals.add_row(name, *_cells(who), _share(bot.player_best, who.decisions), "")
            totals.add_row(f"{asked.name} for {name}", *_cells(bot.summary), *shares)
    output.console().print(totals)
    if asked and asked.faults:
        print(f"{asked.name} failed in {len(asked.faults)} decisions. The first: {asked.faults[0]}")


def _share(number: int, whole: int) -> str:
    return f"{number / whole:.0%}" if whole else ""


def _bot_cells(asked: Asked, step: int) -> tuple[str, str, str]:
    """Return the bot's choice, its chance, and its mark; a choice that is the player's is not repeated."""
    one = asked.judged.get(step)
    if one is None:
        return "failed", "", ""
    return ("the same", "", "") if not asked.choices[step].differs else (one.move, f"{one.after:.0%}", one.mark)


def _cells(who: Summary) -> tuple[str, ...]:
    loss = "" if who.loss is None else f"{100 * who.loss:.1f} points"
    accuracy = "" if who.accuracy is None else f"{who.accuracy:.0%}"
    return str(who.decisions), loss, accuracy, *(str(who.marks[mark]) for mark in MARKS)
