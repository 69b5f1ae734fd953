"""Games of the tests, among those that Parlour finds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from parlour import games
from parlour.core.game import Game


def add(*added: Game) -> None:
    """Let this process find these games too."""
    games._found(games.outside.setting()).games.update({game.name: (game, "the tests") for game in added})


@contextmanager
def added(*these: Game) -> Iterator[None]:
    """Let this process find these games too, within the context."""
    add(*these)
    yield
    for game in these:
        del games._found(games.outside.setting()).games[game.name]
