"""What each bot of Fortune loses at a decision, against the exact values: `python -m tests.games.fortune.losses`.

The positions are those of greedy games for two in which there is a choice: `--positions` of them, from games of seeds
1, 2, and so on; with `--first 1,101` this number of positions from each of these seeds on. A bot loses the difference
between the best decision and its own. In points of the turn: before the final round, where points are what is played
for; in points of the chance to win (hundredths): in all of them.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from itertools import chain
from statistics import NormalDist, fmean, stdev

import parlour
from parlour import bots
from parlour.bots import Chooser, View, solved
from parlour.bots.worker import warm
from parlour.engine.interpreted import Engine

FORTUNE = parlour.find("fortune")
MIDDLE = NormalDist().inv_cdf(0.975)


def positions(engine: Engine, count: int, first: int = 1) -> Iterator[tuple[View, bool]]:
    """Yield views with a choice, and whether the final round has begun, from greedy games for two."""
    greedy, seed = bots.find(FORTUNE, "greedy"), first
    while True:
        match = parlour.new("fortune", players=2, seed=seed)
        while not match.over:
            view = View.of(match, match.current_player)
            if len(match.legal_actions()) > 1:
                yield view, bool(match.state.final_left)
                count -= 1
                if not count:
                    return
            match.play(greedy.choose(view, engine))
        seed += 1


def losses(
    chosen: Sequence[Chooser], engine: Engine, count: int, first: int = 1
) -> dict[str, tuple[list[float], list[float]]]:
    """Return by bot what it loses at each position: in points before the final round, and in the chance to win."""
    exact = {name: solved.SolvedBot(FORTUNE, name) for name in solved.names(FORTUNE)}
    found: dict[str, tuple[list[float], list[float]]] = {bot.name: ([], []) for bot in chosen}
    for view, final in positions(engine, count, first):
        worths = {name: dict(zip(*bot.values(view, engine), strict=True)) for name, bot in exact.items()}
        for bot in chosen:
            action, (points, chances) = bot.choose(view, engine), found[bot.name]
            if not final:
                points.append(max(worths["points"].values()) - worths["points"][action])
            chances.append(max(worths["optimal"].values()) - worths["optimal"][action])
    return found


def mean(values: Sequence[float], unit: float = 1.0) -> str:
    """Return the mean with half of its 95 % interval, in words."""
    return f"{unit * fmean(values):.2f} ± {unit * MIDDLE * stdev(values) / len(values) ** 0.5:.2f}"


def main() -> None:
    """Print the table."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--positions", type=int, default=2000)
    asked.add_argument("--first", default="1")
    asked.add_argument("--bots", default=",".join(bots.choices(FORTUNE)))
    asked.add_argument("--noise", default="", help="noises to try besides, such as 0.01,0.02")
    given = asked.parse_args()
    chosen: list[Chooser] = [bots.find(FORTUNE, name) for name in given.bots.split(",")]
    chosen += [solved.SolvedBot(FORTUNE, one, "optimal", float(one)) for one in given.noise.split(",") if one]
    print("| | points lost a decision | chance lost a decision, in hundredths | decisions |\n|---|--:|--:|--:|")
    found = [losses(chosen, warm(FORTUNE), given.positions, int(seed)) for seed in given.first.split(",")]
    for name in found[0]:
        points, chances = (list(chain.from_iterable(one[name][unit] for one in found)) for unit in (0, 1))
        print(f"| {name} | {mean(points)} | {mean(chances, 100)} | {len(points):,} and {len(chances):,} |")


if __name__ == "__main__":
    main()
