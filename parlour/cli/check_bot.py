"""`parlour check-bot`: a bot of your own plays every ruleset, and its faults are listed."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from parlour.bots.own import SECONDS
from parlour.cli import output


def check_bot(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="`module:Class`, or a program as `program:COMMAND`.")],
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="Only this game.  [default: all that the bot says it plays]")
    ] = None,
    clock: output.Clock = SECONDS,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0, help="Begin no further games after this many seconds; 0 for no limit.")
    ] = 60,
    json: output.Json = False,
) -> None:
    """Check a bot of your own: let it play a game of every ruleset, edition and number of players.

    It sits among random bots, at another seat each time. A crash, no answer in time, an answer that is not legal and
    too much memory are faults; each is one sentence. Exit status 1 if there is any.

    Examples: `parlour check-bot mybots:Careful GAME`, `parlour check-bot "program:python bot.py"`
    """
    from parlour.analysis import bot_check
    from parlour.games import find

    games = [find(game)] if game else []
    with output.progress("playing", "preparing") as progress:
        report = bot_check.run(bot, games, clock, seconds, progress)
    if json:
        output.emit({"bot": bot, **asdict(report)})
    else:
        for fault in report.faults:
            print(fault)
        count = len(report.faults)
        said = "no fault" if not count else f"{count} fault{'s' * (count > 1)}"
        short = f"; {report.left} games not begun, --seconds allows more" if report.left else ""
        print(f"{report.played} games played, {said}{short}.")
    if report.faults:
        raise typer.Exit(1)
