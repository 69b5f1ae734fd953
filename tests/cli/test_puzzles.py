"""`parlour puzzles`: mining a file, and solving in the terminal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from parlour.core import puzzle
from parlour.core.puzzle import Collection, puzzles_of
from parlour.core.replay import replay
from parlour.games import find
from tests.cli.conftest import Cli


def every() -> Collection:
    found = puzzles_of(find("fortune"))
    assert found is not None
    return found


def test_the_rulesets_that_have_puzzles_are_listed(cli: Cli) -> None:
    done = cli("puzzles")
    assert done.status == 0, done.err
    assert re.search(r"^fortune +\d+ puzzles, rated \d+ to \d+$", done.out, re.MULTILINE)
    assert cli("puzzles", "--daily").status == 2
    assert "Name a game" in cli("puzzles", "--daily").err


def test_a_right_answer_is_told_with_what_the_choices_are_worth(cli: Cli) -> None:
    one = every().puzzles[0]
    done = cli("puzzles", "fortune", input=f"{one.best}\n")
    assert done.status == 0, done.err
    assert f"Puzzle {one.key}, rated {one.rating:.0f}" in done.out
    assert f"Right: {one.best}." in done.out
    assert f"Best is {one.best}" in done.out
    for value in one.values:
        assert re.search(rf"^  {re.escape(value.move)} +wins {100 * value.chance:.1f} %$", done.out, re.MULTILINE)
    assert "1 of 1 solved." in done.out
    assert done.out.index("Which?") < done.out.index("Best is")


def test_another_answer_is_not_the_best_and_an_illegal_one_does_not_count(cli: Cli) -> None:
    one = every().puzzles[0]
    done = cli("puzzles", "solve", "fortune", "--key", one.key, input=f"nonsense\nre-roll 9 9\n{one.values[1].move}\n")
    assert f"Not the best: {one.values[1].move}." in done.out
    assert "0 of 1 solved." in done.out
    assert "Right" not in done.out


def test_moves_log_and_skip(cli: Cli) -> None:
    one = every().puzzles[0]
    match = replay(every().record(one), lambda _: find("fortune"))
    done = cli("puzzles", "fortune", input="help\n\nmoves\nlog\nskip\nquit\n")
    assert match.legal_actions()[-1] in done.out
    assert str(match.log(one.seat)[0].text) in done.out
    assert f"Best is {one.best}" in done.out
    assert "solved." not in done.out  # nothing was tried
    assert f"Puzzle {every().puzzles[1].key}" in done.out


def test_nothing_tells_the_answer_before_it_is_tried(cli: Cli) -> None:
    done = cli("puzzles", "fortune", input="moves\nquit\n")
    assert "Best" not in done.out
    assert "wins" not in done.out
    assert "Themes" not in done.out


def test_the_daily_puzzle_and_one_of_a_rating(cli: Cli) -> None:
    daily = cli("puzzles", "fortune", "--daily", input="skip\n")
    assert daily.out.count("Puzzle ") == 1
    near = min(every().puzzles, key=lambda one: abs(one.rating - 1900))
    assert f"rated {near.rating:.0f}" in cli("puzzles", "fortune", "--rating", "1900", input="quit\n").out


@pytest.mark.slow
def test_a_file_is_mined_continued_and_solved(cli: Cli, tmp_path: Path) -> None:
    out, blocks = tmp_path / "new" / "mined.xz", tmp_path / "blocks.jsonl"
    mine = ("puzzles", "mine", "fortune", "--seed", "5", "--jobs", "1", "--out", out, "--blocks", blocks)
    assert cli(*mine, "--games", "2").status == 0
    done = cli(*mine, "--games", "4", "--most", "2")
    assert done.status == 0, done.err
    assert "2 puzzles in" in done.out
    made = puzzle.read(out.read_bytes())
    assert made.command == "parlour puzzles mine fortune --games 4 --seed 5 --out FILE"
    assert len(blocks.read_text().splitlines()) == 1 + 4  # a line of what they have in common
    whole = tmp_path / "whole.xz"
    assert cli(*mine[:-3], whole, "--games", "4", "--most", "2").status == 0
    assert puzzle.read(whole.read_bytes()) == made
    solved = cli("puzzles", "fortune", "--file", out, input=f"{made.puzzles[0].best}\n")
    assert "1 of 1 solved." in solved.out


def test_what_is_wrong_is_said(cli: Cli, tmp_path: Path) -> None:
    none = tmp_path / "none.xz"
    assert cli("puzzles", "fortune", "--file", none).status == 3
    none.write_bytes(b"nothing")
    assert "not a file of puzzles" in cli("puzzles", "fortune", "--file", none).err
    assert "There is no puzzle 'none'" in cli("puzzles", "fortune", "--key", "none").err
    assert cli("puzzles", "nonsense").status == 2
    none.write_bytes(puzzle.write(every()))
    assert "has puzzles of fortune" in cli("puzzles", "gatsby", "--file", none).err
    assert cli("puzzles", "mine", "fortune", "--players", "9", "--out", none).status == 2
