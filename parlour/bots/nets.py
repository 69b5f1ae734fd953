"""The networks that games bring along: which one judges positions in a search."""

from __future__ import annotations

from functools import cache

from parlour.bots.view import View
from parlour.core.game import Game
from parlour.engine import weights
from parlour.engine.weights import Weights


def of_view(game: Game, view: View) -> Weights | None:
    """Return the network that judges for a seat's view; None for a game without one, and for an edition that is not
    the game's own: no network has learnt what such values do."""
    return of_game(game, view.players) if view.changed is None else None


@cache
def of_game(game: Game, players: int) -> Weights | None:
    """Return the network that a game brings along for a number of players. Raises BadSetup if it does not fit."""
    data = game.net(players)
    return weights.read(data, game) if data else None
