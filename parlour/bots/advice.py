"""What a bot thinks of a position: every legal decision, and the chance to win with it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Choice:
    """One legal decision.

    `chance`: the expected share of the win after it, from 0 to 1; None if the bot did not examine
    it. `visits`: the simulations that began with it; 0 if the chance is exact or unknown.
    """

    action: int
    chance: float | None
    visits: int = 0


@dataclass(frozen=True, slots=True)
class Advice:
    """All legal decisions of `seat`, the best first.

    `simulations`: how many the search made; 0 if none was needed. `shares`: each player's average
    share of the win in them, by seat; () if unknown.
    """

    seat: int
    choices: tuple[Choice, ...]
    simulations: int = 0
    shares: tuple[float, ...] = ()

    @property
    def best(self) -> Choice:
        """The decision that the bot would make."""
        return self.choices[0]

    @property
    def chance(self) -> float | None:
        """The chance to win with the best decision."""
        return self.choices[0].chance

    def of(self, action: int) -> Choice:
        """Return the entry of one legal decision. Raises KeyError for others."""
        for choice in self.choices:
            if choice.action == action:
                return choice
        raise KeyError(action)
