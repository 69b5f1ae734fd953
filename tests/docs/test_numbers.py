"""Numbers in prose come from a table or a command, so that anybody can find or repeat them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from parlour.analysis import figures

DOCS = Path(__file__).parents[2] / "docs"
COUNTED = "two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty|hundred"
MEASURED = re.compile(
    r"\d ?%|±|\b(?:one|two|three|four|five|six|seven|eight|nine|ten) (?:\w+ )?(?:in|of|out of) (?:a |every )?"
    rf"(?:{COUNTED})\b"
)
SOURCE = re.compile(r"`(?:parlour|scripts/|python -m )[^`]*`")


def unsourced(page: str) -> list[str]:
    """Return the paragraphs and items with a measured number that is neither quoted from a table nor has a command."""
    prose = re.sub(r"<!-- written by .*?: begin -->.*?<!-- written by .*?: end -->", "", page, flags=re.DOTALL)
    prose = figures.QUOTED.sub("", prose)
    parts = [" ".join(part.split()) for part in re.split(r"\n\n+|\n(?=\* )", prose)]
    return [part for part in parts if MEASURED.search(part) and not SOURCE.search(part)]


def test_the_bots_are_described_by_their_tables() -> None:
    page = (DOCS / "bots.md").read_text("utf-8")
    assert unsourced(page) == []
    assert figures.redrawn(page) == page


def test_which_level_is_stronger_is_what_the_tables_say() -> None:
    """In every table: expert over hard, hard over medium, medium over easy; easy over greedy in Gatsby alone."""
    found = figures.cells((DOCS / "bots.md").read_text("utf-8"))
    tables = {anchor for anchor, address in found if address == "verdict: easy over greedy"}
    assert len(tables) == 7
    for anchor in tables:
        for pair in ("expert over hard", "hard over medium", "medium over easy"):
            assert found[anchor, f"verdict: {pair}"] == {"stronger"}
    stronger = {anchor for anchor in tables if found[anchor, "verdict: easy over greedy"] == {"stronger"}}
    assert stronger == {"gatsby-house-6"}


@pytest.mark.parametrize("bare", ["`easy` wins about one game in twelve.", "It wins 60.6 % of 600.", "* 42 ± 5 points"])
def test_a_number_without_its_source_is_found(bare: str) -> None:
    assert unsourced(f"Words.\n\n{bare}") == [bare]
    assert unsourced(f"{bare} Made by `parlour arena fortune --games 40`.") == []
