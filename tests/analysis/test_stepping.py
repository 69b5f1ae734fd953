"""What a step changes, against the list of all games of Sprint; kept numbers; what is recommended; the page."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from parlour.analysis import advice, author_page, forest, playing, stepping
from parlour.analysis.author_page import Picture, Table
from parlour.analysis.forest import Line
from parlour.analysis.playing import How
from parlour.analysis.sampling import Setup
from parlour.analysis.stepping import MEASURES, Change, Report
from parlour.analysis.steps import OTHER, Step, Value, Words, values
from parlour.analysis.wording import Found
from parlour.core.errors import BadSetup
from parlour.core.game import Game
from tests.analysis import sprints

SPRINT = Game("sprint", "tests.fixtures.sprint")
SETUP = Setup.make(SPRINT, 2, bots="random")
TRIED = values(SETUP)
KNOWN = set(MEASURES) - {"skill"}


@pytest.fixture(scope="module")
def report() -> Report:
    return stepping.play(SETUP, TRIED, 1500)


def exact(**changed: int) -> dict[str, float]:
    found = sprints.measures(list(sprints.games(2, **changed)))
    return found | {"1st": found["seat-1"]}


def test_a_step_changes_what_all_games_say(report: Report) -> None:
    """The list of all games is written from the rulebook alone; the first seat begins."""
    now = exact()
    assert set(report.base) == set(MEASURES)
    for name in KNOWN:
        half = (report.base[name].high - report.base[name].low) / 2
        assert abs(report.base[name].value - now[name]) < 2.5 * half + 1e-9, name
    for path, label, changed in (("head", "1", {"head": 1}), ("rounds", "1", {"rounds": 1})):
        then = exact(**changed)
        for name in KNOWN:
            one = report.changes[path, label][name]
            assert abs(one.value - (then[name] - now[name])) < 2.5 * (one.high - one.low) / 2 + 1e-4, (path, name)
    assert report.changes["ties", "last"]["decisions"][:4] == (0, 0, 0, 1), "a reading of the end changes no length"


def test_a_report_is_made_again_of_its_numbers_and_no_others(report: Report) -> None:
    numbers = json.loads(json.dumps(report.numbers()))
    again = Report.of(numbers, SETUP, TRIED)
    assert (again.base, again.changes, again.games) == (report.base, report.changes, report.games)
    with pytest.raises(BadSetup, match="of another setup"):
        Report.of(numbers, replace(SETUP, seed=2), TRIED)
    head = TRIED[-1]
    other = replace(head, steps=(replace(head.steps[0], point={"head": 2}),))
    with pytest.raises(BadSetup, match="head: 1 has not been played"):
        Report.of(numbers, SETUP, [*TRIED[:-1], other])


def test_only_what_is_new_is_played(report: Report, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    played: list[str] = []

    def play(setup: Setup, *given: object, **named: object) -> playing.Played:
        played.append(str(setup.shape.box.parts))
        return usual(setup, *given, **named)  # type: ignore[arg-type]

    usual = playing.play
    monkeypatch.setenv("PARLOUR_GAMES", "tests/fixtures/sprint")
    monkeypatch.setattr(playing, "play", play)
    numbers = report.numbers()
    assert stepping.play(SETUP, TRIED, 1500, kept=numbers).changes == report.changes
    assert played == []
    numbers["steps"] = [one for one in numbers["steps"] if one["of"] != "head"]
    so_far: list[Report] = []
    again = stepping.play(SETUP, TRIED, 1500, How(tmp_path, threads=1), numbers, so_far.append)
    assert again.changes == report.changes
    assert len(played) == 2, "the game as it is, and the step"
    assert [len(one.changes) for one in so_far] == [len(again.changes)]
    assert len(list(tmp_path.iterdir())) == 2
    assert stepping.play(SETUP, TRIED[:1], 20, kept=numbers).games == 20
    assert len(played) == 4, "fewer games are other games"


# What is recommended -----------------------------------------------------------------------------
def told(first: float, *changes: dict[str, tuple[float, float]], reading: bool = False) -> Report:
    """Return a report with a first player's share, and of one value as many steps as there are mappings: measure ->
    change and p-value. Intervals are of one point on either side."""
    steps = tuple(Step(f"step {i}", OTHER, {}, SETUP) for i in range(len(changes)))
    value = Value("price", "Price", "3", "ruling" if reading else "house", "SP-1", option=reading, steps=steps)
    base = {"1st": Found(first, first - 0.01, first + 0.01), "decisions": Found(40, 39, 41)}
    found = {
        ("price", f"step {i}"): {
            name: Change(by, by - 0.01, by + 0.01, p, p) for name, (by, p) in one.items()
        } for i, one in enumerate(changes)
    }  # fmt: skip
    return Report(SETUP, 1000, (value,), base, found)


SHARE = "We recommend “step 0”: it changes the first player's share by −5.0 ± 1.0 %, to about 55.0 %."


def same(report: Report) -> Report:
    """Return the report with steps that change no game."""
    changes = {key: dict.fromkeys(one, Change(0, 0, 0, 1)) for key, one in report.changes.items()}
    return replace(report, changes=changes)


@pytest.mark.parametrize(
    ("report", "kind", "sentence"),
    [
        (
            told(0.6, {"1st": (-0.05, 0.01)}),
            advice.FAIRER,
            SHARE,
        ),
        (told(0.6, {"1st": (-0.05, 0.06)}), advice.NOTHING, "No change counts; by the intervals, the first player"),
        (told(0.6, {"1st": (-0.019, 0.01)}), advice.NOTHING, "No change counts; by the intervals, the first player"),
        (told(0.6, {"1st": (0.05, 0.01)}), advice.CHANGES, "the first player wins more often (+5.0 ± 1.0 %)"),
        (told(0.6, {"1st": (-0.25, 0.01)}), advice.CHANGES, "the first player wins less often"),
        (told(0.515, {"1st": (-0.05, 0.01)}), advice.CHANGES, "the first player wins less often"),
        (told(0.6, {"1st": (-0.05, 0.01)}, {"1st": (-0.09, 0.01)}), advice.FAIRER, "We recommend “step 1”"),
        (told(0.5, {"decisions": (2.1, 0.01)}), advice.CHANGES, "games are longer"),
        (told(0.5, {"decisions": (1.9, 0.01)}), advice.NOTHING, "No change counts. Keep 3."),
        (
            told(0.6, {"1st": (-0.05, 0.01)}, reading=True),
            advice.FAIRER,
            "Please tell us which reading is yours: “step 0” changes the first",
        ),
        (told(0.5, {"decisions": (-9, 0)}, reading=True), advice.CHANGES, "Please tell us which reading is yours."),
        (
            told(0.5, {"1st": (0, 1)}, reading=True),
            advice.NOTHING,
            "No change counts; by the intervals",
        ),
        (same(told(0.5, {"1st": (0, 1)}, reading=True)), advice.NOTHING, "they can't tell one from the other"),
    ],
)
def test_a_sentence_follows_from_the_thresholds(report: Report, kind: str, sentence: str) -> None:
    (one,) = advice.advise(report)
    assert one.kind == kind
    assert sentence in one.sentence


def test_who_is_favoured_is_said_first() -> None:
    assert "So they are ahead." in advice.favoured(told(0.6))
    assert "So they are behind." in advice.favoured(told(0.4))
    assert "can't be told from an equal share" in advice.favoured(told(0.505))
    assert "near an equal share" in advice.favoured(told(0.515))
    said = list(advice.recommendations(told(0.6, {"1st": (-0.05, 0.01)})))
    assert said[0] == advice.favoured(told(0.6))
    assert said[1].startswith("**Price** (SP-1). We recommend")
    assert list(advice.recommendations(told(0.6, {}))) == [
        advice.favoured(told(0.6)), "No step of a value makes the start fairer, so we recommend none."
    ]  # fmt: skip


# The page ----------------------------------------------------------------------------------------
class Seen(HTMLParser):
    """The elements of a page, the addresses in it, and whether they are closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag not in ("meta", "path", "circle", "rect"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("path", "circle", "rect"):
            assert self.open.pop() == tag


def page(report: Report, words: Words | None = None) -> list[author_page.Block]:
    return author_page.blocks(report, words or Words(), "parlour report sprint --out FILE.html")


def test_the_html_page_is_whole_and_loads_nothing(report: Report) -> None:
    html = author_page.html(page(report, Words(first="See [the notes](notes.md) <now>.", of={"head": "Yours."})))
    seen = Seen()
    seen.feed(html)
    assert seen.open == []
    assert seen.addresses == []
    assert not {"script", "link", "img"} & set(seen.tags)
    assert seen.tags.count("svg") == len(report.measures)
    assert "url(" not in html
    assert "See the notes &lt;now&gt;." in html
    assert "parlour report sprint" in html
    assert "color-scheme: light dark" in html
    assert "width=device-width" in html


def test_markdown_has_the_same_tables_and_a_file_for_each_picture(report: Report) -> None:
    blocks = page(report)
    files = author_page.files(blocks, "sprint", "written by a test")
    text = files["sprint.md"]
    assert text.startswith("<!-- written by a test -->\n\n# Sprint: what one step of each value does\n")
    pictures = [one for one in blocks if isinstance(one, Picture)]
    assert set(files) == {"sprint.md", *(f"sprint-{one.name}.svg" for one in pictures)}
    assert all(f"](sprint-{one.name}.svg)" in text for one in pictures)
    rows = [row for one in blocks if isinstance(one, Table) for row in one.rows]
    assert sum(map(len, rows)) > 30
    assert all(f"| {' | '.join(row)} |" in text for row in rows)
    assert all(len(line) <= 100 for line in text.splitlines() if not line.startswith("|"))
    for row in rows:
        if row[:3] == ("Head", "0", "1"):
            assert row[3].startswith("**−"), "a head start of the other counts"


def test_a_forest_has_a_line_for_each_change_in_its_place() -> None:
    lines = [Line("<Price>"), Line("3 → 2", 0, (-4.0, -6.0, -2.0), True), Line("3 → 4" * 9, 1, (1.0, -1.0, 3.0))]
    root = ET.fromstring(forest.draw("a & b", "note", lines, " %"))
    marks = [one for one in root.iter() if one.tag.endswith("circle")]
    assert len(marks) == 1
    words = [one.text or "" for one in root.iter() if one.tag.endswith("text")]
    assert any(word.endswith("…") for word in words)
    assert max(map(len, words)) <= forest.LETTERS + 1
    zero = next(one for one in root.iter() if one.get("class") == "zero").get("d")
    assert zero is not None
    assert float(marks[0].get("cx", "")) < float(zero[1:].split()[0]) < forest.WIDTH
    assert ET.fromstring(forest.draw("none", "", [Line("x", 0, (0.0, 0.0, 0.0))])) is not None
