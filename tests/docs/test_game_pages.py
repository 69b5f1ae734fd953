"""docs/games/NAME.md: what their text says in figures is what the tables, the rules and the bots have."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import parlour
from parlour import bots
from parlour.analysis import figures, report, tables
from parlour.analysis.shapes import shapes
from parlour.analysis.statistics import gather
from parlour.engine.packing import dtype

PAGES = Path(__file__).parents[2] / "docs" / "games"


def page(name: str) -> str:
    return (PAGES / f"{name}.md").read_text("utf-8")


@pytest.mark.parametrize("name", parlour.all_games())
def test_what_is_said_of_the_statistics_is_quoted_from_them(name: str) -> None:
    """Each figure is a link to its cell, and no other stands there: only clauses, code and numbers in words."""
    text = page(name)
    assert figures.redrawn(text) == text, f"parlour stats {name} --write"
    said = text.partition(report.END)[2].partition("\n## ")[0]
    assert figures.QUOTED.search(said)
    plain = re.sub(r"`[^`]+`|\b[A-Z]{2}-\d+\b|\]\([^)]*\)", "", figures.QUOTED.sub("", said))
    assert re.findall(r"\d[\d,.]*", plain) == []


@pytest.mark.parametrize("name", parlour.all_games())
def test_sizes_and_budgets_are_those_of_the_rules_and_the_bots(name: str) -> None:
    game, text = parlour.find(name), " ".join(page(name).split())
    for told, number in (
        (r"([\d,]+) bytes when compiled", dtype(game.rules.State).itemsize),
        (r"\*\*Actions\*\*, ([\d,]+) numbers", game.rules.N_ACTIONS),
        (r"\*\*Actions\.\*\* ([\d,]+):", game.rules.N_ACTIONS),
        (r"\*\*Observation\.\*\* ([\d,]+) numbers", sum(one.size for one in game.facts.observed)),
    ):
        assert re.findall(told, text) in ([], [f"{number:,}"]), told
    for level, said in re.findall(r"`(expert|hard|medium|easy)`(?: makes)? (\d[\d,]*\d|\d)(?!\.?\d)", text):
        assert said == f"{bots.plan(game, level).simulations:,}", level


@pytest.mark.parametrize("name", parlour.all_games())
def test_how_fast_bots_search_is_measured_in_one_place(name: str) -> None:
    """docs/performance.md, with the machine it was measured on."""
    assert re.findall(r"[\d,]+ simulations a second", " ".join(page(name).split())) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", parlour.all_games())
def test_the_tables_are_those_of_today(name: str) -> None:
    """The best bots' games at the smallest table, played again: they change with the rules, the deals and the bots."""
    game, text = parlour.find(name), page(name)
    command = re.search(rf"`parlour stats {name} [^`]*--best-games (\d+) --seed (\d+) --write`", text)
    assert command
    games, seed = map(int, command.groups())
    shape, best = shapes(game)[0], bots.simulated(game)[0]
    now = gather(shape, best, games, seed)
    anchor = figures.anchor(f"### {shape.variant}") if shape.variant else "statistics"
    told = figures.cells(text)
    for _, rows in tables.measures([now]):
        for label, (cell,) in rows:
            assert told[anchor, f"{shape.players} players, {best}: {label}"] == {cell}, f"parlour stats {name} --write"
