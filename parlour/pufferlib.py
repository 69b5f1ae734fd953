"""Parlour's games as native environments of PufferLib 3.0: many games at once, written into its buffers.

>>> env = parlour.pufferlib.Env("gatsby", num_envs=1024)
>>> observations, infos = env.reset(seed=1)

PufferLib has no masks of actions, so the mask is part of the observation: the last `single_action_space.n` floats have
a 1 for each action that is legal now. docs/from/pufferlib.md shows a policy that reads it, and how to install both.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any, Unpack, cast

import numpy as np
import numpy.typing as npt

from parlour.core.edition import EditionLike
from parlour.core.errors import BadSetup, whole
from parlour.core.facts import Chosen
from parlour.core.game import Game
from parlour.engine.batch import Batch, Moved
from parlour.episodes import Floats, Played, floats_between

try:
    import pufferlib
    from gymnasium import spaces
except ImportError as error:
    raise ImportError(f"parlour.pufferlib needs PufferLib 3.0: see docs/from/pufferlib.md ({error}).") from None

__all__ = ["Env"]

Flags = npt.NDArray[np.bool_]


class Trained(Played, total=False):
    """What `Env` takes by name besides `Played`: `edition`, `options` and `threads` as `Batch` takes them.

    `penalty`: what an illegal action costs (0.01). `report_interval`: how many steps are between two infos (128).
    """

    edition: EditionLike | None
    options: Chosen | None
    threads: int
    penalty: float
    report_interval: int


class Env(pufferlib.PufferEnv):  # type: ignore[misc]  # PufferLib has no types
    """`num_envs` games side by side by machine code: PufferLib's `PufferEnv` over `parlour.Batch`.

    Each seat without one of the `bots` has a row in the buffers: those of game 0 in their order, then those of game 1,
    and so on. Each game has the same number of such seats. A row sees what its seat may know, and gets what its seat is
    paid in the step that ends the game, even if another seat made the last decision.

    An observation is float32: `State.observation_tensor`, then the mask. If a game has several rows, all but one wait:
    their actions do not matter, and their masks allow only the last action, to wait, which the game itself does not
    have. An illegal action of the row to decide is replaced by a uniformly random legal one, and costs `penalty`.

    The next game starts in the step that ends one: the observation is of the new game, reward and terminal of the old
    one. A game that is cut after `max_decisions` sets its truncations instead, and pays nothing. `masks` stay True: a
    row that waits still has to learn what its game pays.

    After every `report_interval` steps an info has the results of the games that ended: "games" is their number;
    "episode_return" (of a row, without penalties) and "episode_length" (in steps) are means, "seat_0" and so on the
    mean return of a seat; "illegal" is the share of illegal actions. `batch` is the `parlour.Batch` that is played.

    `seed` is for a first `reset` without one; None draws it. Raises what `Batch` raises, and BadSetup for games with
    different numbers of rows, for buffers and for numbers that do not fit. The first game compiles for seconds.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        players: int | None = None,
        *,
        buf: Mapping[str, npt.NDArray[np.generic]] | None = None,
        seed: int | None = 0,
        **trained: Unpack[Trained],
    ) -> None:
        self._penalty, self._interval = trained.pop("penalty", 0.01), trained.pop("report_interval", 128)
        if whole(self._interval, "`report_interval`") < 1:
            raise BadSetup(f"`report_interval` is at least 1, not {self._interval}.")
        seed, more = secrets.randbits(62) if seed is None else seed, cast("Any", trained)  # the rest is a batch's
        self.batch = Batch(game, num_envs, players=players, seed=seed, auto_reset=True, **more)
        self.game, self._seats = self.batch.game, _learning(self.batch, trained.get("bots"))
        each = self._seats.shape[1]
        actions = self.game.num_distinct_actions + (each > 1)
        low, high = (
            np.append(end, np.repeat(np.float32(bit), actions)) for bit, end in enumerate(floats_between(self.game))
        )
        self.single_observation_space, self.single_action_space = spaces.Box(low, high), spaces.Discrete(actions)
        self.num_agents = num_envs * each
        super().__init__(buf)
        for name in ("observations", "rewards", "terminals", "truncations"):
            if not getattr(self, name).flags.c_contiguous:
                raise BadSetup(f"The buffer of {name} is to be an array row by row; this one leaves some out.")
        self._seen, shape = self.observations.reshape(*self._seats.shape, len(low)), self._seats.shape
        self._ended, self._cut = self.terminals.reshape(shape), self.truncations.reshape(shape)
        games, players = num_envs, self.batch.players  # the rest is for `step` to work in
        self._offsets = np.arange(games) * players
        self._paying = (self._offsets[:, None] + self._seats).ravel()  # by row, which seat it is
        self._row_of = np.full(games * players, -1)  # by seat, which row it has
        self._row_of[self._paying] = np.arange(self.num_agents)
        self._given, self._paid = np.empty(self.num_agents, np.int64), np.empty(self.num_agents)
        self._at, self._deciding, self._chosen = (np.empty(games, np.int64) for _ in range(3))
        self._illegal, self._begun, self._results = np.empty(games, np.bool_), False, _Results(games, players)

    def reset(self, seed: int | None = None) -> tuple[Floats, list[dict[str, float]]]:
        """Start a game in each environment; return the buffer of observations, and no infos.

        `seed` decides all games until the next one, and None continues from the last. Raises what `Batch.reset` does.
        """
        if seed is not None:
            self.batch.reset(seed)
        elif self._begun:
            self.batch.restart(np.ones(self.batch.n, np.bool_))
        self._begun, self._results = True, _Results(self.batch.n, self.batch.players)
        self.rewards[:], self.terminals[:], self.truncations[:], self.masks[:] = 0, False, False, True
        self.batch.rows(self._seats, out=self._seen)
        return self.observations, []

    def step(self, actions: npt.ArrayLike) -> tuple[Floats, Floats, Flags, Flags, list[dict[str, float]]]:
        """Make one decision in each game; return observations, rewards, terminals, truncations (the buffers) and infos.

        `actions` (num_agents,) integers. Raises BadSetup for another array, and before the first `reset`; then nothing
        has changed.
        """
        if not self._begun:
            raise BadSetup("No game is in progress; `reset` starts them.")
        given = np.asarray(actions)
        if given.shape != self._given.shape or not np.issubdtype(given.dtype, np.integer):
            raise BadSetup(f"`actions` has a whole number for each of the {self.num_agents} rows, not {given!r}.")
        np.copyto(self._given, given, casting="same_kind")
        np.copyto(self.actions, given, casting="unsafe")
        np.add(self._offsets, self.batch.current, out=self._at)
        np.take(self._row_of, self._at, out=self._deciding, mode="clip")  # with another mode NumPy copies
        np.take(self._given, self._deciding, out=self._chosen, mode="clip")
        self.batch.replace_illegal(self._chosen, out=self._illegal)
        moved = self.batch.step(self._chosen, check=False)
        np.take(moved.rewards.reshape(-1), self._paying, out=self._paid, mode="clip")
        np.copyto(self.rewards, self._paid, casting="same_kind")
        np.copyto(self._ended, moved.ended.view(np.bool_)[:, None])
        np.copyto(self._cut, moved.truncated.view(np.bool_)[:, None])
        self._results.note(moved, self._paid, self._illegal)
        if self._illegal.any():
            self.rewards[self._deciding[self._illegal]] -= self._penalty
        self.batch.rows(self._seats, out=self._seen)
        infos = self._results.told() if self._results.steps >= self._interval else []
        return self.observations, self.rewards, self.terminals, self.truncations, infos

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


class _Results:
    """The results of the games that ended since the last info."""

    def __init__(self, games: int, players: int) -> None:
        self._ages = np.zeros(games, np.int64)  # steps that each game has had
        self._over, self._shares = np.empty(games, np.bool_), np.empty(players)
        self._sums = np.zeros(4 + players)  # games, what a row was paid, steps, illegal actions; what seats were paid
        self.steps = 0

    def note(self, moved: Moved, paid: npt.NDArray[np.float64], illegal: Flags) -> None:
        """Add a step: what it brought the seats and the rows, and which games had an illegal action."""
        sums = self._sums
        self.steps += 1
        self._ages += 1
        np.logical_or(moved.ended, moved.truncated, out=self._over)
        sums[3] += np.count_nonzero(illegal)
        if over := np.count_nonzero(self._over):
            sums[:3] += over, paid.mean() * len(illegal), self._ages.sum(where=self._over)
            sums[4:] += moved.rewards.sum(axis=0, out=self._shares)
            np.copyto(self._ages, 0, where=self._over)

    def told(self) -> list[dict[str, float]]:
        """Return the results and begin anew; none while no game has ended."""
        games, paid, length, illegal, *seats = self._sums.tolist()
        if not games:
            return []
        found = {f"seat_{seat}": share / games for seat, share in enumerate(seats)}
        found |= {"games": games, "episode_return": paid / games, "episode_length": length / games}
        found["illegal"] = illegal / (self.steps * len(self._ages))
        self._sums[:], self.steps = 0, 0
        return [found]


def _learning(
    batch: Batch, bots: Sequence[str | None] | Sequence[Sequence[str | None]] | None
) -> npt.NDArray[np.int64]:
    """Return the seats of each game that have no bot (games, seats)."""
    names = np.array([None] * batch.players if bots is None else bots, object)
    free = np.broadcast_to(names == None, (batch.n, batch.players))  # noqa: E711 - by elements
    counts = free.sum(axis=1)
    if counts.min() < counts.max():
        raise BadSetup(f"Each game needs the same number of seats without a bot, not {counts.min()} to {counts.max()}.")
    return np.ascontiguousarray(free.nonzero()[1].reshape(batch.n, -1))
