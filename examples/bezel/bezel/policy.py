"""What a position of Bezel is worth, for the greedy bot and the search."""

from typing import Any

from . import rules as r


def value(state: Any, player: int) -> int:
    """Return the carats that this seat is ahead by."""
    ahead = 0
    for line in range(r.SIDE):
        ahead += r.pay(state, player, line) - r.pay(state, 1 - player, line)
    return ahead
