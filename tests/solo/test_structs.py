"""The module that replaces msgspec in a browser does the same, as far as scenes and records use it."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

import parlour
from parlour.core.record import Record
from parlour.core.scene import Button, Line, Pick, Piece, Reason, Scene
from parlour.games import all_games, find
from parlour.solo import structs
from parlour.solo.scenes import scenes
from tests.conformance.golden import records

ALONE = """
import hashlib, importlib.abc, json, sys
from pathlib import Path

class Refuse(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"msgspec", "numpy", "numba", "llvmlite", "jinja2", "filelock", "platformdirs"}:
            raise ImportError(name)

sys.meta_path.insert(0, Refuse())
bare = type(sys)("parlour")
bare.__path__, bare.__version__ = [sys.argv[1]], ""
sys.modules["parlour"] = bare
from parlour.solo import structs
structs.stand_in()
from parlour.core.game import Game
from parlour.core.record import Record
from parlour.solo.door import Door
from parlour.solo.scenes import scenes

for name in sys.argv[2:]:
    text = Path(name).read_text("utf-8")
    game = Record.parse(text).game
    drawn = scenes(Game(game, f"parlour.games.{game.replace('-', '_')}"), text, "rules.html")
    print(json.dumps([len(drawn), hashlib.sha256("".join(drawn).encode()).hexdigest()]))
"""


def test_scenes_are_the_same_without_msgspec_and_numpy(tmp_path: Path, size: Callable[[int, int], int]) -> None:
    """The standard library alone draws every position of the golden records, byte for byte."""
    chosen = []
    for file in records():
        record = Record.parse(file.read_text("utf-8"))
        if record.game in all_games():
            chosen.append(tmp_path / file.name)
            chosen[-1].write_text(record.upto(size(20, len(record.steps))).to_text(), "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", ALONE, parlour.__path__[0], *map(str, chosen)], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    assert len(chosen) >= len(all_games())
    for file, line in zip(chosen, done.stdout.splitlines(), strict=True):
        text = file.read_text("utf-8")
        drawn = scenes(find(Record.parse(text).game), text, "rules.html")
        assert json.loads(line) == [len(drawn), hashlib.sha256("".join(drawn).encode()).hexdigest()], file.name


class Ours(structs.Struct, frozen=True, cache_hash=True):
    name: str
    number: int = 3
    more: tuple[int, ...] = ()
    table: dict[str, int] = {}  # noqa: RUF012 - msgspec copies it, too


class Theirs(msgspec.Struct, frozen=True, cache_hash=True):
    name: str
    number: int = 3
    more: tuple[int, ...] = ()
    table: dict[str, int] = {}


def test_a_struct_is_made_printed_compared_and_copied_alike() -> None:
    for one, replaced in ((Ours, structs.replace), (Theirs, msgspec.structs.replace)):
        first = one("a", more=(1, 2))
        assert repr(first) == f"{one.__name__}(name='a', number=3, more=(1, 2), table={{}})"
        other = replaced(first, number=4)
        assert (other.name, other.number, other.more, first.number) == ("a", 4, (1, 2), 3)
        assert replaced(other, number=3) == first != other
        assert one("a").table is not one("a").table
        with pytest.raises(TypeError, match="'colour'"):
            replaced(first, colour="red")
        with pytest.raises(TypeError):
            one()


class Key(structs.Struct, frozen=True):
    a: int
    b: tuple[str, ...] = ()


def test_equal_structs_are_one_key_also_after_a_change() -> None:
    first = Key(1, ("x",))
    assert hash(first) == hash(Key(1, ("x",))) == hash(first)
    changed = structs.replace(first, a=2)
    assert hash(changed) == hash(Key(2, ("x",))) != hash(first)
    assert {first: 1, Key(1, ("x",)): 2} == {first: 2}


def test_what_scenes_are_made_of_needs_no_more_than_the_stand_in_has() -> None:
    for struct in (Button, Line, Pick, Piece, Reason, Scene):
        config = struct.__struct_config__
        assert config.frozen
        assert config.eq
        assert not any((config.order, config.forbid_unknown_fields, config.omit_defaults, config.tag))


def test_json_is_read_and_written_alike() -> None:
    value = {"a": [1, 2.5, None, True, "é"], "b": {}}
    assert structs.json.encode(value) == msgspec.json.encode(value)
    assert structs.json.decode('{"name": "a", "number": 5}', type=Ours) == Ours("a", 5)
    for text in ("{", '{"colour": 1}'):
        with pytest.raises(structs.MsgspecError):
            structs.json.decode(text, type=Ours)
