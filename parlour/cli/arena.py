"""`parlour arena`: bots against each other, with ratings, intervals and a stopping rule."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from parlour.bots.own import SECONDS
from parlour.cli import output, spreading
from parlour.core.edition import EditionLike
from parlour.core.errors import BadSetup
from parlour.core.game import Game

if TYPE_CHECKING:
    from rich.table import Table

    from parlour.analysis.arena import Contest, Crew, Run
    from parlour.analysis.ladder import Rung
    from parlour.analysis.sprt import Running, Sprt
    from parlour.analysis.standings import Standing

GAMES, MOST = 200, 4000  # without and with a rule that may stop earlier
ENDED = {
    "games": "all played",
    "rule": "the stopping rule was met",
    "time": "time is up",
    "interrupted": "interrupted",
}


# The options of `parlour arena`, as the command line names them ---------------------------------
Bots = Annotated[
    str | None,
    typer.Option("--bots", metavar="BOT,BOT", help="The bots that play; `parlour bots` lists them.  [default: all]"),
]
Games = Annotated[
    int | None,
    typer.Option(
        "--games",
        "-n",
        min=1,
        help="At most this many (per pair, with --ladder), in whole blocks.  "
        f"[default: {GAMES}; {MOST} with --sprt or --ladder]",
    ),
]
BySprt = Annotated[bool, typer.Option("--sprt", help="Stop once it is clear which of two bots is better.")]
Elo0 = Annotated[
    float, typer.Option("--elo0", min=-1000, max=1000, help="H0: the first bot is at most this much stronger.")
]
Elo1 = Annotated[float, typer.Option("--elo1", min=-1000, max=1000, help="H1: it is at least this much stronger.")]
Seconds = Annotated[
    float | None, typer.Option("--seconds", min=0, help="Stop after this long (for each pair, with --ladder).")
]
Processes = Annotated[
    int | None,
    typer.Option("--processes", min=1, help="Threads; they don't change the games.  [default: one per core]"),
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="FILE",
        help="Save the games to this file (JSON lines), or continue the games in it; with --ladder, a folder.",
    ),
]
Plot = Annotated[
    Path | None,
    typer.Option("--plot", metavar="FILE", help="Draw a picture.  [default: beside --out, not with --ladder]"),
]
Ladder = Annotated[
    bool,
    typer.Option("--ladder", help="Play each bot but master against the one below it, in every ruleset and edition."),
]
Write = Annotated[bool, typer.Option("--write", help="With --ladder: write the game's section of docs/bots.md.")]


class Wish(NamedTuple):
    """The options that a contest and a ladder have in common."""

    game: Game
    players: int
    edition: EditionLike | None
    options: dict[str, str]
    games: int
    seconds: float | None
    seed: int
    processes: int | None
    out: Path | None
    plot: Path | None
    json: bool
    clock: float
    ray: str | None
    audit: float
    records: Path | None
    which: tuple[str, ...]
    parquet: Path | None


def arena(
    game: output.GameName,
    bots: Bots = None,
    games: Games = None,
    players: output.Players = None,
    edition: output.EditionName = None,
    changes: output.Changes = None,
    option: output.Options = None,
    sprt: BySprt = False,
    elo0: Elo0 = 0.0,
    elo1: Elo1 = 50.0,
    seconds: Seconds = None,
    seed: output.Seed = 1,
    processes: Processes = None,
    out: Out = None,
    plot: Plot = None,
    ladder: Ladder = False,
    write: Write = False,
    clock: output.Clock = SECONDS,
    ray: spreading.Ray = None,
    audit: spreading.Audit = None,
    records: spreading.Records = None,
    record: spreading.Which = None,
    parquet: spreading.Parquet = None,
    json: output.Json = False,
) -> None:
    """Let bots play against each other, on all cores, and say which is better and how sure that is.

    A block is one seed, played with every bot in every seat, so that luck cancels out; the 95 % intervals are by
    block. Prints ratings (openskill), each bot's share of the wins, how often each beats each other, and the shares
    with luck taken out (AIVAT) if the game values positions. --sprt (two bots) stops when it accepts one hypothesis,
    with error rates of 5 %. Ctrl-C stops and shows the results so far; the same command with the same --out
    continues. A bot of your own is `module:Class` or `program:COMMAND`.

    Examples: `parlour arena GAME --bots greedy,random --games 100`, `parlour arena GAME --bots expert,easy
    --sprt --out games.jsonl`, `parlour arena GAME --ladder --seconds 300 --out ladder --write`
    """
    from parlour.analysis.sprt import Running, Sprt
    from parlour.bots import choices
    from parlour.games import find

    found = find(game)
    if not elo0 < elo1:
        raise BadSetup(f"--elo0 must be below --elo1, but {elo0:g} is not below {elo1:g}.")
    if write and not ladder:
        raise BadSetup("--write needs --ladder.")
    if ladder:
        _refuse_for_ladder(bots, records, parquet)
    spreading.ready(parquet, found, ())
    which = spreading.wanted(records, record, games or GAMES)
    rule = Sprt(elo0, elo1)
    most = games or (MOST if sprt or ladder else GAMES)
    seats = players if players is not None else found.facts.players[0]
    options = output.parse_options(option)
    audited = spreading.share(audit, ray)
    chosen_edition = output.edition_of(found, edition, changes)
    wish = Wish(
        found, seats, chosen_edition, options, most, seconds, seed, processes, out, plot, json, clock, ray, audited,
        records, which, parquet,
    )  # fmt: skip
    if ladder:
        given = {"--players": players, "--edition": edition, "--games": games, "--seconds": seconds, "--seed": seed}
        given |= {"--elo0": elo0 or None, "--elo1": elo1 if elo1 != Sprt.elo1 else None}
        again = output.command(f"arena {found.name}", given, option, "--ladder --write", changes)
        ended = _ladder(wish, rule, again, write)
    else:
        chosen = tuple(output.bot_list(bots)) if bots else choices(found)
        ended = _contest(wish, chosen, Running(rule) if sprt else None)
    if ended == "interrupted":
        raise typer.Exit(output.INTERRUPTED)


def _refuse_for_ladder(bots: str | None, records: Path | None, parquet: Path | None) -> None:
    """Refuse options that do not go with --ladder."""
    if bots:
        raise BadSetup("A ladder uses all bots of the game, so don't name any.")
    if records:
        raise BadSetup("A ladder writes no records; play two of its bots alone.")
    if parquet:
        raise BadSetup("A ladder writes no Parquet files; play two of its bots alone.")


# A contest ---------------------------------------------------------------------------------------
def _contest(wish: Wish, bots: tuple[str, ...], test: Running | None) -> str:
    """Play a contest between bots and print it. Return why it ended (`parlour.analysis.arena.Run`)."""
    from parlour.analysis import parquet, recording
    from parlour.analysis.arena import Contest

    if test is not None and len(bots) != 2:
        raise BadSetup(f"--sprt decides between two bots, not {len(bots)}.")
    picture = wish.plot or (wish.out.with_suffix(".svg") if wish.out else None)
    if picture is not None and picture == wish.out:
        raise BadSetup(f"The picture would overwrite the games in {wish.out}. Choose another file.")
    output.open_file(picture)
    edition = wish.game.edition(wish.edition)
    contest = Contest(wish.game, bots, wish.players, edition, wish.options, wish.seed, wish.clock)
    if wish.audit and any(map(contest.is_own, contest.bots)):
        raise BadSetup("An audit needs bots that decide the same on every machine; one of your own has a clock.")
    with _crew(wish) as crew:
        result = _run(contest, wish, crew, test)
    if wish.records:
        recording.write(
            wish.records, f"{contest.game.name}-{edition}-{wish.players}p", recording.of_arena(result, wish.which)
        )
    if result.ended != "interrupted":
        spreading.tables(wish.parquet, lambda: [parquet.of_arena(result)], wish.ray, wish.audit)
    _tell(result, test, picture, wish.json)
    return result.ended


@contextmanager
def _crew(wish: Wish) -> Iterator[Crew]:
    from parlour.analysis.arena import Crew
    from parlour.analysis.places import Here

    if wish.ray is None:
        with Crew(wish.processes) as crew:
            yield crew
    else:
        with spreading.place(wish.ray, Here()) as where:
            yield Crew(None, where, wish.audit, spreading.notice)


def _run(contest: Contest, wish: Wish, crew: Crew, test: Running | None) -> Run:
    from parlour.analysis.arena import run
    from parlour.analysis.results import Results
    from parlour.analysis.standings import score

    first = contest.bots[0]
    with ExitStack() as stack:
        kept = stack.enter_context(Results(wish.out, contest)) if wish.out else None
        tell = stack.enter_context(output.progress("playing", "compiling (the first time only)"))
        return run(
            contest, wish.games, crew, before=kept.played if kept else (), keep=kept.keep if kept else None,
            enough=(lambda block: test.add([score(block, first)])) if test else None, seconds=wish.seconds,
            progress=tell,
        )  # fmt: skip


def _tell(result: Run, test: Running | None, plot: Path | None, json: bool) -> None:
    from parlour.analysis import standings

    faults = [game.fault for block in result.blocks for game in block if game.fault]
    if plot:
        output.write(plot, standings.picture(result))
    if json:
        output.emit(standings.as_dict(result, test) | {"faults": faults})
        return
    contest, blocks = result.contest, result.blocks
    order = standings.standings(contest, blocks)
    table = _table("bot", "rating", "95 %", "share of a seat's wins", "95 %", "seats", "mean score", "ms a decision")
    for one in order:
        rating, wins = one.rating, one.wins
        table.add_row(
            one.bot, f"{rating.rating:.0f}", f"{rating.low:.0f} to {rating.high:.0f}", f"{wins.share:.1%}",
            f"{wins.low:.1%} to {wins.high:.1%}", f"{one.seats:,}", f"{one.score:,.1f}", f"{one.milliseconds:.3g}",
        )  # fmt: skip
    console = output.console()
    console.print(table)
    names = [one.bot for one in order]
    matrix = _table("wins of, in per cent", *(f"against {name}" for name in names))
    for name in names:
        shares = [None if other == name else standings.versus(name, other, blocks) for other in names]
        matrix.add_row(name, *(standings.in_short(share) if share else "" for share in shares))
    console.print(matrix)
    if any(one.fair for one in order):
        _tell_luck(order)
    facts = {
        "game": f"{contest.game.text.TITLE}, edition {contest.box.name}, {contest.players} players",
        "games": f"{result.games:,}, whole blocks {len(blocks):,}, {result.seconds:.1f} s: {ENDED[result.ended]}",
    }
    if test is not None:
        first, second = contest.bots
        facts["strength"] = f"{first} over {second}: {standings.elo(standings.versus(first, second, blocks))} Elo"
        facts["test"] = _test(test)
    output.facts(facts | output.faults(faults))


def _tell_luck(order: list[Standing]) -> None:
    """Print each bot's share of the wins with luck and without it."""
    table = _table("luck taken out", "share of a seat's wins", "95 %", "without luck", "95 %", "variance")
    for one in order:
        if one.fair is not None:
            table.add_row(
                one.bot, f"{one.wins.share:.1%}", f"{one.wins.low:.1%} to {one.wins.high:.1%}", f"{one.fair.share:.1%}",
                f"{one.fair.low:.1%} to {one.fair.high:.1%}", f"÷ {one.gain:.2f}" if one.gain else "",
            )  # fmt: skip
    output.console().print(table)


def _test(test: Running) -> str:
    sprt = test.sprt
    words = {
        "H0": f"H0 accepted: at most {sprt.elo0:g} Elo stronger",
        "H1": f"H1 accepted: at least {sprt.elo1:g} Elo stronger",
        "": f"undecided between at most {sprt.elo0:g} and at least {sprt.elo1:g} Elo",
    }
    return f"{words[test.verdict]} (ratio {test.ratio:.2f} in {sprt.lower:.2f} to {sprt.upper:.2f})"


# The ladder --------------------------------------------------------------------------------------
def _ladder(wish: Wish, rule: Sprt, command: str, write: bool) -> str:
    """Play a ladder and print it; `write` its section, with the `command` that made it. Return why it ended."""
    page = _page() if write else None
    output.open_file(wish.plot)
    with _crew(wish) as crew:
        rungs = _climb(wish, rule, crew)
    _tell_ladder(rungs, wish.plot, page, command, wish.json)
    return rungs[-1].run.ended


def _climb(wish: Wish, rule: Sprt, crew: Crew) -> list[Rung]:
    from parlour.analysis.ladder import climb
    from parlour.analysis.shapes import shapes
    from parlour.bots import choices

    shaped = shapes(wish.game, wish.players, wish.edition, wish.options)
    if len(choices(wish.game)) < 2:
        raise BadSetup(f"{wish.game.name} has only one bot, but a ladder needs two.")
    rungs = []
    with output.progress("playing", "compiling (the first time only)") as tell:
        for rung in climb(
            shaped, rule, wish.games, crew, seed=wish.seed, seconds=wish.seconds, folder=wish.out, progress=tell
        ):
            rungs.append(rung)
            if wish.json:
                output.emit(rung.as_dict())
    return rungs


def _tell_ladder(rungs: list[Rung], plot: Path | None, page: Path | None, command: str, json: bool) -> None:
    from parlour.analysis import ladder

    if not json:
        table = _table("variant", *ladder.HEADS)
        for rung in rungs:
            table.add_row(rung.shape.variant, *ladder.cells(rung))
        output.console().print(table)
    if plot:
        output.write(plot, ladder.picture(rungs))
    if page and rungs[-1].run.ended != "interrupted":
        ladder.write(rungs, command, page)


def _page() -> Path:
    """Return the path of docs/bots.md. Raises NoFile if Parlour does not run from its source."""
    import parlour

    page = Path(parlour.__file__).parents[1] / "docs" / "bots.md"
    if not page.parent.is_dir():
        raise output.NoFile(f"{page.parent} doesn't exist. --write works only if Parlour runs from its source.")
    return page


def _table(*heads: str) -> Table:
    from rich.table import Table

    table = Table(*heads)
    for column in table.columns[1:]:
        column.justify = "right"
    return table
