"""What players achieve by some steps at a table of a test, whose position the test may have built."""

from __future__ import annotations

from collections.abc import Callable

from parlour.core.achieving import achieved
from parlour.core.contract import Step
from parlour.core.match import Match
from parlour.core.struct import copy


def by(match: Match, act: Callable[[], object]) -> dict[str, int]:
    """Return what is achieved by the steps that `act` makes: by key, the seat, from 1."""
    steps: list[Step] = []
    advance = match.advance

    def watched(action: int) -> None:
        before, actor = copy(match.state), match.current_player
        advance(action)
        steps.append(Step(before, actor, action, copy(match.state)))

    match.advance = watched  # type: ignore[method-assign]
    try:
        act()
    finally:
        match.advance = advance  # type: ignore[method-assign]
    return {one.key: one.seat + 1 for one in achieved(match.game, steps)}
