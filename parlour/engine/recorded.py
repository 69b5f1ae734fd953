"""The games of some lanes of a batch, as matches.

What a lane decides is kept with its generator as it was then. So the chance after each decision is drawn again, and
nothing of it needs to be kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from parlour.core.contract import CHANCE, TERMINAL
from parlour.core.errors import BadSetup, whole
from parlour.core.match import Match
from parlour.core.rng import RNG_SIZE, seed_rng
from parlour.core.struct import copiers, copy
from parlour.engine.compiled import compile
from parlour.engine.drivers import RANDOM
from parlour.engine.interpreted import interpret
from parlour.engine.work import Lanes

ROOM = 256  # decisions for which there is room at first


@dataclass
class Kept:
    """A game: its seed and stream, and a row for each decision: the action, and the generator before it."""

    seed: int
    stream: int
    rows: Any
    decisions: int = 0


class Recorder:
    """Keeps what these lanes decide. Raises BadSetup for a lane that there is not, and for one that is named twice.

    `most` decisions need no more room than there is at first.
    """

    def __init__(self, lanes: Lanes, chosen: Sequence[int], most: int | None) -> None:
        n = len(lanes.current)
        for lane in chosen:
            if not 0 <= whole(lane, "A recorded lane") < n:
                raise BadSetup(f"There is no lane {lane} to record; they are 0 to {n - 1}.")
        if len(set(chosen)) != len(chosen):
            raise BadSetup("A recorded lane is named twice.")
        self._lanes = lanes
        self._now = {
            int(lane): Kept(0, 0, np.zeros((min(most or ROOM, ROOM), 1 + RNG_SIZE), np.int64)) for lane in chosen
        }
        self._final: dict[int, Kept] = {}

    def begin(self, chosen: Any) -> None:
        """Begin to keep the new games of these lanes."""
        for lane, game in self._now.items():
            if chosen[lane]:
                game.seed, game.stream = int(self._lanes.seeds[lane]), int(self._lanes.streams[lane])
                game.decisions = 0

    def note(self, actions: Any) -> None:
        """Keep what is decided now."""
        for lane, game in self._now.items():
            if self._lanes.current[lane] >= 0:
                if game.decisions == len(game.rows):
                    game.rows = np.concatenate([game.rows, np.zeros_like(game.rows)])
                game.rows[game.decisions, 0] = actions[lane]
                game.rows[game.decisions, 1:] = self._lanes.rngs[lane]
                game.decisions += 1

    def close(self, *, reset: bool) -> None:
        """Put aside a copy of the games that this step has ended; with `reset`, begin to keep the next ones."""
        over = (self._lanes.ended | self._lanes.truncated).astype(np.bool_)
        for lane, game in self._now.items():
            if over[lane]:
                self._final[lane] = replace(game, rows=game.rows[: game.decisions].copy())
        if reset:
            self.begin(over)

    def replayed(self, match: Match, lane: int, *, final: bool) -> Match:
        """Play a lane's game again in `match`, which has just begun. Raises BadSetup if it is not there."""
        if lane not in self._now:
            raise BadSetup(f"Lane {lane} is not recorded; these are: {', '.join(map(str, self._now))}.")
        if final and lane not in self._final:
            raise BadSetup(f"No game has ended in lane {lane} yet.")
        game = (self._final if final else self._now)[lane]
        rng = [0] * RNG_SIZE
        seed_rng(rng, game.seed, game.stream)
        _draw(match, rng)
        for action, *rest in game.rows[: game.decisions].tolist():
            match.advance(match.parse(action))
            _draw(match, rest)
        match.seed = None  # what fell came from the batch, and not from the seed of a match
        return match


def _draw(match: Match, rng: list[int]) -> None:
    """Draw the chance that is due as a batch does."""
    while match.current_player == CHANCE:
        match.advance(match.parse_outcome(match.game.rules.sample_chance(match.state, rng)))


def replayed(match: Match, bots: Sequence[int], seed: int, number: int, most: int, *, watched: bool) -> Match:
    """Play game `number` of a simulation again in `match`, which has just begun (`auto=False`), by plain rules.

    `bots`: their numbers in the drivers; those that are not random decide compiled, which is a hundred times quicker.
    `watched`: as `survey.watch` plays, which deals nothing anew for random bots; else as `drivers.play`. What falls
    comes from the simulation's generator, so the match has no seed.
    """
    plain = interpret(match.game)
    engine = plain if set(bots) <= {RANDOM} else compile(match.game)
    rules, out, buffers = plain.rules, plain.buffers(match.state).out, engine.buffers(match.state)
    state, shown, rng, own = copy(match.state), copy(match.state), [0] * RNG_SIZE, engine.integers(RNG_SIZE)
    assign = copiers(match.game.rules.State).assign
    seed_rng(rng, seed, number)
    decisions = 0
    while decisions < most and (player := rules.current_player(state)) != TERMINAL:
        if player == CHANCE:
            action = rules.sample_chance(state, rng)
        elif watched and bots[player] == RANDOM:
            action = rules.random_action(state, rng, out)
        else:
            assign(shown, state)
            rules.resample(shown, player, rng)
            own[:] = rng
            action = int(engine.drivers.choose_first(bots[player], engine.states(shown, 1), own, buffers))
            rng[:] = map(int, own)
        decisions += player != CHANCE
        rules.apply(state, action)
        match.advance(action)
    match.seed = None
    return match
