"""Whether `resample` redraws what a player cannot know by its probability: simulation-based calibration.

A game is played at random to a position, and `resample` redraws it DEALS times for a seat. If every
redrawn state is as likely as the true one, the truth is one of DEALS + 1 equals: for each number of
the state, its rank among the redrawn numbers is uniform (Talts, Betancourt, Simpson, Vehtari and
Gelman 2018, "Validating Bayesian Inference Algorithms with Simulation-Based Calibration"). Ranks of
many positions are counted: positions in which the first decision is due, where only chance has
dealt, and later ones.

Positions where all numbers are equal say nothing and do not count. Equal numbers are put in order
at random. How unlikely the counts are is bounded from above (Chernoff), and multiplied by the number
of questions asked, so that a fair game is refused less than once in a billion checks.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from typing import NamedTuple

from parlour.conformance.cases import Case, random_steps
from parlour.conformance.faults import require
from parlour.conformance.knowledge import redealt, secret
from parlour.conformance.parts import Spot
from parlour.core.match import Match
from parlour.core.rng import RNG_SIZE, random_below, seed_rng
from parlour.core.struct import GameState, flatten, layout

DEALS = 19  # new deals beside each true state: ranks are 0 to 19
POSITIONS = 150  # of each kind
SECONDS = 4.0  # for one kind of position; fewer positions are enough for a game that is slow
REFUSED = 1e-9
LATER = 60  # the last decision at which a later position is taken
BELOW = (1, 2, 5, 10, 15, 18, 19)
PARTS = (  # ranks that are counted together
    *(frozenset(range(most)) for most in BELOW),
    frozenset((0, 1, 18, 19)),
    frozenset((*range(5), *range(15, 20))),
)


class Doubt(NamedTuple):
    """How unlikely the ranks of a number of the state are: a bound of the chance, the name of the number,
    how often the truth was below its new deals on average (0 to 1), and how many positions said so."""

    chance: float
    name: str
    place: float
    positions: int


def check_calibration(case: Case, spot: Spot | None = None) -> None:
    """Check that the truth is one among equals of its new deals, up to the first decision and later."""
    if not case.game.facts.hidden_information or not case.game.rules.hidden_information(case.match().state):
        return
    for first in (True, False):
        found = doubt(case, first, spot)
        when = "before the first decision" if first else "after some decisions"
        require(
            found.chance >= REFUSED,
            f"rules.py: resample does not redraw {found.name} by its probability: {when}, the truth is above "
            f"{100 * found.place:.0f} % of its new deals on average in {found.positions} positions, and should be "
            "above half of them, spread evenly. Draw from all that the player cannot exclude, each by its probability.",
        )


def doubt(case: Case, first: bool, spot: Spot | None = None, positions: int = POSITIONS) -> Doubt:
    """Return the number of the state whose ranks are the least likely, with the bound of their chance."""
    names = _names(case)
    counts = [[0] * (DEALS + 1) for _ in names]
    rng = [0] * RNG_SIZE
    seed_rng(rng, 17, int(first))
    began = time.thread_time()
    for seed in range(positions):
        if seed >= positions // 5 and time.thread_time() - began > SECONDS:
            break
        viewer = random_below(rng, case.players)
        state = _position(case, seed, first, viewer, rng, spot)
        if state is not None:
            _rank(case, state, viewer, rng, names, counts)
    asked = sum(map(any, counts)) * len(PARTS)
    doubts = [_doubt(name, ranks, asked) for name, ranks in zip(names, counts, strict=True) if name]
    return min(doubts, default=Doubt(1.0, "", 0.5, 0))


def _position(case: Case, seed: int, first: bool, viewer: int, rng: list[int], spot: Spot | None) -> GameState | None:
    """Return the state of a random game in which a decision is due, the first or a later one.

    Return None if the game is over before, or if a seat is asked in secret, because new deals leave that out.
    """
    match = case.match(seed, auto=False)
    if spot is not None:
        spot.match, spot.seed = match, seed
    left = 0 if first else 1 + random_below(rng, LATER)
    for _ in _and_after(match, seed):
        if match.current_player >= 0:
            if not left:
                return None if secret(case.game, match.state, viewer) else match.state
            left -= 1
    return None


def _and_after(match: Match, seed: int) -> Iterator[None]:
    yield
    for _ in random_steps(match, seed, 5 * LATER + 200):
        yield


def _rank(case: Case, state: GameState, viewer: int, rng: list[int], names: list[str], counts: list[list[int]]) -> None:
    """Count the rank of each number of the true state among its new deals."""
    truth = flatten(state)
    deals = [flatten(redealt(case.game, state, viewer, rng)) for _ in range(DEALS)]
    for place, (name, true, *others) in enumerate(zip(names, truth, *deals, strict=True)):
        below = sum(other < true for other in others)
        same = others.count(true)
        if name and same < DEALS:
            counts[place][below + random_below(rng, same + 1)] += 1


def _doubt(name: str, ranks: list[int], asked: int) -> Doubt:
    n = sum(ranks)
    if not n:
        return Doubt(1.0, name, 0.5, 0)
    worst = min(chance(sum(ranks[rank] for rank in part), n, len(part) / (DEALS + 1)) for part in PARTS)
    mean = sum(rank * count for rank, count in enumerate(ranks)) / n / DEALS
    return Doubt(min(1.0, worst * asked), name, mean, n)


def chance(k: int, n: int, share: float) -> float:
    """Bound the chance that of n things with this `share` k or more (or k or fewer) fall in: Chernoff's bound."""
    found = k / n
    far = found * math.log(found / share) if found else 0.0
    far += (1 - found) * math.log((1 - found) / (1 - share)) if found < 1 else 0.0
    return min(1.0, 2 * math.exp(-n * far))


def _names(case: Case) -> list[str]:
    """Return a name for each number of a flat state, "" for those that are only beliefs of a viewer."""
    beliefs = getattr(case.game.rules, "BELIEFS", ())
    names = []
    for field, shape, _ in layout(case.game.rules.State):
        said = "" if field in beliefs else f"state.{field}"
        rows = shape[0] if shape else 1
        for i in range(rows):
            for j in range(shape[1] if len(shape) == 2 else 1):
                at = "" if not shape else f"[{i}]" if len(shape) == 1 else f"[{i}][{j}]"
                names.append(said and said + at)
    return names
