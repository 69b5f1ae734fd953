"""Fortune for two, solved: making, saving and reading the table of `duel.py`.

Compiled code on all cores makes it in some five rounds, until nothing changes. The result of each
round is saved in a file, so the work can be interrupted at any time and resumed.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from parlour.core import interrupts
from parlour.core.edition import EditionLike
from parlour.core.errors import BadSetup
from parlour.core.facts import Chosen
from parlour.core.game import Game
from parlour.core.solving import Progress
from parlour.games.fortune import rules as r
from parlour.games.fortune.study import duel, follow, lattice, solver, turn

if TYPE_CHECKING:
    from numpy.typing import NDArray

FORMAT = 2  # raise when the file, the method or the turns change, so that older work is not resumed
DEPTH = 11_000  # points below the finish line that the table reaches down
STILL = 1e-7  # a round that changes no chance by more ends the work
ROUNDS = 5  # as many as it usually takes
SCALE = 65_535  # chances by card are stored in 16 bits
# Options that a table does not depend on: places count from the line, and nothing else matters
FREE = ("target", "finish", "pile", "round_limit")
METHOD = "policy iteration over pairs of totals, cards drawn independently"


@dataclass(frozen=True, eq=False)  # == of arrays has no single answer
class Duel:
    """The solution for one deck and one set of turn rules.

    `chances`: (BLOCKS * places, places + REACH) float64, see `duel`. `facts`: edition, options, deck, bonus, rules
    VERSION, method, the last round's largest change.
    """

    facts: dict[str, Any]
    chances: NDArray[Any]

    @property
    def places(self) -> int:
        """The number of totals at or below the finish line."""
        return len(self.chances) // duel.BLOCKS

    def chance(self, mine: int, theirs: int) -> float:
        """Return the chance to win of the player about to turn a card. `mine` and `theirs` are points
        beyond the highest total that is not across the line (0 and less: not beyond)."""
        n = self.places
        row, column = n - 1 + mine // follow.STEP, n - 1 + theirs // follow.STEP
        last: int = n + follow.REACH - 1
        return float(self.chances[duel.MEAN * n + max(row, 0), min(max(column, 0), last)])

    def save(self, file: str | Path | IO[bytes]) -> None:
        """Write the table: means in 32 bits, chances by card in 16, compressed."""
        import numpy as np

        n = self.places
        cards = np.round(self.chances[: duel.MEAN * n] * SCALE).astype(np.uint16)
        means = self.chances[duel.MEAN * n :].astype(np.float32)
        np.savez_compressed(file, facts=np.array(json.dumps(self.facts)), cards=cards, means=means)


def read(file: str | Path | IO[bytes]) -> Duel:
    """Read a table that `save` wrote."""
    import numpy as np

    with np.load(file) as data:
        facts = json.loads(str(data["facts"]))
        chances = np.concatenate([data["cards"] / SCALE, data["means"].astype(np.float64)])
    return Duel(facts, chances)


@cache
def shipped(edition: str) -> Duel | None:
    """Return the table that comes with Parlour for an edition and the default options; None if it has no table."""
    file = resources.files("parlour.games.fortune.study").joinpath("tables", f"{edition}.npz")
    if not file.is_file():
        return None
    with file.open("rb") as data:
        return read(data)


def nearest(game: Game, state: Any) -> Duel:
    """Return the shipped table for this deck, or else the default edition's.

    With other rules, its chances are only approximately right.
    """
    tables = [table for name in game.editions if (table := shipped(name)) is not None]
    for table in tables:
        if table.facts["deck"] == list(state.deck) and table.facts["bonus"] == list(state.sea_bonus):
            return table
    return tables[0]


def workspace(game: Game, engine: Any, state: Any) -> tuple[Any, ...]:
    """Return the workspace of `solver` for the table (edition, options) of `state`."""
    table = nearest(game, state)
    notes = engine.integers(solver.NOTES)
    notes[solver.PLACES] = table.places
    return (
        engine.integers(r.N_CARDS * lattice.ROWS, lattice.WIDTH),
        engine.reals((r.N_CARDS + 1) * turn.ROWS, lattice.WIDTH),
        engine.reals(follow.GAINS),
        table.chances if engine.compiled else _lists(table.facts["edition"]),
        notes,
    )


@cache
def _lists(edition: str) -> Any:
    table = shipped(edition)
    return table.chances.tolist() if table else None


@dataclass(eq=False)
class Work:
    """A table being made: the chances after `rounds` rounds of policy iteration, and the largest
    change of the last one."""

    facts: dict[str, Any]
    chances: NDArray[Any]
    rounds: int = 0
    change: float = 1.0

    def save(self, file: Path) -> None:
        """Write it as a whole: an interruption leaves the old file."""
        import numpy as np

        beside = file.with_suffix(".tmp")
        with beside.open("wb") as out:
            numbers = np.array([self.rounds, self.change])
            np.savez(out, facts=np.array(json.dumps(self.facts)), chances=self.chances, numbers=numbers)
        os.replace(beside, file)

    @classmethod
    def load(cls, file: Path, facts: Mapping[str, Any]) -> Work | None:
        """Read what was saved; return None if there is no such file or it is of other work."""
        import numpy as np

        if not file.is_file():
            return None
        with np.load(file) as data:
            if json.loads(str(data["facts"])) != dict(facts):
                return None
            return cls(dict(facts), data["chances"], int(data["numbers"][0]), float(data["numbers"][1]))


def facts(game: Game, edition: EditionLike | None, options: Chosen | None) -> dict[str, Any]:
    """Return what identifies a table. Raise BadSetup if points are not multiples of 100."""
    parts, chosen = game.edition(edition), game.options(options)
    state, depth = game.start(2, parts, chosen), DEPTH
    if any(bonus % follow.STEP or bonus > 4000 for bonus in state.sea_bonus):
        raise BadSetup(f"Sea Battles must be worth hundreds, 4,000 at the most, not {state.sea_bonus}.")
    if state.floor_at_zero:  # totals end there, so the table depends on how far it is from there to the line
        depth = state.target - (follow.STEP if state.at_least else 0)
    return {
        "format": FORMAT, "rules": r.VERSION, "edition": parts.name, "method": METHOD, "depth": depth, "still": STILL,
        "options": {name: value for name, value in chosen.items() if name not in FREE},
        "deck": list(state.deck), "bonus": list(state.sea_bonus),
    }  # fmt: skip


def solve(
    game: Game, engine: Any, edition: EditionLike | None = None, options: Chosen | None = None,
    partial: Path | None = None, progress: Progress | None = None, threads: int | None = None,
) -> Duel:  # fmt: skip
    """Solve the game for two with a compiled engine, which takes minutes.

    `progress(done, total)` gets pairs of totals; `total` is a forecast. `partial` is a file in
    which the work is saved after each round, and from which it resumes after an interruption; the
    caller deletes it when the result is safe. Raises BadSetup as `facts` does.
    """
    about = facts(game, edition, options)
    work = (Work.load(partial, about) if partial else None) or Work(about, guess(about["depth"] // follow.STEP + 1))
    forge = Forge(engine, game.start(2, game.edition(edition), game.options(options)), work.chances)
    while work.change > STILL:
        done = work.rounds * forge.pairs
        total = max(ROUNDS, work.rounds + 1) * forge.pairs

        def tell(pairs: int, done: int = done, total: int = total) -> None:
            if progress is not None:
                progress(done + pairs, total)

        precise = max(STILL / 100, work.change / 10_000)  # the first rounds need not be exact
        work.chances, work.change = forge.improve(work.chances, precise, tell, threads or os.cpu_count() or 1)
        work.rounds += 1
        if work.change > STILL:
            forge.evaluate(work.chances)
        if partial:
            work.save(partial)
    return Duel({**about, "rounds": work.rounds, "change": work.change}, work.chances)


class Forge:
    """The tools of the work: the cards' tables, and how the turns of each pair of totals end."""

    def __init__(self, engine: Any, state: Any, chances: NDArray[Any]) -> None:
        import numpy as np

        self.engine = engine
        self.places = len(chances) // duel.BLOCKS
        self.columns = chances.shape[1]
        self.far = self.places + duel.FARTHEST
        self.deck = np.array(state.deck, np.int64)
        self.cards = self.engine.integers(r.N_CARDS * lattice.ROWS, lattice.WIDTH)
        self.ends = self.engine.reals(self.places * self.columns, duel.ENDS)
        for card in range(r.N_CARDS):
            scratch, out = self.engine.states(state, 1), self.engine.integers(r.MAX_LEGAL)
            self.engine.solver.read_card(scratch, card, self.cards, out)
        self._local = threading.local()
        self._beyond(chances)

    @property
    def pairs(self) -> int:
        """The number of pairs of totals in a round."""
        pairs: int = self.places * self.far
        return pairs

    def improve(
        self, old: NDArray[Any], precise: float, tell: Callable[[int], None], threads: int
    ) -> tuple[NDArray[Any], float]:
        """Return the chances, to about `precise`, with the best turn everywhere, if the chances after it
        are `old`; and the largest change.

        `tell(done)` gets pairs of totals.
        """
        new = old.copy()
        pool = ThreadPoolExecutor(threads, thread_name_prefix="solve")
        change, done = 0.0, 0
        try:
            with interrupts.undisturbed():
                rows = {pool.submit(self._row, old, new, mine, 0, self.far, precise) for mine in range(self.places)}
            while rows:
                ready = interrupts.wait(rows)
                rows -= ready
                change = max(change, *(future.result() for future in ready))
                done += self.far * len(ready)
                tell(done)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
        return new, change

    def _beyond(self, chances: NDArray[Any]) -> None:
        """Fill in pairs of totals in which the other player is so far across the line that no Island reaches them.

        There only the distance counts, so one row and one column give all. That is done once, because these pairs
        depend on no others.
        """
        for mine in range(self.places):
            most = self.far + 1 if mine else self.columns
            self._row(chances, chances, mine, self.far, most, STILL / 100)
        for mine in range(1, self.places):
            for block in range(0, len(chances), self.places):
                chances[block + mine, self.far + 1 :] = chances[block + mine - 1, self.far : -1]

    def _row(
        self, old: NDArray[Any], new: NDArray[Any], mine: int, first: int, far: int, precise: float
    ) -> float:  # fmt: skip
        ahead = duel.Ahead(old, self.places, self.deck)
        return float(self.engine.solver.improve(self._desk(), ahead, new, self.ends, mine, first, far, precise))

    def evaluate(self, chances: NDArray[Any]) -> None:
        """Compute the means of `chances` when all turns are played as the last `improve` found them."""
        self.engine.solver.evaluate(chances, self.places, self.ends, self.columns, self.far, STILL / 100, 10_000)

    def _desk(self) -> duel.Desk:
        if not hasattr(self._local, "desk"):
            reals = self.engine.reals
            self._local.desk = duel.Desk(
                self.cards, reals(turn.ROWS, lattice.WIDTH), reals(follow.ROWS, lattice.WIDTH), reals(follow.GAINS),
                reals(follow.ENDS), reals(r.N_CARDS),
            )  # fmt: skip
        return self._local.desk  # type: ignore[no-any-return]


def guess(n: int) -> NDArray[Any]:
    """Return chances to begin with: a lead of 1,500 is worth much, and the move as much as 300 points."""
    import numpy as np

    mine, theirs = np.arange(n)[:, None], np.arange(n + follow.REACH)[None, :]
    level = 1.0 / (1.0 + np.exp((theirs - mine - 3) / 15.0))
    return np.tile(np.where(theirs < n, level, np.clip(1.0 - (theirs - mine) / 30.0, 0.0, 1.0)), (duel.BLOCKS, 1))
