"""The weights of a network: what its inputs are, its file, and weights of whole numbers from those that were learnt."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from parlour.core import observing
from parlour.core.errors import BadSetup
from parlour.core.facts import Facts
from parlour.core.game import Game
from parlour.core.observing import MASK, NAME, NUMBER
from parlour.engine.net import OCTAVES, ONE

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Whole = npt.NDArray[np.integer[Any]]
    Real = npt.NDArray[np.floating[Any]]

FORMAT = 1
NARROW = 32  # values of a number that has a feature for each; wider ones share
LARGEST = 32_000 / ONE  # of a weight in 16 bits
MOST = 1 << 20  # bytes of a file
FEATURES = 1 << 16


@dataclass(frozen=True)
class Layout:
    """The inputs of a game's networks: how many features there are, how many can be there at once, and the columns of
    `observing.Plan` for those that are made of an observation."""

    features: int
    most: int
    plans: tuple[tuple[int, ...], ...] = ()


@cache
def layout(game: Game) -> Layout:
    """Return the inputs of a game's networks: the policy's own features, or what the observation is made of.

    Raises BadSetup if there is neither.
    """
    own = int(getattr(game.policy, "FEATURES", 0))
    found = Layout(own, int(getattr(game.policy, "ACTIVE", 0))) if own else _seen(game.facts)
    if not 0 < found.features <= FEATURES:
        raise BadSetup(f"A network for {game.name} would have {found.features:,} inputs; 1 to {FEATURES:,} can be.")
    return found


def _seen(facts: Facts) -> Layout:
    """Return the features of an observation: one for each value of a name and of a narrow number but the first, one
    for each bit of a mask; wide numbers share them evenly, numbers without limits by doublings."""
    limits = [(part.least, part.most) for part in facts.observed for _ in range(part.size)]
    plans: list[tuple[int, ...]] = []
    start = most = 0
    for one in observing.plan(facts):
        kind, least, divisor, width = one.kind, one.least, one.divisor, one.width
        low, high = limits[one.source]
        if kind == NUMBER and low is not None and high is not None:
            kind, least = NAME, low
            divisor = -(-(high - low + 1) // NARROW)
            width = -(-(high - low + 1) // divisor)
        elif kind == NUMBER:
            width = 2 * OCTAVES
        plans.append((one.source, kind, least, divisor, one.modulus, start, width))
        start += width
        most += width if kind == MASK else 1
    return Layout(start, most, tuple(plans))


@dataclass(frozen=True, eq=False)
class Weights:
    """The weights of a network for a number of players, in whole numbers: `rows` (features + 1, hidden) int16 and
    `last` (players - 1, hidden + 1) int32. With `base` it corrects the policy's outlook."""

    players: int
    rows: Whole
    last: Whole
    base: bool

    @property
    def hidden(self) -> int:
        """The number of hidden units."""
        return int(self.rows.shape[1])

    def written(self) -> bytes:
        """Return the file of these weights (.npz), always the same bytes."""
        import io

        import numpy as np

        file = io.BytesIO()
        about = np.array([FORMAT, self.players, int(self.base)])
        np.savez_compressed(file, about=about, rows=self.rows, last=self.last)
        return file.getvalue()


def read(data: bytes, game: Game) -> Weights:
    """Return the weights in a file. Raises BadSetup if they are not weights, or for other inputs than the game has."""
    import io
    import zipfile

    import numpy as np

    wrong = f"These are not weights of a network for {game.name}"
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            about, rows, last = file["about"], file["rows"], file["last"]
        version, players, base = map(int, about)
    except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise BadSetup(f"{wrong}: {error}.") from None
    shape = (layout(game).features + 1, rows.shape[-1])
    if version != FORMAT or rows.shape != shape or rows.dtype != np.int16:
        raise BadSetup(f"{wrong}: it has {layout(game).features:,} inputs, format {FORMAT}. Train it again.")
    if last.shape != (players - 1, rows.shape[1] + 1) or last.dtype != np.int32:
        raise BadSetup(f"{wrong}: its layers do not fit together.")
    return Weights(players, rows, last, bool(base))


def nothing(game: Game, players: int, *, base: bool) -> Weights:
    """Return a network with one hidden unit that says nothing."""
    import numpy as np

    return rounded(players, np.zeros((layout(game).features + 1, 1)), np.zeros((players - 1, 2)), base)


def rounded(players: int, rows: Real, last: Real, base: bool) -> Weights:
    """Return learnt weights (floats, in the shapes of `Weights`) as whole numbers."""
    import numpy as np

    most = LARGEST * ONE
    return Weights(
        players,
        np.clip(np.rint(rows * ONE), -most, most).astype(np.int16),
        np.clip(np.rint(last * ONE), -most, most).astype(np.int32),
        base,
    )
