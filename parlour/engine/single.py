"""One position at a time, by compiled rules: what `parlour.State` needs where steps have to be quick."""

from __future__ import annotations

import random
from array import array
from operator import attrgetter
from typing import Any

import numpy as np

from parlour.core.edition import EditionLike
from parlour.core.facts import Chosen
from parlour.core.game import Game
from parlour.core.mechanics import Mechanics
from parlour.engine import packing
from parlour.engine.compiled import compile


class Packed:
    """A packed state, with the seat that decides there and the legal decisions: one call finds all three."""

    __slots__ = ("legal", "player", "records")

    def __init__(self, records: Any, player: int, legal: list[int]) -> None:
        self.records, self.player, self.legal = records, player, legal


class CompiledMechanics(Mechanics):
    """See `Mechanics`. The first states of a game compile what is not in the cache, which takes seconds."""

    def __init__(self, game: Game, players: int | None, edition: EditionLike | None, options: Chosen | None) -> None:
        super().__init__(game, players, edition, options)
        self._engine = compile(game)
        rules, integers = game.rules, self._engine.integers
        self._advance, self._look = self._engine.drivers.advance, self._engine.drivers.look
        self._room = integers(rules.MAX_LEGAL)
        self._chances = integers(rules.MAX_OUTCOMES), integers(rules.MAX_OUTCOMES)
        self._seen = integers(rules.OBSERVATION_SIZE)
        self._plans, self._blank = np.array(self.plan, np.int64), bytes(4 * self.floats)
        self._begin = self.packed(self.start)
        self.current_player = attrgetter("player")  # quicker than a function of our own
        self.apply = self._apply

    def begin(self) -> Any:
        return self.copy(self._begin)

    def copy(self, state: Any) -> Any:
        records = np.frombuffer(bytearray(state.records.tobytes()), state.records.dtype)  # NumPy copies field by field
        return Packed(records, state.player, state.legal)

    def plain(self, state: Any) -> Any:
        return packing.unpack(self.game.rules.State, state.records[0])

    def packed(self, state: Any) -> Any:
        records = self._engine.states(state, 1)
        player, count = self._look(records, self._room)
        return Packed(records, player, self._room[:count].tolist())

    def _apply(self, state: Any, action: int) -> None:
        state.player, count = self._advance(state.records, action, self._room)
        state.legal = self._room[:count].tolist()

    def legal(self, state: Any) -> list[int]:
        found: list[int] = state.legal
        return found

    def chance(self, state: Any) -> tuple[list[int], list[int]]:
        outcomes, weights = self._chances
        count = self._engine.drivers.outcomes(state.records, outcomes, weights)
        return outcomes[:count].tolist(), weights[:count].tolist()

    def draw(self, state: Any, rng: random.Random) -> tuple[int, int]:
        outcomes, weights = self._chances
        count = self._engine.drivers.outcomes(state.records, outcomes, weights)
        place: int = self._engine.drivers.pick(weights, count, rng.random()) if count > 1 else 0
        return place, int(outcomes[place])

    def observe(self, state: Any, seat: int) -> list[int]:
        self._seen[:] = 0
        self._engine.drivers.observe(state.records, seat, self._seen)
        return list(self._seen.tolist())

    def tensor(self, state: Any, seat: int) -> array[float]:
        made = array("f", self._blank)
        self._engine.drivers.tensor(state.records, seat, self._seen, self._plans, np.frombuffer(made, np.float32))
        return made
