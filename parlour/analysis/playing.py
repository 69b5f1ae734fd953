"""Playing what measures need: the games themselves, here or in blocks, and for some measures more games."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from parlour.analysis import decision_values, luck, measures, sampling, strong_among_weak
from parlour.analysis.estimates import Estimate
from parlour.analysis.measures import PACE, Look, Measure
from parlour.analysis.sampling import Sample, Setup
from parlour.core.errors import whole

if TYPE_CHECKING:
    from parlour.analysis.blocks import Where

Progress = Callable[[int, int, str], object]  # how many games are done, of how many, and of what

LESS = 10  # one deal for skill, and one position for stakes, for this many games
FEWEST = 100  # of these, unless there are fewer games
BLOCK = 2500  # games of a block between compiled bots
WORK = "parlour.analysis.sampling:block"


@dataclass(frozen=True, eq=False)
class Played:
    """The games of a setup, and their measures."""

    look: Look

    @cached_property
    def _known(self) -> dict[str, Measure]:
        return measures.all_measures(self.look.setup)

    def measure(self, name: str) -> Measure:
        """Return the measure of this name."""
        return self._known[name]

    def estimate(self, name: str) -> Estimate | None:
        """Return what the games say about a measure; None if nothing."""
        return self._known[name].of(self.look) if name in self._known else None


@dataclass(frozen=True)
class How:
    """How games are played, which does not change them.

    `file`: where results are kept, so that the same call continues. `where`: the place that plays; by default this
    process with all cores for compiled bots, else a process for each core. With `threads` this process plays, with this
    number of threads. `progress` receives how many games (or points) are done. `audit`: the share of blocks that is
    played again and compared; `notice` receives what happens to workers (`parlour.analysis.blocks.run`).
    """

    file: Path | None = None
    where: Where | None = None
    progress: Progress | None = None
    threads: int | None = None
    audit: float = 0.0
    notice: Callable[[str], object] | None = None


def play(
    setup: Setup, games: int, names: Collection[str] | None = None, *, pace: float = PACE, how: How | None = None,
    before: Played | None = None,
) -> Played:  # fmt: skip
    """Play games 0 to `games` - 1 of a setup, and what else the measures of these names need.

    `before`: fewer games of the same setup, which are not played again. Raises UnknownName, BadSetup;
    `simulate.Interrupted` on Ctrl-C.
    """
    how = how or How()
    whole(games, "The number of games")
    wanted = {one.needs for one in measures.chosen(setup, names)}
    first = 0 if before is None else before.look.sample.games
    samples = [] if before is None else [before.look.sample]
    if games > first or not samples:
        samples.append(_games(setup, first, games - first, how))
    few = min(games, max(FEWEST, games // LESS))
    return Played(
        Look(
            setup,
            samples[0] if len(samples) == 1 else sampling.joined(samples),
            pace,
            strong_among_weak.play_skill(setup, few, threads=how.threads) if measures.SKILL in wanted else None,
            decision_values.play_stakes(setup, few, threads=how.threads) if measures.STAKES in wanted else None,
            _luck(setup, games, before, how.threads) if measures.LUCK in wanted else None,
        )
    )


def _luck(setup: Setup, games: int, before: Played | None, threads: int | None) -> luck.Luck:
    earlier = None if before is None else before.look.chance
    first = 0 if earlier is None else len(earlier.luck)
    return luck.play_luck(setup, range(first, games), threads, earlier)


def _games(setup: Setup, first: int, games: int, how: How) -> Sample:
    def tell(done: int, total: int) -> None:
        if how.progress is not None:
            how.progress(done, total, str(setup.shape))

    if how.file is None and how.where is None and (setup.compiled or how.threads):
        return sampling.play(setup, first, games, tell, how.threads)
    from parlour.analysis import blocks

    size = BLOCK if setup.compiled else 1
    cut = [{"first": first + one["first"], "games": one["games"]} for one in blocks.cut(games, size)]
    plan = blocks.Plan(WORK, setup.asked(), cut, (setup.shape.game.name,))
    with ExitStack() as stack:
        place = how.where or stack.enter_context(blocks.Here(1 if setup.compiled else None))

        def told(status: blocks.Status) -> None:
            tell(min(games, status.done * size), games)

        found = blocks.collect(plan, place, how.file, audit=how.audit, progress=told, notice=how.notice)
    return sampling.joined([Sample.of(one) for one in found])
