"""The compile cache can never be stale, and two games never get each other's code."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from parlour.core.game import Game
from parlour.engine import cache, compiled, interpret
from parlour.engine.work import Games

from .conftest import Tiny

# A process that counts what it had to compile itself, once it is told to begin.
COUNTED = """
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.engine import compiled
match = Match(Game("kuhn", "tests.fixtures.kuhn"), 2)
engine = compiled.compile(match.game)
print("ready", flush=True)
input()
legal = engine.drivers.legal_lanes
legal(engine.states(match.state, 1), engine.integers(1), engine.integers(1, engine.game.rules.MAX_LEGAL))
print(sum(legal.stats.cache_misses.values()))
"""
MakeTiny = Callable[[str], Tiny]


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
