"""Stands in for `policy.py` where a game has none: nothing is worth more than anything else."""

from __future__ import annotations

from typing import Any

MEMO = 0


def value(_state: Any, _player: int) -> float:
    """What a state is worth to a player, on any scale that the game likes."""
    return 0.0


def settled(_state: Any, _player: int) -> bool:
    """Whether the chance that is due no longer matters to `value` (the next player's card, say)."""
    return True


def memo_key(_state: Any, _action: int) -> int:
    """A number in [0, MEMO), the same for decisions with the same expected value, or -1."""
    return -1
