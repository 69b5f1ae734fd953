"""`python -m tests.docs.luck --write`: measures how much of a result's variance luck is, in each ruleset, and puts the
table into docs/bots.md. It plays for minutes; nothing else should run."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

from parlour import bots as known
from parlour.analysis import luck
from parlour.analysis.estimates import SMALLEST, ratio
from parlour.analysis.sampling import Setup
from parlour.analysis.shapes import Shape, shapes
from parlour.engine import simulate
from parlour.games import all_games

PAGE = Path(__file__).parents[2] / "docs" / "bots.md"
GAMES, TIMED = 2000, 200
PAIRS = (("greedy", "random"), ("greedy", "greedy"))
HEADS = (
    "variant", "players", "first seat", "others", "wins", "standard error", "without luck", "standard error",
    "variance", "time",
)  # fmt: skip
BEGIN, END = (f"<!-- written by `python -m tests.docs.luck --write`: {end} -->" for end in ("begin", "end"))


def measured() -> list[Shape]:
    """Return every ruleset that has a value, in its first edition, for the fewest and the most players."""
    found: dict[tuple[str, str, int], Shape] = {}
    for game in all_games().values():
        for shape in shapes(game) if luck.valued(game) else ():
            if shape.players in game.facts.players:
                found.setdefault((game.name, str(shape.options), shape.players), shape)
    return list(found.values())


def named(shape: Shape) -> tuple[str, str]:
    """Return the variant and the number of players, as the table has them."""
    return ", ".join(filter(None, (shape.game.text.TITLE, shape.variant))), str(shape.players)


def cells(shape: Shape, first: str, others: str, games: int = GAMES, timed: int = TIMED) -> tuple[str, ...]:
    """Return a row of the table."""
    setup = Setup(shape, (first, *[others] * (shape.players - 1)))
    found = luck.play_luck(setup, range(games))
    raw, left = ratio(found.returns[:, 0]), luck.share(found, 0)
    assert raw is not None
    assert left is not None
    gain = f"÷ {(raw.error / left.error) ** 2:.2f}" if left.error > SMALLEST else "none"
    return (
        *named(shape), first, others, f"{raw.value:.1%}",
        f"{raw.error:.2%}", f"{left.value:.1%}", f"{left.error:.2%}", gain, f"x {slower(setup, timed):.1f}",
    )  # fmt: skip


def slower(setup: Setup, games: int) -> float:
    """Return how many times as long the processor works on games with luck, by one thread."""
    game, start = setup.shape.game, setup.shape.start()
    policies = [known.driver(game, name) for name in setup.bots]
    simulate.simulate(game, start, policies, 1, 1, threads=1)
    begun = time.process_time()
    simulate.simulate(game, start, policies, games, 1, threads=1)
    plain = time.process_time()
    luck.play_luck(setup, range(games), threads=1)
    return (time.process_time() - plain) / (plain - begun)


def rows() -> Iterator[str]:
    """Yield the lines of the table."""
    yield f"| {' | '.join(HEADS)} |"
    yield "|---|--:|---|---|--:|--:|--:|--:|--:|--:|"
    for shape in measured():
        for first, others in PAIRS:
            row = f"| {' | '.join(cells(shape, first, others))} |"
            print(row, file=sys.stderr, flush=True)
            yield row


def section(page: str) -> str:
    """Return what the page has between its marks."""
    return page.partition(BEGIN)[2].partition(END)[0].strip()


if __name__ == "__main__" and "--write" in sys.argv:
    before, mark, rest = PAGE.read_text("utf-8").partition(BEGIN)
    assert mark, f"{PAGE.name} lacks the marks"
    made = f"{time.strftime('%Y-%m-%d', time.gmtime())}, {GAMES:,} games of seed 1 a row.\n\n" + "\n".join(rows())
    PAGE.write_text(f"{before}{BEGIN}\n\n{made}\n\n{END}{rest.partition(END)[2]}", "utf-8")
