"""`parlour check`: an honest game passes; of a game that is wrong on purpose it says what, in which file, and where."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from parlour.conformance import kit
from parlour.core.game import Game
from parlour.games import outside
from tests.cli.conftest import Cli, cli
from tests.conformance.cases import pig
from tests.docs.pig import write_pig

__all__ = ["cli"]
Edit = Callable[[Path], None]
BEGUN = f"""parlour-record 1
game: "pig"
rules: 1
edition: "standard"
parts: {{"faces": 6}}
options: {{"target": "100"}}
names: ["You", "Bob"]
commitment: "{"0" * 64}"

"""
DRAW = "from parlour.core.rng import random_below\n\n\n"


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(outside.VARIABLE, "")  # put back afterwards: `parlour check DIR` adds to it


def replace(name: str, *pairs: tuple[str, str]) -> Edit:
    def edit(game: Path) -> None:
        text = (game / name).read_text("utf-8")
        for old, new in pairs:
            assert old in text
            text = text.replace(old, new)
        (game / name).write_text(text, "utf-8")

    return edit


def lesson(steps: str) -> Edit:
    def edit(game: Path) -> None:
        (game / "lessons").mkdir()
        (game / "lessons" / "lesson.txt").write_text(BEGUN + steps, "utf-8")

    return edit


def add(name: str, text: str) -> Edit:
    def edit(game: Path) -> None:
        (game / name).write_text(f"{(game / name).read_text('utf-8')}\n\n{text}", "utf-8")

    return edit


def all_of(*edits: Edit) -> Edit:
    def edit(game: Path) -> None:
        for one in edits:
            one(game)

    return edit


def test_an_honest_game_passes() -> None:
    report = kit.run(pig(), games=2, seconds=0)
    assert report.findings == []
    none = {kit.GUIDE, kit.LESSONS, kit.PUZZLES, kit.CALIBRATED}  # it has none of them, and hides nothing
    assert set(kit.PARTS) - none == {part for part in kit.PARTS if report.done[part]}
    assert report.done[kit.PLAY] == 2 * 4  # 2, 3 and 4 players, the option alone; two games of each
    assert not report.left


@pytest.mark.parametrize(
    ("part", "spoil", "where", "why"),
    [
        (kit.LOADS, replace("scene.py", ("def tell", "def say")), "", r"scene\.py: tell\(\) is missing\."),
        (kit.ABOUT, replace("text.py", ("Roll again, or hold what you have.", "")), "", r"text\.py: TAGLINE is empty"),
        (
            kit.RULEBOOK,
            replace("scene.py", ('"PI-2"', '"PI-9"')),
            "",
            r"does not have these clauses, which the code cites: PI-9 \(scene",
        ),
        (
            kit.RULEBOOK,
            replace("rulebook.md", ("**PI-5**", "**PI-6**")),
            "",
            r"does not have these clauses, which the code cites: PI-5",
        ),
        (
            kit.RULEBOOK,
            replace("rulebook.md", ("**PI-5**", "**PI-5** [Or so.]{.guess}")),
            "",
            r"rulebook\.md: ']\{\.guess\}' is not a source; the sources are: derived, outside, house, ruling\.",
        ),
        (
            kit.RULEBOOK,
            replace("rulebook.md", ("**PI-5**", "{ruleset=small}\n**PI-5**")),
            "",
            r"rulebook\.md: \{ruleset=small\} is unknown",
        ),
        (
            kit.LOADS,
            replace("rulebook.md", ("**PI-5**", "![A die](die)\n\n**PI-5**")),
            "",
            r"rulebook\.md shows 'die', but pictures\(\) in book\.py has no picture of that name\.",
        ),
        (
            kit.LOADS,
            add("scene.py", 'CHEER = ("pig-hat",)'),
            "",
            r"scene\.py: CHEER names 'pig-hat', which art\.svg does not have\.",
        ),
        (
            kit.LOADS,
            lambda game: (game / "stage.py").write_text('SOUNDS = {"roll": "gong"}\n') and None,
            "",
            r"stage\.py: 'roll' sounds like 'gong'; there are dice, card",
        ),
        (
            kit.LESSONS,
            lesson("# Roll.\n1 roll\n* die 6\n1 hold\n# Well done.\n"),
            "",
            r"lessons/lesson\.txt: there is no note before step 2, 'hold'\.",
        ),
        (
            kit.LOADS,
            lesson("# Roll.\n1 roll\n# It falls.\n* die 6\n"),
            "",
            r"lessons: .*The note 'It falls\.' is before a step of chance; only the learner reads notes\.",
        ),
        (
            kit.GUIDE,
            lambda game: (game / "guide.py").write_text('GUIDE = (("die", "A die.", "PI-1"),) * 2\n') and None,
            "",
            r"guide\.py: pig has 2 first steps",
        ),
        (
            kit.PLAY,
            replace("rules.py", ("        out[0] = ROLL\n        return 1", "        out[0] = ROLL\n        return 0")),
            "seed 0, step 0, at the start",
            r"rules\.py: legal_actions gives nothing, but current_player says that seat 0 decides\.",
        ),
        (
            kit.PLAY,
            replace("text.py", ("return MOVES[action]", 'return "roll"')),
            'seed 0, step 2, after "die 2"',
            r"text\.py: format_action must give each legal action its own text",
        ),
        (
            kit.PLAY,
            replace("rules.py", ("state.shown = action + 1", "state.shown = 60 // (5 - action)")),
            "seed 0, step ",
            r"rules\.py, line \d+, in apply: ZeroDivisionError",
        ),
        (
            kit.VIEWS,
            replace("scene.py", ("decides = viewer == state.player and", "decides =")),
            "seed 0, step ",
            r"scene\.py: scene: for a spectator it offers moves to a viewer who does not decide: \['",
        ),
        (
            kit.VIEWS,
            replace("scene.py", ('f"{names[state.player]} decides."', '"A player decides."')),
            "seed 0, step ",
            r"scene\.py: scene: for a spectator the prompt does not say who decides",
        ),
        (
            kit.VIEWS,  # deals the dice again, which are on the table for all to see
            add(
                "rules.py",
                f"{DRAW}def resample(state, player, rng):\n    state.shown = 1 + random_below(rng, 6)\n",
            ),
            "seed 0, step ",
            r"the scene leaks to a spectator what they cannot know, after seat 0: roll: text of piece 'die' is",
        ),
        (
            kit.CHANCE,
            add(
                "rules.py",
                f"{DRAW}def sample_chance(state, rng):\n    return random_below(rng, 7) % 6\n",
            ),
            "seed 2, step ",
            r"rules\.py: sample_chance does not draw as the weights say",
        ),
        (
            kit.DECLARED,
            all_of(
                replace("__init__.py", ("solver=True", "solver=True, hidden_information=True")),
                add("rules.py", "def observed_action(state, action, player):\n    return action\n"),
                add("rules.py", "def resample(state, player, rng):\n    pass\n"),
            ),
            "seed 19, step ",
            r"rules\.py: hidden_information says that something is hidden, but nothing ever is",
        ),
        (
            kit.ABOUT,
            all_of(
                replace("__init__.py", ("solver=True", "solver=True, hidden_information=True")),
                add("rules.py", "def hidden_information(state):\n    return False\n"),
                add("rules.py", "def observed_action(state, action, player):\n    return action\n"),
                add("rules.py", "def resample(state, player, rng):\n    pass\n"),
            ),
            "",
            r"__init__\.py: hidden_information is True, but rules\.py says that no game hides anything",
        ),
        (
            kit.DECLARED,
            replace("__init__.py", ("solver=True", "solver=True, chance=False")),
            "seed 0, step ",
            r"__init__\.py: chance is False, but rules\.py lets chance decide",
        ),
        (
            kit.ABOUT,
            replace("__init__.py", ("solver=True", "solver=False")),
            "",
            r"__init__\.py: solver is False, but there is solver\.py",
        ),
        (
            kit.ABOUT,
            replace("__init__.py", ("solver=True", "solver=True, secret_asking=True")),
            "",
            r"__init__\.py: secret_asking is True, but there is no may_ask\(\) in rules\.py",
        ),
        (
            kit.PLAY,
            add("rules.py", "def bound(state):\n    return 0\n"),
            "seed 0, step 0",
            r"rules\.py: bound returns 0, but __init__\.py says the longest game has 100000 steps",
        ),
        (
            kit.PLAY,
            replace("__init__.py", ("longest=100_000", "longest=20")),
            "seed 0, step 20",
            r"rules\.py: the game is not over within its bound, 20",
        ),
        (
            kit.HELD,
            replace("__init__.py", ("players=(2, 4)", "players=(2, 6)")),
            "",
            r"rules\.py, line \d+, in \w+: IndexError: state\.scores has 4 places",
        ),
        (
            kit.VIEWS,
            replace("__init__.py", ('Observed("sum of the turn", 1, 0, None)', 'Observed("sum of the turn", 1, 0, 5)')),
            "seed 0, step ",
            r"rules\.py: observation gives \d+ as 'sum of the turn', but the facts say from 0 to 5",
        ),
        (
            kit.MACHINE,
            replace("rules.py", ("    state.turns += 1\n", "    state.turns += 1 + min(0 for s in state.scores)\n")),
            "",
            r"rules\.py, line \d+: this does not compile: ",
        ),
    ],
)
def test_what_is_wrong_is_found_and_reported_with_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str, spoil: Edit, where: str, why: str
) -> None:
    folder = write_pig(tmp_path)
    spoil(folder)
    if part != kit.MACHINE:  # whatever else is wrong is found without a compiler
        monkeypatch.setattr(kit, "compiled", lambda _shape: None)
    if part != kit.HELD:
        monkeypatch.setattr(kit, "GUARDED", 0)  # the least, which each game takes
    monkeypatch.setenv(outside.VARIABLE, str(folder))
    report = kit.run(Game("pig", outside.package(folder)), games=1)
    found = {finding.part: finding for finding in report.findings}
    assert part in found, report.findings
    assert where in found[part].spot
    assert re.search(why, found[part].why), found[part].why
    assert "\n" not in found[part].why


def test_the_time_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter(range(0, 10_000, 10))
    monkeypatch.setattr(kit.time, "monotonic", lambda: next(now))
    report = kit.run(pig(), games=100, seconds=45)
    assert report.done.total() == 1 + 4
    assert report.left.total() > 100
    assert report.passed


def test_the_command_passes_a_game_and_says_what_it_did(cli: Cli, tmp_path: Path) -> None:
    folder = write_pig(tmp_path / "games")
    done = cli("check", folder, "--games", "1", "--seconds", "0.001")
    assert done.status == 0, done.err
    assert "  ok     the folder has all that a game needs\n" in done.out
    assert "Time ran out before all checks" in done.out
    data = json.loads(cli("check", tmp_path / "games", "--seconds", "0.001", "--json").out)
    assert data["game"] == "pig"
    assert data["passed"]


def test_the_command_tells_a_fault_and_fails(cli: Cli, tmp_path: Path) -> None:
    folder = write_pig(tmp_path / "games")
    replace("text.py", ("MINUTES = (5, 10)", ""))(folder)
    done = cli("check", folder)
    assert done.status == 1
    assert "  FAULT  the folder has all that a game needs\n         text.py: MINUTES is missing.\n1 fault" in done.out
    (folder / "__init__.py").unlink()
    assert cli("check", folder).err == f"parlour: {folder}: __init__.py is missing.\n"
    (tmp_path / "empty").mkdir()
    assert "There is no game in the folder" in cli("check", tmp_path / "empty").err
    assert cli("check", "chess").status == 2
    folder.rename(tmp_path / "fortune")  # a folder is what is meant, whatever its name
    assert "__init__.py is missing" in cli("check", tmp_path / "fortune").err
