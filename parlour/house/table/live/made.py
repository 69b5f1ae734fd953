"""What was decided at a table earlier: for moves that are sent twice, and for taking back."""

from __future__ import annotations

from typing import Any, NamedTuple

from parlour.core import asking
from parlour.core.contract import CHANCE, Step
from parlour.core.struct import GameState
from parlour.house.table.live.table import Table


class Decision(NamedTuple):
    """A seat's decision in `state`, and the version that the seat was given for it."""

    state: GameState
    action: int
    version: int


def decision(table: Table, place: int, seat: int) -> Decision | None:
    """Return what the seat decided when `place` steps had been made, or None."""
    if _may_have_asked(table, place):  # only answers count: a player who did not answer has not decided
        answer = table.questions.answers.get((place, seat))
        if answer is None:
            return None
        state = asking.questions(table.game, state_at(table, place))[seat]
        return Decision(state, answer.action, table.known.version_at(seat, place))
    if place == table.version or table.history.actor(place) != seat:
        return None
    step = table.history[place]
    return Decision(step.before, step.action, _led_to(table, place, seat))


def last_made(table: Table) -> Step | None:
    """Return the last step that was not taken back, None if it was given to the game."""
    assert table.match is not None
    return table.history.last_standing() if table.match.version > table.match.given else None


def state_at(table: Table, place: int) -> Any:
    """Return the state when `place` steps had been made."""
    assert table.match is not None
    return table.match.state if place == table.version else table.history[place].before


def _led_to(table: Table, place: int, seat: int) -> int:
    """Return the version to which the decision at `place` led, including the chance after it, as `seat` counts. Chance
    that waited for a secret question came later, whether a player was asked or not."""
    place += 1
    while place < table.version and table.history.actor(place) == CHANCE and not _may_have_asked(table, place):
        place += 1
    return table.known.version_at(seat, place)


def _may_have_asked(table: Table, place: int) -> bool:
    """Return whether a question was open when `place` steps had been made. A lesson asks no one."""
    if table.game.asking is None or place < len(table.course.steps):
        return False
    return table.game.may_ask(state_at(table, place))
