"""`parlour tune`: values of an edition that bring a game near a goal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from parlour.bots.own import SECONDS
from parlour.cli import output, setups, spreading

if TYPE_CHECKING:
    from parlour.analysis.tuning import Tuned

PACE = 10.0


def tune(
    game: output.GameName,
    toward: Annotated[
        str, typer.Option("--toward", metavar="GOAL", help='"1st 50 %, 25 minutes, at most 8 % shared wins"')
    ],
    vary: setups.Vary = None,
    option: setups.VaryOptions = None,
    evaluations: Annotated[int, typer.Option(min=1, max=1000, help="Points that the search looks at.")] = 60,
    games: Annotated[int, typer.Option("--games", "-n", min=2, help="Games of each look.")] = 200,
    final: Annotated[int, typer.Option(min=2, help="Games of the answer, and of each step beside it.")] = 2000,
    players: output.Players = None,
    bots: output.BotNames = None,
    seed: output.Seed = 1,
    edition: output.EditionName = None,
    pace: setups.Pace = PACE,
    clock: output.Clock = SECONDS,
    out: setups.Resumed = None,
    ray: spreading.Ray = None,
    audit: spreading.Audit = None,
    json: output.Json = False,
) -> None:
    """Search values for those with which the game is nearest a goal, and show the price of each compromise.

    A goal is terms with commas between: a number and a measure, perhaps with "at most" or "at least", and with a
    tolerance: "first player 50 ± 1 %, 25 ± 5 minutes". A term's loss is the square of its distance, in tolerances.
    The search (NTBEA) plays a few games of each point; the answer, the game as it was, and each value one step up or
    down are then played with many. The same command with --out continues.

    Example: `parlour tune GAME --set deck.gold=2..8 --set hand=4,5,6 --toward "first player 50 %, 25 minutes"`
    """
    from parlour.analysis import goals, measures, tuning
    from parlour.games import find

    found = find(game)
    axes, changes, options = setups.varied(found, vary, option)
    setup = setups.made(found, players, edition, changes, options, bots, seed, clock)
    goal = goals.read(toward, measures.all_measures(setup).values())
    with spreading.playing(out, ray, audit) as how:
        result = tuning.tune(setup, axes, goal, evaluations=evaluations, games=games, final=final, pace=pace, how=how)
    if json:
        output.emit(result.as_dict())
    else:
        _print(found.text.TITLE, result)


def _print(title: str, result: Tuned) -> None:
    from rich.table import Table

    table = Table("", *(term.words for term in result.goal.terms), "loss", title=f"{title}: {result.setup.shape}")
    for column in table.columns[1:]:
        column.justify = "right"
    for line in result.table():
        table.add_row(*line)
    output.console().print(table)
    answer = ", ".join(f"{name} = {value}" for name, value in result.point.items())
    output.facts({"nearest": answer, "looked at": f"{len(result.evaluations):,} points, some of them again"})
