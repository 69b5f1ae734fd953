"""Records of games that were simulated: the longest, the closest, the shortest, any by its number, or all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from parlour import bots as known
from parlour.analysis.arena import Run
from parlour.analysis.batches import Batch
from parlour.analysis.crew import match_of
from parlour.analysis.statistics import Numbers, Statistics, least, margins
from parlour.bots import outside, solved
from parlour.bots.outside import Named
from parlour.bots.stepwise import Played, Table
from parlour.core.contract import CHANCE
from parlour.core.errors import BadSetup
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.engine.recorded import replayed
from parlour.engine.simulate import MOST, Simulation

LONGEST, CLOSEST, SHORTEST, ALL = "longest", "closest", "shortest", "all"
USUAL = (LONGEST, CLOSEST, SHORTEST)


def chosen(which: Sequence[str], usual: Mapping[str, int], games: int) -> dict[str, int]:
    """Return the numbers of games by their names: those that are `usual` ("longest"), "game-7" for number 7, and every
    game for "all". Raises BadSetup for another name, and for a number that there is not."""
    found: dict[str, int] = {}
    for name in which:
        if name in usual:
            found[name] = usual[name]
        elif name == ALL:
            found |= {f"game-{number}": number for number in range(games)}
        elif name.isdecimal() and int(name) < games:
            found[f"game-{int(name)}"] = int(name)
        else:
            allowed = ", ".join((*usual, ALL))
            raise BadSetup(f"{name!r} names no game: it can be {allowed}, or a game's number from 0 to {games - 1}.")
    return found


def usual(result: Simulation | Statistics) -> dict[str, int]:
    """Return the numbers of the games that are usually asked for (`named`)."""
    if isinstance(result, Statistics):
        return {LONGEST: result.longest, CLOSEST: result.closest, SHORTEST: result.shortest}
    return named(result.lengths, result.scores, result.finished)


def named(lengths: Numbers, scores: Numbers, finished: NDArray[np.bool_]) -> dict[str, int]:
    """Return the places of the longest game, and of those that were finished the closest (by the two best scores of its
    row) and the shortest; the first of equals."""
    return {
        LONGEST: int(lengths.argmax()),
        CLOSEST: least(margins(scores), finished),
        SHORTEST: least(lengths, finished),
    }


def of_arena(result: Run, which: Sequence[str]) -> dict[str, Match]:
    """Return games of an arena's whole blocks by their names, numbered in the order in which they count.

    They are played once more: a game of a contest depends on nothing but its number. Raises BadSetup as `chosen` does.
    """
    played = [game for block in result.blocks for game in block]
    if not played:
        return {}
    lengths = np.array([sum(game.decisions) for game in played])
    over = np.array([not game.fault and any(game.returns) for game in played])
    places = chosen(which, named(lengths, np.array([game.scores for game in played]), over), len(played))
    jobs = {name: result.contest.jobs(played[at].block)[played[at].number] for name, at in places.items()}
    return {name: match_of(job)[0] for name, job in jobs.items()}


def again(batch: Batch, number: int, *, watched: bool = False) -> Match:
    """Play a game of a batch again, and return its match. Arguments and errors as of `played`."""
    return played(batch, number, watched=watched).match


def refuse_solvers(game: Game, bots: Iterable[Named]) -> None:
    """Raise BadSetup if a bot plays by the game's solver: plain rules would take too long to play its games again."""
    if set(bots) & set(solved.names(game)):
        raise BadSetup("Games of bots that play by a solver have no records: plain rules would take too long.")


def played(batch: Batch, number: int, *, watched: bool = False) -> Played:
    """Play a game of a batch again, and return it. `watched`: as statistics play it, else as a simulation does.

    Raises BadSetup if a bot plays by the game's solver.
    """
    shape = batch.shape
    game, edition, options = shape.game, shape.box, shape.game.options(shape.options)
    seated = outside.seated(batch.bots, shape.players)
    if not batch.compiled:
        table = Table(game, edition, options, seated, batch.seed, batch.clock)
        try:
            return table.play(number)
        finally:
            table.close()
    refuse_solvers(game, seated)
    match = Match(game, names=list(map(outside.label, seated)), edition=edition, options=options, seed=0, auto=False)
    policies = [known.driver(game, outside.label(name)) for name in seated]
    match = replayed(match, policies, batch.seed, number, MOST, watched=watched)
    shares = match.returns if match.over else (0.0,) * len(seated)
    return Played(match, sum(actor != CHANCE for actor, _, _ in match.steps), shares, None)


def write(folder: Path, prefix: str, games: dict[str, Match]) -> list[Path]:
    """Write the records of games to files `PREFIX-NAME.txt` of a folder, and return their paths. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, match in games.items():
        file = folder / f"{prefix}-{name}.txt"
        file.write_text(match.record().to_text(), "utf-8")
        written.append(file)
    return written
