"""`parlour.simulate`: named bots at the seats of a named game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from parlour import bots as known
from parlour.bots import outside, solved
from parlour.bots.outside import Named
from parlour.bots.own import SECONDS
from parlour.core.edition import EditionLike
from parlour.core.errors import BadSetup, positive, whole
from parlour.core.facts import Chosen
from parlour.core.game import Game
from parlour.games import find

if TYPE_CHECKING:
    from parlour.engine.simulate import Progress, Simulation


def simulate(
    game: str | Game,
    players: int | None = None,
    *,
    bots: Named | Sequence[Named] | None = None,
    games: int | range = 1000,
    seed: int = 1,
    edition: EditionLike | None = None,
    options: Chosen | None = None,
    progress: Progress | None = None,
    threads: int | None = None,
    clock: float = SECONDS,
) -> Simulation:
    """Play many games between bots, on all cores (or on `threads` threads).

    `bots` names one bot for each seat, or one for all; random by default. The same seed gives the
    same games, whatever the number of threads, and game g does not depend on the number of games:
    `games` may be a range of their numbers instead.
    `progress(done, games)` is called now and then.

    A bot of your own is a `parlour.Bot` (a class or an object), or a text `module:Class` or
    `program:COMMAND`. It has `clock` seconds for each decision; if it fails, it loses that game,
    and `Simulation.faults` says why. Games with one, and those with a bot that searches, are
    played step by step on one thread; all others are compiled.

    Raises UnknownName (game, edition, option, bot) and BadSetup (numbers that do not fit). Raises
    Ctrl-C as `parlour.engine.simulate.Interrupted`, a KeyboardInterrupt whose `result` is the
    Simulation of the games played so far.
    """
    found = game if isinstance(game, Game) else find(game)
    seats = players if players is not None else _seats(found, bots)
    chosen = outside.seated(bots, whole(seats, "The number of players"))
    names = tuple(map(outside.label, chosen))
    positive(clock, "Seconds")
    numbers = _numbers(games)
    if not 0 <= whole(seed, "The seed") < 1 << 63:
        raise BadSetup(f"The seed must be at least 0 and below 2**63, not {seed}.")
    if threads is not None and whole(threads, "The number of threads") < 1:
        raise BadSetup(f"At least one thread is needed, not {threads}.")
    if progress is not None and not callable(progress):
        raise BadSetup(f"Progress must be a function, not {progress!r}.")
    parts = found.edition(edition)
    values = found.options(options)
    state = found.start(seats, parts, values)

    from parlour.engine import simulate as engine  # loads NumPy and Numba

    if not set(chosen) <= {*known.simulated(found), *solved.names(found)}:
        from parlour.bots.stepwise import Table

        return Table(found, parts, values, chosen, seed, clock).simulate(numbers, progress)

    policies = [known.driver(found, one, solver=True) for one in names]
    workspace = solved.workspaces(found, state) if set(names) & set(solved.names(found)) else None
    try:
        arrays = engine.simulate(found, state, policies, numbers, seed, progress, threads, workspace)
    except engine.Interrupted as stop:
        stop.result = engine.Simulation(found.name, parts.name, values, names, seed, *stop.result)
        raise
    return engine.Simulation(found.name, parts.name, values, names, seed, *arrays)


def _numbers(games: int | range) -> range:
    if isinstance(games, range):
        if games.step != 1 or games.start < 0:
            raise BadSetup(f"Games are numbered one by one from 0; {games} is another range.")
        return games
    if whole(games, "The number of games") < 0:
        raise BadSetup(f"{games} games cannot be played.")
    return range(games)


def _seats(game: Game, bots: Named | Sequence[Named] | None) -> int:
    """Return the number of bots named, or the fewest players if one bot plays all seats."""
    return len(bots) if outside.listed(bots) and len(bots) > 1 else game.facts.players[0]
