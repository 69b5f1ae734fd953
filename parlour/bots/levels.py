"""The levels of a game: what plays under the names that people choose, the best first.

A game's `policy.py` may say which levels it has. LEVELS has, by level, the best first: the simulations of a search; or
the name of another bot, which the level follows, and its noise (`Follows`). PLAN has the other fields of `Plan` by
name, and PLANS, by level, the differences from PLAN. A policy without LEVELS has those of this module but `master`,
which thinks for seconds: whether that helps, a game has to measure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from math import log
from random import Random
from typing import Any

from parlour.bots import nets
from parlour.bots.search import Plan
from parlour.core.errors import BadSetup
from parlour.core.game import Game
from parlour.engine import drivers

# All levels that there are, the best first, and their simulations. A game has `master` only if its policy says so.
LEVELS = {"master": 300_000, "expert": 16_000, "hard": 2_000, "medium": 250, "easy": 25}
MASTER = "master"
LEARNED = "learned"  # a bot that lets the game's network judge what each decision leads to (`parlour.bots.learned`)
BOTS = {"greedy": drivers.GREEDY, "random": drivers.RANDOM}  # name -> the number that drivers use
DEFAULT = "medium"
ADVICE = "advice"  # not a bot, but the search of hints and analyses: the expert's, with fewer simulations
LEAST = 1e-300  # above 0, for a logarithm
ADVICE_SIMULATIONS = 4_000  # simulations of advice at most
# Simulations of the analysis of a whole game, before it compares decisions. Each comparison takes that many again at
# most, and there are five for a decision: 1,440,000 in all, as no more decisions are judged
# than get LEAST_SIMULATIONS each (`evaluation.MOST`).
ANALYSIS_SIMULATIONS = 240_000
LEAST_SIMULATIONS = 200  # simulations for each of its decisions at least
# At most for a decision. Only plain rules reach it, or a machine that is busy.
SECONDS = {"master": 6.0, "expert": 4.0, "hard": 1.5, "medium": 0.6, "easy": 0.3}


@dataclass(frozen=True, slots=True)
class Follows:
    """A level that makes the decisions of another bot: one of the solver's, `learned`, or a simple one.

    `noise`: see `misjudged`, in the bot's own values; those of `greedy` are the policy's. `random` has none.
    """

    bot: str
    noise: float = 0.0


def declared(game: Game) -> dict[str, int | Follows]:
    """Return what each level of a game is, the best first: the simulations of a search, or whom it follows.

    Raises BadSetup if the game's policy declares what can't be.
    """
    usual = {name: one for name, one in LEVELS.items() if name != MASTER}
    said: Mapping[str, int | tuple[str, float]] = getattr(game.policy, "LEVELS", usual)
    if list(said) != [name for name in LEVELS if name in said]:
        raise BadSetup(f"LEVELS of {game.name} must be some of these, in this order.", allowed=tuple(LEVELS))
    found = {name: one if isinstance(one, int) else Follows(*one) for name, one in said.items()}
    exact = tuple(game.solver.BOTS) if game.solver else ()
    for name, one in found.items():
        known = (*exact, *(["greedy"] if isinstance(one, Follows) and one.noise else [LEARNED, *BOTS]))
        if isinstance(one, Follows) and one.bot not in known:
            why = "with noise, only a bot that values decisions" if one.noise else "only a bot without a level"
            allowed = ", ".join(known)
            raise BadSetup(f"The level {name!r} of {game.name} can't follow {one.bot!r}: {why} ({allowed}).")
    return found


def misjudged(worths: Sequence[float], noise: float, seed: int) -> int:
    """Return the place of the decision that looks best to a player who misjudges each by about `noise`.

    `noise` is the scale of a Gumbel distribution: a decision that is worth so much less is chosen 1/e times as often.
    """
    luck = Random(seed)
    seen = [worth - noise * log(max(luck.expovariate(1.0), LEAST)) for worth in worths]
    return seen.index(max(seen))


def twins(game: Game) -> dict[str, str]:
    """Return the bots that a level plays exactly, by name, and the level."""
    found = declared(game).items()
    return {one.bot: name for name, one in found if isinstance(one, Follows) and not one.noise}


def standing(game: Game, name: str) -> str:
    """Return the bot that plays where `name` was chosen, perhaps long ago: the bot itself; for a level that the game
    does not have, the nearest better one that it has, or else its best.

    `parlour.bots.find` does not do this: a measurement of a level that does not exist has to fail.
    """
    own = declared(game)
    if name not in LEVELS or name in own:
        return name
    order = list(LEVELS)
    better = [level for level in order[: order.index(name)] if level in own]
    return better[-1] if better else next(iter(own), name)


def plan(game: Game, level: str) -> Plan:
    """Return how a level, or ADVICE, searches in a game. Where a level follows another bot, it is how a search in its
    place does: hints and analyses need one where no solver is exact."""
    if level == ADVICE:
        best = plan(game, "expert")
        return replace(best, simulations=min(best.simulations, ADVICE_SIMULATIONS), seconds=SECONDS["hard"])
    said = declared(game).get(level)
    fields: dict[str, Any] = {
        "simulations": said if isinstance(said, int) else LEVELS[level],
        "seconds": SECONDS[level],
    }
    fields |= getattr(game.policy, "PLAN", {}) | getattr(game.policy, "PLANS", {}).get(level, {})
    return Plan(**fields)


def simulations_each(game: Game, decisions: int) -> int:
    """Return the simulations for each decision in the analysis of a game, which has `decisions`. No clock has a
    say, so that the same game is judged alike on every machine."""
    return min(plan(game, ADVICE).simulations, max(LEAST_SIMULATIONS, ANALYSIS_SIMULATIONS // max(1, decisions)))


def terms(game: Game, level: str) -> dict[str, object]:
    """Return everything that decides how a level plays, for JSON: the fields of its Plan, or of Follows.

    `net` is a hash of the networks that judge for the level, and is missing where the game has none; so is a
    `temperature` of 0, without which results were kept before there was one.
    """
    said = declared(game).get(level)
    if isinstance(said, Follows) and said.bot != LEARNED:
        return asdict(said)
    found = asdict(said if isinstance(said, Follows) else plan(game, level))
    judges = nets.files(game) if found.pop("net", True) else b""
    if found.get("temperature") == 0.0:
        del found["temperature"]
    return found | ({"net": sha256(judges).hexdigest()[:12]} if judges else {})
