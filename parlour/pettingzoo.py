"""Parlour's games as environments of PettingZoo: `env` has one agent act at a time, `parallel_env` all together.

>>> from parlour import pettingzoo
>>> env = pettingzoo.env("gatsby", render_mode="ansi")
>>> env.reset(seed=1)
>>> for agent in env.agent_iter():
...     observation, reward, terminated, truncated, info = env.last()
...     mask = observation["action_mask"]
...     env.step(None if terminated else env.action_space(agent).sample(mask))

Agents are "player_0", "player_1", ...: seat 0, seat 1. Chance follows from the seed of `reset`; it is not an agent.
An observation is {"observation": float32 as `State.observation_tensor` has it, "action_mask": int8}: what the agent's
seat may know, and no more.
"""

from __future__ import annotations

from typing import Unpack

import numpy as np
import numpy.typing as npt

from parlour.core.edition import EditionLike
from parlour.core.errors import BadSetup, IllegalMove, UnknownName
from parlour.core.facts import Chosen
from parlour.core.game import Game
from parlour.core.struct import flatten
from parlour.episodes import Episode, Floats, Mask, Table, Terms, floats_between

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
except ImportError as error:
    raise ImportError(f"parlour.pettingzoo needs PettingZoo: pip install 'parlour[rl]' ({error}).") from None

__all__ = ["TurnEnv", "WaitingEnv", "env", "parallel_env"]

Seen = dict[str, Floats | Mask]
Info = dict[str, object]


def env(
    game: str | Game,
    players: int | None = None,
    *,
    edition: EditionLike | None = None,
    options: Chosen | None = None,
    **terms: Unpack[Terms],
) -> TurnEnv:
    """Return an environment in which the agent to decide acts, as PettingZoo's `AECEnv`.

    `players`, `edition` and `options` as `parlour.new_initial_state` has them; `terms` as `parlour.episodes.Terms`.
    Raises what `Episode` raises.
    """
    return TurnEnv(Episode(Table(game, players, edition, options), terms))


def parallel_env(
    game: str | Game,
    players: int | None = None,
    *,
    edition: EditionLike | None = None,
    options: Chosen | None = None,
    **terms: Unpack[Terms],
) -> WaitingEnv:
    """Return an environment in which all agents act in each step, as PettingZoo's `ParallelEnv`: all but one wait.

    See `WaitingEnv`. Takes and raises what `env` does.
    """
    return WaitingEnv(Episode(Table(game, players, edition, options), terms))


def _agents(episode: Episode) -> list[str]:
    return [f"player_{seat}" for seat in range(episode.players)]


def _metadata(episode: Episode) -> dict[str, object]:
    """Return PettingZoo's metadata; a wrapper for AEC environments whose agents act in turn does not fit all games."""
    name = f"{episode.game.name}_v{episode.game.rules.VERSION}".replace("-", "_")
    return {"name": name, "render_modes": ["ansi"], "is_parallelizable": False}


def _spaces(episode: Episode, more: int = 0) -> tuple[dict[str, spaces.Dict], dict[str, spaces.Discrete]]:
    """Return the spaces of observations and actions by agent, with `more` actions than the game has."""
    (low, high), count = floats_between(episode.game), episode.game.num_distinct_actions + more
    seen = {
        agent: spaces.Dict(
            {
                "observation": spaces.Box(low, high, dtype=np.float32),
                "action_mask": spaces.Box(0, 1, (count,), np.int8),
            }
        )
        for agent in _agents(episode)
    }
    return seen, {agent: spaces.Discrete(count) for agent in seen}


class _Shared:
    """What both kinds of environment say of their spaces and their position."""

    episode: Episode
    observation_spaces: dict[str, spaces.Dict]
    action_spaces: dict[str, spaces.Discrete]

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of an agent's observations, the same object each time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of an agent's actions, the same object each time."""
        return self.action_spaces[agent]

    def state(self) -> npt.NDArray[np.int64]:
        """Return all numbers of the position, with what is hidden, for learning that is centralized."""
        return np.array(flatten(self.episode.position.plain()), np.int64)

    def render(self) -> str | None:
        """Return the position in words as a spectator sees it, in the render mode "ansi"; otherwise None."""
        return self.episode.render()

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


class TurnEnv(_Shared, AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """One agent acts at a time, the one whose seat is to decide: PettingZoo's `AECEnv`.

    The mask of each other agent is all zeros, as in PettingZoo's own games. At the end all agents terminate together.
    An illegal action is what `Terms` says; of the agent that made it, `infos` has the reason under "illegal". None but
    an agent that has terminated may pass None.

    `episode.position` is the `State` that is played, with what is hidden; `state` has its numbers.
    """

    metadata = {"name": "parlour", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012 - as PettingZoo

    def __init__(self, episode: Episode) -> None:
        super().__init__()
        self.episode, self.render_mode, self.metadata = episode, episode.render_mode, _metadata(episode)
        self.possible_agents = _agents(episode)
        self.observation_spaces, self.action_spaces = _spaces(episode)
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._seen: list[Seen | None] = [None] * episode.players  # by seat, once it has been asked for
        self.agents: list[str] = []

    def reset(self, seed: int | None = None, options: Info | None = None) -> None:  # noqa: ARG002 - as PettingZoo has it
        """Start a game. `seed` decides its chance and that of the games after it; `options` are not used."""
        self.episode.begin(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, Info] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None  # PettingZoo's own
        self._turn()

    def step(self, action: int | None) -> None:
        """Make the decision of `agent_selection`; None removes an agent that has terminated.

        Raises what `Episode.act` raises, and ValueError for an action of an agent that has terminated.
        """
        if not self.agents:
            raise BadSetup("No game is in progress; `reset` starts one.")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self.episode.act(action)
        self._cumulative_rewards[agent] = 0.0
        if self.episode.refused:
            self.infos[agent]["illegal"] = self.episode.refused
        self._turn()

    def _turn(self) -> None:
        """Select the agent to decide, or end the game."""
        self._seen = [None] * self.episode.players
        if not self.episode.over:
            self.agent_selection = self.possible_agents[self.episode.current]
            return
        self.rewards = dict(zip(self.agents, self.episode.paid(), strict=True))
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> Seen:
        """Return what an agent sees now; asked again in the same position, the same arrays.

        Raises UnknownName for an agent that there is not.
        """
        if agent not in self._seats:
            raise UnknownName(f"There is no agent {agent!r}.", allowed=self._seats)
        seat = self._seats[agent]
        found = self._seen[seat]
        if found is None:
            found = {"observation": self.episode.observation(seat), "action_mask": self.episode.mask(seat)}
            self._seen[seat] = found
        return found


class WaitingEnv(_Shared, ParallelEnv):  # type: ignore[misc]  # PettingZoo has no types
    """All agents act in each step, and the action of the one whose seat is to decide counts: a `ParallelEnv`.

    Each has one action more than the game, the last: to wait. It is the only one that the mask of the other agents
    allows, and whatever they do is ignored; for the agent to decide it is illegal. All agents terminate together.
    An illegal action is what `Terms` says; of the agent that made it, the info has the reason under "illegal".
    """

    metadata = {"name": "parlour", "render_modes": ["ansi"], "is_parallelizable": True}  # noqa: RUF012 - as PettingZoo

    def __init__(self, episode: Episode) -> None:
        self.episode, self.render_mode = episode, episode.render_mode
        self.metadata = _metadata(episode) | {"is_parallelizable": True}
        self.possible_agents = _agents(episode)
        self.observation_spaces, self.action_spaces = _spaces(episode, more=1)
        self.wait = episode.game.num_distinct_actions
        self.agents: list[str] = []

    def reset(
        self,
        seed: int | None = None,
        options: Info | None = None,  # noqa: ARG002 - as PettingZoo has it
    ) -> tuple[dict[str, Seen], dict[str, Info]]:
        """Start a game, and return observations and infos by agent. `seed` as in `TurnEnv.reset`."""
        self.episode.begin(seed)
        self.agents = self.possible_agents[:]
        return self._observations(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Seen], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Info]]:
        """Make the decision of the agent to decide; return observations, rewards, terminations, truncations and infos.

        `actions` by agent; those of the others may be left out. Raises what `Episode.act` raises, and BadSetup if the
        action of the agent to decide is missing.
        """
        if self.episode.over or not self.agents:
            raise BadSetup("No game is in progress; `reset` starts one.")
        agents = self.agents
        agent = agents[self.episode.current]
        if agent not in actions:
            raise BadSetup(f"{agent} is to decide, and its action is missing.")
        if actions[agent] == self.wait:
            self.episode.refuse(IllegalMove(f"{agent} is to decide, so it cannot wait."))
        else:
            self.episode.act(actions[agent])
        over = self.episode.over
        infos: dict[str, Info] = {one: {} for one in agents}
        if self.episode.refused:
            infos[agent]["illegal"] = self.episode.refused
        self.agents = [] if over else agents
        paid = dict(zip(agents, self.episode.paid(), strict=True))
        return self._observations(), paid, dict.fromkeys(agents, over), dict.fromkeys(agents, False), infos

    def _observations(self) -> dict[str, Seen]:
        found: dict[str, Seen] = {}
        for seat, agent in enumerate(self.possible_agents):
            mask = self.episode.mask(seat, more=1)
            mask[self.wait] = seat != self.episode.current and not self.episode.over
            found[agent] = {"observation": self.episode.observation(seat), "action_mask": mask}
        return found
