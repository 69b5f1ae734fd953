"""Many games side by side as arrays, for learning and other research.

One call from Python moves every game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from parlour.core import observing
from parlour.core.errors import BadSetup, IllegalMove, flag, whole
from parlour.core.facts import Chosen
from parlour.core.game import Game
from parlour.core.rng import RNG_SIZE
from parlour.engine.compiled import compile
from parlour.engine.packing import unpack
from parlour.games import find


class Moved(NamedTuple):
    """The result of `Batch.step`. The batch owns both arrays, and the next step overwrites them."""

    rewards: Any  # (n, players) float64: the returns of a game that this step ended, else 0
    ended: Any  # (n,) int8: 1 if this step ended the game


class Batch:
    """`n` games of one kind, each in its lane and waiting for a decision; the batch draws chance.

    >>> batch = Batch(game, 1000, players=2, seed=1)
    >>> while not batch.over:
    ...     rewards, ended = batch.step(batch.random_actions())

    `current` (n,) int64 is the seat to decide in each lane, TERMINAL (-4) if the game is over. With
    `auto_reset` a lane whose game ends starts the next at once; lane i plays the games i, i + n, i
    + 2n, ... of `seed`. `states` is the array of packed states, with the fields of `State`, hidden
    ones included; `observations()` has what a player may know.

    Raises UnknownName (game, edition, option) and BadSetup (numbers that do not fit).
    """

    def __init__(
        self,
        game: str | Game,
        n: int,
        *,
        players: int | None = None,
        edition: str | None = None,
        options: Chosen | None = None,
        seed: int = 1,
        auto_reset: bool = False,
    ) -> None:
        if whole(n, "The number of lanes") < 1:
            raise BadSetup(f"A batch has at least one lane, not {n}.")
        self.game = game if isinstance(game, Game) else find(game)
        rules = self.game.rules
        self.n = n
        self.players = self.game.facts.players[0] if players is None else players
        self.auto_reset = flag(auto_reset, "`auto_reset`")
        start = self.game.start(self.players, self.game.edition(edition), self.game.options(options))
        engine = compile(self.game)
        self._do = engine.drivers
        self._template = engine.states(start, 1)
        self._out = engine.integers(max(rules.MAX_LEGAL, rules.OBSERVATION_SIZE))
        plans = observing.plan(self.game.facts)
        self._plans = np.array(plans, np.int64)
        self._floats = plans[-1].start + plans[-1].width
        self._rngs = engine.integers(n, RNG_SIZE)
        self._streams = engine.integers(n)
        self.states = engine.states(start, n)
        self.current = engine.integers(n)
        self._rewards = engine.reals(n, self.players)
        self._ended = np.zeros(n, np.int8)
        self._lanes = (self.states, self._rngs, self._template, self.current, self._rewards, self._ended, self._streams)
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Start a new game in every lane. `seed` is at least 0 and below 2**63."""
        if not 0 <= whole(seed, "The seed") < 1 << 63:
            raise BadSetup(f"The seed must be at least 0 and below 2**63, not {seed}.")
        self._seed = seed
        self._streams[:] = np.arange(self.n)
        self._do.reset_lanes(self.states, self._rngs, self._template, self.current, self._streams, seed)

    def restart(self, lanes: Any) -> None:
        """Start the next game in the lanes that `lanes` (n,) bool names, as `auto_reset` would; the others stay."""
        chosen = np.flatnonzero(self._per_lane(lanes, np.bool_, "`lanes`"))
        if not len(chosen):
            return
        streams = self._streams[chosen] + self.n
        states, rngs, current = self.states[chosen], self._rngs[chosen], self.current[chosen]
        self._do.reset_lanes(states, rngs, self._template, current, streams, self._seed)
        self.states[chosen], self._rngs[chosen] = states, rngs
        self.current[chosen], self._streams[chosen] = current, streams

    @property
    def over(self) -> bool:
        """Whether every game is over (never with `auto_reset`)."""
        return bool((self.current < 0).all())

    def legal(self) -> tuple[Any, Any]:
        """Return how many legal actions each lane has (n,), and which (n, MAX_LEGAL), int64.

        Each row is ascending up to the lane's number of actions, then garbage.
        """
        counts = np.zeros(self.n, np.int64)
        lists = np.zeros((self.n, self.game.rules.MAX_LEGAL), np.int64)
        self._do.legal_lanes(self.states, counts, lists)
        return counts, lists

    def legal_mask(self, out: Any = None) -> Any:
        """Return (n, N_ACTIONS) bool: which actions are legal in each lane.

        `out`: an array of this shape, of bool, int8 or uint8, that is written and returned. Raises BadSetup for others.
        """
        mask = self._filled(out, self.game.rules.N_ACTIONS, (np.bool_, np.int8, np.uint8))
        self._do.mask_lanes(self.states, self._out, mask.view(np.int8))
        return mask

    def random_actions(self) -> Any:
        """Return (n,) int64: a uniformly random legal action for each lane, from its own stream.

        The action is 0 if the game is over.
        """
        actions = np.zeros(self.n, np.int64)
        self._do.random_lanes(self.states, self._rngs, self._out, actions)
        return actions

    def step(self, actions: Any, *, check: bool = True) -> Moved:
        """Make one decision in every lane that is not over, and draw the chance after it.

        `actions`: (n,) integers; those of finished lanes do not matter. Raises IllegalMove, which
        names the first lane with an illegal action; then nothing has moved. Without `check` an
        illegal action silently corrupts its game.
        """
        given = np.asarray(actions)
        if not np.issubdtype(given.dtype, np.integer):
            raise BadSetup(f"Actions are whole numbers, not an array of {given.dtype}.")
        actions = np.ascontiguousarray(given, np.int64)
        if actions.shape != (self.n,):
            raise BadSetup(f"{self.n} lanes need an array of {self.n} actions, not one of shape {actions.shape}.")
        if flag(check, "`check`") and (lane := self._do.first_illegal(self.states, actions, self._out)) >= 0:
            raise self._refusal(lane, int(actions[lane]))
        self._do.step_lanes(*self._lanes, actions, self._seed, self.auto_reset)
        return Moved(self._rewards, self._ended)

    def random_step(self) -> Moved:
        """Do `step(random_actions())` in one pass, with the same games."""
        self._do.random_step_lanes(*self._lanes, self._out, self._seed, self.auto_reset)
        return Moved(self._rewards, self._ended)

    def observations(self, seats: Any = None, out: Any = None) -> Any:
        """Return (n, OBSERVATION_SIZE) int64: what the seat to decide sees; zeros if over.

        `seats` (n,) integers: what this seat sees in each lane instead, also at the end; zeros for a number below 0.
        `out`: an array of this shape, of int64, int32 or float32, that is written and returned. Raises BadSetup for a
        seat that there is not, and for another array.
        """
        rows = self._filled(out, self.game.rules.OBSERVATION_SIZE, (np.int64, np.int32, np.float32))
        if rows.dtype == np.int64:
            self._do.observe_lanes(self.states, self._viewers(seats), rows)
        else:
            self._do.observe_lanes_as(self.states, self._viewers(seats), self._out, rows)
        return rows

    def tensors(self, seats: Any = None, out: Any = None) -> Any:
        """Return (n, floats) float32: the observations as `State.observation_tensor` has them.

        `seats` and `out` as `observations` takes them; `out` is of float32.
        """
        rows = self._filled(out, self._floats, (np.float32,))
        self._do.tensor_lanes(self.states, self._viewers(seats), self._out, self._plans, rows)
        return rows

    def _viewers(self, seats: Any) -> Any:
        """Return the seat that looks in each lane. Raises BadSetup for one that there is not."""
        viewers = self.current if seats is None else self._per_lane(seats, np.int64, "`seats`")
        if seats is not None and (viewers >= self.players).any():
            raise BadSetup(f"There is no seat {int(viewers.max())}; the seats are 0 to {self.players - 1}.")
        return viewers

    def _filled(self, out: Any, width: int, kinds: Sequence[Any]) -> Any:
        """Return the array to write: `out`, which NumPy may view if it is another library's; or a new one."""
        if out is None:
            return np.empty((self.n, width), kinds[0])
        array = out if isinstance(out, np.ndarray) else np.from_dlpack(out)
        if array.shape != (self.n, width) or array.dtype not in kinds or not array.flags.c_contiguous:
            allowed = " or ".join(np.dtype(kind).name for kind in kinds)
            raise BadSetup(
                f"`out` is an array of shape {(self.n, width)}, of {allowed}, row by row, not {array.dtype} of "
                f"{array.shape}."
            )
        if not array.flags.writeable:
            raise BadSetup("`out` cannot be written.")
        return array

    def _per_lane(self, given: Any, kind: Any, what: str) -> Any:
        """Return an array with one value of this kind for each lane. Raises BadSetup for anything else."""
        values = np.asarray(given)
        integral = np.issubdtype(values.dtype, np.integer) and kind is np.int64
        if values.shape != (self.n,) or not (integral or values.dtype == kind):
            raise BadSetup(f"{what} has one {kind.__name__} for each of the {self.n} lanes, not {given!r}.")
        return np.ascontiguousarray(values, kind)

    def _refusal(self, lane: int, action: int) -> IllegalMove:
        if not 0 <= action < self.game.rules.N_ACTIONS:
            return IllegalMove(f"Lane {lane}: there is no action {action} (0 to {self.game.rules.N_ACTIONS - 1}).")
        why = self.game.text.why_not(unpack(self.game.rules.State, self.states[lane]), action)
        return IllegalMove(f"Lane {lane}, action {action}: {why.text}", clause=why.clause)
