"""`parlour train`: a small network learns to judge positions from games of the search against itself."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parlour.cli import output, spreading
from parlour.core.errors import BadSetup
from parlour.core.facts import RULESET

if TYPE_CHECKING:
    from parlour.analysis.selfplay import Side
    from parlour.analysis.training import Course, Round, Score, Verdict
    from parlour.core.game import Game
    from parlour.engine.weights import Weights

ACCEPTING = 400  # games, unless said

Rounds = Annotated[int, typer.Option(min=1, help="Rounds: games, learning, and games to see how strong it is.")]
Simulations = Annotated[int, typer.Option(min=0, help="Simulations of each decision; 0: without a search.")]
Games = Annotated[
    int | None,
    typer.Option("--games", "-n", min=2, help=f"Games of a round; with --accept, of all (then {ACCEPTING})."),
]
Hidden = Annotated[int, typer.Option(min=1, max=256, help="Hidden units of the network.")]
Correct = Annotated[bool, typer.Option("--correct/--alone", help="Correct the policy's outlook, or judge without it.")]
Epochs = Annotated[int, typer.Option(min=1, help="How often a round learns from each position.")]
Result = Annotated[
    float,
    typer.Option(
        min=0, max=1, help="How much the end of the game counts, against what the search, or else the network, said."
    ),
]
Window = Annotated[int, typer.Option(min=1, help="Learn from this number of rounds, the last ones.")]
Duels = Annotated[int, typer.Option(min=2, help="Games against the outlook after each round.")]
Out = Annotated[
    Path | None, typer.Option("--out", metavar="DIR", help="Write everything to this folder, or continue there.")
]
Accept = Annotated[
    Path | None,
    typer.Option("--accept", metavar="FILE", help="Don't train: play this network against the outlook at equal time."),
]
Against = Annotated[
    str | None,
    typer.Option(
        "--against",
        metavar="BOT",
        help="Learn to beat this bot, which has all other seats: greedy, learned or a network's file. "
        "It needs --simulations 0.",
    ),
]
Processes = Annotated[
    int | None,
    typer.Option("--processes", min=1, help="Processes; they don't change anything.  [default: one per core]"),
]


def train(
    game: output.GameName,
    rounds: Rounds = 10,
    games: Games = None,
    simulations: Simulations = 300,
    hidden: Hidden = 32,
    correct: Correct = True,
    epochs: Epochs = 4,
    result: Result = 0.5,
    window: Window = 5,
    duels: Duels = 100,
    players: output.Players = None,
    edition: output.EveryEdition = None,
    option: output.Options = None,
    seed: output.Seed = 1,
    out: Out = None,
    accept: Accept = None,
    against: Against = None,
    processes: Processes = None,
    ray: spreading.Ray = None,
    audit: spreading.Audit = None,
    json: output.Json = False,
) -> None:
    """Train a network that judges positions inside the search, from games of the search against itself.

    Each round plays games, learns from them and the rounds before, and plays against the policy's outlook, both with
    the same number of simulations. With --simulations 0 nothing is searched: the network learns from what it says of
    later positions, and plays against `greedy`, or with --against as an exploiter of another bot. The folder gets the
    games, a network for each round, a log and a picture. The same command continues where it ended. A network is good
    for play only if it wins at equal time: --accept plays that.

    Examples: `parlour train GAME --out net`, `parlour train GAME --accept net/net-10.npz --games 400`
    """
    from parlour.analysis import learning, training
    from parlour.games import find

    found = find(game)
    if out is None and accept is None:
        raise BadSetup("Name the folder to train in with --out, or a network with --accept.")
    seats = players if players is not None else found.facts.players[0]
    training.checked(found, seats)
    editions = tuple(found.editions) if edition is None else (found.named(edition).name,)
    options = tuple(found.options(output.parse_options(option)).items())
    lessons = learning.Lessons(hidden, correct, epochs, result, seed)
    course = training.Course(
        found, seats, editions, options, lessons, rounds, games or training.Course.games, simulations, window, duels,
        _rival(found, seats, dict(options), against, simulations),
    )  # fmt: skip
    if accept is not None:
        _accept(course, accept, games or ACCEPTING, out, processes, ray, spreading.share(audit, ray), json)
    elif out is not None:
        _train(course, out, processes, ray, spreading.share(audit, ray), json)


def _rival(game: Game, players: int, options: Mapping[str, object], named: str | None, simulations: int) -> Side | None:
    """Return the bot to be beaten. Raises BadSetup, and NoFile for a file that cannot be read."""
    from parlour.analysis.selfplay import Side
    from parlour.bots import nets

    if named is None:
        return None
    if simulations:
        raise BadSetup("--against needs --simulations 0: an exploiter plays without a search.")
    if named == "greedy":
        return Side(0)
    net = nets.of_game(game, players, str(options.get(RULESET, ""))) if named == "learned" else _read(game, Path(named))
    if net is None:
        raise BadSetup(f"{game.name} has no network for {players} players, so no bot `learned`. Try --against greedy.")
    return Side.of(0, net)


def _read(game: Game, file: Path) -> Weights:
    from parlour.engine import weights

    try:
        data = file.read_bytes()
    except OSError as error:
        raise output.NoFile(f"Can't read {file}: {error.strerror}.") from None
    return weights.read(data, game)


def _train(course: Course, out: Path, processes: int | None, ray: str | None, audit: float, json: bool) -> None:
    from parlour.analysis import training
    from parlour.analysis.places import Here

    output.open_folder(out)
    if not json:
        output.console().print(f"{course.game.text.TITLE}: {course.rounds} rounds of {course.games:,} games in {out}")

    def note(one: Round) -> None:
        if not json:
            output.console().print(
                f"round {one.number}: {one.positions:,} positions, loss {one.loss:.4f} (outlook {one.outlook:.4f}), "
                f"wins {said(one.score)} of {one.score.games:,} games, {one.hours:.3f} h"
            )

    with (
        spreading.place(ray, Here(processes)) as where,
        output.progress("training", "compiling (the first time only)") as tell,
    ):
        done = training.train(course, out, training.How(where, audit, tell, spreading.notice), note)
    if json:
        output.emit([{"round": one.number, "loss": one.loss, "hours": one.hours} | _plain(one.score) for one in done])
    else:
        output.facts({"network": str(out / f"net-{len(done)}.npz"), "picture": str(out / "strength.svg")})


def _accept(
    course: Course, file: Path, games: int, out: Path | None, processes: int | None, ray: str | None, audit: float,
    json: bool,
) -> None:  # fmt: skip
    from parlour.analysis import training
    from parlour.analysis.places import Here

    net = _read(course.game, file)
    if out is not None:
        output.open_folder(out)
    with (
        spreading.place(ray, Here(processes)) as where,
        output.progress("playing", "compiling (the first time only)") as tell,
    ):
        verdict = training.accept(course, net, games, training.How(where, audit, tell, spreading.notice), out)
    if json:
        output.emit(
            {"accepted": verdict.accepted, "simulations": list(verdict.simulations), "bytes": verdict.size}
            | _plain(verdict.score)
        )
    else:
        output.facts(_facts(verdict, "its rival" if course.rival is not None else "greedy"))


def _facts(verdict: Verdict, unsearched: str) -> dict[str, str]:
    score = verdict.score
    network, outlook = (
        f"{simulations:,} simulations of {microseconds:.3g} µs" if simulations else "no search"
        for simulations, microseconds in zip(verdict.simulations, score.microseconds, strict=True)
    )
    return {
        "network": f"{network}, {verdict.size:,} bytes",
        ("outlook" if verdict.simulations[1] else unsearched): outlook,
        "wins": f"{said(score)} of {score.games:,} games; {verdict.even:.1%} is even",
        "verdict": "accepted" if verdict.accepted else "not accepted",
    }


def said(score: Score) -> str:
    """Return a share with its interval, for people."""
    return f"{score.share:.1%} ({score.low:.1%} to {score.high:.1%})"


def _plain(score: Score) -> dict[str, object]:
    return {
        "games": score.games, "share": score.share, "low": score.low, "high": score.high,
        "microseconds": list(score.microseconds),
    }  # fmt: skip
