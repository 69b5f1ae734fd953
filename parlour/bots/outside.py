"""Bots of your own at the seats: how one is named, found, and held to its time and to the rules.

`parlour.bots.find` knows none of them, as a name may reach it from a web page, and these names run code.
"""

from __future__ import annotations

import importlib
import operator
import os
import shlex
import shutil
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import TypeGuard, TypeVar

from parlour import bots as known
from parlour.bots.own import SECONDS, Bot, BotFault, SeatView
from parlour.bots.program import Program, short
from parlour.bots.time_limit import Late, limited
from parlour.bots.view import View, decision
from parlour.core.errors import BadSetup, UnknownName
from parlour.core.game import Game
from parlour.core.mechanics import Mechanics
from parlour.engine.interpreted import Engine

PROGRAM = "program:"
KINDS = (
    "a known bot's name, a text `module:Class` or `program:COMMAND`, or a parlour.Bot, as a class or as an object of it"
)

Named = str | Bot | type[Bot]
T = TypeVar("T")


class OwnBot:
    """A bot of your own, as the rest of Parlour plays with it: a `Chooser`.

    `make` returns the bot; `afresh`: a new one for each game.
    """

    def __init__(
        self, game: Game, name: str, make: Callable[[], Bot], *, afresh: bool, seconds: float = SECONDS
    ) -> None:
        self.game = game
        self.name = name
        self.seconds = seconds
        self._make = make
        self._afresh = afresh
        self._bot: Bot | None = None
        self._setup: tuple[View, Mechanics] | None = None

    def begin(self) -> None:
        """Prepare for a new game. Raises BotFault if the bot fails in it."""
        if self._afresh:
            self.close()
        if self._bot is None:
            self._bot = self._guarded("making it", self._make)
        self._guarded("new_game", self._bot.new_game)

    def close(self) -> None:
        """End what the bot holds, such as its program. An error in that is of no interest any longer."""
        bot, self._bot = self._bot, None
        if bot is not None:
            try:
                bot.close()
            except Exception:
                return

    def choose(self, view: View, engine: Engine | None = None) -> int:
        """See `parlour.bots.Chooser`. Raises BotFault if the bot fails, is late, or answers what is not legal."""
        del engine  # it plays with states of plain rules
        decision(self.game, view)
        if self._bot is None:
            self.begin()
        assert self._bot is not None
        bot, seen = self._bot, SeatView(self._mechanics(view), view, self.seconds)
        legal = seen.legal_actions()
        answer: object = self._guarded("choose", lambda: bot.choose(seen))
        try:
            action = -1 if isinstance(answer, bool) else operator.index(answer)  # type: ignore[arg-type]
        except TypeError:
            action = -1
        if action not in legal:
            raise BotFault(f"{self.name} answered {short(answer)}, which is not the number of a legal action.")
        return action

    def _guarded(self, what: str, work: Callable[[], T]) -> T:
        """Return what a function of the bot returns. A program keeps its own time."""
        try:
            with nullcontext() if isinstance(self._bot, Program) else limited(self.seconds):
                return work()
        except Late:
            raise BotFault(f"{self.name} took longer than {self.seconds:g} s ({what}).") from None
        except BotFault as fault:
            raise BotFault(f"{self.name} {fault.message}") from None
        except (Exception, SystemExit) as error:
            raise BotFault(f"{self.name} failed ({what}): {type(error).__name__}: {short(str(error))}.") from error

    def _mechanics(self, view: View) -> Mechanics:
        """Return the game as it is set up at this table; the last one is kept."""
        if self._setup is not None:
            last, mechanics = self._setup
            if (last.table, last.edition, last.options) == (view.table, view.edition, view.options):
                return mechanics
        edition = view.changed or self.game.named(view.edition or None)
        mechanics = Mechanics(self.game, view.players, edition, dict(view.options))
        self._setup = view, mechanics
        return mechanics


def forfeit(players: int, loser: int) -> tuple[float, ...]:
    """Return the utilities by seat of a game that one bot has lost by a fault: the others share 1."""
    return tuple(0.0 if seat == loser else 1 / (players - 1) for seat in range(players))


def is_own(named: object) -> bool:
    """Return whether this names or is a bot of your own, rather than the name of a known one."""
    return not isinstance(named, str) or ":" in named


def label(named: Named) -> str:
    """Return the name of a bot in tables and files: a text as it is, else its `name`, or module:Class."""
    if isinstance(named, str):
        return named
    if named.name:
        return named.name
    kind = named if isinstance(named, type) else type(named)
    return f"{kind.__module__}:{kind.__qualname__}"


def seated(bots: Named | Sequence[Named] | None, players: int) -> tuple[Named, ...]:
    """Return one bot for each seat, as `parlour.bots.seated` does, of any kind.

    Raises BadSetup, which says what a bot may be, or that the number of bots does not fit.
    """
    one: Named
    if listed(bots):
        given = tuple(bots)
    else:
        one = bots or "random"  # type: ignore[assignment]
        given = (one,)
    names = [one for one in given if isinstance(one, str)]
    if len(names) == len(given):
        return known.seated(names, players)
    for one in given:
        if not isinstance(one, str | Bot) and not (isinstance(one, type) and issubclass(one, Bot)):
            raise BadSetup(f"Each bot must be {KINDS}, not {one!r}.")
    known.seated(["random"] * len(given), players)  # refuses a wrong number
    return given * players if len(given) == 1 else given


def listed(bots: Named | Sequence[Named] | None) -> TypeGuard[Sequence[Named]]:
    """Return whether these are several bots, rather than one for all seats."""
    return isinstance(bots, Sequence) and not isinstance(bots, str | bytes | bytearray)


def chooser(game: Game, named: Named, seconds: float = SECONDS) -> known.Chooser:
    """Return the bot for a seat: a known one by its name, or one of your own with `seconds` for each decision.

    Runs the module of a `module:Class`; starts no program yet. Raises UnknownName for what does not exist, BadSetup for
    a class that is not a parlour.Bot or does not play this game.
    """
    if isinstance(named, str) and ":" not in named:
        return known.find(game, named)
    name = label(named)
    if isinstance(named, str) and named.startswith(PROGRAM):
        command = split(named)
        return OwnBot(game, name, lambda: Program(command, name), afresh=False, seconds=seconds)
    bot = imported(named) if isinstance(named, str) else named
    if bot.games and game.name not in bot.games:
        raise BadSetup(f"The bot {name} does not play {game.name}, only {', '.join(bot.games)}.")
    if isinstance(bot, Bot):
        one = bot
        return OwnBot(game, name, lambda: one, afresh=False, seconds=seconds)
    return OwnBot(game, name, bot, afresh=True, seconds=seconds)


def split(named: str) -> tuple[str, ...]:
    """Return the words of the command in `program:COMMAND`. Raises BadSetup if it is empty, UnknownName if the
    program does not exist."""
    try:
        words = shlex.split(named.removeprefix(PROGRAM))
    except ValueError as error:
        raise BadSetup(f"The command in {named!r} cannot be read: {error}.") from None
    if not words:
        raise BadSetup(f"{named!r} names no program; write {PROGRAM}COMMAND.")
    if shutil.which(words[0]) is None:
        raise UnknownName(f"There is no program {words[0]!r} that can be run.")
    return tuple(words)


def imported(named: str) -> type[Bot]:
    """Return the class of a text `module:Class`; modules in the working directory are found too.

    Raises UnknownName if there is no such module or class, BadSetup if it does not load or is not a parlour.Bot.
    """
    module, _, name = named.partition(":")
    if not module or not name:
        raise UnknownName(
            f"There is no bot {named!r}. A bot of your own is written `module:Class` or `program:COMMAND`."
        )
    here = os.getcwd()
    if here not in sys.path:
        sys.path.append(here)
    try:
        found: object = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except ModuleNotFoundError as error:
        raise UnknownName(f"The bot {named!r} cannot be loaded: {error}.") from None
    except AttributeError as error:
        raise UnknownName(f"The bot {named!r} does not exist: {error}.") from None
    except Exception as error:
        raise BadSetup(f"The bot {named!r} cannot be loaded: {type(error).__name__}: {error}.") from error
    if not (isinstance(found, type) and issubclass(found, Bot)):
        raise BadSetup(f"The bot {named!r} must be a class with the base parlour.Bot, not {found!r}.")
    return found
