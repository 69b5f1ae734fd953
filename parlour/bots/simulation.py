"""`parlour.simulate`: bots by name at the seats of a game by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from parlour import bots as known
from parlour.bots import solved
from parlour.core.errors import BadSetup
from parlour.core.game import Chosen, Game
from parlour.games import find

if TYPE_CHECKING:
    from parlour.engine.simulate import Progress, Simulation


def simulate(
    game: str | Game,
    players: int | None = None,
    *,
    bots: Sequence[str] | None = None,
    games: int = 1000,
    seed: int = 1,
    edition: str | None = None,
    options: Chosen | None = None,
    progress: Progress | None = None,
    threads: int | None = None,
) -> Simulation:
    """Play many games between bots, compiled, on all cores (or on `threads` threads).

    `bots` names one bot for each seat, or one for all; all random unless given. The same seed gives the same games,
    whatever the number of threads, and game g is the same however many games there are. `progress(done, games)` is
    called now and then. Errors: UnknownName (game, edition, option, bot), BadSetup (numbers that do not fit).
    """
    found = game if isinstance(game, Game) else find(game)
    seats = players if players is not None else _seats(found, bots)
    names = tuple(bots or ("random",))
    if len(names) == 1:
        names *= seats
    exact = solved.names(found)
    policies = [solved.driver(found, name) if name in exact else known.driver(found, name) for name in names]
    if len(names) != seats:
        raise BadSetup(f"{len(names)} bots were named for {seats} seats; name one for each seat, or one for all.")
    if games < 0:
        raise BadSetup(f"{games} games cannot be played.")
    if not 0 <= seed < 1 << 63:
        raise BadSetup(f"The seed must be at least 0 and below 2**63, not {seed}.")
    if threads is not None and threads < 1:
        raise BadSetup(f"At least one thread is needed, not {threads}.")
    parts = found.edition(edition)
    values = found.options(options)
    state = found.start(seats, parts, values)

    from parlour.engine import simulate as engine  # loads NumPy and Numba

    room = solved.rooms(found, state) if any(name in exact for name in names) else None
    arrays = engine.simulate(found, state, policies, games, seed, progress, threads, room)
    return engine.Simulation(found.name, parts.name, values, names, seed, *arrays)


def _seats(game: Game, bots: Sequence[str] | None) -> int:
    return len(bots) if bots is not None and len(bots) > 1 else game.rules.PLAYERS[0]
