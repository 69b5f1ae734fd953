"""Figures that the prose of a page quotes from its tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from parlour.analysis import figures

PAGE = """# A page

First wins [0](#the-one--only "2 players, greedy: 1st"), and [7.5
± 1 %](#the-one--only "1st: 3 players,
greedy") with three; turns [1](#the-one--only "2 players, greedy: turns, median"), longest
[9](#the-one--only "3 players, greedy: shortest; longest, longest"), [as it is](#kept "a link: with a title, no
figure")

## The one & only!

| greedy | 2 players | 3 players |
|---|--:|--:|
| **wins** | | |
| 1st | 51.5 ± 1.0 % | 33.7 ± 0.9 % |
| shortest; longest | 1; 2 | 3; 40 |
| **counted: mean; median** | | |
| turns | 45.7; 40 | 71.8; 59 |

## Other

| value | bots | games | wins |
| --- | --- | --: | --: |
| as it is | hard | 10 | 30 % |
| as it is | easy | 20 | 40 % |

It wins [0](#other "as it is, easy: wins").
"""


def test_figures_are_drawn_from_the_tables_they_name() -> None:
    page = PAGE.replace(", [as it is]", ", [as it was]", 1).replace('#kept "a link: with a title, no\nfigure"', "#kept")
    redrawn = figures.redrawn(page)
    assert 'First wins [51.5 ± 1.0 %](#the-one--only "2 players, greedy: 1st")' in redrawn
    assert '[33.7 ± 0.9 %](#the-one--only "1st: 3 players,\ngreedy") with three' in redrawn
    assert 'turns [40](#the-one--only "2 players, greedy: turns, median")' in redrawn
    assert '[40](#the-one--only "3 players, greedy: shortest; longest, longest")' in redrawn
    assert 'It wins [40 %](#other "as it is, easy: wins")' in redrawn
    assert "[as it was](#kept)" in redrawn
    assert figures.redrawn(redrawn) == redrawn
    broken = redrawn.replace("51.5 ± 1.0 %](", "51.5 ±\n1.0 %](")
    assert figures.redrawn(broken) == broken, "where its line breaks does not matter"


def test_a_figure_that_no_table_has_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(figures.NoFigure, match=r"#kept 'a link: with a title, no figure' \(0 cells\)"):
        figures.redrawn(PAGE)
    twice = PAGE[PAGE.index("## Other") :].replace("| easy |", "| hard |").replace("easy: wins", "hard: wins")
    with pytest.raises(figures.NoFigure, match=r"hard: wins' \(2 cells\)"):
        figures.redrawn(twice)
    page = tmp_path / "page.md"
    with pytest.raises(figures.NoFigure):
        figures.write(page, PAGE)
    assert page.read_text("utf-8") == PAGE, "the tables took their time: they are kept"
