"""`parlour puzzles`: positions in which one decision is best. They are solved here, and mined from games of bots."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer.core import TyperGroup

from parlour.cli import output, spreading
from parlour.core.errors import BadSetup, UnknownName
from parlour.core.facts import RULESET

if TYPE_CHECKING:
    from parlour.analysis.blocks import Status
    from parlour.core.game import Game
    from parlour.core.puzzle import Collection, Puzzle

SOLVE = "solve"
WANTED = 300  # puzzles of a file
EASIEST, HARDEST = 0.0, 4000.0


class Group(TyperGroup):
    """A group whose first argument may be what `solve` takes, so that `parlour puzzles GAME` solves."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        """See click."""
        known = {*self.commands, *ctx.help_option_names}
        return super().parse_args(ctx, args if args and args[0] in known else [SOLVE, *args])


app = typer.Typer(
    name="puzzles",
    cls=Group,
    help="Solve puzzles: positions of games in which one decision is best. Or mine new ones. `parlour puzzles GAME` is "
    "`parlour puzzles solve GAME`.",
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)


# Mining ------------------------------------------------------------------------------------------------
Games = Annotated[int, typer.Option("--games", min=1, help="How many games to play.")]
Simulations = Annotated[
    int, typer.Option("--simulations", min=100, help="Simulations of the first search; ten times as many check it.")
]
Least = Annotated[
    float | None,
    typer.Option(
        "--least", min=0.1, max=99.0, metavar="POINTS",
        help="By how many points (per cent of the wins) the best choice must lead.  [default: 10, where exact 2]",
    ),
]  # fmt: skip
Quick = Annotated[
    bool, typer.Option("--quick", help="Look closely only where greedy differs from a short search or the network.")
]
Wanted = Annotated[int, typer.Option("--most", min=1, help="How many puzzles to keep, of all ratings.")]
Out = Annotated[Path, typer.Option("--out", metavar="FILE", help="The file of puzzles to write.")]
Blocks = Annotated[
    Path | None,
    typer.Option("--blocks", metavar="FILE", help="Keep what each game gave in this file; the same command continues."),
]


@app.command()
def mine(
    game: output.GameName,
    out: Out,
    games: Games = 100,
    edition: Annotated[str | None, typer.Option("--edition", metavar="NAME", help="An edition of the game.")] = None,
    option: output.Options = None,
    players: output.Players = None,
    seed: output.Seed = 1,
    simulations: Simulations = 1_000,
    least: Least = None,
    quick: Quick = False,
    most: Wanted = WANTED,
    blocks: Blocks = None,
    jobs: spreading.Jobs = None,
    ray: spreading.Ray = None,
    audit: spreading.Audit = None,
) -> None:
    """Mine puzzles from games between bots of mixed levels.

    A decision becomes a puzzle if one choice is 10 points better than every other, and is so again in a search of ten
    times as many simulations; 2 points where the game's solver is exact. Each level is asked what it would do, which
    gives the ratings. What all levels find is not a puzzle. A file in the game's folder, `puzzles/RULESET.xz` or
    `puzzles/puzzles.xz`, is what everyone solves.

    Example: `parlour puzzles mine GAME --games 200 --out puzzles.xz`
    """
    from parlour.analysis import mining
    from parlour.analysis.blocks import collect
    from parlour.analysis.places import Here
    from parlour.core.puzzle import write
    from parlour.games import find

    found = find(game)
    options = found.options(output.parse_options(option))
    way = mining.way_of(
        found, edition=edition, options=options, players=players, least=None if least is None else least / 100,
        seed=seed, simulations=simulations, quick=quick,
    )  # fmt: skip
    plan = mining.plan(way, games)
    output.open_file(out)
    output.open_file(blocks)
    given = {
        "--edition": edition, "--players": players, "--games": games, "--seed": seed,
        "--simulations": None if simulations == mining.SIMULATIONS else simulations, "--least": least,
    }  # fmt: skip
    command = output.command(f"puzzles mine {game}", given, option, f"{'--quick ' * quick}--out FILE")
    with (
        spreading.place(ray, Here(jobs)) as where,
        output.progress("mining", "compiling (the first time only)") as tell,
    ):

        def told(status: Status) -> None:
            tell(status.done, status.total, "games")

        results = collect(
            plan, where, blocks, audit=spreading.share(audit, ray), progress=told, notice=spreading.notice
        )
    made = mining.collected(way, results, most, command)
    out.write_bytes(write(made))
    ratings = [one.rating for one in made.puzzles]
    print(f"{len(made.puzzles)} puzzles in {out}, rated {min(ratings):.0f} to {max(ratings):.0f}.")


# Solving -----------------------------------------------------------------------------------------------
def _chosen(every: Collection, daily: bool, rating: float | None, key: str | None) -> list[Puzzle]:
    """Return the puzzles to solve, in order. Raises UnknownName."""
    if key is not None:
        try:
            return [every.of(key)]
        except KeyError:
            raise UnknownName(f"There is no puzzle {key!r} in this file.") from None
    if daily:
        return [every.of_turn(datetime.fromtimestamp(time.time(), UTC).toordinal())]
    if rating is not None:
        return sorted(every.puzzles, key=lambda one: abs(one.rating - rating))
    return list(every.puzzles)


@app.command()
def solve(
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="A game; without one, those that have puzzles are listed."),
    ] = None,
    option: output.Options = None,
    daily: Annotated[bool, typer.Option("--daily", help="Only today's puzzle of this game.")] = False,
    rating: Annotated[
        float | None,
        typer.Option("--rating", min=EASIEST, max=HARDEST, help="Begin with puzzles of about this rating."),
    ] = None,
    key: Annotated[str | None, typer.Option("--key", metavar="KEY", help="Only the puzzle with this key.")] = None,
    file: Annotated[
        Path | None, typer.Option("--file", metavar="FILE", help="Puzzles that `parlour puzzles mine` wrote.")
    ] = None,
) -> None:
    """Solve puzzles in the terminal: type the best move, and see what each choice is worth.

    `moves` lists the legal moves, `log` says what happened before, `skip` shows the answer, `quit` ends. The easiest
    come first. You can also pipe moves in, one per line.

    Examples: `parlour puzzles`, `parlour puzzles solve GAME --rating 1600`, `parlour puzzles GAME --daily`
    """
    from parlour.cli.puzzling import Sitting
    from parlour.core.puzzle import puzzles_of, read
    from parlour.games import find

    if game is None:
        if file is not None or key is not None or daily or rating is not None:
            raise BadSetup("Name a game: `parlour puzzles GAME`.")
        return _list()
    found = find(game)
    ruleset = found.options(output.parse_options(option)).get(RULESET, "")
    if file is not None:
        every: Collection | None = read(_contents(file))
    else:
        every = puzzles_of(found, ruleset)
    if every is None:
        raise BadSetup(f"{found.text.TITLE} has no puzzles here. `parlour puzzles mine {game}` makes some.")
    if every.game != found.name:
        raise BadSetup(f"{file} has puzzles of {every.game}.")
    Sitting(found, every).run(_chosen(every, daily, rating, key))


def _contents(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise output.NoFile(f"Can't read {file}: {error.strerror}.") from None


def _list() -> None:
    """Print the games that have puzzles, and how many."""
    from parlour.games import all_games

    rows = [row for _, game in sorted(all_games().items()) for row in _rows(game)]
    if not rows:
        print("No game has puzzles here. `parlour puzzles mine GAME` makes some.")
    else:
        output.facts(dict(rows))


def _rows(game: Game) -> list[tuple[str, str]]:
    from parlour.core.puzzle import puzzles_of

    found = []
    for ruleset in game.rulesets:
        if (every := puzzles_of(game, ruleset)) is not None:
            ratings = [one.rating for one in every.puzzles]
            words = f"{len(ratings)} puzzles, rated {min(ratings):.0f} to {max(ratings):.0f}"
            found.append((f"{game.name} --option {RULESET}={ruleset}" if ruleset else game.name, words))
    return found
