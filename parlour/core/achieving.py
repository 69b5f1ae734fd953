"""What players achieved in a finished game, as the game itself says (`parlour.core.contract.Achievements`)."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import NamedTuple

from parlour.core.contract import Achievement, Step
from parlour.core.game import Game


class Achieved(NamedTuple):
    """What a seat achieved, and how many steps had been made by then."""

    key: str
    seat: int
    steps: int


def achievements(game: Game) -> tuple[Achievement, ...]:
    """Return what is worth achieving in a game; nothing unless it says so."""
    return game.achievements.ACHIEVEMENTS if game.achievements else ()


def mark(game: Game) -> str:
    """Return a short text that changes with a game's list of achievements, "" without one."""
    keys = " ".join(one.key for one in achievements(game))
    return f"{zlib.crc32(keys.encode()):08x}" if keys else ""


def achieved(game: Game, steps: Sequence[Step]) -> tuple[Achieved, ...]:
    """Return what each seat achieved in a finished game, each achievement once, in the order of the steps.

    Raises ValueError if the game names an achievement, a seat or a step that does not exist.
    """
    if game.achievements is None or not steps:
        return ()
    keys, seats = {one.key for one in achievements(game)}, range(game.facts.players[1])
    first: dict[tuple[str, int], int] = {}
    for key, seat, at in game.achievements.achieved(steps):
        if key not in keys or seat not in seats or not 0 <= at < len(steps):
            raise ValueError(f"{game.name} names what does not exist: achievement {key!r}, seat {seat}, step {at}.")
        first.setdefault((key, seat), at + 1)
    return tuple(Achieved(key, seat, at) for (key, seat), at in sorted(first.items(), key=lambda one: one[1]))
