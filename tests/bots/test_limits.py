"""What a bot remembers of the tables that it has seen is bounded (docs/limits.md)."""

from __future__ import annotations

from typing import Any
from unittest.mock import MagicMock

import pytest

from parlour import bots
from parlour.bots import View, learned, solved
from parlour.bots import search as trees
from parlour.bots.search import Plan, Searcher
from parlour.bots.solved import SolvedBot
from parlour.core.match import Match
from parlour.engine import interpret, weights
from parlour.games import find

GAME = find("fortune")


def views(number: int) -> list[View]:
    """Return the views of decisions at tables with other options each."""
    found = []
    for target in list(next(one for one in GAME.facts.options if one.name == "target").values)[:number]:
        match = Match(GAME, 2, seed=1, options={"target": target})
        found.append(View.of(match, match.current_player))
    assert len({view.table for view in found}) == number
    return found


def test_a_greedy_bot_remembers_few_setups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "TABLES", 1)
    bot: Any = bots.find(GAME, "greedy")
    for view in views(2):
        bot.choose(view)
        assert [table for _, table in bot._buffers] == [view.table]


def test_a_learned_bot_remembers_few_setups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learned, "DESKS", 1)
    monkeypatch.setattr(learned, "of_view", lambda game, view: weights.nothing(game, view.players, base=True))
    bot: Any = learned.LearnedBot(GAME, "learned", MagicMock())
    for view in views(2):
        bot.choose(view)
        assert [table for _, table in bot._desks] == [view.table]


def test_a_solved_bot_remembers_few_setups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solved, "WORKSPACES", 1)
    monkeypatch.setattr(solved, "solution", lambda _: MagicMock())
    bot, engine = SolvedBot(GAME, "optimal"), MagicMock(compiled=False)
    engine.solver.values.return_value = 0
    for view in views(2):
        assert bot.values(view, engine) == ([], [])
        assert [table for _, table in bot._workspaces] == [view.table]


def test_a_search_remembers_one_setup_and_a_full_tree_grows_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trees, "PLAIN_NODES", 8)
    searcher, engine = Searcher(GAME, Plan(simulations=30, length=1, expand=1)), interpret(GAME)
    for view in views(2):
        searcher.explore(view, engine)
        (key,) = searcher._trees
        assert key == (False, view.table, False)  # plain, and no network judges
        (tree,) = searcher._trees[key]
        assert len(tree.arrays[0]) == 8
        assert tree.room == 0.0
