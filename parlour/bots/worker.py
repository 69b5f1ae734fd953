"""The code of a worker process: bots answer at once in plain Python, later compiled.

The change comes as soon as the compiled engine is ready.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from parlour import bots
from parlour.bots import Advice, Adviser, because, solved
from parlour.bots.view import View
from parlour.core.errors import ParlourError
from parlour.core.game import Game
from parlour.engine.interpreted import Engine
from parlour.games import blame, find

log = logging.getLogger(__name__)

_engines: dict[str, Engine] = {}  # game -> compiled engine, once it has made a decision
_loading: set[str] = set()
_lock = threading.Lock()


def choose(view: View, bot: str, engine: str = "", *, repeatable: bool = False) -> int:
    """Return the action that `bot` chooses; see `bots.find` for `repeatable`.

    `engine`: "plain" or "compiled" to insist on one, "" for the best that is ready. Raises
    UnknownName if the game or bot does not exist, BadSetup if the seat has no decision, BrokenGame
    if the rules fail.
    """
    game = find(view.game)
    made = _bot(game, bot, repeatable)
    if not engine:
        _load_later(game)
    with _blaming():
        ready = warm(game) if engine == "compiled" else None if engine == "plain" else _engines.get(game.name)
        return made.choose(view, ready)


def advise(game: Game, view: View, top: int, engine: str = "") -> Advice:
    """Return the value of each decision of the view's seat, the `top` ones with what speaks for
    them. Raises BadSetup, BrokenGame.

    `engine`: "plain", or "" for the best that is ready.
    """
    if not engine:
        _load_later(game)
    with _blaming():
        return because.with_grounds(game, view, _adviser(game).advise(view, _engines.get(game.name)), top)


@contextmanager
def _blaming() -> Iterator[None]:
    """Turn a failure in a game's own code into a sentence, with the line."""
    try:
        yield
    except ParlourError:
        raise
    except Exception as error:
        raise blame(error) or error from error


def warm(game: Game) -> Engine:
    """Compile, or load from the cache, all that bots need for `game`; return the engine.

    Takes seconds the first time.
    """
    if game.name not in _engines:
        from parlour.engine.compiled import compile

        engine = compile(game)
        _rehearse(game, engine)
        _engines[game.name] = engine
    return _engines[game.name]


def ready(game: Game) -> bool:
    """Return whether the compiled engine is ready to answer."""
    return game.name in _engines


def _load_later(game: Game) -> None:
    with _lock:
        if game.name in _loading:
            return
        _loading.add(game.name)
    threading.Thread(target=_load, args=(game,), daemon=True, name=f"compile {game.name}").start()


def _load(game: Game) -> None:
    try:
        warm(game)
    except ParlourError as error:  # the plain engine continues to answer
        log.error("%s Its bots stay with the plain rules.", error)
    except Exception:
        log.exception("The compiled engine of %s could not be made; bots stay with the plain one.", game.name)


def _rehearse(game: Game, engine: Engine) -> None:
    """Decide once in each way, so that Numba compiles now and not while a player waits."""
    from parlour.core.match import Match

    match = Match(game, seed=1)
    view = View.of(match, match.current_player)
    exact = solved.names(game)[:1]  # one compiled function serves all bots of a kind
    for bot in (*(bots.find(game, name) for name in (*exact, bots.simulated(game)[0])), bots.briefest(game)):
        bot.choose(view, engine)


@cache
def _adviser(game: Game) -> Adviser:
    return bots.adviser(game)


@cache
def _bot(game: Game, name: str, repeatable: bool) -> bots.Chooser:
    return bots.find(game, name, repeatable=repeatable)
