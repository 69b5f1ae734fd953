"""Parlour's games as environments of Gymnasium: `Env` for one seat against bots, `VectorEnv` for many games at once.

>>> from parlour import gymnasium
>>> env = gymnasium.Env("fortune", 3, bots="greedy")
>>> observation, info = env.reset(seed=1)
>>> observation, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))

An observation is the float32 of `State.observation_tensor`: what the seat may know, and no more. Which actions are
legal is the int8 array `info["action_mask"]`. Chance is drawn from the seed of `reset`. Nothing is registered with
Gymnasium: make an `Env` by calling it, and a function that does so is what Gymnasium's `SyncVectorEnv` takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import SupportsInt, Unpack

import numpy as np
import numpy.typing as npt

from parlour.bots import Chooser, find
from parlour.bots.view import View
from parlour.core.contract import TERMINAL
from parlour.core.edition import EditionLike
from parlour.core.errors import BadSetup, UnknownName, texts, whole
from parlour.core.facts import Chosen
from parlour.core.game import Game
from parlour.engine import interpret
from parlour.engine.batch import Batch
from parlour.engine.interpreted import Engine
from parlour.episodes import Episode, Floats, Played, Table, Terms, floats_between

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    raise ImportError(f"parlour.gymnasium needs Gymnasium 1.1 or later: pip install 'parlour[rl]' ({error}).") from None

__all__ = ["Env", "VectorEnv"]

Info = dict[str, object]
Lanes = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Reals = npt.NDArray[np.float64]
SEEDS = 1 << 62  # a batch takes seeds below 2**63
RANDOM = "random"  # the bot that is played here: any legal action, each equally likely


class Env(gymnasium.Env[Floats, SupportsInt]):
    """One seat of a game, with bots in the others: Gymnasium's `Env`.

    `seat` is the learner's; None draws one for each game (`info["seat"]` says which). `bots` has the names of
    `parlour.bots.names(game)`: one for all other seats, or one for each in order. A bot gets a `View`, in which all
    that its seat cannot know is drawn anew. `terms`: see `parlour.episodes.Terms`. A game that ends before the seat
    decides is drawn again. `episode.position` is the `State` that is played, with what is hidden.

    Raises what `Episode` raises, BadSetup for a seat or a number of bots that does not fit, UnknownName for a bot.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        game: str | Game,
        players: int | None = None,
        *,
        seat: int | None = 0,
        bots: str | Sequence[str] = RANDOM,
        edition: EditionLike | None = None,
        options: Chosen | None = None,
        **terms: Unpack[Terms],
    ) -> None:
        self.episode = Episode(Table(game, players, edition, options), terms)
        self.game, self.render_mode = self.episode.game, self.episode.render_mode
        if seat is not None and not 0 <= whole(seat, "The seat") < self.episode.players:
            raise BadSetup(f"There is no seat {seat}; the seats are 0 to {self.episode.players - 1}.")
        self._chosen, self.seat = seat, seat or 0
        self._setup = bots, terms.get("compiled", False)
        self._bots, self._engine = self._opponents()
        low, high = floats_between(self.game)
        self.observation_space = spaces.Box(low, high, dtype=np.float32)
        self.action_space = spaces.Discrete(self.game.num_distinct_actions)

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Floats, Info]:
        """Start a game; return the observation and info at the seat's first decision.

        `seed` (at least 0) decides the chance and the bots of this game and those after it; `options` are not used.
        """
        super().reset(seed=seed, options=options)
        while True:
            self.episode.begin(int(self.np_random.integers(SEEDS)))
            if self._chosen is None:
                self.seat = int(self.np_random.integers(self.episode.players))
            self._others()
            if not self.episode.over:
                return self._seen()

    def step(self, action: SupportsInt) -> tuple[Floats, float, bool, bool, Info]:
        """Make the seat's decision, and those of the bots until it is to decide again.

        Returns observation, reward, whether the game is over, False, and info, which has the reason under "illegal"
        if an illegal action ended the game. Raises what `Episode.act` raises.
        """
        self.episode.act(action)
        self._others()
        observation, info = self._seen()
        return observation, self.episode.paid()[self.seat] if self.episode.over else 0.0, self.episode.over, False, info

    def action_masks(self) -> Flags:
        """Return which actions are legal now, (actions,) bool: what MaskablePPO of sb3-contrib asks for."""
        return self.episode.mask(self.seat).view(np.bool_)

    def render(self) -> str | None:
        """Return the position in words as a spectator sees it, in the render mode "ansi"; otherwise None."""
        return self.episode.render()

    def _opponents(self) -> tuple[tuple[Chooser, ...], Engine]:
        bots, compiled = self._setup
        return _seated(self.game, bots, self.episode.players - 1), _engine(self.game, compiled=compiled)

    def __getstate__(self) -> Info:
        """Leave out the bots, with what they have thought: in a copy they begin anew."""
        return {name: value for name, value in vars(self).items() if name not in ("_bots", "_engine")}

    def __setstate__(self, kept: Info) -> None:
        vars(self).update(kept)
        self._bots, self._engine = self._opponents()

    def _seen(self) -> tuple[Floats, Info]:
        info: Info = {"action_mask": self.episode.mask(self.seat), "seat": self.seat}
        if self.episode.refused:
            info["illegal"] = self.episode.refused
        return self.episode.observation(self.seat), info

    def _others(self) -> None:
        """Have the bots decide until the seat is to decide, or the game is over."""
        episode = self.episode
        while not episode.over and (seat := episode.current) != self.seat:
            bot = self._bots[seat - (seat > self.seat)]
            if bot.name == RANDOM:
                episode.act(episode.random_action())
            else:
                episode.act(bot.choose(View.of_state(episode.position, seat, episode.number), self._engine))


def _seated(game: Game, named: str | Sequence[str], others: int) -> tuple[Chooser, ...]:
    """Return a bot for each other seat, each its own: a bot keeps what it has thought."""
    given = texts((named,) if isinstance(named, str) else named, "Bots")
    if len(given) == 1:
        given = given * others
    if len(given) != others:
        raise BadSetup(f"{len(given)} bots were named for {others} other seats; name one for each, or one for all.")
    return tuple(find(game, name) for name in given)


def _engine(game: Game, *, compiled: bool) -> Engine:
    """Return what the bots play with."""
    if not compiled:
        return interpret(game)
    from parlour.engine.compiled import compile

    return compile(game)


class VectorEnv(gymnasium.vector.VectorEnv[Floats, Lanes, npt.NDArray[np.generic]]):
    """Many games at once by machine code: Gymnasium's `VectorEnv` over `parlour.Batch`.

    In each environment the seat to decide acts; what it sees is the observation, and the reward is its own: what a
    game pays that this step ended (the winners share 1), else 0. The learner has all seats, or those without one of the
    `bots`. Infos, with the usual masks "_seat" and so on:

    "action_mask" (num_envs, actions) int8; "seat" (num_envs,) int64, the seat to decide (-4: the game is over);
    "rewards" (num_envs, players) float64, what the step brought each seat.

    A game is truncated after `max_decisions`. At the end of a game the observation is what the seat that decided last
    sees then. `autoreset_mode` is Gymnasium's: "NextStep" starts the next game in the step after, which ignores the
    action there; "SameStep" at once, and has the last observation in "final_obs" and the rest in "final_info";
    "Disabled" leaves it to `reset` with the option "reset_mask". An illegal action raises IllegalMove, and no game has
    moved.

    Raises what `Batch` raises, and UnknownName for a mode that there is not. The first game compiles for seconds.
    """

    metadata = {"render_modes": []}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        game: str | Game,
        num_envs: int,
        players: int | None = None,
        *,
        edition: EditionLike | None = None,
        options: Chosen | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        **played: Unpack[Played],
    ) -> None:
        try:
            self.autoreset_mode = AutoresetMode(autoreset_mode)
        except ValueError:
            modes = [mode.value for mode in AutoresetMode]
            raise UnknownName(f"There is no mode {autoreset_mode!r}.", allowed=modes) from None
        same = self.autoreset_mode == AutoresetMode.SAME_STEP
        self.batch = Batch(game, num_envs, players=players, edition=edition, options=options, auto_reset=same, **played)
        self.num_envs, self.game = num_envs, self.batch.game
        low, high = floats_between(self.game)
        self.metadata = {"render_modes": [], "autoreset_mode": self.autoreset_mode}
        self.single_observation_space = spaces.Box(low, high, dtype=np.float32)
        self.single_action_space = spaces.Discrete(self.game.num_distinct_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._begun = False

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Floats, Info]:
        """Start a game in each environment, or in those of the option "reset_mask" (num_envs,) bool.

        `seed` (below 2**63) decides all games until the next seed; None draws one. Raises BadSetup for a seed together
        with a mask, a mask before the first reset, and a mask or seed of another kind; for one below 0 Gymnasium's
        own Error.
        """
        given = (options or {}).get("reset_mask")
        if given is None:
            if seed is not None:
                whole(seed, "The seed")
            super().reset(seed=seed)
            self.batch.reset(seed if seed is not None else int(self.np_random.integers(SEEDS)))
            self._begun = True
        elif seed is not None or not self._begun:
            raise BadSetup("A `reset_mask` continues from the seed of an earlier `reset`, and takes no other.")
        else:
            self.batch.restart(given)
        return self._seen(), self._infos(np.zeros((self.num_envs, self.batch.players)))

    def step(self, actions: Lanes) -> tuple[Floats, Reals, Flags, Flags, Info]:
        """Make one decision in each environment.

        Takes (num_envs,) integers. Returns observations, rewards, terminations, truncations and infos, all of them new
        arrays. Raises IllegalMove, which names the environment as a lane, and BadSetup before the first reset
        or, where the mode is "Disabled", while a game that is over has not been reset; then nothing has changed.
        """
        waiting: Flags = self.batch.current < 0
        if not self._begun:
            raise BadSetup("No game is in progress; `reset` starts them.")
        if self.autoreset_mode == AutoresetMode.DISABLED and waiting.any():
            lanes = np.flatnonzero(waiting).tolist()
            raise BadSetup(f"The games of {lanes} are over; `reset` with a `reset_mask` starts the next ones.")
        deciders = np.where(waiting, 0, self.batch.current)  # where a game waits for its next one, all rewards are 0
        moved = self.batch.step(actions)
        ended, cut, paid = moved.ended.astype(np.bool_), moved.truncated.astype(np.bool_), moved.rewards.copy()
        final = self._final(ended | cut, paid) if self.batch.auto_reset and (ended | cut).any() else {}
        if self.autoreset_mode == AutoresetMode.NEXT_STEP:
            self.batch.restart(waiting)
        return self._seen(), paid[np.arange(self.num_envs), deciders], ended, cut, self._infos(paid) | final

    def _seen(self) -> Floats:
        """Return what the seat to decide sees; at the end, what the seat sees that made the last decision."""
        current = self.batch.current
        found: Floats = self.batch.tensors(np.where(current < 0, self.batch.deciders, current))
        return found

    def _infos(self, paid: Reals) -> Info:
        seats: Lanes = self.batch.current.copy()
        infos: Info = {"action_mask": self.batch.legal_mask().view(np.int8), "seat": seats, "rewards": paid}
        return infos | {f"_{name}": np.ones(self.num_envs, np.bool_) for name in infos}

    def _final(self, over: Flags, paid: Reals) -> Info:
        """Return the infos of games that this step ended, as they were before the next ones started."""
        observations = np.full(self.num_envs, None, object)
        seen = self.batch.tensors(final=True)
        for lane in np.flatnonzero(over):
            observations[lane] = seen[lane]
        parts = self._infos(paid) | {f"_{name}": over.copy() for name in ("action_mask", "seat", "rewards")}
        parts["action_mask"] = np.where(over[:, None], 0, self.batch.legal_mask()).astype(np.int8)
        parts["seat"] = np.where(over, TERMINAL, self.batch.current)
        return {
            "final_obs": observations, "_final_obs": over.copy(), "final_info": parts, "_final_info": over.copy(),
        }  # fmt: skip
