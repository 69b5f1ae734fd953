"""`parlour analyse`: how good each decision of a record was, and what a bot would have decided."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from parlour.bots.own import SECONDS
from parlour.cli import output, spreading
from parlour.core.errors import BadSetup, BrokenRecord
from parlour.core.replay import replay

if TYPE_CHECKING:
    from collections.abc import Sequence

    from parlour.analysis.evaluation import Judgement, Summary
    from parlour.analysis.judging import Asked, Judged
    from parlour.analysis.plans import Plan
    from parlour.core.record import Record

MARKS = ("inaccuracy", "mistake", "blunder")
LONGEST = 16  # characters of a bot's name in a table; a longer one is written once, before it
TOTALS = ("player", "decisions", "mean loss", "accuracy", "inaccuracies", "mistakes", "blunders")


# The options of `parlour analyse`, as the command line names them --------------------------------
RecordFiles = Annotated[
    list[Path], typer.Argument(metavar="RECORD...", help="Records, or folders of them; - for standard input.")
]
Jobs = Annotated[
    int | None,
    typer.Option("--jobs", min=1, help="Processes for several records; they change nothing.  [default: one per core]"),
]
Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", help="Keep what is judged in this file; the same command continues."),
]
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


def analyse(
    files: RecordFiles,
    seat: Seat = None,
    level: Level = "advice",
    simulations: Simulations = None,
    seconds: Seconds = None,
    threads: Threads = None,
    every: All = False,
    bot: OtherBot = None,
    clock: output.Clock = SECONDS,
    jobs: Jobs = None,
    out: Out = None,
    ray: spreading.Ray = None,
    audit: spreading.Audit = None,
    json: output.Json = False,
) -> None:
    """Judge the decisions of records: the chance to win before and after each, and the best alternative.

    A search estimates what each decision is worth, given what its seat could know. A loss of 5, 10 or 15 percentage
    points is an inaccuracy, a mistake or a blunder, as at lichess; losses within the noise are not marked. With --bot,
    what that bot would decide is judged in the same way, and compared with the player's decision and with the best.
    Several records, or a folder of them, are judged side by side on all cores; then the table has a line for each
    player of each record, and --json prints one object a line.

    Examples: `parlour analyse game.txt`, `parlour analyse game.txt --level expert --seat 1 --json`, `parlour analyse
    game.txt --bot mybots:Careful`, `parlour analyse records --out judged.jsonl`
    """
    from parlour.analysis import judging
    from parlour.games import find

    named = _named(files)
    way = judging.Way(level, simulations, seconds, None if seat is None else seat - 1, bot or "", clock)
    audited = spreading.share(audit, ray)
    if audited and not way.pure:
        raise BadSetup("An audit needs judgements without a clock: no --seconds, and no bot of your own.")
    if len(named) > 1 or jobs or out or ray:
        if threads or every:
            raise BadSetup("--threads and --all are for one record; several are judged by --jobs processes.")
        found = _spread(judging.plan(named, way), jobs, out, ray, audited)
        _show_many(list(named), found, json)
        return
    (record,) = named.values()
    match = replay(record, find)
    if seat is not None and seat > len(match.names):
        raise typer.BadParameter(f"the record has {len(match.names)} seats.", param_hint="--seat")
    with output.progress("judging", "compiling (the first time only)") as tell:
        one = judging.judge(match, way, threads, tell)
    if json:
        output.emit(judging.as_dict(one))
    else:
        asked = one.asked
        marked = [it for it in one.decisions if every or it.mark or (asked and _mark(asked, it.step))]
        _print(marked, one)
        print(one.holds)


def _named(files: Sequence[Path]) -> dict[str, Record]:
    """Return the records in files and folders by the names of the files; a folder's are its files .txt and .json.

    Raises NoFile, BrokenRecord, BadSetup (a folder without records).
    """
    found: dict[str, Record] = {}
    for file in files:
        inside = sorted(one for one in file.iterdir() if one.suffix in {".txt", ".json"}) if file.is_dir() else [file]
        if not inside:
            raise BadSetup(f"{file} has no records: no files .txt or .json.")
        for one in inside:
            try:
                found[str(one)] = output.read_record(one)
            except BrokenRecord as error:
                raise BrokenRecord(f"{one}: {error}" if len(files) > 1 or one != file else str(error)) from error
    return found


def _spread(plan: Plan, jobs: int | None, out: Path | None, ray: str | None, audit: float) -> list[bytes]:
    """Judge records in blocks, on the cores here or on a cluster. Return the results, in order."""
    from parlour.analysis.blocks import Status, collect
    from parlour.analysis.places import Here

    output.open_file(out)
    with (
        spreading.place(ray, Here(jobs)) as where,
        output.progress("judging", "compiling (the first time only)") as tell,
    ):

        def told(status: Status) -> None:
            tell(status.done, status.total, "records")

        return collect(plan, where, out, audit=audit, progress=told, notice=spreading.notice)


def _show_many(names: Sequence[str], found: Sequence[bytes], json: bool) -> None:
    """Show many records that were judged: a line for each, or for each player."""
    from rich.table import Table

    judged: list[Many] = [msgspec.json.decode(one, type=Many) for one in found]
    if json:
        for name, data in zip(names, found, strict=True):
            output.emit({"record": name, **msgspec.json.decode(data)})
        return
    if judged[0].bot is not None:
        _introduce(judged[0].bot.name)
    table = Table("record", *TOTALS)
    for column in table.columns[:2]:
        column.overflow = "fold"  # what differs is often at the end of a file's name
    for column in table.columns[2:]:
        column.justify = "right"
    for name, one in zip(names, judged, strict=True):
        players = [(seat.name, seat) for seat in one.seats]
        if one.bot is not None:
            bot = _called(one.bot.name)
            players += [(f"{bot} for {seat.name}", seat) for seat in one.bot.seats]
        for number, (player, seat) in enumerate(players):
            table.add_row("" if number else Path(name).name, player, *_cells(seat))
    output.console().print(table)
    for sentence in dict.fromkeys(one.holds for one in judged):
        print(sentence)


class Total(msgspec.Struct):
    """A player's decisions in a record, as JSON has them."""

    name: str
    decisions: int
    marks: dict[str, int]
    loss: float | None = msgspec.field(name="mean_loss")
    in_words: str = msgspec.field(name="accuracy_in_words")


class Place(msgspec.Struct):
    """What a bot would have done at each seat."""

    name: str
    seats: list[Total]


class Many(msgspec.Struct):
    """What a table of many records shows of one."""

    seats: list[Total]
    holds: str
    bot: Place | None = None


def _called(bot: str) -> str:
    """Return what a bot is called in a table."""
    return bot if len(bot) <= LONGEST else "the bot"


def _introduce(bot: str) -> None:
    """Print the name of a bot that is too long for a table."""
    if _called(bot) != bot:
        print(f"The bot is {bot}.")


def _mark(asked: Asked, step: int) -> str:
    """Return how the bot's choice in a step of the record is marked, "" if it is not."""
    one = asked.judged.get(step)
    return one.mark if one else ""


def _print(listed: Sequence[Judgement], judged: Judged) -> None:
    from rich.table import Table

    from parlour.analysis.evaluation import gained

    match, per_seat, asked = judged.match, judged.per_seat, judged.asked
    bot = _called(asked.name) if asked else ""
    if asked:
        _introduce(asked.name)
    if listed:
        heads = ["step", "player", "played", "chance", "best instead", "chance", ""]
        table = Table(*heads, *([f"by {bot}", "chance", ""] if asked else []))
        for number in (0, 3, 5, *([8] if asked else [])):
            table.columns[number].justify = "right"
        for one in listed:
            other = (one.other, f"{one.before:.0%}") if one.loss > 0 and not one.alike else ("", "")
            row = [str(one.step + 1), match.names[one.seat], one.move, f"{one.after:.0%}", *other, one.mark]
            table.add_row(*row, *(_bot_cells(asked, one.step) if asked else ()))
        output.console().print(table)
    else:
        print("No decision lost more than the noise.")
    totals = Table(*TOTALS)
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
            place = asked.per_seat[who.seat]
            shares = _share(place.best, place.summary.decisions), _share(place.same, place.summary.decisions)
            totals.add_row(name, *_cells(who), _share(place.player_best, who.decisions), "")
            totals.add_row(f"{bot} for {name}", *_cells(place.summary), *shares)
    output.console().print(totals)
    if judged.luck:
        lucks = [f"{name} {gained(luck)}" for name, luck in zip(match.names, judged.luck, strict=True)]
        print(f"Luck: {', '.join(lucks)}.")
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


def _cells(who: Summary | Total) -> tuple[str, ...]:
    loss = "" if who.loss is None else f"{100 * who.loss:.1f} points"
    return str(who.decisions), loss, who.in_words, *(str(who.marks[mark]) for mark in MARKS)
