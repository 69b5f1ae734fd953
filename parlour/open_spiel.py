"""Parlour's games in OpenSpiel: `register()` once, then `pyspiel.load_game("parlour_NAME")`.

Needs the package `open_spiel` (`pip install parlour[open-spiel]`). Nothing else of Parlour imports this.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping

import numpy as np

import parlour
from parlour.core.facts import Option
from parlour.core.game import Game
from parlour.core.scene import SPECTATOR
from parlour.core.state import State

try:
    import pyspiel
except ImportError as error:
    raise ImportError(f"parlour.open_spiel needs OpenSpiel: pip install 'parlour[open-spiel]' ({error}).") from None

PREFIX = "parlour_"
PLAYERS, EDITION, COMPILED = "players", "edition", "compiled"


def register(games: Iterable[Game] | None = None) -> tuple[str, ...]:
    """Register games with OpenSpiel, all that Parlour finds unless some are given; return the names they have there.

    The parameters of a game are "players", "edition", "compiled" (by machine code) and its options:
    `pyspiel.load_game("parlour_fortune(players=3,target=8000)")`. Games that are registered already stay.
    """
    names = []
    for game in parlour.all_games().values() if games is None else games:
        name = PREFIX + game.name.replace("-", "_")
        if name not in pyspiel.registered_names():
            pyspiel.register_game(_type(game, name), _maker(game, name))
        names.append(name)
    return tuple(names)


def _type(game: Game, name: str) -> pyspiel.GameType:
    kinds, facts = pyspiel.GameType, game.facts
    return kinds(
        short_name=name,
        long_name=game.text.TITLE,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if facts.chance else kinds.ChanceMode.DETERMINISTIC,
        information=(
            kinds.Information.IMPERFECT_INFORMATION
            if facts.hidden_information
            else kinds.Information.PERFECT_INFORMATION
        ),
        utility=kinds.Utility.CONSTANT_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=game.max_num_players,
        min_num_players=game.min_num_players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            PLAYERS: game.min_num_players,
            EDITION: game.edition().name,
            COMPILED: False,
            **{option.name: _value(option, option.default) for option in game.facts.options},
        },
    )


def _value(option: Option, value: str) -> int | str | bool:
    """Return a value as OpenSpiel reads it: a number or a bool where all values of the option are."""
    if set(option.values) == {"true", "false"}:
        return value == "true"
    return int(value) if all(one.isdigit() for one in option.values) else value


def _maker(game: Game, name: str) -> type[pyspiel.Game]:
    """Return the class that OpenSpiel makes games of."""

    class Made(OpenSpielGame):
        def __init__(self, params: Mapping[str, int | str | bool] | None = None) -> None:
            super().__init__(game, name, dict(params or {}))

    Made.__name__ = Made.__qualname__ = f"{OpenSpielGame.__name__}_{name}"
    return Made


class OpenSpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its parameters, as OpenSpiel has it. `first` is its first position."""

    def __init__(self, game: Game, name: str, params: dict[str, int | str | bool]) -> None:
        own = {PLAYERS, EDITION, COMPILED}
        options = {key: value for key, value in params.items() if key not in own}
        players = params.get(PLAYERS, game.min_num_players)
        self.first = parlour.new_initial_state(
            game, int(players), edition=str(params[EDITION]) if EDITION in params else None, options=options,
            compiled=bool(params.get(COMPILED, False)),
        )  # fmt: skip
        info = pyspiel.GameInfo(
            num_distinct_actions=game.num_distinct_actions,
            max_chance_outcomes=game.max_chance_outcomes if game.facts.chance else 0,
            num_players=self.first.num_players,
            min_utility=game.min_utility,
            max_utility=game.max_utility,
            utility_sum=game.utility_sum,
            max_game_length=self.first.max_game_length,
        )
        kind = _type(game, name)
        usual = kind.parameter_specification
        super().__init__(kind, info, {key: value for key, value in params.items() if value != usual[key]})

    def new_initial_state(self, _text: str | None = None) -> OpenSpielState:
        """Return the first position."""
        return OpenSpielState(self, self.first.clone())

    def make_py_observer(
        self, kind: pyspiel.IIGObservationType | None = None, _params: object | None = None
    ) -> Observer:
        """Return what OpenSpiel asks for observations: with perfect recall, or of the position alone."""
        return Observer(self.first, recalls=kind is not None and kind.perfect_recall)


class OpenSpielState(pyspiel.State):  # type: ignore[misc]
    """A position, as OpenSpiel has it; `state` is Parlour's."""

    def __init__(self, game: OpenSpielGame, state: State) -> None:
        super().__init__(game)
        self.state = state

    def current_player(self) -> int:
        """Return the seat to decide, `pyspiel.PlayerId.CHANCE` or `TERMINAL`: the numbers are the same."""
        return self.state.current_player()

    def _legal_actions(self, player: int) -> list[int]:
        return self.state.legal_actions(player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return each possible outcome with its probability."""
        return self.state.chance_outcomes()

    def _apply_action(self, action: int) -> None:
        self.state.apply_action(action)

    def _action_to_string(self, _player: int, action: int) -> str:
        return self.state.action_to_string(action)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.state.is_terminal()

    def returns(self) -> list[float]:
        """Return each seat's utility: shares of 1 at the end, 0 before."""
        return self.state.returns()

    def rewards(self) -> list[float]:
        """Return what the last action brought each seat."""
        return self.state.rewards()

    def resample_from_infostate(self, player: int, sampler: object) -> OpenSpielState:
        """Return a position that `player` cannot tell apart from this one, drawn by its probability.

        `sampler`: OpenSpiel's; called, it returns a number from 0 to 1.
        """
        draw = sampler if callable(sampler) else random.random
        seed = int(draw() * (1 << 53))
        return OpenSpielState(self.get_game(), self.state.resample_from_infostate(player, seed))

    def __str__(self) -> str:
        return " ".join(f"{player}:{action}" for player, action in self.state.full_history()) or "the start"


class Observer:
    """Observations as OpenSpiel's algorithms ask for them: `tensor`, and `dict` with the whole as one array."""

    def __init__(self, first: State, recalls: bool) -> None:
        self.recalls = recalls
        self.tensor = None if recalls else np.zeros(len(first.observation_tensor(SPECTATOR)), np.float32)
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, position: OpenSpielState, player: int) -> None:
        """Write what `player` sees into `tensor`."""
        if self.tensor is not None:
            self.tensor[:] = position.state.observation_tensor(player)

    def string_from(self, position: OpenSpielState, player: int) -> str:
        """Return what `player` has noticed since the start, or the numbers that they see now."""
        if self.recalls:
            return position.state.information_state_string(player)
        return ",".join(map(str, position.state.observation(player)))
