"""A policy for Kuhn poker that looks at the other hand, if it is let: it bets when its card is the higher one."""

from __future__ import annotations

from typing import Any

MEMO = 0


def value(state: Any, player: int) -> float:
    """Chips at stake, won or lost by the cards as they lie."""
    stake = 1.0 + state.bets[player]
    return stake if state.hand[player] > state.hand[1 - player] else -stake


def settled(_state: Any, _player: int) -> bool:
    return True


def memo_key(_state: Any, _action: int) -> int:
    return -1
