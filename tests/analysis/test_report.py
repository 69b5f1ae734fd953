"""Statistics as tables, pictures and a section of a page."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import parlour
from parlour import bots
from parlour.analysis import report, tables
from parlour.analysis.shapes import shapes
from parlour.analysis.statistics import Event, Share, Statistics, gather

FORTUNE = parlour.find("fortune")
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def found() -> list[Statistics]:
    chosen = shapes(FORTUNE, edition="classic-35")[:2]
    return [gather(shape, [bot], games) for shape in chosen for bot, games in (("random", 60), ("greedy", 40))]


def test_a_table_has_a_column_for_each_and_says_what_was_counted(found: list[Statistics]) -> None:
    lines = tables.markdown(found).splitlines()
    assert lines[0] == "|  | 2 players, random | 2 players, greedy | 3 players, random | 3 players, greedy |"
    assert {line.count("|") for line in lines} == {6}
    text = "\n".join(lines)
    assert f"| steps, longest game | {found[0].steps.most:,} | {found[1].steps.most:,} |" in text
    assert f"| 1st to play | {100 * found[0].order[0].share:.1f} ± " in text
    assert "| round limit | 100 % | 0 | 100 % | 0 |" in text
    assert "−" in text, "a minus is one"
    assert tables.markdown(found[:1]).startswith("| random | 2 players |\n")
    assert report._narrow(found) == [found]
    assert [[one.who for one in table] for table in report._narrow(found * 2)] == [["random"] * 4, ["greedy"] * 4]
    mean = found[0].counts["rounds"]
    assert f"| rounds | {mean.mean:.3g}; {mean.median}; {mean.high}; {mean.most} |" in text
    third = next(line for line in lines if line.startswith("| 3rd to play"))
    assert third.startswith("| 3rd to play |  |  | ")


def test_what_is_small_is_not_rounded_to_nothing() -> None:
    assert [tables._percent(x) for x in (0, 1, 0.5, 0.9999, 0.0001, 1e-7, 1 - 1e-7)] == [
        "0", "100 %", "50.0 %", "99.99 %", "0.01 %", "< 0.001 %", "> 99.999 %",
    ]  # fmt: skip
    assert tables._event(Event(0.5, 12.345, 30)) == "50.0 %; 12.3"
    assert tables._event(Event(0, 0, 0)) == "0"
    assert tables._share(Share(0.5, 0.4, 0.6)) == "50.0 ± 10.0 %"
    assert [tables._number(x) for x in (1234.5, 12.345, 0.00012)] == ["1,234", "12.3", "0.0001"]


def test_pictures_are_svg_that_knows_light_and_dark(found: list[Statistics]) -> None:
    made = report.pictures(found)
    assert set(made) == set(report.PICTURES)
    for svg in made.values():
        tree = ET.fromstring(svg)
        words = " ".join(tree.itertext())
        assert "classic-35, 2 players" in words
        assert "prefers-color-scheme: dark" in words
        assert "greedy" in words
        box = [float(n) for n in tree.attrib["viewBox"].split()]
        places = [float(e.attrib["cx"]) for e in tree.iter("{http://www.w3.org/2000/svg}circle")]
        assert places
        assert all(250 <= x <= box[2] for x in places)
    lanes = made["seats"].count(", place ")
    assert lanes == sum(len(one.order) for one in found) == 10


def test_the_longest_random_game_is_given_by_ruleset(found: list[Statistics]) -> None:
    most = max(found[0].steps.most, found[2].steps.most)
    assert f"The longest random game seen has {most:,} steps (3 players, game " in report.longest(found)
    assert "the rules' bound there is 18,180." in report.longest(found)
    assert report.longest(found[1:2]) == ""


def test_a_section_is_written_once_and_again(found: list[Statistics]) -> None:
    text = report.section(found, "parlour stats fortune --write")
    assert "60 games between random players and 40 games between greedy players" in text
    assert "### classic-35" in text
    new = report.rewrite("# Fortune\n\nWords.\n", text)
    assert new.startswith(f"# Fortune\n\nWords.\n\n{report.HEADING}\n\n{report.BEGIN}\n")
    assert report.rewrite(new, text) == new
    by_hand = report.rewrite("# F\n\n## Statistics\n\nWhat looks odd.\n\n## After\n", "one")
    assert by_hand.index(report.END) < by_hand.index("What looks odd.") < by_hand.index("## After")
    again = report.rewrite(by_hand, "two")
    assert again == by_hand.replace("one", "two")


@pytest.mark.parametrize("name", parlour.all_games())
def test_the_page_of_each_game_has_its_statistics(name: str) -> None:
    """`parlour stats GAME --write` makes them: every ruleset and edition, its longest random game, the pictures."""
    game = parlour.find(name)
    page = (ROOT / "docs" / "games" / f"{name}.md").read_text("utf-8")
    assert report.BEGIN in page, f"parlour stats {name} --write"
    text = page[page.index(report.BEGIN) : page.index(report.END)]
    variants = {shape.variant for shape in shapes(game)}
    assert set(re.findall(r"^### (.*)$", text, re.M)) == variants - {""}
    assert text.count("The longest random game seen has ") == len(variants)
    assert f"`parlour stats {name} " in text
    for picture in report.PICTURES:
        assert f"({name}-{picture}.svg)" in text
        ET.parse(ROOT / "docs" / "games" / f"{name}-{picture}.svg")
    watched = game.events
    for named in (*getattr(watched, "EVENTS", ()), *getattr(watched, "ENDINGS", ())):
        assert f"| {named} |" in text


@pytest.mark.parametrize("name", parlour.all_games())
def test_how_strong_the_levels_are_is_measured_in_one_place(name: str) -> None:
    """docs/bots.md, whose tables `parlour arena --ladder --write` makes."""
    page = (ROOT / "docs" / "games" / f"{name}.md").read_text("utf-8")
    bot = "|".join(bots.names(parlour.find(name)))
    assert re.findall(rf"^\| *`?(?:{bot})`? (?:over|against) .*", page, re.M) == []
    assert "docs/bots.md" in page
