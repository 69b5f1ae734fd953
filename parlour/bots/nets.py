"""The networks that games bring along: which one judges positions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import resources

from parlour.bots.view import View
from parlour.core.facts import RULESET
from parlour.core.game import Game
from parlour.engine import weights
from parlour.engine.weights import Weights


def of_view(game: Game, view: View) -> Weights | None:
    """Return the network that judges for a seat's view; None for a game without one, and for an edition that is not
    the game's own: no network has learnt what such values do."""
    return of_game(game, view.players, dict(view.options).get(RULESET, "")) if view.changed is None else None


@cache
def of_game(game: Game, players: int, ruleset: str = "") -> Weights | None:
    """Return the network that a game brings along for a number of players and a ruleset. Raises BadSetup if it does not
    fit."""
    data = file(game, players, ruleset)
    return weights.read(data, game) if data else None


def file(game: Game, players: int, ruleset: str = "") -> bytes:
    """Return the file of the network that a game brings along for a number of players and a ruleset (`parlour train`
    makes it); empty for a game without one."""
    name = f"net-{ruleset}-{players}.npz" if ruleset else f"net-{players}.npz"
    found = resources.files(game.package).joinpath(f"study/{name}" if game.wings else name)
    return found.read_bytes() if found.is_file() else b""


def files(game: Game, rulesets: Sequence[str] | None = None) -> bytes:
    """Return the networks of some rulesets of a game, by default of all, one after the other; empty without any."""
    fewest, most = game.facts.players
    named = game.rulesets if rulesets is None else rulesets
    return b"".join(file(game, players, ruleset) for ruleset in named for players in range(fewest, most + 1))
