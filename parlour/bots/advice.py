"""What a bot thinks of a position: every legal decision, and the chance to win with it."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from parlour.core.contract import Ground

SURE = 2.0  # standard errors by which two estimates must differ, to be told apart
EXACT = 1e-9  # between values that are exact but for rounding


@dataclass(frozen=True, slots=True)
class Choice:
    """One legal decision.

    `chance`: the expected share of the win after it, from 0 to 1; None if the bot did not examine
    it. `visits`: the simulations that began with it; 0 without a search. `ground`:
    what speaks for it, if that was asked (`parlour.bots.because`) and the game can say it. `line`: the actions that
    follow it, by all seats, as far as the search expects them; at most until chance comes. `noise`: the variance of a
    chance that was corrected (`parlour.bots.chances`) or judged by a network.
    """

    action: int
    chance: float | None
    visits: int = 0
    ground: Ground | None = None
    line: tuple[int, ...] = ()
    noise: float | None = None

    @property
    def variance(self) -> float:
        """That of an estimate, at most: as if every simulation had been won or lost. One that was
        hardly looked at is taken for anything between."""
        if self.chance is None:
            return 1.0
        share = self.smoothed
        return share * (1 - share) / max(1, self.visits) if self.noise is None else self.noise

    @property
    def smoothed(self) -> float:
        """The chance with one more simulation won and one more lost: a few that were all won prove little. As it is
        without simulations; 0.5 if it was not examined."""
        if self.chance is None or not self.visits:
            return 0.5 if self.chance is None else self.chance
        return (self.chance * self.visits + 1) / (self.visits + 2)


@dataclass(frozen=True, slots=True)
class Advice:
    """All legal decisions of `seat`, the best first.

    `simulations`: how many the search made; 0 if none was needed, as the chances are exact or `judged`, the estimates
    of a network. `shares`: each player's average
    share of the win in them, by seat; () if unknown. `compared`: how many of the first choices were
    compared, with equally many simulations or exactly; a search alone compares none. `drawn`: the
    one of these that was drawn from all that seemed worse, or -1.
    """

    seat: int
    choices: tuple[Choice, ...]
    simulations: int = 0
    shares: tuple[float, ...] = ()
    compared: int = 0
    drawn: int = -1
    judged: bool = False

    @property
    def best(self) -> Choice:
        """The decision with the highest chance of those compared; of a search alone, the one that the bot makes."""
        return self.choices[0]

    @property
    def chance(self) -> float | None:
        """The chance to win with it."""
        return self.choices[0].chance

    def alike(self, one: Choice, other: Choice) -> bool:
        """Return whether two of the decisions are as good as each other, as far as this can tell."""
        if one.chance is None or other.chance is None:
            return False
        apart = EXACT if self.exact else SURE * sqrt(one.variance + other.variance)
        return abs(one.chance - other.chance) <= apart

    @property
    def exact(self) -> bool:
        """Whether the chances are not estimates."""
        return not (self.simulations or self.judged)

    def within(self, choice: Choice) -> float:
        """Return how far the chance of a decision may be off: half its 95 % interval, 0 if it is exact."""
        return 0.0 if self.exact or choice.chance is None else SURE * sqrt(choice.variance)

    def of(self, action: int) -> Choice:
        """Return the entry of one legal decision. Raises KeyError for others."""
        for choice in self.choices:
            if choice.action == action:
                return choice
        raise KeyError(action)
