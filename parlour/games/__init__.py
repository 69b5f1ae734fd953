"""Find the games: built in, in the folders of PARLOUR_GAMES, and in installed packages.

A package declares its games as entry points. A game that does not load affects no other:
`broken_games` lists it with a sentence that says why.
"""

from __future__ import annotations

import pkgutil
import sys
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path

from parlour.core.errors import BrokenGame, UnknownName, text
from parlour.core.game import Game
from parlour.core.loading import explained, fault, line_of
from parlour.games import outside
from parlour.games.outside import NAME, called
from parlour.games.outside import add as add_folders

__all__ = [
    "NAME", "Broken", "add_folders", "all_games", "blame", "broken_games", "called", "find", "inside", "place_of",
]  # fmt: skip

GROUP = "parlour.games"  # of entry points: the name is the game's, the value its package
BUILT_IN = "Parlour"


@dataclass(frozen=True, slots=True)
class Broken:
    """A game that cannot be played: its name, its source, and one sentence that says why."""

    name: str
    place: str
    why: str


@dataclass(frozen=True, slots=True)
class _Found:
    """The games found but not loaded, by name with their sources, and what is not a game."""

    games: dict[str, tuple[Game, str]]
    broken: tuple[Broken, ...]


def all_games() -> dict[str, Game]:
    """Return every game that loads, by name (the folder's, with dashes), in alphabetical order."""
    return {name: game for name, (game, _) in _found(outside.setting()).games.items() if not _fault(game)}


def broken_games() -> tuple[Broken, ...]:
    """Return the games that do not load or whose names are taken, in alphabetical order."""
    found = _found(outside.setting())
    faults = [Broken(name, place, why) for name, (game, place) in found.games.items() if (why := _fault(game))]
    return tuple(sorted((*faults, *found.broken), key=lambda one: (one.name, one.place)))


def place_of(game: Game) -> str:
    """Return where the game comes from: Parlour itself, a folder, or an installed package."""
    return _found(outside.setting()).games.get(game.name, (game, game.package))[1]


def find(name: str) -> Game:
    """Return the game called `name`.

    Raises UnknownName, which lists the games, and BrokenGame, which says why the game does not
    load.
    """
    wanted = called(text(name, "A game's name", UnknownName).strip().replace(" ", "-"))
    games = _found(outside.setting()).games
    if wanted in games:
        game, place = games[wanted]
        if why := _fault(game):
            raise BrokenGame(f"The game {wanted} of {place} does not load: {why}")
        return game
    if broken := [one for one in broken_games() if one.name == wanted]:
        raise BrokenGame(f"The game {wanted} of {broken[0].place} does not load: {broken[0].why}")
    raise UnknownName(f"There is no game {name!r}.", allowed=all_games())


def blame(error: BaseException) -> BrokenGame | None:
    """Return an error from a game's code as a sentence with its line; None for all other errors."""
    for game, _ in _found(outside.setting()).games.values():
        if game.package in sys.modules and line_of(error, game):
            return BrokenGame(f"The game {game.name} cannot be played: {explained(error, '', game)}")
    return None


def inside(place: str | Path) -> list[Game]:
    """Return the game in this folder, or those in its subfolders, even if names clash with others.

    From now on this process, and those that it starts, find these games there. Raises BrokenGame if
    the folder has no games, or if a game has no __init__.py.
    """
    found = Path(place).expanduser().absolute()
    add_folders([found])
    folders = [folder for folder, is_game in outside.places(str(found)) if is_game]
    if not folders:
        raise BrokenGame(f"There is no game in the folder {found}.")
    for folder in folders:
        if not (folder / "__init__.py").is_file():
            raise BrokenGame(f"{folder}: __init__.py is missing.")
    return [Game(called(folder.name), outside.package(folder)) for folder in folders]


@cache
def _fault(game: Game) -> str:
    return fault(game)


@cache
def _found(setting: str) -> _Found:
    """Find the built-in games, then those in the folders of `setting`, then the installed ones.

    `setting` is that of PARLOUR_GAMES. The first game to use a name keeps it.
    """
    games: dict[str, tuple[Game, str]] = {}
    broken: list[Broken] = []

    def add(name: str, package: str, place: str) -> None:
        if not NAME.fullmatch(name):
            broken.append(Broken(name, place, "A game's name has only lower-case letters, digits and dashes."))
        elif name not in games:
            games[name] = Game(name, package), place
        elif games[name] != (Game(name, package), place):
            broken.append(Broken(name, place, f"The name {name} is taken by the game of {games[name][1]}."))

    for module in pkgutil.iter_modules(__path__):
        if module.ispkg:
            add(called(module.name), f"{__name__}.{module.name}", BUILT_IN)
    for folder, is_game in outside.places(setting):
        if is_game and not (folder / "__init__.py").is_file():
            broken.append(Broken(called(folder.name), str(folder), "__init__.py is missing."))
        elif is_game:
            add(called(folder.name), outside.package(folder), str(folder))
        else:
            why = "There is no such folder." if not folder.is_dir() else "There is no game in this folder."
            broken.append(Broken(called(folder.name), str(folder), why))
    for point in metadata.entry_points(group=GROUP):
        where = f"the package {point.dist.name}" if point.dist else f"the package {point.module}"
        add(called(point.name), point.module, where)
    return _Found(dict(sorted(games.items())), tuple(broken))
