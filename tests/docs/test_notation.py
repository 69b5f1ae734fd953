"""docs/notation.md: its record is a record, and its checker, which knows nothing of Parlour, agrees with ours."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import parlour
from parlour.core import fair
from parlour.core.match import Match
from parlour.core.record import _HEADER, Record
from parlour.core.replay import replay, verify
from tests.conformance import golden

PAGE = Path(__file__).parents[2].joinpath("docs", "notation.md").read_text("utf-8")


def block(language: str) -> str:
    found = re.search(rf"^```{language}\n(.*?)^```", PAGE, re.M | re.S)
    assert found
    return found[1]


@pytest.fixture(scope="module")
def check() -> Callable[[str], int]:
    names: dict[str, Callable[[str], int]] = {}
    exec(block("python"), names)
    return names["check"]


def test_the_record_on_the_page_is_one_and_is_honest(check: Callable[[str], int]) -> None:
    text = block("parlour-record")
    match = verify(Record.parse(text), parlour.find)
    assert match.record().to_text() == text
    assert check(text) == match.version > 4


def test_every_line_of_the_header_is_described() -> None:
    assert re.findall(r"^\| `(\w+)` \|", PAGE, re.M)[: len(_HEADER)] == list(_HEADER)


@pytest.mark.parametrize("file", [f for f in golden.records() if f.stem.startswith("fortune")], ids=lambda f: f.stem)
def test_the_checker_agrees_on_whole_games(check: Callable[[str], int], file: Path) -> None:
    text = file.read_text("utf-8")
    assert check(text) == len(Record.parse(text).steps)


@pytest.mark.parametrize("pile", ["cycle", "reshuffle"])
def test_the_checker_agrees_when_the_pile_comes_round(check: Callable[[str], int], pile: str) -> None:
    match = Match(parlour.find("fortune"), 4, seed=3, options={"pile": pile, "round_limit": "100"}, words=("ä",))
    while not match.over and match.version < 400:
        match.play("stop")
    assert check(match.record().to_text()) == match.version


def test_the_checker_finds_a_changed_die(check: Callable[[str], int]) -> None:
    text = block("parlour-record")
    step = next(line for line in text.splitlines() if line.startswith("* dice"))
    with pytest.raises(AssertionError, match="was not drawn"):
        check(text.replace(step, "* dice" + " gold" * 8))


def test_the_checker_agrees_on_a_game_that_goes_on_from_another(check: Callable[[str], int]) -> None:
    record = Record.parse(block("parlour-record"))
    seed = fair.seed_of("another")
    start = replace(record.upto(5), given=5, seed=seed, commitment=fair.commitment(seed))
    match = replay(start, parlour.find)
    match.draw()
    while not match.over:
        match.play("stop")
    text = match.record().to_text()
    assert "given: 5\n" in text
    assert check(text) == verify(Record.parse(text), parlour.find).version
    with pytest.raises(AssertionError, match="was not drawn"):
        check(text.replace("given: 5\n", ""))
    with pytest.raises(AssertionError):
        check(text.replace("given: 5\n", f"given: {match.version + 1}\n"))
