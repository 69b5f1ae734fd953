"""How strong the bots of a game are against each other, as the arena measured it. The file `ladder.toml` in a game's
folder says what docs/bots.md says (`python -m tests.docs.ladders --write`)."""

from __future__ import annotations

from functools import cache
from math import hypot, isfinite
from typing import NamedTuple

import msgspec

from parlour import bots
from parlour.analysis.skill import MIDDLE
from parlour.analysis.sprt import elo_of
from parlour.core.game import Game

FILE = "ladder.toml"


class Rung(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The share of the wins that a bot took from the one below it, with its 95 % interval."""

    upper: str
    lower: str
    share: float
    low: float
    high: float
    games: int


class Ladder(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The bots of a ruleset, each against the one below it. `edition` is "" where the game has one only."""

    ruleset: str
    edition: str
    players: int
    rungs: tuple[Rung, ...]

    @property
    def games(self) -> int:
        """Return how many games were played in all."""
        return sum(rung.games for rung in self.rungs)


class Ladders(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file."""

    ladders: tuple[Ladder, ...]


class Measured(NamedTuple):
    """A bot's strength: the middle one has 1500 by definition, so its `spread` (of 95 %) is 0. `below`: the bot lost
    every game, so it is this strong at most."""

    bot: str
    rating: int
    spread: int
    below: bool


@cache
def ladder(game: Game, ruleset: str) -> Ladder | None:
    """Return what was measured of a ruleset's bots, or None."""
    text = game.optional_text(FILE)
    found = msgspec.toml.decode(text, type=Ladders).ladders if text else ()
    return next((one for one in found if one.ruleset == ruleset), None)


def measured(game: Game, found: Ladder) -> list[Measured]:
    """Return the bots of a ladder, the best first."""
    names = [rung.upper for rung in found.rungs] + [found.rungs[-1].lower]
    anchor = names.index(bots.default(game)) if bots.default(game) in names else 0
    heights, below = [0.0], False
    bounded = [False]
    for rung in found.rungs:
        apart = elo_of(rung.share)
        if not isfinite(apart):
            apart, below = elo_of(rung.low), True
        heights.append(heights[-1] - apart)
        bounded.append(below)
    halves = [
        0.0 if bounded[place + 1] else (elo_of(rung.high) - elo_of(rung.low)) / 2
        for place, rung in enumerate(found.rungs)
    ]
    every = [
        Measured(
            name, round(MIDDLE + heights[place] - heights[anchor]),
            round(hypot(*halves[min(place, anchor) : max(place, anchor)])), bounded[place],
        ) for place, name in enumerate(names)
    ]  # fmt: skip
    return sorted(every, key=lambda one: -one.rating)
