"""Many random games of every game, ruleset, edition and number of players, compiled, each step looked at.

    python -m tests.conformance.nightly                       10,000 games for each; some minutes
    python -m tests.conformance.nightly fortune --games 500   one game, fewer
    python -m tests.conformance.nightly --models              instead: rules beside models, a million positions each
    python -m tests.conformance.nightly --lockstep 2000       instead: Fortune plain and compiled, 2,000 games
    python -m tests.conformance.nightly --accuracy 30         instead: how accurate bots are (tests/analysis/nightly.py)
    python -m tests.conformance.nightly --agreement 2000      instead: hint and analysis, 2,000 decisions a ruleset
    python -m tests.conformance.nightly --whole               instead: the whole suite in its long forms
    python -m tests.conformance.nightly --kills 1000          instead: the house, attacked (tests/house/nightly.py)

`parlour/engine/inspection.py` has the checks: legal actions, chance, resampling, returns, buffers, the bound. Three
states of each game are also compared with `tests/conformance/conserved.py`. The exit status is 1 if a check fails; the
output then says how to play that game again.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from parlour.analysis.shapes import Shape, shapes
from parlour.conformance import inspecting
from parlour.conformance.faults import Fault
from parlour.games import all_games
from tests.analysis import agreement
from tests.analysis import nightly as accuracy
from tests.conformance.cases import every_game
from tests.conformance.conserved import CONSERVED
from tests.engine import test_lockstep as lockstep
from tests.house import nightly as attacked
from tests.models import nightly as models


def inspect(shape: Shape, games: int, seed: int = 1, **more: Any) -> inspecting.Inspected:
    """`inspecting.inspect`, with what never changes in the game."""
    return inspecting.inspect(shape, games, seed, **({"conserved": CONSERVED[shape.game.name]} | more))


def wanted(names: list[str]) -> Iterator[Shape]:
    """Every ruleset, edition and number of players of the games named, or of all."""
    for game in every_game():
        if not names or game.name in names:
            yield from shapes(game)


def main() -> int:
    """Inspect what the command line names; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.conformance.nightly", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("game", nargs="*", choices=[[], *(game.name for game in every_game())], metavar="GAME")
    parser.add_argument("--games", type=int, default=10_000, help="random games of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--models", action="store_true", help="compare the rules with their models instead")
    parser.add_argument("--positions", type=int, default=1_000_000, help="of each game, with --models")
    parser.add_argument("--lockstep", type=int, default=0, metavar="N", help="instead: Fortune plain and compiled")
    parser.add_argument("--accuracy", type=int, default=0, metavar="N", help="instead: judge N games of each bot")
    parser.add_argument("--agreement", type=int, default=0, metavar="N", help="instead: ask hint and analysis alike")
    parser.add_argument("--simulations", type=int, default=0, help="a decision, with --agreement; else as for a hint")
    parser.add_argument("--whole", action="store_true", help="instead: the whole suite in its long forms")
    house = parser.add_argument_group("instead, a house under attack; each prints a line of figures (SECURITY.md)")
    house.add_argument("--kills", type=int, default=0, metavar="N", help="kill -9 during play, N times")
    house.add_argument("--people", type=int, default=0, metavar="N", help="kill -9 while people claim, sign in, leave")
    house.add_argument("--fuzz", type=int, default=0, metavar="N", help="send N requests that are made up")
    house.add_argument("--twins", type=int, default=0, metavar="N", help="compare N tables in two houses")
    house.add_argument("--restarts", type=int, default=0, metavar="N", help="restart under 50 tables, every 10 s")
    house.add_argument("--weeks", type=int, default=0, metavar="N", help="play N weeks of games by post")
    house.add_argument("--tables", type=int, default=1000, help="of each of these weeks, five for each person")
    house.add_argument("--stalls", type=int, default=0, metavar="N", help="request everything that takes long, N times")
    house.add_argument(
        "--faults", type=int, default=0, metavar="N", help="fill the disk, cut off what the house needs, N times"
    )
    options = parser.parse_args()
    attacks = {name: number for name in attacked.ATTACKS if (number := getattr(options, name))}
    if attacks:
        return 1 if attacked.main(attacks, options.seed, options.tables) else 0
    if options.lockstep:
        for edition in lockstep.FORTUNE.editions:
            steps = lockstep.play(edition, options.lockstep, options.seed)
            print(f"fortune {edition}: {options.lockstep:,} games plain and compiled, {steps:,} steps, none different")
        with tempfile.TemporaryDirectory() as folder:
            played = lockstep.with_bounds_checked("fortune", Path(folder))
        print(f"fortune with bounds checked: {sum(played[:2]):,} steps, no index out of range")
        return 0
    if options.whole:
        return subprocess.run([sys.executable, "-m", "pytest", "--whole"], check=False).returncode
    if options.models:
        return 1 if models.main(options.game, options.positions, options.seed) else 0
    if options.accuracy:
        return 1 if accuracy.main(options.game, options.accuracy, options.seed, every_game()) else 0
    if options.agreement:
        known = list(all_games().values())
        return 1 if agreement.main(options.game, options.agreement, options.seed, known, options.simulations) else 0
    broken = 0
    for shape in wanted(options.game):
        try:
            done = inspect(shape, options.games, options.seed)
            _, decisions, steps = done.rows[done.longest][:3]
            print(
                f"{shape!s:<44} {len(done.rows):>7,} games {done.steps:>13,} steps; "
                f"the longest, number {done.longest:,}: {decisions:,} decisions, {steps:,} steps",
                flush=True,
            )
        except Fault as error:
            broken += 1
            print(f"BROKEN {error}", flush=True)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
