"""`parlour compile`: compile games now, so that nothing waits for it later."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from parlour.cli import output

Games = Annotated[list[str] | None, typer.Argument(metavar="[GAME]...", help="Games.  [default: all]")]


def compile(games: Games = None, json: output.Json = False) -> None:
    """Compile what bots, simulations, batches, statistics and arenas of a game need, and keep it in the cache.

    Otherwise the first use of each part compiles it, which takes seconds. What is in the cache is only loaded. --json
    prints one object per line: game, part, seconds.

    Example: `parlour compile GAME`
    """
    from parlour.bots.compiling import parts
    from parlour.games import all_games, find

    chosen = [find(name) for name in games] if games else list(all_games().values())
    work = [(game, name, call) for game in chosen for name, call in parts(game)]
    with output.progress("compiling", "compiling") as progress:
        for done, (game, name, call) in enumerate(work):
            progress(done, len(work), f"{game.name}: {name}")
            began = time.perf_counter()
            call()
            seconds = round(time.perf_counter() - began, 2)
            if json:
                output.emit({"game": game.name, "part": name, "seconds": seconds})
            else:
                print(f"{game.name:<18} {name:<20} {seconds:6.1f} s", flush=True)
