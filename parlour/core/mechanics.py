"""A game set up for a number of players, with the functions that play it: what the states of one game share."""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable

from parlour.core import observing
from parlour.core.edition import Edition
from parlour.core.facts import Chosen
from parlour.core.game import Game
from parlour.core.struct import GameState, copy


class Mechanics:
    """A game with a number of players, an edition and options, and the functions that play it: shared by its states.

    `parlour.engine.single` has one whose functions are compiled.
    """

    def __init__(self, game: Game, players: int | None, edition: str | Edition | None, options: Chosen | None) -> None:
        self.game = game
        self.players = game.facts.players[0] if players is None else players
        self.edition = edition if isinstance(edition, Edition) else game.edition(edition)
        self.options = game.options(options)
        self.start: GameState = game.start(self.players, self.edition, self.options)
        rules = game.rules
        self.current_player: Callable[[GameState], int] = rules.current_player
        self.apply: Callable[[GameState, int], None] = rules.apply
        self._legal = [0] * rules.MAX_LEGAL
        self._outcomes, self._weights = [0] * rules.MAX_OUTCOMES, [0] * rules.MAX_OUTCOMES
        self.plan = observing.plan(game.facts)
        self.floats = self.plan[-1].start + self.plan[-1].width if self.plan else 0
        self.names = tuple(f"Player {seat + 1}" for seat in range(self.players))

    def __reduce__(self) -> tuple[type[Mechanics], tuple[Game, int, Edition, dict[str, str]]]:
        return type(self), (self.game, self.players, self.edition, self.options)  # what was made of these is made anew

    def begin(self) -> GameState:
        """Return the state before the first draw or decision."""
        return copy(self.start)

    def copy(self, state: GameState) -> GameState:
        """Return an independent copy."""
        return copy(state)

    def plain(self, state: GameState) -> GameState:
        """Return the state as plain rules have it; it may be the same object."""
        return state

    def packed(self, state: GameState) -> GameState:
        """Return a state of plain rules as these functions take it."""
        return state

    def legal(self, state: GameState) -> list[int]:
        """Return the legal decisions, ascending."""
        return self._legal[: self.game.rules.legal_actions(state, self._legal)]

    def chance(self, state: GameState) -> tuple[list[int], list[int]]:
        """Return the possible outcomes and their weights."""
        count = self.game.rules.chance_outcomes(state, self._outcomes, self._weights)
        return self._outcomes[:count], self._weights[:count]

    def draw(self, state: GameState, rng: random.Random) -> tuple[int, int]:
        """Return an outcome, drawn by its probability: its place among those that are possible, and the outcome."""
        outcomes, weights = self.chance(state)
        place = rng.choices(range(len(weights)), weights)[0] if len(weights) > 1 else 0
        return place, outcomes[place]

    def observe(self, state: GameState, seat: int) -> list[int]:
        """Return the numbers that `seat` (or SPECTATOR) sees."""
        out = [0] * self.game.rules.OBSERVATION_SIZE
        self.game.rules.observation(state, seat, out)
        return out

    def tensor(self, state: GameState, seat: int) -> array[float]:
        """Return what `seat` (or SPECTATOR) sees, as float32."""
        return observing.tensor(self.plan, self.observe(state, seat), self.floats)
