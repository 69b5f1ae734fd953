"""The input of a bot: a state in which everything that its seat cannot know has been drawn anew."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from parlour.core.edition import Edition
from parlour.core.errors import BadSetup, whole
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.rng import RNG_SIZE, seed_rng
from parlour.core.state import State
from parlour.core.struct import GameState, copy, flatten, unflatten

SCHEME = "parlour-view-1"


@dataclass(frozen=True, slots=True)
class View:
    """A seat's view of a game, as plain numbers that can be sent to another process.

    `numbers` is a resampled state, flattened. `table` has the numbers of the state before the first
    draw (edition, options, players). `seed` decides what a bot leaves to chance. `trail` has the
    seat's decisions since anything else happened, and `origin` is a number that identifies the
    point where they began. `edition` and `options` are the names of what `table` holds as numbers;
    `changed` is the edition where it isn't one of the game's own.
    """

    game: str
    seat: int
    numbers: tuple[int, ...]
    seed: int
    table: tuple[int, ...]
    players: int
    origin: int = 0
    trail: tuple[int, ...] = ()
    edition: str = ""
    options: tuple[tuple[str, str], ...] = ()
    changed: Edition | None = field(default=None, hash=False)

    @classmethod
    def of(cls, match: Match, seat: int) -> View:
        """Return the view of `seat` now. The same point of the same match gives the same view.

        Its seed is a hash of the match's own seed and of the place in the record, under a separate
        label, so it reveals nothing about the draws to come.
        """
        seat = match.seat(seat)
        start = match.game.start(len(match.names), match.edition, match.options)
        steps = [(actor, action) for actor, action, _ in match.steps]
        made = _view(match.game, seat, (copy(match.state), start, len(match.names)), f"{match.seed}", steps)
        return _set_up(made, match.game, match.edition, match.options)

    @classmethod
    def of_state(cls, state: State, seat: int, seed: int) -> View:
        """Return the view of `seat` in a position. The same actions and `seed` give the same view.

        `seed` identifies the game that is played: each gets a number of its own, which has nothing to do with its
        draws. Raises BadSetup if there is no such seat.
        """
        if not 0 <= whole(seat, "A seat") < state.num_players:
            raise BadSetup(f"There is no seat {seat}; the seats are 0 to {state.num_players - 1}.")
        start = state.game.start(state.num_players, state.edition, state.options)
        made = _view(state.game, seat, (state.plain(), start, state.num_players), f"state/{seed}", state.full_history())
        return _set_up(made, state.game, state.edition, state.options)

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


def own(game: Game, edition: Edition) -> bool:
    """Return whether an edition is one of the game's own, unchanged."""
    here = game.editions.get(edition.name)
    return here is not None and (here is edition or here.parts == edition.parts)


def _set_up(view: View, game: Game, edition: Edition, options: Mapping[str, str]) -> View:
    """Return the view with how its table is set up."""
    changed = None if own(game, edition) else edition
    return replace(view, edition=edition.name, options=tuple(options.items()), changed=changed)


def _view(
    game: Game, seat: int, table: tuple[GameState, GameState, int], seed: str, steps: Sequence[tuple[int, int]]
) -> View:
    """Return a view. `table`: the position (which is changed), the state before the first draw, the players; `steps`
    are who acted, and how."""
    state, start, players = table
    number = _number(seed, len(steps), seat, "")
    rng = [0] * RNG_SIZE
    seed_rng(rng, number, 1 << 16)
    game.rules.resample(state, seat, rng)
    since = len(steps)
    while since and steps[since - 1][0] == seat:
        since -= 1
    trail = tuple(action for _, action in steps[since:])
    origin = _number(seed, since, seat, "/origin")
    return View(game.name, seat, tuple(flatten(state)), number, tuple(flatten(start)), players, origin, trail)


def _number(seed: str, version: int, seat: int, label: str) -> int:
    text = f"{SCHEME}/{seed}/{version}/{seat}{label}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:7], "big")
