"""The compile cache can never be stale, and two games never get each other's code."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import jinja2
import numba
import pytest

from parlour.conformance import kit
from parlour.core.errors import CompilerOff
from parlour.core.game import Game
from parlour.engine import cache, compiled, guarded, interpret, keeping
from parlour.engine.work import Games
from parlour.house.site.compiled import Kept
from tests.damaging import DAMAGES, damage
from tests.engine import peeking

from .conftest import Tiny

# A process that counts what it had to compile itself, after a signal to begin.
COUNTED = """
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.engine import compiled, jobs
from parlour.engine.work import Stretch
match = Match(Game("kuhn", "tests.fixtures.kuhn"), 2)
engine = compiled.compile(match.game)
print("ready", flush=True)
input()
legal = engine.lanes.legal_job
lists = engine.integers(1, engine.game.rules.MAX_LEGAL)
stretch = Stretch(0, 0, 0, engine.integers(1, 1), engine.integers(1, 1), engine.integers(1))
states, job = engine.states(match.state, 1), engine.integers(jobs.WORDS)
legal(job, states, engine.integers(1), stretch, engine.integers(1), lists)
print(sum(legal.stats.cache_misses.values()))
"""
# A process that plays Kuhn poker with policies of these names, and prints how much each has won.
PLAYED = """
import importlib, sys, parlour
from parlour.core.game import Game
for name in sys.argv[1:]:
    game = Game("kuhn", "tests.fixtures.kuhn")
    game.__dict__["policy"] = importlib.import_module(name)
    done = parlour.simulate(game, bots=["greedy", "random"], games=200, threads=1)
    print(f"{name}: {done.scores[:, 0].sum()}")
"""
ROOT = Path(__file__).parents[2]
MakeTiny = Callable[[str], Tiny]


@pytest.fixture
def tiny(tiny: MakeTiny, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MakeTiny:
    """Make a tiny game of the given name; the cache is a folder of this test's own."""
    monkeypatch.setenv("PARLOUR_CACHE", str(tmp_path / "cache"))
    return tiny


def play(engine: Any, seed: int = 1) -> tuple[int, int]:
    """A few random games: decisions and checksum."""
    game = engine.game
    start = game.rules.setup(2, {}, {})
    states, template = engine.states(start, 1), engine.states(start, 1)
    steps, check = engine.drivers.random_games(
        template, states, engine.integers(4), engine.integers(2), engine.integers(2), Games(seed, 0, 20, 1000)
    )
    return int(steps), int(check)


def both(game: Game) -> tuple[tuple[int, int], Path]:
    engine = compiled.compile(game)
    assert engine.folder is not None
    result = play(engine)
    assert result == play(interpret(game))
    return result, engine.folder


def test_a_changed_rule_changes_folder_and_result(tiny: MakeTiny) -> None:
    made = tiny("tiny_a")
    first, folder = both(made.write())
    longer, other = both(made.write(turns=8))
    assert other != folder
    assert longer[0] == 20 * 8
    # A function that the rules import from another module counts as well.
    worth, third = both(made.write(plus=2))
    assert third not in (folder, other)
    assert worth != first
    # What was, is found again: in the same folder, without compiling anything.
    compiled._made.clear()
    before = sorted(folder.rglob("*.nbc"))
    assert both(made.write()) == (first, folder)
    assert before
    assert sorted(folder.rglob("*.nbc")) == before


def test_the_hash_is_of_what_is_in_memory_not_of_the_files(tiny: MakeTiny) -> None:
    made = tiny("tiny_b")
    game = made.write()
    game.rules  # noqa: B018 - loaded now
    (made.folder / "helper.py").write_text("def worth(face: int) -> int:\n    return 100\n")
    result, folder = both(game)
    compiled._made.clear()
    (made.folder / "helper.py").write_text("def worth(face: int) -> int:\n    return 50\n")
    assert both(made.write()) == (result, folder)


def test_a_changed_constant_of_a_module_changes_the_folder(tiny: MakeTiny, monkeypatch: pytest.MonkeyPatch) -> None:
    made = tiny("tiny_c")
    game = made.write()
    first, folder = both(game)
    monkeypatch.setattr(made.rules, "FACTOR", (3, 5))
    interpreted_before = play(interpret(game))  # linked before the change
    assert interpreted_before == first
    assert compiled.compile(game).folder != folder


def test_two_games_with_the_same_drivers_keep_apart(tiny: MakeTiny) -> None:
    one, two = tiny("tiny_d").write(plus=1), tiny("tiny_e").write(plus=7)
    for _ in range(2):  # compiled, then from the cache
        result1, folder1 = both(one)
        result2, folder2 = both(two)
        assert result1 != result2
        assert folder1 != folder2
        compiled._made.clear()


@pytest.mark.whole
def test_what_two_processes_compiled_keeps_apart_in_a_third(tmp_path: Path) -> None:
    """Each numbers its functions for itself, and those of two games with the same state differ in nothing else."""
    source = Path(peeking.__file__).read_text("utf-8")
    (tmp_path / "wise.py").write_text(source, "utf-8")
    (tmp_path / "rash.py").write_text(source.replace("return stake if", "return -stake if"), "utf-8")
    env = {**os.environ, "PARLOUR_CACHE": str(tmp_path / "cache"), "PYTHONPATH": f"{tmp_path}:{ROOT}"}

    def won(*policies: str) -> dict[str, str]:
        command = [sys.executable, "-c", PLAYED, *policies]
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
        return dict(line.split(": ") for line in done.stdout.splitlines())

    alone = won("wise") | won("rash")
    assert alone["wise"] != alone["rash"]
    assert won("wise", "rash") == won("rash", "wise") == alone


def test_the_same_rules_in_another_place_are_not_compiled_again(
    tiny: MakeTiny, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another checkout, or an installation that was moved."""
    result, folder = both(tiny("tiny_g").write())
    compiled._made.clear()
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.syspath_prepend(str(tmp_path / "elsewhere"))
    moved = Tiny(tmp_path / "elsewhere", "tiny_g")
    engine = compiled.compile(moved.write())
    assert engine.folder == folder
    assert Path(moved.rules.__file__ or "").is_relative_to(tmp_path / "elsewhere")
    assert play(engine) == result
    stats = engine.drivers.random_games.stats
    assert (sum(stats.cache_hits.values()), sum(stats.cache_misses.values())) == (1, 0)


@pytest.mark.whole
def test_of_several_processes_one_compiles(tmp_path: Path) -> None:
    command, env = [sys.executable, "-c", COUNTED], {**os.environ, "PARLOUR_CACHE": str(tmp_path)}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "env": env}
    processes = [subprocess.Popen(command, **pipes) for _ in range(3)]  # type: ignore[call-overload]
    assert [process.stdout.readline() for process in processes] == ["ready\n"] * 3
    for process in processes:
        process.stdin.write("\n")
        process.stdin.flush()
    assert sorted(int(process.communicate()[0]) for process in processes) == [0, 0, 1]


def test_folders_that_nobody_used_for_a_month_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLOUR_CACHE", str(tmp_path))
    old, recent = cache.folder("game", "old"), cache.folder("game", "recent")
    assert old is not None and recent is not None  # noqa: PT018
    month = time.time() - 31 * 86400
    os.utime(old / cache.USED, (month, month))
    (tmp_path / "something-else").mkdir()
    new = cache.folder("game", "new")
    assert {path.name for path in tmp_path.iterdir()} == {"game-recent", "game-new", "something-else"}
    assert new == tmp_path / "game-new"
    monkeypatch.setattr(cache, "KEEP_FOLDERS", 2)
    assert cache.folder("game", "newest") is not None
    assert len([path for path in tmp_path.iterdir() if (path / cache.USED).exists()]) == 2


def test_many_versions_of_one_game_leave_the_others_theirs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLOUR_CACHE", str(tmp_path))
    for number, name in enumerate(["other", "my-game", *["game"] * (cache.KEEP_VERSIONS + 3)]):
        place = cache.folder(name, f"{number:024x}")
        assert place is not None
        os.utime(place / cache.USED, (time.time() - 1000 + number,) * 2)
    left = Counter(path.name.rpartition("-")[0] for path in tmp_path.iterdir())
    assert left == {"other": 1, "my-game": 1, "game": cache.KEEP_VERSIONS}


def test_of_many_versions_of_a_game_the_last_are_remembered(tiny: MakeTiny, monkeypatch: pytest.MonkeyPatch) -> None:
    """An author who changes rules again and again does not fill the memory."""
    monkeypatch.setattr(compiled, "REMEMBERED", 2)
    monkeypatch.setattr(compiled, "_made", {})
    monkeypatch.setattr(compiled, "_compile", lambda *_: object())
    monkeypatch.setattr(compiled.guarded, "look", lambda _: None)
    games = [tiny(f"tiny_many_{number}").write() for number in range(3)]
    engines = [compiled.compile(game) for game in games]
    assert list(compiled._made.values()) == engines[1:]
    assert compiled.compile(games[1]) is engines[1]
    assert list(compiled._made.values()) == [engines[2], engines[1]]  # the last used is the last to go


def test_without_room_or_leave_to_write_it_compiles_and_keeps_nothing(
    tiny: MakeTiny, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = tiny("tiny_f").write()
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("PARLOUR_CACHE", str(tmp_path / "file" / "cache"))
    engine = compiled.compile(game)
    assert engine.folder is None
    assert play(engine) == play(interpret(game))
    compiled._made.clear()
    monkeypatch.setenv("PARLOUR_CACHE", str(tmp_path / "full"))
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: usage._replace(free=1000))
    assert compiled.compile(game).folder is None


def test_where_the_cache_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PARLOUR_CACHE", str(tmp_path / "mine"))
    assert cache.root() == tmp_path / "mine"
    monkeypatch.delenv("PARLOUR_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache.root() == tmp_path / "xdg" / "parlour"


# Damaged files ------------------------------------------------------------------------------------
@pytest.mark.parametrize("how", DAMAGES)
@pytest.mark.parametrize("pattern", ["*.nbi", "*.nbc"])
def test_a_damaged_file_is_missing_and_compiled_again(tmp_path: Path, how: str, pattern: str) -> None:
    """The index of a function, or its code."""

    def half(number: int) -> int:
        return number // 2

    def made() -> Any:
        function = numba.njit(half)
        function._cache = keeping.cache_in(tmp_path)(half)
        assert function(8) == 4
        return [sum(counts.values()) for counts in (function.stats.cache_hits, function.stats.cache_misses)]

    assert made() == [0, 1]
    assert made() == [1, 0]
    assert damage(tmp_path, how, pattern) == 1
    assert made() == [0, 1]
    assert made() == [1, 0]


def test_code_is_never_taken_for_that_of_another_signature(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The index is lost, and then the disk has room for the new one but not for the code: a file of before has its
    place."""

    def half(number: float) -> float:
        return number / 2

    def made() -> Any:
        function = numba.njit(half)
        function._cache = keeping.cache_in(tmp_path)(half)
        return function

    function = made()
    assert (function(8), function(9.5)) == (4, 4.75)
    assert damage(tmp_path, "emptied", "*.nbi") == 1
    store = cache.store
    with monkeypatch.context() as full:
        full.setattr(cache, "store", lambda file, data: store(file, data) if file.suffix == ".nbi" else None)
        assert made()(9.5) == 4.75
    function = made()
    assert (function(9.5), function(8)) == (4.75, 4)
    assert sum(function.stats.cache_hits.values()) == 0
    function = made()
    assert (function(9.5), function(8)) == (4.75, 4)
    assert sum(function.stats.cache_hits.values()) == 2


def test_what_cannot_be_stored_is_compiled_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk fills up between the start and the first function."""

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    cache.store(tmp_path / "code", b"code")
    assert cache.load(tmp_path / "code") is None
    assert not list(tmp_path.iterdir())


def test_a_whole_damaged_cache_changes_nothing(tiny: MakeTiny, tmp_path: Path) -> None:
    """The loop of random games plays as before, and its code is kept again. What people start, in new processes, is in
    `tests/cli/test_damaged_caches.py`."""
    made = tiny("tiny_h")
    game = made.write()
    result, folder = both(game)
    compiled._made.clear()
    assert damage(tmp_path / "cache", "zeroed") > 1
    engine = compiled.compile(game)
    assert play(engine) == result
    assert sum(engine.drivers.random_games.stats.cache_misses.values()) == 1
    assert all(cache.load(file) for file in folder.glob("*.nbc"))


@pytest.mark.whole
def test_a_damaged_cache_changes_nothing_in_a_new_process(tiny: MakeTiny, tmp_path: Path) -> None:
    result, folder = both(tiny("tiny_h").write())
    damage(folder, "cut")
    said = "from parlour.core.game import Game; from tests.engine.test_compile_cache import both; "
    said += "print(both(Game('tiny_h', 'tiny_h'))[0])"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    done = subprocess.run([sys.executable, "-c", said], env=env, capture_output=True, text=True)
    assert done.stdout == f"{result}\n", done.stderr


# A process that compiles these loops of Kuhn poker, and says of how many functions it found the parts.
PARTS = """
import sys, parlour
from parlour.core.game import Game
from parlour.engine import bench, compiled
game = Game("kuhn", "tests.fixtures.kuhn")
engine = compiled.compile(game)
played = bench.random_play(engine, game.start(2, game.edition(), game.options()), 2)(50)
if "bots" in sys.argv:
    played = parlour.simulate(game, bots="random", games=200, seed=3, threads=1).scores.sum(axis=0).tolist()
functions = vars(engine.rules).values()
print(played, sum(sum(one.stats.cache_hits.values()) for one in functions if hasattr(one, "stats")))
"""


@pytest.mark.whole
def test_parts_are_kept_for_the_loops_that_another_process_compiles(tmp_path: Path) -> None:
    def run(cache: str, *loops: str) -> list[str]:
        env = {**os.environ, "PARLOUR_CACHE": str(tmp_path / cache)}
        command = [sys.executable, "-c", PARTS, *loops]
        return subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()

    *_, first = run("one")
    assert first == "0"
    *played, found = run("one", "bots")  # random games are there whole, games of bots are made of parts
    assert int(found) > 3
    assert played == run("two", "bots")[:-1]


@pytest.mark.parametrize("how", DAMAGES)
def test_a_damaged_template_is_compiled_again(tmp_path: Path, how: str) -> None:
    def draw() -> str:
        loader = jinja2.DictLoader({"page": "Hello {{ name }}"})
        return jinja2.Environment(loader=loader, bytecode_cache=Kept(str(tmp_path))).get_template("page").render(name=1)

    assert draw() == "Hello 1"
    assert damage(tmp_path, how, "*") == 1
    assert draw() == "Hello 1"
    assert cache.load(next(tmp_path.iterdir()))


# What is frozen into the code ---------------------------------------------------------------------
def change(kind: str) -> tuple[ModuleType, Callable[[], object]]:
    """A module of an author, and something that changes what its functions do."""
    home, numbers, deeper = ModuleType("home"), ModuleType("home.numbers"), ModuleType("home.numbers.deeper")
    source = "import enum\nimport numpy as np\nclass Suit(enum.IntEnum):\n    RED = 1\nTABLE = np.array([1, 2])\n"
    source += "PAIR = ((1, 2.5), True)\nNOTHING = None\ndef f(x, more=1, *, plus=2):\n    return numbers.deeper.BONUS\n"
    source += "def make(n):\n    def inner(x):\n        return x + n\n    return inner\ng = make(3)\n"
    home.__dict__.update(numbers=numbers)
    numbers.__dict__.update(deeper=deeper, UNUSED=1)
    deeper.__dict__.update(BONUS=1)
    exec(source, home.__dict__)
    changes: dict[str, Callable[[], object]] = {
        "a number of a module in a module": lambda: setattr(deeper, "BONUS", 2),
        "an enumeration": lambda: exec("class Suit(enum.IntEnum):\n    RED = 2\n", home.__dict__),
        "an array": lambda: home.TABLE.__setitem__(1, 3),
        "a mixed tuple": lambda: setattr(home, "PAIR", ((1, 2.5), False)),
        "nothing": lambda: setattr(home, "NOTHING", 0),
        "a default": lambda: setattr(home.f, "__defaults__", (2,)),
        "a keyword-only default": lambda: setattr(home.f, "__kwdefaults__", {"plus": 3}),
        "what a closure encloses": lambda: setattr(home, "g", home.make(4)),
    }
    return home, changes[kind]


FROZEN = (
    "a number of a module in a module", "an enumeration", "an array", "a mixed tuple", "nothing", "a default",
    "a keyword-only default", "what a closure encloses",
)  # fmt: skip


@pytest.mark.parametrize("kind", FROZEN)
def test_the_folder_is_another_when_anything_changes_that_the_code_freezes(kind: str) -> None:
    home, do = change(kind)
    before = cache.fingerprint([home])
    assert cache.fingerprint([change(kind)[0]]) == before
    do()
    assert cache.fingerprint([home]) != before


def test_a_number_in_a_module_of_the_authors_counts(tiny: MakeTiny) -> None:
    """A module in a package that the rules reach by its attributes."""
    made = tiny("tiny_i")
    (made.folder / "box").mkdir(parents=True)
    (made.folder / "box" / "__init__.py").write_text("from . import prices\n")
    helper = "from tiny_i import box\n\ndef worth(face: int) -> int:\n    return face + box.prices.BONUS\n"
    folders, results = set(), set()
    for bonus in (1, 5):
        (made.folder / "box" / "prices.py").write_text(f"BONUS = {bonus}\n")
        game = made.write(helper=helper)
        results.add(play(interpret(game)))
        folders.add(compiled.compile(game).folder)
    assert len(folders) == len(results) == 2


# What does not compile ----------------------------------------------------------------------------
def test_keyword_only_parameters_are_refused_in_a_sentence(tiny: MakeTiny) -> None:
    game = tiny("tiny_j").write(helper="def worth(face: int, *, plus: int = 1) -> int:\n    return face + plus\n")
    with pytest.raises(guarded.Unplayable, match=r"rules\.py, line \d+: keyword-only parameters do not compile"):
        play(compiled.compile(game))


def test_a_function_made_by_another_is_played_plain_and_compiled(tiny: MakeTiny) -> None:
    text = "def make(plus):\n    def worth(face):\n        return face + plus\n    return worth\n\nworth = make({})\n"
    one, folder = both(tiny("tiny_k").write(helper=text.format(1)))
    game = tiny("tiny_k").write(helper=text.format(4))
    assert play(interpret(game)) != one
    assert compiled.compile(game).folder != folder


def test_without_a_compiler_it_is_said_in_a_sentence(tiny: MakeTiny, monkeypatch: pytest.MonkeyPatch) -> None:
    game = tiny("tiny_l").write()
    monkeypatch.setattr("numba.core.config.DISABLE_JIT", 1)
    with pytest.raises(CompilerOff, match="NUMBA_DISABLE_JIT is set, so the rules cannot be compiled"):
        compiled.compile(game)
    assert play(interpret(game))
    with pytest.raises(CompilerOff):
        kit.run(game)
