"""What accuracy is said of whom: whole games by bots that choose at random, look one step ahead, or search, judged as
finished games are (`scripts/nightly --accuracy N`).

In each game one seat plays by the bot in question and the others by the best simulated one, so that no position is one
that only two random players reach; the seats take turns. The seat's decisions are judged with the search, or the
solver, that hints and analyses use, with all of its simulations, however long they take.

Accuracies of single games are cut off at 0. Their mean would not be 0 for random play, so what is printed is that of
all games together, 1 - (chance lost) / (chance that random choices lose on average), which may be negative, with a
95 % interval: the games vary, not the decisions (Cochran, Sampling Techniques, chapter 6: the variance of a ratio).
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from parlour import bots
from parlour.analysis.evaluation import Judgement, evaluate
from parlour.analysis.intervals import student
from parlour.analysis.shapes import Shape, shapes
from parlour.bots import View
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.engine import compile

NOTHING, MOST = 0.15, 0.75  # what random play must not be sure to exceed, and the search not be sure to miss
SEARCHING = "search"  # with as many simulations as the search that judges, but of its own and with other luck


def shapes_of(game: Game) -> Iterator[Shape]:
    """Each ruleset once, with the fewest players, in the first edition."""
    seen = set()
    for shape in shapes(game, players=game.facts.players[0]):
        if shape.ruleset not in seen:
            seen.add(shape.ruleset)
            yield shape


def advised(game: Game) -> bots.Plan:
    """How hints and analyses search, with no clock to stop them."""
    return replace(bots.plan(game, bots.ADVICE), seconds=None)


def played(shape: Shape, bot: str, seat: int, seed: int, engine: Any) -> Match:
    """A whole game in which `seat` plays by `bot` and the others by the best simulated bot."""
    match = Match(shape.game, shape.players, edition=shape.edition, options=shape.options, seed=seed)
    others = bots.find(shape.game, bots.simulated(shape.game)[0])
    own = bots.SearchBot(shape.game, bot, advised(shape.game)) if bot == SEARCHING else bots.find(shape.game, bot)
    while not match.over:
        player = match.current_player
        match.play((own if player == seat else others).choose(View.of(match, player), engine))
    return match


def together(games: Sequence[Sequence[Judgement]]) -> tuple[float, float, float]:
    """Return the accuracy over all games, and its 95 % interval; without a limit at 0 or 1."""
    lost = [math.fsum(one.loss for one in game) for game in games]
    stake = [math.fsum(one.stake for one in game) for game in games]
    whole, n = math.fsum(stake), len(games)
    if not whole or n < 2:
        return math.nan, -math.inf, math.inf
    share = math.fsum(lost) / whole
    errors = math.fsum((one - share * of) ** 2 for one, of in zip(lost, stake, strict=True))
    half = student(n - 1) * math.sqrt(errors / (n - 1) * n) / whole
    return 1 - share, 1 - share - half, 1 - share + half


def judged(shape: Shape, bot: str, games: int, seed: int) -> list[list[Judgement]]:
    """Return the judgements on the bot's own decisions in this number of games."""
    engine, found = compile(shape.game), []
    simulations = advised(shape.game).simulations
    for number in range(games):
        seat = number % shape.players
        match = played(shape, bot, seat, seed + number, engine)
        found.append(evaluate(match, simulations=simulations, seat=seat, engine=engine))
    return found


def main(names: Sequence[str], games: int, seed: int, known: Sequence[Game]) -> int:
    """Judge `games` of each bot, in the games named or in all; return the number of accuracies that are wrong."""
    broken = 0
    for shape in [shape for game in known if not names or game.name in names for shape in shapes_of(game)]:
        for bot in (*reversed(bots.simulated(shape.game)), SEARCHING):
            began = time.monotonic()
            found = judged(shape, bot, games, seed)
            accuracy, low, high = together(found)
            wrong = low > NOTHING if bot == "random" else bot == SEARCHING and high < MOST
            broken += wrong
            print(
                f"{'BROKEN ' * wrong}{shape!s:<44} {bot:<7} accuracy {accuracy:7.1%}, from {low:7.1%} to {high:7.1%}; "
                f"{games} games, {sum(map(len, found)):,} decisions, {time.monotonic() - began:.0f} s",
                flush=True,
            )
    return broken
