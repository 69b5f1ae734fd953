"""Finished games of every ruleset, whose last part people in a browser play again against bots.

A whole game of four takes hundreds of decisions, and its last part works like the rest. So in the suite people play
that, and with `--whole` (`scripts/nightly --whole`) each game from its beginning.
"""

from __future__ import annotations

import asyncio
import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page

from parlour.analysis.shapes import Shape
from parlour.core.facts import RULESET
from parlour.core.match import Match
from parlour.core.replay import replay
from parlour.games import find
from tests.browser.player import GREEDY, post, table
from tests.house.played import NAMES, every_ruleset
from tests.house.serving import Nursery, Server
from tests.house.shelf import Shelf

LAST = 24  # decisions of a finished game that are played again, at most


@dataclass(frozen=True)
class Library:
    """A server with a finished game of every ruleset, the steps of each at which its last decisions were made, and the
    scores at the first of these."""

    server: Server
    whole: bool
    steps: dict[str, list[int]]
    scores: dict[str, list[int]]

    def sit(self, page: Page, game: str, options: dict[str, str], players: int, last: int = LAST) -> str:
        """Take a seat in the `last` decisions of a finished game, or (`whole`) at a new table; the others are bots."""
        if self.whole:
            seats = [{"kind": "me"}, *[GREEDY] * (players - 1)]
            return table(page, game=game, options=options, seats=seats)
        name = name_of(game, options, players)
        post(page, "/api/me", name="Ann")
        made = post(page, f"/api/tables/{name}/play-on", step=self.steps[name][-last], bot="greedy")
        page.goto(made["url"])
        return str(made["id"])

    def has(self, game: str, options: dict[str, str], players: int) -> list[int]:
        """Return the scores by seat after `sit` has taken a seat."""
        if self.whole:
            return scores(Match(find(game), players, options=options))
        return self.scores[name_of(game, options, players)]


def scores(match: Match) -> list[int]:
    """Return the scores by seat, even before the end."""
    found = [0] * len(match.names)
    match.game.rules.scores(match.state, found)
    return found


def name_of(game: str, options: dict[str, Any], players: int) -> str:
    """Return the name of a finished game."""
    return "-".join(filter(None, (game, str(options.get(RULESET, "")), str(players))))


def at_random(shape: Shape) -> Match:
    """Play a game to its end by moves at random, without a view or a bot."""
    names, choice = NAMES[: shape.players], random.Random(11)
    match = Match(shape.game, edition=shape.edition, options=shape.options, seed=11, names=names)
    while not match.over:
        match.play(choice.choice(match.legal_action_ids()))
    return match


def library(nursery: Nursery, database: str, *, whole: bool) -> Library:
    """Play games of every ruleset at random, and open a house with them."""
    shapes = [] if whole else [*every_ruleset(), *every_ruleset(most=False)]
    found = {name_of(shape.game.name, {RULESET: shape.ruleset}, shape.players): shape for shape in shapes}
    steps, had = {}, {}

    async def fill() -> None:
        async with Shelf(database) as shelf:
            for name, shape in found.items():
                match = at_random(shape)
                await shelf.put(name, match)
                steps[name] = [step for step, (actor, *_) in enumerate(match.steps) if actor >= 0][-LAST:]
                had[name] = scores(replay(match.record().upto(steps[name][0]), find))

    with ThreadPoolExecutor(1) as elsewhere:  # Playwright already runs a loop in this thread
        elsewhere.submit(asyncio.run, fill()).result()
    return Library(nursery.keep(database=database), whole, steps, had)
