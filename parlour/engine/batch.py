"""Many games side by side as arrays, for learning and other research.

One call from Python moves every game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from parlour.core import observing
from parlour.core.edition import EditionLike
from parlour.core.errors import BadSetup, IllegalMove, UnknownName, flag, whole
from parlour.core.facts import Chosen
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.rng import RNG_SIZE
from parlour.engine.compiled import compile
from parlour.engine.drivers import GREEDY, RANDOM
from parlour.engine.packing import unpack
from parlour.engine.recorded import Recorder
from parlour.engine.threads import Crew, Job, workplaces
from parlour.engine.work import Course, Lanes, View
from parlour.games import find

REWARDS = ("returns", "scores")
BOTS = {"greedy": GREEDY, "random": RANDOM}
NO_CAP = 1 << 62
NUMBERS = (np.int64, np.int32, np.float32)  # what observations may be written as
MASKS = (np.bool_, np.int8, np.uint8)


class Moved(NamedTuple):
    """The result of `Batch.step`. The batch owns the arrays, and the next step overwrites them; or they are yours."""

    rewards: Any  # (n, players) float64: what a game that this step ended pays, else 0
    ended: Any  # (n,) int8: 1 if this step ended the game
    truncated: Any  # (n,) int8: 1 if the game was cut after this step, its `max_decisions`-th, and had not ended


class Batch:
    """`n` games of one kind, each in its lane and waiting for a decision; the batch draws chance.

    >>> batch = Batch(game, 1000, players=2, seed=1)
    >>> while not batch.over:
    ...     rewards, ended, truncated = batch.step(batch.random_actions())

    `current` (n,) int64 is the seat to decide in each lane, TERMINAL (-4) if the game is over or cut; `deciders` (n,)
    the seat that made the last decision of its game, -1 before the first; `lengths` (n,) how many decisions it has had.

    `seed`: a number, whose games i, i + n, i + 2n, ... lane i plays; or one for each lane (n,), whose games 0, 1, 2,
    ... it plays, so that they do not depend on the other lanes. With `auto_reset` a lane whose game ends starts the
    next at once. `max_decisions`: a game that is not over after this number is cut, and pays nothing. `rewards`:
    "returns" (the winners share 1) or "scores" (what a seat's score is above the mean of the others'). `bots`: for each
    seat "greedy", "random" or None; or a row of them for each lane. The batch decides for bots, from what their seats
    may know, and waits for the other seats only. `recorded`: lanes whose games `match` returns. `threads`: how many
    threads share the lanes; the games are the same with any number.

    `states` is the array of packed states, with the fields of `State`, hidden ones included; `observations()` has what
    a player may know. Two batches may be stepped in two threads at the same time.

    Raises UnknownName (game, edition, option, rewards, bot) and BadSetup (numbers that do not fit).
    """

    def __init__(
        self,
        game: str | Game,
        n: int,
        *,
        players: int | None = None,
        edition: EditionLike | None = None,
        options: Chosen | None = None,
        seed: Any = 1,
        auto_reset: bool = False,
        max_decisions: int | None = None,
        rewards: str = "returns",
        bots: Any = None,
        recorded: Sequence[int] = (),
        threads: int = 1,
    ) -> None:
        if whole(n, "The number of lanes") < 1:
            raise BadSetup(f"A batch has at least one lane, not {n}.")
        if not 1 <= whole(threads, "The number of threads") <= n:
            raise BadSetup(f"`threads` is from 1 to the number of lanes, {n}, not {threads}.")
        self.game = game if isinstance(game, Game) else find(game)
        self.n = n
        self.players = self.game.facts.players[0] if players is None else players
        self.auto_reset = flag(auto_reset, "`auto_reset`")
        most = NO_CAP if max_decisions is None else whole(max_decisions, "`max_decisions`")
        if most < 1:
            raise BadSetup(f"`max_decisions` is at least 1, not {max_decisions}.")
        if rewards not in REWARDS:
            raise UnknownName(f"`rewards` cannot be {rewards!r}.", allowed=map(repr, REWARDS))
        box = self.game.edition(edition)
        start = self.game.start(self.players, box, self.game.options(options))
        engine = compile(self.game)
        self._do = engine.lanes
        plans = observing.plan(self.game.facts)
        self._plans = np.array(plans, np.int64)
        self._floats = plans[-1].start + plans[-1].width
        self._lanes = lanes = Lanes(
            states=engine.states(start, n), rngs=engine.integers(n, RNG_SIZE), template=engine.states(start, 1),
            current=engine.integers(n), deciders=engine.integers(n), rewards=engine.reals(n, self.players),
            ended=np.zeros(n, np.int8), truncated=np.zeros(n, np.int8), streams=engine.integers(n),
            seeds=engine.integers(n), lengths=engine.integers(n), finals=engine.states(start, n),
            last_deciders=engine.integers(n),
        )  # fmt: skip
        self.states, self.current, self.deciders, self.lengths = (
            lanes.states, lanes.current, lanes.deciders, lanes.lengths,
        )  # fmt: skip
        self._course = Course(n, most, rewards == "scores", self.auto_reset)
        self._moved = Moved(lanes.rewards, lanes.ended, lanes.truncated)
        self._looking = engine.integers(n)
        self._bots = None if bots is None else self._seated(bots)
        self._stretch, self._buffers = workplaces(engine, start, self.players, threads)
        self._crew = Crew(n, threads)
        self._view: View | None = None
        self._actions = engine.integers(n)
        self._jobs: dict[str, list[Job]] = {}  # of steps, made once, until `reset` or `write_to` changes them
        if np.ndim(recorded) != 1:
            raise BadSetup(f"`recorded` is a list of lanes, not {recorded!r}.")
        self._recorder = Recorder(lanes, recorded, max_decisions) if len(recorded) else None
        if self._recorder is not None and bots is not None:
            raise BadSetup("Games with bots in them cannot be recorded; choose `bots` or `recorded`.")
        self._setup = box, options
        self.reset(seed)

    def _seated(self, named: Any) -> Any:
        """Return the number of the bot at each seat (n, players), -1 for a seat without one."""
        rows = np.array(named, object)
        if rows.shape not in ((self.players,), (self.n, self.players)):
            raise BadSetup(
                f"`bots` has a name or None for each of the {self.players} seats, or such a row for each of the "
                f"{self.n} lanes, not {named!r}."
            )
        can = {name: number for name, number in BOTS.items() if self.game.policy is not None or number != GREEDY}
        if unknown := {name for name in rows.flat if name is not None} - can.keys():
            raise UnknownName(f"A batch of {self.game.name} has no bot {min(map(repr, unknown))}.", allowed=can)
        if not (rows == None).any(axis=-1).all():  # noqa: E711 - by elements
            raise BadSetup("In each lane at least one seat has no bot: the batch waits for it.")
        numbers = np.array([-1 if name is None else can[name] for name in rows.flat], np.int64).reshape(rows.shape)
        return np.ascontiguousarray(np.broadcast_to(numbers, (self.n, self.players)))

    def reset(self, seed: Any) -> None:
        """Start a new game in every lane. `seed`: as in `Batch`; each is at least 0 and below 2**63."""
        lanes = self._lanes
        if np.ndim(seed) == 0:
            if not 0 <= whole(seed, "The seed") < 1 << 63:
                raise BadSetup(f"The seed must be at least 0 and below 2**63, not {seed}.")
            lanes.seeds[:], lanes.streams[:], stride = seed, np.arange(self.n), self.n
        else:
            seeds = self._per_lane(seed, np.int64, "`seed`")
            if (seeds < 0).any():
                raise BadSetup("Each seed must be at least 0 and below 2**63.")
            lanes.seeds[:], lanes.streams[:], stride = seeds, 0, 1
        self._course = self._course._replace(stride=stride)
        self._jobs.clear()
        self._start(np.ones(self.n, np.bool_), 0)

    def restart(self, lanes: Any) -> None:
        """Start the next game in the lanes that `lanes` (n,) bool names, as `auto_reset` would; the others stay."""
        self._start(self._per_lane(lanes, np.bool_, "`lanes`"), self._course.stride)

    def _start(self, chosen: Any, stride: int) -> None:
        self._crew.once(self._do.reset_job, self._lanes, self._stretch, chosen, stride)
        for job in self._following(fresh=True):
            self._crew.do(job)
        if self._recorder is not None:
            self._recorder.begin(chosen)

    def _play(self, kind: str) -> None:
        """Make one decision in each lane, those of `_actions` ("step") or random ones, and do what follows."""
        if kind not in self._jobs:
            self._jobs[kind] = self._steps(kind == "random_step")
        for job in self._jobs[kind]:
            self._crew.do(job)

    def _steps(self, random: bool) -> list[Job]:
        """Return the jobs of a step, in their order."""
        do, view, bind = self._do, self._view, self._crew.bind
        given: tuple[Any, ...] = self._lanes, self._course, self._stretch
        if not random:
            given = *given, self._actions
        if view is None or self._bots is not None:
            return [bind(do.random_step_job if random else do.step_job, *given), *self._following(fresh=False)]
        return [bind(do.shown_random_step_job if random else do.shown_step_job, *given, view)]

    def _following(self, *, fresh: bool) -> list[Job]:
        """Return the jobs by which the bots decide until each lane waits for a seat without one, and what is then seen
        is written."""
        found, bind, stretch = [], self._crew.bind, self._stretch
        if self._bots is not None:
            given = self._lanes, self._course, stretch, self._bots, self._buffers, fresh
            found.append(bind(self._do.answer_job, *given))
        if self._view is not None:
            found.append(bind(self._do.show_job, self.states, self.current, stretch, self._view))
        return found

    def write_to(self, *, observations: Any = None, tensors: Any = None, legal_mask: Any = None) -> None:
        """Write what `observations`, `tensors` and `legal_mask` return into these arrays, now and after each step.

        So one call does it all, even after `reset` and `restart`; it is faster than one for each. Each is an array as
        `out` of the method of its name takes it, or None. Raises BadSetup for another array.
        """
        rules = self.game.rules
        rows, floats, mask = np.empty((0, 1), np.int32), np.empty((0, 1), np.float32), np.empty((0, 1), np.int8)
        if observations is not None:
            rows = self._filled(observations, (self.n, rules.OBSERVATION_SIZE), NUMBERS, "`observations`")
        if tensors is not None:
            floats = self._filled(tensors, (self.n, self._floats), (np.float32,), "`tensors`")
        if legal_mask is not None:
            mask = self._filled(legal_mask, (self.n, rules.N_ACTIONS), MASKS, "`legal_mask`").view(np.int8)
        self._view = View(rows, floats, self._plans, mask) if len(rows) + len(floats) + len(mask) else None
        self._jobs.clear()
        if self._view is not None:
            self._crew.once(self._do.show_job, self.states, self.current, self._stretch, self._view)

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
        self._crew.once(self._do.legal_job, self.states, self.current, self._stretch, counts, lists)
        return counts, lists

    def legal_mask(self, out: Any = None) -> Any:
        """Return (n, N_ACTIONS) bool: which actions are legal in each lane.

        `out`: an array of this shape, of bool, int8 or uint8, that is written and returned. Raises BadSetup for others.
        """
        mask = self._filled(out, (self.n, self.game.rules.N_ACTIONS), MASKS)
        self._crew.once(self._do.mask_job, self.states, self.current, self._stretch, mask.view(np.int8))
        return mask

    def random_actions(self, out: Any = None) -> Any:
        """Return (n,) int64: a uniformly random legal action for each lane, from its own stream.

        The action is 0 if the game is over. `out`: an array of this kind, that is written and returned.
        """
        actions = self._filled(out, (self.n,), (np.int64,))
        self._crew.once(self._do.random_job, self.states, self.current, self._lanes.rngs, self._stretch, actions)
        return actions

    def replace_illegal(self, actions: Any, out: Any = None) -> Any:
        """Replace the illegal ones of `actions` (n,) int64, in place; return (n,) bool: where that was done.

        Each becomes a uniformly random legal action, from the lane's own stream. What is in lanes that are over does
        not matter. `out`: an array of bool, int8 or uint8, that is written and returned. Raises BadSetup for others.
        """
        actions = self._filled(actions, (self.n,), (np.int64,), "`actions`")
        replaced = self._filled(out, (self.n,), MASKS)
        given = self.states, self.current, self._lanes.rngs, self._stretch, actions, replaced.view(np.int8)
        self._crew.once(self._do.replace_job, *given)
        return replaced

    def step(self, actions: Any, *, check: bool = True, out: Moved | None = None) -> Moved:
        """Make one decision in every lane that is not over, and draw the chance after it.

        `actions`: (n,) integers; those of finished lanes do not matter. `out`: arrays of yours that are written and
        returned: `rewards` of float64 or float32, the others of int8, uint8 or bool. Raises IllegalMove, which names
        the first lane with an illegal action; then nothing has moved. Without `check` an illegal action silently
        corrupts its game.
        """
        given = np.asarray(actions)
        if not np.issubdtype(given.dtype, np.integer):
            raise BadSetup(f"Actions are whole numbers, not an array of {given.dtype}.")
        if given.shape != (self.n,):
            raise BadSetup(f"{self.n} lanes need an array of {self.n} actions, not one of shape {given.shape}.")
        actions = self._actions
        np.copyto(actions, given, casting="unsafe")
        checked = flag(check, "`check`")
        out = None if out is None else self._paid_into(out)
        if checked and (lane := self._first_illegal()) < self.n:
            raise self._refusal(lane, int(actions[lane]))
        if self._recorder is not None:
            self._recorder.note(actions)
        self._play("step")
        return self._stepped(out)

    def _first_illegal(self) -> int:
        """Return the first lane whose action in `_actions` is illegal; the number of lanes if all are legal."""
        found = self._stretch.found
        found[:] = self.n
        if "check" not in self._jobs:
            given = self.states, self.current, self._stretch, self._actions
            self._jobs["check"] = [self._crew.bind(self._do.illegal_job, *given)]
        self._play("check")
        return int(found.min())

    def random_step(self, *, out: Moved | None = None) -> Moved:
        """Do `step(random_actions())` in one pass, with the same games."""
        if self._recorder is not None:
            return self.step(self.random_actions(), check=False, out=out)
        out = None if out is None else self._paid_into(out)
        self._play("random_step")
        return self._stepped(out)

    def _stepped(self, out: Moved | None) -> Moved:
        if self._recorder is not None:
            self._recorder.close(reset=self.auto_reset)
        if out is None:
            return self._moved
        for array, found in zip(out, self._moved, strict=True):
            np.copyto(array, found, casting="unsafe")  # float64 to float32, and 0 or 1 to a bool
        return out

    def _paid_into(self, out: Moved) -> Moved:
        """Return the arrays for what a step brings. Raises BadSetup for others."""
        rewards = self._filled(out[0], (self.n, self.players), (np.float64, np.float32), "`out.rewards`")
        return Moved(rewards, *(self._filled(one, (self.n,), MASKS, "A mark of `out`") for one in out[1:]))

    def observations(self, seats: Any = None, out: Any = None, *, final: bool = False) -> Any:
        """Return (n, OBSERVATION_SIZE) int64: what the seat to decide sees; zeros if over.

        `seats` (n,) integers: what this seat sees in each lane instead, including at the end; zeros for a number below
        0. `out`: an array of this shape, of int64, int32 or float32, that is written and returned. With `final`: what
        the seats, or those that decided last, saw at last of the games that the last step ended or cut, even where the
        next one has begun; zeros in the other lanes. Raises BadSetup for a seat that there is not, and for another
        array.
        """
        rows = self._filled(out, (self.n, self.game.rules.OBSERVATION_SIZE), NUMBERS)
        states, viewers = self._viewed(seats, final)
        observe = self._do.observe_job if rows.dtype == np.int64 else self._do.observe_as_job
        self._crew.once(observe, states, viewers, self._stretch, rows)
        return rows

    def tensors(self, seats: Any = None, out: Any = None, *, final: bool = False) -> Any:
        """Return (n, floats) float32: the observations as `State.observation_tensor` has them.

        `seats`, `out` and `final` as `observations` takes them; `out` is of float32.
        """
        rows = self._filled(out, (self.n, self._floats), (np.float32,))
        states, viewers = self._viewed(seats, final)
        self._crew.once(self._do.tensor_job, states, viewers, self._stretch, self._plans, rows)
        return rows

    def rows(self, seats: Any, out: Any = None) -> Any:
        """Return (n, k, floats + N_ACTIONS + 1) float32: what each of k seats of a lane sees, and what it may do.

        A row has the floats of `tensors`, then a 1 for each action that is legal for the seat, then a 1 if it waits for
        another seat. `seats` (n, k) integers. `out`: an array of this shape, or without the last column, that is
        written and returned. Raises BadSetup for a seat that there is not, and for another array.
        """
        looking, actions = np.asarray(seats), self.game.rules.N_ACTIONS
        if looking.ndim != 2 or len(looking) != self.n or looking.dtype != np.int64:
            raise BadSetup(f"`seats` has a row of int64 for each of the {self.n} lanes, not {seats!r}.")
        if looking.min(initial=0) < 0 or looking.max(initial=0) >= self.players:
            found = f"{int(looking.min())} to {int(looking.max())}"
            raise BadSetup(f"The seats are 0 to {self.players - 1}, not {found}.")
        alone = out is not None and out.shape[-1:] == (self._floats + actions,)
        shape = (*looking.shape, self._floats + actions + (not alone))
        rows = self._filled(out, shape, (np.float32,))
        given = self._plans, np.ascontiguousarray(looking), rows, self._floats
        self._crew.once(self._do.seats_job, self.states, self.current, self._stretch, *given)
        return rows

    def match(self, lane: int, *, final: bool = False) -> Match:
        """Return the game of a lane in `recorded` as a `Match`, whose record `parlour.load` replays.

        Its dice and cards are in the record as they fell; they come from no seed that `parlour.verify` could check.
        With `final`: the lane's last game that ended or was cut. Raises BadSetup for a lane that is not recorded, and
        if no game has ended in it.
        """
        if self._recorder is None:
            raise BadSetup("This batch records no lane; name some in `recorded`.")
        edition, options = self._setup
        match = Match(self.game, self.players, edition=edition, options=options, seed=0, auto=False)
        return self._recorder.replayed(match, whole(lane, "The lane"), final=flag(final, "`final`"))

    def _viewed(self, seats: Any, final: bool) -> tuple[Any, Any]:
        """Return the states that are seen, and the seat that looks at each."""
        if not flag(final, "`final`"):
            return self.states, self._viewers(seats)
        lanes, looking = self._lanes, self._looking
        looking[:] = -1
        viewers = lanes.last_deciders if seats is None else self._viewers(seats)
        np.copyto(looking, viewers, where=lanes.ended.view(np.bool_))
        np.copyto(looking, viewers, where=lanes.truncated.view(np.bool_))
        return lanes.finals, looking

    def _viewers(self, seats: Any) -> Any:
        """Return the seat that looks in each lane. Raises BadSetup for one that there is not."""
        viewers = self.current if seats is None else self._per_lane(seats, np.int64, "`seats`")
        if seats is not None and (viewers >= self.players).any():
            raise BadSetup(f"There is no seat {int(viewers.max())}; the seats are 0 to {self.players - 1}.")
        return viewers

    def _filled(self, out: Any, shape: tuple[int, ...], kinds: Sequence[Any], what: str = "`out`") -> Any:
        """Return the array to write: `out`, which NumPy may view if it is another library's; or a new one."""
        if out is None:
            return np.empty(shape, kinds[0])
        array = out if isinstance(out, np.ndarray) else np.from_dlpack(out)
        if array.shape != shape or array.dtype not in kinds or not array.flags.c_contiguous:
            allowed = " or ".join(np.dtype(kind).name for kind in kinds)
            raise BadSetup(
                f"{what} is an array of shape {shape}, of {allowed}, row by row, not {array.dtype} of {array.shape}."
            )
        if not array.flags.writeable:
            raise BadSetup(f"{what} cannot be written.")
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
