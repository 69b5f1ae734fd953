"""Stands in for `policy.py` where a game has none: nothing is worth more than anything else."""

from __future__ import annotations

from typing import Any

MEMO = 0
SPREAD = 1.0  # the difference in `value` that makes one decision e times as likely as another to be looked at first


def outlook(_state: Any, _player: int) -> float:
    """The share of the win that a player may expect where he or another decides, or what is in
    proportion to it."""
    return 1.0


def value(_state: Any, _player: int) -> float:
    """What a state is worth to a player, on any scale that the game likes."""
    return 0.0


def settled(_state: Any, _player: int) -> bool:
    """Whether the chance that is due no longer matters to `value` (the next player's card, say)."""
    return True


def memo_key(_state: Any, _action: int) -> int:
    """A number in [0, MEMO), the same for decisions with the same expected value, or -1."""
    return -1
