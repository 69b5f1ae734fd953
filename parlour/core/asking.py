"""Secret questions asked of all at the same time (FT-26), in a game whose rules ask one seat after another.

A later seat's answer only matters where nobody before it has taken. So everybody can be asked at once, each in a copy
of the game in which those before have let it pass; the answers are then made steps in the order of the rules, up to
the first who takes. The record is the same as if they had been asked one after another.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from parlour.core import struct
from parlour.core.contract import Step
from parlour.core.game import Game
from parlour.core.match import Match


def questions(game: Game, state: Any) -> dict[int, Any]:
    """By seat that is asked in `state`, in the order in which answers count: the state in which it decides."""
    found: dict[int, Any] = {}
    if game.asking is None or not game.may_ask(state):
        return found
    here = struct.copy(state)
    while (seat := game.rules.current_player(here)) >= 0 and game.may_ask(here):
        found[seat] = struct.copy(here)
        game.rules.apply(here, game.asking.PASS)
    return found


def as_asked(match: Match, seat: int) -> Match:
    """The match as it stands for a seat that is asked: a copy in which those before it have let it pass. That is no
    step of it, so nothing that is worked out from the copy depends on whether anybody was asked before."""
    fork = copy.copy(match)
    fork.state = questions(match.game, match.state)[seat]
    return fork


def settle(match: Match, answers: Mapping[int, int]) -> list[Step]:
    """Make the answers (seat -> action) steps, in order, up to the first who takes; who gave none has let it pass."""
    steps: list[Step] = []
    asking = match.game.asking
    while asking is not None and match.current_player >= 0 and match.game.may_ask(match.state):
        steps.append(match.step(answers.get(match.current_player, asking.PASS)))
    return steps
