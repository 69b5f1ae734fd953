"""The games that the adapters are tested with."""

from __future__ import annotations

import pytest

from parlour.core.game import Game
from parlour.games import all_games

KUHN = Game("kuhn", "tests.fixtures.kuhn")  # from outside the package
GAMES = [*all_games().values(), KUHN]
# Every ruleset at the fewest and at the most players
SHAPES = [
    pytest.param(game, players, options, id=f"{game.name}-{players}{''.join(options.values())}")
    for game in GAMES
    for options in ([{"ruleset": one} for one in game.rulesets] if game.rulesets != ("",) else [{}])
    for players in dict.fromkeys(game.facts.players)
]
EACH = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
SHAPED = pytest.mark.parametrize(("game", "players", "options"), SHAPES)
