"""The games: one folder each, found by being here."""

from __future__ import annotations

import pkgutil
from functools import cache

from parlour.core.errors import UnknownName
from parlour.core.game import Game


@cache
def all_games() -> dict[str, Game]:
    """Every game by name (folder name with dashes), in alphabetical order."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg)
    return {name.replace("_", "-"): Game(name.replace("_", "-"), f"{__name__}.{name}") for name in names}


def find(name: str) -> Game:
    """The game called `name`; UnknownName lists those there are."""
    try:
        return all_games()[name.strip().lower().replace("_", "-").replace(" ", "-")]
    except KeyError:
        raise UnknownName(f"There is no game {name!r}.", allowed=all_games()) from None
