"""Every game that has a solver keeps the contract (`Solver` and `Solution` in parlour/core/game.py)."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path

import pytest

from parlour import bots
from parlour.bots import View, solved
from parlour.cli import advise, solve
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.solving import Command, solution
from parlour.engine.compiled import compile
from tests.conformance.cases import every_game

SOLVED = [game for game in every_game() if game.solver is not None]
OWN = {"source", "step", "game", "edition", "option", "json", "help"}  # what the commands have themselves


@pytest.mark.parametrize("game", SOLVED, ids=lambda game: game.name)
def test_its_bots_value_every_legal_decision_and_make_the_best(game: Game, size: Callable[[int, int], int]) -> None:
    assert game.solver is not None
    assert set(game.solver.CHANCES) <= set(game.solver.BOTS)
    assert game.solver.EXACT == () or next(iter(game.solver.BOTS)) in game.solver.CHANCES
    engine = compile(game)
    for name in solved.names(game):
        bot = bots.find(game, name)
        assert isinstance(bot, solved.SolvedBot)
        match = Match(game, seed=2)
        for _ in range(size(4, 12)):
            if match.over:
                break
            view = View.of(match, match.current_player)
            actions, worths = bot.values(view, engine)
            assert actions == match.legal_action_ids()
            if name in game.solver.CHANCES:
                assert all(-1e-9 <= worth <= 1 + 1e-9 for worth in worths)
            chosen = bot.choose(view, engine)
            assert chosen == actions[worths.index(max(worths))]
            match.play(chosen)


@pytest.mark.parametrize("game", SOLVED, ids=lambda game: game.name)
def test_its_options_fit_the_commands(game: Game) -> None:
    assert hasattr(solution(game), "workspace")
    for name, handed in (("solve", ["question"]), ("position", ["question"]), ("advise", ["match", "question"])):
        assert hasattr(solution(game), name) == hasattr(solution(game), name.upper())
        if hasattr(solution(game), name):
            assert list(inspect.signature(getattr(solution(game), name)).parameters) == handed
            assert isinstance(getattr(solution(game), name.upper()), Command)
    for commands in (solve._declared(game), advise._declared(game)):
        parameters = [parameter for command in commands for parameter in command.parameters]
        names = [parameter.name for parameter in parameters]
        assert len(set(names)) == len(names)
        assert not set(names) & OWN
        for parameter in parameters:
            assert parameter.kind in {bool, int, str, Path}
            assert parameter.help
            assert parameter.kind is not bool or parameter.default is False
            assert not parameter.choices or parameter.default in (None, *parameter.choices)
        assert all(example.startswith("parlour ") for command in commands for example in command.examples)
