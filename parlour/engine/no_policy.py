"""Replaces `policy.py` if a game has none: all decisions are equally good."""

from __future__ import annotations

from typing import Any

MEMO = 0
FEATURES = 0  # of a position, as inputs of a network; 0: they are made of what the game declares to be seen
SPREAD = 1.0  # the difference in `value` that makes one decision e times as likely as another to be looked at first


def outlook(_state: Any, _player: int) -> float:
    """Return the share of the win that a player may expect, or a number proportional to it.

    It applies at every decision, not only the player's own.
    """
    return 1.0


def public_odds(_state: Any, _player: int) -> float:
    """Return a number proportional to the share of the win that a player may expect by what all can see: a network
    corrects it. Below 0, a network corrects `outlook`."""
    return -1.0


def value(_state: Any, _player: int) -> float:
    """Return the value of a state to a player, on any scale that the game chooses."""
    return 0.0


def settled(_state: Any, _player: int) -> bool:
    """Return whether the due chance no longer affects `value` (the next player's card, say)."""
    return True


def memo_key(_state: Any, _action: int) -> int:
    """Return a number in [0, MEMO), the same for decisions with the same expected value, or -1."""
    return -1


def features(_state: Any, _player: int, _out: Any) -> int:
    """Write the numbers, in [0, FEATURES), of the features that a position has as a player sees it; return how many.

    A policy with features of its own says in ACTIVE how many a position has at most. One may be there several times.
    """
    return 0
