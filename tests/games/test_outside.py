"""Games from outside: folders that PARLOUR_GAMES names and installed packages, whole, broken, and of a taken name."""

from __future__ import annotations

import copy
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import parlour
from parlour.core.errors import BrokenGame, UnknownName
from parlour.core.game import WINGS
from parlour.games import broken_games, outside, place_of
from tests.cli.conftest import Cli, Done, cli
from tests.docs.pig import write_pig

__all__ = ["cli"]

PARLOUR = str(Path(sys.executable).with_name("parlour"))
ROOT = Path(__file__).parents[2]
KEPT = ROOT / "build" / "tests" / "outside"  # stays where it is, so that it is compiled once
Edit = Callable[[Path], object]


@pytest.fixture(autouse=True)
def _data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLOUR_DATA", str(tmp_path / "data"))  # where a game that is left is kept


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of games, which PARLOUR_GAMES names; Pig is in it."""
    folder = tmp_path / "games"
    write_pig(folder)
    monkeypatch.setenv(outside.VARIABLE, str(folder))
    return folder


def run(*arguments: str | Path, input: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """`parlour` in a process of its own."""
    env = os.environ | environment
    return subprocess.run([PARLOUR, *map(str, arguments)], input=input, env=env, capture_output=True, text=True)


def built_in() -> list[str]:
    return [name for name, game in parlour.all_games().items() if place_of(game) == parlour.games.BUILT_IN]


def test_a_folder_of_games_and_a_game_s_own_folder_are_found(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (games / "notes").mkdir()
    (games / ".git").mkdir()
    (games / ".git" / "rules.py").touch()
    assert [*parlour.all_games()] == sorted([*built_in(), "pig"])
    pig = parlour.find("Pig")
    assert place_of(pig) == str(games / "pig")
    for entry in (str(games / "pig"), os.pathsep.join([str(games), str(games / "pig")])):
        monkeypatch.setenv(outside.VARIABLE, entry)
        assert parlour.find("pig") == pig
        assert broken_games() == ()
    match = parlour.new("pig", seed=3)
    while not match.over:
        match.play(match.legal_actions()[0])
    assert parlour.load(match.record().to_text()).scores == match.scores


@pytest.mark.usefixtures("games")
def test_a_game_of_a_folder_is_the_same_in_a_copy_and_in_another_process() -> None:
    pig = parlour.find("pig")
    assert pig.text.TITLE == "Pig"
    assert copy.deepcopy(pig) == pig
    code = "import pickle, sys; print(pickle.load(sys.stdin.buffer).rules.N_ACTIONS)"
    done = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(pig), capture_output=True, check=True)
    assert done.stdout.split() == [b"2"]


def test_two_folders_of_one_name_are_two_packages(games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = write_pig(tmp_path / "others")
    words = (other / "text.py").read_text("utf-8")
    (other / "text.py").write_text(words.replace('TITLE = "Pig"', 'TITLE = "Hog"'), "utf-8")
    assert parlour.find("pig").text.TITLE == "Pig"
    monkeypatch.setenv(outside.VARIABLE, os.pathsep.join([str(other), str(games)]))
    assert parlour.find("pig").text.TITLE == "Hog"
    (taken,) = broken_games()
    assert (taken.name, taken.place) == ("pig", str(games / "pig"))
    assert taken.why == f"The name pig is taken by the game of {other}."


def test_a_built_in_game_keeps_its_name(games: Path) -> None:
    (games / "pig").rename(games / "fortune")
    assert parlour.find("fortune").text.TITLE == "Fortune"
    (taken,) = broken_games()
    assert taken.why == "The name fortune is taken by the game of Parlour."


def test_what_is_no_folder_of_games_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.setenv(outside.VARIABLE, os.pathsep.join([str(tmp_path / "empty"), str(tmp_path / "nowhere")]))
    assert [one.why for one in broken_games()] == ["There is no game in this folder.", "There is no such folder."]
    with pytest.raises(BrokenGame, match=r"nowhere does not load: There is no such folder\."):
        parlour.find("nowhere")
    with pytest.raises(UnknownName, match="Allowed: aces-and-faces"):
        parlour.find("chess")


def replace(name: str, old: str, new: str) -> Edit:
    def edit(game: Path) -> None:
        text = (game / name).read_text("utf-8")
        assert old in text
        (game / name).write_text(text.replace(old, new), "utf-8")

    return edit


def write(name: str, text: str) -> Edit:
    return lambda game: (game / name).write_text(text, "utf-8")


def remove(name: str) -> Edit:
    return lambda game: (game / name).unlink()


def winged(old: str, new: str) -> Edit:
    """Move a flat game's files into wings, and its rules (`old`) to `new`."""

    def edit(game: Path) -> None:
        for file, wing in WINGS.items():
            if (game / file).is_file():
                (game / wing).mkdir(exist_ok=True)
                (game / file).rename(game / wing / file)
        (game / "rules").mkdir()
        (game / old).rename(game / new)

    return edit


def theme(name: str, value: str) -> Edit:
    return replace("scene.py", "\n\ndef scene", f"\nTHEME = {{'wide': {{{name!r}: {value!r}}}}}\n\ndef scene")


def achievements(listed: str) -> Edit:
    text = "from parlour.core.contract import Achievement\n\nACHIEVEMENTS = ({},)\n\n\ndef achieved(steps): ...\n"
    return write("achievements.py", text.format(listed))


EDITION = "editions/standard.toml"


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (write("rules.py", "def setup(:\n"), "rules.py, line 1: this is not Python (invalid syntax)."),
        (write("rules.py", "import chess_pieces\n"), "rules.py, line 1: ModuleNotFoundError: No module named"),
        (write("rules.py", "from . import dice\n"), "rules.py, line 1: ImportError: cannot import name 'dice'"),
        (write("text.py", "\n1 / 0\n"), "text.py, line 2: ZeroDivisionError: division by zero."),
        (write("scene.py", "raise SystemExit(3)\n"), "scene.py, line 1: SystemExit: 3."),
        (write("__init__.py", "import nothing\n"), "__init__.py, line 1: ModuleNotFoundError: No module named"),
        (write("policy.py", "value = nothing\n"), "policy.py, line 1: NameError: name 'nothing' is not defined."),
        (write("guide.py", "STEPS = ()\n"), "guide.py: GUIDE (or GUIDES, by ruleset) is missing."),
        (write("guide.py", "GUIDE = (('die', 'A die.'),)\n"), "guide.py: first steps must be a tuple of (key,"),
        (write("achievements.py", "ACHIEVEMENTS = ()\n"), "achievements.py: achieved() is missing."),
        (
            achievements("'a', 'b'"),
            "achievements.py: ACHIEVEMENTS must be a tuple of parlour.core.contract.Achievement",
        ),
        (achievements("Achievement('A key', 'Name', 'Do it.')"), "achievements.py: achievement 'A key' needs a key of"),
        (achievements("Achievement('a', 'Name', '')"), "achievements.py: achievement 'a' needs a key of at most 32"),
        (
            achievements("*[Achievement('a', 'Name', 'Do it.')] * 2"),
            "achievements.py: ACHIEVEMENTS has the key a twice.",
        ),
        (remove("scene.py"), "scene.py is missing."),
        (replace("solver.py", "def values", "def worths"), "solver.py: values() is missing."),
        (remove("solution.py"), "solution.py is missing, which solver.py needs."),
        (replace("solution.py", "def workspace", "def room"), "solution.py: workspace() is missing."),
        (remove("__init__.py"), "__init__.py is missing."),
        (remove("rulebook.md"), "rulebook.md is missing."),
        (remove(EDITION), "The folder editions has no edition: a file like editions/standard.toml is needed."),
        (replace("rules.py", "def scores", "def points"), "rules.py: scores() is missing."),
        (
            replace("__init__.py", "players=(2, 4),", "players=(2, 4), hidden_information=True,"),
            "rules.py: observed_action(), resample() are missing.",
        ),
        (replace("__init__.py", "FACTS = ", "FACT = "), "__init__.py: FACTS is missing."),
        (replace("__init__.py", "Facts(\n", "dict(\n"), "__init__.py: FACTS must be parlour.core.facts.Facts(...)."),
        (
            replace("__init__.py", 'Observed("decides")', 'Observed("decides", 0)'),
            "__init__.py: observed must be a tuple of",
        ),
        (
            lambda game: (game / "show").mkdir() or (game / "text.py").rename(game / "show" / "text.py"),
            "show/text.py must be text.py, since the game's folder has no wing rules/.",
        ),
        (
            lambda game: (game / "rules").mkdir() or (game / "rules.py").rename(game / "rules" / "__init__.py"),
            "text.py must be show/text.py, since the game's folder has the wing rules/.",
        ),
        (
            lambda game: (game / "rules").mkdir() or (game / "rules" / "__init__.py").touch(),
            "There are both rules.py and the folder rules; only one of them can be the rules.",
        ),
        (winged("rules.py", "rules/dice.py"), "rules/__init__.py is missing."),
        (replace("rules.py", "MAX_LEGAL = 2", ""), "rules.py: MAX_LEGAL is missing."),
        (replace("text.py", "TAGLINE", "MOTTO"), "text.py: TAGLINE is missing."),
        (replace("__init__.py", "players=(2, 4)", "players=2"), "__init__.py: players must be two whole numbers"),
        (replace("__init__.py", "solver=True", "solver=1"), "__init__.py: solver must be True or False."),
        (
            replace("__init__.py", "solver=True", 'solver=True, utility="zero-sum"'),
            "__init__.py: utility must be 'constant-sum'.",
        ),
        (replace("__init__.py", '("100", "50")', "(100, 50)"), "__init__.py: options must be a tuple of Option"),
        (
            replace("scene.py", "\n\ndef scene(", '\nTHEME = {"light": {"--cloth": "#333"}}\n\n\ndef scene('),
            "scene.py: THEME must be a dict",
        ),
        (write("look.css", ".die { color: red; } }"), "look.css: line 1: } closes nothing here; a bracket before it "),
        (
            write("art.svg", "<svg>\n<SCRIPT/></svg>"),
            "art.svg: line 2: <SCRIPT> is not allowed in a picture; allowed are ",
        ),
        (theme("--cloth", "red}body{color:red"), "scene.py: THEME: --cloth: line 1: } closes nothing here"),
        (theme("--cloth", "url(//elsewhere.example)"), "scene.py: THEME: --cloth: line 1: a look cannot load files"),
        (
            theme("grid-template-areas", "'a b}c'"),
            "scene.py: THEME: grid-template-areas: b}c is not the key of a piece",
        ),
        (replace("text.py", "MINUTES = (5, 10)", "MINUTES = 5"), "text.py: MINUTES must be two whole numbers"),
        (
            replace("text.py", "MINUTES = (5, 10)", 'MINUTES = {"long": (5, 10)}'),
            "text.py: MINUTES must be two whole numbers",
        ),
        (write(EDITION, "title = \n"), "editions/standard.toml: TOMLDecodeError: Invalid value"),
        (write(EDITION, "default = true\n"), "editions/standard.toml: edition standard: title missing."),
        (replace(EDITION, 'mark = "stated"\n', ""), "editions/standard.toml: edition standard, [faces]: mark missing."),
        (lambda game: (game / "rulebook.md").write_bytes(b"\xff\xfe"), "rulebook.md: UnicodeDecodeError"),
    ],
)
def test_a_game_that_does_not_load_is_reported_in_a_sentence_and_takes_nothing_else_down(
    games: Path, spoil: Edit, why: str
) -> None:
    spoil(games / "pig")
    assert [*parlour.all_games()] == built_in()
    (broken,) = broken_games()
    assert (broken.name, broken.place) == ("pig", str(games / "pig"))
    assert broken.why.startswith(why)
    assert "\n" not in broken.why
    assert broken.why.endswith(".")
    with pytest.raises(BrokenGame, match=r"The game pig of .* does not load: "):
        parlour.find("pig")


def test_caches_that_git_leaves_behind_decide_nothing(games: Path) -> None:
    """A checkout with another form of the game leaves its folders behind if there are caches in them."""
    for left in ("pig/rules", "pig/show", "pig/study", "gone/rules"):
        (games / left / "__pycache__").mkdir(parents=True)
        (games / left / "__pycache__" / "deck.cpython-312.pyc").touch()
    assert [*parlour.all_games()] == sorted([*built_in(), "pig"])
    assert parlour.find("pig").form == "flat files"
    assert not broken_games()


def test_a_folder_whose_name_can_be_no_game_s_is_reported(games: Path) -> None:
    (games / "pig").rename(games / "pig ärger")
    (broken,) = broken_games()
    assert broken.why == "A game's name has only lower-case letters, digits and dashes."


def test_an_installed_package_is_a_game_and_one_that_is_broken_is_reported(tmp_path: Path) -> None:
    write_pig(tmp_path).rename(tmp_path / "pig_of_ours")
    about = tmp_path / "pigs-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: pigs\nVersion: 1.0\n", "utf-8")
    (about / "entry_points.txt").write_text(
        "[parlour.games]\npig = pig_of_ours\ngone = not_there\nfortune = pig_of_ours\n", "utf-8"
    )
    listed = json.loads(run("games", "--json", PYTHONPATH=str(tmp_path)).stdout)
    assert {one["name"]: one["place"] for one in listed}["pig"] == "the package pigs"
    assert [(one["name"], one["error"]) for one in listed if "error" in one] == [
        ("fortune", "The name fortune is taken by the game of Parlour."),
        ("gone", "There is no package not_there."),
    ]
    assert "Pig (pig)" in run("games", PYTHONPATH=str(tmp_path)).stdout
    played = run("play", "pig", "--bots", "none", input="roll\nquit\n", PYTHONPATH=str(tmp_path))
    assert "Player 1 rolls" in played.stdout


@pytest.fixture
def afresh(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """`parlour` in this process, which is quicker; it does not know Pig yet."""

    def call(*arguments: str | Path, input: str = "") -> Done:
        monkeypatch.setenv(outside.VARIABLE, "")  # `--games` adds to it
        assert "pig" not in parlour.all_games()
        return cli(*arguments, input=input)

    return call


def test_a_game_that_is_named_on_the_command_line_is_played_and_shown(afresh: Cli) -> None:
    write_pig(KEPT)
    played = run("--games", KEPT, "simulate", "pig", "--games", "50", "--json")
    assert json.loads(played.stdout)["games"] == 50
    shown = afresh("--games", KEPT / "pig", "rules", "pig", "PI-3")
    assert "A 1 ends your turn" in shown.out
    known = afresh("--games", KEPT, "bots", "pig")
    assert known.status == 0, known.err
    assert "greedy" not in known.out


@pytest.mark.whole
def test_a_game_that_is_named_on_the_command_line_is_counted_and_matched(afresh: Cli) -> None:
    """`arena` starts other processes. Each command compiles a loop for itself."""
    write_pig(KEPT)
    counted = afresh("--games", KEPT / "pig", "stats", "pig", "--games", "50")
    assert "Pig" in counted.out, counted.err
    contest = afresh("--games", KEPT, "arena", "pig", "--bots", "easy,random", "--games", "8")
    assert contest.status == 0, contest.err
    assert "easy" in contest.out


def test_the_command_says_what_is_wrong_with_a_game(games: Path) -> None:
    (games / "pig" / "scene.py").unlink()
    printed = run("games")
    assert printed.returncode == 0
    assert f"These games don't load:\n  pig ({games / 'pig'}): scene.py is missing.\n" in printed.stdout
    refused = run("play", "pig")
    assert refused.returncode == 1
    assert refused.stderr == f"parlour: The game pig of {games / 'pig'} does not load: scene.py is missing.\n"


def test_a_half_written_folder_among_the_built_in_games_takes_nothing_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    before = built_in()
    (write_pig(tmp_path) / "rules.py").write_text("VERSION = 1\n", "utf-8")
    request.addfinalizer(parlour.games._found.cache_clear)  # nothing of it is remembered
    monkeypatch.setattr(parlour.games, "__path__", [*parlour.games.__path__, str(tmp_path)])
    parlour.games._found.cache_clear()
    assert [*parlour.all_games()] == before
    (broken,) = broken_games()
    assert (broken.name, broken.place) == ("pig", parlour.games.BUILT_IN)
    assert broken.why.startswith("rules.py: N_ACTIONS, MAX_LEGAL, ")
