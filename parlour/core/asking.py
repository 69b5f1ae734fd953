"""Ask several seats a secret question at once, where the rules ask one after another.

A later seat's answer only matters if every earlier seat has passed. So all seats can be asked at
once, each in a copy of the game in which the earlier seats have passed. The answers then become
steps in the order of the rules, up to the first seat that does not pass. The record is the same as
if the seats had been asked one after another.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping

from parlour.core import struct
from parlour.core.contract import Step
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.struct import GameState


def questions(game: Game, state: GameState) -> dict[int, GameState]:
    """Return seat -> the state in which it decides, in the order in which answers count.

    Empty if no seat may be asked in `state`.
    """
    found: dict[int, GameState] = {}
    if game.asking is None or not game.may_ask(state):
        return found
    here = struct.copy(state)
    while (seat := game.rules.current_player(here)) >= 0 and game.may_ask(here):
        found[seat] = struct.copy(here)
        game.rules.apply(here, game.asking.PASS)
    return found


def as_asked(match: Match, seat: int) -> Match:
    """Return a copy of the match in which the seats asked before `seat` have passed.

    This adds no step to the match, so nothing computed from the copy shows whether another seat was
    asked before.
    """
    fork = copy.copy(match)
    fork.state = questions(match.game, match.state)[seat]
    return fork


def settle(match: Match, answers: Mapping[int, int]) -> list[Step]:
    """Make the answers (seat -> action) steps, in order, up to the first seat that does not pass.

    A seat without an answer passes. Returns the steps made.
    """
    steps: list[Step] = []
    asking = match.game.asking
    while asking is not None and match.current_player >= 0 and match.game.may_ask(match.state):
        steps.append(match.step(answers.get(match.current_player, asking.PASS)))
    return steps
