"""A game set up for a number of players, with the functions that play it: what a `State` and a `Match` go by."""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable
from functools import cache, cached_property

from parlour.core import observing
from parlour.core.edition import Edition, EditionLike
from parlour.core.facts import Chosen
from parlour.core.game import Game
from parlour.core.struct import GameState, copy

Lists = list[list[int]]
Pairs = list[tuple[list[int], list[int]]]


@cache
def _rooms(_legal: int, _outcomes: int) -> tuple[Lists, Pairs]:
    """Return the lists of these lengths that rules write, those that nothing uses now: a thread takes one out and puts
    it back. Matches share them, because they may be long (1,287 rolls with their weights are 20 KB).
    """
    return [], []


class Mechanics:
    """A game with a number of players, an edition and options, and the functions that play it: shared by its positions.

    Nothing else in `core` asks the rules what is possible, makes a step or counts. `parlour.engine.single` has one
    whose functions are compiled.
    """

    def __init__(self, game: Game, players: int | None, edition: EditionLike | None, options: Chosen | None) -> None:
        self.game = game
        self.players = game.facts.players[0] if players is None else players
        self.edition = game.edition(edition)
        self.options = game.options(options)
        rules = game.rules
        self.current_player: Callable[[GameState], int] = rules.current_player
        self.apply: Callable[[GameState, int], None] = rules.apply
        self._lists, self._pairs = _rooms(rules.MAX_LEGAL, rules.MAX_OUTCOMES)

    def __reduce__(self) -> tuple[type[Mechanics], tuple[Game, int, Edition, dict[str, str]]]:
        return type(self), (self.game, self.players, self.edition, self.options)  # what was made of these is made anew

    @cached_property
    def start(self) -> GameState:
        """The state of plain rules before the first draw or decision, which is not to be changed."""
        return Mechanics.begin(self)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names for players who have none."""
        return tuple(f"Player {seat + 1}" for seat in range(self.players))

    @cached_property
    def plan(self) -> tuple[observing.Plan, ...]:
        """How the numbers of an observation become floats."""
        return observing.plan(self.game.facts)

    @cached_property
    def floats(self) -> int:
        """How many floats an observation becomes."""
        return self.plan[-1].start + self.plan[-1].width if self.plan else 0

    def begin(self) -> GameState:
        """Return the state before the first draw or decision. Raises BadSetup if the number of players does not fit."""
        begun: GameState = self.game.start(self.players, self.edition, self.options)
        return begun

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
        """Return the legal decisions, ascending; none if no seat is to decide."""
        rules, rooms = self.game.rules, self._lists
        try:
            room = rooms.pop()
        except IndexError:
            room = [0] * rules.MAX_LEGAL
        found = room[: rules.legal_actions(state, room)]
        rooms.append(room)
        return found

    def chance(self, state: GameState) -> tuple[list[int], list[int]]:
        """Return the possible outcomes and their weights; none if chance is not due."""
        rules, rooms = self.game.rules, self._pairs
        try:
            outcomes, weights = room = rooms.pop()
        except IndexError:
            outcomes, weights = room = [0] * rules.MAX_OUTCOMES, [0] * rules.MAX_OUTCOMES
        count = rules.chance_outcomes(state, outcomes, weights)
        found = outcomes[:count], weights[:count]
        rooms.append(room)
        return found

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

    def returns(self, state: GameState) -> list[float]:
        """Return each seat's utility: the winners share 1, the others get 0; all 0 before the end."""
        out = [0.0] * self.players
        self.game.rules.returns(self.plain(state), out)
        return out

    def scores(self, state: GameState) -> list[int]:
        """Return each seat's score in the game's own points."""
        out = [0] * self.players
        self.game.rules.scores(self.plain(state), out)
        return out
