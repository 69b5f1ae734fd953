"""Bots that a house offers besides the known ones: its keeper named them, and each runs in a process of its own.

A guest names one by its short name only. What runs under that name, only the keeper says.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from typing import NamedTuple

from parlour import bots as known
from parlour.bots import outside, processes
from parlour.bots.own import SECONDS, BotFault
from parlour.bots.program import HELLO, MEMORY, Program
from parlour.bots.view import View
from parlour.core.errors import BadSetup, ParlourError
from parlour.core.game import Game
from parlour.games import all_games, find

NAME = re.compile(r"[a-z][a-z0-9_-]{0,23}")
LONGEST = HELLO + SECONDS + 5  # seconds for a decision, with loading; a bot that is slower has its process ended


class Offered(NamedTuple):
    """A bot that a house offers: its short name, what runs (`module:Class`, `program:COMMAND`), and the names of the
    games that it plays, empty for all."""

    name: str
    runs: str
    games: tuple[str, ...] = ()

    def plays(self, game: Game) -> bool:
        """Return whether it plays this game."""
        return not self.games or game.name in self.games


def named(game: Game, offers: Sequence[Offered]) -> tuple[str, ...]:
    """Return the names of the bots that a house offers for a game besides the known ones."""
    return tuple(one.name for one in offers if one.plays(game))


def offer(game: Game, name: str, offers: Sequence[Offered]) -> Offered | None:
    """Return what a house offers under this name for a game, None if it offers none."""
    return next((one for one in offers if one.name == name and one.plays(game)), None)


def title(name: str, *, custom: bool) -> str:
    """Return what a bot's seat is called: "Medium bot", or "Careful bot (custom)" for one that the keeper brought."""
    return f"{name.capitalize()} bot" + " (custom)" * custom


# Before a house opens -----------------------------------------------------------------------------
def examined(given: Sequence[str]) -> tuple[Offered, ...]:
    """Read texts `NAME=module:Class` and `NAME=program:COMMAND`, and ask each bot which games it plays. That happens in
    another process, as loading a bot runs its code. Raises BadSetup, which says what is wrong with which."""
    read = [_read(one) for one in given]
    names = [name for name, _ in read]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise BadSetup(f"Two bots can't both have the name {twice!r}.")
    if not read:
        return ()
    pool = processes.start(1, memory=MEMORY)
    try:
        offers = []
        for name, runs in read:
            try:
                games = pool.submit(_games, runs).result(LONGEST)
            except ParlourError as error:
                raise BadSetup(f"The bot {name!r} can't be offered. {error}") from None
            except (TimeoutError, BrokenProcessPool):
                why = f"Loading {runs} took more than {LONGEST:g} s, or ended its process."
                raise BadSetup(f"The bot {name!r} can't be offered. {why}") from None
            if games and not set(games) & set(all_games()):
                raise BadSetup(f"The bot {name!r} plays only {', '.join(games)}, and there is no such game.")
            offers.append(Offered(name, runs, games))
        return tuple(offers)
    finally:
        processes.end(pool)


def _read(text: str) -> tuple[str, str]:
    """Return the name and what runs. Raises BadSetup."""
    name, equals, runs = (part.strip() for part in text.partition("="))
    if not equals or ":" not in runs:
        raise BadSetup(f"A bot for the house is written NAME=module:Class or NAME=program:COMMAND, not {text!r}.")
    if not NAME.fullmatch(name):
        raise BadSetup(
            f"A bot can't have the name {name!r}. Use up to 24 characters of a-z, 0-9, - and _, beginning with a-z."
        )
    if name in known.LEVELS or any(name in known.names(game) for game in all_games().values()):
        raise BadSetup(f"The name {name!r} belongs to a bot that Parlour has already. Choose another name.")
    return name, runs


def _games(runs: str) -> tuple[str, ...]:
    """Load a bot; return the games that it says it plays. Raises ParlourError."""
    if not runs.startswith(outside.PROGRAM):
        return tuple(outside.imported(runs).games)
    with closing(Program(outside.split(runs), runs)) as program:
        try:
            program.hello()
        except BotFault as fault:
            raise BotFault(f"{runs} {fault}") from None
        return program.plays


# In a process of their own ------------------------------------------------------------------------
_bots: dict[tuple[str, str], outside.OwnBot] = {}  # by game, and what runs
_places: dict[tuple[str, str], str] = {}  # where each decided last


def choose(view: View, runs: str, place: str) -> int:
    """Return what a bot chooses for the seat of a view. `place` is its table and seat: the bot hears of a new game
    whenever that is another one than before. Raises BotFault."""
    key = view.game, runs
    try:
        bot = _bots.get(key)
        if bot is None:
            made = outside.chooser(find(view.game), runs)
            assert isinstance(made, outside.OwnBot)
            bot = _bots[key] = made
        if _places.get(key) != place:
            _places[key] = place
            bot.begin()
        return bot.choose(view)
    except ParlourError as error:
        _places.pop(key, None)
        if (failed := _bots.pop(key, None)) is not None:
            failed.close()
        raise error if isinstance(error, BotFault) else BotFault(f"{runs} can't play: {error}") from None
