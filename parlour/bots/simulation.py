"""`parlour.simulate`: named bots at the seats of a named game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from parlour import bots as known
from parlour.bots import solved
from parlour.core.errors import BadSetup, whole
from parlour.core.facts import Chosen
from parlour.core.game import Game
from parlour.games import find

if TYPE_CHECKING:
    from parlour.engine.simulate import Progress, Simulation


def simulate(
    game: str | Game,
    players: int | None = None,
    *,
    bots: str | Sequence[str] | None = None,
    games: int = 1000,
    seed: int = 1,
    edition: str | None = None,
    options: Chosen | None = None,
    progress: Progress | None = None,
    threads: int | None = None,
) -> Simulation:
    """Play many games between bots, compiled, on all cores (or on `threads` threads).

    `bots` names one bot for each seat, or one for all; random by default. The same seed gives the
    same games, whatever the number of threads, and game g does not depend on the number of games.
    `progress(done, games)` is called now and then.

    Raises UnknownName (game, edition, option, bot) and BadSetup (numbers that do not fit). Raises
    Ctrl-C as `parlour.engine.simulate.Interrupted`, a KeyboardInterrupt whose `told` is the
    Simulation of the games played so far.
    """
    found = game if isinstance(game, Game) else find(game)
    seats = players if players is not None else _seats(found, bots)
    names = known.seated(bots, whole(seats, "The number of players"))
    policies = [known.driver(found, name, solver=True) for name in names]
    if whole(games, "The number of games") < 0:
        raise BadSetup(f"{games} games cannot be played.")
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

    workspace = solved.workspaces(found, state) if set(names) & set(solved.names(found)) else None
    try:
        arrays = engine.simulate(found, state, policies, games, seed, progress, threads, workspace)
    except engine.Interrupted as stop:
        stop.told = engine.Simulation(found.name, parts.name, values, names, seed, *stop.told)
        raise
    return engine.Simulation(found.name, parts.name, values, names, seed, *arrays)


def _seats(game: Game, bots: str | Sequence[str] | None) -> int:
    """Return the number of bots named, or the fewest players if one bot plays all seats."""
    several = isinstance(bots, Sequence) and not isinstance(bots, str) and len(bots) > 1
    return len(bots) if several and bots else game.facts.players[0]
