"""One game after another, with chance drawn: what the environments for other libraries share.

It needs NumPy, so `import parlour` leaves it alone.
"""

from __future__ import annotations

import operator
import random
from collections.abc import Sequence
from typing import NamedTuple, TypedDict

import numpy as np
import numpy.typing as npt

from parlour import new_initial_state
from parlour.core import observing
from parlour.core.contract import TERMINAL
from parlour.core.edition import EditionLike
from parlour.core.errors import BadSetup, IllegalMove, InvalidMove, UnknownName
from parlour.core.facts import Chosen
from parlour.core.game import Game
from parlour.core.state import State

Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.int8]


class Terms(TypedDict, total=False):
    """How an environment pays, refuses, plays and shows; each may be left out, and the first value is the default.

    `rewards`: "returns" (at the end the winners share 1, the others get 0) or "scores" (at the end what a seat's score
    is above the mean of the others'). `illegal`: "lose" (an illegal action ends the game, and pays -1 to the seat that
    tried it and 0 to the others) or "raise" (it raises IllegalMove, and nothing changes). `compiled`: play by machine
    code (False). `render_mode`: None, or "ansi" for text.
    """

    rewards: str
    illegal: str
    compiled: bool
    render_mode: str | None


class Played(TypedDict, total=False):
    """How environments over a `Batch` play: `max_decisions`, `rewards` and `bots` as it takes them."""

    max_decisions: int | None
    rewards: str
    bots: Sequence[str | None] | Sequence[Sequence[str | None]] | None


CHOICES: dict[str, tuple[str | None, ...]] = {
    "rewards": ("returns", "scores"), "illegal": ("lose", "raise"), "render_mode": (None, "ansi"),
}  # fmt: skip


def floats_between(game: Game) -> tuple[Floats, Floats]:
    """Return the lowest and the highest value of each float of an observation."""
    low, high = observing.bounds(game.facts)
    return np.array(low, np.float32), np.array(high, np.float32)


class Table(NamedTuple):
    """What is played: as `parlour.new_initial_state` takes it."""

    game: str | Game
    players: int | None = None
    edition: EditionLike | None = None
    options: Chosen | None = None


class Episode:
    """A game in progress, whose chance is drawn from a seed, and the next one.

    `position` is the `State` that is played, with what is hidden; `over` says whether the game has ended, and
    `refused` why, if an illegal action ended it ("" otherwise). Copies and pickles continue from the same position.

    Raises what `parlour.new_initial_state` raises, UnknownName for a value that `Terms` does not have, and TypeError
    for a name that it does not have.
    """

    def __init__(self, table: Table, terms: Terms) -> None:
        if unknown := terms.keys() - Terms.__annotations__.keys():
            raise TypeError(f"An environment takes {', '.join(Terms.__annotations__)}, not {', '.join(unknown)}.")
        for name, allowed in CHOICES.items():
            if (value := terms.get(name, allowed[0])) not in allowed:
                raise UnknownName(f"`{name}` cannot be {value!r}.", allowed=map(repr, allowed))
        self._table, self._terms = table, terms
        self._rng = random.Random()
        self._first = self.position = self._begun()
        self.game, self.players = self.position.game, self.position.num_players
        self.render_mode = terms.get("render_mode")
        self.number, self.over, self.refused, self._loser = 0, True, "", -1

    def _begun(self) -> State:
        game, players, edition, options = self._table
        compiled = self._terms.get("compiled", False)
        return new_initial_state(game, players, edition=edition, options=options, compiled=compiled)

    def begin(self, seed: int | None = None) -> None:
        """Start a game. `seed` (at least 0) decides it and those after it; None continues from the last seed."""
        if seed is not None:
            self._rng = random.Random(seed)
        self.number = self._rng.getrandbits(56)
        self.position = self._first.clone()
        self.refused, self._loser = "", -1
        self._draw()

    @property
    def current(self) -> int:
        """The seat to decide, or TERMINAL (-4)."""
        return TERMINAL if self.over else self.position.current_player()

    def act(self, action: object) -> None:
        """Make a decision, and draw the chance after it.

        An illegal one ends the game or raises IllegalMove, as `Terms` says. Raises InvalidMove for what is not a whole
        number, IllegalMove for a number that is not an action of this game, and BadSetup if the game is over or has not
        begun; then nothing changes.
        """
        if self.over:
            raise BadSetup("No game is in progress; `reset` starts one.")
        try:
            number = operator.index(action)  # type: ignore[arg-type]  # what is not a number raises TypeError
        except TypeError:
            number = True
        if isinstance(number, bool) or isinstance(action, bool):
            raise InvalidMove(f"An action is a whole number, not {action!r}.")
        try:
            self.position.apply_action(number)
        except IllegalMove as error:
            if not 0 <= number < self.game.num_distinct_actions:
                raise
            self.refuse(error)
        else:
            self._draw()

    def refuse(self, error: IllegalMove) -> None:
        """End the game, lost by the seat to decide; or raise `error`, where the terms say so."""
        if self._terms.get("illegal") == "raise":
            raise error
        self._loser, self.refused, self.over = self.position.current_player(), str(error), True

    def _draw(self) -> None:
        """Draw chance until a seat is to decide, or the game is over."""
        position = self.position
        while position.is_chance_node():
            position.apply_chance(self._rng)
        self.over = position.is_terminal()

    def paid(self) -> list[float]:
        """Return what each seat gets for the game so far: 0 before the end, then what `Terms` says."""
        if self._loser >= 0:
            return [-1.0 if seat == self._loser else 0.0 for seat in range(self.players)]
        if self._terms.get("rewards") != "scores" or not self.over:
            return self.position.returns()
        scores = self.position.scores()
        return [score - (sum(scores) - score) / max(self.players - 1, 1) for score in map(float, scores)]

    def observation(self, seat: int) -> Floats:
        """Return what a seat sees, as float32: a new array, as `State.observation_tensor` has it."""
        return np.asarray(self.position.observation_tensor(seat), np.float32)

    def mask(self, seat: int, more: int = 0) -> Mask:
        """Return a 1 for each action that is legal for a seat, by its number, then `more` zeros: a new array."""
        mask = np.zeros(self.game.num_distinct_actions + more, np.int8)
        if not self.over:
            mask[self.position.legal_actions(seat)] = 1
        return mask

    def random_action(self) -> int:
        """Return a legal action, each equally likely."""
        return self._rng.choice(self.position.legal_actions())

    def render(self) -> str | None:
        """Return the position as a spectator sees it, if the render mode is "ansi"; otherwise None."""
        return str(self.position) if self.render_mode == "ansi" else None

    def __getstate__(self) -> dict[str, object]:
        kept = {name: value for name, value in vars(self).items() if name not in ("_first", "position")}
        return kept | {"history": self.position.history()}

    def __setstate__(self, kept: dict[str, object]) -> None:
        history = kept.pop("history")
        vars(self).update(kept)
        self._first = self._begun()
        self.position = self._first.clone()
        assert isinstance(history, list)
        for action in history:
            self.position.apply_action(action)
