"""Luck taken out of results, where a game has a value of positions: AIVAT without its imaginary cards.

N. Burch, M. Schmid, M. Moravcik, D. Morrill, M. Bowling, "AIVAT: a new variance reduction technique for agent
evaluation in imperfect information games", AAAI 2018; for chance alone M. White, M. Bowling, "Learning a value analysis
tool for agent evaluation", IJCAI 2009 (MIVAT). With v(s, h) for how good position h is for seat s,

    luck(s) = sum over events of v(s, after) - mean of v(s, after) over all that could have happened,

where an event is an outcome of chance, or a decision of a bot whose chances are known. Its expectation is 0 whatever v
is, as long as v depends on the position alone. So `won - c luck` has the same expectation as `won`, for any c that does
not depend on the game, and less variance if v says something.

Here v is the policy's `outlook`, as a search without a network uses it, and the result at the end. It reads the whole
position, hidden cards too: it corrects the game after it was played, and no bot sees it. Chances are known of dice and
cards and of the bot `random`. Nothing is taken out for other bots' decisions: `greedy` has no choice left once it has
drawn its view, and what a search draws is not known. AIVAT also averages over the other hands that a known player could
have held; that needs their exact chances given all that was seen, so it is left out here.

`outlook` is made for even players, and may overrate or underrate luck: c puts that right. For each game (or block) c is
the least-squares factor in all others, so it does not depend on the game itself, and the expectation stays exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np

from parlour import bots as known
from parlour.analysis.estimates import Estimate, Floats, ratio
from parlour.analysis.sampling import Setup
from parlour.core.errors import BadSetup
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.rng import RNG_SIZE
from parlour.engine import drivers, interpret, simulate
from parlour.engine.interpreted import Engine
from parlour.engine.work import Games, Results

BUDGET = 32  # ends of an event that are looked at: all of them, or this number drawn at random
FLAT = 1e-9  # a sum of squares that is not above this counts as zero
DIGITS = 6  # of a game's luck that are kept: on every machine the same
OTHER = drivers.GREEDY  # what the loop is given for each bot whose chances are not known
OTHER_BOT = ""  # no name of a bot


@dataclass(frozen=True, eq=False)
class Luck:
    """Games and the luck in them, (games, players) float64 both: shares of the win, and luck by seat."""

    returns: Floats
    luck: Floats

    @property
    def adjusted(self) -> Floats:
        """The shares of the win without luck, (games, players)."""
        return np.stack([without(won, had) for won, had in zip(self.returns.T, self.luck.T, strict=True)], axis=1)


def valued(game: Game) -> bool:
    """Return whether the game says what positions are worth."""
    return hasattr(game.policy, "outlook")


def play_luck(setup: Setup, games: range, threads: int | None = None, before: Luck | None = None) -> Luck:
    """Play games of these numbers and work out the luck in them; `before` has those that come first.

    Raises BadSetup for a game without a value and for bots that are not compiled.
    """
    game = setup.shape.game
    if not valued(game):
        raise BadSetup(f"Luck needs a value of positions, and {game.name} has no `outlook` in its policy.")
    if not setup.compiled:
        raise BadSetup("Luck is worked out in games of compiled bots only: greedy or random.")
    policies = [known.driver(game, name) for name in setup.bots]
    found = Luck(*simulate.lucky(game, setup.shape.start(), policies, games, setup.seed, BUDGET, threads=threads))
    if before is None:
        return found
    return Luck(np.concatenate([before.returns, found.returns]), np.concatenate([before.luck, found.luck]))


def of_record(match: Match) -> tuple[float, ...]:
    """Return the luck of each seat in a match, from the position that was given to it on; nothing where the game does
    not say what positions are worth. It takes up to a second in plain Python, less than to compile it."""
    if not valued(match.game):
        return ()
    players, engine = (OTHER_BOT,) * len(match.names), interpret(match.game)
    whole = of_match(match, players, engine)
    if not match.given:
        return whole
    before = of_match(match, players, engine, steps=match.given)
    return tuple(round(one - other, DIGITS) for one, other in zip(whole, before, strict=True))


def of_match(
    match: Match, bots: Sequence[str], engine: Engine, number: int = 0, steps: int | None = None
) -> tuple[float, ...]:
    """Return the luck of each seat in a match between these bots, in all or the first of its `steps`; it need not be
    over.

    Where an event has too many outcomes, those that are drawn depend on the match's seed and this `number` alone.
    """
    players = len(bots)
    start = match.game.start(players, match.edition, match.options)
    drawn = int.from_bytes(sha256(f"parlour-luck-1/{match.seed}".encode()).digest()[:7], "big")
    script = [action for _, action, _ in match.steps[:steps]]
    room = engine.luck_of(start, players, 1, BUDGET, script)
    seats = engine.integers(players)
    for seat, bot in enumerate(bots):
        seats[seat] = known.BOTS["random"] if bot == "random" else OTHER
    engine.luck.lucky_games(
        engine.states(start, 1), engine.states(start, 1), seats, engine.integers(2, RNG_SIZE),
        Games(drawn, number, 1, len(script) + 1), engine.buffers(start),
        Results(engine.integers(1, players), engine.reals(1, players), engine.integers(1)), room,
    )  # fmt: skip
    return tuple(round(float(one), DIGITS) for one in room.rows[0])


# What follows from it ------------------------------------------------------------------------------
def without(won: Floats, luck: Floats) -> Floats:
    """Return `won - c luck` for each game; c is the slope of `won` over `luck` in all other games, 0 if luck is the
    same in them.

    Games must not depend on each other; sums over the games of a block serve as well.
    """
    others = max(1, len(won) - 1)
    mean_won, mean_luck = (won.sum() - won) / others, (luck.sum() - luck) / others
    both = won @ luck - won * luck - others * mean_won * mean_luck
    squares = luck @ luck - luck * luck - others * mean_luck * mean_luck
    factor = np.divide(both, squares, out=np.zeros_like(both), where=squares > FLAT)
    adjusted: Floats = won - factor * luck
    return adjusted


def share(luck: Luck | None, seat: int) -> Estimate | None:
    """Return the seat's share of the wins, luck taken out."""
    return None if luck is None else ratio(luck.adjusted[:, seat], share=True)


def explained(luck: Luck | None) -> Estimate | None:
    """Return the share of the variance of wins that goes away with luck."""
    if luck is None or len(luck.returns) < 2:
        return None
    left, whole = (((one - one.mean(axis=0)) ** 2).sum(axis=1) for one in (luck.adjusted, luck.returns))
    found = ratio(left, whole)
    return found and found.through(1 - found.value, -1.0)
