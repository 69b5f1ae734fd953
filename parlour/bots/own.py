"""A bot of your own: a class that chooses from a `SeatView`, which has what its seat may know."""

from __future__ import annotations

import hashlib
import random
from abc import ABC, abstractmethod
from array import array

from parlour.bots.view import View
from parlour.core import plain
from parlour.core.errors import ParlourError
from parlour.core.game import Game
from parlour.core.mechanics import Mechanics
from parlour.core.state import State

SECONDS = 10.0  # for one decision, unless a caller says otherwise


class BotFault(ParlourError):
    """A bot of your own failed, was late or answered nonsense: it loses its game. The message says which."""

    code = "bot-fault"


class SeatView:
    """What a bot may know when its seat decides. All that the seat cannot know is drawn anew in every state of it.

    `seat` counts from 0; `seconds` is the time for this decision.
    """

    def __init__(self, mechanics: Mechanics, view: View, seconds: float = SECONDS) -> None:
        self.seat = view.seat
        self.seconds = seconds
        # Not `view.seed`: with it, the drawing could be computed backwards to the true cards.
        self.seed = int.from_bytes(hashlib.sha256(f"parlour-own-bot-1/{view.seed}".encode()).digest()[:7], "big")
        self._plain = view.state(mechanics.game)
        self._state = State.at(mechanics, self._plain)
        self._names = mechanics.names
        self._rng: random.Random | None = None

    @property
    def game(self) -> Game:
        """The game."""
        return self._state.game

    @property
    def num_players(self) -> int:
        """The number of players."""
        return self._state.num_players

    @property
    def edition(self) -> str:
        """The name of the edition."""
        return self._state.edition.name

    @property
    def options(self) -> dict[str, str]:
        """Every option with its value."""
        return self._state.options

    @property
    def rng(self) -> random.Random:
        """Random numbers for this decision: the same in each repetition of the same game."""
        if self._rng is None:
            self._rng = random.Random(self.seed)
        return self._rng

    @property
    def state(self) -> State:
        """A position as it may be, a new copy each time: what the seat cannot know is drawn by its probability."""
        return self._state.clone()

    def sample(self, rng: random.Random | int | None = None) -> State:
        """Return another position as it may be. `rng`: a `random.Random` or a seed; the view's own by default."""
        return self._state.resample_from_infostate(self.seat, self.rng if rng is None else rng)

    def legal_actions(self) -> list[int]:
        """Return the decisions to choose from, as numbers, ascending."""
        return self._state.legal_actions()

    def action_to_string(self, action: int) -> str:
        """Return a legal decision in words. Raises IllegalMove for others."""
        return self._state.action_to_string(action)

    def string_to_action(self, words: str) -> int:
        """Return the legal decision that `words` name. Raises InvalidMove, IllegalMove."""
        return self._state.string_to_action(words)

    def observation(self) -> list[int]:
        """Return the numbers that the seat sees, as `Facts.observed` has them."""
        return self._state.observation(self.seat)

    def observation_tensor(self) -> array[float]:
        """Return the observation as float32, as `State.observation_tensor` does."""
        return self._state.observation_tensor(self.seat)

    def observation_dict(self) -> dict[str, object]:
        """Return the observation by the names of its fields, as `State.observation_dict` does."""
        return self._state.observation_dict(self.seat)

    def scores(self) -> list[int]:
        """Return the scores by seat in the state that was drawn."""
        return self._state.scores()

    def __str__(self) -> str:
        return plain.render(self.game.scenes.scene(self._plain, self.seat, self._names))

    def __repr__(self) -> str:
        return f"<SeatView of {self.game.name}, seat {self.seat}, {len(self.legal_actions())} decisions>"


class Bot(ABC):
    """The base of a bot of your own. Only `choose` must be written.

    >>> class Last(parlour.Bot):
    ...     def choose(self, view):
    ...         return view.legal_actions()[-1]
    >>> parlour.simulate(name, bots=[Last, "random"], games=10)

    `name` is its name in results, its class if empty. `games` has the names of the games that it plays; empty for all.
    Where a class is given, each seat of each game has a new object of it. One object that is given plays all its games.
    """

    name: str = ""
    games: tuple[str, ...] = ()

    @abstractmethod
    def choose(self, view: SeatView) -> int:
        """Return one of `view.legal_actions()`."""

    def new_game(self) -> None:  # noqa: B027 - most bots keep nothing
        """Forget what is kept of the last game. It is called before each game."""

    def close(self) -> None:  # noqa: B027
        """Give back what the bot holds. It is called after the last game."""
