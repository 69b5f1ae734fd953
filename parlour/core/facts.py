"""What a game declares about itself, in its `__init__.py`: `FACTS = Facts(...)`.

A conformance check holds each of them to how the game is played.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral
from typing import Literal

from parlour.core.errors import UnknownName

RULESET = "ruleset"  # the option that, where a game has it, makes several games of one

Chosen = Mapping[str, str | int]  # options as somebody gives them: see `Option.read`


@dataclass(frozen=True, slots=True)
class Option:
    """A choice made when a table is set up. `values[0]` is the default; the state holds the value's index.

    `rulesets`: those in which the choice makes a difference, all of them where none is named.
    """

    name: str
    values: tuple[str, ...]
    clause: str
    help: str
    rulesets: tuple[str, ...] = ()

    @property
    def default(self) -> str:
        return self.values[0]

    def matters(self, ruleset: str) -> bool:
        """Whether the choice makes a difference in this ruleset."""
        return not self.rulesets or ruleset in self.rulesets

    def read(self, value: object) -> str:
        """The value that is meant: "true" by True, "8000" by 8000, each by its own text. UnknownName lists them."""
        text = value
        if isinstance(value, bool):
            text = str(value).lower()
        elif isinstance(value, Integral):
            text = str(value)
        if not isinstance(text, str) or text not in self.values:
            raise UnknownName(f"Option {self.name} cannot be {value!r}.", allowed=self.values)
        return text


@dataclass(frozen=True, slots=True)
class Observed:
    """`size` numbers of the observation that belong together, each from `least` to `most`; None: there is no limit."""

    name: str
    size: int = 1
    least: int | None = 0
    most: int | None = 1


@dataclass(frozen=True, slots=True)
class Facts:
    """What a game is, in any edition and with any options.

    players: the fewest and the most. options: the choices when a table is set up.
    hidden_information: whether a seat may ever know less than another (`Rules.hidden_information` says when, if it
    depends on how the game is set up). secret_asking: whether a seat may be asked something without the others noticing
    (`Asking`). chance: whether there are dice, cards or other outcomes of chance. utility: what `returns` sum up to
    over the seats at the end, in OpenSpiel's words: "constant-sum" where they are shares of 1.
    longest: a number of steps that no game reaches; 0 where the rules, or an option, set no end.
    solver: whether it brings a solution (`study/solver.py`). observed: what `observation` writes, in its order.
    """

    players: tuple[int, int]
    observed: tuple[Observed, ...]
    options: tuple[Option, ...] = ()
    hidden_information: bool = False
    secret_asking: bool = False
    chance: bool = True
    utility: Literal["constant-sum"] = "constant-sum"
    longest: int = 0
    solver: bool = False

    @property
    def observation_size(self) -> int:
        """How many numbers an observation has at most."""
        return sum(part.size for part in self.observed)
