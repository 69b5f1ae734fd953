"""What a puzzle is about: themes that hold in every game, computed from its values, and those that a game adds.

A game may bring `study/themes.py`, with THEMES (theme -> what a person reads) and `themes(state, action)`, which
returns those of the best decision `action` in `state`, as the deciding seat knows it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from parlour.core.contract import Themes
from parlour.core.game import Game
from parlour.core.puzzle import Value
from parlour.core.struct import GameState

ONLY, QUIET, BEHIND, WINNING, CROWD = "only-move", "quiet", "behind", "winning", "many"
OPENING, MIDDLE, ENDING = "opening", "middle", "ending"
EVERYWHERE: Mapping[str, str] = {
    ONLY: "Only move",  # any other decision halves the chance to win
    QUIET: "Not the obvious move",  # a look one step ahead prefers another
    BEHIND: "From behind",  # even the best decision wins less than an even share
    WINNING: "Close to winning",
    CROWD: "Many choices",
    OPENING: "Opening",  # the first fifth of its game
    MIDDLE: "Middle game",
    ENDING: "Ending",  # the last fifth
}
HALF = 0.5
SURELY = 0.9
MANY = 20  # legal decisions
FIFTH = 0.2


def general(values: Sequence[Value], players: int, choices: int, place: float, *, obvious: bool) -> tuple[str, ...]:
    """Return the themes that hold in every game. `place`: where in its game the decision is, from 0 to 1; `obvious`:
    whether a look one step ahead prefers the best decision."""
    best, second = values[0].chance, values[1].chance
    held = {
        ONLY: second <= HALF * best,
        QUIET: not obvious,
        BEHIND: best < 1 / players,
        WINNING: best >= SURELY,
        CROWD: choices >= MANY,
        OPENING: place < FIFTH,
        MIDDLE: FIFTH <= place < 1 - FIFTH,
        ENDING: place >= 1 - FIFTH,
    }
    return tuple(theme for theme, here in held.items() if here)


def own(game: Game, state: GameState, action: int) -> tuple[str, ...]:
    """Return the themes that the game itself finds in the best decision of `state`."""
    found = _themes(game)
    return () if found is None else tuple(dict.fromkeys(found.themes(state, action)))


def words(game: Game) -> Mapping[str, str]:
    """Return every theme of a game, with what a person reads."""
    found = _themes(game)
    return {**EVERYWHERE, **({} if found is None else found.THEMES)}


def _themes(game: Game) -> Themes | None:
    return cast("Themes | None", game.optional("themes"))
