"""Numbers in prose come from a table or a command, so that anyone can find or repeat them."""

from __future__ import annotations

import math
import re
from itertools import pairwise
from pathlib import Path
from statistics import median

import pytest

import parlour
from parlour import bots
from parlour.analysis import figures
from parlour.analysis.intervals import SURE as WITHIN
from parlour.analysis.skill import MIDDLE, SCALE, Skill, points
from tests.analysis import simulated
from tests.docs import measured
from tests.docs.constants import CONSTANTS, FIXED
from tests.docs.rulesets import rulesets, sections

ROOT = Path(__file__).parents[2]
# Held otherwise; and a log of days gone by.
BY_THEMSELVES = ("bots.md", "chances.md", "notes-to-the-authors.md", "decisions.md")
PAGES = ("README.md", "SECURITY.md", *(f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md")))
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


def test_each_level_is_stronger_than_the_next_in_every_table() -> None:
    """Where a game is measured. Of `expert`, the step below it may be too small to be seen. In God of the Market it is
    less than the test's 50 Elo: seeing both hands would bring little more (docs/train.md)."""
    found = figures.cells((DOCS / "bots.md").read_text("utf-8"))
    seen = set()
    for one in rulesets():
        for anchor, _ in sections(one):
            for upper, lower in pairwise(bots.declared(one.game)):
                if verdict := found.get((anchor, f"verdict: {upper} over {lower}")):
                    seen.add(one.game.name)
                    known = {"stronger"} | ({"undecided"} if upper == "expert" else set())
                    if (one.name, upper) == ("god-of-the-market", "expert"):
                        known.add("not stronger")
                    assert verdict <= known, (anchor, upper)
    assert {"gatsby", "facets-of-fortune"} <= seen


def test_what_each_level_is_said_to_be_is_what_it_is() -> None:
    page = (DOCS / "bots.md").read_text("utf-8")
    for game in parlour.all_games():
        found = bots.declared(parlour.find(game))
        said = {
            level: f"{what:,}"
            if isinstance(what, int)
            else what.bot + (f", noise {what.noise:,g}" if what.noise else "")
            for level, what in found.items()
        }
        row = [parlour.find(game).text.TITLE, *(said.get(level, "") for level in bots.LEVELS)]
        assert re.sub(" +", " ", f"| {' | '.join(row)} |") in page


@pytest.mark.parametrize("bare", ["`easy` wins about one game in twelve.", "It wins 60.6 % of 600.", "* 42 ± 5 points"])
def test_a_number_without_its_source_is_found(bare: str) -> None:
    assert unsourced(f"Words.\n\n{bare}") == [bare]
    assert unsourced(f"{bare} Made by `parlour arena fortune --games 40`.") == []


def text_of(page: str) -> str:
    return (ROOT / page).read_text("utf-8")


def constants(page: str) -> list[str]:
    return [*CONSTANTS.get(page, ()), *FIXED.get(page, ())]


@pytest.mark.parametrize("page", sorted(page for page in PAGES if not page.endswith(BY_THEMSELVES)))
def test_a_number_comes_from_a_table_a_command_or_the_code(page: str) -> None:
    assert measured.untraced(text_of(page), constants(page)) == []


@pytest.mark.parametrize("page", sorted(CONSTANTS | FIXED))
def test_what_a_page_says_of_the_code_is_what_the_code_has(page: str) -> None:
    words = " ".join(text_of(page).split())
    assert [phrase for phrase in constants(page) if phrase not in words] == []


def test_what_was_met_is_quoted_from_what_was_measured() -> None:
    """The bars of issue 4 are compared with numbers of the first table of docs/performance.md."""
    page = text_of("docs/performance.md")
    table, bars = (
        page.partition(head)[2].partition("\n#")[0] for head in ("## The five games", "### Against the bars")
    )
    rows = re.findall(r"^\| .+? \| ([\d.]+ ?[kM]?) \| ([\d.]+ ?[kM]?)(?: \(.+?\))? \| met \|$", bars, re.M)
    assert len(rows) == 12
    for bar, found in rows:
        assert f"**{found}**" in table, found
        assert worth(found) >= worth(bar), found


def worth(rate: str) -> float:
    number, _, scale = rate.partition(" ")
    return float(number) * {"": 1, "k": 1e3, "M": 1e6}[scale]


def test_restarts_are_described_alike_in_both_pages() -> None:
    """Each long run of restarts in SECURITY.md is in docs/performance.md with the same times."""
    measured_there = " ".join(text_of("docs/performance.md").replace("*", "").split())
    rows = re.findall(r"--restarts 30` \|.*?; ready after ([\d.]+) s, at worst ([\d.]+) s", text_of("SECURITY.md"))
    assert len(rows) >= 4
    for usual, worst in rows:
        alike = rf"{re.escape(usual)}(?: s, at worst | and ){re.escape(worst)} s"
        assert re.search(alike, measured_there), (usual, worst)


def test_what_players_read_of_ratings_is_what_ratings_do() -> None:
    """The page of the best, beside simulated games."""
    page = text_of("parlour/house/ratings/templates/best.html")
    known, new = (
        median(games for seed in range(40) for games in simulated.until_sure(seed, known=known))
        for known in (True, False)
    )
    said = f"about {known:g} games against established players, or {new:g} among new ones."
    assert f"until that range is {{{{ bound }}}} or less. With two players, that takes {said}" in page
    assert "A player rated 120 points higher wins about twice as often; 400 points, ten times." in page
    for higher, often in ((120, 2), (400, 10)):
        assert math.exp(higher / SCALE / simulated.SCALE) == pytest.approx(often, rel=0.01)
    assert (MIDDLE, "Everyone starts at {{ middle }} ± {{ newcomer }}." in page) == (points(Skill().mu), True)
    assert (WITHIN, "We are 95 % sure" in page) == (pytest.approx(1.96, abs=0.01), True)


SECTION = "## Speed\n\n{}\n\n| | a second |\n|---|--:|\n| moves | **{}** (1,030 to 1,040) |\n"


def test_a_false_number_is_found() -> None:
    said = "It makes 1,031.4 moves a second, {} KB each; at most 5 % were late."
    assert [one.number for one in measured.untraced(SECTION.format(said.format(7.2), "1,031.4"))] == ["7.2", "5"]
    table = "1,031.44 at 7.21 KB, 5.1 %"
    assert measured.untraced(SECTION.format(said.format(7.2), table)) == []
    assert [one.number for one in measured.untraced(SECTION.format(said.format(7.3), table))] == ["7.3"]
    elsewhere = SECTION.format("Fast.", table) + f"\n## Size\n\n{said.format(7.2)}\n"
    assert len(measured.untraced(elsewhere)) == 3, "a table of another section does not count"


def test_a_report_has_its_day_and_its_command() -> None:
    said = "It took 7.2 ms{}.\n\n{}"
    assert measured.untraced(said.format(" (2026-11-26)", "Run `parlour bench`.")) == []
    assert len(measured.untraced(said.format(" (2026-11-26)", "Run it."))) == 1
    assert len(measured.untraced(said.format("", "Run `parlour bench`."))) == 1


@pytest.mark.parametrize(
    ("plain", "number"),
    [
        ("A page waits half a second.", "half"),
        ("It takes about a minute.", "a"),
        ("Two in three games end so.", "Two"),
        ("It is twelve times as fast.", "twelve"),
        ("They weigh 30,000 bytes.", "30,000"),
        ("The ratio is 0.93.", "0.93"),
        ("* 84 to 90 % of a core", "84"),
    ],
)
def test_a_measured_number_is_known_by_its_unit(plain: str, number: str) -> None:
    assert number in [one.number for one in measured.untraced(plain)]
    assert measured.untraced(plain, [plain.removeprefix("* ")]) == []


@pytest.mark.parametrize(
    "plain", ["Python 3.11 or newer", "clause FO-18 of 2026-11-21", "ports 80 and 443", "`--seed 7 s`"]
)
def test_versions_dates_clauses_ports_and_code_are_no_measurements(plain: str) -> None:
    assert measured.untraced(plain) == []
