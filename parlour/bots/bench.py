"""Measure how many simulations the search makes per second."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from parlour.bots.levels import plan
from parlour.bots.search import Plan, Searcher
from parlour.bots.view import View
from parlour.core.edition import EditionLike
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.engine.bench import Rate, Row, Work, measured

POSITIONS = 4


def measure(game: Game, players: int | None = None, edition: EditionLike | None = None) -> Iterator[Row]:
    """Yield simulations per second, compiled, on one thread, over positions of a random game.

    The first row searches as `expert` does; if that uses rollouts, a second row evaluates leaves at
    once.
    """
    seats = players or game.facts.players[0]
    best = plan(game, "expert")
    plans = {"search, expert": best, "search, no rollouts": replace(best, length=0)}
    for work, one in plans.items() if best.length else [("search, expert", best)]:
        rate: Rate = measured(searching(game, seats, one, edition), seconds=0.01)
        yield Row(game.name, seats, work, rate.median, "simulations/s", rate.low, rate.high)


def searching(game: Game, seats: int, how: Plan, edition: EditionLike | None = None) -> Work:
    """Return work whose pieces are one decision in each of POSITIONS positions.

    Each decision spends the whole budget of `how`, without a clock.
    """
    from parlour.engine.compiled import compile

    engine = compile(game)
    budget = replace(how, seconds=None, threads=1)
    searcher = Searcher(game, budget)
    views = _positions(game, seats, edition)

    def play(n: int) -> int:
        for _ in range(n):
            for view in views:
                searcher.explore(view, engine)
        return n * len(views) * budget.simulations

    return play


def _positions(game: Game, seats: int, edition: EditionLike | None) -> list[View]:
    """Return decisions with a choice, evenly spread over a random game."""
    match, choice = Match(game, seats, edition=edition, seed=1), random.Random(1)
    found = []
    while not match.over:
        legal = match.legal_action_ids()
        if len(legal) > 1:
            found.append(View.of(match, match.current_player))
        match.play(choice.choice(legal))
    return [found[(2 * i + 1) * len(found) // (2 * POSITIONS)] for i in range(POSITIONS)]
