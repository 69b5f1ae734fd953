"""The input of a bot: a state in which everything that its seat cannot know has been drawn anew."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from parlour.core.errors import BadSetup
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.rng import RNG_SIZE, seed_rng
from parlour.core.struct import GameState, copy, flatten, unflatten

SCHEME = "parlour-view-1"


@dataclass(frozen=True, slots=True)
class View:
    """A seat's view of a game, as plain numbers that can be sent to another process.

    `numbers` is a resampled state, flattened. `table` has the numbers of the state before the first
    draw (edition, options, players). `seed` decides what a bot leaves to chance. `trail` has the
    seat's decisions since anything else happened, and `origin` is a number that identifies the
    point where they began.
    """

    game: str
    seat: int
    numbers: tuple[int, ...]
    seed: int
    table: tuple[int, ...]
    players: int
    origin: int = 0
    trail: tuple[int, ...] = ()

    @classmethod
    def of(cls, match: Match, seat: int) -> View:
        """Return the view of `seat` now. The same point of the same match gives the same view.

        Its seed is a hash of the match's own seed and of the place in the record, under a separate
        label, so it reveals nothing about the draws to come.
        """
        seat = match.seat(seat)
        seed = _number(match, match.version, seat, "")
        rng = [0] * RNG_SIZE
        seed_rng(rng, seed, 1 << 16)
        state = copy(match.state)
        match.game.rules.resample(state, seat, rng)
        start = match.game.start(len(match.names), match.edition, match.options)
        since = match.version
        while since and match.steps[since - 1][0] == seat:
            since -= 1
        trail = tuple(step[1] for step in match.steps[since:])
        origin = _number(match, since, seat, "/origin")
        players = len(match.names)
        return cls(match.game.name, seat, tuple(flatten(state)), seed, tuple(flatten(start)), players, origin, trail)

    def state(self, game: Game) -> GameState:
        """Return the resampled state."""
        return unflatten(game.rules.State, list(self.numbers))


def decision(game: Game, view: View) -> GameState:
    """Return the state of a view whose seat is to decide. Raises BadSetup for other views."""
    if view.game != game.name:
        raise BadSetup(f"This bot plays {game.name}, not {view.game}.")
    state = view.state(game)
    if game.rules.current_player(state) != view.seat:
        raise BadSetup(f"Seat {view.seat + 1} has no decision to make.")
    return state


def _number(match: Match, version: int, seat: int, label: str) -> int:
    text = f"{SCHEME}/{match.seed}/{version}/{seat}{label}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:7], "big")
