"""All commands in one app. Errors become one line on stderr and an exit status, never a traceback."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Annotated

import typer

from parlour import __version__
from parlour.cli import (
    advise,
    analyse,
    arena,
    asking,
    bench,
    bots,
    calibrate,
    check,
    check_bot,
    compare,
    compile,
    door,
    edition,
    extras,
    house,
    mcp,
    new_game,
    notes,
    play,
    puzzles,
    records,
    regret,
    report,
    rules,
    serve,
    simulate,
    site,
    solve,
    stats,
    sweep,
    train,
    tune,
)  # fmt: skip
from parlour.cli import games as games_command
from parlour.core.errors import ParlourError

# The exit status by the error's code; for any other ParlourError it is REFUSED. EPILOG documents them.
REFUSED, USAGE = 1, 2
STATUS = {
    "unknown-name": USAGE,
    "bad-setup": USAGE,
    "bad-parts": USAGE,
    "record-error": 3,
    "broken-record": 3,
    "other-rules": 3,
    "no-file": 3,
    "other-results": 3,
    "unfair-record": 4,
    "port-in-use": 5,
    "database-unreachable": 6,
}
EPILOG = """
Exit status: 0 success; 1 refused or failed; 2 invalid command line (for example an unknown game, edition, option or
bot); 3 a record or a file of results can't be read; 4 a record isn't fair; 5 the port is in use; 6 the database isn't
available; 130 interrupted. Each error is one line on standard error.
"""

app = typer.Typer(
    name="parlour",
    help="Tabletop games: play them in the browser or here, replay, verify and simulate them.\n\nWithout a command, "
    "`parlour serve` runs and opens a table in the browser.",
    epilog=" ".join(EPILOG.split()),
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"parlour {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001 - typer calls _version
        bool, typer.Option("--version", help="Print the version and exit.", callback=_version, is_eager=True)
    ] = False,
    games: Annotated[
        list[Path] | None,
        typer.Option(
            "--games",
            metavar="DIR",
            help="Add the game in this folder, or the games in its subfolders; can be given several times. The "
            "environment variable PARLOUR_GAMES does the same.",
        ),
    ] = None,
) -> None:
    if games:
        from parlour.games import add_folders

        add_folders(games)
    if context.invoked_subcommand is None:
        serve.serve()


for command in (
    serve.serve, play.play, simulate.simulate, stats.stats, arena.arena, records.replay, records.verify,
    compare.compare, sweep.sweep, tune.tune, train.train, regret.regret, calibrate.calibrate, report.report,
    edition.edition,
    analyse.analyse, notes.notes, rules.rules, bench.bench, games_command.games, bots.bots,
    check.check, check_bot.check_bot, mcp.mcp, compile.compile, new_game.new_game,
    site.site,
):  # fmt: skip
    app.command()(command)
app.add_typer(house.app)
app.add_typer(puzzles.app)
for asked in (solve.solve, advise.advise):  # their options depend on the game
    app.command(context_settings=asking.ALL)(asked)


def run(arguments: list[str], commands: typer.Typer = app, name: str = "parlour") -> int:
    """Run one command and return the exit status. A program beside Parlour has `commands` and a `name` of its own."""
    door.enter()
    return door.leave(_status(arguments, commands, name))


def _status(arguments: list[str], commands: typer.Typer, name: str) -> int:
    try:
        commands(arguments, prog_name=name)
    except SystemExit as exit:
        return exit.code if isinstance(exit.code, int) else 0
    except ParlourError as error:
        return _fail(str(error), STATUS.get(error.code, REFUSED))
    except OSError as error:
        if error.errno == errno.EPIPE or door.is_output(error):
            return REFUSED  # `door.leave` says what could not be written
        return _fail(f"{error.filename or 'system'}: {error.strerror or error}", REFUSED)
    except Exception as error:
        from parlour.games import blame

        if not (fault := extras.missing(error) or blame(error)):
            raise
        return _fail(str(fault), REFUSED)
    return 0  # pragma: no cover - typer always exits


def _fail(message: str, status: int) -> int:
    door.complain(message)
    return status
