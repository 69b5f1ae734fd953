"""What a game declares about itself in its `__init__.py`: `FACTS = Facts(...)`.

A conformance check compares each fact with actual play.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral
from typing import Literal, get_args

from parlour.core.edition import RULING
from parlour.core.errors import UnknownName

RULESET = "ruleset"  # the name of the option that turns one game into several

Utility = Literal["constant-sum"]
UTILITIES: tuple[str, ...] = get_args(Utility)

Kind = Literal["number", "name", "mask"]  # what a number of an observation is

Chosen = Mapping[str, str | int]  # options as a caller gives them; see `Option.read`


@dataclass(frozen=True, slots=True)
class Option:
    """A choice made when a table is set up.

    `values[0]` is the default; the state holds the value's index. `rulesets`: those in which the
    choice matters; empty means all. `words` say the values to people, where they do not speak for
    themselves ("at_least"). `mark`: where the choice comes from, one of `parlour.core.edition.MARKS`.
    `printed`: a few words of the printed rules that can be read in more than one way, where the choice is between such
    readings; they are shown beside it.
    """

    name: str
    values: tuple[str, ...]
    clause: str
    help: str
    rulesets: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    mark: str = RULING
    printed: str = ""

    def said(self, value: str) -> str:
        """Return a value in words."""
        if self.words:
            return self.words[self.values.index(value)]
        return {"true": "yes", "false": "no"}.get(value, value.replace("_", " ").replace("-", " "))

    @property
    def default(self) -> str:
        return self.values[0]

    def matters(self, ruleset: str) -> bool:
        """Return whether the choice makes a difference in this ruleset."""
        return not self.rulesets or ruleset in self.rulesets

    def read(self, value: object) -> str:
        """Return the text of a value: "true" for True, "8000" for 8000, and any value's own text.

        Raises UnknownName, which lists the values.
        """
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
    """A run of `size` numbers in the observation, each from `least` to `most` (None: no limit).

    `kind` says what a number is: a "number" that can be compared; a "name", one of the things that are numbered from
    `least` to `most` (a card, a phase, a seat; -1 is often none); or a "mask", whose bits are answers. With `digits`
    a number is packed: `a + digits[0] * b`, both names from 0, or -1 for none. `clause`: the rule that it comes from.
    """

    name: str
    size: int = 1
    least: int | None = 0
    most: int | None = 1
    kind: Kind = "number"
    digits: tuple[int, ...] = ()
    clause: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """What holds for a game in any edition and with any options.

    players: the fewest and the most. options: the choices when a table is set up. observed: the
    parts of `observation`, in its order.

    hidden_information: whether a seat may ever know less than another; if that depends on the
    set-up, `Rules.hidden_information` decides. secret_asking: whether the game may ask a seat
    something without the others noticing (`Asking`). chance: whether there are dice, cards or other
    outcomes of chance.

    utility: what `returns` sum to over the seats at the end, in OpenSpiel's terms: "constant-sum"
    if they are shares of 1. longest: a number of steps that no game reaches; 0 if the rules, or an
    option, set no limit. solver: whether the game has a solution (`study/solver.py`).
    """

    players: tuple[int, int]
    observed: tuple[Observed, ...]
    options: tuple[Option, ...] = ()
    hidden_information: bool = False
    secret_asking: bool = False
    chance: bool = True
    utility: Utility = "constant-sum"
    longest: int = 0
    solver: bool = False

    @property
    def observation_size(self) -> int:
        """The greatest number of numbers in an observation."""
        return sum(part.size for part in self.observed)
