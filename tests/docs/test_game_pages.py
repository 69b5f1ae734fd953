"""docs/games/NAME.md: what their text says in figures is what the tables, the rules and the bots have."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

import parlour
from parlour import bots
from parlour.analysis import figures, report, tables
from parlour.analysis.shapes import shapes
from parlour.analysis.statistics import gather
from parlour.engine.packing import dtype

PAGES = Path(__file__).parents[2] / "docs" / "games"
MEASURED = re.compile(  # words and signs of what was counted or timed
    r"±|\d ?%|log loss|(?:micro|milli)seconds|\d s of|\d minutes|\d of [\d,]+ |(?:in|of) [\d,]+ (?:deals|positions)"
)
DATED = re.compile(r"\b20\d\d-\d\d-\d\d[^;]*\b[0-9a-f]{8}\b")  # the day, and the commit it was measured at
EXACT = re.compile(r"`parlour solve [^`]+`")  # nothing is left to chance, and anyone can run it
# Of tables of many games the suite plays the first, and compares a hash of their results; the long form plays all.
FIRST = {"fortune": (400, 3466114185)}


def page(name: str) -> str:
    return (PAGES / f"{name}.md").read_text("utf-8")


@pytest.mark.parametrize("name", parlour.all_games())
def test_what_is_said_of_the_statistics_is_quoted_from_them(name: str) -> None:
    """Each figure is a link to its cell, and there are no others: only clauses, code and numbers in words."""
    text = page(name)
    assert figures.redrawn(text) == text, f"parlour stats {name} --write"
    said = text.partition(report.END)[2].partition("\n## ")[0]
    assert figures.QUOTED.search(said)
    plain = re.sub(r"`[^`]+`|\b[A-Z]{2}-\d+\b|\]\([^)]*\)", "", figures.QUOTED.sub("", said))
    assert re.findall(r"\d[\d,.]*", plain) == []


@pytest.mark.parametrize("name", parlour.all_games())
def test_other_measurements_say_when_they_were_made(name: str) -> None:
    """Outside the statistics each paragraph, with its table, has date and commit, or the exact command."""
    before, _, rest = page(name).partition(report.BEGIN)
    _, heading, after = rest.partition(report.END)[2].partition("\n## ")
    measured = [part for part in paragraphs(before + heading + after) if MEASURED.search(part)]
    assert [part for part in measured if not DATED.search(part) and not EXACT.search(part)] == []
    assert measured


def test_a_measurement_without_its_date_is_found() -> None:
    measured = "It wins 53.7 ± 4.6 % of 120 games"
    for bare in (
        measured,
        "none of 14,985 deals",
        "5 minutes a game",
        "| points |\n|---|\n| 42 ± 5 |",
        f"{measured} (2026-11-21)",
    ):
        assert MEASURED.search(bare), bare
        assert not DATED.search(bare), bare
    assert DATED.search(f"{measured} (2026-11-21, 6604a65e)")
    assert paragraphs("Points:\n\n| a |\n|---|\n| 1 |\n\nMore.") == ["Points: | a | |---| | 1 |", "More."]


def paragraphs(text: str) -> list[str]:
    """Each in one line, a table with the paragraph above it, and without figures that are links."""
    joined = re.sub(r"\n\n(?=\|)", "\n", figures.QUOTED.sub("", text))
    return [" ".join(part.split()) for part in re.split(r"\n\n+", joined)]


@pytest.mark.parametrize("name", parlour.all_games())
def test_sizes_and_budgets_are_those_of_the_rules_and_the_bots(name: str) -> None:
    game, text = parlour.find(name), " ".join(page(name).split())
    for quoted, number in (
        (r"([\d,]+) bytes when compiled", dtype(game.rules.State).itemsize),
        (r"\*\*Actions\*\*, ([\d,]+) numbers", game.rules.N_ACTIONS),
        (r"\*\*Actions\.\*\* ([\d,]+):", game.rules.N_ACTIONS),
        (r"\*\*Observation\.\*\* ([\d,]+) numbers", sum(one.size for one in game.facts.observed)),
    ):
        assert re.findall(quoted, text) in ([], [f"{number:,}"]), quoted
    for level, said in re.findall(r"`(expert|hard|medium|easy)`(?: makes)? (\d[\d,]*\d|\d)(?!\.?\d)", text):
        assert said == f"{bots.plan(game, level).simulations:,}", level


@pytest.mark.parametrize("name", parlour.all_games())
def test_how_long_a_game_takes_is_what_was_counted_times_what_is_guessed(name: str) -> None:
    """The least and the most of all numbers of players, by ruleset: the best bots' median decisions in the first
    edition, times SECONDS, to five minutes. Lobby, links, clocks and rulebook have it from there."""
    game, texts = parlour.find(name), figures.cells(page(name))
    best = bots.simulated(game)[0]
    for ruleset in game.rulesets:
        cases = [shape for shape in shapes(game) if shape.edition == game.edition().name and shape.ruleset == ruleset]
        anchors = {figures.anchor(f"### {case.variant}") if case.variant else "statistics" for case in cases}
        label = "decisions, median; 95 %, decisions, median"
        counted = [
            int(cell)
            for (anchor, column), cells in texts.items()
            for cell in cells
            if anchor in anchors and re.fullmatch(rf"\d players, {best}: {label}", column)
        ]
        assert len(counted) == game.facts.players[1] - game.facts.players[0] + 1
        minutes = [5 * max(1, round(number * game.module("text").SECONDS / 300)) for number in counted]
        assert game.minutes(ruleset) == (min(minutes), max(minutes)), ruleset
        long = game.how_long(ruleset)
        assert re.search(rf"\[about {long} here\]|; here about {long}\]", game.book(ruleset))


@pytest.mark.parametrize("name", parlour.all_games())
def test_how_fast_bots_search_is_measured_in_one_place(name: str) -> None:
    """docs/performance.md, with the machine it was measured on."""
    assert re.findall(r"[\d,]+ simulations a second", " ".join(page(name).split())) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", parlour.all_games())
@pytest.mark.suite("fortune", "gatsby")
def test_the_tables_are_those_of_today(name: str, size: Callable[[int, int], int]) -> None:
    """The best bots' games at the smallest table, played again: they change with the rules, the deals and the bots."""
    game, text = parlour.find(name), page(name)
    command = re.search(rf"`parlour stats {name} [^`]*--best-games (\d+) --seed (\d+) --write`", text)
    assert command
    games, seed = map(int, command.groups())
    shape, best = shapes(game)[0], bots.simulated(game)[0]
    if name in FIRST:
        first, made = FIRST[name]
        rows = [*tables.measures([gather(shape, best, first, seed)])]
        assert zlib.crc32(repr(rows).encode()) == made, f"parlour stats {name} --write, and FIRST"
        if not size(0, 1):
            return
    now = gather(shape, best, games, seed)
    anchor = figures.anchor(f"### {shape.variant}") if shape.variant else "statistics"
    cells = figures.cells(text)
    for _, rows in tables.measures([now]):
        for label, (cell,) in rows:
            assert cells[anchor, f"{shape.players} players, {best}: {label}"] == {cell}, f"parlour stats {name} --write"
