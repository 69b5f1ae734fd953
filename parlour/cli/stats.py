"""`parlour stats`: statistics of many games."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parlour.bots.own import SECONDS
from parlour.cli import output, spreading
from parlour.core.edition import EditionLike
from parlour.core.errors import BadSetup
from parlour.core.game import Game

if TYPE_CHECKING:
    from rich.table import Table

    from parlour.analysis.batches import Spread
    from parlour.analysis.plans import Plan as TablePlan
    from parlour.analysis.shapes import Shape
    from parlour.analysis.statistics import Statistics
    from parlour.analysis.tables import Rows

PATH = re.compile(r"[./\\]")  # what a file or a folder has in its name, and no game
Plan = list[tuple["Shape", list[str], int]]
SLOWER = 10  # a page has this many times fewer games between the best bots

# The options of `parlour stats`, as the command line names them
Asked = Annotated[
    list[str],
    typer.Argument(
        metavar="GAME|FILE...",
        help="A game to play; or files or folders of games that were played, which are read.",
        autocompletion=output.games,
    ),
]
Players = Annotated[int | None, typer.Option("--players", "-p", help="Players at the table.  [default: every number]")]
Plots = Annotated[Path | None, typer.Option("--plots", metavar="DIR", help="Write pictures (SVG) to this folder.")]
Write = Annotated[
    bool, typer.Option("--write", help="Rewrite the section of docs/games/GAME.md, its figures and pictures.")
]
BestGames = Annotated[
    int | None, typer.Option("--best-games", min=1, help="Games between the best bots for --write.  [default: a tenth]")
]
Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="DIR", help="Save the games to files in this folder, or continue those in it."),
]
Uses = Annotated[
    bool, typer.Option("--uses", help="Also show how often each decision and event was used, and who then won.")
]


def stats(
    context: typer.Context,
    asked: Asked,
    players: Players = None,
    edition: output.EveryEdition = None,
    changes: output.Changes = None,
    option: output.Options = None,
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="Games of each kind.")] = 10_000,
    bots: output.BotNames = None,
    uses: Uses = False,
    clock: output.Clock = SECONDS,
    seed: output.Seed = 1,
    json: output.Json = False,
    plots: Plots = None,
    write: Write = False,
    best_games: BestGames = None,
    out: Out = None,
    ray: spreading.Ray = None,
    audit: spreading.Audit = None,
    records: spreading.Records = None,
    record: spreading.Which = None,
    parquet: spreading.Parquet = None,
) -> None:
    """Play many games in every ruleset, edition and number of players, and count.

    Shows how long games are, who wins by seat and by place in turn order (95 % confidence intervals), scores, how games
    end, and how often the events of events.py happen. All play at random unless --bots names one bot for each seat, or
    one for all; games with one of your own (`module:Class`, `program:COMMAND`) or one that searches are played step by
    step. --uses lists what decisions name, such as cards and squares: how often each was offered and made, and the wins
    of the seats that made it. --json prints an object per line, with all uses. --write also plays games between the
    best bots, --best-games of them. Ctrl-C stops and shows the counts so far, but writes nothing.
    With files it counts the games in them, and plays nothing: games.parquet, records, or what --out has written.

    Examples: `parlour stats GAME --players 3`, `parlour stats GAME --bots greedy --games 1000 --plots pictures`,
    `parlour stats games.parquet`
    """
    from parlour.analysis import report
    from parlour.analysis.batches import Spread
    from parlour.analysis.places import Here
    from parlour.analysis.shapes import shapes
    from parlour.games import find

    if files := _files(asked):
        _of_files(context, files, json, plots)
        return
    found = find(asked[0])
    chosen = _chosen(found, bots)
    players = len(chosen) if players is None and len(chosen) > 1 else players
    kinds = [(chosen, games), *(_best(found, best_games or max(1, games // SLOWER)) if write and not bots else ())]
    box = output.edition_of(found, edition, changes)
    page = _page(found, box) if write else None
    shaped = shapes(found, players, box, output.parse_options(option))
    if plots:
        output.open_folder(plots)
    spreading.ready(parquet, found, chosen)
    which, audited = spreading.wanted(records, record, games), spreading.share(audit, ray)
    with spreading.place(ray, Here()) as where:
        how = Spread(where, out, audit=audited, notice=spreading.notice) if ray or out else None
        counted, interrupted = _play([(shape, *kind) for shape in shaped for kind in kinds], seed, clock, how, uses)
    _show(found.text.TITLE, counted, json)
    if interrupted:
        print("Interrupted: these are the counts so far.", file=sys.stderr)
        raise typer.Exit(output.INTERRUPTED)
    if records:
        _record(counted, which, records, seed, clock)
    spreading.tables(parquet, lambda: _tables(counted, seed, clock), ray, audited)
    if plots:
        report.save(counted, plots)
    if page:
        _rewrite(page, counted, _command(found.name, players, edition, option, games, bots, seed, best_games))


def _chosen(game: Game, bots: str | None) -> list[str]:
    """Return the bots that are named, else the random one. Raises UnknownName."""
    from parlour.bots.outside import chooser

    named = output.bot_list(bots) if bots else ["random"]
    for name in named:
        chooser(game, name)
    return named


def _best(game: Game, games: int) -> list[tuple[list[str], int]]:
    """Return the game's best compiled bot with its number of games; nothing if that is the random one."""
    from parlour.bots import simulated

    best = simulated(game)[0]
    return [] if best == "random" else [([best], games)]


def _rewrite(page: Path, counted: list[Statistics], command: str) -> None:
    from parlour.analysis import figures, report

    report.save(counted, page.parent)
    figures.write(page, report.rewrite(page.read_text("utf-8"), report.section(counted, command)))


def _files(asked: list[str]) -> list[Path]:
    """Return the files and folders that are named; none if it is a game."""
    return [Path(name) for name in asked] if len(asked) > 1 or PATH.search(asked[0]) else []


def _of_files(context: typer.Context, files: list[Path], json: bool, plots: Path | None) -> None:
    """Show the statistics of games that were played before. Raises BadSetup if an option about playing is given."""
    from parlour.analysis import reading, report

    for name in context.params.keys() - {"asked", "json", "plots"}:
        if getattr(context.get_parameter_source(name), "name", "") == "COMMANDLINE":
            raise BadSetup("Games in files are counted as they are: only --json and --plots go with files.")
    if plots:
        output.open_folder(plots)
    counted = reading.gather(files)
    _show(counted[0].shape.game.text.TITLE, counted, json)
    if plots:
        report.save(counted, plots)


def _play(
    plan: Plan, seed: int, clock: float, how: Spread | None, closely: bool
) -> tuple[list[Statistics], bool]:  # fmt: skip
    """Return the statistics and whether Ctrl-C ended them; then the last may be of fewer games. `how`: in blocks; its
    `file` is a folder with one for each shape and its bots. `closely`: with uses."""
    from parlour.analysis import batches
    from parlour.analysis.statistics import gather
    from parlour.engine.simulate import Interrupted

    whole, before = sum(games for _, _, games in plan), 0
    counted = []
    with output.progress("playing", "compiling (the first time only)") as tell:
        for shape, bots, games in plan:

            def progress(done: int, _games: int, words: str = "", before: int = before) -> None:
                tell(before + done, whole, words)

            try:
                if how is None:
                    counted.append(gather(shape, bots, games, seed, progress, clock=clock, closely=closely))
                else:
                    batch = batches.Batch(shape, tuple(bots), seed, clock)
                    file = how.file / f"{batch.name}.jsonl" if how.file else None
                    spread = replace(how, file=file, told=progress)
                    counted.append(batches.gather(batch, games, spread, closely=closely))
            except Interrupted as stop:
                return counted + ([stop.result] if stop.result else []), True
            before += games
    return counted, False


def _show(title: str, counted: list[Statistics], json: bool) -> None:
    if not json:
        _print(title, counted)
    for one in counted if json else ():
        output.emit(one.as_dict())


def _record(counted: list[Statistics], which: Sequence[str], folder: Path, seed: int, clock: float) -> None:
    from parlour.analysis import recording
    from parlour.analysis.batches import Batch

    for one in counted:
        batch = Batch(one.shape, one.bots, seed, clock)
        named = recording.chosen(which, recording.usual(one), one.games)
        games = {name: recording.again(batch, number, watched=True) for name, number in named.items()}
        recording.write(folder, batch.name, games)


def _tables(counted: list[Statistics], seed: int, clock: float) -> list[TablePlan]:
    from parlour.analysis import parquet
    from parlour.analysis.batches import Batch

    return [parquet.of_batch(Batch(one.shape, one.bots, seed, clock), one.games, watched=True) for one in counted]


def _page(game: Game, edition: EditionLike | None) -> Path:
    """Return the path of the game's page. Raises NoFile if it does not exist, or Parlour does not run from its
    source; BadSetup for an edition that is not the game's own."""
    import parlour

    if edition is not None and game.edition(edition).base:
        raise BadSetup("--write makes a page of the game's own editions, so it takes no values of yours.")
    page = Path(parlour.__file__).parents[1] / "docs" / "games" / f"{game.name}.md"
    if not page.is_file():
        raise output.NoFile(f"{page} doesn't exist. Write it first; the statistics become a section of it.")
    return page


def _command(
    game: str, players: int | None, edition: str | None, option: list[str] | None, games: int, bots: str | None,
    seed: int, best_games: int | None,
) -> str:  # fmt: skip
    """Return the command line that makes the same page."""
    given = {"--players": players, "--edition": edition, "--bots": bots, "--games": games, "--best-games": best_games}
    given["--seed"] = seed
    return output.command(f"stats {game}", given, option, "--write")


def _print(title: str, counted: list[Statistics]) -> None:
    from rich.table import Table

    from parlour.analysis import report, tables

    console = output.console()
    for variant, group in report.variants(counted).items():
        for bots, games in dict.fromkeys((one.who, one.games) for one in group):
            columns = [one for one in group if (one.who, one.games) == (bots, games)]
            name = f"{title}: {variant}" if variant else title
            heads = [tables.head(one, columns) for one in columns]
            table = Table("", *heads, title=f"{name}; {games:,} games each, bots: {bots}")
            _fill(table, tables.measures(columns))
            console.print(table)
            for one in columns:
                _print_uses(f"{name}, {one.shape.players} players", one)
        if sentence := report.longest(group):
            console.print(sentence)
        if lost := [why for one in group for why in one.faults]:
            output.facts(output.faults(lost))


def _print_uses(name: str, found: Statistics) -> None:
    from rich.table import Table

    from parlour.analysis import tables

    if not found.uses:
        return
    even = f"an equal share of the wins is {100 / found.shape.players:.3g} %"
    table = Table(*tables.USE_HEADS, title=f"Uses. {name}; {found.games:,} games, bots: {found.who}; {even}")
    _fill(table, tables.uses(found))
    output.console().print(table)


def _fill(table: Table, sections: Sequence[Rows]) -> None:
    """Add the rows of each section to a table, below its heading."""
    for column in table.columns[1:]:
        column.justify = "right"
    for heading, rows in sections:
        table.add_section()
        table.add_row(f"[bold]{heading}[/bold]")
        for label, cells in rows:
            table.add_row(f"  {label}", *cells)
