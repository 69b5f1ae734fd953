"""What a bot thinks of a position: every legal decision, and the chance to win with it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Choice:
    """One legal decision. `chance`: the share of the win to be expected after it, from 0 to 1; None where it was not
    looked at. `visits`: simulations that began with it, 0 where the chance is exact or not known."""

    action: int
    chance: float | None
    visits: int = 0


@dataclass(frozen=True, slots=True)
class Advice:
    """All legal decisions of `seat`, the best first, from `simulations` simulations (0: no search was needed)."""

    seat: int
    choices: tuple[Choice, ...]
    simulations: int = 0

    @property
    def best(self) -> Choice:
        """The decision that the bot would make."""
        return self.choices[0]

    @property
    def chance(self) -> float | None:
        """The chance to win with the best decision."""
        return self.choices[0].chance
