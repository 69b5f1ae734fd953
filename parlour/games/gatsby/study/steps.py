"""How far a player is from a path of Gatsby's Cabaret."""

from __future__ import annotations

from typing import Any

from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import places

OUTLINE = ("steps_left",)

NEVER = 9  # steps to a path that is blocked


def steps_left(state: Any, seat: int, path: int) -> int:
    """Return how many tokens this player still needs for a path, going round the other's; NEVER when it is
    blocked."""
    own = state.tokens[seat] & p.CABARET_BITS
    free = own | places.cabaret_room(state)
    goal = places.edge(state, path, 1) & free
    reached = 0
    edge = places.edge(state, path, 0) & free
    for needed in range(NEVER):
        grown = reached | ((edge | places.beside(reached)) & (own if needed == 0 else free))
        while True:  # own tokens cost nothing
            more = grown | (places.beside(grown) & own)
            if more == grown:
                break
            grown = more
        if grown & goal:
            return needed
        if grown == reached and needed > 0:
            return NEVER
        reached = grown
    return NEVER
